#pragma once

namespace cudalabs::cudart {

/// Names the call once on stderr and to the grader; returns cudaErrorNotSupported (or the sticky error).
int refuse_call(const char* name);

/// A call that only advises the driver: success, and nothing done (or the sticky error).
int accept_hint(const char* name);

}  // namespace cudalabs::cudart
