#include "grader/report/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/language/language.h"
#include "grader/report/parts.h"
#include "grader/score/human.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostShown = 10;  // by GitHub, of a kind in a step
constexpr std::size_t kMostMessage = 3000;

std::string title_of(const Finding& finding) {
  return fmt::format("{} -{}: {}", finding.versions, human_points(finding.points), finding.lost->part);
}

std::string message_of(const Finding& finding) {
  std::string text = translated(finding.lost->reason);
  if (!finding.lost->advice.empty()) text += "\n" + translated(finding.lost->advice);
  return plain(text, kMostMessage);
}

/// A line of a command must end where we say, and a property at its comma.
std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else
      out += c;
  }
  return out;
}
std::string property(std::string_view text) {
  std::string out;
  for (const char c : one_line(plain(text, 400))) {
    if (c == ':')
      out += "%3A";
    else if (c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

/// 64-bit FNV-1a, in hex: names an issue from one pipeline to the next.
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string github_annotations(const GradeResult& result) {
  const std::vector<Finding> findings = findings_of(result);
  const std::size_t shown = findings.size() > kMostShown ? kMostShown - 1 : findings.size();
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding& finding = findings[i];
    const Location& where = finding.lost->where;
    out += finding.wrong ? "::error " : "::warning ";
    out += "file=" + property(path_of(result, where.file.empty() ? result.file : where.file));
    if (where.line > 0) out += fmt::format(",line={}", where.line);
    out += ",title=" + property(title_of(finding)) + "::" + one_line(message_of(finding)) + "\n";
  }
  if (shown < findings.size())
    out += fmt::format("::warning title={}::{}\n", property(result.lab + " " + result.variant),
                       one_line(tr("{} more stand in the summary", findings.size() - shown)));
  return out;
}

std::string github_failure(const GradingFailure& failure) {
  return fmt::format(
      "::error title={}::{}\n", property(tr("{} {} could not be graded", failure.lab, failure.variant)),
      one_line(plain(tr("The grader could not do its work; this says nothing about the submission.\n") +
                         translated(failure.message),
                     kMostMessage)));
}

std::string code_quality_report(const GradeResult& result) {
  using Json = nlohmann::ordered_json;
  Json issues = Json::array();
  std::set<std::string> seen;
  for (const Finding& finding : findings_of(result)) {
    const Location& where = finding.lost->where;
    const std::string path = path_of(result, where.file.empty() ? result.file : where.file);
    const std::string check = "cuda-labs/" + finding.lost->part;
    // Without the line and the figures, which change while the fault is the same one; told apart
    // where that is not enough.
    std::string what =
        fmt::format("{}/{}\n{}\n{}\n{}\n", result.lab, result.variant, path, check, finding.versions);
    std::ranges::copy_if(finding.lost->reason, std::back_inserter(what),
                         [](char c) { return c < '0' || c > '9'; });
    while (!seen.insert(fingerprint(what)).second) what += "'";
    issues.push_back({{"description", title_of(finding) + ": " + message_of(finding)},
                      {"check_name", check},
                      {"fingerprint", fingerprint(what)},
                      {"severity", finding.wrong ? "major" : "minor"},
                      {"location", {{"path", path}, {"lines", {{"begin", std::max(1, where.line)}}}}}});
  }
  return issues.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace cudalabs
