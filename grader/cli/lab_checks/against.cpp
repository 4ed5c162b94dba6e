#include "grader/cli/lab_checks/against.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/human.h"
#include "grader/classroom/intake/file_tree.h"
#include "grader/classroom/intake/layouts.h"
#include "grader/cli/print.h"
#include "grader/course/course.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/grade.h"

namespace cudalabs::cli {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kParts = 10;      // of the maximum, in the distribution
constexpr int kWidestBar = 40;  // characters

/// How many of the versions that were handed in earned a part of the points.
struct Share {
  int earned = 0, graded = 0;
};

struct Distribution {
  std::vector<double> points;
  /// By version, and by part in the order of the card.
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, Share>>>> parts;

  void add(const std::string& version, const std::string& part, bool earned) {
    Share& share = slot(slot(parts, version), part);
    share.earned += earned ? 1 : 0;
    ++share.graded;
  }

 private:
  template <typename T>
  static T& slot(std::vector<std::pair<std::string, T>>& all, const std::string& name) {
    auto it = std::ranges::find(all, name, &std::pair<std::string, T>::first);
    if (it == all.end()) it = all.insert(all.end(), {name, {}});
    return it->second;
  }
};

void add(Distribution& all, const GradeResult& result) {
  double points = 0;
  for (const VersionResult& version : result.versions) {
    points += version.points;
    if (version.verdict == Verdict::Missing) continue;
    for (const CriterionResult& criterion : version.correctness.criteria)
      all.add(version.name, criterion.name, criterion.met);
    for (const StructureResult& asked : version.structure)
      all.add(version.name, std::string(spelling(asked.requirement)), asked.satisfied);
    if (version.speed.max_points > 0)
      all.add(version.name, "full speed", version.speed.points >= version.speed.max_points);
  }
  all.points.push_back(points);
}

void print_distribution(Distribution all, double max_points) {
  std::ranges::sort(all.points);
  double sum = 0;
  std::vector<int> counts(kParts + 1);
  for (const double points : all.points) {
    sum += points;
    ++counts[static_cast<std::size_t>(std::clamp(kParts * points / max_points, 0.0, 1.0 * kParts))];
  }
  const auto count = all.points.size();
  print_out("\n{}: mean {}, median {} of {}\n", plural(count, "submission"),
            human_points(sum / static_cast<double>(count)), human_points(all.points[count / 2]),
            human_points(max_points));
  const int most = *std::ranges::max_element(counts);
  for (int part = kParts; part >= 0; --part) {
    const int here = counts[static_cast<std::size_t>(part)];
    const std::string label = part == kParts
                                  ? human_points(max_points)
                                  : fmt::format("from {}", human_points(part * max_points / kParts));
    print_out("  {:>12}  {:>4}  {}\n", label, here,
              std::string(static_cast<std::size_t>((here * kWidestBar + most - 1) / most), '#'));
  }
  for (const auto& [version, parts] : all.parts) {
    print_out("\n{}: earned by\n", version);
    for (const auto& [part, share] : parts)
      print_out("  {:<24}  {:>4} of {}\n", part, share.earned, share.graded);
  }
}

}  // namespace

Result<void> print_points_of(GradingContext& context, const std::filesystem::path& source) {
  const Lab& lab = context.lab();
  const auto tree = read_tree(source);
  if (!tree) return tree.problem();
  const ClassSources handed = hand_ins_of(lab, std::vector{lab.slug}, *tree);
  if (handed.hand_ins.empty()) {
    return Diagnostic{
        {source.string(), 0, 0}, msg::no_submission_in_source(lab.slug), msg::students_file_name(lab.file)};
  }
  std::size_t width = 0;
  for (const HandIn& one : handed.hand_ins) width = std::max(width, one.student.size());
  Distribution all;
  for (const HandIn& one : handed.hand_ins) {
    if (!one.problem.empty()) {
      print_out("  {:<{}}   not graded: {}\n", one.student, width, one.problem.english());
      continue;
    }
    GradeJob job;
    job.submission = one.submission;
    for (const Version& version : lab.versions) job.versions.push_back(version.name);
    job.seed = kSeed;
    const auto result = grade(context, job, [](const Message&) {});
    if (!result) return result.problem();
    std::string line;
    double points = 0;
    for (const VersionResult& version : result->versions) {
      points += version.points;
      line += fmt::format("  {} {}", version.name, human_points(version.points));
    }
    print_out("  {:<{}}   {:>6} {}\n", one.student, width, human_points(points), line);
    add(all, *result);
  }
  if (!all.points.empty()) print_distribution(std::move(all), lab.max_points());
  return {};
}

}  // namespace cudalabs::cli
