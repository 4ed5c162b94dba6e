// malloc, free, new and delete inside kernels; asynchronous copies into shared memory.
// expect: ok
// stderr: grader: malloc() or new in kernel too_much(int*) returned NULL 1 time: the heap of all kernels has 8388608 bytes
// stderr:   hint: Free what kernels allocate, or call cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) before the first kernel that allocates.
// exit: 0
#include <cuda_pipeline.h>

#include "check.cuh"

struct Node {
  int value;
  Node* next;
};
__device__ Node* head = nullptr;
__global__ void push(int n) {  // a lock-free list, kept from one kernel to the next
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Node* node = new Node{i, nullptr};
  unsigned long long* where = reinterpret_cast<unsigned long long*>(&head);
  unsigned long long old = *where, seen;
  do {
    seen = old;
    node->next = reinterpret_cast<Node*>(seen);
    __threadfence();
    old = atomicCAS(where, seen, reinterpret_cast<unsigned long long>(node));
  } while (old != seen);
}
__global__ void walk(long long* sum, int* count) {
  for (Node* n = head; n != nullptr;) {
    *sum += n->value;
    ++*count;
    Node* next = n->next;
    delete n;
    n = next;
  }
  head = nullptr;
}
__global__ void scratch(int* out) {
  const int t = threadIdx.x, n = 1 + t % 7;
  int* a = static_cast<int*>(malloc(n * sizeof(int)));
  if (a == nullptr) { out[t] = -1; return; }
  for (int i = 0; i < n; ++i) a[i] = i * t;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i];
  free(a);
  free(nullptr);
  double* d = new double[3]{1, 2, 3};
  sum += static_cast<int>(d[0] + d[1] + d[2]);
  delete[] d;
  out[t] = sum;
}
__global__ void too_much(int* out) { out[0] = malloc(size_t(1) << 60) == nullptr; }

__global__ void staged(const float4* in, float* out, int n) {  // double buffering by pipeline
  __shared__ float4 stage[2][32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n) __pipeline_memcpy_async(&stage[(k + 1) % 2][t], &in[(k + 1) * 32 + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 v = stage[k % 2][31 - t];
    sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    __syncthreads();
  }
  out[t] = sum;
}
__global__ void padded(const int* in, int* out, int n) {  // zero fill beyond the end
  __shared__ int s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + (t < n ? t : 0), 4, t < n ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const unsigned where = static_cast<unsigned>(__cvta_generic_to_shared(&s[(t * 2) % 64]));
  const int bytes = t < n / 2 ? 8 : 3;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(where & ~7u), "l"(in + (t * 2) % 32), "r"(bytes) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[t] = s[t];
  out[t + 32] = s[t + 32];
}

int main() {
  {
    Buffer<long long> sum(std::vector<long long>{0});
    Buffer<int> count(std::vector<int>{0});
    push<<<5, 64>>>(300);
    walk<<<1, 1>>>(sum, count);
    EXPECT(sum.host()[0] == 300 * 299 / 2 && count.host()[0] == 300);
    Buffer<int> out(64);
    scratch<<<1, 64>>>(out);
    const auto o = out.host();
    for (int t = 0; t < 64; ++t) compare("scratch", o[t], t * (t % 7) * (t % 7 + 1) / 2 + 6, 0, shown(t).c_str());
    too_much<<<1, 1>>>(out);
    EXPECT(out.host()[0] == 1);
  }
  {
    const int n = 9;
    std::vector<float4> in(32 * n);
    for (int i = 0; i < 32 * n; ++i) in[i] = make_float4(i % 5, i % 7, i % 11, i % 13);
    Buffer<float4> d(in);
    Buffer<float> out(32);
    staged<<<1, 32>>>(d, out, n);
    const auto o = out.host();
    for (int t = 0; t < 32; ++t) {
      float sum = 0;
      for (int k = 0; k < n; ++k) {
        const float4 v = in[k * 32 + 31 - t];
        sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
      }
      compare("staged", o[t], sum, 0, shown(t).c_str());
    }
    std::vector<int> values(40);
    for (int i = 0; i < 40; ++i) values[i] = i * 0x01010101 + 1;
    Buffer<int> dv(values), ints(64);
    padded<<<1, 32>>>(dv, ints, 32);
    const auto p = ints.host();
    for (int t = 0; t < 64; ++t) {  // thread t / 2 copied this pair: whole, or its first three bytes
      const int whole = values[t % 32];
      compare("padded", p[t], t < 32 ? whole : t % 2 == 0 ? whole & 0xFFFFFF : 0, 0, shown(t).c_str());
    }
  }
  return finish();
}
