#include "grader/diagnostics/language.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/catalogue.h"
#include "grader/diagnostics/embedded_tables.h"
#include "grader/diagnostics/interface_texts.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/own_words.h"

namespace cudalabs {
namespace {

const std::string kEnglish = "en";

/// The current language. No texts: English.
struct Spoken {
  std::string name = kEnglish;
  const InterfaceTexts* texts = nullptr;
};
Spoken& spoken() {
  static Spoken now;
  return now;
}

/// An unreadable table is a bug: the tests read each one.
const InterfaceTexts* texts_of(const std::string& name) {
  static std::map<std::string, InterfaceTexts> read;
  if (name == kEnglish) return nullptr;
  if (const auto known = read.find(name); known != read.end()) return &known->second;
  const auto tables = embedded_tables();
  auto texts = InterfaceTexts::read(std::ranges::find(tables, name, &EmbeddedTable::language)->po, name);
  if (!texts) throw std::logic_error(texts.problem().text());
  return &read.emplace(name, std::move(*texts)).first->second;
}

/// A file that does not read is a bug: the tests read each.
Catalogue& catalogue() {
  static Catalogue all = [] {
    Catalogue read;
    for (const EmbeddedTable& file : embedded_messages())
      if (auto added = read.add_translations(file.po, std::string(file.language), std::string(file.file));
          !added)
        throw std::logic_error(added.problem().text());
    return read;
  }();
  return all;
}

/// A format: its text with {} for each hole, what the holes hold, and the two put together.
struct Filled {
  std::string shape, text;
  std::vector<std::string> holes;

  void add(bool hole, std::string piece) {
    shape += hole ? "{}" : piece;
    text += piece;
    if (hole) holes.push_back(std::move(piece));
  }
};

/// Parses a format. Holes without an index take the values one after the other.
class FormatReader {
 public:
  FormatReader(std::string_view format, fmt::format_args values) : rest_(format), values_(values) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  /// The next character, or the text of the next hole.
  struct Next {
    bool hole = false;
    std::string text;
  };
  Next next() {
    const char c = rest_.front();
    if (c != '{' || rest_.starts_with("{{")) {
      const bool twice = rest_.starts_with("{{") || rest_.starts_with("}}");
      rest_.remove_prefix(twice ? 2 : 1);
      return {false, std::string(1, c)};
    }
    // A hole may contain holes, for its width.
    std::size_t end = 1;
    for (int depth = 1; depth > 0; ++end) depth += rest_[end] == '{' ? 1 : rest_[end] == '}' ? -1 : 0;
    std::string_view inside = rest_.substr(1, end - 2);
    rest_.remove_prefix(end);
    std::string hole = "{";
    if (inside.empty() || inside.front() == ':') hole += std::to_string(index_++);
    for (const char sign : inside) {
      hole += sign;
      if (sign == '{') hole += std::to_string(index_++);
    }
    return {true, fmt::vformat(hole + "}", values_)};
  }

 private:
  std::string_view rest_;
  fmt::format_args values_;
  int index_ = 0;
};

/// Blanks around the words are not part of the translated text.
std::string translated_filled(const InterfaceTexts& texts, const Filled& filled) {
  const std::string_view shape = filled.shape;
  const std::size_t first = shape.find_first_not_of(" \n");
  if (first == std::string_view::npos) return filled.text;
  const std::size_t last = shape.find_last_not_of(" \n") + 1;
  const auto said = texts.find(std::string(shape.substr(first, last - first)), filled.holes);
  if (!said) return filled.text;
  return std::string(shape.substr(0, first)) + *said + std::string(shape.substr(last));
}

/// Returns whether one of these attributes opens: screen readers read their values aloud, so they are
/// translated.
bool opens_label(std::string_view tag) {
  return tag.ends_with(" aria-label=\"") || tag.ends_with(" title=\"");
}

}  // namespace

const std::vector<std::string>& language_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{kEnglish};
    for (const EmbeddedTable& table : embedded_tables()) all.emplace_back(table.language);
    return all;
  }();
  return names;
}

Result<void> set_language(const std::string& name) {
  const std::vector<std::string>& names = language_names();
  if (std::ranges::find(names, name) == names.end()) {
    return error(msg::unknown_language(name, suggestion(name, names)), msg::known_languages(listed(names)));
  }
  spoken() = {name, texts_of(name)};
  return {};
}

const std::string& spoken_language() { return spoken().name; }

std::string language_of_list(std::string_view list) {
  const std::vector<std::string>& names = language_names();
  while (!list.empty()) {
    const std::string_view one = take_until(list, ':');
    const std::string name(one.substr(0, one.find_first_of("_.@")));
    if (std::ranges::find(names, name) != names.end()) return name;
  }
  return kEnglish;
}

std::string translated_word(std::string_view words) {
  const InterfaceTexts* const texts = spoken().texts;
  std::string text(words);
  if (texts == nullptr || text.empty()) return text;
  return texts->find(text, {}).value_or(text);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  const InterfaceTexts* const texts = spoken().texts;
  std::string english = plural(count, noun);
  if (texts == nullptr) return english;
  return texts->find("{} " + std::string(noun) + "s", {human_count(count)}).value_or(std::move(english));
}

std::string shown_text(const Diagnostic& problem) {
  const std::string hint = rendered(problem.hint);
  return place_of(problem.where) + rendered(problem.message) +
         (hint.empty() ? "" : "\n  " + tr("hint: {}", hint));
}

std::string rendered(const Message& message) {
  if (message.empty()) return {};
  if (message.is(kCourseText)) {
    const InterfaceTexts* const texts = spoken().texts;
    if (texts == nullptr) return message.english();
    return texts
        ->find(std::get<std::string>(message.arguments()[0]), std::get<Messages>(message.arguments()[1]),
               [](const std::string& words) { return translated_word(words); })
        .value_or(message.english());
  }
  static const MessageTemplate::Inside inside{
      [](const Messages& messages) { return rendered(messages); },
      [](const std::string& words) { return translated_word(words); }};
  return catalogue().render(message, spoken().name, inside);
}

std::string rendered(const Messages& messages) {
  return joined(messages, [](const Message& message) { return rendered(message); });
}

std::string rendered_lines(const Messages& messages) {
  return in_lines(messages, [](const Message& message) { return rendered(message); });
}

Rewording::Rewording(std::vector<OwnWords> words) : words_(std::move(words)) {
  for (const OwnWords& one : words_) {
    // Who reads a course refuses texts that do not read.
    if (auto done = catalogue().reword(one.id, one.language, one.text, one.where); !done)
      throw std::logic_error(done.problem().text());
  }
}
Rewording::~Rewording() {
  for (const OwnWords& one : words_) catalogue().forget(one.id, one.language);
}

bool is_worded(std::string_view id, const std::string& language) { return catalogue().has(id, language); }

std::string translated_format(std::string_view format, fmt::format_args values) {
  const InterfaceTexts* const texts = spoken().texts;
  if (texts == nullptr) return fmt::vformat({format.data(), format.size()}, values);
  Filled filled;
  for (FormatReader reader(format, values); !reader.done();) {
    FormatReader::Next next = reader.next();
    filled.add(next.hole, std::move(next.text));
  }
  return translated_filled(*texts, filled);
}

std::string translated_markup(std::string_view format, fmt::format_args values) {
  const InterfaceTexts* const texts = spoken().texts;
  if (texts == nullptr) return fmt::vformat({format.data(), format.size()}, values);
  std::string out;
  Filled text;  // since the last tag, or of the open label
  enum { Words, Tag, Label } where = Words;
  for (FormatReader reader(format, values); !reader.done();) {
    FormatReader::Next next = reader.next();
    if (where != Tag && (next.hole || next.text != (where == Words ? "<" : "\""))) {
      text.add(next.hole, std::move(next.text));
      continue;
    }
    if (where != Tag) {
      out += translated_filled(*texts, std::exchange(text, {}));
      where = Tag;
      out += next.text;
      continue;
    }
    out += next.text;
    if (next.hole) continue;
    if (next.text == ">") where = Words;
    if (next.text == "\"" && opens_label(out)) where = Label;
  }
  return out + translated_filled(*texts, text);
}

LanguageScope::LanguageScope(const std::string& name) : before_(spoken_language()) {
  if (auto known = set_language(name); !known) throw std::logic_error(known.problem().text());
}
LanguageScope::~LanguageScope() { (void)set_language(before_); }

}  // namespace cudalabs
