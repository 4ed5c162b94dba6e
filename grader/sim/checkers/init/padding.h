#pragma once
// Padding of structures: it stays uninitialized, and a copy of a structure copies it.

#include <cstdint>

#include "grader/sim/checkers/base/valid_bits.h"

namespace cudalabs::sim {

/// Can the unwritten bytes of [begin, end) be padding of consecutive structures? Then they are the same in
/// each structure, and each gap is smaller than the alignment of the member behind it. For a single structure
/// only gaps between members count: a forgotten last element of an array must be reported.
bool looks_like_padding(const ValidBits& bits, std::uint64_t begin, std::uint64_t end);

}  // namespace cudalabs::sim
