#pragma once
// A PTX module as text that a person can compare: the golden files hold it.

#include <string>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx::test {

std::string dump(const Module& module);

}  // namespace cudalabs::ptx::test
