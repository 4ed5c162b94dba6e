// A cuda::barrier that expects more threads than come.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void wait(int* out) {
  __shared__ alignas(Barrier) char storage[sizeof(Barrier)];
  auto* barrier = reinterpret_cast<Barrier*>(storage);
  if (threadIdx.x == 0) {
#ifdef RIGHT
    init(barrier, blockDim.x);
#else
    init(barrier, blockDim.x + 1);
#endif
  }
  __syncthreads();
  barrier->arrive_and_wait();  // <-- fault
  out[threadIdx.x] = 1;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  wait<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
