#pragma once
// The names of the samples' library cutil, which went with CUDA 5.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "helper_cuda.h"
#include "helper_functions.h"

#define cutilSafeCall(call) checkCudaErrors(call)
#define cutilSafeCallNoSync(call) checkCudaErrors(call)
#define cudaSafeCall(call) checkCudaErrors(call)
#define CUDA_SAFE_CALL(call) checkCudaErrors(call)
#define CUDA_SAFE_CALL_NO_SYNC(call) checkCudaErrors(call)
#define cutilCheckMsg(message) getLastCudaError(message)
#define CUT_CHECK_ERROR(message) getLastCudaError(message)
#define cutilCheckError(good) CUT_SAFE_CALL(good)
#define CUT_SAFE_CALL(good)                                                     \
  do {                                                                          \
    if (!(good)) {                                                              \
      std::fprintf(stderr, "cutil error in %s, line %d\n", __FILE__, __LINE__); \
      std::exit(EXIT_FAILURE);                                                  \
    }                                                                           \
  } while (0)
#define CUT_DEVICE_INIT(argc, argv) findCudaDevice(argc, (const char**)(argv))
#define cutilDeviceInit(argc, argv) findCudaDevice(argc, (const char**)(argv))
#define cutilChooseCudaDevice(argc, argv) findCudaDevice(argc, (const char**)(argv))
#define cutGetMaxGflopsDeviceId() gpuGetMaxGflopsDeviceId()
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilThreadSynchronize() cudaDeviceSynchronize()
#define cutilDeviceReset() cudaDeviceReset()
#define cutilThreadExit() cudaDeviceReset()
#define ConvertSMVer2Cores(major, minor) _ConvertSMVer2Cores(major, minor)
#define CUT_EXIT(argc, argv) std::exit(EXIT_SUCCESS)
#define cutilExit(argc, argv) std::exit(EXIT_SUCCESS)
#define cutCheckCmdLineFlag(argc, argv, name) checkCmdLineFlag(argc, argv, name)
#define CUTTrue true
#define CUTFalse false
typedef bool CUTBoolean;

// Timers were numbers.
static inline StopWatchInterface** cudalabs_timers() {
  static StopWatchInterface* timers[256];
  return timers;
}
static inline bool cutCreateTimer(unsigned* timer) {
  for (unsigned i = 1; i < 256; ++i) {
    if (cudalabs_timers()[i] != nullptr) continue;
    *timer = i;
    return sdkCreateTimer(&cudalabs_timers()[i]);
  }
  return false;
}
static inline bool cutStartTimer(unsigned timer) { return sdkStartTimer(&cudalabs_timers()[timer % 256]); }
static inline bool cutStopTimer(unsigned timer) { return sdkStopTimer(&cudalabs_timers()[timer % 256]); }
static inline bool cutResetTimer(unsigned timer) { return sdkResetTimer(&cudalabs_timers()[timer % 256]); }
static inline bool cutDeleteTimer(unsigned timer) { return sdkDeleteTimer(&cudalabs_timers()[timer % 256]); }
static inline float cutGetTimerValue(unsigned timer) {
  return sdkGetTimerValue(&cudalabs_timers()[timer % 256]);
}
static inline float cutGetAverageTimerValue(unsigned timer) {
  return sdkGetAverageTimerValue(&cudalabs_timers()[timer % 256]);
}
static inline bool cutGetCmdLineArgumenti(int argc, const char** argv, const char* name, int* value) {
  return getCmdLineArgumentValue(argc, argv, name, value);
}
static inline bool cutGetCmdLineArgumentf(int argc, const char** argv, const char* name, float* value) {
  return getCmdLineArgumentValue(argc, argv, name, value);
}
static inline bool cutGetCmdLineArgumentstr(int argc, const char** argv, const char* name, char** value) {
  return getCmdLineArgumentString(argc, argv, name, value);
}
#define CUT_CONDITION(condition) CUT_SAFE_CALL(condition)
#define cutComparefe(reference, data, length, epsilon) compareData(reference, data, length, epsilon, 0.0f)
#define cutComparei(reference, data, length) compareData(reference, data, length, 0, 0.0f)
#define cutComparef(reference, data, length) compareData(reference, data, length, 0.0f, 0.0f)
#define cutilSafeThreadSync() checkCudaErrors(cudaDeviceSynchronize())
#define cutilSafeMalloc(pointer) CUT_SAFE_CALL((pointer) != nullptr)
#define cutilGetLastError(message) getLastCudaError(message)
#define CUT_BANK_CHECKER(array, index) (array)[index]
#define cutCompareL2fe(reference, data, length, epsilon) sdkCompareL2fe(reference, data, length, epsilon)
#define cutLoadPGMub(name, data, width, height) sdkLoadPGM<unsigned char>(name, data, width, height)
#define cutSavePGMub(name, data, width, height) sdkSavePGM<unsigned char>(name, data, width, height)
#define cutLoadPGMf(name, data, width, height) sdkLoadPGM<float>(name, data, width, height)
#define cutSavePGMf(name, data, width, height) sdkSavePGM<float>(name, data, width, height)
#define cutReadFilef(name, data, count, verbose) sdkReadFile<float>(name, data, count, verbose)
#define cutReadFilei(name, data, count, verbose) sdkReadFile<int>(name, data, count, verbose)
#define cutWriteFilef(name, data, count, epsilon) sdkWriteFile<float>(name, data, count, epsilon, false)
#define cutWriteFilei(name, data, count, epsilon) sdkWriteFile<int>(name, data, count, epsilon, false)
#define cutFindFilePath(name, program) sdkFindFilePath(name, program)
#define cutFree(pointer) std::free(pointer)
