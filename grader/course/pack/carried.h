#pragma once
// A grader that carries a course of its own: this program, a pack behind it, and a mark at the end.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace cudalabs {

/// The pack behind this program; none if there is none. Error: this program cannot be read.
Result<std::optional<std::string>> carried_pack();

/// The bytes of a program like this one that carries `pack` instead of what this one carries. `without`:
/// constants of this program, whose bytes are zeros in the new one.
Result<std::string> program_carrying(std::string_view pack, std::span<const std::string_view> without);

}  // namespace cudalabs
