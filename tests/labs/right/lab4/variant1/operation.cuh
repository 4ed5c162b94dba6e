// What the solutions in ../shapes compute here.
#include "contract.cuh"

#define PRODUCT(version) \
  void matmul_##version(const float* a, const float* b, float* c, int m, int n, int k)

using Element = float;
using Vector = float4;

