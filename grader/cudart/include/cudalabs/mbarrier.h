#pragma once
// The barrier objects (mbarrier) that a card keeps in shared memory.

#include "cudalabs/async_copy.h"

namespace cudalabs {

using BarrierState = unsigned long long;
constexpr unsigned kMostArrivals = (1u << 20) - 1;

CUDALABS_DEVICE void init_barrier(BarrierState* barrier, unsigned expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;"
               :
               : "r"(shared_address(barrier)), "r"(expected)
               : "memory");
}
CUDALABS_DEVICE void end_barrier(BarrierState* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(shared_address(barrier)) : "memory");
}
CUDALABS_DEVICE BarrierState arrive(BarrierState* barrier) {
  BarrierState token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(shared_address(barrier))
               : "memory");
  return token;
}
/// Several arrivals that do not complete the phase.
CUDALABS_DEVICE BarrierState arrive_early(BarrierState* barrier, unsigned count) {
  BarrierState token;
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
               : "=l"(token)
               : "r"(shared_address(barrier)), "r"(count)
               : "memory");
  return token;
}
CUDALABS_DEVICE BarrierState arrive_and_drop(BarrierState* barrier) {
  BarrierState token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(shared_address(barrier))
               : "memory");
  return token;
}
CUDALABS_DEVICE bool has_passed(BarrierState* barrier, BarrierState token) {
  unsigned answer;
  asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(answer)
               : "r"(shared_address(barrier)), "l"(token)
               : "memory");
  return answer != 0;
}
CUDALABS_DEVICE bool has_passed_parity(BarrierState* barrier, bool parity) {
  unsigned answer;
  asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(answer)
               : "r"(shared_address(barrier)), "r"(static_cast<unsigned>(parity))
               : "memory");
  return answer != 0;
}
CUDALABS_DEVICE unsigned pending(BarrierState token) {
  unsigned count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
/// Makes this thread's copies so far arrive on the barrier when they are done, besides its own arrivals.
CUDALABS_DEVICE void arrive_with_copies(BarrierState* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(shared_address(barrier)) : "memory");
}

}  // namespace cudalabs
