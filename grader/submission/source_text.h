#pragma once
// Reads the text of a .cu file as far as names and brackets go: without types, macros and templates.

#include <cstddef>
#include <string>
#include <string_view>

#include "grader/base/text.h"

namespace cudalabs {

/// "row_sum" of "(anonymous namespace)::row_sum<32>" and of "void row_sum<32>(float*)"
std::string_view plain_name(std::string_view kernel);

/// The same text with the same length, but with blanks for comments and literals.
std::string without_comments(std::string_view source);

/// Likewise, with blanks for preprocessor directives, too: the parameters of a macro are no names.
std::string code_of(std::string_view source);

/// The part of the statement before `place`: after the last ';', '{' or '}'.
std::string_view statement_before(std::string_view text, std::size_t place);

/// The place behind the bracket that closes the one at `open`; the text's end if none does.
std::size_t behind_bracket(std::string_view text, std::size_t open, char closes);

/// The place of the first character at or behind `at` that is no blank; the text's end if there is none.
std::size_t behind_blanks(std::string_view text, std::size_t at);

}  // namespace cudalabs
