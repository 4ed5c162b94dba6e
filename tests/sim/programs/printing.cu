// What kernels print: formats, order of threads, strings from every memory; clocks; asserts that hold.
// expect: -5|4294967291|fb|FB|7|+5| 5|005|5  |0x5|05
// expect: 1.500000|1.50|1.5e+00|1.5|    1.50|1.50    |inf|nan
// expect: 123456789012|-1|75bcd15|2147483647
// expect: c=x s=hello 100% [  ab][ab  ][ab]
// expect: char -1 short 300 bool 1 float 0.1 double 0.10000000000000001
// expect: null (nil)
// expect: 1 2 3 4 5 6 7 8 9.5 10
// expect: from shared memory, from local memory
// expect: block 0 thread 0
// expect: block 0 thread 1
// expect: block 0 thread 2
// expect: block 1 thread 0
// expect: block 1 thread 1
// expect: block 1 thread 2
// expect: odd 1 3 5
// expect: done
// expect: ok
#include <cassert>

#include "check.cuh"

__device__ const char text[] = "hello";
__global__ void formats() {
  printf("%d|%u|%x|%X|%o|%+d|% d|%03d|%-3d|%#x|%#o\n", -5, -5, 251, 251, 7, 5, 5, 5, 5, 5, 5);
  printf("%f|%.2f|%.1e|%g|%8.2f|%-8.2f|%f|%f\n", 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, INFINITY, NAN);
  printf("%lld|%ld|%llx|%d\n", 123456789012LL, -1L, 123456789ULL, 0x7FFFFFFF);
  printf("c=%c s=%s 100%% [%4s][%-4s][%.2s]\n", 'x', text, "ab", "ab", "abcdef");
  const signed char c = -1;
  const short s = 300;
  printf("char %d short %d bool %d float %g double %.17g\n", c, s, true, 0.1f, 0.1);
  printf("null %p\n", static_cast<void*>(nullptr));
  printf("%d %d %d %d %d %lld %d %d %g %d\n", 1, 2, 3, 4, 5, 6LL, 7, 8, 9.5, 10);
  __shared__ char in_shared[8];
  char in_local[8];
  for (int i = 0; i < 8; ++i) {
    in_shared[i] = "shared"[i < 6 ? i : 6];
    in_local[i] = "local"[i < 5 ? i : 5];
  }
  printf("from %s memory, from %s memory\n", in_shared, in_local);
}
__global__ void order() { printf("block %d thread %d\n", blockIdx.x, threadIdx.x); }
__global__ void some(const char* word) {
  if (threadIdx.x == 0) printf("%s", word);
  __syncwarp();
  if (threadIdx.x % 2) printf(" %d", threadIdx.x);
  __syncwarp();
  if (threadIdx.x == 0) printf("\n");
}
__global__ void clocks(long long* out) {
  const long long a = clock64();
  const clock_t c = clock();
  volatile unsigned v = threadIdx.x;
  for (int i = 0; i < 1000; ++i) v = v * 1664525u + 1013904223u;
  const long long b = clock64();
  out[threadIdx.x] = b - a;
  out[32 + threadIdx.x] = v + c;
  __nanosleep(10);
  assert(b > a);
  assert(v != 0 || threadIdx.x < 32);
}
int main() {
  formats<<<1, 1>>>();
  CUDA(cudaDeviceSynchronize());
  order<<<2, 3>>>();
  CUDA(cudaDeviceSynchronize());
  const std::vector<char> word{'o', 'd', 'd', 0};
  Buffer<char> device_word(word);
  some<<<1, 6>>>(device_word);
  CUDA(cudaDeviceSynchronize());
  Buffer<long long> ticks(64);
  clocks<<<1, 32>>>(ticks);
  EXPECT(ticks.host()[3] >= 1000);
  std::printf("done\n");
  return finish();
}
