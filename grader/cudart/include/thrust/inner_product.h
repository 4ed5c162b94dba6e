#include "../cudalabs/needs_toolkit.h"
