#pragma once
// The text of a message with places for its arguments, in the syntax of ICU's MessageFormat as far as we need
// it:
//
//   {name}                                    the argument as it is; a message is rendered in the same language
//   {n, number}                               1,048,576
//   {x, factor}                               three digits that matter: 1.02, 13.4, 8,210
//   {x, tenths}                               0.4, 9.0, 12
//   {b, bytes} {t, time} {p, points}          512 bytes, 4.0 KiB; 18.4 us (from nanoseconds); 7.5
//   {n, plural, one {# row} other {# rows}}   by the language's rules; =0 {...} for one number; # is the number
//   {n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}
//   {name, select, a {...} other {...}}       by the argument's text, or a message's id; none: it is empty
//   '{' and '}'                               the braces themselves; '{name}' is an argument in apostrophes

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace cudalabs {

/// Which form a language uses for a number: "one", "few", ... `fraction`: the number is not whole.
struct CountingRules {
  std::string_view language;
  std::string_view (*cardinal)(std::uint64_t whole, bool fraction);
  std::string_view (*ordinal)(std::uint64_t whole);
};
/// The rules of a language, by Unicode's CLDR; English's for one that has no row.
const CountingRules& counting_rules(std::string_view language);

class MessageTemplate {
 public:
  MessageTemplate(MessageTemplate&&) noexcept;
  MessageTemplate& operator=(MessageTemplate&&) noexcept;
  ~MessageTemplate();

  /// Reads a template for a row's parameters. On a mistake `problem` says what is wrong with it, and nothing
  /// is returned.
  static std::unique_ptr<MessageTemplate> read(std::string_view text, std::string_view parameters,
                                               std::string& problem);

  /// How arguments that are messages, and words, are shown.
  struct Inside {
    std::function<std::string(const Messages&)> messages;
    std::function<std::string(const std::string&)> words;
  };
  [[nodiscard]] std::string render(const MessageRow& row, const std::vector<Argument>& arguments,
                                   const CountingRules& rules, const Inside& inside) const;

 private:
  struct Piece;
  class Reader;
  class Writer;
  MessageTemplate();
  std::vector<Piece> pieces_;
};

/// The messages of a paragraph as one text: "; " stands between statements, a blank between sentences of
/// advice.
std::string joined(const Messages& messages, const std::function<std::string(const Message&)>& render);

/// The messages one below the other, such as those of a compiler.
std::string in_lines(const Messages& messages, const std::function<std::string(const Message&)>& render);

}  // namespace cudalabs
