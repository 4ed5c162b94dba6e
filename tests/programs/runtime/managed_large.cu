// Managed memory of more than the card and the machine hold: what is touched of it has to fit.

#include <cstddef>
#include <cstdio>

constexpr std::size_t kAll = std::size_t{64} << 30, kPart = std::size_t{50} << 20;
constexpr std::size_t kInts = kPart / sizeof(int), kBack = (kAll - kPart) / sizeof(int);

__global__ void from_front_to_back(int* all) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < kInts; i += step) {
    all[kBack + i] = 2 * all[i];
    all[i] += 1;
  }
}

std::size_t right(const int* from, std::size_t factor, std::size_t more) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < kInts; ++i) count += from[i] == static_cast<int>(i * factor + more);
  return count;
}

int main() {
  int *all = nullptr, *small = nullptr;
  std::size_t before = 0, after = 0, total = 0;
  cudaMemGetInfo(&before, &total);
  std::printf("64 GiB: %s\n", cudaGetErrorName(cudaMallocManaged(&all, kAll)));
  cudaMallocManaged(&small, sizeof(int));
  cudaMemGetInfo(&after, &total);
  for (std::size_t i = 0; i < kInts; ++i) all[i] = static_cast<int>(i);
  for (int round = 0; round < 2; ++round) {
    from_front_to_back<<<64, 256>>>(all);
    std::printf("launch: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }
  std::printf("front: %zu of %zu, back: %zu of %zu, between: %d\n", right(all, 1, 2), kInts,
              right(all + kBack, 2, 2), kInts, all[kAll / sizeof(int) / 2]);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, all + kBack);
  std::printf("managed: %d, taken of the card: %d\n", attributes.type == cudaMemoryTypeManaged,
              before - after > std::size_t{1} << 20);
  std::printf("free: %s\n", cudaGetErrorName(cudaFree(all)));
  cudaMallocManaged(&all, kAll);
  std::printf("again: %d %d\n", all[0], all[kBack]);
  cudaFree(all);
  cudaFree(small);
}
