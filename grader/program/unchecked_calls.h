#pragma once
// Failed CUDA calls of a program that looks neither at their results nor at the runtime's last error.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

/// Returns a file's text; empty if it cannot be read.
using SourceReader = std::function<std::string(const std::string& file)>;

/// True iff the call that begins in this line of the source, from 1, is a statement by itself:
/// `cudaFree(p);`. A cast to void counts as a use, because its author does not want the result. False if the
/// line has no such call, as where a macro makes it.
bool drops_result(std::string_view source, std::uint32_t line, std::string_view call);

/// The program's failed calls whose result it drops and about which it asks nothing, in order, without those
/// that follow from a kernel's fault, and without launches, which return nothing.
std::vector<const ApiError*> unchecked_calls(const CallOutcome& outcome, const SourceReader& read);

}  // namespace cudalabs
