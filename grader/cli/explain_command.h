#pragma once
// What `grader explain` and `grader run --explain` share.

#include <string>

#include "grader/device/wire/outcome.h"
#include "grader/explain/document.h"
#include "grader/support/result.h"

namespace cudalabs::cli {

/// Whether an HTML page can be written there, asked before anything takes long. "" is fine.
Result<void> check_html_target(const std::string& target);

/// Text to stdout, or, with a target, the page to that file and a line that says so to stderr.
Result<void> write_explanation(const explain::Document& document, const std::string& html_target);

/// The launches of a user's own program; source is read from the files that the compiler names.
explain::Document program_document(const std::string& file, const std::string& profile,
                                   const CallOutcome& outcome);

}  // namespace cudalabs::cli
