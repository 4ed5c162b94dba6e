#pragma once
#include "cudalabs/api.h"
#include "library_types.h"
