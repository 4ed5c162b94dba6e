// What calls return where operations wait in a queue: a launch and a copy that cannot be, a flag that a kernel
// sets while the host looks at nothing else, and a fault.
#include "common.cuh"

static int host[2 * kCount];

__global__ void raise(volatile int* flag) { *flag = 1; }

int main() {
  int *a = on_card(), *flag = nullptr;
  cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
  *flag = 0;
  cudaStream_t stream = new_stream();
  fill<<<kBlocks, 4 * 1024, 0, stream>>>(a, 1);
  printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("copy: %s\n", cudaGetErrorName(cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, stream)));
  cudaGetLastError();
  raise<<<1, 1, 0, stream>>>(flag);
  while (*static_cast<volatile int*>(flag) == 0) {
  }
  puts("seen");
  fill<<<1 << 10, kThreads, 0, stream>>>(a, 1);
  printf("before the fault: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("fault: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
}
