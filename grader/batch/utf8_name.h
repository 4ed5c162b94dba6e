#pragma once
// Names of students and of their files as text: a folder may be called anything but "/" and zero.

#include <string>
#include <string_view>

namespace cudalabs {

/// UTF-8 that steers nobody who looks at it: bytes that are not become "\xff", marks of direction and
/// without width "\u202e", and a backslash beside them "\x5c", so that two names that differ still do and
/// look so. Other text stays as it is, also what this returned.
std::string utf8_name(std::string_view name);

}  // namespace cudalabs
