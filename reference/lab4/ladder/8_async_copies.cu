// Beyond the course: a block makes 128x128 elements, a thread 8x8. a is transposed first, so that tiles of
// both matrices can be copied as they lie, sixteen bytes at a time; while a tile is multiplied, the next one
// is on its way to shared memory without passing through registers.

#include "../../ladder/fast_product.cuh"
#include "matmul.cuh"

struct Rung {
  static constexpr const char* name = "async-copies";
  static constexpr bool by_transposed = false;
  static void run(const float* a, const float* b, float* c, int n) {
    using Tiling = fast::FloatTiling<128, 128, 16, 8, 8, 4, 2, 1, 2, 2>;
    float* const at = ladder::Scratch<float>::of(static_cast<size_t>(n) * n);
    ladder::check(fast::transpose(a, at, n, n), "the transpose");
    ladder::check(fast::launch_product<Tiling, false>(at, b, c, n, n, n, nullptr), "the launch");
  }
};

LADDER_MAIN(ladder::matmul<Rung>)
