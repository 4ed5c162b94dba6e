#pragma once
// The words of the field that cards and pages use, each with its meaning.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/present/causes.h"
#include "grader/present/limits.h"

namespace cudalabs {

struct GlossaryWord {
  std::string_view name;  ///< in English and in the singular, as messages have it: "bank conflict"
  const MessageRow* meaning;
  [[nodiscard]] std::string shown() const;  ///< in the reader's language
};

/// In alphabetical order.
std::span<const GlossaryWord> glossary();

/// The words that a card or page uses for what was lost and what limits a version.
std::vector<const GlossaryWord*> words_of(std::span<const Cause> causes,
                                          std::span<const VersionLimit> limits);

/// The words that an English text uses, in the glossary's order.
std::vector<const GlossaryWord*> words_in(std::string_view english);

}  // namespace cudalabs
