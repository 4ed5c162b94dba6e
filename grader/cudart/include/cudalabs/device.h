#pragma once
// Device functions other than mathematics. Each is one PTX instruction or a few. None needs more than compute
// capability 8.0 and PTX 7.5, and none leaves a line of its own in the debug information.

#include "host_defines.h"

#include "cudalabs/vectors.h"

#include "cudalabs/device/system.h"

#include "cudalabs/device/atomics.h"
#include "cudalabs/device/floating.h"
#include "cudalabs/device/integer.h"
#include "cudalabs/device/memory.h"
#include "cudalabs/device/packed.h"
#include "cudalabs/device/smaller.h"
#include "cudalabs/device/textures.h"
#include "cudalabs/device/variables.h"
#include "cudalabs/device/warp.h"
