#include "grader/toolchain/program/object_cache.h"

#include <chrono>
#include <fstream>

#include "grader/toolchain/program/program.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/toolchain/bench.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

class NoCompiler : public CudaCompiler {
 public:
  explicit NoCompiler(fs::path program) : program_(std::move(program)) {}
  [[nodiscard]] std::string_view name() const override { return kNvcc; }
  [[nodiscard]] const std::string& version() const override { return version_; }
  [[nodiscard]] const fs::path& program() const override { return program_; }
  [[nodiscard]] std::string key() const override { return "key"; }
  [[nodiscard]] std::vector<fs::path> folders() const override { return {program_.parent_path()}; }
  [[nodiscard]] fs::path include() const override { return {}; }
  [[nodiscard]] Result<Compilation> compile(const CompileJob& /*job*/,
                                            const MakeWorkplace& /*place*/) const override {
    return error(Messages());
  }

 private:
  fs::path program_;
  std::string version_ = "1";
};

/// A source with a header, which were compiled a second ago.
struct Compiled {
  test::TemporaryFolder folder;
  fs::path compiler = folder.path() / "installed" / "nvcc", header = folder.path() / "own" / "h.h";
  Toolchain toolchain{std::make_shared<NoCompiler>(compiler), "/usr/bin/g++", "g++ 12"};
  std::string text = "#include \"h.h\"\n";
  ObjectInputs inputs{(folder.path() / "own" / "a.cu").string(), text, {"-O2"}, "/usr/bin/g++"};
  Compilation made;
  fs::file_time_type started = fs::file_time_type::clock::now() + std::chrono::seconds(1);

  Compiled() {
    fs::create_directory(folder.path() / "own");
    fs::create_directory(folder.path() / "installed");
    test::write(compiler, "a compiler");
    test::write(header, "int a;\n");
    test::write(inputs.source, text);
    made.end.exited = true;
    made.end.err = "a warning\n";
    made.object = std::string("\x7f\0\nELF", 6);
    made.rules = "a.o: " + inputs.source + " " + header.string() + "\n";
  }
  [[nodiscard]] ObjectCache cache() const { return {toolchain, folder.path() / "objects"}; }
  void keep() const { keep(made); }
  void keep(const Compilation& one) const { cache().keep(cache().key(inputs), inputs.text, one, started); }
  [[nodiscard]] bool found() const { return cache().find(cache().key(inputs)).has_value(); }
};

/// A folder of its own for a compiler.
class Place : public Workplace {
 public:
  Result<ProcessEnd> run(std::vector<std::string> argv) override {
    Command command;
    command.argv = std::move(argv);
    command.env = {"PATH=/usr/bin:/bin", "TMPDIR=" + folder_.path().string()};
    return cudalabs::run(std::move(command));
  }
  [[nodiscard]] std::string named(const std::string& name) const override {
    return (folder_.path() / name).string();
  }
  Result<void> put(const std::string& name, std::string_view bytes) override {
    test::write(folder_.path() / name, std::string(bytes));
    return {};
  }
  [[nodiscard]] fs::path folder() const override { return {}; }
  Result<std::string> take(const std::string& name) override {
    return test::read_file(folder_.path() / name);
  }

 private:
  test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("an object is found with its warnings while nothing changes", "[toolchain]") {
  const Compiled c;
  CHECK_FALSE(c.found());
  c.keep();
  const auto known = c.cache().find(c.cache().key(c.inputs));
  REQUIRE(known.has_value());
  CHECK(known->object == c.made.object);
  CHECK(known->end.success());
  CHECK(known->end.err == "a warning\n");
}

TEST_CASE("an object is not found after a change of anything that decided it", "[toolchain]") {
  Compiled c;
  c.keep();
  REQUIRE(c.found());
  SECTION("a header") { test::write(c.header, "int b;\n"); }
  SECTION("a header that is gone") { fs::remove(c.header); }
  SECTION("a header that may hide another") { test::write(c.header.parent_path() / "b.cuh", ""); }
  SECTION("the source") { c.inputs.text = "#include \"h.h\"\n\n"; }
  SECTION("the source's name") { c.inputs.source += "x"; }
  SECTION("an option") { c.inputs.flags = {"-O3"}; }
  SECTION("the compiler") { test::write(c.compiler, "a newer compiler"); }
  SECTION("the host's compiler") { c.toolchain.host_version = "g++ 13"; }
  SECTION("damage") {
    for (const auto& entry : fs::directory_iterator(c.folder.path() / "objects"))
      if (entry.path().extension() == ".part") fs::resize_file(entry.path(), entry.file_size() - 1);
  }
  CHECK_FALSE(c.found());
}

TEST_CASE("a file beside the source that nobody includes changes nothing", "[toolchain]") {
  const Compiled c;
  c.keep();
  test::write(c.header.parent_path() / "result.json", "{}");
  CHECK(c.found());
}

TEST_CASE("what the rules do not cover is compiled each time", "[toolchain]") {
  Compiled c;
  SECTION("the time") { c.inputs.text = "const char* when = __TIME__;\n"; }
  SECTION("the date in a header") { test::write(c.header, "const char* when = __DATE__;\n"); }
  SECTION("whether a file exists") { test::write(c.header, "#if __has_include(\"x.h\")\n#endif\n"); }
  SECTION("another file's bytes") { test::write(c.header, "asm(\".incbin \\\"x\\\"\");\n"); }
  SECTION("no rules") { c.made.rules.clear(); }
  SECTION("a file that is gone") { c.made.rules += "a.o: missing.h\n"; }
  SECTION("a header that changed meanwhile") { c.started = fs::last_write_time(c.header); }
  SECTION("a failure") { c.made.end.exit_code = 1; }
  c.keep();
  CHECK_FALSE(c.found());
}

TEST_CASE("the toolkit's own headers may ask for the time", "[toolchain]") {
  const Compiled c;
  test::write(c.compiler.parent_path() / "x.h", "__TIME__ __has_include\n");
  Compilation made = c.made;
  made.rules += "a.o: " + (c.compiler.parent_path() / "x.h").string() + "\n";
  c.keep(made);
  CHECK(c.found());
}

TEST_CASE("rules for make name their files as make reads them", "[toolchain]") {
  using Names = std::vector<std::string>;
  CHECK(prerequisites("").empty());
  CHECK(prerequisites("a.o: a.cu \\\n b.h\nx.o: a.cu c.h\n") == Names{"a.cu", "b.h", "c.h"});
  CHECK(prerequisites("a.o: my\\ file.h a$$b.h c\\#d.h\n") == Names{"my file.h", "a$b.h", "c#d.h"});
  CHECK(prerequisites("tmpxft_1-2.o: /tmp/tmpxft_1-2.cpp\na.o: a.cu") == Names{"a.cu"});
  CHECK(prerequisites("a.o: \\").size() == 1);
}

TEST_CASE("both compilers name what each half of a program includes", "[toolchain]") {
  test::under_each_compiler();
  test::Bench& bench = test::bench();
  const test::TemporaryFolder folder;
  const fs::path source = folder.path() / "a.cu", device = folder.path() / "device.h";
  test::write(source,
              "#ifdef __CUDA_ARCH__\n#include \"device.h\"\n#else\n#include \"host.h\"\n#endif\n"
              "__global__ void k(int* a) { *a = VALUE; }\nint main() { return VALUE - 2; }\n");
  test::write(device, "#define VALUE 1\n");
  test::write(folder.path() / "host.h", "#define VALUE 2\n");
  const std::string text = test::read_file(source);
  const CompileJob job{source.string(), {}, bench.toolchain.host_compiler, text, true};
  const auto made = bench.toolchain.cuda->compile(job, []() -> Result<std::unique_ptr<Workplace>> {
    return std::unique_ptr<Workplace>(std::make_unique<Place>());
  });
  REQUIRE(made.ok());
  INFO(made->end.err);
  REQUIRE(made->end.success());
  const auto files = prerequisites(made->rules);
  for (const char* name : {"device.h", "host.h"})
    CHECK(std::ranges::count(files, (folder.path() / name).string()) == 1);
}
