// Beyond the course, the fastest for double: the tensor cores multiply and add 16x8 elements in one
// instruction of a warp, and round like the ordinary units.

#include "../../ladder/fast_product_double.cuh"
#include "matmul.cuh"

struct Rung {
  static constexpr const char* name = "tensor-cores";
  static constexpr bool by_transposed = false;
  static void run(const double* a, const double* b, double* c, int n) {
    ladder::check(fast::product(a, b, c, n, n, n), "the launch");
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
