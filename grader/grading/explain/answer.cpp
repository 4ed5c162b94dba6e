#include "grader/grading/explain/answer.h"

#include <algorithm>
#include <utility>

#include "grader/base/hash/bulk_hash.h"
#include "grader/base/log/stats.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/grading/compare/checked.h"
#include "grader/grading/compare/compare.h"

namespace cudalabs {
namespace {

/// Advice for an output of zeros. It depends on what the lab computes.
Message advice_for_zeros(const Lab& lab) {
  if (lab.sums && lab.sums->factors > 1) return msg::zero_sum_of_products();
  if (lab.sums && lab.tolerance.kind == ToleranceKind::SumOfProducts)
    return msg::zero_weighted_sum(lab.sums->over);
  if (lab.sums) return msg::zero_sum();
  return lab.tolerance.kind == ToleranceKind::Exact ? msg::zero_copied() : msg::zero_computed();
}

Message advice_for(const Lab& lab, const Mismatch& mismatch) {
  if (mismatch.none_written()) return msg::check_launch_and_bounds();
  // What came out, where that alone says little.
  const Message& guess = mismatch.guess;
  if (guess.is(msg::whole_output_zero)) return advice_for_zeros(lab);
  if (guess.is(msg::many_roundings)) return msg::round_less();
  if (guess.is(msg::every_element_is) && mismatch.got.ends_with("infinity")) return msg::start_value_wins();
  if (guess.is(msg::every_element_is))
    return mismatch.count < mismatch.total ? msg::some_right_by_accident() : msg::one_value_everywhere();
  if (guess.is(msg::wrong_ones_nan)) return msg::nan_is_unset();
  if (guess.is(msg::added_to_unset)) return msg::set_before_adding();
  return guess.empty() ? msg::compare_indices_with_sizes() : msg::check_guess_first();
}

}  // namespace

CaseAnswer judge_answer(const Lab& lab, const TestCase& test, const CaseData& data,
                        std::span<const ArrayAfterCall> arrays, bool fingerprint,
                        const Oracle::Mistakes& possible) {
  const logging::Timed timed(logging::Metric::Compare);
  CaseAnswer answer;
  const auto fail = [&answer](Verdict verdict, Messages message, Messages advice) {
    if (answer.verdict != Verdict::Accepted) return;  // the first thing that is wrong is told
    answer.verdict = verdict;
    answer.message = std::move(message);
    answer.advice = std::move(advice);
  };
  std::size_t next = 0, outputs = 0, unwritten = 0;
  BulkHash bits;
  std::vector<std::span<const std::byte>> written;
  std::vector<std::size_t> order;  // an output that is the length of others explains what is wrong with them
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array()) continue;
    const auto& [damage, change, bytes] = arrays[next++];
    if (!damage.empty()) fail(Verdict::RuntimeError, damage, msg::check_bounds());
    if (!change.empty()) fail(Verdict::RuleViolation, change, msg::only_read_input(parameter.name));
    if (!parameter.acts_as(ParameterRole::Output)) continue;
    if (fingerprint) bits.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    outputs += bytes.empty() ? 0 : 1;
    const bool is_length =
        std::ranges::find(lab.parameters, parameter.name, &Parameter::length) != lab.parameters.end();
    order.insert(is_length ? order.begin() : order.end(), written.size());
    written.emplace_back(bytes);
  }
  bool mismatched = false;
  const auto judge = [&](std::optional<Mismatch> mismatch) {
    if (!mismatch) return;
    fail(Verdict::WrongAnswer, mismatch->statements, advice_for(lab, *mismatch));
    unwritten += mismatch->stored() ? 0 : 1;
    if (!std::exchange(mismatched, true)) answer.mismatch = std::move(*mismatch);  // the one that is told
  };
  for (const std::size_t output : order)
    judge(compare_output(lab, test, data, output, written[output], possible, written));
  if (answer.verdict == Verdict::Accepted) judge(check_outputs(lab, test, data, written));
  if (fingerprint) answer.fingerprint = bits.value();
  answer.untouched = outputs > 0 && unwritten == outputs;
  return answer;
}

}  // namespace cudalabs
