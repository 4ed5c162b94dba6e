#pragma once
// The message table of a language: the rows of a .po file, the format of GNU gettext, which all translation
// tools read.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/diagnostics/phrase.h"

namespace cudalabs {

class MessageTable {
 public:
  /// Errors, with their line: invalid syntax, a duplicate row, a hole that does not exist.
  static Result<MessageTable> read(std::string_view po, const std::string& language);

  /// The translation of a finished text, or nothing.
  [[nodiscard]] std::optional<std::string> find(std::string_view text, int depth = 0) const;
  /// The row whose English text, with {} for each hole, is this format. Null if there is none.
  [[nodiscard]] const Phrase* by_shape(std::string_view shape) const;
  [[nodiscard]] std::string filled(const Phrase& phrase, const std::vector<std::string_view>& holes) const;

  [[nodiscard]] const std::vector<Phrase>& phrases() const { return phrases_; }

 private:
  [[nodiscard]] std::string fill(const Phrase& phrase, const std::vector<std::string_view>& holes,
                                 int depth) const;

  PluralRule rule_ = nullptr;
  std::vector<Phrase> phrases_;                         ///< the one with the most characters first
  std::unordered_map<std::string, std::size_t> whole_;  ///< rows without holes, by their text
  std::unordered_map<std::string, std::size_t> shapes_;
};

/// Translates a text as a whole or in pieces: its lines, its statements (separated by "; ") and its
/// sentences. Pieces without a row stay English.
std::string translated_pieces(const MessageTable& table, std::string_view text, int depth = 0);

}  // namespace cudalabs
