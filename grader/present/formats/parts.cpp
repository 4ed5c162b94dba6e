#include "grader/present/formats/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"
#include "grader/present/losses.h"

namespace cudalabs {
namespace {

constexpr std::size_t kFailuresNamed = 9;
constexpr std::size_t kMaxText = 8 << 10;

const LostPoints* lost_with(const VersionResult& version, std::string_view part) {
  const auto found = std::ranges::find(version.lost, part, &LostPoints::part);
  return found == version.lost.end() ? nullptr : &*found;
}

/// Lists the failed cases other than the one that the loss names.
std::string more_failures(const LostPoints* told, const CorrectnessResult& correctness) {
  std::string text;
  const auto failures = failures_beside(told, correctness);
  for (std::size_t i = 0; i < std::min(failures.size(), kFailuresNamed); ++i)
    text += fmt::format("\n{}: {}", failures[i]->case_name, rendered(failures[i]->message));
  if (failures.size() > kFailuresNamed) text += tr("\nand {} more", failures.size() - kFailuresNamed);
  return text;
}

Part correctness(const VersionResult& version, const LostPoints* all) {
  Part part{"correctness", Part::State::Passed, version.points - version.bonus_points, version.max_points};
  // Correctness gets the points that the other parts leave, so that the sum is right for any document.
  for (const StructureResult& one : version.structure) {
    part.points -= one.points;
    part.max_points -= one.max_points;
  }
  part.points = round_points(std::max(0.0, part.points - version.speed.points));
  part.max_points = round_points(std::max(0.0, part.max_points - version.speed.max_points));
  const LostPoints* const lost = all != nullptr ? all : lost_with(version, "correctness");
  if (lost == nullptr && version.verdict == Verdict::Accepted) return part;
  part.state = version.verdict == Verdict::Pending ? Part::State::Pending : Part::State::Failed;
  if (lost != nullptr) part.text = words_of(*lost);
  if (all == nullptr) part.text += more_failures(lost, version.correctness);
  return part;
}

/// A part for structure or speed.
Part further(std::string name, double points, double max_points, bool judged, const LostPoints* lost,
             const LostPoints* all, const VersionResult& version) {
  Part part{std::move(name), Part::State::Passed, points, max_points};
  if (version.verdict == Verdict::Pending) {
    part.state = Part::State::Pending;
    part.text = tr("not run yet");
  } else if (all != nullptr || !judged) {
    part.state = Part::State::NotJudged;
    part.text = lost != nullptr ? words_of(*lost) : tr("not judged, because an earlier part failed");
  } else if (lost != nullptr || points < max_points) {
    part.state = Part::State::Failed;
    if (lost != nullptr) part.text = words_of(*lost);
  }
  return part;
}

/// What the bonus criteria earned; no points where the version has none.
Part bonus_of(const VersionResult& version) {
  Part part{"bonus", Part::State::Passed, version.bonus_points, 0, true};
  for (const CriterionResult& one : version.correctness.criteria)
    if (one.bonus) part.max_points += one.max_points;
  part.max_points = round_points(part.max_points);
  if (part.points >= part.max_points) return part;
  part.state = Part::State::NotJudged;
  part.text = tr("a bonus that is not earned: it costs no points");
  return part;
}

}  // namespace

std::string words_of(const LostPoints& lost) {
  std::string text = rendered(lost.reason);
  if (!lost.where.file.empty())
    text +=
        tr("\nat {}", lost.where.file + (lost.where.line > 0 ? ":" + std::to_string(lost.where.line) : ""));
  if (!lost.advice.empty()) text += "\n" + rendered(lost.advice);
  return text;
}

std::vector<Part> parts_of(const VersionResult& version) {
  if (version.verdict == Verdict::NotGraded) return {};
  const LostPoints* all = lost_with(version, "everything");
  if (all == nullptr) all = lost_with(version, "rules");
  const LostPoints* const both = lost_with(version, "structure and speed");
  const LostPoints* const structure = lost_with(version, "structure");
  const bool right = version.correctness.passed == version.correctness.total;

  std::vector<Part> parts{correctness(version, all)};
  for (const StructureResult& one : version.structure) {
    const std::string name = "structure." + std::string(spelling(one.requirement));
    const LostPoints* lost = lost_with(version, name);
    if (lost == nullptr) lost = structure != nullptr ? structure : both;
    parts.push_back(further(name, one.points, one.max_points, one.judged || right, lost, all, version));
  }
  if (version.speed.max_points > 0) {
    const LostPoints* lost = lost_with(version, "speed");
    if (lost == nullptr) lost = both;
    parts.push_back(further("speed", version.speed.points, version.speed.max_points,
                            right || version.speed.source != TimeSource::None, lost, all, version));
  }
  if (Part bonus = bonus_of(version); bonus.max_points > 0) parts.push_back(std::move(bonus));
  for (Part& part : parts) part.bonus |= version.bonus;
  for (Part& part : parts) part.text = plain(part.text, kMaxText);
  return parts;
}

std::string plain(std::string_view text, std::size_t most) {
  if (text.size() <= most) return printable(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // in a code point
  return printable(text.substr(0, end)) + tr("... ({} bytes more)", text.size() - end);
}

std::string path_of(const GradeResult& result, const std::string& file) {
  const std::filesystem::path submission(result.nondeterministic.submission);
  return (submission.parent_path() / file).lexically_normal().generic_string();
}

bool nothing_compiled(const GradeResult& result) {
  bool any = false;
  for (const VersionResult& version : result.versions) {
    if (version.verdict == Verdict::NotGraded) continue;
    if (version.verdict != Verdict::CompileError) return false;
    any = true;
  }
  return any;
}

}  // namespace cudalabs
