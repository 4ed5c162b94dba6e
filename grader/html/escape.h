#pragma once
// Text on a page: what a submission wrote cannot become markup, steer the reader or fill the page.

#include <cstddef>
#include <string>
#include <string_view>

#include "grader/support/message.h"

namespace cudalabs::html {

/// Made printable (grader/report/layout.h), with the characters of markup escaped; right
/// in text and in attributes.
std::string escaped(std::string_view text);

/// The same of at most so many of its columns; what is cut off is told by "...".
std::string escaped(std::string_view text, std::size_t columns);

/// Escaped prose of our own, in the language spoken: what stands in `backticks` becomes code.
std::string prose(std::string_view text);
std::string prose(std::string_view text, std::size_t columns);
std::string prose(const Messages& messages, std::size_t columns);

}  // namespace cudalabs::html
