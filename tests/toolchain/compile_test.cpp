// Compiles real submissions with the real compilers.
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/program/program.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "grader/toolchain/build_sandbox.h"
#include "grader/toolchain/code/runner.h"
#include "grader/toolchain/options/program_search.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"
#include "tests/toolchain/bench.h"

namespace fs = std::filesystem;
using namespace cudalabs;
using test::bench, test::build, test::kGood, test::output_of, test::shown, test::under_each_compiler,
    test::write;

TEST_CASE("the environment names the compiler where nobody else does") {
  const auto name = [](CompilerChoice choice) {
    const auto found = find_toolchain(choice);
    return found ? std::string(found->cuda->name()) : found.problem().message.english();
  };
  const char* const before = std::getenv("CUDA_LABS_COMPILER");
  const std::string kept = before != nullptr ? before : "";
  for (const Toolchain& toolchain : bench().toolchains) {
    const std::string wanted(toolchain.cuda->name());
    ::setenv("CUDA_LABS_COMPILER", wanted.c_str(), 1);
    CHECK(name(CompilerChoice::Auto) == wanted);
    for (const Toolchain& other : bench().toolchains)
      CHECK(name(*compiler_named(other.cuda->name())) == other.cuda->name());
  }
  ::setenv("CUDA_LABS_COMPILER", "clnag", 1);
  CHECK(name(CompilerChoice::Auto) == "unknown compiler 'clnag' in $CUDA_LABS_COMPILER");
  ::unsetenv("CUDA_LABS_COMPILER");
  CHECK(name(CompilerChoice::Auto) == bench().toolchains.front().cuda->name());
  if (!kept.empty()) ::setenv("CUDA_LABS_COMPILER", kept.c_str(), 1);
}

TEST_CASE("a submission becomes a program whose runner unpacks the arguments") {
  under_each_compiler();
  const auto outcome = build(kGood);
  INFO(outcome.sentence.english() << shown(outcome.errors));
  REQUIRE(outcome.status == BuildStatus::Ok);
  CHECK(outcome.errors.empty());
  CHECK(outcome.warnings.empty());
  REQUIRE(outcome.entries.size() == 2);
  CHECK(outcome.entries[0].defined);
  CHECK(outcome.entries[1].defined);
  CHECK_FALSE(outcome.cached);
  CHECK(outcome.sandbox == usable_sandbox());
  CHECK(output_of(outcome) == "row_max_global defined\n0x1000 0x2000 7 11\nrow_max_shared defined\n");

  const auto again = build(kGood);
  CHECK(again.cached);
  CHECK(again.executable == outcome.executable);
  CHECK(again.entries[1].defined);
  CHECK((fs::status(bench().options.cache).permissions() & fs::perms::others_all) == fs::perms::none);
}

TEST_CASE("our contract wins over the student's copy; their own headers are there") {
  under_each_compiler();
  const auto outcome = build("#include \"contract.cuh\"\n#include \"tile.cuh\"\nint x = TILE;\n",
                             {{"contract.cuh", "#error theirs\n"}, {"tile.cuh", "#define TILE 32\n"}});
  INFO(shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::Ok);
}

TEST_CASE("a missing entry is told with what is near, and never called") {
  under_each_compiler();
  Lab lab = bench().lab;
  lab.contract = bench().root / "course/labs/names.cuh";
  lab.versions.clear();
  std::string contract;
  for (const std::string name : {"absent", "params", "misspelt", "scoped", "plain", "hidden", "kernel"}) {
    Version version;
    version.name = name;
    version.entry = "run_" + name;
    contract += "void run_" + name + "(const float* a, float* out, int rows, int cols);\n";
    lab.versions.push_back(version);
  }
  write(lab.contract, contract);
  const auto outcome = build(R"(
#define PARAMETERS (const float* a, float* out, int rows, int cols) {}
void run_params(float* a, float* out, int rows, int cols) {}
void run_mispselt PARAMETERS
namespace mine { void run_scoped PARAMETERS }
extern "C" void run_plain PARAMETERS
static __attribute__((used)) void run_hidden PARAMETERS
__global__ void run_kernel PARAMETERS
)",
                             {}, &lab);
  INFO(outcome.sentence.english() << shown(outcome.errors));
  REQUIRE(outcome.status == BuildStatus::Ok);
  REQUIRE(outcome.entries.size() == 7);
  for (const auto& entry : outcome.entries) CHECK_FALSE(entry.defined);
  CHECK(output_of(outcome).find("run_absent missing\n") == 0);
  const auto near = [&](std::size_t i) { return outcome.entries[i].near_miss.english(); };
  const auto wants = [](const std::string& name) {
    return "the contract requires run_" + name + "(const float*, float*, int, int)";
  };
  CHECK(near(0) == "");
  CHECK(near(1) == "run_params(float*, float*, int, int) exists, but " + wants("params"));
  CHECK(near(2) == "run_mispselt exists: should it be named run_misspelt?");
  CHECK(near(3) == "run_scoped is defined inside mine: move it out, " + wants("scoped"));
  CHECK(near(4) == "run_plain is declared extern \"C\": remove that, " + wants("plain"));
  CHECK(near(5) == "run_hidden is static: remove 'static' so that it can be called from outside");
  // It links, because its launcher has the entry's name.
  CHECK(
      near(6) ==
      "run_kernel is a __global__ kernel, but the contract requires an ordinary function that launches one");
}

TEST_CASE("errors are the student's lines with a caret, warnings do not fail") {
  const bool clang = under_each_compiler();
  const auto outcome =
      build("#include \"contract.cuh\"\n\n__global__ void kernel(float* a) {\n\ta[0] = missing_name;\n}\n");
  CHECK(outcome.status == BuildStatus::CompileError);
  CHECK(outcome.sentence.english() == "it does not compile: 1 error");
  CHECK(shown(outcome.errors) == std::string("row_max.cu:4:9: error: ") +
                                     (clang ? "use of undeclared identifier 'missing_name'"
                                            : "identifier \"missing_name\" is undefined") +
                                     "\n  \ta[0] = missing_name;\n  \t       ^\n");

  const auto warned =
      build("static int f(int q) {\n  if (q = 3) return 1;\n  return 0;\n}\nint g() { return f(1); }\n");
  CHECK(warned.status == BuildStatus::Ok);
  REQUIRE_FALSE(warned.warnings.empty());
  CHECK(
      warned.warnings[0].display() ==
      (clang
           ? "row_max.cu:2:9: warning: using the result of an assignment as a condition without parentheses "
             "[-Wparentheses]\n    if (q = 3) return 1;\n          ^"
           : "row_max.cu:2:7: warning: use of \"=\" where \"==\" may have been intended\n    if (q = 3) "
             "return "
             "1;\n        ^"));
}

TEST_CASE("what the special functions' header brings is there for whom misses it") {
  under_each_compiler();
  const std::string head = "#include <cmath>\n";
  // Only that header makes <cmath> provide std::max and std::numeric_limits.
  CHECK(build(head + "int f(int a) { return std::max(a, 3); }\n").status == BuildStatus::Ok);
  CHECK(
      build(head + "double f(double a) { return std::beta(a, 3.0) + std::numeric_limits<double>::max(); }\n")
          .status == BuildStatus::Ok);
  const auto outcome =
      build(head + "int f(int a) { return std::max(a, 3); }\nint g() { return missing_name; }\n");
  CHECK(outcome.sentence.english() == "it does not compile: 1 error");
  REQUIRE(outcome.errors.size() == 1);
  CHECK(outcome.errors[0].line == 3);
}

TEST_CASE("an error deep in a library is told at the line that led there") {
  under_each_compiler();
  const auto outcome = build(
      "#include <algorithm>\n#include <vector>\nstruct X { int a; };\nvoid f() {\n  std::vector<X> v;\n"
      "  std::sort(v.begin(), v.end());\n}\n");
  CHECK(outcome.status == BuildStatus::CompileError);
  REQUIRE_FALSE(outcome.errors.empty());
  INFO(shown(outcome.errors));
  for (const auto& error : outcome.errors) {
    CHECK(error.file == "row_max.cu");
    CHECK(error.line == 6);
    CHECK(error.display().find("/usr") == std::string::npos);
  }
  CHECK(outcome.errors.size() <= 10);
}

TEST_CASE("many errors are cut, and counted") {
  under_each_compiler();
  std::string code;
  for (int i = 0; i < 30; ++i) code += "int v" + std::to_string(i) + " = nothing" + std::to_string(i) + ";\n";
  const auto outcome = build(code);
  CHECK(outcome.errors.size() == 10);
  CHECK(outcome.errors_left_out == 20);
  CHECK(outcome.sentence.english() == "it does not compile: 30 errors");
}

TEST_CASE("files outside the submission are not there while compiling") {
  under_each_compiler();
  const auto root = bench().root.string();
  const auto fails_without_leak = [](const std::string& code, const std::string& secret) {
    const auto outcome = build(code);
    INFO(outcome.sentence.english() << "\n" << shown(outcome.errors));
    CHECK(outcome.status == BuildStatus::CompileError);
    CHECK_FALSE(outcome.errors.empty());
    CHECK(shown(outcome.errors).find(secret) == std::string::npos);
  };
  if (usable_sandbox() == SandboxKind::LimitsOnly) return;  // as reported
  fails_without_leak("#include \"/etc/passwd\"\n", "root:");
  fails_without_leak("%:include \"/etc/pas\\\nswd\"\n", "root:");
  fails_without_leak("#include \"" + root + "/course/reference/row_max.cu\"\nint x = solution;\n",
                     "solution()");
  fails_without_leak("#include \"../course/reference/row_max.cu\"\n", "solution()");
  fails_without_leak("asm(\".incbin \\\"/etc/passwd\\\"\");\n", "root:");
  fails_without_leak("#include \"/dev/random\"\n", "\x01");
  fails_without_leak("#include \"/proc/self/environ\"\n", "PATH=");
  const auto probe = build("#if __has_include(\"" + root +
                           "/course/reference/row_max.cu\") || __has_include(\"/etc/passwd\")\n"
                           "#error visible\n#endif\n");
  INFO(shown(probe.errors));
  CHECK(shown(probe.errors).find("visible") == std::string::npos);
  if (probe.sandbox == SandboxKind::Bubblewrap) CHECK(probe.status == BuildStatus::Ok);
  // Landlock hides a file's contents, not its existence: g++ stops at a file that it may not open.
  if (probe.sandbox == SandboxKind::Landlock)
    CHECK(shown(probe.errors).find("Permission denied") != std::string::npos);
}

TEST_CASE("the CUDA runtime's names are not the submission's to define") {
  const auto outcome = build(
      "extern \"C\" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) { *ms = 0; return "
      "cudaSuccess; }\n");
  CHECK(outcome.status == BuildStatus::RuleViolation);
  CHECK(
      outcome.sentence.english() ==
      "the submission defines cudaEventElapsedTime, which belongs to the CUDA runtime; give it another name");
}

TEST_CASE("names that only look alike are allowed") {
  under_each_compiler();
  const auto outcome = build(
      "void write(int) {}\nstatic int read() { return 1; }\nint f() { return read(); }\n"
      "struct cuda_timer { int t; };\nint cudaHelper(int x) { return x; }\ncudaStream_t cudaStreams[4];\n");
  INFO(outcome.sentence.english() << shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::Ok);
}

TEST_CASE("a library that is not there is named") {
  under_each_compiler();
  const auto outcome =
      build(std::string(kGood) +
            "extern \"C\" int cublasCreate_v2(void*);\nint f() { return cublasCreate_v2(0); }\n"
            "extern \"C\" int cuInit(unsigned);\nint g() { return cuInit(0); }\n");
  CHECK(outcome.status == BuildStatus::CompileError);
  REQUIRE(outcome.errors.size() == 2);
  CHECK(outcome.errors[0].display() ==
        "row_max.cu: error: cublasCreate_v2 is used but not defined: of NVIDIA's libraries, only the CUDA "
        "runtime is supported");
  CHECK(outcome.errors[1].display() ==
        "row_max.cu: error: cuInit is used but not defined: CUDA's driver API is not supported, only its "
        "runtime API, whose calls begin with cuda (cudaMalloc() for cuMemAlloc())");
}

TEST_CASE("compile bombs end by a limit with a sentence") {
  under_each_compiler();
  Lab hasty = bench().lab;
  hasty.limits.compile_seconds = 1;
  const auto slow = build(
      "template <int N, int M> struct F { static constexpr long v = F<N-1, M>::v + F<N-1, M+(1<<(N%30))>::v; "
      "};\n"
      "template <int M> struct F<0, M> { static constexpr long v = M; };\nlong x = F<26, 0>::v;\n",
      {}, &hasty);
  INFO(slow.sentence.english() << shown(slow.errors));
  CHECK(slow.status == BuildStatus::LimitReached);
  CHECK(slow.sentence.english().find("compiling ") == 0);
  CHECK(slow.seconds < 2 * BuildSandbox::kPatience);  // needed when many tests run at the same time

  const auto array = build("char big[16L << 30];\n");
  CHECK(array.status == BuildStatus::LimitReached);
  CHECK(array.sentence.english() == "its global and static variables take more than 2048 MiB of CPU memory");

  const auto initialised = build("char big[1L << 28] = {1};\n");  // twice what a file may hold
  INFO(initialised.sentence.english() << shown(initialised.errors));
  CHECK(initialised.status == BuildStatus::LimitReached);
}

TEST_CASE("a flood of warnings is a compile error that says so") {
  under_each_compiler();
  std::string code = kGood;
  for (int i = 0; i < 6000; ++i)
    code +=
        "static int a_name_that_nobody_has_a_use_for_" + std::to_string(i) + "() { int unused; return 0; }\n";
  const auto outcome = build(code);
  INFO(shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::CompileError);
  CHECK(outcome.sentence.english() ==
        "the compiler was stopped after 512 KiB of warnings; repair their causes");
}

TEST_CASE("a contract that disagrees with the configuration is the lab's error") {
  Lab wrong = bench().lab;
  wrong.parameters[0].type = ElementType::Float64;
  const auto outcome =
      build_submission(wrong, {"row_max.cu", {"row_max.cu", kGood}, {}}, bench().toolchain, bench().options);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.problem().message.english().find("disagree about row_max_global") != std::string::npos);
}

TEST_CASE("a program of the user's own is built with its main") {
  under_each_compiler();
  const auto file = bench().root / "own" / "program.cu";
  write(file,
        "#include \"own.h\"\n#include <cstdio>\n"
        "int main() { printf(\"%d %d %ld\\n\", OWN, FLAG, __cplusplus); }\n");
  write(bench().root / "own" / "own.h", "#define OWN 5\n");
  NvccCommand command;
  command.sources = {{file.string(), true, false}};
  command.flags = {"-DFLAG=6"};
  const auto outcome = compile_program(command, bench().toolchain, bench().options);
  INFO((outcome.ok() ? outcome->sentence.english() + shown(outcome->errors) : outcome.problem().text()));
  REQUIRE(outcome.ok());
  REQUIRE(outcome->status == BuildStatus::Ok);
  CHECK(output_of(*outcome) == "5 6 201703\n");

  write(file, "int main() { return nothing; }\n");
  const auto broken = compile_program(command, bench().toolchain, bench().options);
  REQUIRE(broken.ok());
  CHECK(broken->status == BuildStatus::CompileError);
  REQUIRE(broken->errors.size() == 1);
  CHECK(broken->errors[0].line == 1);
  CHECK(broken->errors[0].column == 21);
}

namespace {

/// A toolchain whose compilers can fail: the file `broken` beside it selects how.
struct FrailMachine {
  fs::path folder;
  Toolchain toolchain = bench().toolchain;
  BuildOptions options = bench().options;

  FrailMachine() {
    std::string pattern = "/var/tmp/cudalabs-machine-XXXXXX";  // the sandbox has its own /tmp
    folder = ::mkdtemp(pattern.data());
    fs::create_directories(folder / "lib" / "gcc");  // a compiler's own place: all of it is seen from inside
    options.cache = folder / "cache";
    toolchain.host_compiler = frail("g++", toolchain.host_compiler);
    if (toolchain.cuda->name() != kClang) return;  // nvcc starts the host compiler
    ::setenv("CUDA_LABS_CLANG", frail("clang++", toolchain.cuda->program()).c_str(), 1);
    const auto found = find_toolchain(CompilerChoice::Clang);
    REQUIRE(found.ok());
    toolchain.cuda = found->cuda;
    ::unsetenv("CUDA_LABS_CLANG");
  }
  [[nodiscard]] fs::path frail(const std::string& name, const fs::path& compiler) const {
    const fs::path wrapper = folder / "bin" / name;
    write(wrapper, "#!/bin/bash\n[ -e " + (folder / "broken").string() + " ] && . " +
                       (folder / "broken").string() + "\nexec " + compiler.string() + " \"$@\"\n");
    fs::permissions(wrapper, fs::perms::owner_all);
    return wrapper;
  }
  ~FrailMachine() { fs::remove_all(folder); }
  FrailMachine(const FrailMachine&) = delete;
  FrailMachine& operator=(const FrailMachine&) = delete;
  void breaks(const std::string& script) const { write(folder / "broken", script + "\n"); }
  void is_mended() const { fs::remove(folder / "broken"); }
  [[nodiscard]] Result<BuildOutcome> build(const std::string& code) const {
    return build_submission(bench().lab, {"row_max.cu", {"row_max.cu", code}, {}}, toolchain, options);
  }
  void is_sound() const {
    const auto built = build(kGood);
    INFO((built.ok() ? built->sentence.english() : built.problem().text()));
    REQUIRE(built.ok());
  }
};

}  // namespace

TEST_CASE("a compiler that the machine kills is nobody's compile error, and is not kept") {
  under_each_compiler();
  for (const char* how : {"kill -9 $$",
                          "echo 'row_max.cu:3:1: fatal error: error writing to x.s: No space left "
                          "on device' >&2; exit 1",
                          "echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1"}) {
    INFO(how);
    const FrailMachine machine;
    machine.is_sound();  // the runner exists from now on
    machine.breaks(how);
    const auto failed = machine.build(std::string(kGood) + "// " + how);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.problem().message.english().find(
              "this machine cannot compile the simplest kernel either: ") == 0);
    machine.is_mended();
    const auto mended = machine.build(std::string(kGood) + "// " + how);
    REQUIRE(mended.ok());
    CHECK(mended->status == BuildStatus::Ok);
    CHECK_FALSE(mended->cached);
  }
}

TEST_CASE("who is not let compute has taken no time") {
  bench().toolchain = bench().toolchains.front();
  const FrailMachine machine;
  const auto begun = std::chrono::steady_clock::now();
  machine.is_sound();
  const std::chrono::duration<double> sound = std::chrono::steady_clock::now() - begun;
  Lab hasty = bench().lab;
  // On a slow machine a second is not enough for nvcc.
  hasty.limits.compile_seconds = std::max(1., 2 * sound.count());
  const auto frozen = [&](const char* what) {
    machine.breaks("kill -STOP $$");
    return build_submission(hasty, {"row_max.cu", {"row_max.cu", std::string(kGood) + what}, {}},
                            machine.toolchain, machine.options);
  };
  // Simulates a machine that sleeps for a while: the first build fails and the retry succeeds.
  std::thread wakes([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(1 + hasty.limits.compile_seconds));
    machine.is_mended();
  });
  const auto once = frozen("// frozen once");
  wakes.join();
  INFO((once.ok() ? once->sentence.english() : once.problem().text()));
  REQUIRE(once.ok());
  CHECK(once->status == BuildStatus::Ok);

  const auto always = frozen("// frozen always");
  REQUIRE_FALSE(always.ok());
  CHECK(always.problem().message.english().find("this machine cannot compile the simplest kernel either: ") ==
        0);
}

TEST_CASE("a C++ compiler that compiles nothing is not the lab's error") {
  const FrailMachine machine;
  machine.breaks("echo 'g++: fatal error: cannot execute cc1plus' >&2; exit 1");
  const auto failed = machine.build(kGood);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.problem().message.english() ==
        machine.toolchain.host_compiler.string() +
            " cannot compile the simplest C++ source here: g++: fatal error: "
            "cannot execute cc1plus");
  CHECK(failed.problem().is_infrastructure_error);
}

TEST_CASE("of a compiler among other programs nothing but itself is seen") {
  const test::TemporaryFolder home;
  const fs::path wrapper = home.path() / "bin" / "g++";
  write(wrapper, "#!/bin/sh\nexec /usr/bin/g++ \"$@\"\n");
  fs::permissions(wrapper, fs::perms::owner_all);
  CHECK(installation_of(wrapper) == wrapper);
  Toolchain toolchain = bench().toolchain;
  toolchain.host_compiler = wrapper;
  const auto seen = toolchain.folders();
  CHECK(std::ranges::find(seen, home.path()) == seen.end());
  CHECK(std::ranges::find(seen, wrapper) != seen.end());
  fs::create_directories(home.path() / "lib" / "gcc");
  CHECK(installation_of(wrapper) == home.path());
}

TEST_CASE("a machine that links nothing is not the submission's fault") {
  const FrailMachine machine;
  machine.is_sound();
  machine.breaks(
      "case \"$*\" in *static-pie*) echo 'collect2: fatal error: ld terminated' >&2; exit 1;; esac");
  const auto failed = machine.build(std::string(kGood) + "//");
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.problem().message.english().find("collect2: fatal error: ld terminated") != std::string::npos);
  CHECK(failed.problem().hint.english().find("static archives") != std::string::npos);
}

TEST_CASE("a submission cannot make a sound machine look broken") {
  under_each_compiler();
  const auto told = build("#error No space left on device: cc1plus Killed, out of memory\n");
  CHECK(told.status != BuildStatus::Ok);
  REQUIRE_FALSE(told.errors.empty());
  CHECK(told.errors[0].line == 1);
  const auto version =
      build("#error unsupported GNU version! gcc versions later than 15 are not supported\n");
  CHECK(version.status == BuildStatus::CompileError);

  if (bench().toolchain.cuda->name() == kClang)
    CHECK(build("#pragma clang __debug crash\n").status == BuildStatus::CompileError);

  // The compiler crashes without naming a line. The control program compiles, so the submission is the cause.
  const FrailMachine machine;
  machine.is_sound();
  machine.breaks("grep -q poison row_max.cu 2>/dev/null && kill -11 $$");
  const auto crashed = machine.build(std::string(kGood) + "// poison");
  INFO((crashed.ok() ? std::string() : crashed.problem().text()));
  REQUIRE(crashed.ok());
  CHECK(crashed->status == BuildStatus::CompileError);
  CHECK((!crashed->errors.empty() || crashed->sentence.contains(msg::last_words_of_compiler)));
  CHECK_FALSE(machine.build(std::string(kGood) + "// poison")->cached);

  // An object with a section that is too large for any program, so no linker accepts it.
  const auto huge = build(std::string(kGood) +
                          "asm(\".section .huge,\\\"aw\\\",@nobits\\n.zero 0x90000000\\n.previous\");\n");
  INFO(huge.sentence.english() << shown(huge.errors));
  CHECK(huge.status == BuildStatus::LimitReached);
}
