#pragma once

namespace cudalabs {

/// The word that separates the arguments of main's two runs (twin.cpp).
inline constexpr const char* kAnd = "--cudalabs-and";
/// The library's name, beside our CUDA headers.
inline constexpr const char* kTwinLibrary = "libcudalabs_twin.so";

}  // namespace cudalabs
