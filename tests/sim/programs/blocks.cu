// Blocks: barriers of every kind, shared memory of every kind, early exit, indices in three dimensions.
#include "check.cuh"

__global__ void counted(int* out) {
  const int t = threadIdx.x;
  const int count = __syncthreads_count(t % 3 == 0), all = __syncthreads_and(t < 1000), none = __syncthreads_and(t != 70);
  const int any = __syncthreads_or(t == 99), nobody = __syncthreads_or(t == 1000);
  out[t] = count + 1000 * all + 2000 * none + 4000 * any + 8000 * nobody;
}
__global__ void early_exit(int* out, int n) {
  __shared__ int total;
  const int t = threadIdx.x;
  if (t == 0) total = 0;
  __syncthreads();
  if (t >= n) return;
  atomicAdd(&total, t);
  __syncthreads();
  out[t] = total;
}
template <int kTile>
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  const int tx = blockIdx.y * kTile + threadIdx.x, ty = blockIdx.x * kTile + threadIdx.y;
  if (tx < rows && ty < columns) out[ty * rows + tx] = tile[threadIdx.x][threadIdx.y];
}
extern __shared__ int dynamic[];
__global__ void several_arrays(int* out, int n) {  // the usual cutting up of dynamic memory
  double* d = reinterpret_cast<double*>(dynamic);
  float* f = reinterpret_cast<float*>(d + n);
  short* s = reinterpret_cast<short*>(f + n);
  const int t = threadIdx.x;
  d[t] = t * 0.5;
  f[n - 1 - t] = static_cast<float>(t);
  s[t] = static_cast<short>(-t);
  __syncthreads();
  out[t] = static_cast<int>(d[(t + 1) % n] * 2) + static_cast<int>(f[t]) + s[n - 1 - t];
}
struct Particle { float x, y, z; int id; double mass; unsigned char flags[3]; };
__shared__ int module_scope[64];
__device__ __noinline__ void helper(int t) {
  __shared__ int of_helper[64];
  of_helper[t] = module_scope[63 - t] * 2;
  __syncthreads();
  module_scope[t] = of_helper[t ^ 1];
}
__global__ void structures(double* out) {
  __shared__ Particle p[64];
  __shared__ int cube[4][4][4];
  const int t = threadIdx.x;
  p[t] = Particle{static_cast<float>(t), t + 0.5f, -1.0f * t, t * 3, t * 0.25, {static_cast<unsigned char>(t), 2, 3}};
  cube[t / 16][t / 4 % 4][t % 4] = t;
  module_scope[t] = t + 1;
  __syncthreads();
  const Particle q = p[63 - t];
  helper(t);
  __syncthreads();
  out[t] = q.x + q.y + q.z + q.id + q.mass + q.flags[0] + q.flags[2] + cube[t % 4][t / 4 % 4][t / 16] * 1000 + module_scope[t] * 1e6;
}
__global__ void named_barriers(int* out) {  // producers and consumers over barriers 1 and 2
  __shared__ int box;
  const int warp = threadIdx.x / 32;
  for (int round = 0; round < 4; ++round) {
    if (warp == 0) {
      if (threadIdx.x == 0) box = round * 10 + 7;
      __syncwarp();
      asm volatile("bar.arrive 1, 64;" ::: "memory");
      asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[round * 32 + threadIdx.x - 32] = box + threadIdx.x;
      asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}
__global__ void loop_of_barriers(float* data, int n) {  // block-wide reduction and broadcast, barriers in a uniform loop
  extern __shared__ float work[];
  const int t = threadIdx.x;
  work[t] = data[blockIdx.x * n + t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) work[t] += work[t + half];
    __syncthreads();
  }
  data[blockIdx.x * n + t] = work[0];
}
__global__ void indices(int4* out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  u32 lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[i] = make_int4(blockIdx.x * 10000 + blockIdx.y * 100 + blockIdx.z, threadIdx.x * 10000 + threadIdx.y * 100 + threadIdx.z, lane, 0);
}
// Ping-pong without a barrier between warps would race; within one warp __syncwarp is enough.
__global__ void warp_synchronous(int* out) {
  __shared__ volatile int v[64];
  const int t = threadIdx.x;
  v[t] = t;
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    const int other = (t & 31) >= d ? v[t - d] : 0;
    __syncwarp();
    v[t] = v[t] + other;
    __syncwarp();
  }
  out[t] = v[t];
}

int main() {
  Buffer<int> out(256);
  counted<<<1, 100>>>(out);
  auto got = out.host();
  for (int i = 0; i < 100; ++i) compare("counted", got[i], 34 + 1000 + 4000, 0, shown(i).c_str());
  early_exit<<<1, 128>>>(out, 70);
  got = out.host();
  for (int i = 0; i < 70; ++i) compare("early_exit", got[i], 69 * 70 / 2, 0, shown(i).c_str());
  for (const auto& [rows, columns] : {std::pair{33, 65}, std::pair{1, 100}, std::pair{64, 64}}) {
    std::vector<float> m(rows * columns);
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = static_cast<float>(i);
    Buffer<float> a(m), b(m.size());
    transpose<16><<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(a, b, rows, columns);
    const auto t = b.host();
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) compare("transpose", t[c * rows + r], m[r * columns + c], 0, (shown(r) + ", " + shown(c)).c_str());
  }
  several_arrays<<<1, 64, 64 * (8 + 4 + 2)>>>(out, 64);
  got = out.host();
  for (int i = 0; i < 64; ++i) compare("several_arrays", got[i], (i + 1) % 64 + (63 - i) - (63 - i), 0, shown(i).c_str());
  Buffer<double> sums(64);
  structures<<<1, 64>>>(sums);
  const auto s = sums.host();
  for (int i = 0; i < 64; ++i) {
    const int q = 63 - i, k = (i % 4) * 16 + (i / 4 % 4) * 4 + i / 16;
    const double module = (64 - (i ^ 1)) * 2;
    compare("structures", s[i], q + (q + 0.5) - q + q * 3 + q * 0.25 + q + 3 + k * 1000.0 + module * 1e6, 0, shown(i).c_str());
  }
  named_barriers<<<1, 64>>>(out);
  got = out.host();
  for (int i = 0; i < 128; ++i) compare("named_barriers", got[i], i / 32 * 10 + 7 + i % 32 + 32, 0, shown(i).c_str());
  std::vector<float> ones(4 * 128, 1.0f);
  Buffer<float> data(ones);
  loop_of_barriers<<<4, 128, 128 * sizeof(float)>>>(data, 128);
  for (float f : data.host()) compare("loop_of_barriers", f, 128.0f, 0, "");
  CUDA(cudaFuncSetAttribute(loop_of_barriers, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
  Buffer<float> big(std::vector<float>(256, 0.5f));
  loop_of_barriers<<<1, 256, 100 * 1024>>>(big, 256);
  for (float f : big.host()) compare("big dynamic", f, 128.0f, 0, "");
  const dim3 grid(3, 2, 4), block(5, 4, 3);
  Buffer<int4> places(3 * 2 * 4 * 60);
  indices<<<grid, block>>>(places);
  const auto p = places.host();
  for (int i = 0; i < 24 * 60; ++i) {
    const int b = i / 60, t = i % 60;
    EXPECT(p[i].x == b % 3 * 10000 + b / 3 % 2 * 100 + b / 6);
    EXPECT(p[i].y == t % 5 * 10000 + t / 5 % 4 * 100 + t / 20);
    EXPECT(p[i].z == t % 32);
  }
  indices<<<1, 1>>>(places);
  EXPECT(places.host()[0].z == 0);
  warp_synchronous<<<1, 64>>>(out);
  got = out.host();
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int k = i / 32 * 32; k <= i; ++k) sum += k;
    compare("warp_synchronous", got[i], sum, 0, shown(i).c_str());
  }
  return finish();
}
