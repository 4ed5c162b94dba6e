// What was written in part is copied with the rest, which remains unwritten there: it is told where it is used.
struct Mixed {
  char letter;
  double number;
};

__global__ void parts(float4* points, Mixed* mixed) {
  points[threadIdx.x].x = points[threadIdx.x].y = points[threadIdx.x].z = 1;
  mixed[threadIdx.x].letter = 'a';
  mixed[threadIdx.x].number = threadIdx.x;
}

/// Silent, for it only moves them, by way of shared memory.
__global__ void move(const float4* points, const Mixed* mixed, float4* to, Mixed* other) {
  __shared__ float4 tile[64];
  tile[threadIdx.x] = points[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = tile[63 - threadIdx.x];
  other[threadIdx.x] = mixed[63 - threadIdx.x];
}

__global__ void written_parts(const float4* points, const Mixed* mixed, float* out) {
  const float4 p = points[threadIdx.x];
  out[threadIdx.x] = p.x + p.y * p.z + mixed[threadIdx.x].letter + static_cast<float>(mixed[threadIdx.x].number);
}

__global__ void all_parts(const float4* points, float* out) {
  const float4 p = points[threadIdx.x];
  out[threadIdx.x] = p.x + p.y + p.z + p.w;
}

/// Of this nobody has written anything: it is told where it is copied.
__global__ void nothing(const float4* from, float4* to) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  float4 *a, *b;
  Mixed *c, *d;
  float* out;
  cudaMalloc(&a, 128 * sizeof(float4));
  cudaMalloc(&b, 64 * sizeof(float4));
  cudaMalloc(&c, 64 * sizeof(Mixed));
  cudaMalloc(&d, 64 * sizeof(Mixed));
  cudaMalloc(&out, 64 * sizeof(float));
  parts<<<1, 64>>>(a, c);
  move<<<1, 64>>>(a, c, b, d);
  written_parts<<<1, 64>>>(b, d, out);
  all_parts<<<1, 64>>>(b, out);
  nothing<<<1, 64>>>(a + 64, b);
  return cudaDeviceSynchronize();
}
