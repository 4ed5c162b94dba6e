// Products of square row-major matrices: ours and cuBLAS, float in pedantic mode (no lower precision inside),
// double, and A AT.

#include <cublas_v2.h>

#include "../../reference/ladder/fast_product.cuh"
#include "../../reference/ladder/fast_product_double.cuh"
#include "bench.cuh"

namespace {

using bench::Array;
using bench::check;
using bench::Contender;

/// Computes in double, for each element, the product (of a and b, or of a and aT) and the sum of the absolute
/// terms.
template <class T, bool kTransposed>
__global__ void reference(const T* a, const T* b, double* sums, double* magnitudes, int n) {
  constexpr int kTile = 16;
  __shared__ double of_a[kTile][kTile + 1], of_b[kTile][kTile + 1];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * kTile + ty,
            column = static_cast<int>(blockIdx.x) * kTile + tx;
  double sum = 0, magnitude = 0;
  for (int first = 0; first < n; first += kTile) {
    const int across = first + tx, down = first + ty, other = static_cast<int>(blockIdx.x) * kTile + ty;
    of_a[ty][tx] =
        row < n && across < n ? static_cast<double>(a[static_cast<size_t>(row) * n + across]) : 0.0;
    if (kTransposed) {
      of_b[tx][ty] =
          other < n && across < n ? static_cast<double>(a[static_cast<size_t>(other) * n + across]) : 0.0;
    } else {
      of_b[ty][tx] =
          down < n && column < n ? static_cast<double>(b[static_cast<size_t>(down) * n + column]) : 0.0;
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      const double term = of_a[ty][k] * of_b[k][tx];
      sum += term, magnitude += fabs(term);
    }
    __syncthreads();
  }
  if (row < n && column < n) {
    sums[static_cast<size_t>(row) * n + column] = sum;
    magnitudes[static_cast<size_t>(row) * n + column] = magnitude;
  }
}

/// Counts the elements that exceed the error bound for any order of summation. `upper` skips the elements
/// above the diagonal.
template <class T>
__global__ void count_wrong(const T* got, const double* sums, const double* magnitudes, int n, double gamma,
                            bool lower_only, unsigned* wrong) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x >= n || (lower_only && x > y)) return;
  const size_t i = static_cast<size_t>(y) * n + x;
  if (!(fabs(static_cast<double>(got[i]) - sums[i]) <= gamma * magnitudes[i])) atomicAdd(wrong, 1u);
}

class Comparison {
 public:
  Comparison() {
    cublasCreate(&cublas_);
    cublasCreate(&pedantic_);
    cublasSetMathMode(pedantic_, CUBLAS_PEDANTIC_MATH);
  }

  void product(int n, float) {
    const float one = 1, zero = 0;
    // cuBLAS uses column-major matrices, so the row-major product is bT aT.
    compare<float, false>(
        "A B float", n,
        [&](const float* a, const float* b, float* c, int m) {
          check(fast::product(a, b, c, m, m, m, scratch_.data()), "product");
        },
        "cuBLAS sgemm pedantic",
        [&](const float* a, const float* b, float* c, int m) {
          cublasSgemm(pedantic_, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, b, m, a, m, &zero, c, m);
        });
  }
  void product(int n, double) {
    const double one = 1, zero = 0;
    compare<double, false>(
        "A B double", n,
        [](const double* a, const double* b, double* c, int m) {
          check(fast::product(a, b, c, m, m, m), "product");
        },
        "cuBLAS dgemm",
        [&](const double* a, const double* b, double* c, int m) {
          cublasDgemm(cublas_, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, b, m, a, m, &zero, c, m);
        });
  }
  /// Ours writes the whole of c, ssyrk only one triangle.
  void by_transposed(int n) {
    const float one = 1, zero = 0;
    compare<float, true>(
        "A AT float", n,
        [&](const float* a, const float*, float* c, int m) {
          check(fast::product_by_transposed(a, c, m, m, scratch_.data()), "product");
        },
        "cuBLAS ssyrk pedantic",
        [&](const float* a, const float*, float* c, int m) {
          cublasSsyrk(pedantic_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, m, m, &one, a, m, &zero, c, m);
        });
  }

  unsigned wrong() const { return wrong_; }

 private:
  template <class T, bool kTransposed, class Ours, class Theirs>
  void compare(const char* title, int n, Ours ours, const char* their_name, Theirs theirs) {
    const size_t count = static_cast<size_t>(n) * n;
    const Array<T> a(count), b(count), c(count);
    bench::fill(a.data(), count, 4);
    bench::fill(b.data(), count, 5);
    const std::vector<Contender> contenders = {
        {"ours", [&] { ours(a.data(), b.data(), c.data(), n); }},
        {their_name, [&] { theirs(a.data(), b.data(), c.data(), n); }}};
    {
      const Array<double> sums(count), magnitudes(count);
      const Array<unsigned> bad(1);
      const unsigned tiles = (static_cast<unsigned>(n) + 15) / 16;
      reference<T, kTransposed>
          <<<dim3(tiles, tiles), dim3(16, 16)>>>(a.data(), b.data(), sums.data(), magnitudes.data(), n);
      // Ours rounds in its type, the reference in double.
      const auto gamma = [n](int bits) {
        return n * std::ldexp(1.0, -bits) / (1 - n * std::ldexp(1.0, -bits));
      };
      const double bound = gamma(sizeof(T) == 4 ? 24 : 53) + gamma(53);
      for (const Contender& contender : contenders) {
        c.poison();
        contender.run();
        check(cudaMemset(bad.data(), 0, bad.bytes()), "cudaMemset");
        const dim3 grid((static_cast<unsigned>(n) + 255) / 256, static_cast<unsigned>(n));
        count_wrong<<<grid, 256>>>(c.data(), sums.data(), magnitudes.data(), n, bound,
                                   kTransposed && contender.name != "ours", bad.data());
        if (bad.at(0) == 0) continue;
        std::fprintf(stderr, "%s %d: %s has %u wrong elements\n", title, n, contender.name.c_str(),
                     bad.at(0));
        wrong_ += bad.at(0);
      }
    }
    const double operations = (kTransposed ? 1.0 : 2.0) * n * n * n;
    bench::print_row(std::string(title) + " " + std::to_string(n), contenders, watch_.medians(contenders),
                     operations * 1e-6, "TFLOP/s");
  }

  static constexpr int kMost = 8192;

  Array<float> scratch_{static_cast<size_t>(kMost) *
                        kMost};  // where our float products transpose a; part of their time
  cublasHandle_t cublas_ = nullptr, pedantic_ = nullptr;
  bench::Stopwatch watch_;
  unsigned wrong_ = 0;
};

}  // namespace

int main() {
  bench::print_head("product");
  Comparison comparison;
  for (const int n : {1000, 1001, 2048, 4096, 8192}) comparison.product(n, 1.0f);
  for (const int n : {1000, 1001, 2048, 4096, 8192}) comparison.product(n, 1.0);
  for (const int n : {1000, 1001, 2048, 4096, 8192}) comparison.by_transposed(n);
  return comparison.wrong() == 0 ? 0 : 1;
}
