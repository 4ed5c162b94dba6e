#pragma once
// The forms of the warp-wide instructions: the rows of warp_opcodes.def.

#include <cstddef>
#include <optional>
#include <span>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

struct WarpForm {
  Op op{};
  std::optional<Mod> modifier;  ///< the one that chooses this form; nullopt: none does
  Type type = Type::None;       ///< ... and the type; None: of any type
  const char* call = "";        ///< "__shfl_sync()": the function of CUDA, for messages
};
/// In the order of the table.
std::span<const WarpForm> warp_forms();
/// Index of the instruction's form in warp_forms(); nullopt if it is not warp-wide or has no such form.
std::optional<std::size_t> warp_form_of(const Instruction& in);

}  // namespace cudalabs::ptx
