#pragma once
#include "helper_math.h"
