#pragma once
// A row of a message table: an English text with holes, and its translation.
//
// In the English text a hole is
//   {}   anything but "; ", copied as it is
//   {!}  anything, copied as it is: what a submission or a compiler wrote
//   {n}  a number: 7, 1,015,808 or 1.27
//   {*}  anything, translated for itself
//   {s}  the s of a plural, or nothing; it is not counted and not copied
// and in the translation
//   {1}  the first hole, {2} the second, ...
//   {1|a|b|c}  the form that goes with the number in the first hole

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// Returns which of a language's plural forms fits a number, counted from 0. "2.5" and "1,024" are numbers.
using PluralRule = std::size_t (*)(std::string_view number);

class Phrase {
 public:
  /// Errors: a hole that does not exist, or a form that the language does not have.
  static Result<Phrase> make(std::string_view english, std::string_view other, std::size_t forms);

  /// The contents of the holes if the text matches this row; otherwise nothing. Takes time linear in the
  /// text.
  [[nodiscard]] std::optional<std::vector<std::string_view>> match(std::string_view text) const;

  /// The translation with its holes filled. `further` translates the contents of {*}.
  [[nodiscard]] std::string filled(const std::vector<std::string_view>& holes, PluralRule rule,
                                   const std::function<std::string(std::string_view)>& further) const;

  /// The values of a format with this shape that fill the holes; nothing if their number differs.
  [[nodiscard]] std::optional<std::vector<std::string_view>> holes_of(
      const std::vector<std::string>& values) const;

  /// A row without holes matches only the identical text.
  [[nodiscard]] bool is_plain() const { return counted_.empty(); }
  /// Number of characters outside of holes. If two rows match a text, the one with more of them is used.
  [[nodiscard]] std::size_t literal_size() const { return literal_size_; }
  [[nodiscard]] const std::string& english() const { return english_; }
  /// The English text with every hole as {}: the format of the message.
  [[nodiscard]] const std::string& shape() const { return shape_; }
  /// The English text with sample words in its holes.
  [[nodiscard]] std::string sample() const;

 private:
  enum class Kind { Text, Any, Raw, Number, Further, Plural };
  struct Piece {
    Kind kind = Kind::Text;
    std::string text;                ///< English; only for Text
    std::size_t hole = 0;            ///< of the translation
    std::vector<std::string> forms;  ///< of the translation; empty: insert the hole's contents
  };
  class Match;

  std::string english_, shape_;
  std::vector<Piece> pieces_, translation_;
  std::vector<Kind> kinds_;    ///< of the holes
  std::vector<bool> counted_;  ///< whether the hole appears in the shape: false for {s}
  std::size_t literal_size_ = 0;
  bool format_only_ = false;  ///< adjacent holes: a finished text does not show where one ends
};

}  // namespace cudalabs
