// The output of json_report is read back, and invalid documents are rejected with the key that is wrong.

#include "grader/present/formats/json_reader.h"

#include <functional>
#include <nlohmann/json.hpp>

#include "grader/present/formats/json.h"
#include "tests/harness/catch.h"
#include "tests/present/formats/sample.h"

namespace cudalabs {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string problem_of(const std::string& text) {
  const auto read = read_json_report(text, "r.json");
  if (read) return "it was read";
  const std::string whole = read.problem().text();
  const std::string hint = "\n  hint: it must be what `grader LAB VARIANT --json FILE` wrote";
  REQUIRE(whole.ends_with(hint));
  return whole.substr(0, whole.size() - hint.size());
}

/// mixed() with one change.
std::string changed(const std::function<void(OrderedJson&)>& change) {
  OrderedJson document = OrderedJson::parse(json_report(mixed()));
  change(document);
  return document.dump();
}

}  // namespace

TEST_CASE("a result that is written, read and written again is the same") {
  for (const GradeResult& result :
       {full_marks(), with_bonus(), measured(), mixed(), partial(), compile_error()}) {
    const std::string text = json_report(result);
    const auto read = read_json_report(text);
    REQUIRE(read);
    CHECK(json_report(*read) == text);
    CHECK(read->points == result.points);
    CHECK(read->passed() == result.passed());
    CHECK(read->complete() == result.complete());
  }
}

TEST_CASE("a result of another grader of this schema is read") {
  OrderedJson older = OrderedJson::parse(json_report(full_marks()));
  older.erase("complete");
  older["versions"][0]["launches"][0]["counters"].erase("global_load_sectors");
  older["versions"][0]["launches"][0]["counters"]["of_tomorrow"] = {1, 2};
  older["of_tomorrow"] = {{"a", {{"b", OrderedJson::array()}}}};
  const auto read = read_json_report(older.dump());
  REQUIRE(read);
  CHECK(read->versions[0].launches[0].counters.global_load_sectors == 0);
  CHECK(read->versions[0].launches[0].counters.global_load_requests == 31250);
}

TEST_CASE("what is no result is refused with the place") {
  CHECK(problem_of("") == "r.json:1:1: the file is empty");
  CHECK(problem_of("points: 3") == "r.json:1:1: this is no JSON");
  CHECK(problem_of("{\n  \"schema\": nope}") == "r.json:2:14: this is no JSON");
  CHECK(problem_of("[]") == "r.json: the document is no object");
  CHECK(problem_of("{}") == "r.json: schema is missing");
  CHECK(problem_of("{\"schema\": 1}") == "r.json: schema is no text");
  CHECK(problem_of("{\"schema\": \"grader/result/v2\\u001b[2J\"}") ==
        "r.json: schema: 'grader/result/v2?[2J' is not 'grader/result/v1'");
  CHECK(problem_of("{\"schema\": \"\xff\"}") == "r.json:1:13: this is no JSON");
  CHECK(problem_of("{\"a\": 1e999}") == "r.json: a number is too large for any result");
  CHECK(problem_of(std::string(1'000'000, '[')) ==
        "r.json: lists or objects stand in one another deeper than in any result");
  CHECK(problem_of(std::string(kMaxJsonReport + 1, ' ')) ==
        "r.json: 33 MiB are more than a result may have, 32 MiB");
}

TEST_CASE("a document of so many values that they would fill the memory is refused") {
  const auto of_values = [](std::size_t values) {
    std::string text = "[1";  // includes the list itself
    for (std::size_t i = 2; i < values; ++i) text += ",1";
    return text + "]";
  };
  CHECK(problem_of(of_values(kMaxJsonValues)) == "r.json: the document is no object");
  CHECK(problem_of(of_values(kMaxJsonValues + 1)) ==
        "r.json: it has more than 600,000 values, the most that a result may have");
}

TEST_CASE("all launches that a result lists fit into what is read") {
  GradeResult most = full_marks();
  const VersionResult version = most.versions[0];
  most.points = most.max_points = 0;
  most.versions.clear();
  for (int i = 0; i < 8; ++i) {
    VersionResult& one = most.versions.emplace_back(version);
    one.launches.resize(kMaxLaunchesListed, one.launches[0]);
    one.launches.back().launches = 49'001;
    most.points += one.points;
    most.max_points += one.max_points;
  }
  const std::string text = json_report(most);
  const auto read = read_json_report(text);
  REQUIRE(read);
  CHECK(json_report(*read) == text);
  CHECK(read->versions[7].launches.back().launches == 49'001);
}

TEST_CASE("a document that ends anywhere is refused") {
  const std::string whole = json_report(mixed());
  REQUIRE(read_json_report(whole));
  for (std::size_t size = 1; size + 1 < whole.size(); size += 97)
    CHECK(problem_of(whole.substr(0, size)).ends_with("the JSON ends in the middle"));
}

TEST_CASE("a value that no grading gives is refused with its key") {
  using Change = std::function<void(OrderedJson&)>;
  const std::vector<std::pair<std::string, Change>> cases = {
      {"lab is missing", [](OrderedJson& d) { d.erase("lab"); }},
      {"lab is no text", [](OrderedJson& d) { d["lab"] = 3; }},
      {"device: 'abacus' is neither 'simulator' nor 'gpu'", [](OrderedJson& d) { d["device"] = "abacus"; }},
      {"device_profile.title is missing", [](OrderedJson& d) { d["device_profile"].erase("title"); }},
      {"compiler is no object", [](OrderedJson& d) { d["compiler"] = "nvcc"; }},
      {"seed: '18446744073709551616' is no unsigned 64-bit number in decimal digits",
       [](OrderedJson& d) { d["seed"] = "18446744073709551616"; }},
      {"seed: '' is no unsigned 64-bit number in decimal digits", [](OrderedJson& d) { d["seed"] = ""; }},
      {"score.points: -1 is not from 0 to 1000000", [](OrderedJson& d) { d["score"]["points"] = -1; }},
      {"score.points is above max_points", [](OrderedJson& d) { d["score"]["points"] = 100.5; }},
      {"score is not the sum over the versions", [](OrderedJson& d) { d["score"]["points"] = 99; }},
      {"passed does not agree with the versions", [](OrderedJson& d) { d["passed"] = true; }},
      {"complete does not agree with the versions", [](OrderedJson& d) { d["complete"] = false; }},
      {"passed is neither true nor false", [](OrderedJson& d) { d["passed"] = "no"; }},
      {"versions is no list", [](OrderedJson& d) { d["versions"] = OrderedJson::object(); }},
      {"versions[1] is no object", [](OrderedJson& d) { d["versions"][1] = OrderedJson(); }},
      {"versions[1].verdict: 'fine' is none of the words that may stand here",
       [](OrderedJson& d) { d["versions"][1]["verdict"] = "fine"; }},
      {"versions[0].points is above max_points", [](OrderedJson& d) { d["versions"][0]["points"] = 31; }},
      {"versions[0].points is no number", [](OrderedJson& d) { d["versions"][0]["points"] = OrderedJson(); }},
      {"versions[0].correctness.passed is, with skipped, above total",
       [](OrderedJson& d) { d["versions"][0]["correctness"]["skipped"] = 5; }},
      {"versions[0].correctness.passed is no whole number from 0 to 2147483647",
       [](OrderedJson& d) { d["versions"][0]["correctness"]["passed"] = 1.5; }},
      {"versions[0].correctness.failures[3].line is no whole number from 0 to 2147483647",
       [](OrderedJson& d) { d["versions"][0]["correctness"]["failures"][3]["line"] = 1LL << 31; }},
      {"versions[2].structure[0].requirement: 'fast' is none of the words that may stand here",
       [](OrderedJson& d) { d["versions"][2]["structure"][0]["requirement"] = "fast"; }},
      {"versions[0].speed.time_ns is not null, but source is none",
       [](OrderedJson& d) { d["versions"][0]["speed"]["time_ns"] = 5; }},
      {"versions[2].lost[1].part is missing",
       [](OrderedJson& d) { d["versions"][2]["lost"][1].erase("part"); }},
      {"versions[2].launches[0].grid is no list of three numbers",
       [](OrderedJson& d) {
         d["versions"][2]["launches"][0]["grid"] = {1, 2};
       }},
      {"versions[2].launches[0].counters.warp_instructions is no whole number from 0 to "
       "18446744073709551615",
       [](OrderedJson& d) { d["versions"][2]["launches"][0]["counters"]["warp_instructions"] = -1; }},
      {"versions[2].notes[0] is no text", [](OrderedJson& d) { d["versions"][2]["notes"][0] = 1; }},
      {"nondeterministic.submission is missing",
       [](OrderedJson& d) { d["nondeterministic"].erase("submission"); }},
  };
  for (const auto& [words, change] : cases) CHECK(problem_of(changed(change)) == "r.json: " + words);
}

}  // namespace cudalabs
