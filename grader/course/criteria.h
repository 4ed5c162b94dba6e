#pragma once
// Reads criteria: of the course (configs/grading.yaml) and of a variant, which adds to them or changes them.

#include <optional>
#include <vector>

#include "grader/course/lab.h"
#include "grader/course/yaml_reader.h"

namespace cudalabs {

/// Text is English; otherwise a mapping from languages to texts.
Titles read_titles(const YamlNode& node, std::optional<Diagnostic>& problem);

/// A mapping from names to {title, share, needed}. What an entry leaves out stays as it is in `known`.
std::vector<Criterion> read_criteria(const YamlNode& node, std::vector<Criterion> known,
                                     std::optional<Diagnostic>& problem);

Gate read_gate(const YamlNode& node, std::optional<Diagnostic>& problem);

/// The criteria of `known` that a lab's cases name, and kSafe if it is there; none if no case names any.
/// Problems, at `where`: a case without a criterion beside others that have one, no share at all.
std::vector<Criterion> criteria_in_use(const Lab& lab, const std::vector<Criterion>& known,
                                       const Location& where, std::optional<Diagnostic>& problem);

}  // namespace cudalabs
