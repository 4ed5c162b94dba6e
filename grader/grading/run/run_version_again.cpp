// Repeats calls of a version that has been run, to learn why answers are wrong and where their data come
// from.
#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/compare/compare.h"
#include "grader/grading/run/followed_case.h"
#include "grader/grading/run/run_version.h"
#include "grader/grading/run/sum_trouble.h"

namespace cudalabs {
namespace {

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
Message all_smaller_right(const Lab& lab, std::size_t wrong, const std::vector<CaseEvidence>& cases) {
  constexpr std::size_t kEnough = 4;  // too many to be right by accident
  const auto test = [&](std::size_t i) -> const TestCase& {
    return i < lab.cases.size() ? lab.cases[i] : lab.timed;
  };
  std::size_t most = smaller_right(wrong, cases, [&](std::size_t i) { return bytes_of(lab, test(i)); });
  Message found = msg::smaller_cases_right(most);
  for (const std::size_t p : parameters_with(lab, ParameterRole::Size)) {
    const std::string& name = lab.parameters[p].name;
    const std::size_t right = smaller_right(wrong, cases, [&](std::size_t i) { return test(i).size(name); });
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
  test.reason = CaseEvidence::Reason::None;
  test.advice = msg::compare_indices_with_sizes();
}

}  // namespace

Result<void> VersionRunner::explain_by_the_others(const std::vector<std::size_t>& order,
                                                  std::vector<CaseEvidence>& cases) {
  std::vector<std::size_t> wrong;  // from small to large
  std::size_t explained = 0;
  for (const std::size_t index : order) {
    const CaseEvidence& test = cases[index];
    if (test.verdict == Verdict::Accepted || test.verdict == Verdict::NotGraded) continue;
    if (test.verdict != Verdict::WrongAnswer) return {};
    if (test.reason != CaseEvidence::Reason::None)
      ++explained;
    else
      wrong.push_back(index);
  }
  if (wrong.size() <= explained) return {};
  CaseEvidence& smallest = cases[wrong[0]];
  if (wrong[0] != order[0]) {
    auto alone = run_case(wrong[0], call_timeout(context_.lab), CallMode::Plain);
    end_session();
    if (!alone) return alone.problem();
    if (alone->verdict == Verdict::Accepted) {
      smallest.message.add(msg::right_as_first_call());
      smallest.advice = msg::kept_between_calls();
      smallest.reason = CaseEvidence::Reason::Seen;
      return {};
    }
  }
  if (auto seen = explain_by_origins(wrong, cases); !seen || *seen)
    return seen ? Result<void>() : Result<void>(seen.problem());
  if (const Message right = all_smaller_right(context_.lab, wrong[0], cases); !right.empty()) {
    smallest.message.add(right);
    smallest.reason = CaseEvidence::Reason::Guessed;
    // The advice for missing elements says more.
    if (!smallest.mismatch.none_written()) smallest.advice = msg::look_at_many_elements();
  }
  return {};
}

Result<bool> VersionRunner::explain_by_origins(const std::vector<std::size_t>& wrong,
                                               std::vector<CaseEvidence>& cases) {
  constexpr std::size_t kShows = 256;  // bytes: smaller outputs show no pattern of missing elements
  constexpr std::size_t kMax = std::size_t{4} << 20;
  const auto can_be_followed = [&](std::size_t index) {
    return index != context_.lab.cases.size() && bytes_of(context_.lab, test_case(index)) <= kMax;
  };
  const auto shows = [&](std::size_t index) {
    return can_be_followed(index) && bytes_of(context_.lab, test_case(index)) >= kShows;
  };
  auto chosen = std::ranges::find_if(wrong, shows);
  if (chosen == wrong.end()) chosen = std::ranges::find_if(wrong, can_be_followed);
  if (chosen == wrong.end() || !followed_ || *chosen == *followed_) return false;
  const std::optional<std::size_t> usual = std::exchange(followed_, *chosen);
  auto again = run_case(*chosen, call_timeout(context_.lab), CallMode::Plain);
  followed_ = usual;
  end_session();
  if (!again) return again.problem();
  if (again->verdict != Verdict::WrongAnswer || again->reason != CaseEvidence::Reason::Seen) return false;
  CaseEvidence& test = cases[*chosen];
  test.message = std::move(again->message);
  test.advice = std::move(again->advice);
  test.where = std::move(again->where);
  test.reason = CaseEvidence::Reason::Seen;
  return true;
}

bool VersionRunner::has_time() const {
  return !context_.budget || context_.budget->left() >= call_timeout(context_.lab);
}

void VersionRunner::drop_odd_guesses(std::vector<CaseEvidence>& cases) const {
  constexpr std::int64_t kTells = 3;  // of each size: on smaller cases different mistakes look alike
  // What keeps a sum does so in most calls: one answer that fits is an accident.
  const auto kept = [](const CaseEvidence& test) { return test.mismatch.guess.is(msg::kept_from_last_call); };
  if (std::ranges::count_if(cases, kept) == 1) forget_guess(*std::ranges::find_if(cases, kept));
  std::map<std::string, std::size_t> fitting;  // cases that each mistake fits, by packed()
  std::size_t telling = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].verdict != Verdict::WrongAnswer ||
        std::ranges::any_of(test_case(i).sizes, [](const auto& size) { return size.second < kTells; }))
      continue;
    ++telling;
    // Where several mistakes fit none is guessed, but it stands by the guess of another case.
    const Mismatch& mismatch = cases[i].mismatch;
    if (!mismatch.guess.empty()) ++fitting[packed(mismatch.guess)];
    for (const Message& mistake : mismatch.fitting)
      fitting[packed(mistake)] += mistake == mismatch.guess ? 0 : 1;
  }
  if (telling < 2) return;
  const auto sizes = [this](std::size_t index) -> const auto& { return test_case(index).sizes; };
  std::set<std::string> odd;  // by packed()
  for (const CaseEvidence& test : cases) {
    const Message& guess = test.mismatch.guess;
    if (guess.empty() || odd.contains(packed(guess))) continue;
    const auto found = fitting.find(packed(guess));
    // What all show may be made from some size on only: then the smaller ones, which are right, tell nothing.
    if (found != fitting.end() &&
        (!test.mismatch.usual || found->second == telling ||
         (!is_refuted(guess, 2 * found->second, cases) && !differs_among_alike(guess, cases, sizes))))
      continue;
    odd.insert(packed(guess));
  }
  for (CaseEvidence& test : cases)
    if (odd.contains(packed(test.mismatch.guess))) forget_guess(test);
}

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
      if (!fits && alike.reason != CaseEvidence::Reason::Seen) others.insert(k);
    }
  }
  return !others.empty() && others.size() * 3 >= fitting.size();
}

bool VersionRunner::is_refuted(const Message& mistake, std::size_t enough,
                               const std::vector<CaseEvidence>& cases) const {
  std::size_t against = 0;
  for (std::size_t i = 0; i + 1 < cases.size() && against < enough; ++i) {
    const TestCase& test = test_case(i);
    const bool other =
        cases[i].verdict == Verdict::Accepted ||
        (cases[i].verdict == Verdict::WrongAnswer && cases[i].reason != CaseEvidence::Reason::Seen &&
         std::ranges::find(cases[i].mismatch.fitting, mistake) == cases[i].mismatch.fitting.end());
    if (!other || !cases[i].has_output || !is_small(context_.lab, test)) continue;
    const auto data = context_.cases->make(
        context_.lab, context_.oracle, test,
        {context_.seed, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(version_index_), 0});
    against += shows(context_.lab, test, *data, mistake) ? 1 : 0;
  }
  return against == enough;
}

void VersionRunner::explain_by_divisor(std::vector<CaseEvidence>& cases) const {
  constexpr double kKnown = 1e-3, kNear = 1e-5;  // tolerances for a factor
  constexpr std::size_t kEnough = 3;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].verdict == Verdict::WrongAnswer && cases[i].reason != CaseEvidence::Reason::Seen)
      wrong.push_back(i);
  }
  for (const std::size_t p : parameters_with(context_.lab, ParameterRole::Size)) {
    const std::string& name = context_.lab.parameters[p].name;
    const auto size = [&](std::size_t i) { return static_cast<double>(test_case(i).size(name)); };
    const auto best = std::ranges::min_element(wrong, {}, [&](std::size_t i) {
      return cases[i].mismatch.factor > 0 ? cases[i].mismatch.factor_error : 1.0;
    });
    if (best == wrong.end()) return;
    const Mismatch& known = cases[*best].mismatch;
    if (!(known.factor > 0) || known.factor_error > kKnown) return;
    const double divisor = std::round(size(*best) / known.factor);
    if (divisor < 2) continue;
    std::vector<std::size_t> fitting, guessed;
    std::set<std::int64_t> sizes;
    std::map<std::string, std::size_t> alike;
    std::size_t most_alike = 0;  // the highest count of one guess, which then explains as much
    for (const std::size_t i : wrong) {
      const Mismatch& test = cases[i].mismatch;
      if (!(test.factor > 0) || test.factor_error > kKnown) continue;
      const double near = 2 * test.factor_error + kNear;
      if (std::abs(size(i) / (test.factor * divisor) - 1) > near) continue;
      fitting.push_back(i);
      sizes.insert(test_case(i).size(name));
      if (test.guess.empty()) continue;
      guessed.push_back(i);
      most_alike = std::max(most_alike, ++alike[packed(test.guess)]);
    }
    if (fitting.size() < kEnough || sizes.size() < 2 || fitting.size() * 4 < wrong.size() * 3 ||
        most_alike * 2 > fitting.size())
      continue;
    for (const std::size_t i : guessed) take_back(cases[i]);
    for (const std::size_t i : fitting) cases[i].reason = CaseEvidence::Reason::Guessed;
    CaseEvidence& first = cases[fitting[0]];
    first.message.add(msg::divided_by_constant(name, std::llround(divisor)));
    first.advice = msg::divide_by_size(name);
    first.reason = CaseEvidence::Reason::Seen;
    return;
  }
}

bool VersionRunner::in_reverse(std::size_t index) const {
  return index != context_.lab.cases.size() && !is_small(context_.lab, test_case(index));
}

Result<void> VersionRunner::explain_by_order(std::size_t index, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer || !in_reverse(index)) return {};
  forward_ = true;
  auto usual = run_case(index, call_timeout(context_.lab), CallMode::Plain);
  forward_ = false;
  end_session();
  if (!usual) return usual.problem();
  if (usual->verdict != Verdict::Accepted) return {};
  evidence.by_order = true;
  evidence.message.add(msg::wrong_in_other_order());
  if (evidence.reason == CaseEvidence::Reason::Seen) return {};
  evidence.reason = CaseEvidence::Reason::Seen;
  evidence.advice = msg::no_order_is_promised();
  return {};
}

Result<void> VersionRunner::look_closer(std::vector<CaseEvidence>& cases) {
  const std::size_t timed = context_.lab.cases.size();
  if (cases[timed].verdict != Verdict::Accepted || std::ranges::none_of(cases, &CaseEvidence::unsound))
    return {};
  if (!has_time()) return {};
  closer_ = true;
  auto again = run_case(timed, call_timeout(context_.lab), CallMode::Sampled);
  closer_ = false;
  end_session();
  if (!again) return again.problem();
  if (!again->unsound) return {};
  again->launches = std::move(cases[timed].launches);
  cases[timed] = std::move(*again);
  return {};
}

Result<void> VersionRunner::follow_another(std::vector<CaseEvidence>& cases) {
  if (!followed_ || cases[*followed_].verdict == Verdict::Accepted) return {};
  for (const std::size_t index : cases_to_follow(context_.lab)) {
    if (cases[index].verdict != Verdict::Accepted) continue;
    if (!has_time()) return {};
    followed_ = index;
    auto again = run_case(index, call_timeout(context_.lab), CallMode::Watched);
    end_session();
    if (!again) return again.problem();
    if (again->verdict != Verdict::Accepted) continue;
    // If there was next to nothing to compute, an empty provenance proves nothing. This happens if only the
    // answer for an empty input is right.
    constexpr std::size_t kSays = 1024;
    if (again->origins.elements == 0 && bytes_of(context_.lab, test_case(index)) < kSays) continue;
    cases[index].followed = true;
    cases[index].origins = std::move(again->origins);
    // Only the counts that are compared with the provenance are taken from that call.
    cases[index].bytes_to_device = again->bytes_to_device;
    cases[index].bytes_to_host = again->bytes_to_host;
    cases[index].argument_bytes = again->argument_bytes;
    cases[index].repeated = again->repeated;
    return {};
  }
  return {};
}

}  // namespace cudalabs
