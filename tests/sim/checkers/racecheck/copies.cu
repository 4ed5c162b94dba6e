// Races of instructions that are neither a plain load nor a plain store: who reads and who writes is told right.
#include <cuda_fp16.h>
#include <mma.h>

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// The matrix is read first.
__global__ void read_by_ldmatrix(unsigned* out) {
  __shared__ alignas(16) unsigned tile[32];
  if (threadIdx.x < 32) {
    unsigned r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(shared_address(tile + threadIdx.x % 8 * 4)));
    out[threadIdx.x] = r;
  } else {
    tile[threadIdx.x - 32] = threadIdx.x;
  }
}

// The matrix is written first.
__global__ void read_by_wmma(float* out) {
  using namespace nvcuda::wmma;
  __shared__ alignas(32) __half tile[256];
  if (threadIdx.x < 32) {
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = __int2half_rn(i);
  } else {
    fragment<matrix_a, 16, 16, 16, __half, row_major> a;
    load_matrix_sync(a, tile, 16);
    out[threadIdx.x] = __half2float(a.x[0]);
  }
}

// cp.async reads global memory ...
__global__ void copied_while_written(unsigned* data, unsigned* out) {
  __shared__ alignas(16) unsigned tile[32];
  if (threadIdx.x < 32) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + threadIdx.x)), "l"(data + threadIdx.x));
    asm volatile("cp.async.wait_all;");
    out[threadIdx.x] = tile[threadIdx.x];
  } else {
    data[threadIdx.x - 32] = threadIdx.x;
  }
}

// ... and writes shared memory.
__global__ void read_while_copied(unsigned* data, unsigned* out) {
  __shared__ alignas(16) unsigned tile[32];
  if (threadIdx.x < 32) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + threadIdx.x)), "l"(data + threadIdx.x));
    asm volatile("cp.async.wait_all;");
  } else {
    out[threadIdx.x - 32] = tile[threadIdx.x - 32];
  }
}

int main() {
  unsigned *data, *out;
  cudaMalloc(&data, 256);
  cudaMalloc(&out, 256);
  cudaMemset(data, 0, 256);
  read_by_ldmatrix<<<1, 64>>>(out);
  read_by_wmma<<<1, 64>>>(reinterpret_cast<float*>(out));
  copied_while_written<<<1, 64>>>(data, out);
  read_while_copied<<<1, 64>>>(data, out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
}
