#include "grader/grading/cases/element.h"

namespace cudalabs {

std::string index_text(std::span<const std::int64_t> index) {
  std::string text;
  for (const std::int64_t i : index) text += "[" + std::to_string(i) + "]";
  return text;
}

std::vector<std::int64_t> index_of(std::size_t place, std::span<const std::int64_t> extents) {
  std::vector<std::int64_t> index(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = static_cast<std::int64_t>(place) % extents[d];
    place /= static_cast<std::size_t>(extents[d]);
  }
  return index;
}

}  // namespace cudalabs
