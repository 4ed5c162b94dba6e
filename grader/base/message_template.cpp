#include "grader/base/message_template.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"

namespace cudalabs {
namespace {

std::string_view cardinal_english(std::uint64_t whole, bool fraction) {
  return whole == 1 && !fraction ? "one" : "other";
}
std::string_view ordinal_english(std::uint64_t whole) {
  const std::uint64_t last = whole % 10, two = whole % 100;
  if (two >= 11 && two <= 13) return "other";
  return last == 1 ? "one" : last == 2 ? "two" : last == 3 ? "few" : "other";
}
std::string_view cardinal_slavic(std::uint64_t whole, bool fraction) {
  if (fraction) return "other";
  const std::uint64_t last = whole % 10, two = whole % 100;
  if (last == 1 && two != 11) return "one";
  return last >= 2 && last <= 4 && (two < 12 || two > 14) ? "few" : "many";
}
std::string_view ordinal_none(std::uint64_t /*whole*/) { return "other"; }

constexpr CountingRules kRules[] = {{"en", cardinal_english, ordinal_english},
                                    {"ru", cardinal_slavic, ordinal_none},
                                    {"uk", cardinal_slavic, ordinal_none},
                                    {"be", cardinal_slavic, ordinal_none}};

constexpr std::string_view kBlanks = " \t\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// "1,024" or "2.5": the texts of an interface get their numbers formatted.
double number_in(std::string text) {
  std::erase(text, ',');
  std::string_view rest = text;
  return take_leading_number<double>(rest).value_or(0);
}

double number_of(const Argument& argument) {
  if (const auto* text = std::get_if<std::string>(&argument)) return number_in(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&argument)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&argument)) return *real;
  return 0;
}

/// As few digits as tell the number from its neighbours.
std::string plain(double number) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

/// 0 for what is no number of anything: messages come from hostile programs, too.
std::uint64_t units_of(double number) {
  return number >= 0 ? static_cast<std::uint64_t>(std::min(number, 1e18)) : 0;
}

std::string grouped(const Argument& argument) {
  if (const auto* whole = std::get_if<std::int64_t>(&argument)) {
    const auto size = static_cast<std::uint64_t>(*whole);
    return *whole < 0 ? "-" + human_count(0 - size) : human_count(size);
  }
  return plain(number_of(argument));
}

enum class Style { Plain, Grouped, Tenths, Factor, Bytes, Time, Points };
constexpr std::pair<std::string_view, Style> kStyles[] = {
    {"number", Style::Grouped}, {"tenths", Style::Tenths}, {"factor", Style::Factor},
    {"bytes", Style::Bytes},    {"time", Style::Time},     {"points", Style::Points}};

}  // namespace

const CountingRules& counting_rules(std::string_view language) {
  const auto* const found = std::ranges::find(kRules, language, &CountingRules::language);
  return found == std::end(kRules) ? kRules[0] : *found;
}

struct MessageTemplate::Piece {
  enum class Kind { Text, Value, Plural, Ordinal, Select, Number } kind = Kind::Text;
  std::string text;           ///< of Text
  std::size_t parameter = 0;  ///< of the others
  Style style = Style::Plain;
  std::vector<std::pair<std::string, std::vector<Piece>>> forms;  ///< of a choice, by their names
};

MessageTemplate::MessageTemplate() = default;
MessageTemplate::MessageTemplate(MessageTemplate&&) noexcept = default;
MessageTemplate& MessageTemplate::operator=(MessageTemplate&&) noexcept = default;
MessageTemplate::~MessageTemplate() = default;

class MessageTemplate::Reader {
 public:
  Reader(std::string_view text, std::string_view parameters) : rest_(text) {
    while (!parameters.empty()) {
      const std::size_t end = std::min(parameters.find(' '), parameters.size());
      const std::string_view one = parameters.substr(0, end);
      const std::size_t colon = one.find(':');
      names_.emplace_back(one.substr(0, colon));
      kinds_.emplace_back(one.substr(std::min(colon + 1, one.size())));
      parameters.remove_prefix(std::min(end + 1, parameters.size()));
    }
  }

  /// Up to the end, or inside of a form up to its closing brace, which it leaves.
  std::vector<Piece> pieces(std::optional<std::size_t> counted) {
    std::vector<Piece> out;
    const auto text = [&out](char c) {
      if (out.empty() || out.back().kind != Piece::Kind::Text) out.emplace_back();
      out.back().text += c;
    };
    while (!rest_.empty() && problem_.empty()) {
      const char c = rest_.front();
      if (c == '\'' && rest_.size() > 2 && (rest_[1] == '{' || rest_[1] == '}') && rest_[2] == '\'') {
        text(rest_[1]);
        rest_.remove_prefix(3);
      } else if (rest_.starts_with("\'\'")) {  // ICU's apostrophe, for those who know it
        text(c);
        rest_.remove_prefix(2);
      } else if (c == '}') {
        if (!inside_) fail("a } without its {");
        return out;
      } else if (c == '#' && counted) {
        Piece number;
        number.kind = Piece::Kind::Number;
        number.parameter = *counted;
        out.push_back(std::move(number));
        rest_.remove_prefix(1);
      } else if (c == '{') {
        rest_.remove_prefix(1);
        out.push_back(argument(counted));
      } else {
        text(c);
        rest_.remove_prefix(1);
      }
    }
    return out;
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }
  /// Up to one of the characters, which is taken, too.
  std::string_view word(std::string_view ends, char& end) {
    const std::size_t at = rest_.find_first_of(ends);
    if (at == std::string_view::npos) {
      fail("a { without its }");
      end = 0;
      return {};
    }
    const std::string_view found = trimmed(rest_.substr(0, at));
    end = rest_[at];
    rest_.remove_prefix(at + 1);
    return found;
  }

  Piece argument(std::optional<std::size_t> counted) {
    Piece piece;
    piece.kind = Piece::Kind::Value;
    char end = 0;
    const std::string name(word(",}", end));
    const auto known = std::ranges::find(names_, name);
    if (known == names_.end()) return fail("there is no argument '" + name + "'"), piece;
    piece.parameter = static_cast<std::size_t>(known - names_.begin());
    if (end == '}') return piece;
    const std::string style(word(",}", end));
    const std::string& kind = kinds_[piece.parameter];
    const bool is_number = kind == "integer" || kind == "real";
    if (end == '}') {
      const auto* const found = std::ranges::find(kStyles, style, &std::pair<std::string_view, Style>::first);
      if (found == std::end(kStyles)) return fail("there is no style '" + style + "'"), piece;
      if (!is_number) return fail("'" + name + "' is not a number"), piece;
      piece.style = found->second;
      return piece;
    }
    using enum Piece::Kind;
    piece.kind = style == "plural" ? Plural : style == "selectordinal" ? Ordinal : Select;
    if (piece.kind == Select && style != "select") fail("there is no choice '" + style + "'");
    if (piece.kind != Select && !is_number) fail("'" + name + "' is not a number");
    forms(piece, piece.kind == Select ? counted : std::optional(piece.parameter));
    return piece;
  }

  void forms(Piece& piece, std::optional<std::size_t> counted) {
    while (problem_.empty()) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
      if (rest_.starts_with('}')) {
        rest_.remove_prefix(1);
        const bool other =
            std::ranges::find(piece.forms, "other", &std::pair<std::string, std::vector<Piece>>::first) !=
            piece.forms.end();
        if (!other) fail("a choice has no form 'other'");
        return;
      }
      char end = 0;
      std::string name(word("{", end));
      ++inside_;
      std::vector<Piece> form = pieces(counted);
      --inside_;
      if (rest_.empty()) return fail("a { without its }");
      rest_.remove_prefix(1);
      piece.forms.emplace_back(std::move(name), std::move(form));
    }
  }

  std::string_view rest_;
  std::vector<std::string> names_, kinds_;
  std::string problem_;
  int inside_ = 0;  ///< forms that are open
};

class MessageTemplate::Writer {
 public:
  Writer(const MessageRow& row, const std::vector<Argument>& arguments, const CountingRules& rules,
         const Inside& inside)
      : row_(row), arguments_(arguments), rules_(rules), inside_(inside) {}

  [[nodiscard]] std::string text(const std::vector<Piece>& pieces) const {
    std::string out;
    for (const Piece& piece : pieces) {
      using enum Piece::Kind;
      if (piece.kind == Text) {
        out += piece.text;
        continue;
      }
      const Argument& argument = arguments_.at(piece.parameter);
      if (piece.kind == Value)
        out += value(piece, argument);
      else if (piece.kind == Number)
        out += grouped(argument);
      else
        out += text(chosen(piece, argument));
    }
    return out;
  }

 private:
  [[nodiscard]] std::string value(const Piece& piece, const Argument& argument) const {
    if (const auto* text = std::get_if<std::string>(&argument))
      return row_.signature.kinds[piece.parameter] == ArgumentKind::Words ? inside_.words(*text) : *text;
    if (const auto* list = std::get_if<Messages>(&argument)) return inside_.messages(*list);
    const double number = number_of(argument);
    switch (piece.style) {
      case Style::Plain: break;
      case Style::Grouped: return grouped(argument);
      case Style::Tenths: return human_tenths(number);
      case Style::Factor: return human_factor(number);
      case Style::Points: return human_points(number);
      case Style::Time: return human_time(number);
      case Style::Bytes:
        return number < 1024 ? inside_.messages({kBytes(number)}) : human_bytes(units_of(number));
    }
    if (const auto* whole = std::get_if<std::int64_t>(&argument)) return std::to_string(*whole);
    return plain(number);
  }

  [[nodiscard]] const std::vector<Piece>& chosen(const Piece& piece, const Argument& argument) const {
    using enum Piece::Kind;
    std::string name;
    if (piece.kind == Select) {
      const auto* const text = std::get_if<std::string>(&argument);
      const auto* const list = std::get_if<Messages>(&argument);
      name = text != nullptr   ? text->empty() ? "none" : *text
             : list == nullptr ? plain(number_of(argument))
             : list->empty()   ? "none"
                               : std::string((*list)[0].id());
    } else {
      const double number = number_of(argument);
      const double whole = std::trunc(std::abs(number));
      const std::string exactly = "=" + plain(number);
      for (const auto& [form, pieces] : piece.forms)
        if (form == exactly) return pieces;
      const std::uint64_t units = units_of(whole);
      name = piece.kind == Plural ? rules_.cardinal(units, whole != std::abs(number)) : rules_.ordinal(units);
    }
    const std::vector<Piece>* other = nullptr;
    for (const auto& [form, pieces] : piece.forms) {
      if (form == name) return pieces;
      if (form == "other") other = &pieces;
    }
    return *other;
  }

  static Message kBytes(double number) {
    std::vector<Argument> arguments;
    arguments.emplace_back(static_cast<std::int64_t>(units_of(number)));
    return {kFewBytes, std::move(arguments)};
  }

  const MessageRow& row_;
  const std::vector<Argument>& arguments_;
  const CountingRules& rules_;
  const Inside& inside_;
};

std::unique_ptr<MessageTemplate> MessageTemplate::read(std::string_view text, std::string_view parameters,
                                                       std::string& problem) {
  Reader reader(text, parameters);
  std::unique_ptr<MessageTemplate> made(new MessageTemplate());
  made->pieces_ = reader.pieces(std::nullopt);
  problem = reader.problem();
  return problem.empty() ? std::move(made) : nullptr;
}

std::string MessageTemplate::render(const MessageRow& row, const std::vector<Argument>& arguments,
                                    const CountingRules& rules, const Inside& inside) const {
  return Writer(row, arguments, rules, inside).text(pieces_);
}

std::string joined(const Messages& messages, const std::function<std::string(const Message&)>& render) {
  std::string out;
  for (const Message& message : messages) {
    if (message.empty()) continue;
    if (!out.empty()) out += out.ends_with('.') ? " " : "; ";
    out += render(message);
  }
  return out;
}

std::string in_lines(const Messages& messages, const std::function<std::string(const Message&)>& render) {
  std::string out;
  for (const Message& message : messages) out += (out.empty() ? "" : "\n") + render(message);
  return out;
}

std::string Message::english() const { return Messages(*this).english(); }

namespace {

/// A course's text with its places filled in. A text without places keeps the {} that it has.
std::string filled_in(const Message& message) {
  std::string text = std::get<std::string>(message.arguments()[0]);
  std::size_t at = 0;
  for (const Message& place : std::get<Messages>(message.arguments()[1])) {
    at = text.find("{}", at);
    if (at == std::string::npos) break;
    const std::string said = place.english();
    text.replace(at, 2, said);
    at += said.size();
  }
  return text;
}

}  // namespace

std::string Messages::english_lines() const {
  return in_lines(*this, [](const Message& message) { return message.english(); });
}

std::string Messages::english() const {
  const auto one = [](const Message& message) {
    if (message.is(kCourseText)) return filled_in(message);
    // Rows are constants, so a template that cannot be read is a bug: the tests read each.
    std::string problem;
    const auto text = MessageTemplate::read(message.row().english, message.row().parameters, problem);
    if (text == nullptr) return std::string(message.row().english);
    return text->render(message.row(), message.arguments(), kRules[0],
                        {[](const Messages& inner) { return inner.english(); },
                         [](const std::string& words) { return words; }});
  };
  return joined(*this, one);
}

}  // namespace cudalabs
