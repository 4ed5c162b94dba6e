#pragma once
#include "../samples/book.h"
