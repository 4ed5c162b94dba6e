#pragma once
// Reads what earns points: criteria, of the course (configs/grading.yaml) and of a variant, which adds to
// them or changes them; speed; what a person judges; places in a class.

#include <optional>
#include <utility>
#include <vector>

#include "grader/course/lab.h"
#include "grader/course/yaml_reader.h"

namespace cudalabs {

inline constexpr double kMaxPoints = 1e6;

/// Text is English; otherwise a mapping from languages to texts.
Titles read_titles(const YamlNode& node, std::optional<Diagnostic>& problem);

/// A mapping from names to {title, share, needed, bonus}. What an entry leaves out stays as it is in `known`.
std::vector<Criterion> read_criteria(const YamlNode& node, std::vector<Criterion> known,
                                     std::optional<Diagnostic>& problem);

Gate read_gate(const YamlNode& node, std::optional<Diagnostic>& problem);

/// The criteria of `known` that a lab's cases name, and kSafe if it is there; none if no case names any.
/// Problems, at `where`: a case without a criterion beside others that have one, no share at all, a timed
/// case of a bonus, bonus criteria without bonus points and the other way round.
std::vector<Criterion> criteria_in_use(const Lab& lab, const std::vector<Criterion>& known,
                                       const Location& where, std::optional<Diagnostic>& problem);

using Curve = std::vector<std::pair<double, double>>;  ///< Version::speed_curve
Curve read_curve(const YamlNode& node, std::optional<Diagnostic>& problem);

/// `speed_points` with `speed_curve`, or `speed_thresholds`.
void read_speed(const YamlFields& version_fields, const Curve& default_curve, Version& version,
                std::optional<Diagnostic>& problem);

std::vector<ManualCriterion> read_manual(const YamlNode& node, std::optional<Diagnostic>& problem);
Ranks read_leaderboard(const YamlNode& node, std::optional<Diagnostic>& problem);

}  // namespace cudalabs
