#pragma once
// Converts names of students and files to text: a folder's name may contain any byte except '/' and zero.

#include <string>
#include <string_view>

namespace cudalabs {

/// Returns UTF-8 that is safe to show. Invalid bytes become "\xff", direction marks and zero-width characters
/// "\u202e", and a backslash next to them "\x5c", so that different names remain different and look
/// different. Other text is unchanged, including earlier results of this function.
std::string utf8_name(std::string_view name);

}  // namespace cudalabs
