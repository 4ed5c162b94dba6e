#pragma once
// The table of a language: its rows, as a .po file holds them, the form of GNU gettext that every
// translator's tool reads.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/language/phrase.h"

namespace cudalabs {

class MessageTable {
 public:
  /// Errors: no such form, a row twice, a hole that there is not; with its line.
  static Result<MessageTable> read(std::string_view po, const std::string& language);

  /// The translation of a finished text, or nothing.
  [[nodiscard]] std::optional<std::string> find(std::string_view text, int depth = 0) const;
  /// The row whose English text, as a format, is this one with {} for each hole. Null: none.
  [[nodiscard]] const Phrase* by_shape(std::string_view shape) const;
  [[nodiscard]] std::string filled(const Phrase& phrase, const std::vector<std::string_view>& holes) const;

  [[nodiscard]] const std::vector<Phrase>& phrases() const { return phrases_; }

 private:
  [[nodiscard]] std::string fill(const Phrase& phrase, const std::vector<std::string_view>& holes,
                                 int depth) const;

  PluralRule rule_ = nullptr;
  std::vector<Phrase> phrases_;                         ///< the one with the most letters first
  std::unordered_map<std::string, std::size_t> whole_;  ///< rows without holes by their text
  std::unordered_map<std::string, std::size_t> shapes_;
};

/// The translation of a text, or of its pieces: its lines, statements (between them stands "; ") and
/// sentences. What has no row stays.
std::string translated_pieces(const MessageTable& table, std::string_view text, int depth = 0);

}  // namespace cudalabs
