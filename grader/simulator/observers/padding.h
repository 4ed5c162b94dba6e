#pragma once
// What a structure has between its members nobody writes, and who copies structures copies it.

#include <cstdint>

#include "grader/simulator/observers/valid_bits.h"

namespace cudalabs::sim {

/// Are the unwritten bytes of [begin, end) where structures that lie there one after the other may have
/// padding? Then they are the same in each structure, and each gap is smaller than the alignment of what
/// follows it. Of a structure alone, only gaps between its members: who forgot the last element of an array
/// is to be told.
bool looks_like_padding(const ValidBits& bits, std::uint64_t begin, std::uint64_t end);

}  // namespace cudalabs::sim
