// Finds the line that launches a kernel, from the text only.

#include "grader/submission/launch_line.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

constexpr const char* kSource = R"cu(// once<<<1, 1>>>() stands in a comment
__global__ void once(float* x);
__global__ void once(float* x) { x[0] = 1; }
template <int pitch>
__global__ void tile(float* x) { x[0] = pitch; }
template <class Kernel> void launch(Kernel kernel, float* x) { kernel<<<1'000, 32>>>(x); }
__global__ void twice(float* x) {}
__global__ void handed(float* x) {}
__global__ void two_lines(float* x) {}
__global__ void unused(float* x) {}
__global__ void once_more(float* x) {}
extern "C" void entry(float* x) {
  puts("once<<<1, 1>>>(x)");
  once<<<1, 32>>>(x);
  tile<(33 > 2) ? 33 : 1> <<<1, 32>>>(x);
  twice<<<1, 32>>>(x); /* twice */
  twice<<<2, 32>>>(x);
  launch(handed, x);
  two_lines
      <<<1, 32>>>(x);
  ns::once_more<<<1, 32>>>(x);
}
)cu";

TEST_CASE("the line that launches a kernel") {
  CHECK(launch_line(kSource, "once") == 14);
  CHECK(launch_line(kSource, "(anonymous namespace)::once(float*)") == 14);
  CHECK(launch_line(kSource, "tile<33>") == 15);
  CHECK(launch_line(kSource, "handed") == 18);
  CHECK(launch_line(kSource, "two_lines") == 19);
  CHECK(launch_line(kSource, "ns::once_more<float>") == 21);
}

TEST_CASE("no line where several launch it, or none names it") {
  CHECK(launch_line(kSource, "twice") == 0);
  CHECK(launch_line(kSource, "unused") == 0);
  CHECK(launch_line(kSource, "missing") == 0);
  CHECK(launch_line(kSource, "") == 0);
  CHECK(launch_line("", "once") == 0);
  CHECK(launch_line("once<", "once") == 1);
  CHECK(launch_line("/* once", "once") == 0);
  CHECK(launch_line("\"once", "once") == 0);
}

TEST_CASE("the line of the only call of a function, by a word in it") {
  constexpr const char* kCalls = R"cu(__constant__ float table[9], other[9];
// cudaMemset(x)
void entry(float* x) {
  CHECK(cudaMemset(x, 0, 4));
  cudaMemcpyToSymbol(table, x, 9);
  cudaMemcpyToSymbolAsync(other,
                          x, 9);
  cudaMemcpy(x, x, 4); cudaMemcpy(x, x, 8);
  cudaFree(x);
  cudaFree(table_of_x);
}
)cu";
  CHECK(call_line(kCalls, "cudaMemset", "") == 4);
  CHECK(call_line(kCalls, "cudaMemcpyToSymbol", "table") == 5);
  CHECK(call_line(kCalls, "cudaMemcpyToSymbol", "other") == 6);
  CHECK(call_line(kCalls, "cudaMemcpyToSymbol", "") == 0);
  CHECK(call_line(kCalls, "cudaMemcpy", "") == 8);
  CHECK(call_line(kCalls, "cudaFree", "") == 0);
  CHECK(call_line(kCalls, "cudaFree", "table") == 0);
  CHECK(call_line(kCalls, "cudaMalloc", "") == 0);
  constexpr const char* kTwice = R"cu(void zero(float* x) { cudaMemset(x, 0, 4); }
void entry(float* x);
void entry(float* x, int (*f)())
{
  if (f()) { zero(x); }
  cudaMemset(x, 0, 8);
}
void caller(float* x) { entry(x, nullptr); }
)cu";
  CHECK(call_line(kTwice, "cudaMemset", "x") == 0);
  CHECK(call_line(kTwice, "cudaMemset", "x", "entry") == 6);
  CHECK(call_line(kTwice, "cudaMemset", "x", "caller") == 0);
}

}  // namespace
TEST_CASE("the call of a library is found by its namespace") {
  const std::string_view source =
      "void other(float* x) { thrust::fill(x, x + 1, 0); }\n"
      "void sorted(float* x, int n) {\n"
      "  // thrust::sort(x)\n"
      "  auto p = thrust::device_pointer_cast(x);\n"
      "  thrust::device_vector<int> v;\n"
      "  auto z = thrust::make_zip_iterator(p);\n"
      "  thrust::sort(p, p + n);\n"
      "}\n";
  CHECK(library_line(source, "thrust", "sorted") == 7);
  CHECK(library_line(source, "thrust", "none") == 1);
  CHECK(library_line(source, "cub", "sorted") == 0);
  CHECK(library_line("int my_thrust = 1;\nnamespace thrust { int x; }\n", "thrust", "") == 0);
}

}  // namespace cudalabs
