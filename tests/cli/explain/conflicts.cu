// Shared-memory access patterns, from harmless to worst, and a divided branch.
#include <cstdio>

#include "pick.cuh"

template <int stride>
__global__ void strided(float* out) {
	__shared__ float tile[32 * 32];
	for (int i = threadIdx.x; i < 32 * 32; i += 32) tile[i] = 1;   // a comment that makes this line a good deal longer than any terminal is wide, so that it has to be cut somewhere
	__syncwarp();
	out[threadIdx.x] = tile[threadIdx.x * stride];
}

__global__ void others(double* out, int* counts) {
	__shared__ double pairs[64];
	__shared__ int bins[32];
	extern __shared__ float more[];
	const int t = threadIdx.x;
	pairs[t] = t;
	bins[t % 32] = 0;
	__syncthreads();
	if (t % 4 == 0) {
		for (int i = 0; i < 20 + t; ++i) atomicAdd(&bins[i % 2], t);
	}
	more[t] = pick(pairs, t);
	__syncthreads();
	out[t * 16] = more[t] + pairs[2 * t % 64];
	if (t < 32) counts[t] = bins[t];
}

int main() {
	float* a;
	double* b;
	int* c;
	cudaMalloc(&a, 4 * 32);
	cudaMalloc(&b, 8 * 64 * 16);
	cudaMalloc(&c, 4 * 32);
	strided<1><<<1, 32>>>(a);
	strided<2><<<4, 32>>>(a);
	strided<2><<<4, 32>>>(a);
	others<<<1, 64, 256>>>(b, c);
	std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
