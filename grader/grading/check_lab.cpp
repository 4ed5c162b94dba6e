#include "grader/grading/check_lab.h"

#include "grader/grading/compare/rehearsal.h"

namespace cudalabs {

Result<std::string> compiler_warnings(GradingContext& context, const Submission& submission) {
  const auto built = context.build(submission);
  if (!built) return built.problem();
  std::string text;
  for (const CompilerMessage& message : built->warnings)
    text += (text.empty() ? "" : "\n") + message.display();
  return text;
}

Result<std::vector<std::string>> rehearse_oracle(GradingContext& context) {
  const auto seed = fresh_seed();
  if (!seed) return seed.problem();
  const auto oracle = context.oracle();
  if (!oracle) return oracle.problem();
  return rehearse(context.lab(), **oracle, *seed);
}

}  // namespace cudalabs
