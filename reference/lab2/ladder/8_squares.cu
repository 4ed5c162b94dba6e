// squares, the fastest: a thread turns a square of elements in its registers, so that shared memory, too, is
// read and written sixteen bytes at a time, and the tile is four times as large. Its chunks are swapped among
// each other instead of padded.

#include "../../ladder/fast_transpose.cuh"
#include "transpose.cuh"

struct Rung {
  static constexpr const char* name = "squares";
  static constexpr bool transposes = true;
  template <class T>
  static void run(dim3, dim3, const T* in, T* out, int n) {
    ladder::check(fast::transpose(in, out, n, n), "the launch");
  }
};

LADDER_MAIN(ladder::transpose<Rung>)
