// The parts of the build that need no compiler.
#include <cstring>
#include <fstream>
#include <iterator>

#include "grader/compile/build_cache.h"
#include "grader/compile/elf.h"
#include "grader/compile/inspect.h"
#include "grader/compile/messages.h"
#include "grader/compile/sha256.h"
#include "tests/harness/catch.h"

namespace fs = std::filesystem;
using namespace cudalabs;

TEST_CASE("SHA-256 gives the published digests") {
  CHECK(Sha256().hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256().add("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha256().add(std::string(1000000, 'a')).hex() ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(Sha256().add_part("ab").add_part("c").hex() != Sha256().add_part("a").add_part("bc").hex());
}

TEST_CASE("a damaged object is refused or read in part, never beyond its end") {
  CHECK_FALSE(read_elf("").ok());
  CHECK_FALSE(
      read_elf("not an object at all, but longer than a header would be, so that only the magic tells").ok());
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(self)), {});
  const auto object = read_elf(whole);
  REQUIRE(object.ok());
  CHECK(object->static_bytes > 0);
  for (std::size_t size = 0; size < 4096; size += 37)
    CHECK_FALSE(read_elf(std::string_view(whole).substr(0, size)).ok());
  // Every byte of the header turned around: whatever comes out, it comes out.
  for (std::size_t at = 0; at < 64; ++at) {
    std::string broken =
        whole.substr(0, 1 << 16) + whole.substr(whole.size() - std::min<std::size_t>(whole.size(), 1 << 16));
    broken[at] = static_cast<char>(~broken[at]);
    (void)read_elf(broken).ok();
  }
}

TEST_CASE("names that a submission may not define, or use") {
  const auto defining = [](const std::string& name, bool global = true, bool defined = true) {
    return forbidden_symbol({{{name, defined, global, false, false}}, 0}).value_or("");
  };
  CHECK(defining("main") ==
        "the submission defines main(), but the grader brings its own; move yours to a file of its own");
  for (const char* name : {"cudaMalloc", "__cudaLaunchKernel", "cuLaunchKernel", "write", "exit",
                           "cudalabs_serve", "_ZN8cudalabs6client4sendEv"}) {
    INFO(name);
    CHECK_FALSE(defining(name).empty());
  }
  for (const char* name :
       {"_Z5writei", "_Z4mainv", "_Z10cudaHelperi", "custom", "cu", "helper", "_Z14row_max_globalPKfPfii"}) {
    INFO(name);
    CHECK(defining(name).empty());
  }
  CHECK(defining("write", false).empty());             // static
  CHECK(defining("cudaMalloc", true, false).empty());  // used
  CHECK(defining("cudalabs_serve", true, false).find("uses cudalabs_serve") != std::string::npos);
}

TEST_CASE("names are demangled, made-up ones are left alone") {
  CHECK(demangled("_Z7row_maxPKfi") == "row_max(float const*, int)");
  CHECK(demangled("row_max") == "row_max");
  CHECK(demangled("_Zgarbage") == "_Zgarbage");
  const std::string endless = "_Z" + std::string(100000, 'P');
  CHECK(demangled(endless) == endless);
}

namespace {

CompilerOutput read(const std::string& text) {
  return read_compiler_output(
      text, {{{"row_max.cu", "line one\nint x = first + second;\n"}, {"tile.cuh", "a\nb\n"}},
             "/submission",
             {"/usr/lib", "/usr/include", "/opt/cuda"}});
}

}  // namespace

TEST_CASE("g++ messages, with the way through a header") {
  const auto output = read(
      "In file included from row_max.cu:1:\n"
      "/submission/tile.cuh: In function 'int f()':\n"
      "/submission/tile.cuh:2:1: warning: no return statement [-Wreturn-type]\n"
      "/usr/include/c++/12/bits/stl_map.h: In instantiation of 'class std::map<int, X>':\n"
      "row_max.cu:2:9:   required from here\n"
      "/usr/include/c++/12/bits/stl_map.h:80:10: error: no match for 'operator<' in "
      "\"/usr/include/c++/12/bits/x.h\"\n"
      "./row_max.cu:2:9: error: 'first' was not declared in this scope\n"
      "    2 | int x = first + second;\n");
  REQUIRE(output.warnings.size() == 1);
  CHECK(output.warnings[0].display() ==
        "tile.cuh:2:1: warning: no return statement [-Wreturn-type]\n  b\n  ^");
  REQUIRE(output.errors.size() == 2);
  CHECK(output.errors[0].display() ==
        "row_max.cu:2: error: no match for 'operator<' in \"x.h\" (in stl_map.h, used from here)\n  int x = "
        "first + second;");
  CHECK(output.errors[1].display() ==
        "row_max.cu:2:9: error: 'first' was not declared in this scope\n  int x = first + second;\n          "
        "^");
}

TEST_CASE("the same message of two passes is told once") {
  const std::string twice =
      "row_max.cu(2): error: identifier \"first\" is undefined\n  int x = first + second;\n          ^\n\n";
  const auto output = read(twice + twice);
  REQUIRE(output.errors.size() == 1);
  CHECK(output.errors[0].column == 9);
}

TEST_CASE("a message about the toolchain alone is told only when there is no better one") {
  const std::string foreign = "/opt/cuda/include/crt/x.h(10): error: expected a declaration\n  }\n  ^\n\n";
  const auto alone = read(foreign);
  REQUIRE(alone.errors.size() == 1);
  CHECK(alone.errors[0].display() == "row_max.cu: error: expected a declaration (in x.h)");
  const auto with = read(foreign + "row_max.cu(1): error: expected a \";\"\n\n");
  REQUIRE(with.errors.size() == 1);
  CHECK(with.errors[0].line == 1);
}

TEST_CASE("a student's #line, long lines and odd bytes do no harm") {
  const auto output =
      read("row_max.cu(999999999999): error: " + std::string(100000, 'x') + "\n" + std::string(300000, '^') +
           "\n:::\n(1): error: \n\x80\xff(3): error: y\n\"/made/up\"(5): error: z\n");
  CHECK(output.errors.size() >= 1);
  for (const auto& error : output.errors) CHECK(error.text.size() < 3000);
}

TEST_CASE("the cache keeps outcomes whole, and damage is a miss") {
  std::string pattern = (fs::temp_directory_path() / "cudalabs-test-XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  const auto cache = BuildCache::open(folder / "build");
  REQUIRE(cache.ok());
  CHECK_FALSE(cache->find("k"));
  BuildOutcome outcome;
  outcome.warnings = {{"row_max.cu", 3, 4, MessageKind::Warning, "text", "\xff source"}};
  outcome.entries = {{"global", "row_max_global", true, ""}, {"shared", "row_max_shared", false, "near"}};
  const auto kept = cache->keep("k", outcome, "program bytes");
  REQUIRE(kept.ok());
  auto found = cache->find("k");
  REQUIRE(found);
  CHECK(found->cached);
  CHECK(found->executable == kept->executable);
  CHECK(found->warnings[0].line == 3);
  CHECK(found->entries[1].near_miss == "near");
  std::ofstream(folder / "build/k/outcome.json") << "{ half";
  CHECK_FALSE(cache->find("k"));
  REQUIRE(cache->keep("k", outcome, "program bytes").ok());
  CHECK(cache->find("k"));
  fs::permissions(folder / "build", fs::perms::all);
  CHECK_FALSE(BuildCache::open(folder / "build").ok());
  fs::remove_all(folder);
}
