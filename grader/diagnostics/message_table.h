#pragma once
// The rows of messages.def.

#include <span>
#include <string_view>

#include "grader/base/message.h"

namespace cudalabs {

std::span<const MessageRow* const> all_rows();
/// Null: there is no such row.
const MessageRow* find_row(std::string_view id);

}  // namespace cudalabs
