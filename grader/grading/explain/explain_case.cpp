#include "grader/grading/explain/explain_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/grading/compare/compare.h"
#include "grader/grading/explain/short_copies.h"
#include "grader/grading/score/remarks.h"
#include "grader/grading/score/rules.h"

namespace cudalabs {
namespace {

/// The threads of the kernel that has most, in all its launches together.
std::uint64_t most_threads(const std::vector<LaunchRecord>& launches) {
  std::map<std::string_view, std::uint64_t> threads;
  std::uint64_t most = 0;
  for (const LaunchRecord& launch : launches)
    most = std::max(most, threads[launch.kernel_full] += launch.grid.count() * launch.block.count());
  return most;
}

/// Replaces all launches by one that has the sum of their counters.
void sum_up(std::vector<LaunchRecord>& launches) {
  if (launches.size() < 2) return;
  std::vector<LaunchRecord> sum(1);
  for (const LaunchRecord& launch : launches) sum[0].counters += launch.counters;
  launches = std::move(sum);  // this also frees the memory of the others
}

/// The first few different lines, shortened; no message if there are none. The report escapes what is not
/// text.
Message note_of_printed(const std::string& text) {
  constexpr std::size_t kLines = 3, kLetters = 160;
  std::vector<std::string> shown;
  std::size_t more = 0;
  for (const std::string& line : split_lines(text)) {
    const std::string cut = line.size() <= kLetters ? line : line.substr(0, kLetters) + "...";
    if (cut.empty() || std::ranges::find(shown, cut) != shown.end()) continue;
    if (shown.size() < kLines)
      shown.push_back(cut);
    else
      ++more;
  }
  return shown.empty() ? Message() : msg::it_printed(fmt::format("{}", fmt::join(shown, " | ")), more);
}

bool has_hidden_case(const Lab& lab) {
  return std::ranges::any_of(lab.cases, [](const TestCase& test) { return test.hidden(); });
}

/// In seconds, with three digits that matter.
double seconds_of(std::chrono::milliseconds time) {
  const double seconds = static_cast<double>(time.count()) / 1000;
  const double unit = std::pow(10, std::floor(std::log10(std::max(seconds, 1e-3))) - 2);
  return unit < 1 ? std::round(seconds / unit) / std::round(1 / unit) : std::round(seconds / unit) * unit;
}

}  // namespace

CaseEvidence CaseExplainer::blank(const CaseRequest& request, const CaseData& data) const {
  const TestCase& test = context_.test_case(request.index);
  CaseEvidence evidence;
  evidence.name = test.shown_name();
  evidence.hidden = test.hidden();
  evidence.timed = request.index == context_.lab.cases.size();
  evidence.drawn = !test.least.empty();
  evidence.watched = request.mode == CallMode::Watched;
  for (const auto& bytes : data.inputs) evidence.input_bytes += bytes.size();
  for (const auto& bytes : data.initial_outputs) evidence.output_bytes += bytes.size();
  evidence.free_bytes = free_bytes(context_.lab, test, data);
  evidence.has_output = evidence.bytes_to_write() > 0;
  evidence.empty_answer = has_empty_answer(context_.lab, test, data);
  for (const Parameter& p : context_.lab.parameters) {
    if (!p.is_array()) continue;
    const std::size_t elements = element_count(p, test) / static_cast<std::size_t>(p.components);
    if (p.acts_as(ParameterRole::Input)) evidence.input_elements += elements;
    if (p.acts_as(ParameterRole::Output)) evidence.output_elements += elements;
  }
  if (const auto& sums = context_.lab.sums) {
    evidence.factors = static_cast<double>(evidence.output_elements) *
                       static_cast<double>(test.size(sums->over)) * sums->factors;
  }
  evidence.followed = request.followed;
  return evidence;
}

CaseEvidence CaseExplainer::explain(Observation& seen) {
  const std::shared_ptr<const CaseData> data =
      seen.data ? seen.data : context_.data_of(seen.request.index, version_index_);
  CaseEvidence evidence = blank(seen.request, *data);
  if (seen.first_call) {
    left_.clear();
    allocations_ = leaks_ = 0;
  }
  if (seen.called) {
    CallOutcome& outcome = seen.outcome;
    evidence.bytes_to_device = outcome.bytes_to_device;
    evidence.bytes_to_host = outcome.bytes_to_host;
    evidence.argument_bytes = outcome.argument_bytes;
    evidence.copies_ns = outcome.copies_ns;
    evidence.bytes_put_last = outcome.bytes_put_last;
    if (outcome.sound())
      explain_answer(seen, *data, evidence);
    else
      explain_end(seen, evidence);
    evidence.launches = std::move(outcome.launches);
    evidence.threads = most_threads(evidence.launches);
    evidence.peak_bytes = outcome.peak_bytes;
    record_deeds(evidence);
    if (!evidence.timed) sum_up(evidence.launches);
    evidence.origins = std::move(outcome.origins);
  }
  if (seen.trouble && evidence.verdict == Verdict::NotGraded) {
    evidence.verdict = Verdict::RuntimeError;
    evidence.message = *seen.trouble;
    evidence.advice = msg::look_for_large_allocations();
  }
  return evidence;
}

void CaseExplainer::explain_end(const Observation& seen, CaseEvidence& evidence) const {
  const CallOutcome& outcome = seen.outcome;
  EndVerdict verdict;
  if (seen.end) {
    verdict = verdict_of_end(*seen.end, outcome.end == CallEnd::TimedOut);
    if (verdict.verdict == Verdict::Timeout)
      verdict.message = msg::call_timeout(seconds_of(seen.request.timeout));
    explain_by_device(outcome, verdict);
  } else if (outcome.end == CallEnd::ProtocolViolation) {
    verdict = {Verdict::RuleViolation, msg::unknown_request(outcome.detail), msg::use_cuda_calls_only(), {}};
  } else if (outcome.end == CallEnd::MemoryLimit) {
    verdict = {Verdict::MemoryLimit, outcome.detail, msg::use_less_device_memory(), {}};
  } else {
    explain_by_device(outcome, verdict);
  }
  evidence.verdict = verdict.verdict;
  evidence.message = std::move(verdict.message);
  evidence.advice = std::move(verdict.advice);
  evidence.where = std::move(verdict.where);
  evidence.fault =
      outcome.fault.kind == sim::FaultKind::OutOfBounds || outcome.fault.kind == sim::FaultKind::Misaligned;
  evidence.wrong_barrier = outcome.fault.kind == sim::FaultKind::DivergentBarrier;
  evidence.refused_kernel = std::move(verdict.refused_kernel);
  evidence.failed_call = std::move(verdict.failed_call);
}

void CaseExplainer::explain_answer(Observation& seen, const CaseData& data, CaseEvidence& evidence) {
  const TestCase& test = context_.test_case(seen.request.index);
  const CallOutcome& outcome = seen.outcome;
  CaseAnswer answer =
      judge_answer(context_.lab, test, data, seen.arrays, context_.fingerprints, possible_mistakes_);
  if (answer.mismatch.stored()) {
    if (!possible_mistakes_) possible_mistakes_.emplace();
    possible_mistakes_->merge(answer.mismatch.fitting_numbers);
  }
  explain_sum(test, data, seen, answer);
  explain_copies(test, outcome, answer);
  look_for_leak(seen.request.index, outcome);
  evidence.verdict = answer.verdict;
  evidence.message = std::move(answer.message);
  evidence.advice = std::move(answer.advice);
  evidence.fingerprint = answer.fingerprint;
  if (evidence.verdict != Verdict::Accepted) explain_wrong_answer(outcome, evidence);
  explain_findings(outcome, answer, evidence);
  explain_untouched(outcome, answer, evidence);
  using Reason = CaseEvidence::Reason;
  evidence.reason = !answer.seen.empty() || !evidence.where.file.empty() ? Reason::Seen
                    : answer.mismatch.guess.empty()                      ? Reason::None
                                                                         : Reason::Guessed;
  evidence.mismatch = answer.mismatch;
  if (evidence.reason != Reason::Guessed) evidence.mismatch.guess = {};
  if (evidence.verdict == Verdict::WrongAnswer && evidence.where.file.empty() && !answer.short_call.empty()) {
    evidence.failed_call = answer.short_call;
    evidence.failed_word = answer.short_word;
  } else if (answer.mismatch.stored() || outcome.launches.empty()) {
    place_wrong_answer(outcome, answer, evidence);
  }
  keep_notes(seen.request.index, outcome, evidence.where);
}

void CaseExplainer::explain_sum(const TestCase& test, const CaseData& data, Observation& seen,
                                CaseAnswer& answer) {
  constexpr std::size_t kKept = 64 << 10;
  const bool unexplained =
      answer.verdict == Verdict::WrongAnswer && answer.mismatch.guess.empty() && answer.mismatch.stored();
  const CaseOutputs before = std::exchange(left_, {});
  std::size_t bytes = 0;
  for (const auto& output : data.initial_outputs) bytes += output.size();
  if (!unexplained && bytes > kKept) return;
  std::size_t next = 0;
  CaseOutputs outputs;
  for (const Parameter& parameter : context_.lab.parameters) {
    if (!parameter.is_array()) continue;
    OutputBytes& array = seen.arrays[next++].bytes;
    if (parameter.acts_as(ParameterRole::Output)) outputs.push_back(std::move(array));
  }
  if (unexplained) {
    SumTrouble trouble;
    // The simulator does not track provenance through the host.
    if (seen.outcome.bytes_to_device == 0)
      trouble = trouble_of_sum(context_.lab, test, data, seen.outcome.origins, outputs);
    if (!trouble.reason.empty()) {
      answer.seen = trouble.reason;
    } else if (added_to_the_last(context_.lab, test, data, before, outputs)) {
      trouble = {msg::kept_from_last_call(), msg::zero_sum_each_call()};
      answer.mismatch.guess = trouble.reason;
    }
    if (!trouble.reason.empty()) {
      answer.message.add(std::move(trouble.reason));
      answer.advice = std::move(trouble.advice);
    }
  }
  left_ = std::move(outputs);
}

void CaseExplainer::explain_copies(const TestCase& test, const CallOutcome& outcome,
                                   CaseAnswer& answer) const {
  if (answer.verdict != Verdict::WrongAnswer || !answer.seen.empty()) return;
  ShortCopy copy = short_copy(context_.lab, test, outcome);
  if (copy.reason.empty()) return;
  // What the values look like comes of it.
  answer.message.remove(std::exchange(answer.mismatch.guess, {}));
  answer.message.add(copy.reason);
  answer.short_call = std::move(copy.call);
  answer.short_word = std::move(copy.word);
  answer.seen = std::move(copy.reason);
  answer.advice = std::move(copy.advice);
}

void CaseExplainer::look_for_leak(std::size_t index, const CallOutcome& outcome) {
  // Allocations that are kept from call to call may grow now and then, but not with every call.
  constexpr std::size_t kEnough = 4;
  leaks_ += outcome.allocations_left > allocations_ ? 1 : 0;
  allocations_ = outcome.allocations_left;
  // The number of bytes may follow from the sizes of hidden cases, and so may what the program prints.
  if (leaks_ < kEnough || has_hidden_case(context_.lab)) return;
  notes_.try_emplace(NoteKey{"", 0, msg::memory_leaked.id},
                     KnownNote{msg::memory_leaked(leaks_, allocations_, outcome.bytes_left), {}, index});
}

void CaseExplainer::keep_notes(std::size_t index, const CallOutcome& outcome, const Location& shown) {
  if (context_.test_case(index).hidden()) return;
  for (Note& note : notes_of(outcome, shown)) {
    auto& known = notes_.try_emplace(note.about, KnownNote{{}, {}, index}).first->second;
    if (!known.text.empty() && known.first_case <= index) continue;
    known = {std::move(note.text), std::move(note.advice), index};
  }
}

std::vector<Messages> CaseExplainer::notes(const std::vector<CaseEvidence>& cases,
                                           const std::string& printed) const {
  std::vector<Messages> notes;
  if (const Message text = note_of_printed(printed); !text.empty())
    notes.emplace_back(has_hidden_case(context_.lab) ? msg::printed_text_hidden() : text);
  for (const auto& [about, note] : notes_) {
    const bool said = std::ranges::any_of(cases, [&](const CaseEvidence& test) {
      return says(test, {about, note.text, note.advice});
    });
    if (!said) notes.emplace_back(msg::note_first_in(note.text, context_.test_case(note.first_case).name()));
  }
  return notes;
}

bool CaseExplainer::wants_repetition(const Observation& seen, const CaseEvidence& evidence) {
  return seen.request.followed && !seen.trouble && evidence.verdict == Verdict::Accepted &&
         host_could_compute(evidence, 0);
}

void CaseExplainer::explain(std::size_t index, const Repetition& repetition, CaseEvidence& evidence) const {
  using Repeated = CaseEvidence::Repeated;
  if (!repetition.begun) return;
  evidence.repeated = Repeated::Wrong;
  if (!repetition.done || repetition.trouble) return;
  const TestCase& test = context_.test_case(index);
  const CaseData other =
      make_case(context_.lab, context_.oracle, test, context_.key_of(index, version_index_, 1));
  if (judge_answer(context_.lab, test, other, repetition.arrays).verdict == Verdict::Accepted)
    evidence.repeated = Repeated::Right;
}

}  // namespace cudalabs
