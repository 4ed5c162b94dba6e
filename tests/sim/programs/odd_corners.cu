// What course programs write and compilers have stumbled over: tables of words, mathematics on integers,
// complex numbers, what may hold nothing.
#include <cmath>
#include <cuda/std/complex>
#include <cuda/std/optional>

#include "check.cuh"

#if __CUDACC_VER_MAJOR__ < 12
#error a compiler of CUDA says its version
#endif

__device__ int length(const char* text) {
  int n = 0;
  while (text[n] != '\0') ++n;
  return n;
}

__global__ void words(int* lengths) {
  const char* names[] = {"zero", "one", "three"};
  const char* const more[] = {"", "a"};
  lengths[threadIdx.x] = length(names[threadIdx.x]) + length(more[threadIdx.x % 2]);
}

__global__ void of_integers(const int* in, double* out) {
  const int a = in[0];
  int exponent;
  out[0] = ldexp(a, 3);
  out[1] = scalbn(a, 2);
  out[2] = frexp(a, &exponent) * 100;
  out[2] += exponent;
  out[3] = ilogb(a);
  out[4] = static_cast<double>(lround(a) + llround(a) + lrint(a) + llrint(a));
  out[5] = norm3d(a, 12, 20);
  out[6] = umin(3u, 5u) + umax(3u, 5u) + llmin(-1, 1) + llmax(-1, 1) + ullmin(2, 3) + ullmax(2, 3);
}

__global__ void others(float* out) {
  const cuda::std::complex<float> z(1, 2);
  const auto product = z * z, quotient = product / z;
  out[0] = product.real();
  out[1] = product.imag();
  out[2] = quotient.imag();
  const cuda::std::optional<int> two = 2;
  out[3] = static_cast<float>(two.value());
}

int main() {
  Buffer<int> lengths(std::vector<int>(3, 0)), in(std::vector<int>(1, 9));
  words<<<1, 3>>>(lengths);
  EXPECT(lengths.host()[0] == 4 && lengths.host()[1] == 4 && lengths.host()[2] == 5);
  Buffer<double> numbers(std::vector<double>(7, 0.0));
  of_integers<<<1, 1>>>(in, numbers);
  const double wanted[] = {72, 36, 60.25, 3, 36, 25, 13};
  for (int i = 0; i < 7; ++i) EXPECT(numbers.host()[i] == wanted[i]);
  Buffer<float> rest(std::vector<float>(4, 0.0f));
  others<<<1, 1>>>(rest);
  EXPECT(rest.host()[0] == -3 && rest.host()[1] == 4 && rest.host()[2] == 2 && rest.host()[3] == 2);
  return finish();
}
