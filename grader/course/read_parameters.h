#pragma once
// The parameters of a lab, as its YAML describes them.

#include <optional>
#include <vector>

#include "grader/course/lab.h"
#include "grader/course/yaml_reader.h"

namespace cudalabs {

std::vector<Parameter> read_parameters(const YamlNode& node, std::optional<Diagnostic>& problem);

Tolerance read_tolerance(const YamlNode& node, std::optional<Diagnostic>& problem);

/// Checks what the outputs say about each other and about the lab's tolerance. The nodes are those that the
/// parameters and the tolerance were read from.
void check_outputs(const Lab& lab, const YamlNode& parameters, const YamlNode& tolerance,
                   std::optional<Diagnostic>& problem);

/// A number that a scalar of this parameter's type holds, rounded to that type.
double as_scalar(const YamlNode& node, const Parameter& parameter, std::optional<Diagnostic>& problem);

}  // namespace cudalabs
