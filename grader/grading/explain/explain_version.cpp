#include "grader/grading/explain/explain_version.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/compare/compare.h"

namespace cudalabs {
namespace {

using Reason = CaseEvidence::Reason;

/// Returns how many cases with elements are smaller than case `wrong` by one measure of size. Returns 0 if
/// one of those is wrong, or if nothing shows that size is the cause: a case of more than half the size is
/// right, and it is not so that several larger ones are all wrong.
template <class Size>
std::size_t smaller_right(std::size_t wrong, const std::vector<CaseEvidence>& cases, Size size) {
  std::size_t right = 0, larger = 0, larger_wrong = 0;
  bool near = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!cases[i].has_output) continue;
    // A larger case may be right because rounding or the data hide the error.
    constexpr std::size_t kAccidents = 2;
    const bool accepted = cases[i].verdict == Verdict::Accepted;
    if (size(i) > size(wrong)) (accepted ? larger : larger_wrong) += 1;
    if (larger > kAccidents) return 0;
    if (size(i) >= size(wrong)) continue;
    if (!accepted) return 0;
    near |= size(i) * 2 > size(wrong);
    ++right;
  }
  return near && (larger > 0 || larger_wrong < 2) ? 0 : right;
}

/// Uses the measure that separates the most right cases from this one. No message if none separates enough.
Message all_smaller_right(const CaseContext& context, std::size_t wrong,
                          const std::vector<CaseEvidence>& cases) {
  constexpr std::size_t kEnough = 4;  // too many to be right by accident
  const Lab& lab = context.lab;
  std::size_t most =
      smaller_right(wrong, cases, [&](std::size_t i) { return bytes_of(lab, context.test_case(i)); });
  Message found = msg::smaller_cases_right(most);
  for (const std::size_t p : parameters_with(lab, ParameterRole::Size)) {
    const std::string& name = lab.parameters[p].name;
    const std::size_t right =
        smaller_right(wrong, cases, [&](std::size_t i) { return context.test_case(i).size(name); });
    if (right <= most) continue;
    most = right;
    found = msg::cases_with_smaller_size_right(right, name);
  }
  return most >= kEnough ? found : Message();
}

/// Removes the guess from the message.
void take_back(CaseEvidence& test) { test.message.remove(std::exchange(test.mismatch.guess, {})); }

/// Removes a guess that was the reason.
void forget_guess(CaseEvidence& test) {
  take_back(test);
  test.reason = Reason::None;
  test.advice = msg::compare_indices_with_sizes();
}

}  // namespace

bool differs_among_alike(const Message& mistake, const std::vector<CaseEvidence>& cases,
                         const SizesOf& sizes) {
  std::set<std::size_t> fitting, others;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].mismatch.guess != mistake) continue;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const CaseEvidence& alike = cases[k];
      if (alike.verdict != Verdict::WrongAnswer || sizes(k) != sizes(i)) continue;
      const bool fits = std::ranges::find(alike.mismatch.fitting, mistake) != alike.mismatch.fitting.end();
      if (fits) fitting.insert(k);
      if (!fits && alike.reason != Reason::Seen) others.insert(k);
    }
  }
  return !others.empty() && others.size() * 3 >= fitting.size();
}

std::vector<CaseEvidence> without_verdicts(const CaseContext& context) {
  std::vector<CaseEvidence> cases(context.lab.cases.size() + 1);
  for (std::size_t index = 0; index < cases.size(); ++index) {
    cases[index].name = context.test_case(index).shown_name();
    cases[index].hidden = context.test_case(index).hidden();
    cases[index].has_output = has_output_elements(context.lab, context.test_case(index));
  }
  return cases;
}

VersionExplainer::VersionExplainer(const CaseContext& context, std::size_t version_index,
                                   std::vector<std::size_t> order)
    : context_(context), version_index_(version_index), order_(std::move(order)) {
  if (context.tracks_provenance) followed_ = case_to_follow(context.lab);
  cases_ = without_verdicts(context);
}

CaseRequest VersionExplainer::request(std::size_t index, CallMode mode) const {
  return {index, call_timeout(context_.lab), mode, index == followed_, false, false};
}

CaseRequest VersionExplainer::first_request(std::size_t index, std::chrono::milliseconds timeout) const {
  const bool small = index != context_.lab.cases.size() && is_small(context_.lab, context_.test_case(index));
  CaseRequest first = request(index, small ? CallMode::Watched : CallMode::Sampled);
  first.timeout = timeout;
  return first;
}

std::optional<CaseRequest> VersionExplainer::request_before(std::size_t index) const {
  if (index == order_.front()) return std::nullopt;
  for (const std::size_t earlier : order_) {
    if (earlier == index) break;
    const Verdict was = cases_[earlier].verdict;
    if (cases_[earlier].has_output && (was == Verdict::Accepted || was == Verdict::WrongAnswer))
      return request(earlier, CallMode::Plain);
  }
  return std::nullopt;
}

std::optional<CaseRequest> VersionExplainer::request_in_usual_order(std::size_t index) const {
  if (cases_[index].verdict != Verdict::WrongAnswer || !runs_in_reverse(context_.lab, index))
    return std::nullopt;
  CaseRequest usual = request(index, CallMode::Plain);
  usual.usual_order = true;
  return usual;
}

void VersionExplainer::explain_by_order(std::size_t index, const CaseEvidence& usual) {
  if (usual.verdict != Verdict::Accepted) return;
  CaseEvidence& evidence = cases_[index];
  evidence.by_order = true;
  evidence.message.add(msg::wrong_in_other_order());
  if (evidence.reason == Reason::Seen) return;
  evidence.reason = Reason::Seen;
  evidence.advice = msg::no_order_is_promised();
}

std::optional<EvidenceRequest> VersionExplainer::next_request(bool has_time) {
  using enum EvidenceRequest::Why;
  for (;; step_ = static_cast<Step>(static_cast<int>(step_) + 1)) {
    switch (step_) {
      case Step::Together: explain_together(); break;
      case Step::Alone:
        if (unexplained_.empty() || unexplained_[0] == order_[0]) break;
        return EvidenceRequest{FirstCall, request(unexplained_[0], CallMode::Plain)};
      case Step::Provenance:
        if (const auto index = case_with_provenance()) {
          EvidenceRequest other{Provenance, request(*index, CallMode::Plain)};
          other.run.followed = true;
          return other;
        }
        break;
      case Step::Sizes: explain_by_sizes(); break;
      case Step::Closer: {
        const std::size_t timed = context_.lab.cases.size();
        if (cases_[timed].verdict != Verdict::Accepted ||
            std::ranges::none_of(cases_, &CaseEvidence::unsound) || !has_time)
          break;
        EvidenceRequest closer{TimedCaseWatched, request(timed, CallMode::Sampled)};
        closer.run.untimed = true;
        return closer;
      }
      case Step::Follow:
        if (const auto index = next_to_follow(); index && has_time) {
          followed_ = index;
          return EvidenceRequest{OtherFollowed, request(*index, CallMode::Watched)};
        }
        break;
      case Step::Done: return std::nullopt;
    }
  }
}

void VersionExplainer::add(const EvidenceRequest& request, CaseEvidence evidence) {
  const std::size_t index = request.run.index;
  CaseEvidence& known = cases_[index];
  switch (request.why) {
    case EvidenceRequest::Why::FirstCall:
      step_ = Step::Provenance;
      if (evidence.verdict != Verdict::Accepted) return;
      known.message.add(msg::right_as_first_call());
      known.advice = msg::kept_between_calls();
      known.reason = Reason::Seen;
      step_ = Step::Closer;
      return;
    case EvidenceRequest::Why::Provenance:
      step_ = Step::Sizes;
      if (evidence.verdict != Verdict::WrongAnswer || evidence.reason != Reason::Seen) return;
      known.message = std::move(evidence.message);
      known.advice = std::move(evidence.advice);
      known.where = std::move(evidence.where);
      known.reason = Reason::Seen;
      step_ = Step::Closer;
      return;
    case EvidenceRequest::Why::TimedCaseWatched:
      step_ = Step::Follow;
      if (!evidence.unsound) return;
      evidence.launches = std::move(known.launches);
      known = std::move(evidence);
      return;
    case EvidenceRequest::Why::OtherFollowed: {
      if (evidence.verdict != Verdict::Accepted) return;
      // If there was next to nothing to compute, an empty provenance proves nothing. This happens if only the
      // answer for an empty input is right.
      constexpr std::size_t kSays = 1024;
      if (evidence.origins.elements == 0 && bytes_of(context_.lab, context_.test_case(index)) < kSays) return;
      known.followed = true;
      known.origins = std::move(evidence.origins);
      // Only the counts that are compared with the provenance are taken from that call.
      known.bytes_to_device = evidence.bytes_to_device;
      known.bytes_to_host = evidence.bytes_to_host;
      known.argument_bytes = evidence.argument_bytes;
      known.repeated = evidence.repeated;
      step_ = Step::Done;
      return;
    }
  }
}

void VersionExplainer::explain_together() {
  drop_odd_guesses();
  explain_by_divisor();
  std::size_t explained = 0;
  for (const std::size_t index : order_) {
    const CaseEvidence& test = cases_[index];
    if (test.verdict == Verdict::Accepted || test.verdict == Verdict::NotGraded) continue;
    if (test.verdict != Verdict::WrongAnswer) {
      unexplained_.clear();
      return;
    }
    if (test.reason != Reason::None)
      ++explained;
    else
      unexplained_.push_back(index);
  }
  if (unexplained_.size() <= explained) unexplained_.clear();
}

std::optional<std::size_t> VersionExplainer::case_with_provenance() const {
  constexpr std::size_t kShows = 256;  // bytes: smaller outputs show no pattern of missing elements
  constexpr std::size_t kMax = std::size_t{4} << 20;
  const auto can_be_followed = [&](std::size_t index) {
    return index != context_.lab.cases.size() && bytes_of(context_.lab, context_.test_case(index)) <= kMax;
  };
  const auto shows = [&](std::size_t index) {
    return can_be_followed(index) && bytes_of(context_.lab, context_.test_case(index)) >= kShows;
  };
  auto chosen = std::ranges::find_if(unexplained_, shows);
  if (chosen == unexplained_.end()) chosen = std::ranges::find_if(unexplained_, can_be_followed);
  if (chosen == unexplained_.end() || !followed_ || *chosen == *followed_) return std::nullopt;
  return *chosen;
}

void VersionExplainer::explain_by_sizes() {
  if (unexplained_.empty()) return;
  const Message right = all_smaller_right(context_, unexplained_[0], cases_);
  if (right.empty()) return;
  CaseEvidence& smallest = cases_[unexplained_[0]];
  smallest.message.add(right);
  smallest.reason = Reason::Guessed;
  // The advice for missing elements says more.
  if (!smallest.mismatch.none_written()) smallest.advice = msg::look_at_many_elements();
}

std::optional<std::size_t> VersionExplainer::next_to_follow() {
  if (!followed_) return std::nullopt;
  if (!candidates_) {
    candidates_.emplace();
    if (cases_[*followed_].verdict != Verdict::Accepted) {
      for (const std::size_t index : cases_to_follow(context_.lab))
        if (cases_[index].verdict == Verdict::Accepted) candidates_->push_back(index);
    }
  }
  if (candidates_->empty()) return std::nullopt;
  const std::size_t next = candidates_->front();
  candidates_->pop_front();
  return next;
}

void VersionExplainer::drop_odd_guesses() {
  constexpr std::int64_t kTells = 3;  // of each size: on smaller cases different mistakes look alike
  // What keeps a sum does so in most calls: one answer that fits is an accident.
  const auto kept = [](const CaseEvidence& test) { return test.mismatch.guess.is(msg::kept_from_last_call); };
  if (std::ranges::count_if(cases_, kept) == 1) forget_guess(*std::ranges::find_if(cases_, kept));
  std::map<std::string, std::size_t> fitting;  // cases that each mistake fits, by packed()
  std::size_t telling = 0;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i].verdict != Verdict::WrongAnswer ||
        std::ranges::any_of(context_.test_case(i).sizes,
                            [](const auto& size) { return size.second < kTells; }))
      continue;
    ++telling;
    // Where several mistakes fit none is guessed, but it stands by the guess of another case.
    const Mismatch& mismatch = cases_[i].mismatch;
    if (!mismatch.guess.empty()) ++fitting[packed(mismatch.guess)];
    for (const Message& mistake : mismatch.fitting)
      fitting[packed(mistake)] += mistake == mismatch.guess ? 0 : 1;
  }
  if (telling < 2) return;
  const auto sizes = [this](std::size_t index) -> const auto& { return context_.test_case(index).sizes; };
  std::set<std::string> odd;  // by packed()
  for (const CaseEvidence& test : cases_) {
    const Message& guess = test.mismatch.guess;
    if (guess.empty() || odd.contains(packed(guess))) continue;
    const auto found = fitting.find(packed(guess));
    // What all show may be made from some size on only: then the smaller ones, which are right, tell nothing.
    if (found != fitting.end() &&
        (!test.mismatch.usual || found->second == telling ||
         (!is_refuted(guess, 2 * found->second) && !differs_among_alike(guess, cases_, sizes))))
      continue;
    odd.insert(packed(guess));
  }
  for (CaseEvidence& test : cases_)
    if (odd.contains(packed(test.mismatch.guess))) forget_guess(test);
}

bool VersionExplainer::is_refuted(const Message& mistake, std::size_t enough) const {
  std::size_t against = 0;
  for (std::size_t i = 0; i + 1 < cases_.size() && against < enough; ++i) {
    const TestCase& test = context_.test_case(i);
    const bool other =
        cases_[i].verdict == Verdict::Accepted ||
        (cases_[i].verdict == Verdict::WrongAnswer && cases_[i].reason != Reason::Seen &&
         std::ranges::find(cases_[i].mismatch.fitting, mistake) == cases_[i].mismatch.fitting.end());
    if (!other || !cases_[i].has_output || !is_small(context_.lab, test)) continue;
    const auto data = context_.data_of(i, version_index_);
    against += shows(context_.lab, test, *data, mistake) ? 1 : 0;
  }
  return against == enough;
}

void VersionExplainer::explain_by_divisor() {
  constexpr double kKnown = 1e-3, kNear = 1e-5;  // tolerances for a factor
  constexpr std::size_t kEnough = 3;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i].verdict == Verdict::WrongAnswer && cases_[i].reason != Reason::Seen) wrong.push_back(i);
  }
  for (const std::size_t p : parameters_with(context_.lab, ParameterRole::Size)) {
    const std::string& name = context_.lab.parameters[p].name;
    const auto size = [&](std::size_t i) { return static_cast<double>(context_.test_case(i).size(name)); };
    const auto best = std::ranges::min_element(wrong, {}, [&](std::size_t i) {
      return cases_[i].mismatch.factor > 0 ? cases_[i].mismatch.factor_error : 1.0;
    });
    if (best == wrong.end()) return;
    const Mismatch& known = cases_[*best].mismatch;
    if (!(known.factor > 0) || known.factor_error > kKnown) return;
    const double divisor = std::round(size(*best) / known.factor);
    if (divisor < 2) continue;
    std::vector<std::size_t> fitting, guessed;
    std::set<std::int64_t> sizes;
    std::map<std::string, std::size_t> alike;
    std::size_t most_alike = 0;  // the highest count of one guess, which then explains as much
    for (const std::size_t i : wrong) {
      const Mismatch& test = cases_[i].mismatch;
      if (!(test.factor > 0) || test.factor_error > kKnown) continue;
      const double near = 2 * test.factor_error + kNear;
      if (std::abs(size(i) / (test.factor * divisor) - 1) > near) continue;
      fitting.push_back(i);
      sizes.insert(context_.test_case(i).size(name));
      if (test.guess.empty()) continue;
      guessed.push_back(i);
      most_alike = std::max(most_alike, ++alike[packed(test.guess)]);
    }
    if (fitting.size() < kEnough || sizes.size() < 2 || fitting.size() * 4 < wrong.size() * 3 ||
        most_alike * 2 > fitting.size())
      continue;
    for (const std::size_t i : guessed) take_back(cases_[i]);
    for (const std::size_t i : fitting) cases_[i].reason = Reason::Guessed;
    CaseEvidence& first = cases_[fitting[0]];
    first.message.add(msg::divided_by_constant(name, std::llround(divisor)));
    first.advice = msg::divide_by_size(name);
    first.reason = Reason::Seen;
    return;
  }
}

}  // namespace cudalabs
