#pragma once
// Barriers in shared memory, in C.

#include "cudalabs/mbarrier.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

CUDALABS_DEVICE unsigned __mbarrier_maximum_count() { return (1u << 14) - 1; }  // NVIDIA's value
CUDALABS_DEVICE void __mbarrier_init(__mbarrier_t* barrier, unsigned expected) {
  cudalabs::init_barrier(barrier, expected);
}
CUDALABS_DEVICE void __mbarrier_inval(__mbarrier_t* barrier) { cudalabs::end_barrier(barrier); }
CUDALABS_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return cudalabs::arrive(barrier);
}
CUDALABS_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return cudalabs::arrive_and_drop(barrier);
}
CUDALABS_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return cudalabs::has_passed(barrier, token);
}
CUDALABS_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return cudalabs::has_passed_parity(barrier, parity);
}
CUDALABS_DEVICE unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return cudalabs::pending(token);
}
