#pragma once
// How the commands write to their user. A disk that is full or a descriptor that is closed never ends a
// command in the middle: what was lost of the result is told at its end, by the exit status too.

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "grader/language/language.h"

namespace cudalabs::cli {

/// Makes sure that the numbers 0, 1 and 2 are taken: else the next file that is opened would get the output.
void take_standard_descriptors();

/// The result: stdout.
void write_out(std::string_view text);
/// What is going on: stderr. What cannot be written there is lost.
void write_err(std::string_view text);

// Formats are English, and translated; values are not.
template <class... T>
void print_out(fmt::format_string<T...> format, T&&... values) {
  write_out(tr(format, std::forward<T>(values)...));
}
template <class... T>
void print_err(fmt::format_string<T...> format, T&&... values) {
  write_err(tr(format, std::forward<T>(values)...));
}

/// Everything written to stdout so far has arrived.
bool out_is_whole();

}  // namespace cudalabs::cli
