#pragma once
// Grades a class. Every completed step is in the journal. If a batch is killed, the next one with the same
// folder continues its work.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/class_folder.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/executor.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// A completed grading, for progress output.
struct BatchProgress {
  std::size_t done = 0, total = 0;
  std::size_t failed = 0;  ///< of `done`, because of the machine
  std::string source;
  double points = 0, max_points = 0;
  Messages failure;  ///< why this one could not be graded; empty if it was
};

struct BatchHooks {
  std::function<void(const Message& line)> log_progress;
  std::function<void(const BatchProgress&)> progress;
  const std::atomic<bool>* cancel = nullptr;
};

/// Identifies a lab's files, the grader, the compiler and the GPU, so that a person can see whether any of
/// them has changed.
Result<std::string> lab_key(const Course& course, const Lab& lab, const WorkOrder& order);

/// Records new submissions. Students without a new one stay as they are. Returns the number of new
/// submissions. `own_seeds`: each student has a seed, so equal files are graded for each.
Result<std::size_t> take_in(ClassFolder& folder, const std::vector<HandIn>& handed, bool own_seeds);

/// Moves the results in the work folder into the journal. They come from a killed batch or from workers on
/// other machines. Damaged results are removed, and their sources graded again.
Result<void> sweep(ClassFolder& folder);

/// Grades `sources` as `order` says (this function sets its run) and as `run` describes. Errors: grading is
/// impossible, or the journal cannot be written. If the machine twice fails to grade a submission, the
/// journal records the failure. If an error stops the batch, the journal records it for all ungraded sources.
Result<void> grade_sources(ClassFolder& folder, const std::vector<std::string>& sources, WorkOrder order,
                           RunRecord run, Executor& executor, const BatchHooks& hooks);

}  // namespace cudalabs
