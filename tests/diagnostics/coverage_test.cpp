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

/// The texts of a score card, joined from their lines.
void take_card(const std::string& card, std::set<std::string>& texts) {
  std::string text;
  const auto finish = [&] {
    static const std::regex place("^at .*|.*│.*|─>.*|^[a-z0-9_, ]+ -[0-9.]+ .*");
    static const std::regex mark("^(→|·( [^:]*:)?|[a-z]+:) ");
    text = std::regex_replace(text, mark, "");
    if (!text.empty() && !std::regex_match(text, place) && text.find("more; -v") == std::string::npos)
      texts.insert(text);
    text.clear();
  };
  const std::size_t begin = card.find("What was lost, and what to do");
  if (begin == std::string::npos) return;
  const std::string rest = card.substr(begin);
  bool first = true;
  for (const std::string& line : split_lines(rest)) {
    if (std::exchange(first, false)) continue;
    if (line.starts_with("Repeat this run")) break;
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string words = indent == std::string::npos ? "" : line.substr(indent);
    const bool goes_on =
        indent == 6 || (indent == 4 && !text.empty() && !words.starts_with("→") && !words.starts_with("·") &&
                        !words.starts_with("─>") && !words.starts_with("at "));
    if (!goes_on) finish();
    if (words.find("│") != std::string::npos || (indent != 4 && indent != 6)) continue;
    text += (text.empty() ? "" : " ") + words;
  }
  finish();
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
  CHECK(left_english({"No such sentence is in the table.", "Make that case pass first."}) ==
        Lines{"No such sentence is in the table."});
}

TEST_CASE("score cards have no English line") {
  std::set<std::string> texts;
  for (const fs::path& file : files_in("tests/e2e/golden", ".txt")) take_card(test::read_file(file), texts);
  CHECK(texts.size() > 15);
  CHECK(left_english(texts) == Lines{});
}

TEST_CASE("what the checkers find has no English line") {
  std::set<std::string> texts;
  for (const char* folder : {"tests/sim/checkers", "tests/programs/streams"})
    for (const fs::path& file : files_in(folder, ".txt"))
      for (const std::string& line : split_lines(test::read_file(file)))
        if (!line.empty() && !line.starts_with("[exit") && line.find(' ') != std::string::npos)
          texts.insert(line);
  CHECK(texts.size() > 60);
  CHECK(left_english(texts) == Lines{});
}

TEST_CASE("every sentence of advice has its translation") {
  const std::regex sentence("[A-Z][a-z_]* [^\\n]* [^\\n]*\\.");
  std::set<std::string> texts;
  for (const char* folder :
       {"grader/grading/score", "grader/grading/run", "grader/grading/measure", "grader/sim/interpreter",
        "grader/sim/ops", "grader/sim/checkers", "grader/present/explain"})
    for (const fs::path& file : files_in(folder, ".cpp"))
      take_literals(test::read_file(file), sentence, texts);
  take_literals(test::read_file(kSource / "grader/toolchain/advice.cpp"), sentence, texts);
  CHECK(texts.size() > 120);
  // Parts of a text whose whole has rows.
  for (const char* piece :
       {"Only 7 7 part.",
        "Let neighbouring threads (threadIdx.x) 7 neighbouring elements: the index should contain + "
        "threadIdx.x, not threadIdx.x times a row length."})
    CHECK(texts.erase(piece) == 1);
  CHECK(left_english(texts) == Lines{});
}

TEST_CASE("every reason for lost points that is one text has its translation") {
  const std::regex reason("[a-z`{][^ ]*( [^ ]+){3,}[a-z0-9})`]");
  std::set<std::string> texts;
  for (const char* folder : {"grader/grading/score", "grader/grading/run"})
    for (const fs::path& file : files_in(folder, ".cpp")) take_literals(test::read_file(file), reason, texts);
  CHECK(texts.size() > 40);
  // Parts of a text whose whole has rows.
  for (const char* piece :
       {"a result depends on 7 from there and on 7 in global memory, of the same array or of what the host "
        "made",
        "above all copies and sets", "exactly the same work",
        "global 7 are not coalesced: one warp access touches 7 sectors of 32 bytes, 7 would do",
        "global 7 are not coalesced: those that touch at least twice the sectors which they need move 7 for "
        "nothing",
        "into no result, although it is read", "into no result, although they are read", "one that says most",
        "put together by copies",
        "it runs 7 where the reference runs 7, and each multiprocessor takes whole blocks",
        "the results do not depend on it",
        "too much was done for telling what the device did without the host",
        "what the device did then gives wrong results for another input, without the host",
        "the same work: other streams, pieces, blocks or kernels beside them make no other version"})
    CHECK(texts.erase(piece) == 1);
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
