#pragma once
// The key `messages` of a course's files: the course's own words for messages, by their ids.

#include <optional>
#include <vector>

#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/own_words.h"

namespace cudalabs {

/// { ID: TEXT } in English, or { ID: { LANGUAGE: TEXT } }. Errors: no such message or language, with the
/// nearest name; a text with a mistake, or with an argument that the message does not have.
std::vector<OwnWords> read_own_words(const YamlNode& node, std::optional<Diagnostic>& problem);

}  // namespace cudalabs
