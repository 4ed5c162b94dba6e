// Quicksort by kernels that launch themselves, as deep as the numbers want it and no deeper than allowed.
#include <cstdio>
#include <cstdlib>

constexpr int kSmall = 16, kDeepest = 20;

__device__ void selection_sort(int* data, int first, int last) {
  for (int i = first; i < last; ++i) {
    int least = i;
    for (int j = i + 1; j <= last; ++j) least = data[j] < data[least] ? j : least;
    const int t = data[i];
    data[i] = data[least];
    data[least] = t;
  }
}

__global__ void sort(int* data, int first, int last, int depth) {
  if (depth >= kDeepest || last - first < kSmall) {
    selection_sort(data, first, last);
    return;
  }
  const int pivot = data[(first + last) / 2];
  int left = first, right = last;
  while (left <= right) {
    while (data[left] < pivot) ++left;
    while (data[right] > pivot) --right;
    if (left > right) break;
    const int t = data[left];
    data[left++] = data[right];
    data[right--] = t;
  }
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  if (first < right) sort<<<1, 1, 0, one>>>(data, first, right, depth + 1);
  cudaStreamDestroy(one);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  if (left < last) sort<<<1, 1, 0, other>>>(data, left, last, depth + 1);
  cudaStreamDestroy(other);
}

int main() {
  constexpr int kCount = 3000;
  static int host[kCount];
  unsigned state = 12345;
  for (int& value : host) value = static_cast<int>((state = state * 1664525u + 1013904223u) >> 12);
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  sort<<<1, 1>>>(data, 0, kCount - 1, 0);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  bool sorted = true;
  for (int i = 1; i < kCount; ++i) sorted = sorted && host[i - 1] <= host[i];
  printf("%s, %s\n", sorted ? "sorted" : "not sorted", cudaGetErrorString(cudaGetLastError()));
  return cudaFree(data);
}
