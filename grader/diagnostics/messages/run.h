#pragma once
#include "grader/diagnostics/rows.h"

namespace cudalabs::msg {
#define MESSAGE CUDALABS_MESSAGE
#include "grader/diagnostics/messages/run.def"
#undef MESSAGE
}  // namespace cudalabs::msg
