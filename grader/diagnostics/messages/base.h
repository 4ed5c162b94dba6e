#pragma once
#include "grader/diagnostics/rows.h"

namespace cudalabs::msg {
#define MESSAGE CUDALABS_MESSAGE
#include "grader/diagnostics/messages/base.def"
#undef MESSAGE
}  // namespace cudalabs::msg
