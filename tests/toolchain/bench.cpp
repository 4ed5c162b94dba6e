#include "tests/toolchain/bench.h"

#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <algorithm>
#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/process.h"

namespace fs = std::filesystem;

namespace cudalabs::test {
namespace {

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

}  // namespace

void write(const fs::path& file, const std::string& content) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << content;
}

Bench::Bench() {
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
Bench::~Bench() { fs::remove_all(root); }

Bench& bench() {
  static Bench instance;
  return instance;
}

bool under_each_compiler() {
  const std::size_t count = bench().toolchains.size();
  const std::size_t turn = GENERATE_COPY(range(std::size_t{0}, count));
  bench().toolchain = bench().toolchains[turn];
  return bench().toolchain.cuda->name() == kClang;
}

BuildOutcome build(const std::string& code, const std::vector<SourceFile>& headers, const Lab* lab,
                   const Toolchain* toolchain) {
  const Submission submission{"row_max.cu", {"row_max.cu", code}, headers};
  auto outcome = build_submission(lab ? *lab : bench().lab, submission,
                                  toolchain ? *toolchain : bench().toolchain, bench().options);
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

}  // namespace cudalabs::test
