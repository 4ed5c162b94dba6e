#include "grader/base/for_overwrite.h"

template class std::vector<double, cudalabs::ForOverwrite<double>>;
template class std::vector<std::byte, cudalabs::ForOverwrite<std::byte>>;
