#pragma once
#include "cudalabs/api/flags.h"
#include "cudalabs/api/graphs.h"
#include "cudalabs/api/textures.h"
