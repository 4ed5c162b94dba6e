#pragma once
// Finds English in texts that are to be in another language.

#include <regex>
#include <string>

namespace cudalabs::test {

/// Returns whether a text has two English words in a row, outside of code, names and options.
inline bool has_english(std::string text) {
  static const std::regex code(
      "`[^`]*`|'[^']*'|\"[^\"]*\"|<<<.*>>>|\\([a-z ]+\\)|--[a-z-]+( [a-z]+)?|grader( [a-z-]+)?|"
      "\\b(unsigned|int|const|float|double|char|long|half|tf32)\\b|ulimit -[a-zA-Z]|#pragma \\w+|"
      "sudo apt install [a-z]+|compute capability|fat binary|racecheck sum");
  static const std::regex words("\\b[a-z]{2,} [a-z]{2,}\\b");
  text = std::regex_replace(text, code, "");
  return std::regex_search(text, words);
}

}  // namespace cudalabs::test
