#pragma once
// Interprets a compiler's failure: who may be the cause, and the message for the student.

#include <cstddef>
#include <string>

#include "grader/base/process/process.h"
#include "grader/toolchain/compile.h"
#include "grader/toolchain/messages.h"

namespace cudalabs {

/// True iff the machine may have caused a compiler's failure. The compiler's words prove nothing, because a
/// submission can print them with #error: they only cost it a second attempt.
bool doubtful(const ProcessEnd& end, const CompilerOutput& said);

/// `outcome` with the messages of a compiler that did not succeed within `seconds` of processor time.
BuildOutcome failed(const ProcessEnd& end, CompilerOutput said, double seconds, BuildOutcome outcome);

/// The last line of a program's output, shortened.
Message last_words(const ProcessEnd& end);

/// Advice if not even our own sources compile, by the compiler's message.
Message hint_for(const std::string& said);

}  // namespace cudalabs
