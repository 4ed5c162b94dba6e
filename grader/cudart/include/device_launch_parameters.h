#pragma once
#include "cudalabs/device.h"
