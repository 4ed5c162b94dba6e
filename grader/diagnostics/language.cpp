#include "grader/diagnostics/language.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/catalogue.h"
#include "grader/diagnostics/embedded_tables.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/own_words.h"

namespace cudalabs {
namespace {

const std::string kEnglish = "en";

using SharedTexts = std::shared_ptr<const TextsByLanguage>;

/// The current language, and all that can be looked up: the texts of courses, then the grader's own.
struct Spoken {
  std::string name = kEnglish;
  std::vector<SharedTexts> tables;

  /// What the first table of a language finds that finds something.
  template <class Find>
  [[nodiscard]] auto first_in(const std::string& language, const Find& find) const
      -> decltype(find(std::declval<const InterfaceTexts&>())) {
    for (const SharedTexts& texts : tables) {
      const auto table = texts->find(language);
      if (table == texts->end()) continue;
      if (auto found = find(table->second)) return found;
    }
    return {};
  }
  [[nodiscard]] std::optional<std::string> find(const std::string& format,
                                                const std::vector<std::string>& holes) const {
    return first_in(name, [&](const InterfaceTexts& texts) { return texts.find(format, holes); });
  }
};

/// An unreadable table is a bug: the tests read each one.
const SharedTexts& own_texts() {
  static const SharedTexts all = [] {
    auto read = std::make_shared<TextsByLanguage>();
    for (const EmbeddedTable& table : embedded_tables()) {
      auto texts = InterfaceTexts::read(table.po, std::string(table.language), std::string(table.file));
      if (!texts) throw std::logic_error(texts.problem().text());
      read->emplace(table.language, std::move(*texts));
    }
    return read;
  }();
  return all;
}

/// The line at the bottom of a terminal has a thread of its own, which may look up a text while a course is
/// opened, and until the process ends. So what is spoken is replaced as a whole, and the last is never
/// destroyed.
std::mutex speaking;
std::shared_ptr<const Spoken>& spoken_now() {
  static auto* const now =
      new std::shared_ptr<const Spoken>(std::make_shared<const Spoken>(Spoken{kEnglish, {own_texts()}}));
  return *now;
}
std::shared_ptr<const Spoken> spoken() {
  const std::lock_guard lock(speaking);
  return spoken_now();
}
void speak(Spoken next) {
  const std::lock_guard lock(speaking);
  spoken_now() = std::make_shared<const Spoken>(std::move(next));
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
std::string translated_filled(const Spoken& texts, const Filled& filled) {
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

std::vector<std::string> language_names() {
  std::vector<std::string> names{kEnglish};
  const auto now = spoken();
  for (auto texts = now->tables.rbegin(); texts != now->tables.rend(); ++texts)
    for (const auto& [language, table] : **texts)
      if (std::ranges::find(names, language) == names.end()) names.push_back(language);
  return names;
}

Result<void> set_language(const std::string& name) {
  const std::vector<std::string> names = language_names();
  if (std::ranges::find(names, name) == names.end()) {
    return error(msg::unknown_language(name, suggestion(name, names)), msg::known_languages(listed(names)));
  }
  speak({name, spoken()->tables});
  return {};
}

std::string spoken_language() { return spoken()->name; }

void set_course_texts(std::vector<TextsByLanguage> texts) {
  Spoken next{spoken_language(), {}};
  for (TextsByLanguage& one : texts)
    next.tables.push_back(std::make_shared<const TextsByLanguage>(std::move(one)));
  next.tables.push_back(own_texts());
  speak(std::move(next));
}

bool is_translated(const std::string& text, const std::string& language) {
  return spoken()->first_in(language, [&](const InterfaceTexts& texts) { return texts.has(text); });
}

std::string language_of_list(std::string_view list) {
  const std::vector<std::string> names = language_names();
  while (!list.empty()) {
    const std::string_view one = take_until(list, ':');
    const std::string name(one.substr(0, one.find_first_of("_.@")));
    if (std::ranges::find(names, name) != names.end()) return name;
  }
  return kEnglish;
}

std::string translated_word(std::string_view words) {
  std::string text(words);
  return spoken()->find(text, {}).value_or(text);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return spoken()->find("{} " + std::string(noun) + "s", {human_count(count)}).value_or(plural(count, noun));
}

std::string shown_text(const Diagnostic& problem) {
  const std::string hint = rendered(problem.hint);
  return place_of(problem.where) + rendered(problem.message) +
         (hint.empty() ? "" : "\n  " + tr("hint: {}", hint));
}

std::string rendered(const Message& message) {
  if (message.empty()) return {};
  if (message.is(kCourseText)) {
    const auto now = spoken();
    const auto said = now->first_in(now->name, [&](const InterfaceTexts& texts) {
      return texts.find(std::get<std::string>(message.arguments()[0]),
                        std::get<Messages>(message.arguments()[1]),
                        [](const std::string& words) { return translated_word(words); });
    });
    return said ? *said : message.english();
  }
  static const MessageTemplate::Inside inside{
      [](const Messages& messages) { return rendered(messages); },
      [](const std::string& words) { return translated_word(words); }};
  return catalogue().render(message, spoken_language(), inside);
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
  const auto texts = spoken();
  Filled filled;
  for (FormatReader reader(format, values); !reader.done();) {
    FormatReader::Next next = reader.next();
    filled.add(next.hole, std::move(next.text));
  }
  return translated_filled(*texts, filled);
}

std::string translated_markup(std::string_view format, fmt::format_args values) {
  const auto texts = spoken();
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
