#pragma once
// The language of texts for users. What the grader has to say travels as messages and is rendered when it is
// shown, by the templates of the language (messages/<language>/*.po). The interface's own texts are English
// formats in the code, which <language>.po translates; a course brings such rows for its own texts, and may
// bring a language. What has no translation stays English, and so does the output for programs.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/diagnostics/interface_texts.h"

namespace cudalabs {

/// The available languages, English first: "en", "ru", and those that set_course_texts() brought.
std::vector<std::string> language_names();

/// Sets the language for users. Error: no such language.
Result<void> set_language(const std::string& name);
std::string spoken_language();

/// The texts that courses bring, in place of those of the last call. A text is looked up in them, one after
/// the other, and then among the grader's own: the first row counts.
void set_course_texts(std::vector<TextsByLanguage> texts);

/// Has the language a row for this text, whose holes are {}?
bool is_translated(const std::string& text, const std::string& language);

/// The first available language of a list such as "ru_RU.UTF-8:en", as in LANGUAGE; otherwise "en".
std::string language_of_list(std::string_view list);

/// Words that the course or the grader has as data, such as the title of a lab or the name of a column:
/// looked up as a whole. Words without a row stay English.
std::string translated_word(std::string_view words);

/// "1 student", "3 students": `noun` is one of them, in English. The row is that of "{} students".
std::string counted(std::uint64_t count, std::string_view noun);

/// Messages in the language that is set.
std::string rendered(const Message& message);
std::string rendered(const Messages& messages);
/// One below the other: what a compiler said.
std::string rendered_lines(const Messages& messages);

/// Has the language a text of its own for this message: a translation, or a course's words?
bool is_worded(std::string_view id, const std::string& language);

/// The text of a problem as it is shown: translated, also its word "hint".
std::string shown_text(const Diagnostic& problem);

/// Like fmt::format() in the current language. The row has the format with {} for each hole; blanks and line
/// breaks around the words are not part of it. Values are copied: a value with words is translated before.
std::string translated_format(std::string_view format, fmt::format_args values);
template <class... T>
std::string tr(fmt::format_string<T...> format, T&&... values) {
  const fmt::string_view text = format;
  return translated_format({text.data(), text.size()}, fmt::make_format_args(values...));
}

/// Does the same for the grader's own markup. Each text between its tags, and each label for screen readers,
/// is a separate row. The values must be markup already: pages call html::markup (grader/present/web/html.h),
/// whose values can be nothing else.
std::string translated_markup(std::string_view format, fmt::format_args values);

/// Sets another language for the lifetime of the object, for tests.
class LanguageScope {
 public:
  explicit LanguageScope(const std::string& name);
  ~LanguageScope();
  LanguageScope(const LanguageScope&) = delete;
  LanguageScope& operator=(const LanguageScope&) = delete;

 private:
  std::string before_;
};

}  // namespace cudalabs
