#pragma once
// The files of a course as it is handed out: whole for its staff; for students without solutions, sources of
// oracles, planted bugs and hidden cases.

#include <functional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/device_profile.h"
#include "grader/course/lab.h"
#include "grader/course/pack/pack.h"
#include "grader/grading/grading_context.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs {

/// All files of these courses, of which the first is packed at the top and the others below courses/, and
/// what they use of the shipped course. Error: a file cannot be read, or is too large.
Result<std::vector<PackedFile>> staff_files(const std::vector<Course>& courses);

struct Export {
  std::vector<CompilerChoice> compilers;  ///< of the reference's figures
  std::vector<std::string> profiles;      ///< the same
  const std::atomic<bool>* cancel = nullptr;
  Progress progress;
};

/// The students' edition. Each reference is graded once for each compiler and profile. Errors: a lab that
/// does not load or whose reference fails, one without public cases; a compiler is missing.
Result<std::vector<PackedFile>> students_files(const std::vector<Course>& courses, const Export& wanted);

}  // namespace cudalabs
