#pragma once
// A picture, with its table, of the words that the 32 banks of shared memory served in one access.

#include <cstddef>

#include "grader/grading/score/result.h"
#include "grader/present/web/html.h"

namespace cudalabs {

/// `index` makes the ids of this figure unique on the page.
html::Html bank_figure(const sim::SharedExample& access, std::size_t index);

}  // namespace cudalabs
