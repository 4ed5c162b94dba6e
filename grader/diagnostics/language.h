#pragma once
// The language of texts for users. Inside the grader every text is English, and so is the output for
// programs. A text is translated when it is shown, by the table of its language (grader/diagnostics/*.po). A
// text without a row in the table stays English.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// The available languages, English first: "en", "ru".
const std::vector<std::string>& language_names();

/// Sets the language for users. Call it once, before any threads start. Error: no such language.
Result<void> set_language(const std::string& name);
const std::string& spoken_language();

/// The first available language of a list such as "ru_RU.UTF-8:en", as in LANGUAGE; otherwise "en".
std::string language_of_list(std::string_view list);

/// Translates a finished text into the current language. If a row of the table matches the whole text, it is
/// used with its holes filled; otherwise each line, statement and sentence is translated separately. Parts
/// without a matching row stay as they are, and the contents of holes are copied.
std::string translated(std::string_view text);

/// Messages in the language that is set.
std::string rendered(const Message& message);
std::string rendered(const Messages& messages);

/// Has the language a text of its own for this message: a translation, or a course's words?
bool is_worded(std::string_view id, const std::string& language);

/// The text of a problem as it is shown: translated, also its word "hint".
std::string shown_text(const Diagnostic& problem);

/// Like fmt::format() in the current language: finds the table's row by the format, independent of the
/// values. Blanks and line breaks around the words are not part of the row.
std::string translated_format(std::string_view format, fmt::format_args values);
template <class... T>
std::string tr(fmt::format_string<T...> format, T&&... values) {
  const fmt::string_view text = format;
  return translated_format({text.data(), text.size()}, fmt::make_format_args(values...));
}

/// Does the same for the grader's own markup. Each text between its tags, and each label for screen readers,
/// is a separate row. The values must be escaped already.
std::string translated_markup(std::string_view format, fmt::format_args values);
template <class... T>
std::string markup(fmt::format_string<T...> format, T&&... values) {
  const fmt::string_view text = format;
  return translated_markup({text.data(), text.size()}, fmt::make_format_args(values...));
}

/// Sets another language for the lifetime of the object, for tests.
class Speaking {
 public:
  explicit Speaking(const std::string& name);
  ~Speaking();
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;

 private:
  std::string before_;
};

}  // namespace cudalabs
