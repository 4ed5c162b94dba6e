// A cuda::barrier that some threads use before one of them has made it.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void wait(int* out) {
  __shared__ alignas(Barrier) char storage[sizeof(Barrier)];
  auto* barrier = reinterpret_cast<Barrier*>(storage);
#ifdef RIGHT
  if (threadIdx.x == 0) init(barrier, blockDim.x);
  __syncthreads();
#endif
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
