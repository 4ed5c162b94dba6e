#pragma once
#include "cudalabs/vectors.h"
