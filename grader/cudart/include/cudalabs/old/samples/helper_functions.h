#pragma once
// The samples' headers that do not need CUDA.

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
