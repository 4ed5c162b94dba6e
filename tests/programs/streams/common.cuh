// What the programs of this folder share. Each is wrong where nothing is defined, and right with -DRIGHT.
#pragma once
#include <cstdio>
#include <cstdlib>

constexpr int kThreads = 128, kBlocks = 8, kCount = kThreads * kBlocks, kBytes = kCount * 4;

__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(const int* in, int* out, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + value;
}
__global__ void count(int* counter) { atomicAdd(counter, 1); }

inline int* on_card(int count = kCount) {
  int* place = nullptr;
  cudaMalloc(&place, count * sizeof(int));
  cudaMemset(place, 0, count * sizeof(int));
  cudaDeviceSynchronize();
  return place;
}
inline int* page_locked(int value = 0) {
  int* place = nullptr;
  cudaMallocHost(&place, kBytes);
  for (int i = 0; i < kCount; ++i) place[i] = value;
  return place;
}
inline cudaStream_t new_stream(unsigned flags = cudaStreamDefault) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, flags);
  return stream;
}
inline cudaEvent_t new_event() {
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  return event;
}
/// Ends the program: "right" if the card's memory holds `value` everywhere.
inline int expect(const int* card, int value, int count = kCount) {
  cudaDeviceSynchronize();
  int* here = static_cast<int*>(malloc(count * sizeof(int)));
  cudaMemcpy(here, card, count * sizeof(int), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 0; i < count; ++i) right = right && here[i] == value;
  free(here);
  puts(right ? "right" : "wrong");
  return 0;
}
