#pragma once
// Ids of students that a person, or a disk of another system, may take for each other.

#include <string>
#include <string_view>

namespace cudalabs {

/// The id without case and accents: equal for "José" in either form of Unicode, "JOSE" and "jose". Latin and
/// Cyrillic letters.
std::string folded_id(std::string_view id);

}  // namespace cudalabs
