#pragma once
// The part of the samples' shrUtils.h that programs use.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "helper_image.h"
#include "shrQATest.h"

#define shrTRUE true
#define shrFALSE false
typedef bool shrBOOL;

#define shrLog(...) std::printf(__VA_ARGS__)
#define shrSetLogFileName(name)
#define shrEXIT(argc, argv) std::exit(EXIT_SUCCESS)
#define shrFree(pointer) std::free(pointer)
#define shrFindFilePath(name, program) sdkFindFilePath(name, program)
#define shrCheckCmdLineFlag(argc, argv, name) checkCmdLineFlag(argc, argv, name)
#define shrGetCmdLineArgumenti(argc, argv, name, value) getCmdLineArgumentValue(argc, argv, name, value)
#define shrGetCmdLineArgumentu(argc, argv, name, value) getCmdLineArgumentValue(argc, argv, name, value)
#define shrGetCmdLineArgumentf(argc, argv, name, value) getCmdLineArgumentValue(argc, argv, name, value)
#define shrGetCmdLineArgumentstr(argc, argv, name, value) getCmdLineArgumentString(argc, argv, name, value)
#define shrCompareL2fe(reference, data, length, epsilon) sdkCompareL2fe(reference, data, length, epsilon)
#define shrComparefe(reference, data, length, epsilon) compareData(reference, data, length, epsilon, 0.0f)
#define shrComparei(reference, data, length) compareData(reference, data, length, 0, 0.0f)

/// Seconds since the last call with the same number.
static inline double shrDeltaT(int timer) {
  static std::chrono::steady_clock::time_point last[3];
  const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last[timer % 3]).count();
  last[timer % 3] = now;
  return seconds;
}
static inline size_t shrRoundUp(int group, int size) {
  return static_cast<size_t>((size + group - 1) / group) * static_cast<size_t>(group);
}
static inline void shrFillArray(float* data, int size) {
  for (int i = 0; i < size; ++i) data[i] = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX);
}
