#pragma once

namespace cudalabs {

/// The word that separates the arguments of main's two runs (preload.cpp).
inline constexpr const char* kAnd = "--cudalabs-and";
/// The library's name, beside our CUDA headers.
inline constexpr const char* kPreloadLibrary = "libcudalabs_preload.so";

}  // namespace cudalabs
