#pragma once
// The part of the samples' shrUtils.h that programs use.

#include <cstdio>
#include <cstdlib>

#define shrLog(...) std::printf(__VA_ARGS__)
#define shrSetLogFileName(name)
#define shrQAStart(argc, argv)
#define shrEXIT(argc, argv) std::exit(EXIT_SUCCESS)
