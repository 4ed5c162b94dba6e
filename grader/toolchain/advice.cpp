#include "grader/toolchain/advice.h"

#include <algorithm>
#include <array>

namespace cudalabs {
namespace {

constexpr const char* kForDevice =
    "Write __device__ in front of the function that a kernel calls (__host__ __device__ if the CPU calls it "
    "too); library "
    "functions of the CPU cannot be called there.";
constexpr const char* kForHost =
    "The CPU cannot call it: launch a kernel that does, or write __host__ __device__ in front of it.";
constexpr const char* kConfigured = "A kernel is launched: name<<<blocks, threads>>>(arguments).";
constexpr const char* kVoid =
    "A kernel returns nothing: write __global__ void, and let it write its results to memory.";
constexpr const char* kArraySize =
    "The size of a __shared__ array must be known to the compiler: make it a constexpr or a template "
    "parameter, or use "
    "extern __shared__ and give the bytes at the launch, name<<<blocks, threads, bytes>>>(arguments).";

constexpr const char* kTextures =
    "CUDA 13 has no texture references: make an object by cudaCreateTextureObject, and give the kernel its "
    "cudaTextureObject_t.";
constexpr const char* kAtomics =
    "Atomics change an int, unsigned, unsigned long long, float, double, half or bfloat16 that their first "
    "argument points to; to a long long add by atomicAdd((unsigned long long*)to, (unsigned long "
    "long)value). Those of 128 bits and of vectors are not supported.";
constexpr const char* kHostVariable =
    "A kernel sees no variables of the CPU: pass the value as an argument, make it constexpr, or declare it "
    "__constant__ and fill it with cudaMemcpyToSymbol.";
constexpr const char* kAssigned =
    "Let one thread assign to it in the kernel, and write __syncthreads() before others read it.";
constexpr const char* kPrints = "Kernels print with printf.";
constexpr const char* kLaunches =
    "Kernels that launch kernels (dynamic parallelism) are compiled with nvcc and grader run -rdc=true; in a "
    "submission launch it from the CPU.";
constexpr const char* kNewest =
    "This needs code for compute capability 9.0, which nvcc makes of a program of one's own: grader run "
    "-arch=sm_90. Code for 8.0 is what clang makes, and what is graded.";
constexpr const char* kExceptions =
    "Device code has no exceptions, and so no containers of the C++ library: use arrays that have their "
    "size.";
constexpr const char* kProperty =
    "CUDA 13 has no such member of cudaDeviceProp: ask with cudaDeviceGetAttribute(&value, cudaDevAttr..., "
    "device).";
constexpr const char* kSamples =
    "This header comes with NVIDIA's samples or with a book, not with CUDA: put it beside the program.";

constexpr const char* kLeaveOut =
    "It is a mistake of this clang. Leave out what you added last, a header most likely, or compile with "
    "another: a newer clang, or nvcc.";

constexpr const char* kRegex =
    "clang 14 does not get through <regex> as CUDA in C++20: leave it out, or compile a program of your own "
    "with grader run -std=c++17.";

struct Row {
  std::array<std::string_view, 2> words;  ///< the message contains all of them
  const char* advice;
};

constexpr Row kRows[] = {
    {{"clang itself crashed over this", "regex"}, kRegex},
    {{"clang itself crashed over this", ""}, kLeaveOut},
    {{"invalid % escape in inline assembly", ""},
     "In asm a special register has two of them: \"mov.u32 %0, %%laneid;\"."},
    {{"a host function call cannot be configured", ""},
     "What is launched with <<<...>>> is a kernel: write __global__ in front of it."},
    {{"kernel call to non-global function", ""},
     "What is launched with <<<...>>> is a kernel: write __global__ in front of it."},
    {{"a __global__ function call must be configured", ""}, kConfigured},
    {{"call to global function", "not configured"}, kConfigured},
    {{"execution configuration arguments", ""}, kConfigured},
    {{"reference to __global__ function", "in __global__ function"}, kLaunches},
    {{"reference to __global__ function", "in __device__ function"}, kLaunches},
    {{"kernel launch from __device__ or __global__ functions", ""}, kLaunches},
    {{"reference to __host__ variable 'cout'", ""}, kPrints},
    {{"identifier \"std::cout\" is undefined in device code", ""}, kPrints},
    {{"std::basic_ostream", "is undefined in device code"}, kPrints},
    {{"std::basic_ostream", "from a __global__ function"}, kPrints},
    {{"reference to __host__ variable", ""}, kHostVariable},
    {{"is undefined in device code", ""}, kHostVariable},
    {{"from a __global__ function", "is not allowed"}, kForDevice},
    {{"from a __device__ function", "is not allowed"}, kForDevice},
    {{"from a __host__ function", "is not allowed"}, kForHost},
    {{"reference to __host__", "in __global__ function"}, kForDevice},
    {{"reference to __host__", "in __device__ function"}, kForDevice},
    {{"reference to __host__", "in __host__ __device__ function"}, kForDevice},
    {{"reference to __device__", "in __host__ function"}, kForHost},
    {{"a __global__ function must have a void return type", ""}, kVoid},
    {{"kernel function type", "must have void return type"}, kVoid},
    {{kBuiltInVariables, ""}, "Write __global__ (a kernel) or __device__ in front of this function."},
    {{"variable length array declaration", ""}, kArraySize},
    {{"variable-length array", "shared"}, kArraySize},
    {{"initialization is not supported for __shared__", ""}, kAssigned},
    {{"initializer not allowed for __shared__", ""}, kAssigned},
    {{"no template named 'texture'", ""}, kTextures},
    {{"texture is not a template", ""}, kTextures},
    {{"no matching function for call to 'atomic", ""}, kAtomics},
    {{"no instance of overloaded function \"atomic", ""}, kAtomics},
    {{"'experimental' in namespace 'nvcuda::wmma'", ""},
     "Fragments of 4 bits and of 1 bit are not there under clang: compile with nvcc."},
    {{"'cluster_group'", ""}, kNewest},
    {{"'this_cluster'", ""}, kNewest},
    {{"has no member \"this_cluster\"", ""}, kNewest},
    {{"has no member \"cluster_group\"", ""}, kNewest},
    {{"no member named 'memcpy_async_tx'", ""}, kNewest},
    {{"no member named 'barrier_arrive_tx'", ""}, kNewest},
    {{"'cuda/ptx' file not found", ""}, kNewest},
    {{"cannot use 'throw'", ""}, kExceptions},
    {{"cannot use 'try'", ""}, kExceptions},
    {{"device code does not support exception handling", ""}, kExceptions},
    {{"no member named", "'cudaDeviceProp'"}, kProperty},
    {{"\"cudaDeviceProp\" has no member", ""}, kProperty},
    {{"helper_", "file"}, kSamples},
    {{"book.h", "file"}, kSamples},
    {{"code for the GPU", "Unsupported expression in static initializer"},
     "clang 14 cannot start a __device__ variable with the address of another: write the address into it "
     "before "
     "the first launch (cudaGetSymbolAddress, cudaMemcpyToSymbol), or take clang 16 or newer, or nvcc."},
    {{"clang has no alloca() in device code", ""}, "Use a local array of fixed size."},
    {{"Undefined external symbol", ""},
     "clang would call a function here that the GPU does not have. Conversions between 128-bit integers and "
     "floating point are such: convert the two halves of 64 bits, or compile with nvcc."},
};

/// "'twice'" of "no matching function for call to 'twice'".
std::string_view quoted(std::string_view text) {
  const std::size_t begin = text.find('\''), end = text.rfind('\'');
  return begin == std::string_view::npos || end == begin ? std::string_view()
                                                         : text.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::string advice_for(std::string_view text) {
  for (const Row& row : kRows) {
    if (std::ranges::all_of(
            row.words, [&](std::string_view words) { return text.find(words) != std::string_view::npos; }))
      return row.advice;
  }
  return {};
}

std::optional<std::string> explained_by_note(std::string_view error, std::string_view note) {
  // "candidate function not viable: call to __host__ function from __global__ function"
  constexpr std::string_view kViable = " not viable: call to ", kFrom = " function from ";
  const std::size_t at = note.find(kViable), from = note.find(kFrom);
  if (!note.starts_with("candidate ") || at == std::string_view::npos || from == std::string_view::npos ||
      from < at)
    return std::nullopt;
  if (!error.starts_with("no matching function for call to ") || quoted(error).empty()) return std::nullopt;
  // Use nvcc's wording, for which there is advice, too.
  const std::string_view callee = note.substr(at + kViable.size(), from - at - kViable.size());
  std::string_view caller = note.substr(from + kFrom.size());
  caller = caller.substr(0, caller.find(" function"));
  return "calling a " + std::string(callee) + " function(\"" + std::string(quoted(error)) + "\") from a " +
         std::string(caller) + " function is not allowed";
}

bool is_built_in_variable(std::string_view text) {
  return text.starts_with("reference to __device__ function 'read_");
}

bool reads_built_in_variable(std::string_view text) {
  return text.starts_with("cannot find suitable getter for property");
}

}  // namespace cudalabs
