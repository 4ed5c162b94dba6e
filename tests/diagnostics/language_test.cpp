// The current language: how it is selected, and how texts, formats and markup are translated.

#include "grader/diagnostics/language.h"

#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/cli.h"
#include "tests/harness/catch.h"

namespace cudalabs {

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

TEST_CASE("formats are found by their words, whatever stands in them") {
  const LanguageScope russian("ru");
  CHECK(tr("{} of {} such words", 1, 2) == "1 of 2 such words");  // no such row
  CHECK(tr("of {} points", 21) == "из 21 балла");
  CHECK(tr("\nand {} more", 3) == "\nи ещё 3");
  CHECK(tr("{:.1f} of {{}} {:>4}|", 1.25, "x") == "1.2 of {}    x|");
  CHECK(tr("at {}:{}", "of 7 points", 5) == "в of 7 points:5");
  CHECK(tr("no lane: {} {:>{}}", "x", 7, 3) == "ни одной нити: x   7");
}

TEST_CASE("numbers of things, and words that are data") {
  CHECK(counted(1, "student") == "1 student");
  CHECK(counted(1024, "student") == "1,024 students");
  CHECK(translated_word("accepted") == "accepted");
  const LanguageScope russian("ru");
  CHECK(counted(1, "student") == "1 студент");
  CHECK(counted(22, "student") == "22 студента");
  CHECK(counted(1024, "no such noun") == "1,024 no such nouns");
  CHECK(translated_word("accepted") == "принято");
  CHECK(translated_word("accepted; accepted") == "accepted; accepted");
  CHECK(translated_word("").empty());
}

TEST_CASE("markup is translated between its tags, and its labels") {
  const auto markup = [](std::string_view format, const auto&... values) {
    return translated_markup(format, fmt::make_format_args(values...));
  };
  CHECK(markup("<h2>Points</h2>") == "<h2>Points</h2>");
  const LanguageScope russian("ru");
  CHECK(markup("<h2 id=\"points\">Points</h2>\n<p>{} <small>of {} points</small></p>", 3, 5) ==
        "<h2 id=\"points\">Баллы</h2>\n<p>3 <small>из 5 баллов</small></p>");
  CHECK(markup("<nav aria-label=\"On this page\"><a title=\"its bank map\" href=\"#{}\">Points</a>",
               "points") ==
        "<nav aria-label=\"На этой странице\"><a title=\"её карта банков\" href=\"#points\">Баллы</a>");
  // Values are markup already and are not translated.
  CHECK(markup("<p>{}</p>", "<b>Points</b>") == "<p><b>Points</b></p>");
  CHECK(markup("<p class=\"{}\">{}</p>", "Points", "Points") == "<p class=\"Points\">Points</p>");
}

TEST_CASE("what a submission wrote is never translated, whatever it wrote") {
  const LanguageScope russian("ru");
  for (const std::string words : {"accepted", "a; accepted", "total. total", "{option}", "'{'"}) {
    CHECK(rendered(verbatim(words)) == words);
    CHECK(rendered(msg::unexpected_argument(words)) == "лишний аргумент '" + words + "'");
  }
}

TEST_CASE("a text of a course has one translation for all that stands in it") {
  const auto first = [](const char* name, const char* lines) {
    return course_text("the {} of the first 32 {} only: there is no loop over the tiles",
                       {msg::course_word(name), msg::course_word(lines)});
  };
  const auto blocks = [](std::int64_t size) {
    return course_text(
        "the {} of the last block of {} elements: each block overwrites the result instead of "
        "adding to it",
        {msg::course_word("sum"), msg::course_number(size)});
  };
  const Message own = course_text("the set {a, {}}", {}),
                unknown = course_text("no {} row", {msg::course_word("sum")});
  CHECK(rendered(first("mean", "rows")) ==
        "the mean of the first 32 rows only: there is no loop over the tiles");
  CHECK(own.english() == "the set {a, {}}");
  const LanguageScope russian("ru");
  CHECK(rendered(first("mean", "rows")) == "среднее только первых 32 строк: нет цикла по тайлам");
  CHECK(rendered(first("maximum", "columns")) == "максимум только первых 32 столбцов: нет цикла по тайлам");
  CHECK(rendered(blocks(1024)).starts_with("сумма последнего блока из 1024 элементов: "));
  CHECK(rendered(blocks(101)).starts_with("сумма последнего блока из 101 элемента: "));
  // What a teacher writes without a row stays, and another number of places is another text.
  CHECK(rendered(own) == "the set {a, {}}");
  CHECK(rendered(unknown) == "no sum row");
  CHECK(rendered(course_text("the {} without element 0", {})) == "the {} without element 0");
}

namespace {

TextsByLanguage texts_in(const std::string& language, const std::string& po) {
  auto texts = InterfaceTexts::read(po, language, language + ".po");
  REQUIRE(texts.ok());
  TextsByLanguage all;
  all.emplace(language, std::move(*texts));
  return all;
}

/// The texts of courses, for the lifetime of the object.
struct CourseTextsScope {
  explicit CourseTextsScope(std::vector<TextsByLanguage> texts) { set_course_texts(std::move(texts)); }
  ~CourseTextsScope() { set_course_texts({}); }
};

}  // namespace

TEST_CASE("a course's rows come before the grader's, and the first course's before the others'") {
  std::vector<TextsByLanguage> courses;
  courses.push_back(
      texts_in("ru", "msgid \"accepted\"\nmsgstr \"верно\"\nmsgid \"Sums\"\nmsgstr \"Суммы\"\n"));
  courses.push_back(texts_in("ru",
                             "msgid \"Sums\"\nmsgstr \"Итоги\"\nmsgid \"Scans\"\nmsgstr \"Сканы\"\n"
                             "msgid \"the first {} {}\"\nmsgstr \"{2}: первые {1}\"\n"));
  const Message first = course_text("the first {} {}", {msg::course_number(7), msg::course_word("accepted")});
  const LanguageScope russian("ru");
  {
    const CourseTextsScope texts(std::move(courses));
    CHECK(translated_word("accepted") == "верно");
    CHECK(translated_word("Sums") == "Суммы");
    CHECK(translated_word("Scans") == "Сканы");
    CHECK(rendered(first) == "верно: первые 7");
    CHECK(tr("of {} points", 21) == "из 21 балла");
    CHECK(is_translated("Scans", "ru"));
    CHECK_FALSE(is_translated("Scans", "en"));
  }
  CHECK(translated_word("accepted") == "принято");
  CHECK(translated_word("Sums") == "Sums");
  CHECK(rendered(first) == "the first 7 accepted");
  CHECK_FALSE(is_translated("Scans", "ru"));
}

TEST_CASE("a course may bring a language that the grader does not have") {
  CHECK(language_names() == std::vector<std::string>{"en", "ru"});
  CHECK_FALSE(set_language("de"));
  std::vector<TextsByLanguage> courses;
  courses.push_back(texts_in("de", "msgid \"Sums\"\nmsgstr \"Summen\"\n"));
  const CourseTextsScope texts(std::move(courses));
  CHECK(language_names() == std::vector<std::string>{"en", "ru", "de"});
  const LanguageScope german("de");
  CHECK(spoken_language() == "de");
  CHECK(translated_word("Sums") == "Summen");
  CHECK(translated_word("accepted") == "accepted");
  CHECK(tr("of {} points", 21) == "of 21 points");
  CHECK(counted(2, "student") == "2 students");
}

TEST_CASE("a problem is shown with its place and its hint") {
  const Diagnostic problem{{"a.cu", 3, 0}, msg::unknown_option("--x", Message()), msg::see_help("grader")};
  CHECK(shown_text(problem) == problem.text());
  const LanguageScope russian("ru");
  CHECK(shown_text(problem) ==
        "a.cu:3: неизвестная опция '--x'\n  подсказка: `grader --help` перечисляет параметры");
  CHECK(problem.message.english() == "unknown option '--x'");
}

}  // namespace cudalabs
