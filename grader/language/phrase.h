#pragma once
// A row of a table of messages: an English text with holes, and what it is in another language.
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

#include "grader/support/result.h"

namespace cudalabs {

/// Which of a language's forms goes with a number, from 0. "2.5" and "1,024" are numbers.
using PluralRule = std::size_t (*)(std::string_view number);

class Phrase {
 public:
  /// Errors: a hole that there is not, or a form that the language has not.
  static Result<Phrase> make(std::string_view english, std::string_view other, std::size_t forms);

  /// What fills the holes if the text is this row's, else nothing. Takes time by the length of the text.
  [[nodiscard]] std::optional<std::vector<std::string_view>> match(std::string_view text) const;

  /// The translation with its holes filled. `further`: translates what stands in {*}.
  [[nodiscard]] std::string filled(const std::vector<std::string_view>& holes, PluralRule rule,
                                   const std::function<std::string(std::string_view)>& further) const;

  /// The values of a format of this shape that fill the holes; nothing if they are not as many.
  [[nodiscard]] std::optional<std::vector<std::string_view>> holes_of(
      const std::vector<std::string>& values) const;

  /// Without holes a text fits only if it is this one.
  [[nodiscard]] bool is_plain() const { return counted_.empty(); }
  /// Letters and signs that are not in holes: of two rows that fit a text the one with more of them is meant.
  [[nodiscard]] std::size_t literal_size() const { return literal_size_; }
  [[nodiscard]] const std::string& english() const { return english_; }
  /// The English text with every hole as {}: the format that it is made by.
  [[nodiscard]] const std::string& shape() const { return shape_; }
  /// The English text with words in its holes.
  [[nodiscard]] std::string sample() const;

 private:
  enum class Kind { Text, Any, Raw, Number, Further, Plural };
  struct Piece {
    Kind kind = Kind::Text;
    std::string text;                ///< of the English, of Text alone
    std::size_t hole = 0;            ///< of the translation
    std::vector<std::string> forms;  ///< of the translation; empty: the hole itself
  };
  class Match;

  std::string english_, shape_;
  std::vector<Piece> pieces_, translation_;
  std::vector<Kind> kinds_;    ///< of the holes
  std::vector<bool> counted_;  ///< of the holes of the shape: not an {s}
  std::size_t literal_size_ = 0;
  bool format_only_ = false;  ///< holes side by side: where one ends is not to be seen in a finished text
};

}  // namespace cudalabs
