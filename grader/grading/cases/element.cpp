#include "grader/grading/cases/element.h"

namespace cudalabs {

std::string index_text(const Parameter& parameter, std::span<const std::int64_t> index) {
  std::string text;
  const std::size_t dimensions = parameter.shape.size();
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (d < dimensions)
      text += "[" + std::to_string(index[d]) + "]";
    else
      text += std::string(".") + "xyzw"[index[d]];
  }
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
