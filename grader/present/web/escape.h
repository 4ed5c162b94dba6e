#pragma once
// Escapes text for a page, so that a submission's text cannot become markup, reorder the page or fill it.

#include <cstddef>
#include <string>
#include <string_view>

#include "grader/base/message.h"

namespace cudalabs::html {

/// Makes text printable (grader/present/layout.h) and escapes the characters of markup. The result is valid
/// in text and in attributes.
std::string escaped(std::string_view text);

/// Does the same for at most this many columns; "..." marks text that was cut off.
std::string escaped(std::string_view text, std::size_t columns);

/// Escapes prose in the language of the reader; text in `backticks` becomes code.
std::string prose(std::string_view text);
std::string prose(std::string_view text, std::size_t columns);
std::string prose(const Messages& messages, std::size_t columns);

}  // namespace cudalabs::html
