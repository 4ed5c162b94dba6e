#pragma once
// Converts names of students and files to text: a folder's name may contain any byte except '/' and zero.

#include <string>
#include <string_view>

namespace cudalabs {

/// Returns UTF-8 that is safe to show. Invalid bytes become "\xff", direction marks and zero-width characters
/// "\u202e", and a backslash next to them "\x5c", so that different names remain different and look
/// different. Other text is unchanged, including earlier results of this function.
std::string utf8_name(std::string_view name);

/// The id of a student without case and accents, as a person or a disk of another system may read it: equal
/// for "Jose" with an accent in either form of Unicode, "JOSE" and "jose". Latin and Cyrillic letters.
std::string folded_id(std::string_view id);

}  // namespace cudalabs
