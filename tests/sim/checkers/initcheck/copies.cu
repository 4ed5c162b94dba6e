// What nobody has written, read by instructions that are no plain load.
__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__global__ void read_by_ldmatrix(unsigned* out) {
  __shared__ alignas(16) unsigned tile[32];
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(shared_address(tile + threadIdx.x % 8 * 4)));
  out[threadIdx.x] = r;
}

__global__ void read_by_copy(const unsigned* data, unsigned* out) {
  __shared__ alignas(16) unsigned tile[32];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + threadIdx.x)), "l"(data + threadIdx.x));
  asm volatile("cp.async.wait_all;");
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void changed(unsigned* data) { atomicAdd(data + 32, 1u); }

int main() {
  unsigned *data, *out;
  cudaMalloc(&data, 256);
  cudaMalloc(&out, 256);
  read_by_ldmatrix<<<1, 32>>>(out);
  read_by_copy<<<1, 32>>>(data, out);
  changed<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
}
