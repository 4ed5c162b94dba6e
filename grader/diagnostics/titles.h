#pragma once
// Titles that a course gives in several languages.

#include <map>
#include <string>

namespace cudalabs {

/// By the name of a language ("en"). A course may have languages that the grader does not.
using Titles = std::map<std::string, std::string>;

/// In the language that is set (language.h), else in English, else in any; "" if there is none.
std::string title_of(const Titles& titles);

}  // namespace cudalabs
