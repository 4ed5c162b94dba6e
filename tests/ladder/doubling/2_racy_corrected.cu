#define LADDER_CORRECTED
#include "2_racy.cu"
