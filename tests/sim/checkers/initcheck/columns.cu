// A column of a tile is read over and over; what is known of one block is nothing to the next.
__global__ void column_sums(int* out) {
  __shared__ int tile[32][33];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  for (int r = y; r < 32; r += 2) {
    if (blockIdx.x != 1 || r != 9 || x != 4) tile[r][x] = 1;
  }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    for (int c = 0; c < 32; ++c) sum += tile[x][c];
    if (round == 1 && blockIdx.x == 1 && threadIdx.x == 40) tile[9][4] = 1;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 3 * 64 * sizeof(int));
  column_sums<<<3, 64>>>(out);
  return cudaDeviceSynchronize();
}
