#pragma once
// Escapes text for a page, so that a submission's text cannot become markup, reorder the page or fill it.

#include <cstddef>
#include <string_view>

#include "grader/base/message.h"
#include "grader/present/web/html.h"

namespace cudalabs::html {

/// Makes text printable (grader/present/layout.h) and escapes the characters of markup. The result is valid
/// in text and in attributes. At most `columns` columns are shown; "..." marks text that was cut off.
Html escaped(std::string_view text, std::size_t columns = std::string_view::npos);

/// Words that the code or the course has as data, in the language of the reader (translated_word()).
Html word(std::string_view words);

/// Escapes prose in the language of the reader; text in `backticks` becomes code.
Html prose(std::string_view text, std::size_t columns = std::string_view::npos);
Html prose(const Messages& messages, std::size_t columns);

}  // namespace cudalabs::html
