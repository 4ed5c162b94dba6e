#pragma once

namespace cudalabs::cudart {

/// Prints the call's name once on stderr, and tells the grader; returns cudaErrorNotSupported (or the sticky
/// error).
int refuse_call(const char* name);

/// A call that only gives the driver a hint: succeeds without effect (or returns the sticky error).
int accept_hint(const char* name);

}  // namespace cudalabs::cudart
