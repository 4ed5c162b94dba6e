// Transposes a square matrix: ours, cuBLAS, and a plain copy of as many bytes as the limit.

#include <cublas_v2.h>

#include "../../reference/ladder/fast_transpose.cuh"
#include "bench.cuh"

namespace {

using bench::Array;
using bench::check;

template <class T>
__global__ void count_wrong(const T* in, const T* out, int n, unsigned* wrong) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x < n && in[static_cast<size_t>(y) * n + x] != out[static_cast<size_t>(x) * n + y])
    atomicAdd(wrong, 1u);
}

cublasStatus_t geam(cublasHandle_t cublas, int n, const float* in, float* out) {
  const float one = 1, zero = 0;
  return cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, in, n, &zero, in, n, out, n);
}
cublasStatus_t geam(cublasHandle_t cublas, int n, const double* in, double* out) {
  const double one = 1, zero = 0;
  return cublasDgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, in, n, &zero, in, n, out, n);
}

template <class T>
unsigned compare(const char* type, cublasHandle_t cublas, bench::Stopwatch& watch, int n) {
  const size_t count = static_cast<size_t>(n) * n;
  const Array<T> in(count), out(count);
  const Array<unsigned> wrong(1);
  bench::fill(in.data(), count, 3);
  const std::vector<bench::Contender> contenders = {
      {"ours", [&] { check(fast::transpose(in.data(), out.data(), n, n), "transpose"); }},
      {"cuBLAS geam", [&] { geam(cublas, n, in.data(), out.data()); }},
      {"copy",
       [&] { check(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice), "copy"); }}};
  out.poison();
  contenders[0].run();
  check(cudaMemset(wrong.data(), 0, wrong.bytes()), "cudaMemset");
  const dim3 grid((static_cast<unsigned>(n) + 255) / 256, static_cast<unsigned>(n));
  count_wrong<<<grid, 256>>>(in.data(), out.data(), n, wrong.data());
  const unsigned bad = wrong.at(0);
  if (bad > 0) std::fprintf(stderr, "%d x %d %s: %u elements are wrong\n", n, n, type, bad);
  bench::print_row(std::to_string(n) + " x " + std::to_string(n) + " " + type, contenders,
                   watch.medians(contenders), 2e-3 * static_cast<double>(in.bytes()), "GB/s");
  return bad;
}

}  // namespace

int main() {
  bench::print_head("transpose");
  bench::Stopwatch watch;
  cublasHandle_t cublas;
  cublasCreate(&cublas);
  unsigned wrong = 0;
  for (const int n : {1000, 1001, 4096, 8192, 16384}) wrong += compare<float>("float", cublas, watch, n);
  for (const int n : {4096, 8192}) wrong += compare<double>("double", cublas, watch, n);
  return wrong == 0 ? 0 : 1;
}
