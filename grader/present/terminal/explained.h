#pragma once
// `grader explain` on the terminal.

#include <string>

#include "grader/present/explain/document.h"
#include "grader/present/terminal/console.h"

namespace cudalabs::explain {

/// No line is wider than style.width (at least 60). Source lines are cut, and columns that do not fit are
/// dropped.
std::string text_page(const Document& document, const ConsoleStyle& style);

}  // namespace cudalabs::explain
