// Headers that programs include beside the runtime's, and how they ask who compiles them.
#include <library_types.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
#include <cuda/ptx>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cstdlib>
#include <cuda/std/span>
#include <cuda/std/utility>
#include <nv/target>
#include <vector_functions.hpp>

#include "check.cuh"

#ifdef __NVCC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

BOTH int side() { NV_IF_TARGET(NV_IS_DEVICE, (return 1;), (return 2;)) }
BOTH int most() {
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_90, (return 90;), NV_PROVIDES_SM_80, (return 80;), NV_IS_HOST,
                     (return 0;))
}
BOTH int several() {
  int n = 3;
  NV_IF_TARGET(NV_IS_HOST, (n = 4; n += 1;))
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_70, (n += 10;), (n += 20;))
  return n;
}

__global__ void on_device(int* out) {
  out[0] = side();
  out[1] = most();
  out[2] = several();
  out[3] = make_int2(1, 2).y;
}

// The toolkit has these in C++17, whose library has not.
BOTH unsigned count_bits(unsigned x) {
  using namespace cuda::std;
  const unsigned counts = popcount(x) + 64 * countl_zero(x) + 4096 * countr_zero(x) + 262144 * bit_width(x);
  return (counts ^ rotl(x, 5) ^ rotr(x, 3) ^ bit_floor(x) ^ bit_ceil(x >> 1)) + has_single_bit(x) +
         countl_one(static_cast<unsigned char>(x)) + countr_one(static_cast<unsigned short>(x));
}
BOTH float sum_of(cuda::std::span<const float> values) {
  float sum = values.empty() ? 0 : 100 * values.front() + values.back();
  for (const float& value : values) sum += value;
  return sum;
}
BOTH float spans(float* data, int n) {
  const cuda::std::span all(data, n);
  float fixed[3] = {1, 2, 3};
  cuda::std::array<float, 2> pair{4, 5};
  const cuda::std::span of_array(fixed);
  static_assert(decltype(of_array)::extent == 3 && decltype(all)::extent == cuda::std::dynamic_extent);
  all[1] += 1;
  return sum_of(all) + sum_of(all.subspan(2, 3)) + sum_of(all.first(2)) + sum_of(all.last<1>()) +
         sum_of(of_array) + sum_of(pair) + sum_of({}) + all.size_bytes();
}

__global__ void of_cpp20(unsigned* bits, float* sums) {
  namespace ptx = cuda::ptx;
  const unsigned t = ptx::get_sreg_tid_x() + ptx::get_sreg_ctaid_x() * ptx::get_sreg_ntid_x();
  const auto begin = cuda::std::chrono::system_clock::now();
  unsigned other = t * 2654435761u;
  cuda::std::swap(bits[t], other);
  bits[t] = count_bits(cuda::std::exchange(bits[t], other));
  const auto took = cuda::std::chrono::high_resolution_clock::now() - begin;
  if (took < cuda::std::chrono::nanoseconds::zero()) bits[t] = 0;
  ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu);
  if (ptx::get_sreg_laneid() == 0) sums[8 + t / 32] = spans(sums, 8);
}

void check_cpp20() {
  Buffer<unsigned> bits(std::vector<unsigned>(32));
  std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  Buffer<float> sums(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 0});
  NVTX3_FUNC_RANGE();
  const nvtx3::scoped_range range{"in C++", nvtx3::rgb{255, 0, 0}};
  of_cpp20<<<1, 32>>>(bits, sums);
  nvtx3::mark("launched");
  const auto got = bits.host();
  for (unsigned t = 0; t < 32; ++t) EXPECT(got[t] == count_bits(t * 2654435761u));
  EXPECT(sums.host()[8] == spans(values.data(), 8));
}

int main() {
  check_cpp20();
  Buffer<int> out(std::vector<int>(4, 0));
  nvtxRangePush("on the device");
  on_device<<<1, 1>>>(out);
  nvtxRangePop();
  EXPECT(out.host()[0] == 1 && out.host()[1] == 80 && out.host()[2] == 13 && out.host()[3] == 2);
  EXPECT(side() == 2 && most() == 0 && several() == 25);
  EXPECT(CUDA_R_32F == 0 && CUDA_R_16BF == 14);
  return finish();
}
