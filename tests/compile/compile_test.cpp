// Real submissions through the real compilers, linked with a
// stand-in for our cudart that calls what the runner offers.
#include "grader/compile/compile.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "grader/compile/runner.h"
#include "tests/harness/catch.h"
#include "tests/harness/process.h"

namespace fs = std::filesystem;
using namespace cudalabs;

namespace {

void write(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << content;
}

constexpr const char* kContract =
    "#pragma once\n"
    "void row_max_global(const float* a, float* out, int rows, int cols);\n"
    "void row_max_shared(const float* a, float* out, int rows, int cols);\n";

// What CUDA's objects need to link, and a cudalabs_serve that calls each entry with made-up arguments.
constexpr const char* kRuntime = R"(
#include <cstdint>
#include <cstdio>
extern "C" {
struct CudalabsEntry { const char* name; void (*call)(const std::uint64_t*); };
int cudalabs_serve(const CudalabsEntry* entries, int count) {
  for (int i = 0; i < count; ++i) {
    std::printf("%s %s\n", entries[i].name, entries[i].call ? "defined" : "missing");
    const std::uint64_t slots[] = {0x1000, 0x2000, 0xffffffff00000007u, 11};
    if (entries[i].call) entries[i].call(slots);
  }
  return 0;
}
void** __cudaRegisterFatBinary(void*) { return nullptr; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*) {}
unsigned __cudaPushCallConfiguration(...) { return 0; }
int __cudaPopCallConfiguration(...) { return 0; }
int __cudaGetKernel(...) { return 0; }
int __cudaLaunchKernel(...) { return 0; }
int cudaLaunchKernel(...) { return 0; }
}
)";

// The lab, the stand-in and the cache of all tests, gone at the end.
struct Bench {
  fs::path root;
  Lab lab;
  std::vector<Toolchain> toolchains;  // of every compiler that is here
  Toolchain toolchain;                // the one in use
  BuildOptions options;

  Bench() {
    std::string pattern = (fs::temp_directory_path() / "cudalabs-test-XXXXXX").string();
    root = ::mkdtemp(pattern.data());
    lab.slug = "lab3/variant4";
    lab.file = "row_max.cu";
    lab.parameters = {{"a", ParameterRole::Input, ElementType::Float32, {"rows", "cols"}},
                      {"out", ParameterRole::Output, ElementType::Float32, {"rows"}},
                      {"rows", ParameterRole::Size, ElementType::Int32, {}},
                      {"cols", ParameterRole::Size, ElementType::Int32, {}}};
    lab.versions.resize(2);
    lab.versions[0].name = "global";
    lab.versions[0].entry = "row_max_global";
    lab.versions[1].name = "shared";
    lab.versions[1].entry = "row_max_shared";
    lab.contract = root / "course/labs/contract.cuh";
    write(lab.contract, kContract);
    write(root / "course/reference/row_max.cu", "void solution();\n");
    write(root / "runtime.cpp", kRuntime);
    test::output_of({{"/usr/bin/g++", "-c", "-fPIE", (root / "runtime.cpp").string(), "-o",
                      (root / "runtime.o").string()}});
    test::output_of({{"/usr/bin/ar", "rcs", (root / "libcudart.a").string(), (root / "runtime.o").string()}});
    options.cudart_archive = root / "libcudart.a";
    options.cache = root / "cache";
    options.hidden = {root / "course"};
    for (const auto choice : {CompilerChoice::Nvcc, CompilerChoice::Clang}) {
      if (auto found = find_toolchain(choice)) toolchains.push_back(*found);
    }
    const auto automatic = find_toolchain(CompilerChoice::Auto);
    INFO((automatic.ok() ? std::string() : automatic.problem().text()));
    REQUIRE(automatic.ok());
    toolchain = toolchains.front();
  }
  ~Bench() { fs::remove_all(root); }
};

Bench& bench() {
  static Bench instance;
  return instance;
}

// Goes on with each compiler in turn; true: it is clang.
bool under_each_compiler() {
  const std::size_t count = bench().toolchains.size();
  const std::size_t turn = GENERATE(std::size_t{0}, std::size_t{1});
  bench().toolchain = bench().toolchains[std::min(turn, count - 1)];
  return bench().toolchain.cuda->name() == kClang;
}

BuildOutcome build(const std::string& code, const std::vector<SourceFile>& headers = {},
                   const Lab* lab = nullptr) {
  const Submission submission{"row_max.cu", {"row_max.cu", code}, headers};
  auto outcome = build_submission(lab ? *lab : bench().lab, submission, bench().toolchain, bench().options);
  INFO((outcome.ok() ? std::string() : outcome.problem().text()));
  REQUIRE(outcome.ok());
  return *outcome;
}

std::string shown(const std::vector<CompilerMessage>& messages) {
  std::string text;
  for (const auto& message : messages) text += message.display() + "\n";
  return text;
}

std::string output_of(const BuildOutcome& outcome) {
  return test::output_of({.words = {outcome.executable}, .bare = true});
}

constexpr const char* kGood = R"(#include "contract.cuh"
#include <cstdio>
__global__ void kernel(const float* a, float* out, int rows, int cols) { if (threadIdx.x < rows) out[threadIdx.x] = a[cols]; }
void row_max_global(const float* a, float* out, int rows, int cols) {
  printf("%p %p %d %d\n", (const void*)a, (void*)out, rows, cols);
}
void row_max_shared(const float* a, float* out, int rows, int cols) { kernel<<<1, 32>>>(a, out, rows, cols); }
)";

}  // namespace

TEST_CASE("the environment names the compiler where nobody else does") {
  const auto name = [](CompilerChoice choice) {
    const auto found = find_toolchain(choice);
    return found ? std::string(found->cuda->name()) : found.problem().message;
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
  CHECK(name(CompilerChoice::Auto) == "$CUDA_LABS_COMPILER names no compiler: 'clnag'");
  ::unsetenv("CUDA_LABS_COMPILER");
  CHECK(name(CompilerChoice::Auto) == bench().toolchains.front().cuda->name());
  if (!kept.empty()) ::setenv("CUDA_LABS_COMPILER", kept.c_str(), 1);
}

TEST_CASE("a submission becomes a program whose runner unpacks the arguments") {
  under_each_compiler();
  const auto outcome = build(kGood);
  INFO(outcome.sentence << shown(outcome.errors));
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
  INFO(outcome.sentence << shown(outcome.errors));
  REQUIRE(outcome.status == BuildStatus::Ok);
  REQUIRE(outcome.entries.size() == 7);
  for (const auto& entry : outcome.entries) CHECK_FALSE(entry.defined);
  CHECK(output_of(outcome).find("run_absent missing\n") == 0);
  const auto near = [&](std::size_t i) { return outcome.entries[i].near_miss; };
  const auto wants = [](const std::string& name) {
    return "the contract wants run_" + name + "(const float*, float*, int, int)";
  };
  CHECK(near(0) == "");
  CHECK(near(1) == "run_params(float*, float*, int, int) exists, but " + wants("params"));
  CHECK(near(2) == "run_mispselt exists: should it be named run_misspelt?");
  CHECK(near(3) == "run_scoped is defined inside mine: move it out, " + wants("scoped"));
  CHECK(near(4) == "run_plain is declared extern \"C\": remove that, " + wants("plain"));
  CHECK(near(5) == "run_hidden is static: remove 'static' so that it can be called from outside");
  // It links, as its launcher has the entry's name.
  CHECK(near(6) ==
        "run_kernel is a __global__ kernel, but the contract wants an ordinary function that launches one");
}

TEST_CASE("errors are the student's lines with a caret, warnings do not fail") {
  const bool clang = under_each_compiler();
  const auto outcome =
      build("#include \"contract.cuh\"\n\n__global__ void kernel(float* a) {\n\ta[0] = missing_name;\n}\n");
  CHECK(outcome.status == BuildStatus::CompileError);
  CHECK(outcome.sentence == "it does not compile: 1 error");
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
  // std::max and std::numeric_limits come with <cmath> only through that header.
  CHECK(build(head + "int f(int a) { return std::max(a, 3); }\n").status == BuildStatus::Ok);
  CHECK(
      build(head + "double f(double a) { return std::beta(a, 3.0) + std::numeric_limits<double>::max(); }\n")
          .status == BuildStatus::Ok);
  const auto outcome =
      build(head + "int f(int a) { return std::max(a, 3); }\nint g() { return missing_name; }\n");
  CHECK(outcome.sentence == "it does not compile: 1 error");
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
  CHECK(outcome.sentence == "it does not compile: 30 errors");
}

TEST_CASE("files outside the submission are not there while compiling") {
  under_each_compiler();
  const auto root = bench().root.string();
  const auto fails_without_leak = [](const std::string& code, const std::string& secret) {
    const auto outcome = build(code);
    INFO(outcome.sentence << "\n" << shown(outcome.errors));
    CHECK(outcome.status == BuildStatus::CompileError);
    CHECK_FALSE(outcome.errors.empty());
    CHECK(shown(outcome.errors).find(secret) == std::string::npos);
  };
  if (usable_sandbox() == SandboxKind::LimitsOnly) return;  // told as such
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
  // Landlock hides what is in a file, not that it is there: g++ stops at one that it may not open.
  if (probe.sandbox == SandboxKind::Landlock)
    CHECK(shown(probe.errors).find("Permission denied") != std::string::npos);
}

TEST_CASE("the CUDA runtime's names are not the submission's to define") {
  const auto outcome = build(
      "extern \"C\" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) { *ms = 0; return "
      "cudaSuccess; }\n");
  CHECK(outcome.status == BuildStatus::RuleViolation);
  CHECK(
      outcome.sentence ==
      "the submission defines cudaEventElapsedTime, which belongs to the CUDA runtime; give it another name");
}

TEST_CASE("names that only look alike are allowed") {
  under_each_compiler();
  const auto outcome = build(
      "void write(int) {}\nstatic int read() { return 1; }\nint f() { return read(); }\n"
      "struct cuda_timer { int t; };\nint cudaHelper(int x) { return x; }\ncudaStream_t cudaStreams[4];\n");
  INFO(outcome.sentence << shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::Ok);
}

TEST_CASE("a library that is not there is named") {
  under_each_compiler();
  const auto outcome =
      build(std::string(kGood) +
            "extern \"C\" int cublasCreate_v2(void*);\nint f() { return cublasCreate_v2(0); }\n");
  CHECK(outcome.status == BuildStatus::CompileError);
  REQUIRE_FALSE(outcome.errors.empty());
  CHECK(outcome.errors[0].display() ==
        "row_max.cu: error: cublasCreate_v2 is used but not defined: submissions link no library but the "
        "CUDA runtime");
}

TEST_CASE("compile bombs end by a limit with a sentence") {
  under_each_compiler();
  Lab hasty = bench().lab;
  hasty.limits.compile_seconds = 2;
  const auto slow = build(
      "template <int N, int M> struct F { static constexpr long v = F<N-1, M>::v + F<N-1, M+(1<<(N%30))>::v; "
      "};\n"
      "template <int M> struct F<0, M> { static constexpr long v = M; };\nlong x = F<26, 0>::v;\n",
      {}, &hasty);
  INFO(slow.sentence << shown(slow.errors));
  CHECK(slow.status == BuildStatus::LimitReached);
  CHECK(slow.sentence.find("compiling ") == 0);
  CHECK(slow.seconds < 8);

  const auto array = build("char big[16L << 30];\n");
  CHECK(array.status == BuildStatus::LimitReached);
  CHECK(array.sentence == "its global and static variables take more than 2048 MiB of CPU memory");

  const auto initialised = build("char big[1L << 30] = {1};\n");
  INFO(initialised.sentence << shown(initialised.errors));
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
  CHECK(outcome.sentence == "the compiler was stopped after 512 KiB of warnings; repair what they are about");
}

TEST_CASE("a contract that disagrees with the configuration is the lab's error") {
  Lab wrong = bench().lab;
  wrong.parameters[0].type = ElementType::Float64;
  const auto outcome =
      build_submission(wrong, {"row_max.cu", {"row_max.cu", kGood}, {}}, bench().toolchain, bench().options);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.problem().message.find("disagree about row_max_global") != std::string::npos);
}

TEST_CASE("a program of the user's own is built with its main") {
  under_each_compiler();
  const auto file = bench().root / "own" / "program.cu";
  write(file, "#include \"own.h\"\n#include <cstdio>\nint main() { printf(\"%d %d\\n\", OWN, FLAG); }\n");
  write(bench().root / "own" / "own.h", "#define OWN 5\n");
  const auto outcome = compile_program(file, {"-DFLAG=6", "-std=c++17"}, bench().toolchain, bench().options);
  INFO((outcome.ok() ? outcome->sentence + shown(outcome->errors) : outcome.problem().text()));
  REQUIRE(outcome.ok());
  REQUIRE(outcome->status == BuildStatus::Ok);
  CHECK(output_of(*outcome) == "5 6\n");

  write(file, "int main() { return nothing; }\n");
  const auto broken = compile_program(file, {}, bench().toolchain, bench().options);
  REQUIRE(broken.ok());
  CHECK(broken->status == BuildStatus::CompileError);
  REQUIRE(broken->errors.size() == 1);
  CHECK(broken->errors[0].line == 1);
  CHECK(broken->errors[0].column == 21);
}

namespace {

/// A toolchain whose compilers can be made to fail: the file `broken` beside it holds what it does then.
struct FrailMachine {
  fs::path folder;
  Toolchain toolchain = bench().toolchain;
  BuildOptions options = bench().options;

  FrailMachine() {
    std::string pattern = "/var/tmp/cudalabs-machine-XXXXXX";  // the sandbox has a /tmp of its own
    folder = ::mkdtemp(pattern.data());
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
    REQUIRE(machine.build(kGood).ok());  // the runner is there from now on
    machine.breaks(how);
    const auto failed = machine.build(std::string(kGood) + "// " + how);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.problem().message.find("this machine does not compile the simplest kernel either: ") == 0);
    machine.is_mended();
    const auto mended = machine.build(std::string(kGood) + "// " + how);
    REQUIRE(mended.ok());
    CHECK(mended->status == BuildStatus::Ok);
    CHECK_FALSE(mended->cached);
  }
}

TEST_CASE("a machine that links nothing is not the submission's fault") {
  const FrailMachine machine;
  REQUIRE(machine.build(kGood).ok());
  machine.breaks(
      "case \"$*\" in *static-pie*) echo 'collect2: fatal error: ld terminated' >&2; exit 1;; esac");
  const auto failed = machine.build(std::string(kGood) + "//");
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.problem().message.find("collect2: fatal error: ld terminated") != std::string::npos);
  CHECK(failed.problem().hint.find("static archives") != std::string::npos);
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

  // What breaks the compiler and names no line: the control compiles, so this is the submission's.
  const FrailMachine machine;
  REQUIRE(machine.build(kGood).ok());
  machine.breaks("grep -q poison row_max.cu 2>/dev/null && kill -11 $$");
  const auto crashed = machine.build(std::string(kGood) + "// poison");
  INFO((crashed.ok() ? std::string() : crashed.problem().text()));
  REQUIRE(crashed.ok());
  CHECK(crashed->status == BuildStatus::CompileError);
  CHECK((!crashed->errors.empty() || crashed->sentence.find("; its last words: ") != std::string::npos));
  CHECK_FALSE(machine.build(std::string(kGood) + "// poison")->cached);

  // An object that no linker takes, by a section that is larger than any program may be.
  const auto huge = build(std::string(kGood) +
                          "asm(\".section .huge,\\\"aw\\\",@nobits\\n.zero 0x90000000\\n.previous\");\n");
  INFO(huge.sentence << shown(huge.errors));
  CHECK(huge.status == BuildStatus::LimitReached);
}

namespace {

/// A toolchain of clang with a cache of its own; nothing where there is no clang.
struct OwnCache {
  fs::path folder = bench().root / "own cache";
  std::optional<Toolchain> toolchain;
  std::string before = std::getenv("XDG_CACHE_HOME") != nullptr ? std::getenv("XDG_CACHE_HOME") : "";

  OwnCache() {
    fs::create_directories(folder);
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    if (auto found = find_toolchain(CompilerChoice::Clang)) toolchain = *found;
  }
  ~OwnCache() {
    if (before.empty()) {
      ::unsetenv("XDG_CACHE_HOME");
    } else {
      ::setenv("XDG_CACHE_HOME", before.c_str(), 1);
    }
    fs::remove_all(folder);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  [[nodiscard]] std::vector<fs::path> precompiled() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder / "cuda-labs" / "precompiled")) {
      if (entry.file_size() > 0) files.push_back(entry.path());  // an empty one says that it is wanted
    }
    return files;
  }
  [[nodiscard]] BuildOutcome build(const std::string& code) const {
    const auto outcome =
        build_submission(bench().lab, {"row_max.cu", {"row_max.cu", code}, {}}, *toolchain, bench().options);
    INFO((outcome.ok() ? std::string() : outcome.problem().text()));
    REQUIRE(outcome.ok());
    return *outcome;
  }
};

}  // namespace

TEST_CASE("clang's precompiled headers come from the cache, and damaged ones are made anew") {
  const OwnCache cache;
  if (!cache.toolchain) return;
  REQUIRE(cache.build(std::string(kGood) + "// 0").status == BuildStatus::Ok);
  CHECK(cache.precompiled().empty());  // they pay from the second file on
  REQUIRE(cache.build(std::string(kGood) + "// 1").status == BuildStatus::Ok);
  const auto files = cache.precompiled();
  REQUIRE(files.size() == 2);
  for (const fs::path& file : files) {
    CHECK((fs::status(file).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
          fs::perms::none);
    const auto bytes = fs::file_size(file);
    CHECK(bytes > 100'000);
    fs::resize_file(file, bytes / 2);
  }
  CHECK(cache.build(std::string(kGood) + "// 2").status == BuildStatus::Ok);
  CHECK(cache.precompiled().empty());
  CHECK(cache.build(std::string(kGood) + "// 3").status == BuildStatus::Ok);
  CHECK(cache.precompiled().size() == 2);
  // Who prints the words of such a failure goes without, and leaves it to the next.
  CHECK(cache.build("#error PCH file is out of date\n").status == BuildStatus::CompileError);
  CHECK(cache.build(std::string(kGood) + "// 4").status == BuildStatus::Ok);
}

TEST_CASE("under clang a function of the host and one of the device share a name, also precompiled") {
  const OwnCache cache;
  if (!cache.toolchain) return;
  const auto outcome = cache.build(std::string(kGood) + R"(
#include <cmath>
#include <new>
#include <vector>
struct Point { float x; __host__ __device__ Point(float x) : x(x) {} };
__global__ void both(float* a) {
  alignas(Point) char room[sizeof(Point)];
  a[0] = sqrtf(a[1]) + (new (room) Point(a[2]))->x;
}
float on_the_host(float a) {
  alignas(Point) char room[sizeof(Point)];
  std::vector<Point> points(3, Point(a));
  return sqrtf(a) + std::sqrt(a) + (new (room) Point(a))->x + points.back().x;
}
)");
  INFO(outcome.sentence << shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::Ok);
}

TEST_CASE("numbers of 128 bits are divided under every compiler") {
  under_each_compiler();
  const auto outcome = build(std::string(kGood) + R"(
template <class T>
__global__ void parts(const T* in, T* out) {
  out[0] = in[0] / in[1];
  out[1] = in[0] % in[1];
}
template __global__ void parts(const __int128*, __int128*);
template __global__ void parts(const unsigned __int128*, unsigned __int128*);
)");
  INFO(outcome.sentence << shown(outcome.errors));
  CHECK(outcome.status == BuildStatus::Ok);
}

TEST_CASE("clang has no managed variables, and says what there is") {
  if (!under_each_compiler()) return;
  const auto outcome = build("__managed__ int counter = 3;\n");
  CHECK(shown(outcome.errors) ==
        "row_max.cu:1:1: error: __managed__ variables need nvcc (--compiler nvcc); cudaMallocManaged works "
        "with both\n"
        "  __managed__ int counter = 3;\n  ^\n");
}
