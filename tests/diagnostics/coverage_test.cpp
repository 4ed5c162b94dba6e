// Checks that translations exist for the texts that the project's tests show to users, and for the sentences
// of its sources. A new message has no row until someone writes one, and this test reports that.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path kSource = CUDALABS_SOURCE;

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::ranges::sort(files);
  REQUIRE_FALSE(files.empty());
  return files;
}

/// Returns whether a text has three English words in a row, outside of code and compiler output.
bool has_english(std::string text) {
  static const std::regex code(
      "`[^`]*`|'[^']*'|<<<.*>>>|expected a |\\b(unsigned|int|const|float|double|char|long)\\b");
  static const std::regex words("\\b[A-Za-z][a-z]+,? [a-z]+,? [a-z]+\\b");
  text = std::regex_replace(text, code, "");
  return std::regex_search(text, words);
}

/// The texts that are still English, without duplicates.
Lines left_english(const std::set<std::string>& texts) {
  const Speaking russian("ru");
  Lines left;
  for (const std::string& text : texts)
    if (const std::string said = translated(text); said == text || has_english(said)) left.push_back(said);
  return left;
}

/// The string literals of a source file that match `wanted`, with a number in each hole.
void take_literals(const std::string& source, const std::regex& wanted, std::set<std::string>& texts) {
  static const std::regex comment("//[^\n]*");
  static const std::regex literal("\"(?:[^\"\\\\\n]|\\\\.)*\"(?:\\s*\"(?:[^\"\\\\\n]|\\\\.)*\")*");
  static const std::regex seam("\"\\s*\"");
  static const std::regex hole("\\{[^}]*\\}");
  const std::string code = std::regex_replace(source, comment, "");
  for (std::sregex_iterator it(code.begin(), code.end(), literal), end; it != end; ++it) {
    std::string text = std::regex_replace(it->str(), seam, "");
    if (text.size() < 2) continue;
    text = std::regex_replace(text.substr(1, text.size() - 2), hole, "7");
    if (text.find('\\') == std::string::npos && std::regex_match(text, wanted)) texts.insert(text);
  }
}

}  // namespace

TEST_CASE("the reader of these tests tells English from what is none") {
  CHECK(has_english("не пройден: the first is here"));
  CHECK_FALSE(has_english("не пройден: rows=31 cols=32 negative"));
  CHECK_FALSE(has_english("смотрите `the first is`"));
  CHECK(left_english({"No such sentence is in the table.", "Repair the first error; later ones often follow from it."}) ==
        Lines{"No such sentence is in the table."});
}

TEST_CASE("every sentence of advice has its translation") {
  const std::regex sentence("[A-Z][a-z_]* [^\\n]* [^\\n]*\\.");
  std::set<std::string> texts;
  for (const char* folder :
       {"grader/sim/interpreter", "grader/sim/ops", "grader/present/explain"})
    for (const fs::path& file : files_in(folder, ".cpp"))
      take_literals(test::read_file(file), sentence, texts);
  take_literals(test::read_file(kSource / "grader/toolchain/advice.cpp"), sentence, texts);
  CHECK(texts.size() > 60);
  CHECK(texts.erase("Only 7 7 part.") == 1);  // a part of a text whose whole has rows
  CHECK(left_english(texts) == Lines{});
}

TEST_CASE("the titles of the course are translated") {
  std::set<std::string> texts;
  static const std::regex title("\n *title: *\"?([^\"\n]*)\"?");
  for (const fs::path& file : files_in("configs/labs", ".yaml")) {
    const std::string yaml = "\n" + test::read_file(file);
    for (std::sregex_iterator it(yaml.begin(), yaml.end(), title), end; it != end; ++it)
      texts.insert((*it)[1]);
  }
  CHECK(texts.size() > 30);
  CHECK(left_english(texts) == Lines{});
}

TEST_CASE("what a rung of a ladder changes is translated") {
  std::set<std::string> texts;
  static const std::regex idea("(?:idea|title): \"([^\"\n]*)\"");
  for (const fs::path& file : files_in("configs/ladders", ".yaml")) {
    const std::string yaml = test::read_file(file);
    for (std::sregex_iterator it(yaml.begin(), yaml.end(), idea), end; it != end; ++it)
      texts.insert((*it)[1]);
  }
  CHECK(texts.size() > 40);
  CHECK(left_english(texts) == Lines{});
}

TEST_CASE("the mistakes that the course knows are translated") {
  std::set<std::string> texts;
  for (const fs::path& file : files_in("labs", ".cpp")) {
    static const std::regex mistake("return \"((?:the|a|an|twice|b|one) (?:[^\"\\\\])*)\"");
    static const std::regex seam("\"\\s*\"");
    const std::string code = std::regex_replace(test::read_file(file), seam, "");
    for (std::sregex_iterator it(code.begin(), code.end(), mistake), end; it != end; ++it)
      texts.insert("out[0] is 1, expected 2; 3 of 7 elements are wrong; this is " + (*it)[1].str());
  }
  CHECK(texts.size() > 5);
  CHECK(left_english(texts) == Lines{});
}

}  // namespace cudalabs
