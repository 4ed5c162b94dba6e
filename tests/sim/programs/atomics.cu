// Atomics: every type and operation, in global and in shared memory, with the values that they return; loops of
// compare-and-swap, locks, vectors.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <set>

#include "check.cuh"

constexpr int kThreads = 96, kBlocks = 3, kAll = kThreads * kBlocks;
/// `out`: the results of the operations, 16 an address space.
template <class T>
__device__ void integer_operations(T* cells, T i) {
  atomicAdd(&cells[0], i);
  atomicMin(&cells[1], i);
  atomicMax(&cells[2], i);
  atomicAnd(&cells[3], ~(T(1) << (i % 13)));
  atomicOr(&cells[4], T(1) << (i % 17));
  atomicXor(&cells[5], i * 77);
  T old = cells[6], seen;
  do {  // multiplication, by compare and swap
    seen = old;
    old = atomicCAS(&cells[6], seen, seen * 3 + 1);
  } while (old != seen);
}
template <class T>
__global__ void integers_kernel(T* global, T* from_shared, T* exchanged) {
  __shared__ T shared[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8) shared[threadIdx.x] = global[8 + threadIdx.x];
  __syncthreads();
  integer_operations<T>(global, static_cast<T>(i));
  integer_operations<T>(shared, static_cast<T>(i));
  exchanged[i] = atomicExch(&global[7], static_cast<T>(i + 1));
  __syncthreads();
  if (threadIdx.x < 8) from_shared[blockIdx.x * 8 + threadIdx.x] = shared[threadIdx.x];
}
template <class T>
void check_integers(const char* name) {
  std::vector<T> start{5, 1000, 0, static_cast<T>(~T(0)), 0, 0, 1, 0, 5, 1000, 0, static_cast<T>(~T(0)), 0, 0, 1, 0};
  Buffer<T> cells(start), shared(8 * kBlocks), exchanged(kAll);
  integers_kernel<T><<<kBlocks, kThreads>>>(cells, shared, exchanged);
  const auto got = cells.host(), in_shared = shared.host(), values = exchanged.host();
  const auto apply = [&](int first, int count) {
    std::vector<T> c(start.begin(), start.begin() + 8);
    for (int k = first; k < first + count; ++k) {
      const T i = static_cast<T>(k);
      c[0] += i; c[1] = i < c[1] ? i : c[1]; c[2] = i > c[2] ? i : c[2]; c[3] &= ~(T(1) << (i % 13)); c[4] |= T(1) << (i % 17); c[5] ^= i * 77;
      c[6] = c[6] * 3 + 1;
    }
    return c;
  };
  const auto want = apply(0, kAll);
  for (int k = 0; k < 7; ++k) compare(name, got[k], want[k], 0, (std::string("global ") + shown(k)).c_str());
  for (int b = 0; b < kBlocks; ++b) {
    const auto w = apply(b * kThreads, kThreads);
    for (int k = 0; k < 7; ++k) compare(name, in_shared[b * 8 + k], w[k], 0, (std::string("shared ") + shown(k)).c_str());
  }
  // Exchanges: every value came out once, but the last one that is still there.
  std::set<T> all(values.begin(), values.end());
  all.insert(got[7]);
  EXPECT(all.size() == kAll + 1u);
}
__global__ void counters_kernel(u32* c, u32* tickets, int* down) {
  __shared__ u32 s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tickets[i] = atomicInc(&c[0], 9999);
  atomicInc(&c[1], 6);
  atomicDec(&c[2], 10);
  down[i] = atomicSub(reinterpret_cast<int*>(&c[3]), 2);
  atomicInc(&s, 4);
  __syncthreads();
  if (threadIdx.x == 0) c[4 + blockIdx.x] = s;
}
__device__ float atomic_max_float(float* p, float v) {
  int old = __float_as_int(*p);
  while (v > __int_as_float(old)) {
    const int seen = old;
    old = atomicCAS(reinterpret_cast<int*>(p), seen, __float_as_int(v));
    if (old == seen) break;
  }
  return __int_as_float(old);
}
__global__ void floats_kernel(float* f, double* d, __half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  __shared__ float sf;
  __shared__ double sd;
  __shared__ __half2 sh;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) { sf = 0; sd = 0; sh = __floats2half2_rn(0, 0); }
  __syncthreads();
  atomicAdd(&f[0], i * 0.5f);
  atomicAdd(&d[0], i * 0.25);
  atomicAdd(&h[0], __float2half(0.5f));
  atomicAdd(&h2[0], __floats2half2_rn(0.5f, 1.0f));
  atomicAdd(&b[0], __float2bfloat16(0.5f));
  atomicAdd(&b2[0], __floats2bfloat162_rn(0.5f, 1.0f));
  atomic_max_float(&f[1], static_cast<float>((i * 37) % 101));
  f[2 + i] = atomicExch(&f[2 + kAll], static_cast<float>(i));
  atomicAdd(&sf, 1.5f);
  atomicAdd(&sd, 0.125);
  atomicAdd(&sh, __floats2half2_rn(1.0f, 0.5f));
  __syncthreads();
  if (t == 0) {
    atomicAdd(&f[3 + kAll], sf);
    atomicAdd(&d[1], sd);
    h2[1 + blockIdx.x] = sh;
  }
}
__global__ void short_cas(unsigned short* s) {
  unsigned short old = s[0], seen;
  do { seen = old; old = atomicCAS(s, seen, static_cast<unsigned short>(seen + 3)); } while (old != seen);
}
// A lock that every thread takes: within a warp, between warps, between blocks.
__device__ int lock = 0;
__device__ volatile int guarded = 0;
__global__ void locked(int* order) {
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      order[guarded] = blockIdx.x * blockDim.x + threadIdx.x;
      guarded = guarded + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
__global__ void spin_in_warp(int* total) {  // the textbook loop: the lock is released inside the loop's branch
  __shared__ int mutex, sum;
  if (threadIdx.x == 0) { mutex = 0; sum = 0; }
  __syncthreads();
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  sum += threadIdx.x;
  __threadfence_block();
  atomicExch(&mutex, 0);
  __syncthreads();
  if (threadIdx.x == 0) *total = sum;
}
// The last block to finish adds up what the others left: the pattern of the CUDA samples.
__device__ unsigned finished = 0;
__global__ void last_block(const float* in, float* partial, float* out, int n) {
  __shared__ float work[64];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  work[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (threadIdx.x < k) work[threadIdx.x] += work[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = work[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += reinterpret_cast<volatile float*>(partial)[b];
    *out = total;
  }
}
// A chain of blocks: each waits until the one before has published its prefix (decoupled look-back in small).
__global__ void chained(const int* in, int* out, volatile int* prefix, volatile int* ready) {
  __shared__ int before;
  const int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const int w = __shfl_up_sync(0xFFFFFFFFu, v, d);
    if (t >= d) v += w;
  }
  if (t == 31) {
    if (b > 0) while (ready[b - 1] == 0) {}
    __threadfence();
    before = b > 0 ? prefix[b - 1] : 0;
    prefix[b] = before + v;
    __threadfence();
    ready[b] = 1;
  }
  __syncthreads();
  out[i] = before + v;
}
__global__ void histogram(const u8* data, int n, u32* bins) {
  __shared__ u32 local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[data[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

/// Sixteen bytes that threads of all blocks store and load at once are of one store, as scans that look back need it.
__global__ void sixteen_bytes(ulonglong2* place, int* torn, int rounds) {
  const unsigned long long own = blockIdx.x * blockDim.x + threadIdx.x + 1;
  for (int k = 0; k < rounds; ++k) {
    unsigned long long a, b;
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(place), "l"(own), "l"(own) : "memory");
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(place) : "memory");
    if (a != b) atomicAdd(torn, 1);
  }
}

int main() {
  check_integers<int>("int"); check_integers<u32>("unsigned"); check_integers<u64>("unsigned long long");
  {
    Buffer<u32> c(std::vector<u32>{0, 0, 5, 1000, 0, 0, 0}), tickets(kAll);
    Buffer<int> down(kAll);
    counters_kernel<<<kBlocks, kThreads>>>(c, tickets, down);
    const auto v = c.host();
    const auto t = tickets.host();
    EXPECT(std::set<u32>(t.begin(), t.end()).size() == kAll);
    EXPECT(v[0] == kAll && v[1] == kAll % 7 && v[3] == 1000u - 2 * kAll && v[4] == kThreads % 5);
    u32 d = 5;
    for (int i = 0; i < kAll; ++i) d = d == 0 || d > 10 ? 10 : d - 1;
    EXPECT(v[2] == d);
  }
  {
    std::vector<float> f(4 + kAll, 0.0f);
    f[1] = -1;
    Buffer<float> df(f);
    Buffer<double> dd(std::vector<double>{0, 0});
    Buffer<__half> dh(std::vector<__half>{__float2half(0), __float2half(0)});
    Buffer<__half2> dh2(std::vector<__half2>(1 + kBlocks, __floats2half2_rn(0, 0)));
    Buffer<__nv_bfloat16> db(std::vector<__nv_bfloat16>{__float2bfloat16(0), __float2bfloat16(0)});
    Buffer<__nv_bfloat162> db2(std::vector<__nv_bfloat162>{__floats2bfloat162_rn(0, 0)});
    floats_kernel<<<kBlocks, kThreads>>>(df, dd, dh, dh2, db, db2);
    const auto v = df.host();
    const auto d = dd.host();
    EXPECT(v[0] == kAll * (kAll - 1) / 4.0f && v[1] == 100 && v[3 + kAll] == kAll * 1.5f);
    EXPECT(d[0] == kAll * (kAll - 1) / 8.0 && d[1] == kAll * 0.125);
    EXPECT(__half2float(dh.host()[0]) == kAll * 0.5f);
    const auto h2 = dh2.host();
    EXPECT(__half2float(h2[0].x) == kAll * 0.5f && __half2float(h2[0].y) == kAll * 1.0f);
    for (int b = 0; b < kBlocks; ++b) EXPECT(__half2float(h2[1 + b].x) == kThreads && __half2float(h2[1 + b].y) == kThreads * 0.5f);
    EXPECT(__bfloat162float(db.host()[0]) == 128.0f);  // 128.5 is no bfloat16: rounds back to even
    EXPECT(__bfloat162float(db2.host()[0].y) == 256.0f);
  }
  {
    Buffer<unsigned short> s(std::vector<unsigned short>{65000, 77});
    short_cas<<<3, 50>>>(s);
    EXPECT(s.host()[0] == static_cast<unsigned short>(65000 + 450) && s.host()[1] == 77);
  }
  {
    Buffer<int> order(256), total(1);
    locked<<<4, 64>>>(order);
    const auto o = order.host();
    EXPECT(std::set<int>(o.begin(), o.end()).size() == 256);
    spin_in_warp<<<1, 64>>>(total);
    EXPECT(total.host()[0] == 64 * 63 / 2);
  }
  {
    std::vector<float> in(5000, 0.5f);
    Buffer<float> d(in), partial(7), out(1);
    for (int run = 0; run < 2; ++run) {
      last_block<<<7, 64>>>(d, partial, out, 5000);
      EXPECT(out.host()[0] == 2500);
    }
  }
  {
    std::vector<int> in(32 * 40), zero(40);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7 % 11);
    Buffer<int> d(in), out(in.size()), prefix(zero), ready(zero);
    chained<<<40, 32>>>(d, out, prefix, ready);
    const auto o = out.host();
    for (std::size_t i = 0, sum = 0; i < in.size(); ++i) {
      sum += in[i];
      compare("chained", o[i], static_cast<int>(sum), 0, shown(i).c_str());
    }
  }
  {
    std::vector<u8> data(10000);
    std::vector<u32> want(256), zero(256);
    for (std::size_t i = 0; i < data.size(); ++i) ++want[data[i] = static_cast<u8>(i * i % 251)];
    Buffer<u8> d(data);
    Buffer<u32> bins(zero);
    histogram<<<5, 96>>>(d, 10000, bins);
    EXPECT(bins.host() == want);
  }
  {
    Buffer<ulonglong2> place(1);
    std::vector<int> none(1);
    Buffer<int> torn(none);
    sixteen_bytes<<<64, 32>>>(place, torn, 300);
    EXPECT(torn.host()[0] == 0);
  }
  return finish();
}
