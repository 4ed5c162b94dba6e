#pragma once
// What the 32 banks of shared memory had to serve in one access, as a picture with its table.

#include <cstddef>
#include <string>

#include "grader/score/result.h"

namespace cudalabs {

/// `index` tells this figure's ids from those of others on the page.
std::string bank_figure(const sim::SharedExample& access, std::size_t index);

}  // namespace cudalabs
