// Submissions that are made to look like what a version asks for, in other labs than tests/hostile has.

#include <filesystem>
#include <map>
#include <string>

#include "tests/harness/catch.h"
#include "tests/labs/gradings.h"

namespace e2e {
namespace {

using Json = nlohmann::json;

/// The versions of a graded submission, by name.
std::map<std::string, Json> versions_of(const std::string& slug, const std::string& source) {
  static Gradings gradings;
  std::map<std::string, Json> versions;
  const Json result = gradings.grade(slug, source);
  for (const Json& version : result.at("versions")) versions.emplace(version.at("name"), version);
  return versions;
}

/// Every reason for which a version lost points, one a line.
std::string reasons(const Json& version) {
  std::string all;
  for (const Json& lost : version.at("lost")) all += lost.at("reason").get<std::string>() + "\n";
  return all;
}

}  // namespace

TEST_CASE("the kernel of most values decides which tree it is, and residency is the card's", "[right5]") {
  const auto versions = versions_of("lab5/variant2", R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__device__ float sums[1 << 15];
template <int kThreads>
__global__ void neighbours(const float* x, int n) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x;
  const long long i = static_cast<long long>(blockIdx.x) * kThreads + t;
  part[t] = i < n ? x[i] : 0.0f;
  for (int step = 1; step < kThreads; step *= 2) {
    __syncthreads();
    if (t % (2 * step) == 0) part[t] += part[t + step];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}
__global__ void halves(float* out, int count) {
  __shared__ float part[512];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < count; i += 512) sum += sums[i];
  part[t] = sum;
  for (int step = 256; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) part[t] += part[t + step];
  }
  if (t == 0) *out = part[0];
}
template <int kThreads>
static void in_two(const float* x, float* out, int n) {
  const int blocks = (n + kThreads - 1) / kThreads;
  if (n > 0) neighbours<kThreads><<<blocks, kThreads>>>(x, n);
  halves<<<1, 512>>>(out, blocks);
}
void sum_interleaved(const float* x, float* out, int n) { in_two<256>(x, out, n); }
void sum_sequential(const float* x, float* out, int n) { in_two<128>(x, out, n); }
void sum_unrolled(const float* x, float* out, int n) { in_two<256>(x, out, n); }
void sum_shuffle(const float* x, float* out, int n) { in_two<256>(x, out, n); }

// A barrier of the grid by hand: the timed case's 128 blocks fit an A100, the 257 of the largest do not.
__device__ unsigned arrived, generation;
__global__ void __launch_bounds__(1024, 2) all_wait(const float* x, float* out, int n) {
  __shared__ float part[1024];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    const long long i = blockIdx.x * 8192LL + k * 1024 + t;
    if (i < n) sum += x[i];
  }
  part[t] = sum;
  for (int step = 512; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) part[t] += part[t + step];
  }
  if (t == 0) {
    sums[blockIdx.x] = part[0];
    __threadfence();
    const unsigned mine = *(volatile unsigned*)&generation;
    if (atomicAdd(&arrived, 1u) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      atomicAdd(&generation, 1u);
    } else {
      while (*(volatile unsigned*)&generation == mine) {}
    }
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x == 0 && t == 0) {
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += ((volatile float*)sums)[b];
    *out = sum;
  }
}
void sum_grid_stride(const float* x, float* out, int n) {
  all_wait<<<n > 0 ? (n + 8191) / 8192 : 1, 1024>>>(x, out, n);
}
)");
  const Json &interleaved = versions.at("interleaved"), &sequential = versions.at("sequential");
  CHECK(interleaved.at("verdict") == "accepted");
  CHECK(reasons(interleaved).find("the distances of the tree") == std::string::npos);
  CHECK(reasons(sequential).find("the distances of the tree grow in ") != std::string::npos);
  const Json& waiting = versions.at("grid_stride");
  CHECK(waiting.at("verdict") == "runtime_error");
  CHECK(reasons(waiting).find("deadlock: the 216 resident blocks all wait for others") != std::string::npos);
}

TEST_CASE("what an output held before is not read through a copy", "[right3]") {
  const auto versions = versions_of("lab3/variant4", R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__global__ void row_max(const float* a, const float* before, float* out, int rows, int cols) {
  const int row = blockIdx.x * 128 + threadIdx.x;
  if (row >= rows) return;
  float most = before[row];
  for (int c = 0; c < cols; ++c) most = fmaxf(most, a[static_cast<size_t>(row) * cols + c]);
  out[row] = most;
}
void row_max_global(const float* a, float* out, int rows, int cols) {
  if (rows == 0) return;
  float* before = nullptr;
  cudaMalloc(&before, sizeof(float) * rows);
  cudaMemcpy(before, out, sizeof(float) * rows, cudaMemcpyDeviceToDevice);
  row_max<<<(rows + 127) / 128, 128>>>(a, before, out, rows, cols);
  cudaFree(before);
}
void row_max_shared(const float* a, float* out, int rows, int cols) { row_max_global(a, out, rows, cols); }
void row_max_padded(const float* a, float* out, int rows, int cols) { row_max_global(a, out, rows, cols); }
)");
  for (const auto& [name, version] : versions) {
    INFO(name);
    CHECK(version.at("points") == 0);
    CHECK(reasons(version).find("uninitialized read: element 0 of ") != std::string::npos);
  }
}

TEST_CASE("what no stream orders is a race in a grading, too, and told with both lines", "[right3]") {
  const auto versions = versions_of("lab3/variant1", R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__global__ void each(const float* x, const float* y, float* out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i] * y[i];
  atomicAdd(out, sum);
}
void dot_global(const float* x, const float* y, float* out, int n) {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMemsetAsync(out, 0, sizeof *out, first);
  each<<<1, 512, 0, second>>>(x, y, out, n);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
void dot_shared(const float* x, const float* y, float* out, int n) {
  float *part, *page;
  cudaMalloc(&part, 4);
  cudaMallocHost(&page, 4);
  cudaMemset(part, 0, 4);
  each<<<1, 512>>>(x, y, part, n);
  cudaMemcpyAsync(page, part, 4, cudaMemcpyDeviceToHost);
  volatile float early = *page;
  cudaDeviceSynchronize();
  cudaMemcpy(out, part, 4, cudaMemcpyDeviceToDevice);
  (void)early;
  cudaFree(part);
  cudaFreeHost(page);
}
void dot_padded(const float* x, const float* y, float* out, int n) {
  float* sum;
  cudaMallocManaged(&sum, 4);
  *sum = 0;
  each<<<1, 512>>>(x, y, sum, n);
  volatile float early = *sum;
  (void)early;
  cudaMemcpy(out, sum, 4, cudaMemcpyDeviceToDevice);
  cudaFree(sum);
}
)");
  const std::map<std::string, std::string> told{{"global", "nothing orders the two (line 14, line 13)"},
                                                {"shared", "has not waited for it (line 25, line 24)"},
                                                {"padded", "has not waited for it (line 37, line 36)"}};
  for (const auto& [name, text] : told) {
    INFO(name << ": " << reasons(versions.at(name)));
    CHECK(versions.at(name).at("verdict") == "runtime_error");
    CHECK(reasons(versions.at(name)).find(text) != std::string::npos);
  }
}

TEST_CASE("lanes that each have an instruction of their own do not pass for conflict-free", "[right2]") {
  const auto versions = versions_of("lab2/variant1", R"(
#include "contract.cuh"
#include <cuda_runtime.h>
template <int kLane>
__device__ void in_turn(const volatile float* column, int lane, float& value) {
  if constexpr (kLane < 32) {
    if (lane == kLane) value = column[kLane * 32];
    __syncwarp();
    in_turn<kLane + 1>(column, lane, value);
  }
}
__global__ void turned(const float* a, float* out, int n) {
  __shared__ float tile[32 * 32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  if (col < n && row < n) tile[y * 32 + x] = a[static_cast<size_t>(row) * n + col];
  __syncthreads();
  float value = 0;
  in_turn<0>(tile + y, x, value);
  const int to_col = blockIdx.y * 32 + x, to_row = blockIdx.x * 32 + y;
  if (to_col < n && to_row < n) out[static_cast<size_t>(to_row) * n + to_col] = value;
}
void transpose_global(const float*, float*, int) {}
void transpose_shared(const float*, float*, int) {}
void transpose_padded(const float* a, float* out, int n) {
  const unsigned tiles = (n + 31) / 32;
  if (n > 0) turned<<<dim3(tiles, tiles), dim3(32, 32)>>>(a, out, n);
}
)");
  CHECK(reasons(versions.at("padded")).find("one after the other, which takes as long as") !=
        std::string::npos);
}

TEST_CASE("loads that small cases repeat do not pay for loads of the timed case", "[right4]") {
  // Two results one after the other, each with loads of its own: nothing is shared between them.
  const std::string two_results = R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__global__ void two(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[32][32], bs[32][32];
  const int x = threadIdx.x, y = threadIdx.y, across = (n + 31) / 32;
  const int top = blockIdx.x / across * 32, left = blockIdx.x % across * 32;
  float sum[2] = {};
  for (int first = 0; first < k; first += 32) {
    for (int r = y; r < 32; r += 16) {
      as[r][x] = top + r < m && first + x < k ? a[static_cast<size_t>(top + r) * k + first + x] : 0;
      bs[r][x] = first + r < k && left + x < n ? b[static_cast<size_t>(first + r) * n + left + x] : 0;
    }
    __syncthreads();
    for (int e = 0; e < 2; ++e) {
      for (int q = 0; q < 32; ++q) {
        volatile float *one = &as[y + 16 * e][q], *other = &bs[q][x];
        float left_factor = *one, right_factor = LOAD(*other);
        for (int again = 0; again < TIMES; ++again) left_factor = *one;
        sum[e] += left_factor * right_factor;
      }
    }
    __syncthreads();
  }
  for (int e = 0; e < 2; ++e)
    if (top + y + 16 * e < m && left + x < n) c[static_cast<size_t>(top + y + 16 * e) * n + left + x] = sum[e];
}
void matmul_global(const float*, const float*, float*, int, int, int) {}
void matmul_shared(const float*, const float*, float*, int, int, int) {}
void matmul_ilp(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m > 0 && n > 0) two<<<((m + 31) / 32) * ((n + 31) / 32), dim3(32, 16)>>>(a, b, c, m, n, k);
}
)";
  const std::string by_atomics = "#define LOAD(x) __uint_as_float(atomicOr((unsigned*)&(x), 0u))\n";
  const std::map<std::string, std::string> ways{
      {"small cases repeat", "#define LOAD(x) (x)\n#define TIMES (m < 1000 ? 3 : 0)\n"},
      {"the first block repeats",
       "#define LOAD(x) (x)\n#define TIMES (blockIdx.x == 0 && m > 1000 ? 200 : 0)\n"},
      {"atomic operations load what nothing repeats", by_atomics + "#define TIMES 5\n"}};
  for (const auto& [name, defines] : ways) {
    const auto versions = versions_of("lab4/variant1", defines + two_results);
    INFO(name << ": " << reasons(versions.at("ilp")));
    CHECK(versions.at("ilp").at("verdict") == "accepted");
    CHECK(reasons(versions.at("ilp")).find("a thread whose results share a factor should load it once") !=
          std::string::npos);
  }
}

TEST_CASE("one lane of a warp at a time is not coalesced", "[right3]") {
  const auto versions = versions_of("lab3/variant7", R"(
#include "contract.cuh"
#include <cuda_runtime.h>
__global__ void one_lane(const float* a, float* out, int rows, int cols) {
  if (threadIdx.x % 32 != 0) return;
  float sum = 0;
  for (int r = threadIdx.x / 32; r < rows; r += blockDim.x / 32)
    sum += a[static_cast<size_t>(r) * cols + blockIdx.x];
  atomicAdd(out + blockIdx.x, sum / rows);
}
void col_mean_global(const float* a, float* out, int rows, int cols) {
  cudaMemset(out, 0, sizeof(float) * cols);
  if (cols > 0 && rows > 0) one_lane<<<cols, 1024>>>(a, out, rows, cols);
}
void col_mean_shared(const float* a, float* out, int rows, int cols) { col_mean_global(a, out, rows, cols); }
void col_mean_padded(const float* a, float* out, int rows, int cols) { col_mean_global(a, out, rows, cols); }
)");
  CHECK(reasons(versions.at("global")).find("few lanes of a warp access memory at a time") !=
        std::string::npos);
}

}  // namespace e2e
