#pragma once
// The language in which people are spoken to. Inside the grader every text is English, and so is what
// programs read; a text is translated where it is shown, by the table of its language (grader/language/*.po).
// What has no row there stays English.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// The languages that there are, English first: "en", "ru".
const std::vector<std::string>& language_names();

/// What people are spoken to in from now on. Set once, before there are threads. Error: no such language.
Result<void> speak(const std::string& name);
const std::string& spoken_language();

/// The first language of a list such as "ru_RU.UTF-8:en" that there is, else "en": how LANGUAGE is read.
std::string language_of_list(std::string_view list);

/// A finished text in the language spoken. It is translated if all of it is what a row of the table says, its
/// holes filled; else each of its lines, statements and sentences by itself. What no row fits stays as it is,
/// and what fills a hole is only copied.
std::string translated(std::string_view text);

/// Messages in the language that is set.
std::string rendered(const Message& message);
std::string rendered(const Messages& messages);

/// Words a message otherwise from now on, as a course asks for it. Before there are threads.
/// Errors: no such message, a mistake in the template; at `where`.
Result<void> reword(const std::string& id, const std::string& language, const std::string& text,
                    const Location& where);

/// The text of a problem as it is shown: translated, also its word "hint".
std::string shown_text(const Diagnostic& problem);

/// fmt::format() in the language spoken: the row of the table is found by the format, whatever the values
/// are. Blanks and line breaks around the words are no part of the row.
std::string translated_format(std::string_view format, fmt::format_args values);
template <class... T>
std::string tr(fmt::format_string<T...> format, T&&... values) {
  const fmt::string_view text = format;
  return translated_format({text.data(), text.size()}, fmt::make_format_args(values...));
}

/// The same for markup of our own: each text between its tags, and each label for those who hear the page, is
/// a row of its own. The values are escaped already.
std::string translated_markup(std::string_view format, fmt::format_args values);
template <class... T>
std::string markup(fmt::format_string<T...> format, T&&... values) {
  const fmt::string_view text = format;
  return translated_markup({text.data(), text.size()}, fmt::make_format_args(values...));
}

/// Speaks another language as long as it lives: for tests.
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
