// Checks that what people read has a translation: every row of the table of messages, every format of the
// interface, and the words of the course. CI/unused_texts.py finds the rows that nothing uses.

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "grader/diagnostics/embedded_tables.h"
#include "grader/diagnostics/interface_texts.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/message_table.h"
#include "grader/diagnostics/po_file.h"
#include "tests/harness/catch.h"
#include "tests/harness/english.h"
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

/// All that a template can say, without its syntax: the texts of all forms, one after the other.
std::string words_of(std::string text) {
  static const std::regex open("\\{\\w+, (plural|selectordinal|select),"), value("\\{\\w+(, \\w+)?\\}");
  static const std::regex form("([\x01}])\\s*=?[\\w -]+ \\{");
  text = std::regex_replace(text, value, "7");
  text = std::regex_replace(text, open, "\x01");  // the names of forms follow
  text = std::regex_replace(text, form, "$1| ");
  std::erase(text, '\x01');
  std::ranges::replace(text, '}', '|');
  return text;
}

/// What a course brings itself: languages/<language>.po.
TextsByLanguage texts_of_course(const fs::path& course) {
  TextsByLanguage all;
  if (!fs::exists(kSource / course / "languages")) return all;
  for (const fs::path& file : files_in(course / "languages", ".po")) {
    auto texts = InterfaceTexts::read(test::read_file(file), file.stem(), file.string());
    if (!texts.ok()) FAIL(texts.problem().text());
    all.emplace(file.stem(), std::move(*texts));
  }
  return all;
}

/// The words without a translation of their own.
Lines left_english(const std::set<std::string>& texts) {
  const LanguageScope russian("ru");
  Lines left;
  for (const std::string& text : texts)
    if (translated_word(text) == text) left.push_back(text);
  return left;
}

const std::string kLiterals = R"re("(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)re";

/// The contents of literals that stand side by side.
std::string joined_literals(const std::string& code) {
  static const std::regex seam("\"\\s*\"");
  std::string text = std::regex_replace(code, seam, "");
  text = text.substr(1, text.size() - 2);
  static const std::pair<std::regex, const char*> escapes[] = {
      {std::regex("\\\\n"), "\n"}, {std::regex("\\\\\""), "\""}, {std::regex("\\\\[r0]"), ""}};
  for (const auto& [escape, meant] : escapes) text = std::regex_replace(text, escape, meant);
  return text;
}

/// The format as a row has it: {} for each hole.
std::string shape_of(const std::string& format) {
  static const std::regex hole("\\{[^{}]*(\\{[^{}]*\\}[^{}]*)*\\}");
  std::string text = std::regex_replace(format, hole, "{}");
  const std::size_t first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

/// The formats of tr() and of what prints, and the pieces of markup() between its tags.
void take_formats(const fs::path& file, std::map<std::string, std::string>& formats) {
  static const std::regex comment("//[^\n]*"), tag("<[^>]*>");
  static const std::regex label(" (?:aria-label|title)=\"([^\"]*)\"");
  static const std::regex call("\\b(tr|markup|print_out|print_err)\\(\\s*(" + kLiterals + ")");
  const std::string code = std::regex_replace(test::read_file(file), comment, "");
  for (std::sregex_iterator it(code.begin(), code.end(), call), end; it != end; ++it) {
    const std::string text = joined_literals((*it)[2]);
    if ((*it)[1] != "markup") {
      formats[shape_of(text)] = file.string();
      continue;
    }
    for (std::sregex_iterator at(text.begin(), text.end(), label); at != end; ++at)
      formats[shape_of((*at)[1])] = file.string();
    for (std::sregex_token_iterator piece(text.begin(), text.end(), tag, -1), none; piece != none; ++piece)
      formats[shape_of(*piece)] = file.string();
  }
}

}  // namespace

TEST_CASE("the reader of these tests tells English from what is none") {
  CHECK(test::has_english("не пройден: the first is here"));
  CHECK_FALSE(test::has_english("не пройден: rows=31"));
  CHECK_FALSE(test::has_english("смотрите `the first is`"));
  CHECK(words_of("a {n, plural, one {# row} other {# rows}} of {name}") == "a | # row|| # rows|| of 7");
}

TEST_CASE("no translation of a message has English words") {
  for (const EmbeddedTable& file : embedded_messages()) {
    const auto rows = read_po(file.po, std::string(file.file));
    REQUIRE(rows.ok());
    for (const PoRow& row : *rows) {
      INFO(file.language << ": " << row.id << ": " << row.text);
      CHECK_FALSE(test::has_english(words_of(row.text)));
    }
  }
}

TEST_CASE("every format of the interface has its translation") {
  std::map<std::string, std::string> formats;
  for (const char* folder : {"grader/cli", "grader/present", "grader/ladder", "grader/diagnostics"})
    for (const fs::path& file : files_in(folder, ".cpp")) {
      // Commands for the staff and for other programs (docs/languages.md).
      const std::string name = file.filename().string();
      if (name != "check_labs_command.cpp" && name != "against.cpp" && name != "new_lab_command.cpp" &&
          name != "course_command.cpp" && name != "nvcc_command.cpp")
        take_formats(file, formats);
    }
  CHECK(formats.size() > 150);
  static const std::regex word("[A-Za-z]{2}"), copied("(grader:? \\{\\}|\\{\\} GB/s)");
  for (const EmbeddedTable& table : embedded_tables()) {
    const auto texts = InterfaceTexts::read(table.po, std::string(table.language), std::string(table.file));
    REQUIRE(texts.ok());
    for (const auto& [format, file] : formats) {
      if (!std::regex_search(format, word) || std::regex_match(format, copied)) continue;
      INFO(file << ": " << format);
      CHECK(texts->has(format));
    }
  }
}

TEST_CASE("the titles of each course are translated") {
  static const std::regex title("\n *title: *\"?([^\"\n{]+)\"?");
  std::vector<fs::path> courses{"."};
  for (const auto& entry : fs::directory_iterator(kSource / "courses"))
    courses.push_back(entry.path().lexically_relative(kSource));
  CHECK(courses.size() > 1);
  for (const fs::path& course : courses) {
    std::vector<TextsByLanguage> own;
    own.push_back(texts_of_course(course));
    set_course_texts(std::move(own));
    std::set<std::string> texts;
    for (const fs::path& file : files_in(course / "configs/labs", ".yaml")) {
      const std::string yaml = "\n" + test::read_file(file);
      for (std::sregex_iterator it(yaml.begin(), yaml.end(), title), end; it != end; ++it)
        texts.insert((*it)[1]);
    }
    INFO(course);
    CHECK(texts.size() > 30);
    CHECK(left_english(texts) == Lines{});
    set_course_texts({});
  }
}

TEST_CASE("no translation of a course's text has English words") {
  std::size_t rows = 0;
  for (const fs::path& file : files_in("courses", ".po")) {
    const auto read = read_po(test::read_file(file), file.string());
    REQUIRE(read.ok());
    for (const PoRow& row : *read) {
      INFO(file << ":" << row.line << ": " << row.text);
      CHECK_FALSE(test::has_english(words_of(row.text)));
      ++rows;
    }
  }
  CHECK(rows > 100);
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

TEST_CASE("what to write instead of a refused instruction is translated") {
  static const std::regex refused("\"([^\"]*)\", \"\", \"\", \"\", Refused\\)");
  std::set<std::string> texts;
  const std::string opcodes = test::read_file(kSource / "grader/sim/ptx/opcodes.def");
  for (std::sregex_iterator it(opcodes.begin(), opcodes.end(), refused), end; it != end; ++it)
    texts.insert((*it)[1]);
  CHECK(texts.size() > 10);
  CHECK(left_english(texts) == Lines{});
}

TEST_CASE("the mistakes that the course knows are translated") {
  std::set<std::string> texts;
  for (const fs::path& file : files_in("labs", ".cpp")) {
    static const std::regex mistake("return \"((?:the|a|an|twice|b|one) (?:[^\"\\\\])*)\"");
    static const std::regex seam("\"\\s*\"");
    const std::string code = std::regex_replace(test::read_file(file), seam, "");
    for (std::sregex_iterator it(code.begin(), code.end(), mistake), end; it != end; ++it)
      texts.insert((*it)[1]);
  }
  CHECK(texts.size() > 5);
  CHECK(left_english(texts) == Lines{});
}

}  // namespace cudalabs
