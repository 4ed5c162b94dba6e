#pragma once
#include "cudalabs/api.h"
