// Sums, means, maxima, minima, sums of squares and dot products of rows and of whole arrays of floats: ours,
// CUB and cuBLAS.

#include <cublas_v2.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include "../../reference/ladder/fast_reduction.cuh"
#include "bench.cuh"

namespace {

using bench::Array;
using bench::check;
using bench::Contender;

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};

struct RowBegin {
  long long columns;
  __host__ __device__ long long operator()(long long row) const { return row * columns; }
};

/// The expected result of a row, in double, with the sum of the absolute terms.
struct Wanted {
  double sum, magnitude, squares, dot, dot_magnitude;
  float most, least;
};

__global__ void reference(const float* x, const float* y, long long columns, Wanted* wanted) {
  __shared__ Wanted of_threads[256];
  const float* const row = x + blockIdx.x * columns;
  const float* const other = y + blockIdx.x * columns;
  Wanted mine{0, 0, 0, 0, 0, -INFINITY, INFINITY};
  for (long long i = threadIdx.x; i < columns; i += 256) {
    const double a = row[i], b = other[i];
    mine.sum += a, mine.magnitude += fabs(a), mine.squares += a * a, mine.dot += a * b,
        mine.dot_magnitude += fabs(a * b);
    mine.most = fmaxf(mine.most, row[i]), mine.least = fminf(mine.least, row[i]);
  }
  of_threads[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < 256; ++t) {
    const Wanted& one = of_threads[t];
    mine.sum += one.sum, mine.magnitude += one.magnitude, mine.squares += one.squares, mine.dot += one.dot;
    mine.dot_magnitude += one.dot_magnitude, mine.most = fmaxf(mine.most, one.most),
                                             mine.least = fminf(mine.least, one.least);
  }
  wanted[blockIdx.x] = mine;
}

enum class Kind { sum, mean, max, min, squares, dot };
constexpr const char* kNames[] = {"sum", "mean", "max", "min", "sum of squares", "dot product"};

/// Returns whether `got` is within the bound gamma_n for any order of summation. For n above 2^16, which a
/// tree never reaches, the bound is that of 2^16.
bool right(Kind kind, float got, const Wanted& wanted, long long columns) {
  if (kind == Kind::max) return got == wanted.most;
  if (kind == Kind::min) return got == wanted.least;
  const double n = static_cast<double>(std::min(columns, 65536LL)) + 2, unit = std::ldexp(1.0, -24);
  const double gamma = n * unit / (1 - n * unit), count = static_cast<double>(columns);
  switch (kind) {
    case Kind::sum: return std::fabs(got - wanted.sum) <= gamma * wanted.magnitude;
    case Kind::mean: return std::fabs(got - wanted.sum / count) <= gamma * wanted.magnitude / count;
    case Kind::squares: return std::fabs(got - wanted.squares) <= gamma * wanted.squares;
    default: return std::fabs(got - wanted.dot) <= gamma * wanted.dot_magnitude;
  }
}

class Comparison {
 public:
  Comparison()
      : x_(kMost),
        y_(kMost),
        out_(1 << 20),
        ones_(1 << 22),
        constants_(2),
        memory_(fast::Workspace::bytes),
        temporary_(64 << 20) {
    bench::fill(x_.data(), kMost, 1);
    bench::fill(y_.data(), kMost, 2);
    const std::vector<float> ones(1 << 22, 1.0f);
    check(cudaMemcpy(ones_.data(), ones.data(), ones_.bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
    const float constants[2] = {1, 0};
    check(cudaMemcpy(constants_.data(), constants, sizeof constants, cudaMemcpyHostToDevice), "cudaMemcpy");
    workspace_ = fast::Workspace::over(memory_.data());
    cublasCreate(&cublas_);
    cublasSetPointerMode(cublas_, CUBLAS_POINTER_MODE_DEVICE);
  }

  void shape(long long rows, long long columns) {
    const std::string title = std::to_string(rows) + " x " + std::to_string(columns);
    rows_of(title, rows, columns);
    whole(title, rows * columns);
  }

  int wrong() const { return wrong_; }

 private:
  static constexpr size_t kMost = size_t{1} << 28;

  void rows_of(const std::string& title, long long rows, long long columns) {
    remember(rows, columns);
    const float* const x = x_.data();
    float* const out = out_.data();
    const auto begin =
        thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), RowBegin{columns});
    const auto squares = thrust::make_transform_iterator(x, Square{});
    const int segments = static_cast<int>(rows), n = static_cast<int>(columns);
    const float mean = 1.0f / static_cast<float>(columns);
    size_t bytes = temporary_.bytes();
    void* const temporary = temporary_.data();
    const float *const one = constants_.data(), *const zero = constants_.data() + 1;
    const Contender gemv{
        "cuBLAS sgemv",
        [&] { cublasSgemv(cublas_, CUBLAS_OP_T, n, segments, one, x, n, ones_.data(), 1, zero, out, 1); }};
    const Contender cub_sum{
        "CUB segmented",
        [&] { cub::DeviceSegmentedReduce::Sum(temporary, bytes, x, out, segments, begin, begin + 1); }};
    compare(title + ", rows", Kind::sum, columns, rows,
            {{"ours", [&] { fast::reduce_rows<fast::Sum>(x, x, out, rows, columns, 1.0f, workspace_); }},
             cub_sum,
             gemv});
    compare(title + ", rows", Kind::mean, columns, rows,
            {{"ours", [&] { fast::reduce_rows<fast::Sum>(x, x, out, rows, columns, mean, workspace_); }},
             // The sum of rows becomes their mean if each element of the vector is 1 / columns and not 1.
             {"cuBLAS sgemv", [&] {
                cublasSgemv(cublas_, CUBLAS_OP_T, n, segments, mean_.data(), x, n, ones_.data(), 1, zero, out,
                            1);
              }}});
    compare(title + ", rows", Kind::max, columns, rows,
            {{"ours", [&] { fast::reduce_rows<fast::Max>(x, x, out, rows, columns, 1.0f, workspace_); }},
             {"CUB segmented", [&] {
                cub::DeviceSegmentedReduce::Max(temporary, bytes, x, out, segments, begin, begin + 1);
              }}});
    compare(title + ", rows", Kind::min, columns, rows,
            {{"ours", [&] { fast::reduce_rows<fast::Min>(x, x, out, rows, columns, 1.0f, workspace_); }},
             {"CUB segmented", [&] {
                cub::DeviceSegmentedReduce::Min(temporary, bytes, x, out, segments, begin, begin + 1);
              }}});
    compare(
        title + ", rows", Kind::squares, columns, rows,
        {{"ours", [&] { fast::reduce_rows<fast::SumOfSquares>(x, x, out, rows, columns, 1.0f, workspace_); }},
         {"CUB segmented", [&] {
            cub::DeviceSegmentedReduce::Sum(temporary, bytes, squares, out, segments, begin, begin + 1);
          }}});
  }

  void whole(const std::string& title, long long count) {
    remember(1, count);
    const float *const x = x_.data(), *const y = y_.data();
    float* const out = out_.data();
    const auto squares = thrust::make_transform_iterator(x, Square{});
    const int n = static_cast<int>(count);
    size_t bytes = temporary_.bytes();
    void* const temporary = temporary_.data();
    compare(title + ", all", Kind::sum, count, 1,
            {{"ours", [&] { fast::reduce_rows<fast::Sum>(x, x, out, 1, count, 1.0f, workspace_); }},
             {"CUB", [&] { cub::DeviceReduce::Sum(temporary, bytes, x, out, n); }}});
    compare(title + ", all", Kind::max, count, 1,
            {{"ours", [&] { fast::reduce_rows<fast::Max>(x, x, out, 1, count, 1.0f, workspace_); }},
             {"CUB", [&] { cub::DeviceReduce::Max(temporary, bytes, x, out, n); }}});
    compare(title + ", all", Kind::min, count, 1,
            {{"ours", [&] { fast::reduce_rows<fast::Min>(x, x, out, 1, count, 1.0f, workspace_); }},
             {"CUB", [&] { cub::DeviceReduce::Min(temporary, bytes, x, out, n); }}});
    compare(title + ", all", Kind::squares, count, 1,
            {{"ours", [&] { fast::reduce_rows<fast::SumOfSquares>(x, x, out, 1, count, 1.0f, workspace_); }},
             {"CUB", [&] { cub::DeviceReduce::Sum(temporary, bytes, squares, out, n); }},
             {"cuBLAS sdot", [&] { cublasSdot(cublas_, n, x, 1, x, 1, out); }}});
    compare(title + ", all", Kind::dot, count, 1,
            {{"ours", [&] { fast::reduce_rows<fast::Dot>(x, y, out, 1, count, 1.0f, workspace_); }},
             {"cuBLAS sdot", [&] { cublasSdot(cublas_, n, x, 1, y, 1, out); }}});
  }

  void remember(long long rows, long long columns) {
    const float mean = 1.0f / static_cast<float>(columns);
    check(cudaMemcpy(mean_.data(), &mean, sizeof mean, cudaMemcpyHostToDevice), "cudaMemcpy");
    // The reference uses one block for each row, so a long array is divided into pieces.
    const long long pieces = rows == 1 && columns % 1000 == 0 ? 1000 : rows == 1 ? 4096 : 1;
    Array<Wanted> wanted(static_cast<size_t>(rows * pieces));
    reference<<<static_cast<unsigned>(rows * pieces), 256>>>(x_.data(), y_.data(), columns / pieces,
                                                             wanted.data());
    wanted_.resize(static_cast<size_t>(rows * pieces));
    check(cudaMemcpy(wanted_.data(), wanted.data(), wanted.bytes(), cudaMemcpyDeviceToHost), "the reference");
    if (pieces == 1) return;
    Wanted all = wanted_[0];
    for (size_t i = 1; i < wanted_.size(); ++i) {
      const Wanted& one = wanted_[i];
      all.sum += one.sum, all.magnitude += one.magnitude, all.squares += one.squares, all.dot += one.dot;
      all.dot_magnitude += one.dot_magnitude, all.most = std::max(all.most, one.most),
                                              all.least = std::min(all.least, one.least);
    }
    wanted_ = {all};
  }

  void compare(const std::string& title, Kind kind, long long columns, long long rows,
               const std::vector<Contender>& contenders) {
    std::vector<float> got(static_cast<size_t>(rows));
    for (const Contender& contender : contenders) {
      out_.poison();
      contender.run();
      check(cudaMemcpy(got.data(), out_.data(), got.size() * sizeof(float), cudaMemcpyDeviceToHost),
            "the results");
      for (size_t row = 0; row < got.size(); ++row) {
        if (right(kind, got[row], wanted_[row], columns)) continue;
        std::fprintf(stderr, "%s, %s: %s is wrong in row %zu: %g\n", title.c_str(),
                     kNames[static_cast<int>(kind)], contender.name.c_str(), row, got[row]);
        ++wrong_;
        break;
      }
    }
    const double bytes =
        static_cast<double>(rows) * static_cast<double>(columns) * (kind == Kind::dot ? 8 : 4);
    bench::print_row(title + ": " + kNames[static_cast<int>(kind)], contenders, watch_.medians(contenders),
                     bytes * 1e-3, "GB/s");
  }

  Array<float> x_, y_, out_, ones_, constants_;
  Array<float> mean_{1};
  Array<char> memory_, temporary_;
  fast::Workspace workspace_;
  cublasHandle_t cublas_ = nullptr;
  std::vector<Wanted> wanted_;
  bench::Stopwatch watch_;
  int wrong_ = 0;
};

}  // namespace

int main() {
  bench::print_head("reduction of floats");
  Comparison comparison;
  comparison.shape(1000, 1000);
  comparison.shape(4096, 4096);
  comparison.shape(16384, 16384);
  comparison.shape(1 << 20, 256);
  comparison.shape(64, 1 << 22);
  return comparison.wrong() == 0 ? 0 : 1;
}
