// What the solutions in ../shapes compute here.
#include "contract.cuh"

#define PRODUCT(version) \
  void matmul_##version(const double* a, const double* b, double* c, int m, int n, int k)

using Element = double;
using Vector = double2;

