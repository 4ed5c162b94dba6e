#include "contract.cuh"

struct Plan {
  int n, blocks;
  float* products;  // alpha * x, in memory of the plan's own
};

__global__ void multiply(int n, float alpha, const float* x, float* products) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) products[i] = alpha * x[i];
}

__global__ void add(int n, const float* products, float* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += products[i];
}

Plan* plan_for(int n) {
  Plan* const plan = new Plan{n, (n + 255) / 256, nullptr};
  if (n > 0) cudaMalloc(&plan->products, static_cast<std::size_t>(n) * sizeof(float));
  return plan;
}

void run(Plan* plan, float alpha, const float* x, float* y) {
  if (plan->n == 0) return;
  multiply<<<plan->blocks, 256>>>(plan->n, alpha, x, plan->products);
  add<<<plan->blocks, 256>>>(plan->n, plan->products, y);
}

void destroy(Plan* plan) {
  cudaFree(plan->products);
  delete plan;
}
