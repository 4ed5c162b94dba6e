#pragma once
// The CUDA runtime's API as our libcudart implements it: names, numbers, layouts and signatures of CUDA 13.0,
// so that code compiled by nvcc and by clang links with the same archive. C reads it, too, without what C++
// adds (templates.h).

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION

#include "cudalabs/api/calls.h"
#include "cudalabs/api/flags.h"
#include "cudalabs/vectors.h"
