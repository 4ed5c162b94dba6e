#pragma once
// A message is a value: the row of a table of messages, and arguments for it. What a stage sees and decides
// travels as messages through the grader, over the wire and into results. A report renders a message once, at
// its edge, in the language of its reader (grader/diagnostics/render.h). No stage reads a rendered sentence.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cudalabs {

struct MessageRow;

enum class RowKind : std::uint8_t {
  Error,    ///< what is wrong
  Warning,  ///< what is wrong on some devices, or may be
  Note,     ///< worth knowing
  Advice,   ///< what to do: one or more sentences with their full stops
  Phrase,   ///< a part of other messages
};

/// What an argument holds; a row's signature names one for each of its parameters.
enum class ArgumentKind : std::uint8_t {
  Text,  ///< copied as it is: names, code, what others wrote
  /// English words of the course's or the grader's own, such as a title, that a language may translate
  Words,
  Integer,  ///< a number of something
  Real,     ///< a measure
  List,     ///< messages
};

class Message;

/// The messages of one paragraph, the first one first: statements about one thing, or sentences of advice.
class Messages {
 public:
  Messages();
  Messages(Message message);  // NOLINT(google-explicit-constructor)
  Messages(std::initializer_list<Message> messages);
  Messages(const Messages&);
  Messages(Messages&&) noexcept;
  Messages& operator=(const Messages&);
  Messages& operator=(Messages&&) noexcept;
  ~Messages();

  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Message& operator[](std::size_t index) const;
  [[nodiscard]] const Message* begin() const;
  [[nodiscard]] const Message* end() const;
  /// Adds at the end.
  void add(Messages messages);
  void clear();

  /// Is one of them of this row?
  [[nodiscard]] bool contains(const MessageRow& row) const;
  [[nodiscard]] bool contains(const Message& message) const;
  void remove(const Message& message);

  /// The English text, for logs and for tests: statements have "; " between them, sentences of advice a
  /// blank.
  [[nodiscard]] std::string english() const;
  /// The English text with a line, or several, for each of them: what a compiler said.
  [[nodiscard]] std::string english_lines() const;
  bool operator==(const Messages& other) const;

 private:
  std::vector<Message> items_;
};

using Argument = std::variant<std::string, std::int64_t, double, Messages>;

inline constexpr std::size_t kMaxArguments = 12;

/// The kinds of a row's parameters, as "name:text count:integer" spells them.
struct Signature {
  std::array<ArgumentKind, kMaxArguments> kinds{};
  std::size_t count = 0;
  bool operator==(const Signature&) const = default;
};

// Not constant: a signature that calls one does not compile.
void too_many_parameters();
ArgumentKind no_such_kind_of_parameter();

/// Reads "name:text count:integer"; a mistake in it does not compile.
consteval Signature signature_of(std::string_view parameters) {
  Signature signature;
  while (!parameters.empty()) {
    const std::size_t end = std::min(parameters.find(' '), parameters.size());
    const std::string_view one = parameters.substr(0, end);
    const std::string_view kind = one.substr(one.find(':') + 1);
    if (signature.count == kMaxArguments) too_many_parameters();
    signature.kinds[signature.count++] = kind == "text"      ? ArgumentKind::Text
                                         : kind == "words"   ? ArgumentKind::Words
                                         : kind == "integer" ? ArgumentKind::Integer
                                         : kind == "real"    ? ArgumentKind::Real
                                         : kind == "message" ? ArgumentKind::List
                                                             : no_such_kind_of_parameter();
    parameters.remove_prefix(std::min(end + 1, parameters.size()));
  }
  return signature;
}

/// A row of the table.
struct MessageRow {
  const char* id;
  RowKind kind;
  const char* parameters;  ///< "name:text count:integer"
  Signature signature;
  const char* english;  ///< the template (message_template.h)
};

class Message {
 public:
  /// No message: it renders as nothing.
  Message() = default;
  Message(const MessageRow& row, std::vector<Argument> arguments)
      : row_(&row), arguments_(std::move(arguments)) {}

  [[nodiscard]] bool empty() const { return row_ == nullptr; }
  [[nodiscard]] bool is(const MessageRow& row) const { return row_ == &row; }
  /// The row; a message that is empty has none.
  [[nodiscard]] const MessageRow& row() const { return *row_; }
  /// "" for no message.
  [[nodiscard]] std::string_view id() const { return row_ == nullptr ? "" : row_->id; }
  [[nodiscard]] const std::vector<Argument>& arguments() const { return arguments_; }
  /// The English sentence, for logs and for tests.
  [[nodiscard]] std::string english() const;

  bool operator==(const Message& other) const { return row_ == other.row_ && arguments_ == other.arguments_; }

 private:
  const MessageRow* row_ = nullptr;
  std::vector<Argument> arguments_;
};

/// A row that makes its messages: `races::between_warps(name, line)`. Number and kinds of the arguments are
/// checked by the compiler.
template <Signature S>
struct TypedRow : MessageRow {
  template <class... A>
  Message operator()(A&&... arguments) const {
    static_assert(sizeof...(A) == S.count, "the row has another number of parameters");
    return make(std::make_index_sequence<sizeof...(A)>(), std::forward<A>(arguments)...);
  }

 private:
  template <std::size_t... I, class... A>
  Message make(std::index_sequence<I...> /*indices*/, A&&... arguments) const {
    std::vector<Argument> values;
    values.reserve(sizeof...(A));
    (values.push_back(argument<S.kinds[I]>(std::forward<A>(arguments))), ...);
    return {*this, std::move(values)};
  }

  template <ArgumentKind K, class T>
  static Argument argument(T&& value) {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (K == ArgumentKind::Text || K == ArgumentKind::Words) {
      static_assert(std::convertible_to<T, std::string_view>, "this parameter is a text");
      return Argument(std::in_place_type<std::string>, std::string_view(value));
    } else if constexpr (K == ArgumentKind::Integer) {
      static_assert(std::integral<Plain>, "this parameter is an integer");
      return static_cast<std::int64_t>(value);
    } else if constexpr (K == ArgumentKind::Real) {
      static_assert(std::is_arithmetic_v<Plain>, "this parameter is a number");
      return static_cast<double>(value);
    } else if constexpr (std::same_as<Plain, Messages>) {
      return Argument(std::in_place_type<Messages>, std::forward<T>(value));
    } else {
      static_assert(std::convertible_to<T, Message>, "this parameter is a message, or several");
      return Argument(std::in_place_type<Messages>, Message(std::forward<T>(value)));
    }
  }
};

/// A text by somebody else, such as a compiler: it is copied, never translated.
extern const MessageRow kVerbatim;
Message verbatim(std::string text);
/// A text of a course, such as an oracle's name for a mistake. `places` are what stands for each {} in it. A
/// language has a row for the text, where {1} is the first place (grader/diagnostics/interface_texts.h).
extern const MessageRow kCourseText;
Message course_text(std::string text, Messages places);

/// May an argument stand for a parameter of this kind?
bool fits(ArgumentKind kind, const Argument& argument);

/// "512 bytes"
extern const MessageRow kFewBytes;

/// As bytes, for the wire.
std::string packed(const Message& message);
/// Finds a row by its id: what reads messages asks grader/diagnostics/message_table.h.
using RowFinder = const MessageRow* (*)(std::string_view id);
/// Nothing if the bytes are not what packed() gives, name a row that there is not, or other arguments than it
/// has.
std::optional<Message> unpacked(std::string_view bytes, RowFinder find);

}  // namespace cudalabs
