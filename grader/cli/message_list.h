#pragma once
// The table of messages as text, for teachers who word some of them their own way.

#include <string>
#include <string_view>

namespace cudalabs::cli {

/// Each message whose id or English text contains `pattern`: its id, kind and arguments, its template, and the
/// languages that have one. "" if there is none.
std::string message_list(std::string_view pattern);

}  // namespace cudalabs::cli
