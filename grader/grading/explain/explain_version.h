#pragma once
// Explains what the cases of a version show together, and requests further runs where they would show more.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/grading/cases/case_context.h"
#include "grader/grading/observation/observation.h"
#include "grader/grading/score/evidence.h"

namespace cudalabs {

/// Returns whether too many cases contradict `mistake`: they have the same sizes as a case whose guess is
/// this mistake, but their answer is wrong in another way.
using SizesOf = std::function<const std::vector<std::pair<std::string, std::int64_t>>&(std::size_t)>;
bool differs_among_alike(const Message& mistake, const std::vector<CaseEvidence>& cases,
                         const SizesOf& sizes);

/// A run that would show more.
struct EvidenceRequest {
  enum class Why : std::uint8_t {
    FirstCall,         ///< alone in a new process: is the answer wrong because of the calls before?
    Provenance,        ///< which elements never reached the results, or reached them too often?
    TimedCaseWatched,  ///< the checks that the timed case otherwise skips, because another case is unsound
    OtherFollowed,     ///< the case whose provenance was tracked is wrong: that of another one
  } why{};
  CaseRequest run;
};

/// Requests the runs of one version, and takes what CaseExplainer makes of each. Needs no device.
class VersionExplainer {
 public:
  /// `order`: in which the cases run.
  VersionExplainer(const CaseContext& context, std::size_t version_index, std::vector<std::size_t> order);

  /// In the lab's order, the timed case last.
  [[nodiscard]] std::vector<CaseEvidence>& cases() { return cases_; }

  // ---- while the cases run one after the other ----
  [[nodiscard]] CaseRequest first_request(std::size_t index, std::chrono::milliseconds timeout) const;
  /// Only the first case is a program's first call. Data kept from that call could make a later answer right
  /// or wrong depending on the order that the seed chose. Where a program must be restarted for a case, an
  /// earlier one is therefore called before it.
  [[nodiscard]] std::optional<CaseRequest> request_before(std::size_t index) const;
  /// A case whose answer was wrong in reverse order runs once more in the usual order.
  [[nodiscard]] std::optional<CaseRequest> request_in_usual_order(std::size_t index) const;
  void explain_by_order(std::size_t index, const CaseEvidence& usual);

  // ---- after all have run ----
  /// Explains what the evidence so far allows. Returns nothing if further runs would show no more.
  /// `has_time`: there is time for one more call.
  std::optional<EvidenceRequest> next_request(bool has_time);
  void add(const EvidenceRequest& request, CaseEvidence evidence);

 private:
  enum class Step : std::uint8_t { Together, Alone, Provenance, Sizes, Closer, Follow, Done };

  [[nodiscard]] CaseRequest request(std::size_t index, CallMode mode) const;
  /// What all cases show; finds the wrong answers of which most have no known reason.
  void explain_together();
  /// Drops guesses that fit only tiny cases although other cases are wrong too, and usual mistakes that other
  /// cases do not confirm.
  void drop_odd_guesses();
  /// Would this usual mistake have given another answer in as many of the cases that say nothing of it?
  [[nodiscard]] bool is_refuted(const Message& mistake, std::size_t enough) const;
  /// Explains answers that were divided by a constant instead of by the size.
  void explain_by_divisor();
  /// Compares the smallest unexplained case with the cases that are smaller still.
  void explain_by_sizes();
  /// A small unexplained case whose provenance may tell the reason.
  [[nodiscard]] std::optional<std::size_t> case_with_provenance() const;
  std::optional<std::size_t> next_to_follow();

  const CaseContext& context_;
  std::size_t version_index_;
  std::vector<std::size_t> order_;
  std::vector<CaseEvidence> cases_;
  std::optional<std::size_t> followed_;   ///< the case in which it is looked at what results are made of
  std::vector<std::size_t> unexplained_;  ///< wrong answers without a reason, from small to large
  Step step_ = Step::Together;
  std::optional<std::deque<std::size_t>> candidates_;  ///< that may be followed instead
};

}  // namespace cudalabs
