#pragma once
// clang takes the alignment of `*(float4*)&tile[y][x]` from the declaration of `tile`, and reads four floats
// where nvcc reads 16 bytes at once: the counters differ, and an address that is not a multiple of 16 does
// not fault. The LLVM IR before any pass still shows which copies are of a whole vector type.

#include <string>
#include <string_view>

namespace cudalabs {

/// True iff a source names one of CUDA's vector types with two or four elements.
bool names_vectors(std::string_view source);

/// The IR in which each copy of such a type loads and stores all of it at once.
std::string with_whole_vectors(std::string_view ir);

}  // namespace cudalabs
