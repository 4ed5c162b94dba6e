// The rest of CUDA's runtime, so that a program that uses it links, and gets an error at the first call. It
// includes no CUDA header: the arguments and the toolkit that declares a function do not matter.

#include "grader/cudart/unsupported.h"

#define CUDALABS_UNSUPPORTED(name) \
  extern "C" __attribute__((weak)) int name() { return cudalabs::cudart::refuse_call(#name); }
#define CUDALABS_HINT(name) \
  extern "C" __attribute__((weak)) int name() { return cudalabs::cudart::accept_hint(#name); }
#include "grader/cudart/unsupported.def"
