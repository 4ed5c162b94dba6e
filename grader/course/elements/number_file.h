#pragma once
// The numbers of a small file that a lab gives as an input: an image, or a table.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/elements/element_type.h"

namespace cudalabs {

/// The numbers of an input of this type and shape, from a file that the lab gives. It is an image of a netpbm
/// format (P2, P3, P5, P6; the pixels of vectors of four get a fourth number, 255), or a text of numbers with
/// blanks, commas or semicolons between, and comments from # to the end of a line. Errors have `name`, and
/// the line of a text.
Result<std::vector<double>> numbers_of_file(std::string_view bytes, const std::string& name,
                                            const ContractType& type, const std::vector<std::int64_t>& shape);

}  // namespace cudalabs
