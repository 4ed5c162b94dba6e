#pragma once
// cuda::std is the C++ library: what is constexpr there, clang compiles for both sides, and the mathematics
// is cudalabs/math.h. What has to be different stands in cuda::std itself, which is looked at first
// (<cuda/atomic>, <cuda/barrier>).

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
