#pragma once
// What the tests of real compilations share: a lab of two versions, a stand-in for our cudart that calls what
// the runner offers, and the compilers that are here.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/toolchain/compile.h"

namespace cudalabs::test {

void write(const std::filesystem::path& file, const std::string& content);

/// The lab, the stand-in and the cache of all tests, gone at the end.
struct Bench {
  std::filesystem::path root;
  Lab lab;
  std::vector<Toolchain> toolchains;  ///< of every compiler that is here
  Toolchain toolchain;                ///< the one in use
  BuildOptions options;

  Bench();
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
};
Bench& bench();

/// Goes on with each compiler in turn; true: it is clang.
bool under_each_compiler();

/// By the compiler in use, or by `toolchain`; for bench().lab, or for `lab`.
BuildOutcome build(const std::string& code, const std::vector<SourceFile>& headers = {},
                   const Lab* lab = nullptr, const Toolchain* toolchain = nullptr);

std::string shown(const std::vector<CompilerMessage>& messages);
/// What the built program prints.
std::string output_of(const BuildOutcome& outcome);

inline constexpr const char* kGood = R"(#include "contract.cuh"
#include <cstdio>
__global__ void kernel(const float* a, float* out, int rows, int cols) { if (threadIdx.x < rows) out[threadIdx.x] = a[cols]; }
void row_max_global(const float* a, float* out, int rows, int cols) {
  printf("%p %p %d %d\n", (const void*)a, (void*)out, rows, cols);
}
void row_max_shared(const float* a, float* out, int rows, int cols) { kernel<<<1, 32>>>(a, out, rows, cols); }
)";

}  // namespace cudalabs::test
