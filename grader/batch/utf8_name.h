#pragma once
// Names of students and of their files as text: a folder may be called anything but "/" and zero.

#include <string>
#include <string_view>

namespace cudalabs {

/// UTF-8: bytes that are not become "\xff", and a backslash beside them "\x5c", so that two names that differ
/// still do. What is UTF-8 stays as it is, also what this returned.
std::string utf8_name(std::string_view name);

}  // namespace cudalabs
