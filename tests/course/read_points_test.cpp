// Criteria and the gate as a course's files give them.

#include "grader/course/read_points.h"

#include <algorithm>
#include <fstream>

#include "grader/course/course.h"
#include "grader/course/lab.h"
#include "grader/course/planted.h"
#include "grader/diagnostics/language.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/workplace.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// A copy of the course, with one lab of ours in it.
class Place {
 public:
  Place() : root_(folder_.path()) { test::copy_course(root_); }

  /// What load_lab() says about lab3 variant4 after a replacement in one of the course's files, without
  /// places.
  std::string with(const std::string& file, const std::string& before, const std::string& after) {
    const std::string original = test::read_file(root_ / file);
    test::replace_in(root_ / file, before, after);
    const auto lab = load_lab(Course{root_}, "lab3", "variant4");
    std::ofstream(root_ / file) << original;
    if (lab) return "loaded";
    const std::string text = lab.problem().text();
    const std::size_t at = text.find(": ");
    return at == std::string::npos ? text : text.substr(at + 2);
  }
  std::string in_lab(const std::string& before, const std::string& after) {
    return with("configs/labs/lab3/variant4.yaml", before, after);
  }
  std::string in_course(const std::string& before, const std::string& after) {
    return with("configs/grading.yaml", before, after);
  }
  [[nodiscard]] fs::path yaml() const { return root_ / "configs/labs/lab3/variant4.yaml"; }
  [[nodiscard]] Lab lab() const {
    auto lab = load_lab(Course{root_}, "lab3", "variant4");
    REQUIRE(lab);
    return *std::move(lab);
  }

 private:
  test::TemporaryFolder folder_;
  fs::path root_;
};

const Criterion& named(const Lab& lab, std::string_view name) {
  const auto it = std::ranges::find(lab.criteria, name, &Criterion::name);
  REQUIRE(it != lab.criteria.end());
  return *it;
}

}  // namespace

TEST_CASE("a lab has the criteria that its cases name, with its own shares") {
  const Lab lab = Place().lab();
  CHECK(lab.gate == Gate::Proportional);
  CHECK(named(lab, "negative").share == 60);
  CHECK(named(lab, "ragged").share == 25);
  CHECK(named(lab, "safe").needed);
  CHECK(lab.cases.front().criterion == "empty");
  CHECK(lab.timed.criterion == "large");
  CHECK(std::ranges::find(lab.criteria, "deep", &Criterion::name) == lab.criteria.end());
  CHECK(title_of(named(lab, "empty").titles) == "nothing to do");
  const LanguageScope russian("ru");
  CHECK(title_of(named(lab, "empty").titles) == "нечего делать");
}

TEST_CASE("a title falls back to English, then to any") {
  CHECK(title_of({{"de", "nichts"}, {"en", "nothing"}}) == "nothing");
  CHECK(title_of({{"de", "nichts"}}) == "nichts");
  CHECK(title_of({}) == "");
}

TEST_CASE("mistakes about criteria are told") {
  Place place;
  CHECK(
      place.in_lab("criterion: empty", "criterion: emty") ==
      "unknown criterion 'emty'; did you mean 'empty'?\n  hint: one of: whole, ragged, few, thin, negative, "
      "positive, values, long, deep, many, large, empty");
  CHECK(place.in_lab(", criterion: empty", "") ==
        "the case rows=0 cols=32 uniform has no criterion, but others have one\n  hint: give every case, the "
        "timed "
        "one too, a criterion, or none of them");
  CHECK(place.in_lab("criterion: empty", "criterion: safe") ==
        "no case is of the criterion 'safe': it holds where the checkers find nothing in any case");
  CHECK(place.in_lab("negative: {share: 60}", "mine: {share: 60}") == "the criterion 'mine' has no title");
  CHECK(place.in_lab("negative: {share: 60}", "negative: {share: many}").find("'share' must be a number") ==
        0);
  CHECK(place.in_lab("criteria:", "gate: strickt\ncriteria:") ==
        "unknown gate 'strickt'; did you mean 'strict'?\n  hint: one of: proportional, strict, none");
  CHECK(place.in_lab("criteria:", "gate: strict\ncriteria:") == "loaded");
  CHECK(place.in_course("safe: {needed: true", "safe: {needed: false").find("the criterion 'safe' must be") ==
        0);
  CHECK(place.in_course("safe: {needed: true", "safe: {needed: yes") ==
        "'needed' is neither 'true' nor 'false'");
  CHECK(place.in_course("empty: {share: 5", "empty: {share: -5").find("'share' must be from 0") == 0);
}

TEST_CASE("a bonus has cases and points, and neither speed nor safety hangs on it") {
  Place place;
  const std::string bonus = "criteria:\n  extra: {share: 1, bonus: true, title: more}\n";
  CHECK(place.in_lab("criteria:", bonus) == "loaded");  // no case names it
  CHECK(
      place.in_lab("criteria:", "criteria:\n  extra: {share: 1, bonus: true, needed: true, title: more}\n") ==
      "the criterion 'extra' cannot be both 'bonus' and 'needed'");
  CHECK(place.in_lab("criteria:\n", "criteria:\n  empty: {bonus: true}\n")
            .find("but no version has 'bonus_points'") != std::string::npos);
  CHECK(place.in_lab("correctness_points:", "bonus_points: 3\n    correctness_points:")
            .find("but no case is of a criterion with 'bonus: true'") != std::string::npos);
  CHECK(place.in_lab("criteria:\n", "criteria:\n  large: {bonus: true}\n")
            .find("the timed case cannot be of 'large'") == 0);
}

TEST_CASE("hidden cases are named by their criteria") {
  Place place;
  CHECK(place.in_lab("criterion: empty", "hidden: true, criterion: empty") == "loaded");
  CHECK(place.in_lab("criterion: empty", "hidden: maybe, criterion: empty") ==
        "'hidden' is neither 'true' nor 'false'");
  CHECK(place.in_lab("timed: {", "timed: {hidden: true, ").find("the timed case cannot be hidden") == 0);
  test::replace_in(place.yaml(), "cols: [1, 31, 33], distribution: positive",
                   "cols: [1, 31, 33], hidden: true, distribution: positive");
  const Lab lab = place.lab();
  CHECK(lab.cases[8].name() == "rows=1 cols=1 positive");
  CHECK(lab.cases[8].shown_name() == "hidden 1 (thin)");
  CHECK(lab.cases[10].shown_name() == "hidden 3 (thin)");
  CHECK(lab.cases[11].shown_name() == lab.cases[11].name());
}

TEST_CASE("thresholds give the points of a step, and other tables read alike") {
  Place place;
  const auto with = [&](const std::string& keys) {
    return place.in_lab("    correctness_points: 25\n    speed_points: 5\n",
                        "    correctness_points: 25\n" + keys);
  };
  CHECK(with("    speed_thresholds: [[0.5, 2], [0.9, 5]]\n") == "loaded");
  CHECK(with("    speed_points: 5\n    speed_thresholds: [[0.5, 2], [0.9, 4]]\n") ==
        "the last row of 'speed_thresholds' gives 4 points, but 'speed_points' is 5");
  CHECK(with("    speed_thresholds: [[0.5, 2]]\n    speed_curve: [[0.5, 1]]\n") ==
        "a version has either 'speed_thresholds' or 'speed_curve'");
  CHECK(with("    speed_thresholds: [[0.9, 2], [0.5, 5]]\n") ==
        "the rows of 'speed_thresholds' must go from slow to fast, and the points must not fall");
  CHECK(with("    speed_thresholds: [0.9]\n").find("a row of 'speed_thresholds' must be [reference time") ==
        0);
  CHECK(with("    speed_thresholds: []\n") == "'speed_thresholds' needs at least one row");

  test::replace_in(place.yaml(), "    correctness_points: 25\n    speed_points: 5\n",
                   "    correctness_points: 25\n    speed_thresholds: [[0.5, 2], [0.9, 5]]\n");
  test::replace_in(place.yaml(), "criteria:\n",
                   "manual: [{name: style, points: 10, title: {en: readable code}}]\n"
                   "leaderboard: [[1, 10], [3, 7], [10, 4]]\ncriteria:\n");
  const Lab lab = place.lab();
  CHECK(lab.versions[0].speed_points == 5);
  CHECK(lab.versions[0].speed_curve == Curve{{0.5, 0}, {0.5, 0.4}, {0.9, 0.4}, {0.9, 1}});
  CHECK(lab.manual[0].name == "style");
  CHECK(lab.points_by_hand() == 10);
  CHECK(lab.leaderboard == Ranks{{1, 10}, {3, 7}, {10, 4}});
  CHECK(lab.points_by_grader() == 100);
  CHECK(lab.max_points() == 120);
  CHECK(place.in_lab("[3, 7]", "[3, 11]") ==
        "the rows of 'leaderboard' must go from the best place to the last, and the points must not rise");
  CHECK(place.in_lab("manual: [", "manual: [{name: style, points: 1, title: a}, ")
            .find("duplicate criterion 'style'") != std::string::npos);
}

TEST_CASE("planted bugs name what there is, and texts that occur once") {
  const Lab lab = load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4").ok()
                      ? *load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4")
                      : Lab{};
  const test::TemporaryFolder folder;
  Lab own = lab;
  own.oracle = folder.path() / "oracle.cpp";
  const auto load = [&](const std::string& text) {
    std::ofstream(folder.path() / "planted.yaml") << text;
    return load_planted(own);
  };
  CHECK(load_planted(own)->empty());
  const auto planted = load("- edits: [[\"a\", \"b\"]]\n  misses: {padded: [negative, values]}\n");
  REQUIRE(planted);
  REQUIRE(planted->size() == 1);
  CHECK(planted->front().misses.front().second == std::vector<std::string>{"negative", "values"});
  CHECK(*with_bugs("x = a;", planted->front()) == "x = b;");
  CHECK(with_bugs("x = a + a;", planted->front()).problem().text().find("exactly once: a") !=
        std::string::npos);
  CHECK(with_bugs("x = c;", planted->front()).problem().text().find("exactly once: a") != std::string::npos);
  CHECK(load("- edits: [[a, b]]\n  misses: {paded: [negative]}\n")
            .problem()
            .text()
            .find("did you mean 'padded'?") != std::string::npos);
  CHECK(load("- edits: [[a, b]]\n  misses: {padded: [deep]}\n")
            .problem()
            .text()
            .find("unknown criterion 'deep'") != std::string::npos);
  CHECK(
      load("- edits: [[a]]\n  misses: {padded: [negative]}\n").problem().text().find("a list of two texts") !=
      std::string::npos);
}

}  // namespace cudalabs
