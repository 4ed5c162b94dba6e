#include <cstdio>
#include <cstdlib>

#include "sum.cuh"

bool to_host(int* to, const int* from);

__global__ void sum(const int* values, int count, int* result) {
  *result = sum_of(values, count);
}

int main(int count, char** words) {
  const int wanted = count > 1 ? std::atoi(words[1]) : 10;
  int *values, *result, host = 0;
  cudaMalloc(&values, 100 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  int numbers[100];
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  cudaMemcpy(values, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(values, wanted, result);
  if (!to_host(&host, result)) return 7;
  std::printf("the sum is %d\n", host);
  return 3;
}
