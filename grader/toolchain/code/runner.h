#pragma once
// The runner is the trusted main() of a submission, generated from the lab. It passes the lab's entries,
// whose arguments it unpacks from 64-bit slots, to our cudart, which serves the grader's calls.

#include <string>

#include "grader/course/lab.h"

namespace cudalabs {

/// C++ source of the runner; it includes the lab's contract by its file name.
std::string runner_source(const Lab& lab);

/// The entry's signature as the contract writes it: "row_max_global(const float*, float*, int, int)".
std::string signature(const Lab& lab, const std::string& entry);

}  // namespace cudalabs
