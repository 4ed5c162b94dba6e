#pragma once
#include "cuPrintf.cuh"
