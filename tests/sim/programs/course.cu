// Kernels as courses teach them: tiled products, reductions unrolled by templates, scans, sorting, stencils, bodies,
// matrices in two and three dimensions, streams, and several launches in a row.
#include <algorithm>
#include <numeric>

#include "check.cuh"

template <int kTile>
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile + 1];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (k + kTile - 1) / kTile; ++t) {
    const int x = t * kTile + threadIdx.x, y = t * kTile + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : 0;
    tb[threadIdx.y][threadIdx.x] = y < k && column < n ? b[y * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
template <class T>
__device__ void last_warp(volatile T* s, int t) {  // without __syncwarp, as old slides have it: volatile, one warp
  for (int d = 32; d > 0; d /= 2) s[t] = s[t] + s[t + d];
}
template <class T, unsigned kBlock>
__global__ void reduce6(const T* in, T* out, unsigned n) {
  extern __shared__ unsigned char raw[];
  T* s = reinterpret_cast<T*>(raw);
  const unsigned t = threadIdx.x;
  T sum = 0;
  for (unsigned i = blockIdx.x * kBlock * 2 + t; i < n; i += kBlock * 2 * gridDim.x) sum += in[i] + (i + kBlock < n ? in[i + kBlock] : T(0));
  s[t] = sum;
  __syncthreads();
  if (kBlock >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
  if (kBlock >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (kBlock >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
  if (t < 32) last_warp<T>(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void blelloch(int* data, int n) {  // exclusive scan of 2 * blockDim elements
  extern __shared__ int temp[];
  const int t = threadIdx.x;
  int offset = 1;
  temp[2 * t] = data[2 * t];
  temp[2 * t + 1] = data[2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = temp[a];
      temp[a] = temp[b];
      temp[b] += v;
    }
  }
  __syncthreads();
  data[2 * t] = temp[2 * t];
  data[2 * t + 1] = temp[2 * t + 1];
}
__global__ void bitonic(float* v, int j, int k) {
  const unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
  if (other > i && ((i & k) == 0) == (v[i] > v[other])) {
    const float x = v[i];
    v[i] = v[other];
    v[other] = x;
  }
}
constexpr int kRadius = 3;
__global__ void stencil(const int* in, int* out, int n) {
  __shared__ int tile[128 + 2 * kRadius];
  const int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + kRadius;
  tile[l] = g < n ? in[g] : 0;
  if (threadIdx.x < kRadius) {
    tile[l - kRadius] = g >= kRadius ? in[g - kRadius] : 0;
    tile[l + blockDim.x] = g + blockDim.x < n ? in[g + blockDim.x] : 0;
  }
  __syncthreads();
  int sum = 0;
  for (int d = -kRadius; d <= kRadius; ++d) sum += tile[l + d];
  if (g < n) out[g] = sum;
}
__global__ void life(const u8* in, u8* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) alive += in[(y + dy + h) % h * w + (x + dx + w) % w];
  out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
}
__global__ void mandelbrot(int* out, int w, int h) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += blockDim.x * gridDim.x) {
    const double cx = -2 + 3.0 * (i % w) / w, cy = -1 + 2.0 * (i / w) / h;
    double x = 0, y = 0;
    int n = 0;
    while (x * x + y * y <= 4 && n < 200) {
      const double t = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = t;
      ++n;
    }
    out[i] = n;
  }
}
struct Body { float3 p, v; float m; };
__global__ void bodies(Body* b, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float4 tile[32];
  float3 a = make_float3(0, 0, 0);
  for (int t = 0; t < n; t += 32) {
    tile[threadIdx.x] = make_float4(b[t + threadIdx.x].p.x, b[t + threadIdx.x].p.y, b[t + threadIdx.x].p.z, b[t + threadIdx.x].m);
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      const float dx = tile[k].x - b[i].p.x, dy = tile[k].y - b[i].p.y, dz = tile[k].z - b[i].p.z;
      const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), f = tile[k].w * r * r * r;
      a.x += f * dx; a.y += f * dy; a.z += f * dz;
    }
    __syncthreads();
  }
  b[i].v.x += a.x * dt; b[i].v.y += a.y * dt; b[i].v.z += a.z * dt;
}
__global__ void diffuse(const double* in, double* out, int n) {  // three dimensions
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  const int i = (z * n + y) * n + x;
  const bool edge = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
  out[i] = edge ? in[i] : (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]) / 6;
}
__global__ void soften(const float* in, float* out, int rows, int columns) {  // softmax, a block a row
  __shared__ float shared[32];
  const float* row = in + blockIdx.x * columns;
  float top = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) top = fmaxf(top, row[i]);
  for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = top;
  __syncthreads();
  top = threadIdx.x % 32 < blockDim.x / 32 ? shared[threadIdx.x % 32] : -INFINITY;
  for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - top);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = threadIdx.x % 32 < blockDim.x / 32 ? shared[threadIdx.x % 32] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = expf(row[i] - top) / sum;
}

int main() {
  {
    const int m = 45, n = 70, k = 33;
    std::vector<float> a(m * k), b(k * n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17) - 8;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 13) - 6;
    Buffer<float> da(a), db(b), dc(m * n);
    product<16><<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(da, db, dc, m, n, k);
    const auto c = dc.host();
    for (int r = 0; r < m; ++r)
      for (int s = 0; s < n; ++s) {
        float sum = 0;
        for (int i = 0; i < k; ++i) sum += a[r * k + i] * b[i * n + s];
        EXPECT(c[r * n + s] == sum);
      }
  }
  {
    const unsigned n = 100003;
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), -5000);
    Buffer<int> in(v), out(7);
    reduce6<int, 256><<<7, 256, 256 * 4>>>(in, out, n);
    const auto parts = out.host();
    EXPECT(std::accumulate(parts.begin(), parts.end(), 0) == std::accumulate(v.begin(), v.end(), 0));
    std::vector<double> w(v.begin(), v.end());
    Buffer<double> din(w), dout(3);
    reduce6<double, 64><<<3, 64, 96 * 8>>>(din, dout, n);
    const auto sums = dout.host();
    EXPECT(sums[0] + sums[1] + sums[2] == std::accumulate(w.begin(), w.end(), 0.0));
  }
  {
    std::vector<int> v(512);
    for (int i = 0; i < 512; ++i) v[i] = i * 7 % 23;
    Buffer<int> d(v);
    blelloch<<<1, 256, 512 * 4>>>(d, 512);
    std::vector<int> want(512);
    std::exclusive_scan(v.begin(), v.end(), want.begin(), 0);
    EXPECT(d.host() == want);
  }
  {
    std::vector<float> v(1024);
    for (int i = 0; i < 1024; ++i) v[i] = static_cast<float>(i * 7919 % 1021) - 300;
    Buffer<float> d(v);
    for (int k = 2; k <= 1024; k *= 2)
      for (int j = k / 2; j > 0; j /= 2) bitonic<<<8, 128>>>(d, j, k);
    std::sort(v.begin(), v.end());
    EXPECT(d.host() == v);
  }
  {
    const int n = 1000;
    std::vector<int> v(n), want(n);
    for (int i = 0; i < n; ++i) v[i] = i * i % 101;
    for (int i = 0; i < n; ++i)
      for (int d = -kRadius; d <= kRadius; ++d) want[i] += i + d >= 0 && i + d < n ? v[i + d] : 0;
    Buffer<int> in(v), out(n);
    stencil<<<(n + 127) / 128, 128>>>(in, out, n);
    EXPECT(out.host() == want);
  }
  {
    const int w = 50, h = 37;
    std::vector<u8> v(w * h);
    for (int i = 0; i < w * h; ++i) v[i] = i * 31 % 7 < 3;
    Buffer<u8> a(v), b(v.size());
    for (int step = 0; step < 6; ++step) {
      life<<<dim3(4, 3), dim3(16, 16)>>>(step % 2 ? b : a, step % 2 ? a : b, w, h);
      auto next = v;
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
          int alive = 0;
          for (int d = 0; d < 9; ++d)
            if (d != 4) alive += v[(y + d / 3 - 1 + h) % h * w + (x + d % 3 - 1 + w) % w];
          next[y * w + x] = alive == 3 || (alive == 2 && v[y * w + x]);
        }
      v = next;
    }
    EXPECT(a.host() == v);
  }
  {
    const int w = 60, h = 40;
    Buffer<int> out(w * h);
    mandelbrot<<<5, 96>>>(out, w, h);
    const auto got = out.host();
    int inside = 0;
    for (int i = 0; i < w * h; ++i) inside += got[i] == 200;
    EXPECT(inside > 300 && inside < 800 && got[0] <= 2);
  }
  {
    const int n = 64;
    std::vector<Body> b(n);
    for (int i = 0; i < n; ++i) b[i] = {{i * 0.7f, i % 7 * 1.0f, i % 3 * 2.0f}, {0, 0, 0}, 1.0f + i % 2};
    Buffer<Body> d(b);
    bodies<<<2, 32>>>(d, n, 0.5f);
    const auto got = d.host();
    for (int i = 0; i < n; ++i) {
      double a = 0;
      for (int k = 0; k < n; ++k) {
        const double dx = b[k].p.x - b[i].p.x, dy = b[k].p.y - b[i].p.y, dz = b[k].p.z - b[i].p.z;
        a += b[k].m * dx * std::pow(dx * dx + dy * dy + dz * dz + 1e-3, -1.5);
      }
      EXPECT(std::fabs(got[i].v.x - 0.5 * a) < 1e-4 * (1 + std::fabs(a)));
    }
  }
  {
    const int n = 20;
    std::vector<double> v(n * n * n), want(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = i * 37 % 101 * 0.1;
    Buffer<double> a(v), b(v.size());
    diffuse<<<dim3(3, 3, 5), dim3(8, 8, 4)>>>(a, b, n);
    const auto got = b.host();
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          const int i = (z * n + y) * n + x;
          const bool edge = !x || !y || !z || x == n - 1 || y == n - 1 || z == n - 1;
          EXPECT(got[i] == (edge ? v[i] : (v[i - 1] + v[i + 1] + v[i - n] + v[i + n] + v[i - n * n] + v[i + n * n]) / 6));
        }
  }
  {
    const int rows = 5, columns = 300;
    std::vector<float> v(rows * columns);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i * 13 % 47) * 0.3f - 5;
    Buffer<float> in(v), out(v.size());
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    soften<<<rows, 96, 0, stream>>>(in, out, rows, columns);
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaStreamDestroy(stream));
    const auto got = out.host();
    for (int r = 0; r < rows; ++r) {
      double sum = 0;
      for (int c = 0; c < columns; ++c) sum += std::exp(static_cast<double>(v[r * columns + c]));
      for (int c = 0; c < columns; ++c) EXPECT(std::fabs(got[r * columns + c] - std::exp(static_cast<double>(v[r * columns + c])) / sum) < 1e-6);
    }
  }
  return finish();
}
