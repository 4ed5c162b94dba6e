#pragma once
// Texts in one language: headings, labels, tables and lines of the commands, which the code has as English
// formats, and the texts of courses. A row of grader/diagnostics/<language>.po, or of a course's
// languages/<language>.po, has the English format with {} for each hole, and the translation, in which {1} is
// the first hole: see message_template.h.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/base/message.h"
#include "grader/base/message_template.h"
#include "grader/base/result.h"

namespace cudalabs {

class InterfaceTexts {
 public:
  /// `file`: its name, for errors. Errors, with their line: no .po file, a row that is there twice, a
  /// translation with a mistake.
  static Result<InterfaceTexts> read(std::string_view po, const std::string& language,
                                     const std::string& file);

  /// The translation of a format whose holes hold these texts; nothing if there is no row for it.
  [[nodiscard]] std::optional<std::string> find(const std::string& format,
                                                const std::vector<std::string>& holes) const;
  /// The translation of a text of a course (kCourseText); nothing if there is no row for it. A choice reads
  /// the English word of a place, and `words` translates it where it is shown.
  [[nodiscard]] std::optional<std::string> find(
      const std::string& text, const Messages& places,
      const std::function<std::string(const std::string&)>& words) const;
  [[nodiscard]] bool has(const std::string& format) const { return rows_.contains(format); }
  [[nodiscard]] std::vector<std::string> formats() const;

 private:
  struct Row {
    std::size_t holes = 0;
    MessageTemplate text;
  };
  const CountingRules* rules_ = nullptr;
  std::unordered_map<std::string, Row> rows_;
};

/// By the name of a language ("ru").
using TextsByLanguage = std::map<std::string, InterfaceTexts>;

}  // namespace cudalabs
