// The rest of CUDA's runtime, so that a program that uses it links and is told at the first call. No header
// of CUDA is included here: what a call is given is of no interest, and so is which toolkit declares it.

#include "grader/cudart/unsupported.h"

#define CUDALABS_UNSUPPORTED(name) \
  extern "C" __attribute__((weak)) int name() { return cudalabs::cudart::refuse_call(#name); }
#define CUDALABS_HINT(name) \
  extern "C" __attribute__((weak)) int name() { return cudalabs::cudart::accept_hint(#name); }
#include "grader/cudart/unsupported.def"
