#pragma once
// clang takes the alignment of `*(float4*)&tile[y][x]` from how `tile` was declared, and reads four floats
// where nvcc reads 16 bytes at once: other counters, and no fault where the address is not a multiple of 16.
// Its intermediate code, before any pass, still says which copies are of a whole vector type.

#include <string>
#include <string_view>

namespace cudalabs {

/// True if the text of a source names a vector type of CUDA's with two or four elements.
bool names_vectors(std::string_view source);

/// LLVM's text, where each copy of such a type loads and stores all of it at once.
std::string with_whole_vectors(std::string_view ir);

}  // namespace cudalabs
