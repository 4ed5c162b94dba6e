#pragma once
// Kernels of random instructions, as PTX, for comparing what executes them.

#include <cstdint>
#include <string>

namespace cudalabs::test {

/// A kernel `k(.param .u64 in, .param .u64 out)` for blocks of 96 threads: `in` holds kWords words, `out`
/// is kThreadWords words for each thread of the grid and then kWords that all may write. It ends for
/// every seed; a few fault.
std::string random_program(std::uint64_t seed);

/// The same parameters; loops of loads that belong together (broadcasts, and rows by two registers),
/// products, sums and what machine code has no form for, in all orders, with more or fewer registers than a
/// CPU has.
std::string random_products(std::uint64_t seed);

inline constexpr std::uint32_t kWords = 4096, kThreadWords = 64, kThreads = 96, kBlocks = 3;

}  // namespace cudalabs::test
