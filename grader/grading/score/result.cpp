#include "grader/grading/score/result.h"

#include <algorithm>
#include <cstdlib>

namespace cudalabs {

std::string_view spelling(Verdict verdict) {
  switch (verdict) {
    case Verdict::Accepted: return "accepted";
    case Verdict::WrongAnswer: return "wrong_answer";
    case Verdict::CompileError: return "compile_error";
    case Verdict::Missing: return "missing";
    case Verdict::RuntimeError: return "runtime_error";
    case Verdict::Timeout: return "timeout";
    case Verdict::MemoryLimit: return "memory_limit";
    case Verdict::OutputLimit: return "output_limit";
    case Verdict::RuleViolation: return "rule_violation";
    case Verdict::NotGraded: return "not_graded";
    case Verdict::Pending: return "pending";
  }
  std::abort();
}

std::string_view spelling(TimeSource source) {
  switch (source) {
    case TimeSource::None: return "none";
    case TimeSource::Estimated: return "estimated";
    case TimeSource::Measured: return "measured";
  }
  std::abort();
}

std::string_view spelling(OpenPoints::By by) { return by == OpenPoints::By::Hand ? "hand" : "rank"; }

bool GradeResult::passed() const {
  bool any = false;
  for (const VersionResult& version : versions) {
    if (version.verdict == Verdict::NotGraded || version.bonus) continue;
    if (version.verdict != Verdict::Accepted || !version.full()) return false;
    any = true;
  }
  return any;
}

bool GradeResult::complete() const {
  return std::ranges::none_of(versions, [](const VersionResult& v) { return v.verdict == Verdict::Pending; });
}

}  // namespace cudalabs
