#pragma once

namespace cudalabs {

/// The word that parts what both runs of a main are given (twin.cpp).
inline constexpr const char* kAnd = "--cudalabs-and";
/// The library's name, beside our CUDA headers.
inline constexpr const char* kTwinLibrary = "libcudalabs_twin.so";

}  // namespace cudalabs
