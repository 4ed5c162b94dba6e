// Kernels as a course writes them, each launched once; course.csv holds what the hardware counted for them.
// They show the effects that the rules of docs/counters.md are about: short bodies under a condition, partial
// warps, wide types, halos, atomics.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define OK(call)                                                                          \
  do {                                                                                    \
    cudaError_t status = (call);                                                          \
    if (status != cudaSuccess) {                                                          \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

// Bodies under a condition that whole warps fail (t < n with n = 20): each has one effect behind it.
__global__ void if_shared_store(const int* in, int* out, int n) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < n) s[t + 256] = t;
  __syncthreads();
  out[t] = s[t ^ 1];
}
template <int Count>
__global__ void if_shared_stores(const int* in, int* out, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < n)
    for (int i = 0; i < Count; ++i) s[t + 32 * i + 256] = t;
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_global_load(const int* in, int* out, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  int x = t;
  if (t < n) x = in[t];
  s[t] = x;
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_global_store(const int* in, int* out, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t < n) out[t + 256] = t;
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_global_to_shared(const int* in, int* out, int n) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t < n) s[t + 256] = in[t + 256];
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_else(const int* in, int* out, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < n)
    s[t + 256] = s[t] + 1;
  else
    s[t + 512] = t;
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_nested(const int* in, int* out, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < n) {
    s[t + 256] = 1;
    if (s[t] > 0) s[t + 512] = 2;
  }
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_both(const int* in, int* out, int n, int m) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < n && t > m) s[t + 256] = s[t + 1];
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_block(const int* in, int* out, int n) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (static_cast<int>(blockIdx.x) < n) s[t + 256] = s[t + 1];
  __syncthreads();
  out[t] = s[t ^ 1];
}
__global__ void if_atomic(const int* in, int* out, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < n) atomicAdd(&s[t + 1], 3);
  __syncthreads();
  out[t] = s[t ^ 1];
}

template <class T>
__global__ void reduce(const T* in, T* out, int n) {
  __shared__ T s[256];
  const int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  s[t] = g < n ? in[g] : T(0);
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_max(const float* in, float* out, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
  s[t] = g < n ? in[g] : -1e30f;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step && s[t + step] > s[t]) s[t] = s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_unrolled(const int* in, int* out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 512 + t] + in[blockIdx.x * 512 + 256 + t];
  __syncthreads();
  if (t < 128) s[t] += s[t + 128];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    volatile int* v = s;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_global(int* data, int* out) {
  const int t = threadIdx.x;
  int* d = data + blockIdx.x * blockDim.x;
  for (int step = 1; step < static_cast<int>(blockDim.x); step *= 2) {
    if (t % (2 * step) == 0) d[t] += d[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = d[0];
}
__global__ void scan(const int* in, int* out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int offset = 1; offset < 256; offset *= 2) {
    int v = 0;
    if (t >= offset) v = s[t - offset];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = s[t];
}
__global__ void stencil(const float* in, float* out, int n) {
  __shared__ float s[256 + 6];
  const int t = threadIdx.x, g = blockIdx.x * 256 + t;
  s[t + 3] = in[g + 3];
  if (t < 3) {
    s[t] = in[g];
    s[t + 259] = in[g + 259];
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 7; ++i) sum += s[t + i];
  if (g < n) out[g] = sum;
}
template <int Pad, class T>
__global__ void transpose(const T* in, T* out, int rows, int columns) {
  __shared__ T s[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < columns && y + i < rows) s[threadIdx.y + i][threadIdx.x] = in[(y + i) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < rows && y + i < columns) out[(y + i) * rows + x] = s[threadIdx.x][threadIdx.y + i];
}
template <class T>
__global__ void product16(const T* a, const T* b, T* c, int n) {
  __shared__ T as[16][16], bs[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  T sum = 0;
  for (int t = 0; t < (n + 15) / 16; ++t) {
    as[ty][tx] = row < n && t * 16 + tx < n ? a[row * n + t * 16 + tx] : T(0);
    bs[tx][ty] = column < n && t * 16 + ty < n ? b[(t * 16 + ty) * n + column] : T(0);
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[tx][k];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
__global__ void histogram(const unsigned char* in, int* out, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[in[i]], 1);
  __syncthreads();
  if (s[threadIdx.x]) atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
}
template <class T>
__global__ void sum_atomic_shared(const T* in, T* out) {
  __shared__ T s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = s;
}
template <class T>
__global__ void sum_atomic_global(const T* in, T* out) {
  atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void count_atomic_global(const int* in, int* out) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > 3) atomicAdd(out, 1);
}
__global__ void row_max(const float* a, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best = a[row * columns];
#pragma unroll 1
  for (int j = 1; j < columns; ++j) best = fmaxf(best, a[row * columns + j]);
  out[row] = best;
}
template <int Pad>
__global__ void row_max_shared(const float* a, float* out, int rows, int columns) {
  __shared__ float s[32][32 + Pad];
  const int t = threadIdx.x, first = blockIdx.x * 32;
  float best = -1e30f;
  for (int j = 0; j < columns; j += 32) {
    for (int i = 0; i < 32; ++i)
      if (first + i < rows && j + t < columns) s[i][t] = a[(first + i) * columns + j + t];
    __syncwarp();
    if (first + t < rows)
#pragma unroll 1
      for (int k = 0; k < 32; ++k)
        if (j + k < columns) best = fmaxf(best, s[t][k]);
    __syncwarp();
  }
  if (first + t < rows) out[first + t] = best;
}
struct Body {
  float x, y, z, mass;
};
__global__ void bodies(const Body* in, float3* out, int n) {
  __shared__ Body s[64];
  const int g = blockIdx.x * 64 + threadIdx.x;
  const Body self = in[g];
  float3 force = {0, 0, 0};
  for (int tile = 0; tile < n; tile += 64) {
    s[threadIdx.x] = in[tile + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 64; ++j) {
      const Body other = s[j];
      const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
      const float weight = other.mass * rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      force.x += weight * dx, force.y += weight * dy, force.z += weight * dz;
    }
    __syncthreads();
  }
  out[g] = force;
}

int main() {
  const size_t bytes = size_t{16} << 20;
  char *a, *b, *c;
  OK(cudaMalloc(&a, bytes));
  OK(cudaMalloc(&b, bytes));
  OK(cudaMalloc(&c, bytes));
  // byte i = i * 37 mod 251: fixed data with repetitions, for the histogram and the comparisons
  unsigned char* host = static_cast<unsigned char*>(std::malloc(bytes));
  for (size_t i = 0; i < bytes; ++i) host[i] = static_cast<unsigned char>(i * 37 % 251);
  OK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice));
  OK(cudaMemset(c, 0, bytes));
  int *ia = reinterpret_cast<int*>(a), *ic = reinterpret_cast<int*>(c);
  float *fa = reinterpret_cast<float*>(a), *fb = reinterpret_cast<float*>(b),
        *fc = reinterpret_cast<float*>(c);
  double *da = reinterpret_cast<double*>(a), *db = reinterpret_cast<double*>(b),
         *dc = reinterpret_cast<double*>(c);
  if_shared_store<<<4, 256>>>(ia, ic, 20);
  if_shared_stores<7><<<4, 256>>>(ia, ic, 20);
  if_shared_stores<8><<<4, 256>>>(ia, ic, 20);
  if_shared_stores<9><<<4, 256>>>(ia, ic, 20);
  if_global_load<<<4, 256>>>(ia, ic, 20);
  if_global_store<<<4, 256>>>(ia, ic, 20);
  if_global_to_shared<<<4, 256>>>(ia, ic, 20);
  if_else<<<4, 256>>>(ia, ic, 20);
  if_nested<<<4, 256>>>(ia, ic, 20);
  if_both<<<4, 256>>>(ia, ic, 90, 10);
  if_block<<<4, 256>>>(ia, ic, 2);
  if_atomic<<<4, 256>>>(ia, ic, 20);
  reduce<int><<<8, 256>>>(ia, ic, 2000);
  reduce<float><<<8, 256>>>(fa, fc, 2000);
  reduce<double><<<8, 256>>>(da, dc, 2000);
  reduce_max<<<8, 256>>>(fa, fc, 2000);
  reduce_unrolled<<<8, 256>>>(ia, ic);
  OK(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
  reduce_global<<<8, 256>>>(reinterpret_cast<int*>(b), ic);
  OK(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
  scan<<<8, 256>>>(ia, ic);
  stencil<<<8, 256>>>(fa, fc, 2000);
  const dim3 tile(32, 8), grid(7, 4);
  transpose<0, float><<<grid, tile>>>(fa, fc, 100, 200);
  transpose<1, float><<<grid, tile>>>(fa, fc, 100, 200);
  transpose<0, double><<<grid, tile>>>(da, dc, 100, 200);
  transpose<1, double><<<grid, tile>>>(da, dc, 100, 200);
  product16<float><<<dim3(4, 4), dim3(16, 16)>>>(fa, fb, fc, 50);
  product16<double><<<dim3(4, 4), dim3(16, 16)>>>(da, db, dc, 50);
  OK(cudaMemset(c, 0, bytes));
  histogram<<<4, 256>>>(reinterpret_cast<unsigned char*>(a), ic, 10000);
  sum_atomic_shared<int><<<4, 256>>>(ia, ic);
  sum_atomic_shared<float><<<4, 256>>>(fa, fc);
  OK(cudaMemset(c, 0, bytes));
  sum_atomic_global<int><<<4, 256>>>(ia, ic);
  sum_atomic_global<float><<<4, 256>>>(fa, fc);
  sum_atomic_global<double><<<4, 256>>>(da, dc);
  count_atomic_global<<<4, 256>>>(ia, ic);
  row_max<<<4, 64>>>(fa, fc, 200, 50);
  row_max_shared<0><<<7, 32>>>(fa, fc, 200, 50);
  row_max_shared<1><<<7, 32>>>(fa, fc, 200, 50);
  bodies<<<4, 64>>>(reinterpret_cast<Body*>(a), reinterpret_cast<float3*>(c), 256);
  OK(cudaDeviceSynchronize());
  std::free(host);
  std::puts("done");
}
