#pragma once
// `grader explain` on the terminal.

#include <string>

#include "grader/explain/document.h"
#include "grader/report/console.h"

namespace cudalabs::explain {

/// No line is wider than style.width (at least 60). Source lines are cut, and columns that do not fit are
/// dropped.
std::string text_page(const Document& document, const ConsoleStyle& style);

}  // namespace cudalabs::explain
