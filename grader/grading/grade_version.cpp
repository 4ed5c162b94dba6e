#include "grader/grading/grade_version.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/random.h"
#include "grader/grading/explain/explain_case.h"
#include "grader/grading/explain/explain_version.h"

namespace cudalabs {
namespace {

using std::chrono::milliseconds;

/// Orders the cases from small to large, so that a submission that is too slow is found early. The seed
/// shuffles cases of about the same size, but cases with identical sizes stay together because they have the
/// same arrays. Hidden cases come last: a program could keep what it sees of one, and put it into what
/// results show of a later case, as a wrong value or the size of a grid.
std::vector<std::size_t> order_of_cases(const CaseContext& context, std::uint64_t seed) {
  const std::size_t count = context.lab.cases.size() + 1;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Random random(seed);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(count - i, i)]);
  std::map<std::vector<std::pair<std::string, std::int64_t>>, std::size_t> first;  // index with these sizes
  for (std::size_t i = 0; i < count; ++i) first.try_emplace(context.test_case(order[i]).sizes, i);
  std::ranges::stable_sort(order, {}, [&](std::size_t index) {
    const TestCase& test = context.test_case(index);
    return std::tuple(test.hidden(), std::bit_width(bytes_of(context.lab, test)) / 4, first.at(test.sizes));
  });
  return order;
}

/// The time limit for all cases together after a timeout, because most of them are larger.
milliseconds patience_after_timeout(const Lab& lab) { return 2 * call_timeout(lab); }

class VersionGrading {
 public:
  VersionGrading(const CaseContext& context, CaseRunner& runner, std::size_t version)
      : context_(context),
        runner_(runner),
        version_(version),
        order_(order_of_cases(context, context.seed + version)),
        explain_(context, version),
        version_explainer_(context, version, order_) {}

  Result<VersionEvidence> all() {
    VersionEvidence evidence;
    evidence.name = context_.lab.versions[version_].name;
    if (auto run = run_cases(); !run) return run.problem();
    runner_.end_session();
    if (failed_start_) {
      evidence.state = verdict_of_start(*failed_start_);
      evidence.message = failed_start_->why;
      evidence.advice = msg::look_before_main();
    } else if (auto more = run_requests(); !more) {
      return more.problem();
    }
    evidence.cases = std::move(version_explainer_.cases());
    evidence.notes = explain_.notes(evidence.cases, runner_.printed());
    return evidence;
  }

  Result<CaseEvidence> timed() {
    auto evidence =
        run({context_.lab.cases.size(), call_timeout(context_.lab), CallMode::Plain, false, false, false});
    runner_.end_session();
    if (evidence && failed_start_) {
      evidence->verdict = verdict_of_start(*failed_start_);
      evidence->message = failed_start_->why;
    }
    return evidence;
  }

 private:
  /// Runs a case and explains it.
  Result<CaseEvidence> run(const CaseRequest& request) {
    for (int attempt = 0;; ++attempt) {
      auto seen = runner_.run(request, attempt);
      if (!seen) return seen.problem();
      in_session_ = seen->in_session;
      if (seen->failed_start)
        failed_start_ = seen->failed_start;
      else if (seen->first_call)
        failed_start_.reset();
      CaseEvidence evidence = explain_.explain(*seen);
      if (!CaseExplainer::wants_repetition(*seen, evidence)) return evidence;
      if (seen->outcome.recording == 0) {
        evidence.repeated = CaseEvidence::Repeated::Unknown;
        return evidence;
      }
      auto repetition = runner_.repeat_without_host();
      if (!repetition) return repetition.problem();
      explain_.explain(request.index, *repetition, evidence);
      if (!repetition->trouble) return evidence;
      in_session_ = false;
      attempt = seen->attempt;
      if (attempt == 1) return evidence;
    }
  }

  /// Runs each case, in order, until one does not start.
  Result<void> run_cases() {
    std::vector<CaseEvidence>& cases = version_explainer_.cases();
    std::optional<milliseconds> deadline;  // set once a case was too slow
    for (const std::size_t index : order_) {
      milliseconds timeout = std::min(call_timeout(context_.lab), runner_.budget_left());
      if (timeout < call_timeout(context_.lab) / 4) {
        cases[index].verdict = Verdict::Timeout;
        cases[index].message = msg::budget_spent(std::llround(context_.lab.limits.submission_seconds));
        cases[index].advice = msg::look_at_calls_before();
        continue;
      }
      if (deadline) {
        const milliseconds left = *deadline - runner_.now();
        if (left < timeout / 4) break;  // too short to call any case slow
        if (index != context_.lab.cases.size())
          timeout = std::min(timeout, left);  // the timed case is worth most
      }
      if (auto done = run_case(index, timeout); !done) return done;
      if (failed_start_) break;
      if (cases[index].verdict == Verdict::Timeout && !deadline)
        deadline = runner_.now() + patience_after_timeout(context_.lab);
    }
    return {};
  }

  Result<void> run_case(std::size_t index, milliseconds timeout) {
    if (const auto before = version_explainer_.request_before(index); before && !in_session_) {
      if (auto earlier = run(*before); !earlier) return earlier.problem();
    }
    auto evidence = run(version_explainer_.first_request(index, timeout));
    if (!evidence) return evidence.problem();
    version_explainer_.cases()[index] = std::move(*evidence);
    if (context_.test_case(index).hidden()) end_session();
    const auto request = version_explainer_.request_in_usual_order(index);
    if (!request) return {};
    auto usual = run(*request);
    end_session();
    if (!usual) return usual.problem();
    version_explainer_.explain_by_order(index, *usual);
    return {};
  }

  Result<void> run_requests() {
    const auto has_time = [this] { return runner_.budget_left() >= call_timeout(context_.lab); };
    while (const auto request = version_explainer_.next_request(has_time())) {
      auto evidence = run(request->run);
      end_session();
      if (!evidence) return evidence.problem();
      version_explainer_.add(*request, std::move(*evidence));
    }
    return {};
  }

  void end_session() {
    runner_.end_session();
    in_session_ = false;
  }

  const CaseContext& context_;
  CaseRunner& runner_;
  std::size_t version_;
  std::vector<std::size_t> order_;
  CaseExplainer explain_;
  VersionExplainer version_explainer_;
  bool in_session_ = false;                  ///< the program waits for another call
  std::optional<FailedStart> failed_start_;  ///< why the program did not start, the last time
};

}  // namespace

Result<VersionEvidence> grade_version(const CaseContext& context, CaseRunner& runner, std::size_t version) {
  return VersionGrading(context, runner, version).all();
}

Result<VersionEvidence> grade_version(RunContext& context, const std::filesystem::path& executable,
                                      std::size_t version) {
  VersionRunner runner(context, executable, version);
  return grade_version(context, runner, version);
}

Result<CaseEvidence> run_timed(RunContext& context, const std::filesystem::path& executable,
                               std::size_t version) {
  VersionRunner runner(context, executable, version);
  return VersionGrading(context, runner, version).timed();
}

}  // namespace cudalabs
