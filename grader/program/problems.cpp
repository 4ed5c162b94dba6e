#include "grader/program/problems.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/diagnostics/json.h"
#include "grader/sim/checkers/checkers.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

std::string triple(const std::array<std::uint32_t, 3>& t) {
  return "(" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + ")";
}

std::string by_thread(const std::array<std::uint32_t, 3>& thread, const std::array<std::uint32_t, 3>& block) {
  return "by thread " + triple(thread) + " of block " + triple(block);
}

ProblemPlace place_of(const sim::FindingSide& side) {
  const bool thread = !side.what.empty() && !side.by_host;
  return {thread ? Messages(side.what.english() + " " + by_thread(side.thread, side.block)) : side.what,
          side.file, static_cast<int>(side.line), 0};
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
    problem.others.push_back({"called from here", caller.file, static_cast<int>(caller.line), 0});
  }
  return problem;
}

Problem problem_of(const sim::Fault& fault) {
  Problem problem;
  problem.rule = "fault";
  problem.message = fault.message;
  problem.advice = fault.advice;
  problem.kernel = fault.kernel;
  problem.here = {fault.placed ? Messages(by_thread(fault.thread, fault.block)) : Messages(), fault.file,
                  static_cast<int>(fault.line), 0};
  return problem;
}

std::string text_of(const ApiError& e) {
  return e.call + " returned " + e.error + (e.detail.empty() ? "" : ": " + e.detail.english());
}

Problem problem_of(const ApiError& e) {
  Problem problem;
  problem.rule = sim::checker_info(sim::Checker::Memcheck).name;
  problem.message = text_of(e);
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

/// A path as part of a URI: other characters are percent-encoded.
std::string address_of(const std::string& path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out = std::filesystem::path(path).is_absolute() ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) != 0 || std::string_view("/._-~").find(c) != std::string::npos)) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

Json location_of(const ProblemPlace& place) {
  Json location = {{"physicalLocation", {{"artifactLocation", {{"uri", address_of(place.file)}}}}}};
  if (place.line > 0) {
    Json& region = location["physicalLocation"]["region"];
    region["startLine"] = place.line;
    if (place.column > 0) region["startColumn"] = place.column;
  }
  if (!place.what.empty()) location["message"]["text"] = place.what.english();
  return location;
}

/// Descriptions of the rules. Checkers have their own descriptions.
constexpr std::pair<const char*, const char*> kRules[] = {
    {"fault", "a kernel was ended by what it did"},
    {"launch", "a kernel that was not launched"},
    {"unsupported", "a CUDA call that is not supported"},
    {"compile", "what a compiler or the linker said"}};

}  // namespace

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
    add("unsupported", false, call + " is not supported; it returned cudaErrorNotSupported");
  for (const sim::Finding& finding : outcome.findings) problems.push_back(problem_of(finding));
  const bool faulted = outcome.fault.kind != sim::FaultKind::None;
  for (const ApiError& e : outcome.api_errors) {
    if (calls && !faulted && !e.is_launch() && !e.is_answer()) problems.push_back(problem_of(e));
  }
  for (const ApiError& e : outcome.api_errors) {
    if (e.is_launch() && !follows_fault(e))
      add("launch", true,
          "a kernel was not launched: " + e.error + (e.detail.empty() ? "" : ", " + e.detail.english()));
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
  Json rules = Json::array(), results = Json::array();
  const auto add_rule = [&rules](std::string_view id, std::string_view about) {
    rules.push_back({{"id", id}, {"shortDescription", {{"text", about}}}});
  };
  for (const sim::CheckerInfo& checker : sim::all_checkers()) add_rule(checker.name, checker.summary);
  for (const auto& [id, about] : kRules) add_rule(id, about);
  for (const Problem& problem : problems) {
    const std::string advice = problem.advice.empty() ? "" : ". " + problem.advice.english();
    Json one = {{"ruleId", problem.rule},
                {"level", problem.error ? "error" : "warning"},
                {"message", {{"text", problem.message.english() + advice}}}};
    if (!problem.here.file.empty()) one["locations"].push_back(location_of(problem.here));
    for (std::size_t i = 0; i < problem.others.size(); ++i) {
      if (problem.others[i].file.empty()) continue;
      Json other = location_of(problem.others[i]);
      other["id"] = i;
      one["relatedLocations"].push_back(std::move(other));
    }
    one["occurrenceCount"] = problem.count;
    if (!problem.kernel.empty()) one["properties"]["kernel"] = problem.kernel;
    results.push_back(std::move(one));
  }
  Json driver = {{"name", "cuda-labs"}, {"semanticVersion", version}, {"rules", std::move(rules)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "utf16CodeUnits"},
              {"results", std::move(results)}};
  return dumped({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({std::move(run)})}});
}

}  // namespace cudalabs
