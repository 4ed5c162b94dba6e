// The documents of `grader run --json` and `--sarif`.

#include "grader/program/problems.h"

#include <nlohmann/json.hpp>

#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/sim.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

using Json = nlohmann::json;

CallOutcome race_and_failed_calls() {
  sim::Finding race;
  race.checker = sim::Checker::Racecheck;
  race.kind = "read-write race between warps";
  race.message = msg::race_between_warps(msg::memory_element(32, msg::memory_shared("tile")));
  race.advice = msg::advice_syncthreads_between();
  race.kernel = "sum(int*)";
  race.count = 64;
  race.here = {msg::did_read(), "sum.cu", 5, {0, 0, 0}, {31, 0, 0}};
  race.other = {msg::did_write(), "sum.cu", 4, {0, 0, 0}, {32, 0, 0}};
  race.callers = {{{}, "main.cu", 9, {}, {}}};
  CallOutcome outcome;
  outcome.findings = {race, race};
  outcome.api_errors = {{"cudaFree", "cudaErrorInvalidValue", {}},
                        {"cudaLaunchKernel", "cudaErrorInvalidConfiguration", {}}};
  return outcome;
}

}  // namespace

TEST_CASE("a finding is told by rule and id, with its places", "[problems]") {
  const Json findings = Json::parse(problems_json(problems_of(race_and_failed_calls(), true)))["findings"];
  REQUIRE(findings.size() == 4);
  const Json& race = findings[0];
  CHECK(race["rule"] == "racecheck");
  CHECK(race["id"] == "race_between_warps");
  CHECK(race["kind"] == "read-write race between warps");
  CHECK(
      race["message"] ==
      "race on element 32 of `tile` (shared memory): one warp reads it and another warp of its block writes "
      "it, with no barrier between");
  CHECK(race["message_parts"][0]["arguments"]["place"][0]["arguments"]["element"] == 32);
  CHECK(race["here"] ==
        Json{{"file", "sum.cu"}, {"line", 5}, {"what", "read by thread (31, 0, 0) of block (0, 0, 0)"}});
  CHECK(race["others"][0]["what"] == "written by thread (32, 0, 0) of block (0, 0, 0)");
  CHECK(race["others"][1] == Json{{"file", "main.cu"}, {"line", 9}, {"what", "called from here"}});
  CHECK(findings[2]["rule"] == "memcheck");
  CHECK(findings[2]["message"] == "cudaFree returned cudaErrorInvalidValue");
  CHECK(findings[3]["id"] == "program_kernel_not_launched");
  CHECK(findings[3]["message"] == "a kernel was not launched: cudaErrorInvalidConfiguration");
}

TEST_CASE("SARIF has a rule for each id that occurs, and its checker as category", "[problems]") {
  std::vector<Problem> problems = problems_of(race_and_failed_calls(), true);
  Problem compile;
  compile.rule = "compile";
  compile.message = verbatim("expected ';'");
  problems.push_back(compile);
  const Json run = Json::parse(problems_sarif(problems, "1.0"))["runs"][0];
  std::vector<std::pair<std::string, std::string>> rules;
  for (const Json& rule : run["tool"]["driver"]["rules"]) {
    rules.emplace_back(rule["id"], rule["properties"]["category"]);
    CHECK(rule["shortDescription"]["text"] != "");
  }
  CHECK(rules == std::vector<std::pair<std::string, std::string>>{{"race_between_warps", "racecheck"},
                                                                  {"program_call_failed", "memcheck"},
                                                                  {"program_kernel_not_launched", "launch"},
                                                                  {"compile", "compile"}});
  const Json& race = run["results"][0];
  CHECK(race["ruleId"] == "race_between_warps");
  CHECK(race["properties"]["checker"] == "racecheck");
  CHECK(race["properties"]["messages"][0]["id"] == "race_between_warps");
  CHECK(run["results"][4]["ruleId"] == "compile");
}

TEST_CASE("a finding is printed in the language that is set", "[problems]") {
  sim::Finding race = race_and_failed_calls().findings[0];
  race.more = {{msg::did_write(), "sum.cu", 7, {}, {}}};
  const auto shown = [](const Message& message) { return rendered(message); };
  CHECK(sim::finding_text(race, shown) == race.text());
  const LanguageScope russian("ru");
  CHECK(sim::finding_text(race, shown) ==
        "sum.cu:5: ошибка: гонка на элементе 32 массива `tile` (разделяемая память): один варп читает, а "
        "другой "
        "варп его блока пишет, без барьера между ними [racecheck]\n"
        "  sum.cu:5: прочитано нитью (31, 0, 0) блока (0, 0, 0)\n"
        "  main.cu:9: вызвано отсюда\n"
        "  sum.cu:4: записано нитью (32, 0, 0) блока (0, 0, 0)\n"
        "  sum.cu:7: тоже записано\n"
        "  в ядре sum(int*), 64 раза\n"
        "  подсказка: Поставьте между этими двумя __syncthreads() там, где до него доходят все нити блока.");
}

}  // namespace cudalabs
