#include "grader/grading/check_lab.h"

#include "grader/grading/compare/rehearsal.h"

namespace cudalabs {

Result<std::string> compiler_warnings(Bench& bench, const Submission& submission) {
  const auto built = bench.build(submission);
  if (!built) return built.problem();
  std::string text;
  for (const CompilerMessage& message : built->warnings)
    text += (text.empty() ? "" : "\n") + message.display();
  return text;
}

Result<std::vector<std::string>> rehearse_oracle(Bench& bench) {
  const auto seed = fresh_seed();
  if (!seed) return seed.problem();
  const auto oracle = bench.oracle();
  if (!oracle) return oracle.problem();
  return rehearse(bench.lab(), **oracle, *seed);
}

}  // namespace cudalabs
