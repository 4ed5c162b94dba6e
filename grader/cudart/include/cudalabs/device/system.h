#pragma once
// Functions that device code shares with the C library: printf, assert, malloc and similar. They are declared
// before the library's headers, so that `using ::memcpy` in namespace std takes both.

#include <stddef.h>

#include "host_defines.h"

extern "C" {
__device__ int printf(const char* format, ...);  // clang packs the arguments and calls vprintf
__device__ int vprintf(const char* format, const char* arguments);
__device__ void* malloc(size_t bytes) __attribute__((nothrow, malloc));
__device__ void free(void* pointer) __attribute__((nothrow));
// Not noreturn: the debugger can continue behind it, and a trap ends the kernel.
__device__ void __assertfail(const char* expression, const char* file, unsigned line, const char* function,
                             size_t bytes_of_char);
__device__ static inline __attribute__((always_inline, nodebug, unused)) void __assert_fail(
    const char* expression, const char* file, unsigned line, const char* function) {
  __assertfail(expression, file, line, function, 1);
}
}

CUDALABS_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
CUDALABS_DEVICE void* memset(void* to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }

// nvcc includes these headers, too.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>  // clang's wrapper adds new and delete of the device

CUDALABS_DEVICE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
CUDALABS_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
CUDALABS_DEVICE void __nanosleep(unsigned nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

CUDALABS_DEVICE void __trap() { asm volatile("trap;"); }
CUDALABS_DEVICE void __brkpt() { asm volatile("brkpt;"); }
CUDALABS_DEVICE void __brkpt(int) { asm volatile("brkpt;"); }
#define __prof_trigger(counter) asm volatile("pmevent %0;" ::"n"(counter))

#define __assume(condition) __builtin_assume(condition)
