#include "grader/cli/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/base/human.h"
#include "grader/cli/print.h"
#include "grader/present/layout.h"

namespace cudalabs::cli {
namespace {

std::set<std::string> losses(const VersionResult* version) {
  std::set<std::string> all;
  if (version == nullptr) return all;
  for (const LostPoints& lost : version->lost)
    all.insert(fmt::format("{}: {}", lost.part, columns(printable(rendered(lost.reason)), 0, 200)));
  return all;
}

const VersionResult* version_of(const Standing* standing, const std::string& name) {
  if (standing == nullptr) return nullptr;
  const auto found = std::ranges::find(standing->versions, name, &VersionResult::name);
  return found == standing->versions.end() ? nullptr : &*found;
}

std::string words_of(const VersionResult* version) {
  return version == nullptr ? "-"
                            : fmt::format("{} {}", human_points(version->points),
                                          translated_word(spelling(version->verdict)));
}

std::string words_of(const Standing* standing) {
  if (standing == nullptr) return tr("no record");
  return standing->problem.empty() ? human_points(standing->points) : rendered(standing->problem);
}

}  // namespace

bool print_difference(const std::string& student, const Standing* before, const Standing* after) {
  std::vector<std::string> lines;
  std::vector<std::string> names;
  for (const Standing* side : {before, after}) {
    if (side == nullptr) continue;
    for (const VersionResult& version : side->versions) {
      if (std::ranges::find(names, version.name) == names.end()) names.push_back(version.name);
    }
  }
  for (const std::string& name : names) {
    const VersionResult *then = version_of(before, name), *now = version_of(after, name);
    const std::set<std::string> old_losses = losses(then), new_losses = losses(now);
    const std::string from = words_of(then), to = words_of(now);
    if (from == to && old_losses == new_losses) continue;
    const bool graded = then == nullptr || now == nullptr ||
                        (then->verdict != Verdict::NotGraded && now->verdict != Verdict::NotGraded);
    lines.push_back(from == to ? fmt::format("  {}  {}", name, to)
                               : fmt::format("  {}  {} -> {}", name, from, to));
    if (!graded) continue;
    for (const std::string& loss : old_losses) {
      if (!new_losses.contains(loss)) lines.push_back(tr("    no more: {}", loss));
    }
    for (const std::string& loss : new_losses) {
      if (!old_losses.contains(loss)) lines.push_back(tr("    new:     {}", loss));
    }
  }
  const std::string from = words_of(before), to = words_of(after);
  if (from == to && lines.empty()) return false;
  print_out("{}{}{} -> {}\n", printable(student), student.empty() ? "" : "  ", printable(from),
            printable(to));
  for (const std::string& line : lines) print_out("{}\n", printable(line));
  return true;
}

}  // namespace cudalabs::cli
