// Grades submissions and runs programs in Russian, and looks for English in all that people then read: the
// card, the page, the Markdown summary, the findings. A Latin word must be code or one of the names below.

#include <filesystem>
#include <regex>
#include <set>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = CUDALABS_SOURCE;

/// Names of versions, arrays and kernels in the corpus; compilers and sandboxes; units; words of C; a model.
const std::set<std::string> kNames = {"global", "shared", "padded", "constant", "counts",     "out",
                                      "kernel", "clang",  "nvcc",   "NVIDIA",   "bubblewrap", "grader",
                                      "us",     "ns",     "ms",     "ulp",      "if",         "void",
                                      "assert", "abort",  "sin",    "trap",     "shuffle",    "Roofline"};

/// Without the elements, with all that is in them.
std::string without_elements(std::string html, const std::string& name) {
  for (std::size_t at = 0; (at = html.find("<" + name, at)) != std::string::npos;) {
    if (html[at + name.size() + 1] != '>' && html[at + name.size() + 1] != ' ') {
      ++at;
      continue;
    }
    const std::string closing = "</" + name + ">";
    html.erase(at, html.find(closing, at) + closing.size() - at);
  }
  return html;
}

/// Without HTML's entities, and without what a compiler said of a file.
std::string plain(std::string text) {
  static const std::regex quoted("(не компилируется): .*"), number("&#(\\d+);");
  static const std::pair<std::regex, const char*> entities[] = {{std::regex("&lt;"), "<"},
                                                                {std::regex("&gt;"), ">"},
                                                                {std::regex("&quot;"), "\""},
                                                                {std::regex("&amp;"), "&"}};
  for (const auto& [entity, sign] : entities) text = std::regex_replace(text, entity, sign);
  for (std::smatch found; std::regex_search(text, found, number);)
    text.replace(static_cast<std::size_t>(found.position()), static_cast<std::size_t>(found.length()),
                 std::string(1, static_cast<char>(std::stoi(found[1]))));
  return std::regex_replace(text, quoted, "$1");
}

/// The texts between the tags and the labels for screen readers.
std::string text_of_page(std::string html) {
  for (const char* const code : {"style", "script", "pre", "code"}) html = without_elements(html, code);
  static const std::regex label(" (?:title|aria-label)=\"([^\"]*)\""), tag("<[^>]*>");
  std::string labels;
  for (std::sregex_iterator it(html.begin(), html.end(), label), end; it != end; ++it)
    labels += (*it)[1].str() + "\n";
  return plain(labels + std::regex_replace(html, tag, "\n"));
}

/// What a person reads of Markdown: no code blocks, no tags.
std::string text_of_markdown(const std::string& markdown) {
  static const std::regex block("```[^`]*```"), tag("<[^>]*>");
  return plain(std::regex_replace(std::regex_replace(markdown, block, " "), tag, "\n"));
}

/// The paragraphs of a card or of findings as one line, without the lines of the source and of compilers.
/// What the grader adds to a compiler's error stays.
std::string text_of_lines(const std::string& lines) {
  static const std::regex code("^ *[0-9]* │.*|^ *─>.*|^cuda-labs: .*|^  hint: .*");
  std::string text;
  bool by_compiler = false;
  std::istringstream all(lines);
  for (std::string line; std::getline(all, line);) {
    if (line == "Что говорит компилятор") by_compiler = true;
    if (line.empty()) by_compiler = false;
    if (by_compiler && line.find("подсказка: ") == std::string::npos) continue;
    if (line.starts_with("Повторить этот прогон:")) continue;
    if (!std::regex_match(line, code)) text += plain(line) + " ";
  }
  return text;
}

/// The Latin words outside of code that are no names.
std::set<std::string> latin_words(std::string text) {
  static const std::regex code[] = {
      std::regex("<fat binary>|`[^`]*`|'[^' ]*'|<<<[^>]*>>>|-infinity|compute capability"),
      std::regex("(\\w+=\\d+ )+[a-z]+"),                                            // a case
      std::regex("[\\w:~<>]+\\((?:[\\w*&, :<>\\[\\]+-]|\\([*]\\)|\\.\\.\\.)*\\)"),  // a function
      std::regex("[\\w/.]*[._/][\\w/.]+|\\w+\\[[^\\]]*\\]|\\[[a-z]+\\]"),  // a file, an element, a checker
      std::regex("\\b\\w*(\\d|[a-z][A-Z])\\w*\\b|\\b[A-Z]{2,}\\w*\\b")};   // an identifier
  for (const std::regex& one : code) text = std::regex_replace(text, one, " ");
  static const std::regex word("[A-Za-z]{2,}");
  std::set<std::string> words;
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
    if (!kNames.contains(it->str())) words.insert(it->str());
  return words;
}

using LatinWords = std::set<std::string>;

void check_graded(const std::string& lab, const std::string& variant, const fs::path& source,
                  const std::string& course = {}) {
  const Sandbox sandbox;
  sandbox.write("good.cuh", read_file(kRoot / "tests/hostile/good.cuh"));
  const fs::path file = sandbox.write(source.filename(), read_file(source));
  std::vector<std::string> words = {lab,          variant,     "--submission", file.string(),
                                    "--compiler", "clang",     "--device",     "simulator",
                                    "--seed",     "1",         "--language",   "ru",
                                    "--html",     "page.html", "--markdown",   "summary.md"};
  if (!course.empty()) words.insert(words.end(), {"--course", course});
  const Outcome outcome = sandbox.grader(words);
  const auto left_in = [&](const std::string& text) {
    LatinWords words = latin_words(text);
    for (const std::string& name : {lab, variant}) words.erase(name);
    return words;
  };
  INFO(source << "\n" << outcome.err << outcome.out);
  CHECK(outcome.status == 1);
  CHECK(left_in(text_of_lines(outcome.out)) == LatinWords{});
  CHECK(left_in(text_of_page(read_file(sandbox.work() / "page.html"))) == LatinWords{});
  CHECK(left_in(text_of_markdown(read_file(sandbox.work() / "summary.md"))) == LatinWords{});
}

}  // namespace

TEST_CASE("the reader of these tests tells names from English", "[russian]") {
  CHECK(latin_words("ядро kernel(float const*, int), `a b`, rows=64 cols=96 negative, out[3], row_max.cu") ==
        LatinWords{});
  CHECK(latin_words("подсказка: Write the ';' there") == LatinWords{"Write", "the", "there"});
  CHECK(text_of_page("<p title=\"is\">это<code>an int</code></p><pre>x is</pre>") == "is\n\nэто\n");
  CHECK(text_of_lines("Что говорит компилятор\n  a.cu:1: expected\n    подсказка: да\n\n1 │ int x\nнет\n") ==
        "    подсказка: да  нет ");
}

TEST_CASE("a card, a page and a summary in Russian have no English", "[russian]") {
  for (const char* const name :
       {"does_not_compile", "last_column_ignored", "second_barrier_missing", "copy_does_not_fit"})
    check_graded("lab3", "variant4", kRoot / "tests/hostile/basics" / (std::string(name) + ".cu"));
  check_graded("lab1", "variant1", kRoot / "student_templates/lab1/variant1/table.cu");
  check_graded("histogram", "bytes",
               kRoot / "courses/patterns/student_templates/histogram/bytes/histogram.cu", "patterns");
}

TEST_CASE("what a program is told in Russian has no English", "[russian]") {
  const Sandbox sandbox;
  sandbox.write("faults.cuh", read_file(kRoot / "tests/sim/faults/faults.cuh"));
  for (const char* const name : {"constant_too_large", "unsupported", "missing_lanes"}) {
    const std::string file = std::string(name) + ".cu";
    sandbox.write(file, read_file(kRoot / "tests/sim/faults" / file));
    const Outcome outcome = sandbox.grader({"run", file, "--compiler", "clang", "--device", "simulator",
                                            "--check", "memcheck", "--language", "ru"});
    INFO(name << "\n" << outcome.err);
    CHECK(latin_words(text_of_lines(outcome.err)) == LatinWords{});
  }
}

TEST_CASE("a handout in Russian has no English", "[russian]") {
  // Besides, what a lab is about: types, versions and functions.
  const LatinWords more = {"float",    "int",  "double", "half",    "ilp",  "interleaved", "sequential",
                           "unrolled", "grid", "stride", "shuffle", "sqrt", "seed"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "labs")) {
    if (entry.path().filename() != "handout.ru.md") continue;
    static const std::regex link("\\]\\([^)]*\\)"), math("\\$[^$]*\\$");
    std::string text = text_of_markdown(read_file(entry.path()));
    for (const std::regex& one : {link, math}) text = std::regex_replace(text, one, " ");
    INFO(entry.path());
    LatinWords left = latin_words(text);
    for (const std::string& name : more) left.erase(name);
    CHECK(left == LatinWords{});
  }
}

}  // namespace e2e
