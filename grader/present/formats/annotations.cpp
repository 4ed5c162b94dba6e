#include "grader/present/formats/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/base/hash/hash.h"
#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/formats/parts.h"
#include "grader/present/losses.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMaxShown = 10;  // GitHub's limit for each kind in a step

std::string title_of(const Loss& loss) {
  return fmt::format("{} -{}: {}", loss.version_names(), human_points(loss.points), loss.first->part);
}

std::string message_of(const Loss& loss) {
  std::string text = rendered(loss.first->reason);
  if (!loss.first->advice.empty()) text += "\n" + rendered(loss.first->advice);
  return plain(text, kMaxMessage);
}

/// Escapes text so that it can end neither the line of a command nor, with a comma, a property.
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

/// Identifies an issue from one pipeline to the next.
std::string fingerprint(std::string_view text) {
  Fnv1a hash;
  hash.add_bytes(text);
  return fmt::format("{:016x}", hash.value());
}

/// Appends what the messages are about: their rows, and the names in them without digits.
void add_identity(std::string& what, const Messages& messages) {
  for (const Message& message : messages) {
    what.append(message.id()).append("\n");
    for (const Argument& argument : message.arguments()) {
      if (const auto* text = std::get_if<std::string>(&argument))
        std::ranges::copy_if(*text, std::back_inserter(what), [](char c) { return c < '0' || c > '9'; });
      else if (const auto* inner = std::get_if<Messages>(&argument))
        add_identity(what, *inner);
      what += '\n';
    }
  }
}

}  // namespace

std::string github_annotations(const GradeResult& result) {
  const std::vector<Loss> losses = losses_of(result);
  const std::size_t shown = losses.size() > kMaxShown ? kMaxShown - 1 : losses.size();
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const Loss& loss = losses[i];
    const Location& where = loss.first->where;
    out += loss.wrong ? "::error " : "::warning ";
    out += "file=" + property(path_of(result, where.file.empty() ? result.file : where.file));
    if (where.line > 0) out += fmt::format(",line={}", where.line);
    out += ",title=" + property(title_of(loss)) + "::" + one_line(message_of(loss)) + "\n";
  }
  if (shown < losses.size())
    out += fmt::format("::warning title={}::{}\n", property(result.lab + " " + result.variant),
                       one_line(tr("{} more stand in the summary", losses.size() - shown)));
  return out;
}

std::string github_failure(const GradingFailure& failure) {
  return fmt::format(
      "::error title={}::{}\n", property(tr("{} {} could not be graded", failure.lab, failure.variant)),
      one_line(plain(tr("The grader failed; the submission is not at fault.\n") + shown_text(failure.problem),
                     kMaxMessage)));
}

std::string problem_lines(const GradeResult& result) {
  std::string out;
  for (const Loss& loss : losses_of(result)) {
    const LostPoints& lost = *loss.first;
    const Message& cause = cause_of(lost.reason);
    const bool note = !cause.empty() && cause.row().kind == RowKind::Note;
    const std::string file = path_of(result, lost.where.file.empty() ? result.file : lost.where.file);
    const std::string column = lost.where.column > 0 ? fmt::format("{}:", lost.where.column) : "";
    const std::string advice = lost.advice.empty() ? "" : ". " + rendered(lost.advice);
    const std::string text = fmt::format("{} -{}: {}{}", loss.version_names(), human_points(loss.points),
                                         rendered(lost.reason), advice);
    std::string line = fmt::format("{}:{}:{} {}: {}", plain(file, 400), std::max(1, lost.where.line), column,
                                   note         ? "note"
                                   : loss.wrong ? "error"
                                                : "warning",
                                   plain(text, kMaxMessage));
    std::ranges::replace(line, '\n', ' ');
    out += line + "\n";
  }
  return out;
}

std::string code_quality_report(const GradeResult& result) {
  using Json = nlohmann::ordered_json;
  Json issues = Json::array();
  std::set<std::string> seen;
  for (const Loss& loss : losses_of(result)) {
    const Location& where = loss.first->where;
    const std::string path = path_of(result, where.file.empty() ? result.file : where.file);
    const std::string check = "cuda-labs/" + loss.first->part;
    // Excludes the line, the figures and the wording, because they change while the fault remains the same.
    // If two issues then have the same text, an apostrophe tells them apart.
    std::string what =
        fmt::format("{}/{}\n{}\n{}\n{}\n", result.lab, result.variant, path, check, loss.version_names());
    add_identity(what, loss.first->reason);
    while (!seen.insert(fingerprint(what)).second) what += "'";
    issues.push_back({{"description", title_of(loss) + ": " + message_of(loss)},
                      {"check_name", check},
                      {"fingerprint", fingerprint(what)},
                      {"severity", loss.wrong ? "major" : "minor"},
                      {"location", {{"path", path}, {"lines", {{"begin", std::max(1, where.line)}}}}}});
  }
  return issues.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace cudalabs
