#include "grader/program/problems.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/diagnostics/json.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/diagnostics/sarif.h"
#include "grader/sim/checkers/base/checker.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

std::string triple(const std::array<std::uint32_t, 3>& t) {
  return "(" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + ")";
}

ProblemPlace place_of(const sim::FindingSide& side) {
  return {sim::described(side), side.file, static_cast<int>(side.line), 0};
}

Problem problem_of(const sim::Finding& finding) {
  Problem problem;
  problem.rule = sim::checker_info(finding.checker).name;
  problem.error = finding.severity == sim::Severity::Error;
  problem.kind = finding.kind;
  problem.message = finding.message;
  problem.advice = finding.advice;
  problem.kernel = finding.kernel;
  problem.count = finding.count;
  problem.here = place_of(finding.here);
  if (!finding.other.what.empty()) problem.others.push_back(place_of(finding.other));
  for (const sim::FindingSide& side : finding.more) problem.others.push_back(place_of(side));
  for (const sim::FindingSide& caller : finding.callers) {
    problem.others.push_back({msg::finding_called_from(), caller.file, static_cast<int>(caller.line), 0});
  }
  return problem;
}

Problem problem_of(const sim::Fault& fault) {
  Problem problem;
  problem.rule = "fault";
  problem.message = fault.message;
  problem.advice = fault.advice;
  problem.kernel = fault.kernel;
  problem.here = {fault.placed ? msg::by_thread(triple(fault.thread), triple(fault.block)) : Message(),
                  fault.file, static_cast<int>(fault.line), 0};
  return problem;
}

Problem problem_of(const ApiError& e) {
  Problem problem;
  problem.rule = sim::checker_info(sim::Checker::Memcheck).name;
  problem.message = statement_of(e);
  problem.here = {{}, e.file, static_cast<int>(e.line), 0};
  return problem;
}

std::string dumped(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const ProblemPlace& place) {
  Json one = {{"file", place.file}, {"line", place.line}};
  if (place.column > 0) one["column"] = place.column;
  one["what"] = place.what.english();
  return one;
}

Json location_of(const ProblemPlace& place) {
  return sarif_location({place.file, place.line, place.column}, place.what.english());
}

constexpr const char* kAboutCompile = "what a compiler or the linker said";

/// A rule is a message; its category is what found it.
SarifRule rule_of(const Problem& problem) {
  if (problem.id() == problem.rule) return {problem.rule, kAboutCompile, problem.rule};
  return sarif_rule(problem.message[0], problem.rule);
}

}  // namespace

std::string Problem::id() const {
  const bool has_row = !message.empty() && !message[0].is(kVerbatim);
  return has_row ? std::string(message[0].id()) : rule;
}

Message statement_of(const ApiError& failed) {
  return failed.is_launch() ? msg::program_kernel_not_launched(failed.error, failed.detail)
                            : msg::program_call_failed(failed.call, failed.error, failed.detail);
}

std::vector<Problem> problems_of(const CallOutcome& outcome, bool calls) {
  std::vector<Problem> problems;
  const auto add = [&problems](const char* rule, bool error, Messages message) -> Problem& {
    Problem problem;
    problem.rule = rule;
    problem.error = error;
    problem.message = std::move(message);
    return problems.emplace_back(std::move(problem));
  };
  for (const std::string& call : outcome.unsupported_calls)
    add("unsupported", false, msg::program_call_unsupported(call));
  for (const sim::Finding& finding : outcome.findings) problems.push_back(problem_of(finding));
  const bool faulted = outcome.fault.kind != sim::FaultKind::None;
  for (const ApiError& e : outcome.api_errors) {
    if (calls && !faulted && !e.is_launch() && !e.is_answer()) problems.push_back(problem_of(e));
  }
  for (const ApiError& e : outcome.api_errors) {
    if (e.is_launch() && !follows_fault(e)) add("launch", true, statement_of(e));
  }
  if (faulted) problems.push_back(problem_of(outcome.fault));
  return problems;
}

std::size_t leave_out(CallOutcome& outcome, const std::function<bool(const Problem&)>& unwanted) {
  return std::erase_if(outcome.findings,
                       [&](const sim::Finding& finding) { return unwanted(problem_of(finding)); }) +
         std::erase_if(outcome.api_errors, [&](const ApiError& failed) {
           return !failed.is_launch() && !failed.is_answer() && unwanted(problem_of(failed));
         });
}

std::string problems_json(const std::vector<Problem>& problems) {
  Json findings = Json::array();
  for (const Problem& problem : problems) {
    Json one = {{"rule", problem.rule},
                {"id", problem.id()},
                {"severity", problem.error ? "error" : "warning"},
                {"kind", problem.kind},
                {"message", problem.message.english()},
                {"message_parts", json_of(problem.message)},
                {"advice", problem.advice.english()},
                {"advice_parts", json_of(problem.advice)},
                {"kernel", problem.kernel},
                {"count", problem.count},
                {"here", json_of(problem.here)},
                {"others", Json::array()}};
    for (const ProblemPlace& other : problem.others) one["others"].push_back(json_of(other));
    findings.push_back(std::move(one));
  }
  return dumped({{"format", 1}, {"findings", std::move(findings)}});
}

std::string problems_sarif(const std::vector<Problem>& problems, const std::string& version) {
  SarifDocument document;
  for (const Problem& problem : problems) {
    const std::string advice = problem.advice.empty() ? "" : ". " + problem.advice.english();
    Json& one = document.add(rule_of(problem), problem.error ? SarifLevel::Error : SarifLevel::Warning,
                             problem.message.english() + advice);
    if (!problem.here.file.empty()) one["locations"].push_back(location_of(problem.here));
    for (std::size_t i = 0; i < problem.others.size(); ++i) {
      if (problem.others[i].file.empty()) continue;
      Json other = location_of(problem.others[i]);
      other["id"] = i;
      one["relatedLocations"].push_back(std::move(other));
    }
    one["occurrenceCount"] = problem.count;
    one["properties"]["checker"] = problem.rule;
    one["properties"]["messages"] = json_of(problem.message);
    if (!problem.kernel.empty()) one["properties"]["kernel"] = problem.kernel;
  }
  return document.text(version);
}

}  // namespace cudalabs
