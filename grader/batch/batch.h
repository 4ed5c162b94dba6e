#pragma once
// Grades a class. Everything that happens is in the journal when it has happened; what a killed batch left
// undone, the next one with the same folder does.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/class_folder.h"
#include "grader/batch/class_record.h"
#include "grader/batch/executor.h"
#include "grader/config/lab.h"
#include "grader/support/result.h"

namespace cudalabs {

/// A grading that ended, for who shows the progress.
struct BatchProgress {
  std::size_t done = 0, total = 0;
  std::size_t failed = 0;  ///< of `done`, by the machine
  std::string source;
  double points = 0, max_points = 0;
  std::string failure;  ///< why this one could not be graded; empty if it was
};

struct BatchHooks {
  std::function<void(std::string_view line)> say;
  std::function<void(const BatchProgress&)> progress;
  const std::atomic<bool>* cancel = nullptr;
};

/// What a lab is made of, for a person who asks whether it has changed since: its files, the
/// grader, the compiler, the card.
Result<std::string> lab_key(const Course& course, const Lab& lab, const WorkOrder& order);

/// Takes in what students handed in: who has handed in nothing new is as before. Returns
/// how many hand-ins were new.
Result<std::size_t> take_in(ClassFolder& folder, const std::vector<HandIn>& handed);

/// Takes the results that lie in the work folder into the journal: a killed batch's, or those of workers on
/// other machines. What is damaged there is removed, and graded again.
Result<void> sweep(ClassFolder& folder);

/// Grades `sources` as `order` says (its run is set here) and as `run` describes. Errors: nothing
/// can be graded, or the journal cannot be written. A submission that the machine fails to grade
/// twice is in the journal as such, and what an error left ungraded with that error.
Result<void> grade_sources(ClassFolder& folder, const std::vector<std::string>& sources, WorkOrder order,
                           RunRecord run, Executor& executor, const BatchHooks& hooks);

}  // namespace cudalabs
