// Launches a kernel of many blocks that takes about so many milliseconds here: a few of its blocks are measured
// before.
#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void spin(unsigned* out, int rounds) {
  unsigned value = blockIdx.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u;
  if (value == 7u) *out = value;
}

constexpr int kBlocks = 100'000, kFew = 100;

double milliseconds_of_few(unsigned* out, int rounds) {
  const auto begin = std::chrono::steady_clock::now();
  spin<<<kFew, 32>>>(out, rounds);
  cudaDeviceSynchronize();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

int main(int, char** arguments) {
  const double wanted = std::atof(arguments[1]);
  unsigned* out = nullptr;
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);
  std::printf("before\n");
  std::fflush(stdout);
  int rounds = 64;
  double few = 0;
  while ((few = milliseconds_of_few(out, rounds)) < 100) rounds *= 2;
  rounds = static_cast<int>(rounds * wanted / (few * kBlocks / kFew));
  spin<<<kBlocks, 32>>>(out, rounds > 1 ? rounds : 1);
  cudaDeviceSynchronize();
  std::printf("after\n");
  cudaFree(out);
}
