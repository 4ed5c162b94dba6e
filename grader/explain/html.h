#pragma once
// `grader explain --html`: one page that needs nothing else: no script, no font, no picture, no network.

#include <string>

#include "grader/explain/document.h"

namespace cudalabs::explain {

std::string html_page(const Document& document);

}  // namespace cudalabs::explain
