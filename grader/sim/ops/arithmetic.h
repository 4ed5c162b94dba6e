#pragma once
// The arithmetic handlers: one pair for each operation of arithmetic.def, compiled for several vector
// instruction sets.

#include <cstdint>

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

enum class Arith : std::uint16_t {
#define UNARY(name, ...) name,
#define BINARY(name, ...) name,
#define TERNARY(name, ...) name,
#define COMPARE(name, ...) name,
#include "grader/sim/ops/arithmetic.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef COMPARE
  Select32,  ///< d = predicate c ? a : b
  Select64,
  Insert32,  ///< bfi: operands a b c and extras[0]
  Insert64,
  Lop3,  ///< imm: truth table
  Count
};

struct HandlerPair {
  Handler full = nullptr, masked = nullptr;
};

/// The pair for this machine's best vector instruction set, chosen once at run time.
HandlerPair arithmetic_handler(Arith operation);
/// The name of the chosen instruction set: "AVX3", "AVX2" or the baseline's name. For `-v` and the
/// benchmarks.
const char* vector_target();

}  // namespace cudalabs::sim
