// `grader nvcc` as the compiler of builds, with each compiler. The project is in tests/programs/build.

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using cudalabs::test::Ended;

const fs::path kProject = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "build";
const std::string kOurNvcc = std::string(CUDALABS_BIN) + "/grader";

/// A copy of the project, and a shell in it that uses one compiler.
class Build {
 public:
  explicit Build(std::string compiler) : compiler_(std::move(compiler)) {
    fs::copy(kProject, sandbox_.work(), fs::copy_options::recursive);
  }
  [[nodiscard]] Ended shell(const std::string& line) const {
    cudalabs::test::Invocation invocation;
    invocation.words = cudalabs::test::shell(line);
    invocation.folder = sandbox_.work();
    invocation.environment = {
        {"XDG_CACHE_HOME", (fs::path(CUDALABS_BIN).parent_path() / "e2e-cache").string()},
        {"CUDA_LABS_COMPILER", compiler_},
        {"NVCC", kOurNvcc + " nvcc"},
        {"GRADER", kOurNvcc},
        {"CUDAARCHS", std::nullopt},
        {"MAKEFLAGS", std::nullopt},
        {"LC_ALL", "C.UTF-8"}};
    return cudalabs::test::run(invocation);
  }
  [[nodiscard]] const fs::path& folder() const { return sandbox_.work(); }

 private:
  Sandbox sandbox_;
  std::string compiler_;
};

void check_program(const Build& build, const std::string& program) {
  const Ended ended = build.shell(program + " 20");
  CHECK(ended.err.empty());
  CHECK(ended.out == "the sum is 190\n");
  CHECK(ended.status == 3);
}

}  // namespace

TEST_CASE("make builds with grader nvcc, and the program runs by itself", "[nvcc]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  const Build build(compiler);
  const Ended made = build.shell("make");
  INFO(compiler << "\n" << made.out << made.err);
  REQUIRE(made.status == 0);
  CHECK(made.err.empty());
  check_program(build, "./program");
  check_program(build, "mkdir my.solutions && cp program my.solutions/my.sorts && my.solutions/my.sorts");
  // The make rules name the object and its dependencies.
  const std::string rules = read_file(build.folder() / "main.d");
  CHECK(rules.find("main.o") < rules.find(':'));
  CHECK(rules.find("include/sum.cuh") != std::string::npos);

  // A fault is reported with its line, and so are the checkers' findings.
  const int line = marked_line(read_file(kProject / "sum.cu"));
  const Ended faulted = build.shell("./program 200");
  CHECK(faulted.err.find("sum.cu:" + std::to_string(line) + ": ") != std::string::npos);
  CHECK(faulted.status == 7);
  const Ended counted = build.shell(
      "CUDA_LABS_RUN='--counters \"all counters.json\"' ./program && false || cat 'all counters.json'");
  CHECK(build.shell("CUDA_LABS_RUN='--json /dev/stdout' ./program 2>/dev/null | cat")
            .out.find("\"findings\": []") != std::string::npos);
  CHECK(counted.out.find("the sum is 45\n") == 0);
  CHECK(counted.out.find("\"kernel\": \"sum\"") != std::string::npos);
  const Ended run = build.shell("$GRADER run ./program --device simulator -- 5");
  CHECK(run.out == "the sum is 10\n");
  CHECK(run.status == 3);
  CHECK(build.shell("$GRADER run ./program -O2").err ==
        "grader: -O2 has no effect: ./program is already built\n  hint: arguments after -- go to the "
        "program\n");

  const Ended by_hand = build.shell("make by_hand CUDA_PATH=$($GRADER nvcc --toolkit)");
  INFO(by_hand.out << by_hand.err);
  REQUIRE(by_hand.status == 0);
  check_program(build, "./by_hand");
}

TEST_CASE("CMake builds with the toolkit of grader nvcc", "[nvcc]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  if (cudalabs::test::run({cudalabs::test::shell("cmake --version")}).status != 0) return;
  const Build build(compiler);
  const Ended configured = build.shell(
      "cmake -S . -B build -G 'Unix Makefiles' -DCMAKE_CUDA_COMPILER=$($GRADER nvcc --toolkit)/bin/nvcc");
  INFO(compiler << "\n" << configured.out << configured.err);
  REQUIRE(configured.status == 0);
  const Ended made = build.shell("cmake --build build");
  INFO(made.out << made.err);
  REQUIRE(made.status == 0);
  check_program(build, "build/program");
  // The build knows the included files of a source.
  const Ended again = build.shell("sleep 1; touch include/sum.cuh; cmake --build build");
  CHECK(again.out.find("Building CUDA object CMakeFiles/program.dir/main.cu.o") != std::string::npos);
}

TEST_CASE("what grader nvcc cannot do is said in a sentence", "[nvcc]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const Build build(compiler);
  CHECK(build.shell("$NVCC -shared main.cu -o libmain.so").err ==
        "grader: a shared library of CUDA code (-shared) is not supported: the grader links its CUDA runtime "
        "into the program, and a library would contain a second one\n  hint: link its objects into the "
        "program, or make an archive of them with -lib\n");
  CHECK(build.shell("$NVCC").err ==
        "grader: there is no file to compile\n  hint: for example: grader nvcc -c saxpy.cu -o saxpy.o\n");
  CHECK(build.shell("$NVCC -c main.cu sum.cu -o both.o").err ==
        "grader: -o names one object, but there are several source files\n  hint: leave out -o, or compile "
        "them one by one\n");
  CHECK(build.shell("cp /bin/true other && $GRADER run ./other").err ==
        "grader: ./other was not built with the grader\n  hint: build it with grader nvcc, "
        "or "
        "name its source files instead\n");
  const Ended undefined = build.shell("$NVCC -rdc=true -Iinclude main.cu plain.cpp -o program");
  CHECK(undefined.err.find(
            "main.cu:9: error: sum_of(int const*, int) is used here, but none of the files defines it") !=
        std::string::npos);
  CHECK(undefined.status == 2);
  CHECK_FALSE(fs::exists(build.folder() / "program"));
  const Ended version = build.shell("$NVCC --version");
  CHECK(version.out.find("Cuda compilation tools, release 1") != std::string::npos);
  const Ended ptx = build.shell("$NVCC -ptx -Iinclude -rdc=true sum.cu -o sum.ptx");
  if (compiler == "nvcc") {
    CHECK(ptx.status == 0);
    CHECK(read_file(build.folder() / "sum.ptx").find(".visible .func") != std::string::npos);
  } else {
    CHECK(ptx.err ==
          "grader: -ptx needs nvcc, but the compiler is clang\n  hint: install the CUDA Toolkit, or leave "
          "out the option\n");
  }
}

}  // namespace e2e
