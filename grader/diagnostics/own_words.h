#pragma once
// The words of a course for messages, in place of the table's.

#include <string>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// A course's own words for a message in a language.
struct OwnWords {
  std::string id, language;
  std::string text;  ///< a template (grader/base/message_template.h) that reads (read_template())
  Location where;
};

/// Words messages as a course asks for it, for the lifetime of the object. Of two texts for one message the
/// later one counts, and of two such objects the younger one. No thread may render messages when one begins or
/// ends.
class Rewording {
 public:
  explicit Rewording(std::vector<OwnWords> words);
  ~Rewording();
  Rewording(const Rewording&) = delete;
  Rewording& operator=(const Rewording&) = delete;

 private:
  std::vector<OwnWords> words_;
};

}  // namespace cudalabs
