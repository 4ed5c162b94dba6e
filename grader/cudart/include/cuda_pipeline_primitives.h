#pragma once
// A thread's asynchronous copies, for C.

#include "cudalabs/async_copy.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

/// `size` is 4, 8 or 16; the last `zfill` bytes become zero. Usually both are compile-time constants.
CUDALABS_DEVICE void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from,
                                             std::size_t size, std::size_t zfill = 0) {
  const unsigned from_bytes = static_cast<unsigned>(size - zfill);
  switch (size) {
    case 4: return cudalabs::begin_copy<4>(to, from, from_bytes);
    case 8: return cudalabs::begin_copy<8>(to, from, from_bytes);
    case 16: return cudalabs::begin_copy<16>(to, from, from_bytes);
    default: asm volatile("trap;");
  }
}
CUDALABS_DEVICE void __pipeline_commit() { cudalabs::close_copies(); }
CUDALABS_DEVICE void __pipeline_wait_prior(std::size_t still) {
  cudalabs::await_copies(static_cast<unsigned>(still));
}
CUDALABS_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];"
               :
               : "r"(cudalabs::shared_address(barrier))
               : "memory");
}
