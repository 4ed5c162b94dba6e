// Names of a kernel's parameters, from the text only, and messages that get them.

#include "grader/submission/array_names.h"

#include "grader/diagnostics/messages/faults.h"
#include "grader/diagnostics/messages/sim.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kKernels = R"cu(// __global__ void plain(int* in_a_comment);
#include <cstddef>
__global__ void plain(const float *a, float* __restrict__ out, std::size_t n);
__global__ void plain(const float *a, float* __restrict__ out, std::size_t n) { out[0] = a[n]; }
template <class T, int width>
__launch_bounds__(256) __global__ void tiles(Matrix<T, (width > 2)> from, T to[], int rows = max(1, 2)) {}
__global__ void unnamed(const float*, unsigned int, std::size_t, const Pair<int, 2>&) {}
__global__ void none() {}
__global__ void overload(int* one) {}
__global__ void overload(int* one, int* two) {}
__global__ void differs(int* before);
__global__ void differs(int* after) {}
void host(float* x) { plain<<<1, 1>>>(x, x, 1); }
)cu";

TEST_CASE("the names of a kernel's parameters") {
  CHECK(parameter_names(kKernels, "plain(float const*, float*, unsigned long)") == Names{"a", "out", "n"});
  CHECK(parameter_names(kKernels, "(anonymous namespace)::plain(float const*, float*, unsigned long)") ==
        Names{"a", "out", "n"});
  CHECK(parameter_names(kKernels, "void ns::tiles<float, 4>(Matrix<float, true>, float*, int)") ==
        Names{"from", "to", "rows"});
  CHECK(
      parameter_names(kKernels, "unnamed(float const*, unsigned int, unsigned long, Pair<int, 2> const&)") ==
      Names{"", "", "", ""});
  CHECK(parameter_names(kKernels, "overload(int*)") == Names{"one"});
  CHECK(parameter_names(kKernels, "overload(int*, int*)") == Names{"one", "two"});
  CHECK(parameter_names(kKernels, "plain") == Names{"a", "out", "n"});  // extern "C"
}

TEST_CASE("where the source does not tell, there are no names") {
  CHECK(parameter_names(kKernels, "differs(int*)").empty());
  CHECK(parameter_names(kKernels, "none()").empty());
  CHECK(parameter_names(kKernels, "host(float*)").empty());
  CHECK(parameter_names(kKernels, "elsewhere(float*)").empty());
  CHECK(parameter_names(kKernels, "plain(float const*)").empty());  // another one, of a header
  CHECK(parameter_names("__global__ void plain(", "plain(int*)").empty());
  CHECK(parameter_names("", "").empty());
}

TEST_CASE("a name that is right only for some is none") {
  const std::string special =
      "template <class T> __global__ void conv(T* in, T* out) {}\n"
      "template <> __global__ void conv<double>(double* out, double* in) {}\n";
  CHECK(parameter_names(special, "void conv<double>(double*, double*)").empty());
  const std::string macro = "#define M(z) \\\n  __global__ void step(float* a##z, float* b##z) {}\nM(1)\n";
  CHECK(parameter_names(macro, "step(float*, float*)").empty());
  const Message element = msg::array_element(7, true, "int*", true, "fill(int*)", 1, "");
  CHECK(with_array_names(element, {"__global__ void fill(int* a) {}", "__global__ void fill(int* b) {}"}) ==
        Messages(element));
}

TEST_CASE("elements of variables are counted where the source tells their size") {
  const auto told = [](const std::string& source, int width) {
    const Message message =
        msg::access_out_of_variable("read", 40 / width, 40 / width, 40, 40, "ns::bins", width, 0);
    return with_array_names(Messages(message), {source}).english();
  };
  const std::string counted = "read of element 10 of `ns::bins` out of bounds: `ns::bins` has 10 elements";
  const std::string bytes = "read of byte 40 of `ns::bins` out of bounds: `ns::bins` has 40 bytes";
  CHECK(told("__device__ int first[3], bins[10];", 4) == counted);
  CHECK(told("extern __shared__ unsigned bins[];", 4) == counted);
  CHECK(told("__device__ unsigned char bins[40];", 4) == bytes);
  CHECK(told("__device__ Body bins[4];", 4) == bytes);
  CHECK(told("void f(int bins[]) { int i = bins[3]; }", 4) == bytes);
  CHECK(told("__device__ int bins[10]; __shared__ double bins[4];", 4) == bytes);
}

TEST_CASE("messages name arrays as the source does") {
  const std::string kernel = "plain(float const*, float*, unsigned long)";
  const Message element = msg::array_element(7, true, "float const*", true, kernel, 1, "");
  const Message array = msg::array_name(true, kernel, 1, "");
  const Messages message{msg::access_past_array("read", element, array, msg::array_extent(7, true), 0),
                         verbatim("as it is")};
  CHECK(
      message.english() ==
      "read of element 7 of parameter 1 (float const*) out of bounds: parameter 1 has 7 elements; as it is");
  CHECK(with_array_names(message, {"", kKernels}).english() ==
        "read of `a[7]` out of bounds: `a` has 7 elements; as it is");
  CHECK(with_array_names(message, {}) == message);
  CHECK(with_array_names(msg::memory_element(3, msg::memory_parameter(64, kernel, 2, "")), {kKernels})
            .english() == "element 3 of `out`");
  const Message member =
      msg::array_element(7, true, "Matrix", false, "plain(Matrix, float*, unsigned long)", 1, "");
  CHECK(with_array_names(member, {kKernels}).english() == "element 7 of an array of `a`");
}

}  // namespace
}  // namespace cudalabs
