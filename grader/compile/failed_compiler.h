#pragma once
// What a compiler's failure means: whose it may be, and what is said of it.

#include <cstddef>
#include <string>

#include "grader/compile/compile.h"
#include "grader/compile/messages.h"
#include "grader/support/process.h"

namespace cudalabs {

/// Whether a compiler that failed may have failed for the machine's sake. Nothing is concluded from the
/// words, which a submission can print with #error: they only cost it a second look.
bool doubtful(const ProcessEnd& end, const CompilerOutput& said);

/// `outcome` with what a compiler said that did not succeed within `seconds` of the processor.
BuildOutcome failed(const ProcessEnd& end, CompilerOutput said, double seconds, BuildOutcome outcome);

/// The last thing that a program said, short.
std::string last_words(const ProcessEnd& end);

/// What to do where not even our own sources compile, by what the compiler said.
std::string hint_for(const std::string& said);

/// "1 error", "2 errors"
std::string counted(std::size_t errors);

}  // namespace cudalabs
