#pragma once
// cuda::std is the C++ library: clang compiles its constexpr functions for both sides, and cudalabs/math.h
// has the mathematics. Names that have to differ are in cuda::std itself, which lookup searches first
// (<cuda/atomic>, <cuda/barrier>).

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
