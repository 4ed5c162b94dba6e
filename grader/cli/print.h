#pragma once
// Output of the commands to the user. A full disk or a closed descriptor never stops a command in the middle:
// it reports lost output at its end, also by the exit status.

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "grader/diagnostics/language.h"

namespace cudalabs::cli {

/// Ensures that descriptors 0, 1 and 2 are in use; otherwise the next opened file would receive the output.
void take_standard_descriptors();

/// Writes a result to stdout.
void write_out(std::string_view text);
/// Writes progress to stderr. Failed writes are ignored.
void write_err(std::string_view text);

// Formats are English and translated; values are not translated.
template <class... T>
void print_out(fmt::format_string<T...> format, T&&... values) {
  write_out(tr(format, std::forward<T>(values)...));
}
template <class... T>
void print_err(fmt::format_string<T...> format, T&&... values) {
  write_err(tr(format, std::forward<T>(values)...));
}

/// Returns whether everything was written to stdout so far.
bool out_is_whole();

}  // namespace cudalabs::cli
