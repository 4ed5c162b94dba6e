// A fixed grid whose threads step through the picture, with the weights of red, green and blue as dot products of bytes.
// `vector` loads float4, of which each number holds the bits of a pixel.
#include "contract.cuh"

__device__ unsigned char of_bits(unsigned p) {
  float sum =
      fmaf(0.299F, static_cast<float>(p & 0xff), 0.587F * static_cast<float>(__byte_perm(p, 0, 0x4441)));
  sum = fmaf(0.114F, static_cast<float>(__byte_perm(p, 0, 0x4442)), sum);
  return static_cast<unsigned char>(__float2int_rn(sum));
}

__global__ void stride(const uchar4* image, unsigned char* out, unsigned pixels) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    const uchar4 p = __ldg(image + i);
    out[i] = of_bits(p.x | p.y << 8 | p.z << 16);
  }
}

__global__ void stride_vector(const uchar4* image, unsigned char* out, unsigned pixels) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (unsigned i = first; i < pixels / 4; i += step) {
    const float4 p = reinterpret_cast<const float4*>(image)[i];
    uchar4 four;
    four.x = of_bits(__float_as_uint(p.x));
    four.y = of_bits(__float_as_uint(p.y));
    four.z = of_bits(__float_as_uint(p.z));
    four.w = of_bits(__float_as_uint(p.w));
    reinterpret_cast<uchar4*>(out)[i] = four;
  }
  const unsigned last = pixels / 4 * 4 + first;
  if (last < pixels) out[last] = of_bits(reinterpret_cast<const unsigned*>(image)[last]);
}

static unsigned grid(unsigned work) { return min((work + 255) / 256, 1024u); }

void grey_pixel(const uchar4* image, unsigned char* out, int rows, int cols) {
  const unsigned pixels = static_cast<unsigned>(rows) * static_cast<unsigned>(cols);
  if (pixels > 0) stride<<<grid(pixels), 256>>>(image, out, pixels);
}

void grey_vector(const uchar4* image, unsigned char* out, int rows, int cols) {
  const unsigned pixels = static_cast<unsigned>(rows) * static_cast<unsigned>(cols);
  if (pixels > 0) stride_vector<<<grid(pixels / 4 + 1), 256>>>(image, out, pixels);
}
