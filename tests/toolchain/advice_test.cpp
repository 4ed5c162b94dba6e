// Students' mistakes in kernels, in the words of each compiler: the texts of nvcc 13.0 and of clang 14 and
// 19.
#include "grader/toolchain/advice.h"

#include "grader/toolchain/messages.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

struct Mistake {
  const char* name;
  const char* nvcc;
  const char* clang;
  const char* clang_says;  ///< the text that a student reads
  const char* advice;      ///< its beginning
};

constexpr Mistake kMistakes[] = {
    {"__global__ forgotten",
     "a.cu(5): error: a host function call cannot be configured\n"
     "  void run(float* a, int n) { scale<<<1, n>>>(a, n); }\n                              ^\n\n",
     "a.cu:5:34: error: kernel call to non-global function 'scale'\n",
     "kernel call to non-global function 'scale'", "Write __global__ in front of the function"},
    {"a kernel called like a function", "a.cu(5): error: a __global__ function call must be configured\n\n",
     "a.cu:5:34: error: call to global function 'scale' not configured\n1 error generated when compiling for "
     "sm_80.\n",
     "call to global function 'scale' not configured", "Launch the kernel with name<<<blocks, threads>>>"},
    {"only the blocks given", nullptr,
     "a.cu:5:39: error: too few execution configuration arguments to kernel function call, expected at least "
     "2, have "
     "1\n",
     "too few execution configuration arguments to kernel function call, expected at least 2, have 1",
     "Launch the kernel with name<<<blocks, threads>>>"},
    {"the CPU's function called by a kernel",
     "a.cu(5): error: calling a __host__ function(\"twice(float)\") from a __global__ function(\"k\") is not "
     "allowed\n\n",
     "a.cu:5:38: error: no matching function for call to 'twice'\n"
     "a.cu:1:7: note: candidate function not viable: call to __host__ function from __global__ function\n",
     "calling a __host__ function(\"twice\") from a __global__ function is not allowed",
     "Write __device__ in front of the function that a kernel calls"},
    {"a function of a library called by a kernel", nullptr,
     "a.cu:5:38: error: reference to __host__ function 'rand' in __global__ function\n"
     "/usr/include/stdlib.h:453:12: note: 'rand' declared here\n",
     "reference to __host__ function 'rand' in __global__ function",
     "Write __device__ in front of the function that a kernel calls"},
    {"the GPU's function called by the CPU",
     "a.cu(5): error: calling a __device__ function(\"dev(float)\") from a __host__ function(\"run\") is not "
     "allowed\n\n",
     "a.cu:5:29: error: no matching function for call to 'dev'\n"
     "a.cu:4:18: note: candidate function not viable: call to __device__ function from __host__ function\n",
     "calling a __device__ function(\"dev\") from a __host__ function is not allowed",
     "Launch a kernel that calls it"},
    {"a kernel that returns something",
     "a.cu(5): error: a __global__ function must have a void return type\n\n",
     "a.cu:5:12: error: kernel function type 'int (float *)' must have void return type\n",
     "kernel function type 'int (float *)' must have void return type", "Write __global__ void"},
    {"threadIdx in a function of the CPU", nullptr,
     "a.cu:5:20: error: reference to __device__ function 'read_x' in __host__ function\n"
     "/opt/cuda/device/variables.h:32:1: note: 'read_x' declared here\n"
     "/opt/cuda/device/variables.h:14:5: note: expanded from macro 'CUDALABS_VARIABLE'\n"
     "<scratch space>:117:1: note: expanded from here\n"
     "a.cu:5:20: error: cannot find suitable getter for property 'x'\n"
     "a.cu:5:47: error: reference to __device__ function 'read_x' in __host__ function\n"
     "a.cu:5:47: error: cannot find suitable getter for property 'x'\n"
     "a.cu:5:57: error: reference to __device__ function 'read_y' in __host__ function\n"
     "a.cu:5:57: error: cannot find suitable getter for property 'y'\n",
     "threadIdx, blockIdx, blockDim and gridDim exist only in kernels and __device__ functions",
     "Write __global__ (a kernel) or __device__ in front of this function"},
    {"a name that nobody declared", "a.cu(5): error: identifier \"missing\" is undefined\n\n",
     "a.cu:5:13: error: use of undeclared identifier 'missing'; did you mean 'mission'?\n"
     "a.cu:2:7: note: 'mission' declared here\n",
     "use of undeclared identifier 'missing'; did you mean 'mission'?", ""},
    {"a missing semicolon", "a.cu(5): error: expected a \";\"\n\n",
     "a.cu:5:22: error: expected ';' at end of declaration\n", "expected ';' at end of declaration",
     "Write the missing ';' there."},
    {"arguments of the wrong number", "a.cu(5): error: too few arguments in function call\n\n",
     "a.cu:5:48: error: too few arguments to function call, expected 2, have 1\n"
     "a.cu:1:17: note: 'scale' declared here\n",
     "too few arguments to function call, expected 2, have 1", ""},
    {"a variable of the CPU read by a kernel",
     "a.cu(5): error: identifier \"m\" is undefined in device code\n\n",
     "a.cu:5:36: error: reference to __host__ variable 'm' in __global__ function\n",
     "reference to __host__ variable 'm' in __global__ function", "Pass the value as an argument"},
    {"std::cout in a kernel", "a.cu(5): error: identifier \"std::cout\" is undefined in device code\n\n",
     "a.cu:5:28: error: reference to __host__ variable 'cout' in __global__ function\n",
     "reference to __host__ variable 'cout' in __global__ function", "Use printf to print in a kernel"},
    {"a kernel that launches a kernel",
     "a.cu(5): error: kernel launch from __device__ or __global__ functions requires separate compilation "
     "mode\n\n",
     "a.cu:5:67: error: reference to __global__ function 'c' in __global__ function\n",
     "reference to __global__ function 'c' in __global__ function", "Compile kernels that launch kernels"},
    {"a __shared__ variable with a value",
     "a.cu(5): error: initializer not allowed for __shared__ variable\n\n",
     "a.cu:5:44: error: initialization is not supported for __shared__ variables.\n",
     "initialization is not supported for __shared__ variables.", "Let one thread assign to it"},
    {"a texture reference", "a.cu(5): error: texture is not a template\n\n",
     "a.cu:5:1: error: no template named 'texture'\n", "no template named 'texture'",
     "Write cudaCreateTextureObject("},
    {"an atomic of 128 bits",
     "a.cu(5): error: no instance of overloaded function \"atomicCAS\" matches the argument list\n\n",
     "a.cu:5:36: error: no matching function for call to 'atomicCAS'\n",
     "no matching function for call to 'atomicCAS'", "Use an atomic operation on an int"},
    {"fragments of one bit", nullptr,
     "a.cu:5:71: error: no member named 'experimental' in namespace 'nvcuda::wmma'\n",
     "no member named 'experimental' in namespace 'nvcuda::wmma'",
     "Compile with nvcc: clang has no fragments"},
    {"a cluster", "a.cu(5): error: namespace \"cooperative_groups\" has no member \"this_cluster\"\n\n",
     "a.cu:5:59: error: no type named 'cluster_group' in namespace 'cooperative_groups'\n",
     "no type named 'cluster_group' in namespace 'cooperative_groups'",
     "Compile your own program with nvcc and grader run -arch=sm_90"},
    {"a copy that a barrier counts", nullptr,
     "a.cu:5:16: error: no member named 'memcpy_async_tx' in namespace 'cuda::device'\n",
     "no member named 'memcpy_async_tx' in namespace 'cuda::device'",
     "Compile your own program with nvcc and grader run -arch=sm_90"},
    {"an exception in a kernel", "a.cu(5): error: device code does not support exception handling\n\n",
     "a.cu:5:36: error: cannot use 'throw' in __global__ function\n",
     "cannot use 'throw' in __global__ function", "Use arrays of fixed size: device code has no exceptions"},
    {"a property that CUDA 13 took away",
     "a.cu(5): error: class \"cudaDeviceProp\" has no member \"clockRate\"\n\n",
     "a.cu:5:87: error: no member named 'clockRate' in 'cudaDeviceProp'\n",
     "no member named 'clockRate' in 'cudaDeviceProp'", "Write cudaDeviceGetAttribute("},
    {"a header of NVIDIA's samples", "a.cu:5:10: fatal error: helper_cuda.h: No such file or directory\n",
     "a.cu:5:10: fatal error: 'helper_cuda.h' file not found\n", "'helper_cuda.h' file not found",
     "Put the header beside the program"},
};

CompilerOutput read(const std::string& text) {
  return read_compiler_output(
      text, {{{"a.cu", "\n\n\n\nthe line of the mistake, which is long enough for all of them\n"}},
             "/submission",
             {"/usr/include", "/opt/cuda"}});
}

}  // namespace

TEST_CASE("mistakes with kernels are told with what to do, whichever compiler found them") {
  for (const Mistake& mistake : kMistakes) {
    INFO(mistake.name);
    for (const char* text : {mistake.nvcc, mistake.clang}) {
      if (text == nullptr) continue;
      INFO(text);
      // The host and device compilations report the same error.
      const auto said = read(std::string(text) + (text == mistake.clang ? text : ""));
      REQUIRE(said.errors.size() == 1);
      CHECK(said.errors_left_out == 0);
      CHECK(said.placed);
      CHECK(said.errors[0].line == 5);
      if (text == mistake.clang) CHECK(said.errors[0].text.english() == mistake.clang_says);
      const std::string advice = said.errors[0].advice.english();
      CHECK(advice.starts_with(mistake.advice));
      CHECK(advice.empty() == (*mistake.advice == '\0'));
      const std::string shown = said.errors[0].display();
      CHECK((advice.empty() || shown.ends_with("\n  hint: " + advice)));
    }
  }
}
