#include "grader/diagnostics/titles.h"

#include "grader/diagnostics/language.h"

namespace cudalabs {

std::string title_of(const Titles& titles) {
  for (const std::string& language : {spoken_language(), std::string("en")}) {
    if (const auto it = titles.find(language); it != titles.end()) return it->second;
  }
  return titles.empty() ? "" : titles.begin()->second;
}

}  // namespace cudalabs
