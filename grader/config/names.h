#pragma once
// Which labs and variants there are: the files under configs/labs.

#include <string>
#include <string_view>
#include <vector>

#include "grader/config/lab.h"

namespace cudalabs {

/// The labs' names, and the variants' of one lab, in natural order.
std::vector<std::string> lab_names(const Course& course);
std::vector<std::string> variant_names(const Course& course, std::string_view lab);

/// Error: no such lab or variant; names the nearest that exists.
Result<void> check_variant_exists(const Course& course, std::string_view lab, std::string_view variant);

}  // namespace cudalabs
