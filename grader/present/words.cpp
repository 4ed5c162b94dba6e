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
