// Other legal orders: one thread for all, an atomic an element, halves of halves, Kahan's correction, and backwards in a
// wider type.
// loses: interleaved structure.uses_shared_memory
// loses: sequential structure.uses_shared_memory
// loses: sequential structure.bank_conflict_free
// loses: unrolled structure.uses_shared_memory
// loses: unrolled structure.bank_conflict_free
// loses: grid_stride structure.uses_shared_memory
// loses: shuffle structure.coalesced

__global__ void by_one_thread(const Element* x, Sum* out, int n) {
  Sum sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *out = sum;
}

SUM(interleaved) { by_one_thread<<<1, 1>>>(x, out, n); }

__global__ void an_atomic_each(const Element* x, Sum* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) add(out, x[i]);
}

SUM(sequential) {
  cudaMemset(out, 0, sizeof *out);
  if (n > 0) an_atomic_each<<<(n - 1) / 256 + 1, 256>>>(x, out, n);
}

template <int depth>
__device__ Sum halved(const Element* x, int n) {
  if constexpr (depth > 0) {
    return halved<depth - 1>(x, n / 2) + halved<depth - 1>(x + n / 2, n - n / 2);
  } else {
    Sum sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i];
    return sum;
  }
}

__global__ void in_halves(const Element* x, Sum* out, int n) {
  const long long threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = static_cast<int>(n * t / threads), end = static_cast<int>(n * (t + 1) / threads);
  add(out, halved<4>(x + first, end - first));
}

SUM(unrolled) {
  cudaMemset(out, 0, sizeof *out);
  in_halves<<<16, 64>>>(x, out, n);
}

__global__ void after_kahan(const Element* x, Sum* out, int n) {
  Sum sum = 0, lost = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += gridDim.x * blockDim.x) {
    const Sum term = x[i] - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  add(out, sum);
}

SUM(grid_stride) {
  cudaMemset(out, 0, sizeof *out);
  after_kahan<<<32, 128>>>(x, out, n);
}

__global__ void backwards(const Element* x, Sum* out, int n) {
  double sum = 0;
  for (int i = n - 1 - static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x)
    sum += x[i];
  add(out, static_cast<Sum>(sum));
}

SUM(shuffle) {
  cudaMemset(out, 0, sizeof *out);
  backwards<<<64, 128>>>(x, out, n);
}
