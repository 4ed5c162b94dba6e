// Compares whole pages with tests/present/web/pages/golden (UPDATE_GOLDEN=1 rewrites them: read the
// difference). Also tests that tables and figures agree with the result, and that no text of a submission or
// student can harm a page.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string_view>
#include <utility>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/present/formats/mail_text.h"
#include "grader/present/layout.h"
#include "grader/present/web/page.h"
#include "grader/present/web/pages/class_page.h"
#include "grader/present/web/pages/roofline.h"
#include "grader/present/web/pages/standing_page.h"
#include "grader/present/web/pages/submission_page.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/golden.h"
#include "tests/present/formats/sample.h"
#include "tests/present/web/pages/markup.h"
#include "tests/present/web/pages/samples.h"

namespace cudalabs {
namespace {

using test::check_golden;
using test::faults_of;
using test::labels_of;
using test::table_of;
using Lines = std::vector<std::string>;

const sim::DeviceProfile kA100{};

/// Removes the style sheet, the script and their hashes, which have their own tests.
void check_golden_page(const std::string& name, std::string page) {
  const std::size_t style = page.find("<style>");
  page.erase(style, page.find("</style>") - style);
  if (const std::size_t script = page.find("<script>"); script != std::string::npos)
    page.erase(script, page.find("</script>") - script);
  check_golden(name, std::regex_replace(page, std::regex("sha256-[A-Za-z0-9+/=]*"), "sha256-"));
}

std::string page_of(const GradeResult& result, const std::string& student = {}) {
  return submission_page({result, kA100, student});
}

/// Texts with two English words in a row, outside of code, compiler output and the submission's words.
Lines english_of(std::string page) {
  // A hand-written loop, because std::regex needs stack for every character.
  for (const auto& [opens, closes] : {std::pair{"<style>", "</style>"},
                                      {"<code>", "</code>"},
                                      {"<pre", "</pre>"},
                                      {"<script>", "</script>"},
                                      {"<title>", "</title>"}}) {
    for (std::size_t at = 0; (at = page.find(opens, at)) != std::string::npos;) {
      const std::size_t end = page.find(closes, at);
      if (end == std::string::npos) break;
      page.erase(at, end + std::string_view(closes).size() - at);
    }
  }
  Lines found;
  static const std::regex words("[a-z]{2,},? [a-z]{2,}");
  static const std::regex tag("<[^>]*>");
  for (std::sregex_token_iterator text(page.begin(), page.end(), tag, -1), end; text != end; ++text)
    if (const std::string one = *text; std::regex_search(one, words)) found.push_back(one);
  static const std::regex label("aria-label=\"([^\"]*[a-z]{2,} [a-z]{2,}[^\"]*)\"");
  for (std::sregex_iterator it(page.begin(), page.end(), label), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

bool has(const std::vector<std::string>& labels, const std::string& label) {
  return std::ranges::find(labels, label) != labels.end();
}

}  // namespace

TEST_CASE("pages of submissions") {
  check_golden_page("rich.html", page_of(rich(), "Ada Lovelace"));
  check_golden_page("compile_error.html", page_of(compile_error()));
}

TEST_CASE("the page of a class") { check_golden_page("class.html", class_page(sample_class(12))); }

TEST_CASE("a page in Russian is sound, and has no English text of ours") {
  const LanguageScope russian("ru");
  const std::string page = page_of(rich(), "Ada Lovelace");
  check_golden_page("rich_ru.html", page);
  CHECK(page.find("<html lang=\"ru\">") != std::string::npos);
  for (const std::string& one :
       {page, page_of(measured()), page_of(compile_error()), class_page(sample_class(12))}) {
    CHECK(faults_of(one) == Lines{});
    Lines left = english_of(one);
    // Texts that only the samples contain: names of courses and GPUs.
    std::erase_if(left, [](const std::string& text) {
      static constexpr std::array kInvented = {"Start from the first element of the row",
                                               "Remove the bank",
                                               "MiB",
                                               "968,750 bank conflicts",
                                               "compute capability",
                                               "global, shared",
                                               "Landlock instead",
                                               "Parallel programming",
                                               "archive holds no",
                                               "tile in shared",
                                               "straight from global",
                                               "day late"};
      return std::ranges::any_of(kInvented,
                                 [&](const char* words) { return text.find(words) != std::string::npos; });
    });
    CHECK(left == Lines{});
  }
}

TEST_CASE("every page is sound") {
  for (const GradeResult& result :
       {full_marks(), mixed(), measured(), compile_error(), rich(), GradeResult()}) {
    CHECK(faults_of(page_of(result)) == Lines{});
    CHECK(faults_of(submission_page({result, {}, {}})) == Lines{});
  }
  for (const std::size_t students : {0, 1, 2, 12}) {
    ClassPage page = sample_class(students);
    CHECK(faults_of(class_page(page)) == Lines{});
    page.anonymous = true;
    CHECK(faults_of(class_page(page)) == Lines{});
  }
  CHECK(faults_of(class_page({})) == Lines{});
}

TEST_CASE("the reader of these tests sees what is not sound") {
  const std::string page = page_of(rich());
  const auto with = [&](const std::string& piece) {
    std::string spoiled = page;
    return spoiled.replace(spoiled.find("<main>"), 6, "<main>" + piece);
  };
  for (const char* const piece :
       {"<script>1</script>", "<b onclick=\"x\">x</b>", "<a href=\"http://x\">x</a>", "<b>", "</b>", "a & b",
        "a > b", "\x01", "\xff", "<p id=\"how\"></p>", "<a href=\"#nowhere\">x</a>", "<p style=\"x\"></p>",
        "<p title=\"<\"></p>", "<p title='x'></p>"}) {
    INFO(piece);
    CHECK_FALSE(faults_of(with(piece)).empty());
  }
  CHECK(faults_of(with("<b>sound</b>")).empty());
}

TEST_CASE("the card's table says what the result says") {
  const GradeResult result = rich();
  const auto rows = table_of(page_of(result), "Points by version");
  REQUIRE(rows.size() == 5);
  for (std::size_t v = 0; v < 3; ++v) {
    const VersionResult& version = result.versions[v];
    const auto& row = rows[v + 1];
    CHECK(row[0] == version.name);
    CHECK(row[1] == human_points(version.points) + "/" + human_points(version.max_points));
    CHECK(row[3] ==
          std::to_string(version.correctness.passed) + "/" + std::to_string(version.correctness.total));
  }
  CHECK(rows[1][2] == "✗ wrong answer");
  CHECK(rows[2][2] == "✓ accepted");
  CHECK(rows[3][2] == "! right, not as asked");
  CHECK(rows[1][5] == "–");
  CHECK(rows[3][5] == "41.2 us estimated");
  CHECK(rows[3][6] == "0.46×");
  CHECK(rows[4][1] == human_points(result.points) + "/" + human_points(result.max_points));
}

TEST_CASE("versions stand beside the reference, in the figure and in the table") {
  const GradeResult result = rich();
  const std::string page = page_of(result);
  const Lines times = labels_of(page, "times");
  const auto rows = table_of(page, "Times, points and counters by version");
  REQUIRE(rows.front() == Lines{"timed case", "shared", "padded"});
  std::size_t column = 1;
  for (const VersionResult& version : result.versions) {
    if (version.speed.source == TimeSource::None) continue;
    const std::string mine = human_time(version.speed.student_ns),
                      theirs = human_time(version.speed.reference_ns);
    CHECK(has(times, version.name));
    CHECK(has(times, mine));
    CHECK(has(times, "reference " + theirs));
    CHECK(rows[1][column] == mine + " reference " + theirs);
    ++column;
  }
  const auto row = [&](const std::string& name) {
    return *std::ranges::find_if(rows, [&](const auto& cells) { return cells.front() == name; });
  };
  CHECK(row("shared memory: wavefronts") == Lines{"shared memory: wavefronts",
                                                  "1,034,766 reference 1,034,766",
                                                  "1,034,766 reference 66,016 ! 15.7 times as many"});
  CHECK(row("shared memory: bank conflicts").back() == "968,750 reference 0 ! the reference has none");
  CHECK(row("global memory: sectors of 32 bytes").back() == "125,125 reference 125,125");
  CHECK(row("sectors per request").back() == "3.91 reference 3.91");
}

TEST_CASE("where the reference's counters are not known, nothing is said of them") {
  GradeResult result = rich();
  for (VersionResult& version : result.versions) version.reference_launches.clear();
  const auto rows = table_of(page_of(result), "Times, points and counters by version");
  CHECK(rows.back().back().find("reference") == std::string::npos);
  CHECK(table_of(page_of(result), "The roofline in numbers").size() == 3);
}

TEST_CASE("the roofline") {
  const GradeResult result = rich();
  const Roofline roofline = roofline_of(result, kA100);
  CHECK(roofline.issue == Approx(108 * 4 * 1.41));
  CHECK(roofline.memory == 1555);
  CHECK(roofline.l2 == Approx(32 * 1.5 * 108 * 1.41));
  CHECK(roofline.shared == Approx(108 * 1.41));
  REQUIRE(roofline.points.size() == 4);  // shared and padded, each with the reference
  const RooflinePoint& padded = roofline.points[2];
  CHECK(padded.version == "padded");
  CHECK_FALSE(padded.reference);
  CHECK(roofline.points[3].reference);
  CHECK(padded.instructions == 689'536 + 9'687);
  CHECK(padded.bytes == 32 * 125'125);
  CHECK(padded.ns == result.versions[2].speed.student_ns);
  CHECK(roofline.limit(1e-3) == Approx(1.555));  // memory
  CHECK(roofline.limit(1e3) == roofline.issue);
  RooflinePoint global = padded;
  global.wavefronts = 0;
  CHECK(roofline.shared_limit(global) == 0);
  CHECK(roofline.least_ns(global) == Approx(padded.bytes / 1555));
  REQUIRE(padded.wavefronts > 0);
  CHECK(roofline.shared_limit(padded) == Approx(padded.instructions / padded.wavefronts * roofline.shared));
  RooflinePoint conflicts = padded;  // so many that they take longer than the bytes
  conflicts.wavefronts = 2 * roofline.shared * padded.bytes / 1555;
  CHECK(roofline.least_ns(conflicts) == Approx(2 * padded.bytes / 1555));
  CHECK(roofline.shared_limit(conflicts) < roofline.limit(conflicts.intensity()));
  CHECK(page_of(result).find("class=\"cap\"") != std::string::npos);
  CHECK(padded.rate() / roofline.limit(padded.intensity()) == Approx(roofline.least_ns(global) / padded.ns));

  const std::string page = page_of(result);
  const auto rows = table_of(page, "The roofline in numbers");
  REQUIRE(rows.size() == 5);
  for (std::size_t p = 0; p < 4; ++p) {
    const RooflinePoint& point = roofline.points[p];
    const auto& row = rows[p + 1];
    CHECK(row[0].ends_with(" " + point.version));
    CHECK(row[1] == (point.reference ? "reference" : "this submission"));
    CHECK(row[2] == human_count(static_cast<std::uint64_t>(point.instructions)));
    CHECK(row[3] == human_count(static_cast<std::uint64_t>(point.bytes)));
    CHECK(row[4] == human_factor(point.intensity()));
    CHECK(row[5] == human_count(static_cast<std::uint64_t>(point.wavefronts)));
    CHECK(row[6] == human_time(point.ns));
    CHECK(row[7] == human_factor(point.rate()));
    CHECK(row[8] == human_time(roofline.least_ns(point)));
  }
  const Lines labels = labels_of(page, "roofline");
  for (const char* const label : {"padded", "shared", "memory 1,555 GB/s", "L2 7,309 GB/s"})
    CHECK(has(labels, label));
  CHECK(page.find("id=\"limit\"") != std::string::npos);
  CHECK(submission_page({result, {}, {}}).find("id=\"limit\"") == std::string::npos);
}

TEST_CASE("a lost point has its line, the lines around it, and a map of the banks") {
  const std::string page = page_of(rich());
  const std::size_t at = page.find("<div class=\"l at\">");
  REQUIRE(at != std::string::npos);
  CHECK(page.substr(at, 400).find("best = fmaxf(best, tile[x][c]);") != std::string::npos);
  CHECK(page.find("// a comment") != std::string::npos);
  const auto labels = labels_of(page, "banks-1");
  for (int lane = 0; lane < 32; ++lane) CHECK(has(labels, std::to_string(lane)));
  CHECK(has(labels, "32"));
  GradeResult result = rich();
  result.source.clear();
  CHECK(page_of(result).find("class=\"l at\"") == std::string::npos);
  CHECK(page_of(result).find("row_max.cu:2") != std::string::npos);
}

TEST_CASE("the class's figures and tables say what the students have") {
  const ClassPage all = sample_class(40);
  const std::string page = class_page(all);
  for (std::size_t v = 0; v < all.versions.size(); ++v) {
    const ClassVersion& version = all.versions[v];
    const auto rows = table_of(page, "Points for " + version.name);
    const Lines labels = labels_of(page, "d-" + std::to_string(v));
    REQUIRE(rows.size() == 12);
    for (std::size_t bin = 0; bin < 11; ++bin) {
      std::size_t expected = 0;
      for (const ClassStudent& student : all.students) {
        if (student.scores.empty()) continue;
        const double points = student.scores[v].points;
        const double low = version.max_points * static_cast<double>(bin) / 10;
        if (bin == 10 ? points == version.max_points
                      : points >= low && points < low + version.max_points / 10)
          ++expected;
      }
      INFO(version.name << " " << rows[bin + 1][0]);
      CHECK(rows[bin + 1][1] == std::to_string(expected));
      if (expected > 0) CHECK(has(labels, std::to_string(expected)));
    }
  }
  const auto students = table_of(page, "Students");
  REQUIRE(students.size() == 41);  // with the header
  for (std::size_t s = 0; s < all.students.size(); ++s) {
    const ClassStudent& student = all.students[s];
    CHECK(students[s + 1][0] == student.id);
    CHECK(students[s + 1][1] == student.name);
    CHECK(students[s + 1][2] == (student.scores.empty() ? "–" : human_points(student.points)));
    CHECK(students[s + 1][6] == std::to_string(student.attempts));
    const std::string note = student.note.english() + student.problem.english();
    CHECK(students[s + 1].back() == (s == 0   ? "identical file"
                                     : s == 1 ? "identical file; like the reference"
                                              : note));
    if (!student.page.empty()) CHECK(page.find("<a href=\"" + student.page + "\">") != std::string::npos);
  }
  CHECK(students.back().back() == "the archive holds no .cu file");
  CHECK(page.find("<h2>Students</h2>") < page.find("<h2>Criteria</h2>"));
  CHECK(table_of(page, "Groups of copies")[1] ==
        Lines{"93 %", "2", "Ada Lovelace, Алан Тьюринг", "Ada Lovelace · Алан Тьюринг 93 %"});
  CHECK(table_of(page, "Identical files")[1] == Lines{"2", "Ada Lovelace, Алан Тьюринг", ""});
  CHECK(table_of(page, "Like the reference solution")[1] ==
        Lines{"81 %", "Алан Тьюринг", "Алан Тьюринг and the reference"});
  const auto attempts = table_of(page, "Attempts over time");
  REQUIRE(attempts.size() == 10);
  CHECK(attempts[1] == Lines{"2025-12-29", "5", "5"});
  CHECK(attempts.back()[2] == "39");
  std::vector<double> fastest;
  for (const ClassStudent& student : all.students)
    if (!student.scores.empty() && student.scores[0].verdict == Verdict::Accepted)
      fastest.push_back(student.scores[0].speedup);
  std::ranges::sort(fastest, std::greater<>());
  const auto leaders = table_of(page, "Fastest, by version");
  REQUIRE(leaders.size() == std::min<std::size_t>(10, fastest.size()) + 1);
  for (std::size_t place = 0; place + 1 < leaders.size(); ++place)
    CHECK(leaders[place + 1][1].starts_with(human_factor(fastest[place]) + "×"));
}

TEST_CASE("findings are counted by students, whatever their figures") {
  ClassPage page = sample_class(0);
  for (int s = 0; s < 5; ++s) {
    GradeResult result = rich();
    VersionResult& padded = result.versions[2];
    padded.lost[0].reason = verbatim(std::to_string(1000 + s) + " bank conflicts");
    if (s == 4) result.source[1] = "best = other(tile);";
    if (s == 3) result.source[1] = "  best=fmaxf(best,tile[x][c]) ;";  // equal except for blanks
    page.students.push_back(class_student("s" + std::to_string(s), "", result));
  }
  const std::string text = class_page(page);
  const std::size_t at = text.find("structure: bank conflict free");
  REQUIRE(at != std::string::npos);
  const std::string finding = text.substr(at - 120, text.find("</article>", at) - at + 120);
  CHECK(finding.find("5 students") != std::string::npos);
  CHECK(finding.find("50 points in all") != std::string::npos);
  CHECK(finding.find("1000 bank conflicts") != std::string::npos);
  CHECK(finding.find("4 students</p>") != std::string::npos);
  CHECK(finding.find("1 student</p>") != std::string::npos);
  CHECK(finding.find("s0, s1, s2, s3, s4") != std::string::npos);
}

TEST_CASE("an anonymous class names nobody") {
  ClassPage page = sample_class(40);
  page.anonymous = true;
  const std::string text = class_page(page);
  for (const ClassStudent& student : page.students) {
    CHECK(text.find(student.id) == std::string::npos);
    if (!student.name.empty()) CHECK(text.find(student.name) == std::string::npos);
  }
  const auto leaders = table_of(text, "Fastest, by version");
  REQUIRE(leaders.size() > 5);
  CHECK(leaders[1][1].find("× Vega ") != std::string::npos);
  CHECK(text.find("the archive holds no .cu file") == std::string::npos);
  CHECK(text.find("<script") == std::string::npos);
}

TEST_CASE("a leaderboard has only accepted versions, and no text of fewer than three students") {
  ClassPage page = sample_class(0);
  page.anonymous = true;
  const auto add = [&page](const std::string& name, const std::string& line, bool right) {
    GradeResult result = rich();
    result.source[1] = line;
    result.versions[2].lost[0].reason = verbatim("reason of " + line);
    ClassStudent student = class_student(name, name, result);
    student.pseudonym = "star of " + name;
    student.scores[2].ranked = right;
    student.scores[2].speedup = right ? 2 : 9;
    page.students.push_back(std::move(student));
  };
  add("a", "shared_line();", true);
  add("b", "shared_line( );", true);
  add("c", "own_line();", false);
  const std::string two = class_page(page);
  CHECK(two.find("_line(") == std::string::npos);
  CHECK(two.find("reason of") == std::string::npos);
  CHECK(two.find("star of a") != std::string::npos);
  add("d", "shared_line();", true);
  const std::string three = class_page(page);
  CHECK(three.find("shared_line();") != std::string::npos);
  CHECK(three.find("own_line") == std::string::npos);
  const auto leaders = table_of(three, "Fastest, by version");
  for (std::size_t row = 1; row < leaders.size(); ++row)
    CHECK(leaders[row].back().find("star of c") == std::string::npos);
  CHECK(leaders[1].back() == "2.00× star of a");
  page.anonymous = false;
  CHECK(class_page(page).find("own_line();") != std::string::npos);
}

TEST_CASE("a class's criteria have the share of students who meet them, and findings no consequences") {
  ClassPage page = sample_class(0);
  page.students.push_back(class_student("a", "", rich()));
  page.students.push_back(class_student("b", "", full_marks()));
  page.students.push_back(class_student("c", "", compile_error()));
  const auto rows = table_of(class_page(page), "Criteria by version");
  const auto row = [&](const std::string& name) {
    const auto found = std::ranges::find(rows, name, [](const Lines& cells) { return cells.front(); });
    REQUIRE(found != rows.end());
    return *found;
  };
  CHECK(row("sizes that no block divides")[2] == "33 % 1/3");
  CHECK(row("structure: uses shared memory")[2] == "67 % 2/3");
  // What comes back by itself once the answers are right belongs to the finding that spoils them.
  GradeResult result = rich();
  VersionResult& wrong = result.versions[0];
  REQUIRE(wrong.verdict == Verdict::WrongAnswer);
  const std::size_t findings = class_student("a", "", result).findings.size();
  const double lost = class_student("a", "", result).findings.front().points;
  wrong.lost.push_back({3, "structure and speed", msg::gated(0), {}, {}});
  const ClassStudent again = class_student("a", "", result);
  CHECK(again.findings.size() == findings);
  CHECK(again.findings.front().points == lost + 3);
}

namespace {

Standing sample_standing() {
  Standing standing;
  standing.lab = "lab3";
  standing.variant = "variant4";
  standing.student = "Ada <Lovelace>";
  standing.pseudonym = "Vega 12";
  standing.graded = true;
  standing.points = 47.5;
  standing.max_points = 110;
  standing.terms = {{70, verbatim("by the grader")}, {-27.5, verbatim("late")}, {5, verbatim("oral <exam>")}};
  standing.open = {"open: readable code, up to 10 points, by hand"};
  standing.attempts = {{1'767'225'600, 30, {}, true, false},
                       {1'767'312'000, 0, verbatim("nothing was handed in"), false, false},
                       {1'767'398'400, 42.5, verbatim("2 days late"), true, true}};
  return standing;
}

}  // namespace

TEST_CASE("a page gets the points that count, the student and the attempts") {
  const Standing standing = sample_standing();
  GradeResult open = rich();
  open.open = {{OpenPoints::By::Hand, "style", {{"en", "readable code"}}, 10}};
  for (const std::string& page :
       {with_standing(page_of(open), standing), with_standing(page_of(open, "somebody"), standing),
        standing_page(standing)}) {
    CHECK(faults_of(page) == Lines{});
    CHECK(page.find("<title>Ada &lt;Lovelace&gt;, lab3 variant4: 47.5 of 110 points</title>") !=
          std::string::npos);
    CHECK(page.find("<span class=\"big\">47.5 <small>of 110 points</small></span>") != std::string::npos);
    CHECK(page.find("somebody") == std::string::npos);
    CHECK(page.find("Vega 12") != std::string::npos);
    const auto sum = table_of(page, "The points that count");
    CHECK(sum[1] == Lines{"+70", "by the grader"});
    CHECK(sum[2] == Lines{"-27.5", "late"});
    CHECK(sum[3] == Lines{"+5", "oral <exam>"});
    CHECK(sum[4] == Lines{"47.5", "of 110 points"});
    const auto attempts = table_of(page, "Attempts so far");
    CHECK(attempts[1] == Lines{"1", "2026-01-01 00:00 UTC", "30", ""});
    CHECK(attempts[2] == Lines{"2", "2026-01-02 00:00 UTC", "–", "nothing was handed in"});
    CHECK(attempts[3] == Lines{"3", "2026-01-03 00:00 UTC", "42.5", "✓ counts 2 days late"});
    const std::size_t first = page.find("open: readable code");
    CHECK(first != std::string::npos);
    CHECK(page.find("open: readable code", first + 1) == std::string::npos);
  }
  const auto criteria = table_of(page_of(rich()), "Criteria by version");
  CHECK(criteria.back().front() == "speed");
}

TEST_CASE("a student whose work could not be graded has a page, and every student a text to be mailed") {
  Standing standing = sample_standing();
  const GradeResult result = rich();
  const std::string text = mail_text(standing, &result);
  for (const char* const line :
       {"Ada <Lovelace>\n", "47.5 of 110 points\n", "    -27.5  late\n", "  1  2026-01-01 00:00 UTC: 30\n",
        "you are Vega 12.", "sizes that no block divides", "structure: uses shared memory", "speed"})
    CHECK(text.find(line) != std::string::npos);
  for (const std::string& line : split_lines(text)) CHECK(display_width(line) <= 76);
  const GradeResult hostile = hostile_result(4000);
  standing.student = standing.pseudonym = hostile_text(4000);
  const std::string harmless = mail_text(standing, &hostile);
  CHECK(harmless == printable(harmless));
  CHECK(faults_of(with_standing(page_of(hostile), standing)) == Lines{});

  standing = {};
  standing.lab = "lab3";
  standing.variant = "variant4";
  standing.problem = verbatim("nothing was handed in");
  standing.attempts = {{0, 0, standing.problem, false, true}};
  const std::string page = standing_page(standing);
  CHECK(faults_of(page) == Lines{});
  CHECK(page.find("<title>lab3 variant4: not graded</title>") != std::string::npos);
  CHECK(mail_text(standing, nullptr).find("nothing was handed in\n") != std::string::npos);
}

TEST_CASE("what a submission or a student writes harms no page and does not fill it") {
  for (const std::size_t bytes : {200, 4'000, 1'000'000}) {
    INFO(bytes);
    const LanguageScope language(bytes == 4'000 ? "ru" : "en");
    const GradeResult result = hostile_result(bytes);
    const std::string page = page_of(result, hostile_text(bytes));
    CHECK(faults_of(page) == Lines{});
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.size() < 2'000'000);
  }
  for (const auto& [students, bytes] : {std::pair<std::size_t, std::size_t>{1000, 2'000}, {20, 1'000'000}}) {
    const LanguageScope language(students == 20 ? "ru" : "en");
    const std::string page = class_page(hostile_class(students, bytes));
    CHECK(faults_of(page) == Lines{});
    CHECK(page.find("<script") == page.rfind("<script"));
    CHECK(page.size() < 3'000'000);
  }
}

TEST_CASE("numbers that are none leave the figures sound") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  for (const double value : {0.0, -1.0, 1e300, 1e-300, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    GradeResult result = rich();
    for (VersionResult& version : result.versions) {
      version.points = version.speed.student_ns = version.speed.reference_ns = version.speed.speedup = value;
      version.max_points = value;
    }
    CHECK(faults_of(page_of(result)) == Lines{});
    ClassPage all = sample_class(9);
    for (ClassVersion& version : all.versions) version.max_points = value;
    for (ClassStudent& student : all.students) student.points = value;
    CHECK(faults_of(class_page(all)) == Lines{});
  }
}

TEST_CASE("a class of a thousand is a usable page") {
  const ClassPage all = sample_class(1000);
  const auto start = std::chrono::steady_clock::now();
  const std::string page = class_page(all);
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 1);
  CHECK(page.size() < 1'000'000);
  CHECK(table_of(page, "Students").size() == 1001);
}

TEST_CASE("the policy holds the style sheet by its hash and allows nothing else") {
  CHECK(
      html::security_policy("").text() ==
      "default-src 'none'; style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; base-uri 'none'; "
      "form-action 'none'");
  for (const std::string& page : {page_of(rich()), class_page(sample_class(3))}) {
    const auto inside = [&page](const std::string& begins, const std::string& ends) {
      const std::size_t from = page.find(begins);
      return from == std::string::npos
                 ? std::string()
                 : page.substr(from + begins.size(), page.find(ends, from) - from - begins.size());
    };
    const std::string policy =
        html::security_policy(inside("<style>", "</style>"), inside("<script>", "</script>")).text();
    CHECK(page.find("content=\"" + policy + "\"") < page.find("<style>"));
    CHECK((policy.find("script-src") != std::string::npos) == (page.find("<script>") != std::string::npos));
  }
}

// Writes the pages that CI/check_pages.sh opens in a browser.
TEST_CASE("samples", "[.samples]") {
  const char* const folder = std::getenv("PAGES_OUT");
  REQUIRE(folder != nullptr);
  const auto write = [&](const std::string& name, const std::string& page) {
    std::ofstream(std::filesystem::path(folder) / name) << page;
  };
  write("rich.html", page_of(rich(), "Ada Lovelace"));
  write("compile_error.html", page_of(compile_error()));
  write("measured.html", page_of(measured()));
  write("hostile.html", page_of(hostile_result(4000), hostile_text(4000)));
  write("standing.html", with_standing(page_of(rich()), sample_standing()));
  write("class.html", class_page(sample_class(40)));
  write("class_1000.html", class_page(sample_class(1000)));
  write("class_hostile.html", class_page(hostile_class(40, 2000)));
  ClassPage anonymous = sample_class(40);
  anonymous.anonymous = true;
  write("class_anonymous.html", class_page(anonymous));
}

}  // namespace cudalabs
