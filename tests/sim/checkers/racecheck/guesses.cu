// A read before an atomic of one direction is a guess if it only decides; here it is a result, or what is added goes both ways.
__global__ void result(const int* in, int* least, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int before = *least;
  atomicMin(least, in[i]);
  out[i] = before;
}
__global__ void added(const int* in, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (*sum < 100) atomicAdd(sum, in[i]);
}
int main() {
  int* x = nullptr;
  cudaMalloc(&x, 4096);
  cudaMemset(x, 0, 4096);
  result<<<2, 64>>>(x + 8, x, x + 256);
  added<<<2, 64>>>(x + 8, x + 2);
  cudaFree(x);
}
