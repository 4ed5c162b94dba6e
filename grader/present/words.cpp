#include "grader/present/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/human.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"

namespace cudalabs {

std::string verdict_words(Verdict verdict) {
  std::string words(spelling(verdict));
  std::replace(words.begin(), words.end(), '_', ' ');
  return translated_word(words);
}

std::string verdict_words(const VersionResult& version) {
  const bool as_asked = std::ranges::all_of(
      version.structure, [](const StructureResult& one) { return !one.judged || one.satisfied; });
  if (version.verdict == Verdict::Accepted && !as_asked) return tr("right, not as asked");
  return verdict_words(version.verdict);
}

std::string points_of(double points, double max_points) {
  return human_points(points) + "/" + human_points(max_points);
}

std::string points_of(const VersionResult& version) {
  return (version.bonus ? "+" : "") + points_of(version.points, version.max_points);
}

std::string given_words(const OpenPoints& open, std::optional<double> points, std::int64_t place) {
  const std::string most = human_points(open.max_points);
  const bool by_hand = open.by == OpenPoints::By::Hand;
  if (!points)
    return by_hand ? tr("open: {}, up to {} points, by hand", title_of(open.titles), most)
                   : tr("open: up to {} points by the place in the class", most);
  if (by_hand) return tr("{}: {} of {} points, by hand", title_of(open.titles), human_points(*points), most);
  return place == 0 ? tr("no place in the class: no version is right")
                    : tr("place {} in the class: {} of {} points", place, human_points(*points), most);
}

std::string bonus_note(const GradeResult& result) {
  if (result.bonus_points <= 0) return {};
  return tr("{} of these points are a bonus, above the maximum", human_points(result.bonus_points));
}

std::vector<std::string> open_notes(const GradeResult& result) {
  std::vector<std::string> notes;
  for (const OpenPoints& open : result.open) notes.push_back(given_words(open, std::nullopt));
  return notes;
}

std::vector<std::string> points_notes(const GradeResult& result) {
  std::vector<std::string> notes = open_notes(result);
  if (std::string bonus = bonus_note(result); !bonus.empty()) notes.insert(notes.begin(), std::move(bonus));
  return notes;
}

std::string words_of(const CallTime& time) {
  std::string words = tr("{} for the whole call", human_time(time.call_ns));
  if (time.kernel_ns > 0) words += tr(", {} in kernels", human_time(time.kernel_ns));
  words += tr(" ({}, 95 % sure within {:.1f} %", counted(time.repetitions, "repetition"),
              100 * time.relative_width());
  if (time.throttled > 0) words += tr("; {} more dropped, the card's clock was low", time.throttled);
  return words + ")";
}

std::string repeat_command(const GradeResult& result) {
  const Nondeterministic& n = result.nondeterministic;
  const std::string& profile = result.profile.name;
  std::string versions;
  const auto graded = [](const VersionResult& v) { return v.verdict != Verdict::NotGraded; };
  if (!std::all_of(result.versions.begin(), result.versions.end(), graded)) {
    for (const VersionResult& v : result.versions) {
      if (graded(v)) versions += " --version " + v.name;
    }
  }
  return fmt::format("grader {} {}{}{} --compiler {}{}{} --seed {}", result.lab, result.variant,
                     n.submission.empty() ? std::string() : " --submission " + printable(n.submission),
                     n.course.empty() ? std::string() : " --course " + printable(n.course),
                     printable(result.compiler.name),
                     !result.card.empty() ? std::string(" --device gpu")
                     : profile.empty() || profile == kDefaultProfile
                         ? std::string(" --device simulator")
                         : " --device simulator --device-profile " + printable(profile),
                     versions, result.seed);
}

}  // namespace cudalabs
