#pragma once
// Shared parts of `grader explain` and `grader run --explain`.

#include <filesystem>
#include <string>

#include "grader/base/result.h"
#include "grader/device/protocol/outcome.h"
#include "grader/present/explain/document.h"

namespace cudalabs::cli {

/// Checks before the long work that an HTML page can be written there. "" is valid.
Result<void> check_html_target(const std::string& target);

/// Writes text to stdout or, if there is a target, the page to that file and a note to stderr.
Result<void> write_explanation(const explain::Document& document, const std::string& html_target);

/// The launches of a user's own program. The source comes from the files that the compiler names.
/// `executable`: whose PTX is shown beside it; empty: none.
explain::Document program_document(const std::string& file, const std::filesystem::path& executable,
                                   const std::string& profile, const CallOutcome& outcome);

}  // namespace cudalabs::cli
