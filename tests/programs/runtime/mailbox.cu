// A kernel that waits for the host's answer in mapped memory. A card would go on; here the two have a copy each
// while the kernel runs. With an argument it waits for a kernel of another stream.
#include <cstdio>

__global__ void ask(volatile int* box) {
  box[0] = 1;
  __threadfence_system();
  while (box[1] == 0) {
  }
  box[2] = box[1] + 1;
}
__global__ void answer(volatile int* box) { box[1] = 41; }

int ask_a_kernel() {
  cudaStream_t asking, answering;
  cudaStreamCreateWithFlags(&asking, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&answering, cudaStreamNonBlocking);
  int *box = nullptr, result = -1;
  cudaMalloc(&box, 64);
  cudaMemset(box, 0, 64);
  cudaDeviceSynchronize();
  ask<<<1, 1, 0, asking>>>(box);
  answer<<<1, 1, 0, answering>>>(box);
  cudaStreamSynchronize(asking);
  printf("%s\n", cudaGetErrorName(cudaMemcpy(&result, box + 2, sizeof result, cudaMemcpyDeviceToHost)));
  return result;
}

int main(int arguments, char**) {
  if (arguments > 1) return ask_a_kernel() != 42;
  int* box = nullptr;
  cudaHostAlloc(&box, 64, cudaHostAllocMapped);
  box[0] = box[1] = box[2] = 0;
  ask<<<1, 1>>>(box);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
