// Wishes about the L2 cache: they change nothing but what stays in it.
// nvcc alone: <cuda/annotated_ptr> is the toolkit's
#include <cuda/annotated_ptr>

#include "check.cuh"

__global__ void annotated(const float* in, float* out, size_t n) {
  const cuda::annotated_ptr<const float, cuda::access_property::persisting> often(in);
  const cuda::access_property range(out, n * sizeof(float), n * sizeof(float), cuda::access_property::persisting{},
                                    cuda::access_property::streaming{});
  const cuda::annotated_ptr<float, cuda::access_property> once(out, range);
  const cuda::access_property half(cuda::access_property::streaming{}, 0.5f);
  const cuda::annotated_ptr<float, cuda::access_property> other(out + n, half);
  once[threadIdx.x] = often[threadIdx.x] * 2;
  other[threadIdx.x] = often[n - 1 - threadIdx.x];
}

__global__ void by_hand(const float4* in, float4* out, u32 bytes) {
  __shared__ __align__(16) float4 tile[32];
  u64 first, last, range, copy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0;" : "=l"(first));
  asm("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.25;" : "=l"(last));
  asm("createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %0, [%1], %2, %3;"
      : "=l"(range) : "l"(in), "r"(bytes), "r"(bytes));
  asm("createpolicy.cvt.L2.b64 %0, %1;" : "=l"(copy) : "l"(first));
  const int t = threadIdx.x;
  float4 v;
  asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(in + t), "l"(last));
  const auto to = static_cast<u32>(__cvta_generic_to_shared(tile + t));
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" :: "r"(to), "l"(in + 31 - t), "l"(range));
  asm volatile("cp.async.wait_all;" ::: "memory");
  v.x += tile[t].w;
  asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;"
               :: "l"(out + t), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "l"(copy) : "memory");
  asm volatile("red.global.L2::cache_hint.add.f32 [%0], %1, %2;" :: "l"(&out[t].y), "f"(0.5f), "l"(first) : "memory");
}

int main() {
  constexpr int n = 128;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i * i % 91);
  Buffer<float> in(values), out(2 * n);
  annotated<<<1, n>>>(in, out, n);
  CUDA(cudaGetLastError());
  auto got = out.host();
  for (int i = 0; i < n; ++i) EXPECT(got[i] == 2 * values[i] && got[n + i] == values[n - 1 - i]);
  by_hand<<<1, 32>>>(reinterpret_cast<float4*>(in.data), reinterpret_cast<float4*>(out.data), n * 4);
  CUDA(cudaGetLastError());
  got = out.host();
  for (int i = 0; i < n; ++i) {
    const float more = i % 4 == 0 ? values[4 * (31 - i / 4) + 3] : i % 4 == 1 ? 0.5f : 0.0f;
    EXPECT(got[i] == values[i] + more);
  }
  return finish();
}
