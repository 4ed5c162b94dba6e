// The current language: how it is selected, and how texts, formats and markup are translated.

#include "grader/diagnostics/language.h"

#include <set>

#include "grader/diagnostics/embedded_tables.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/diagnostics/own_words.h"
#include "grader/diagnostics/table.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

MessageTable table_of(const std::string& po) {
  auto table = MessageTable::read(po, "ru");
  REQUIRE(table.ok());
  return std::move(*table);
}

std::string problem_of(const std::string& po) {
  const auto table = MessageTable::read(po, "ru");
  return table.ok() ? "none" : table.problem().text();
}

}  // namespace

TEST_CASE("LANGUAGE is a list: the first that there is counts") {
  CHECK(language_of_list("ru") == "ru");
  CHECK(language_of_list("ru_RU.UTF-8") == "ru");
  CHECK(language_of_list("ru@latin") == "ru");
  CHECK(language_of_list("xx:ru:en") == "ru");
  CHECK(language_of_list("en:ru") == "en");
  CHECK(language_of_list("xx:yy_ZZ") == "en");
  CHECK(language_of_list("") == "en");
  CHECK(language_of_list(":::") == "en");
  CHECK(language_of_list("rus") == "en");
}

TEST_CASE("a language that there is not is an error that lists those that there are") {
  const auto problem = set_language("rx");
  REQUIRE_FALSE(problem.ok());
  CHECK(problem.problem().text() ==
        "there is no language 'rx'; did you mean 'ru'?\n  hint: the languages are en, ru");
  CHECK(spoken_language() == "en");
}

TEST_CASE("every table reads, and no text fits two of its rows") {
  for (const EmbeddedTable& embedded : embedded_tables()) {
    const std::string name(embedded.language);
    CAPTURE(name);
    const auto table = MessageTable::read(embedded.po, name);
    REQUIRE(table.ok());
    CHECK(table->phrases().size() > 1000);
    for (const Phrase& phrase : table->phrases()) {
      const std::string sample = phrase.sample();
      if (!phrase.match(sample)) continue;  // it is only a format
      for (const Phrase& other : table->phrases()) {
        if (&other == &phrase || other.literal_size() != phrase.literal_size() || !other.match(sample))
          continue;
        FAIL_CHECK("\"" << sample << "\" fits \"" << phrase.english() << "\" and \"" << other.english()
                        << "\"");
      }
      // A row with few letters would match unrelated texts.
      std::size_t letters = 0;
      for (const char c : phrase.shape()) letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (letters < 2) FAIL_CHECK("too few letters: \"" << phrase.english() << "\"");
    }
  }
}

TEST_CASE("a table with a mistake is told with its line") {
  CHECK(problem_of("msgid \"a\"\nmsgstr \"б\"\n\nmsgid \"a\"\nmsgstr \"в\"\n") == "ru.po:5: twice: \"a\"");
  CHECK(problem_of("msgid \"a {}\"\nmsgstr \"б {2}\"\n") == "ru.po:2: a hole that there is not: {2}");
  CHECK(problem_of("msgid \"a\"\nmsgstr \"\"\n") == "ru.po:2: no translation of \"a\"");
  CHECK(problem_of("msgid \"a\nmsgstr \"b\"\n") == "ru.po:1: neither msgid nor msgstr nor a string");
  CHECK(problem_of("\"a\"\n") == "ru.po:1: neither msgid nor msgstr nor a string");
  CHECK(problem_of("# words\n\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n") == "none");
}

TEST_CASE("a course's own words count while it is graded, the last of them") {
  const Message message = msg::library_missing("m");
  const std::string english = rendered(message);
  {
    const Rewording course({{"library_missing", "en", "Install {name}.", {}},
                            {"library_missing", "ru", "Установите {name}.", {}}});
    CHECK(rendered(message) == "Install m.");
    {
      const Rewording lab({{"library_missing", "en", "Take {name}.", {}},
                           {"library_missing", "en", "Leave {name} out.", {}}});
      CHECK(rendered(message) == "Leave m out.");
      const Speaking russian("ru");
      CHECK(rendered(message) == "Установите m.");
    }
    CHECK(rendered(message) == "Install m.");
  }
  CHECK(rendered(message) == english);
  CHECK(message.english() == english);
}

TEST_CASE("a text is translated whole, or by its lines, statements and sentences") {
  const MessageTable table = table_of(
      "msgid \"first: {*}\"\nmsgstr \"первый: {1}\"\n"
      "msgid \"{} is {}\"\nmsgstr \"{1} = {2}\"\n"
      "msgid \"{n} row{s}\"\nmsgstr \"{1} {1|строка|строки|строк}\"\n"
      "msgid \"Do \\\"it\\\".\"\nmsgstr \"Сделайте \\\"это\\\".\"\n"
      "msgid \"a long one \"\n\"in two\"\nmsgstr \"длинный \"\n\"из двух\"\n");
  const auto said = [&](std::string_view text) { return translated_pieces(table, text); };
  CHECK(said("first: x is 1; 21 rows; something else") == "первый: x = 1; 21 строка; something else");
  CHECK(said("  x is 1\n\n    hint  \n") == "  x = 1\n\n    hint  \n");
  CHECK(said("Do \"it\". Do \"it\".") == "Сделайте \"это\". Сделайте \"это\".");
  CHECK(said("a long one in two") == "длинный из двух");
  CHECK(said("11 rows") == "11 строк");
  CHECK(said("22 rows") == "22 строки");
  CHECK(said("1.5 rows") == "1.5 строки");
  CHECK(said("1,011 rows") == "1,011 строк");
  // A text without a matching row stays as it is.
  for (const std::string& text :
       {std::string(), std::string("   "), std::string("\xff\xfe is"), std::string("is"),
        std::string(1 << 20, '\n'), std::string("a\0b", 3), std::string("{1} {n} {}")}) {
    CHECK(said(text) == text);
  }
  // The contents of a hole are copied, even if they look like a hole.
  CHECK(said("{2} is {n|x}") == "{2} = {n|x}");
  CHECK(said("\xff is \x1b[2J") == "\xff = \x1b[2J");
}

TEST_CASE("texts in texts end") {
  const MessageTable table = table_of("msgid \"a {*}\"\nmsgstr \"б {1}\"\n");
  std::string deep, want;
  for (int i = 0; i < 5000; ++i) deep += "a ";
  const std::string said = translated_pieces(table, deep + "end");
  CHECK(said.starts_with("б б б "));
  CHECK(said.ends_with("a a end"));
}

TEST_CASE("formats are found by their words, whatever stands in them") {
  const Speaking russian("ru");
  CHECK(tr("{} of {} such words", 1, 2) == "1 of 2 such words");  // no such row
  CHECK(tr("of {} points", 21) == "из 21 балла");
  CHECK(tr("\nand {} more", 3) == "\nи ещё 3");
  CHECK(tr("{:.1f} of {{}} {:>4}|", 1.25, "x") == "1.2 of {}    x|");
  CHECK(tr("at {}:{}", "of 7 points", 5) == "в of 7 points:5");
  CHECK(tr("there is no file {}", "{}") == "нет файла {}");
  CHECK(tr("no lane: {} {:>{}}", "x", 7, 3) == "ни одной нити: x   7");
}

TEST_CASE("markup is translated between its tags, and its labels") {
  CHECK(markup("<h2>Points</h2>") == "<h2>Points</h2>");
  const Speaking russian("ru");
  CHECK(markup("<h2 id=\"points\">Points</h2>\n<p>{} <small>of {} points</small></p>", 3, 5) ==
        "<h2 id=\"points\">Баллы</h2>\n<p>3 <small>из 5 баллов</small></p>");
  CHECK(markup("<nav aria-label=\"On this page\"><a title=\"its bank map\" href=\"#{}\">Who</a>", "points") ==
        "<nav aria-label=\"На этой странице\"><a title=\"её карта банков\" href=\"#points\">Кто</a>");
  // Values are markup already and are not translated.
  CHECK(markup("<p>{}</p>", "<b>Points</b>") == "<p><b>Points</b></p>");
  CHECK(markup("<p class=\"{}\">{}</p>", "Points", "Points") == "<p class=\"Points\">Points</p>");
}

TEST_CASE("what a submission wrote is never translated, whatever it wrote") {
  const Speaking russian("ru");
  for (const std::string words :
       {"accepted", "a; accepted", "x\nMake that case pass first.", "total. total"}) {
    CHECK(translated("it printed: " + words) == "программа напечатала: " + words);
    CHECK(translated("the file does not compile: " + words) == "файл не компилируется: " + words);
  }
}

TEST_CASE("a problem is shown with its place and its hint") {
  const Diagnostic problem{{"a.cu", 3, 0}, "unknown option '--x'", "`grader --help` shows what is possible"};
  CHECK(shown_text(problem) == problem.text());
  const Speaking russian("ru");
  CHECK(shown_text(problem) ==
        "a.cu:3: неизвестная опция '--x'\n  подсказка: `grader --help` показывает, что возможно");
  CHECK(problem.message.english() == "unknown option '--x'");
}

}  // namespace cudalabs
