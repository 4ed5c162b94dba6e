#include "grader/grading/run/run_version.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "grader/base/process/memory_kills.h"
#include "grader/base/process/processor_use.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/grading/compare/random.h"
#include "grader/grading/run/followed_case.h"
#include "grader/grading/run/short_copies.h"
#include "grader/grading/run/sum_trouble.h"
#include "grader/grading/run/verdict.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kStartTimeout = 5s;
/// Time for a program to end after it has left the device. The process and its sandbox need a processor for
/// that.
constexpr std::chrono::milliseconds kEndTimeout = 5s;
constexpr int kMaxStarts = 10;  // on a machine that does not let the program run

/// Replaces all launches by one that has the sum of their counters.
void sum_up(std::vector<LaunchRecord>& launches) {
  if (launches.size() < 2) return;
  std::vector<LaunchRecord> sum(1);
  for (const LaunchRecord& launch : launches) sum[0].counters += launch.counters;
  launches = std::move(sum);  // this also frees the memory of the others
}

/// Orders the cases from small to large, so that a submission that is too slow is found early. The seed
/// shuffles cases of about the same size, but cases with identical sizes stay together because they have the
/// same arrays.
std::vector<std::size_t> order_of_cases(const Lab& lab, std::uint64_t seed) {
  const std::size_t count = lab.cases.size() + 1;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Random random(seed);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(count - i, i)]);
  const auto test = [&](std::size_t index) -> const TestCase& {
    return index < lab.cases.size() ? lab.cases[index] : lab.timed;
  };
  std::map<std::vector<std::pair<std::string, std::int64_t>>, std::size_t> first;  // index with these sizes
  for (std::size_t i = 0; i < count; ++i) first.try_emplace(test(order[i]).sizes, i);
  std::ranges::stable_sort(order, {}, [&](std::size_t index) {
    return std::pair(std::bit_width(bytes_of(lab, test(index))) / 4, first.at(test(index).sizes));
  });
  return order;
}

SubmissionEnd end_within(SubmissionProcess& process, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (process.running() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(2ms);
  process.kill();
  return process.wait();
}

/// Its first few different lines, shortened; no message if there are none. The report escapes what is not
/// text.
Message printed(const std::string& text) {
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

/// In seconds, with three digits that matter.
double seconds_of(std::chrono::milliseconds time) {
  const double seconds = static_cast<double>(time.count()) / 1000;
  const double unit = std::pow(10, std::floor(std::log10(std::max(seconds, 1e-3))) - 2);
  return unit < 1 ? std::round(seconds / unit) / std::round(1 / unit) : std::round(seconds / unit) * unit;
}

/// The time limit for all cases together after a timeout, because most of them are larger.
std::chrono::milliseconds patience_after_timeout(const Lab& lab) { return 2 * call_timeout(lab); }

}  // namespace

VersionRunner::VersionRunner(RunContext& context, std::filesystem::path executable, std::size_t version_index)
    : context_(context), executable_(std::move(executable)), version_index_(version_index) {}

VersionRunner::~VersionRunner() { end_session(); }

const TestCase& VersionRunner::test_case(std::size_t index) const {
  return index < context_.lab.cases.size() ? context_.lab.cases[index] : context_.lab.timed;
}

Result<void> RunContext::replace_device() {
  device.reset();
  auto started = DeviceProcess::start(device_options);
  if (!started) started = DeviceProcess::start(device_options);  // the process may have been killed at once
  if (!started) return started.problem();
  device = std::move(*started);
  return {};
}

void VersionRunner::end_session() {
  kept_.reset();
  left_.clear();
  allocations_ = leaks_ = 0;
  if (!process_) return;
  process_->kill();
  keep_printed(process_->wait());
  process_.reset();
}

void VersionRunner::keep_printed(const SubmissionEnd& end) {
  constexpr std::size_t kMax = 4096;
  for (const std::string* text : {&end.out, &end.err}) {
    if (printed_.size() < kMax) printed_ += text->substr(0, kMax - printed_.size());
    if (!printed_.empty() && printed_.back() != '\n') printed_ += '\n';
  }
}

Result<std::optional<VersionRunner::FailedStart>> VersionRunner::start(const std::filesystem::path& program) {
  auto client = context_.device->new_client();
  if (!client) {
    if (auto replaced = context_.replace_device(); !replaced) return replaced.problem();
    client = context_.device->new_client();
    if (!client) return client.problem();
  }
  auto process = SubmissionProcess::start(program, *client, context_.lab.limits);
  ::close(*client);
  if (!process) return process.problem();
  process_ = std::move(*process);
  const std::array pid{process_->pid()};
  context_.device->client_is(pid[0]);
  const auto begin = Clock::now();
  bool starved = true, busy = false, ready = false, has_left = false;
  ProcessorShare took;
  for (int round = 0; !ready && starved && round < kMaxStarts && !context_.cancelled(); ++round) {
    const auto asked = Clock::now();
    ready = static_cast<bool>(context_.device->wait_ready(kStartTimeout));
    has_left = Clock::now() - asked < kStartTimeout;
    const ProcessorShare share = between({}, processor_use(pid), Clock::now() - begin);
    starved = process_->running() && share.ran < kStartTimeout && share.starved();
    busy = share.ran * 2 >= share.wall;
    took = share;
  }
  if (context_.budget)
    context_.budget->charge(std::chrono::duration<double>(took.idle_wall()).count(),
                            std::chrono::duration<double>(took.ran).count());
  if (ready) return std::optional<FailedStart>();
  // A program that has left the device is about to exit, or has closed its socket and lives on.
  const SubmissionEnd end = end_within(*process_, has_left ? kEndTimeout : 0ms);
  process_.reset();
  keep_printed(end);
  ended_by_others_ = end.by_others;
  const Message& memory_limit = context_.device->memory_limit();
  const bool timed_out = end.exit == SubmissionExit::Killed;
  const EndVerdict verdict = memory_limit.empty() ? verdict_of_end(end, timed_out)
                                                  : EndVerdict{Verdict::MemoryLimit, memory_limit, {}, {}};
  start_verdict_ = verdict.verdict;
  // A program needs milliseconds to get here. One that was busy most of the time was computing. One that was
  // not may have waited for a disk or for a machine that stood still.
  const bool doubtful = !timed_out || starved || !busy;
  return std::optional(FailedStart{msg::failed_before_entries(verdict.message), doubtful, timed_out});
}

/// If the submission ends before its entries are ready although another program gets that far, process_ stays
/// null and start_verdict_ is set.
Result<void> VersionRunner::start_session() {
  auto failed = start(executable_);
  const MemoryKills kills;
  if (!failed || (*failed && (*failed)->doubtful)) failed = start(executable_);
  if (!failed) return failed.problem();
  if (!*failed) {
    start_verdict_ = Verdict::Accepted;
    return {};
  }
  if (context_.cancelled()) return error(msg::interrupted());
  if ((*failed)->doubtful && !(*failed)->timed_out && kills.any())
    return error(msg::machine_out_of_memory((*failed)->why), msg::give_more_memory());
  if (ended_by_others_)
    return error(msg::ended_by_others_twice((*failed)->why), msg::find_who_ends_programs());
  start_message_ = (*failed)->why;
  start_advice_ = msg::look_before_main();
  return (*failed)->doubtful ? machine_starts_programs() : Result<void>();
}

Result<void> VersionRunner::machine_starts_programs() {
  std::error_code gone;
  if (!std::filesystem::exists(executable_, gone))
    return error(msg::built_submission_vanished(executable_.string()), msg::run_grader_again());
  if (!context_.control) return {};
  const auto program = context_.control();
  if (!program) return program.problem();
  const Verdict found = start_verdict_;
  const auto failed = start(*program);
  end_session();
  start_verdict_ = found;
  if (!failed) return failed.problem();
  if (*failed) return error(msg::machine_starts_nothing((*failed)->why));
  return {};
}

/// Handles every end except a call that returned and left its results.
VersionRunner::TransientFailure VersionRunner::judge_end(const CallOutcome& outcome,
                                                         std::chrono::milliseconds timeout,
                                                         CaseEvidence& evidence) {
  EndVerdict verdict;
  TransientFailure trouble;
  if (outcome.end == CallEnd::SubmissionGone || outcome.end == CallEnd::TimedOut) {
    // Gone may also mean that the program closed its socket and lives on. The grader then gives it a moment
    // to exit by itself before it ends it.
    const auto patience = outcome.end == CallEnd::TimedOut ? 0ms : kEndTimeout;
    const SubmissionEnd end = end_within(*process_, patience);
    keep_printed(end);
    process_.reset();
    verdict = verdict_of_end(end, outcome.end == CallEnd::TimedOut);
    if (end.perhaps_by_others) trouble = end.message;
    ended_by_others_ = end.by_others;
    if (verdict.verdict == Verdict::Timeout) verdict.message = msg::call_timeout(seconds_of(timeout));
    explain_by_device(outcome, verdict);
  } else if (outcome.end == CallEnd::ProtocolViolation) {
    verdict = {Verdict::RuleViolation, msg::unknown_request(outcome.detail), msg::use_cuda_calls_only(), {}};
  } else if (outcome.end == CallEnd::MemoryLimit) {
    verdict = {Verdict::MemoryLimit, outcome.detail, msg::use_less_device_memory(), {}};
  } else {
    explain_by_device(outcome, verdict);
  }
  end_session();  // after a fault every CUDA call of that process fails, so the next case starts a new one
  evidence.verdict = verdict.verdict;
  evidence.message = std::move(verdict.message);
  evidence.advice = std::move(verdict.advice);
  evidence.where = std::move(verdict.where);
  evidence.fault =
      outcome.fault.kind == sim::FaultKind::OutOfBounds || outcome.fault.kind == sim::FaultKind::Misaligned;
  evidence.refused_kernel = std::move(verdict.refused_kernel);
  evidence.failed_call = std::move(verdict.failed_call);
  return trouble;
}

Result<void> VersionRunner::explain_sum(const TestCase& test, const CaseData& data,
                                        const CaseBuffers& buffers, const CallOutcome& outcome,
                                        CaseAnswer& answer) {
  constexpr std::size_t kKept = 64 << 10;
  const bool unexplained =
      answer.verdict == Verdict::WrongAnswer && answer.mismatch.guess.empty() && answer.mismatch.stored();
  const CaseOutputs before = std::exchange(left_, {});
  std::size_t bytes = 0;
  for (const auto& output : data.poisoned_outputs) bytes += output.size();
  if (!unexplained && bytes > kKept) return {};
  auto outputs = buffers.outputs(context_.lab);
  if (!outputs) return outputs.problem();
  if (unexplained) {
    SumTrouble trouble;
    // The simulator does not track provenance through the host.
    if (outcome.bytes_to_device == 0)
      trouble = trouble_of_sum(context_.lab, test, data, outcome.origins, *outputs);
    if (!trouble.reason.empty()) {
      answer.seen = trouble.reason;
    } else if (added_to_the_last(context_.lab, test, data, before, *outputs)) {
      trouble = {msg::kept_from_last_call(), msg::zero_sum_each_call()};
      answer.mismatch.guess = trouble.reason;
    }
    if (!trouble.reason.empty()) {
      answer.message.add(std::move(trouble.reason));
      answer.advice = std::move(trouble.advice);
    }
  }
  left_ = std::move(*outputs);
  return {};
}

void VersionRunner::look_for_leak(std::size_t index, const CallOutcome& outcome) {
  // Allocations that are kept from call to call may grow now and then, but not with every call.
  constexpr std::size_t kEnough = 4;
  leaks_ += outcome.allocations_left > allocations_ ? 1 : 0;
  allocations_ = outcome.allocations_left;
  if (leaks_ < kEnough) return;
  notes_.try_emplace(NoteKey{"", 0, msg::memory_leaked.id},
                     KnownNote{msg::memory_leaked(leaks_, allocations_, outcome.bytes_left), {}, index});
}

void VersionRunner::explain_copies(const TestCase& test, const CallOutcome& outcome,
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

CaseEvidence VersionRunner::blank(std::size_t index, CallMode mode, const CaseData& data) const {
  const TestCase& test = test_case(index);
  CaseEvidence evidence;
  evidence.name = test.name();
  evidence.timed = index == context_.lab.cases.size();
  evidence.drawn = !test.least.empty();
  evidence.watched = mode == CallMode::Watched;
  evidence.has_output = has_output_elements(context_.lab, test);
  for (const auto& bytes : data.inputs) evidence.input_bytes += bytes.size();
  for (const auto& bytes : data.poisoned_outputs) evidence.output_bytes += bytes.size();
  for (const Parameter& p : context_.lab.parameters) {
    if (p.role == ParameterRole::Input) evidence.input_elements += element_count(p, test);
    if (p.role == ParameterRole::Output) evidence.output_elements += element_count(p, test);
  }
  if (const auto& sums = context_.lab.sums) {
    evidence.factors = static_cast<double>(evidence.output_elements) *
                       static_cast<double>(test.size(sums->over)) * sums->factors;
  }
  evidence.followed = index == followed_;
  return evidence;
}

VersionRunner::TransientFailure VersionRunner::repeat_without_host(std::size_t index,
                                                                   const CallOutcome& outcome,
                                                                   CaseBuffers& buffers,
                                                                   CaseEvidence& evidence) {
  using Repeated = CaseEvidence::Repeated;
  if (evidence.verdict != Verdict::Accepted || !host_could_compute(evidence, 0)) return {};
  if (outcome.recording == 0) {
    evidence.repeated = Repeated::Unknown;
    return {};
  }
  const TestCase& test = test_case(index);
  const CaseData other = make_case(
      context_.lab, context_.oracle, test,
      {context_.seed, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(version_index_), 1});
  auto inputs = CaseBuffers::make(*context_.device, context_.device_options.kind, context_.lab, test, other,
                                  context_.seed);
  if (!inputs || !buffers.copy_from(*inputs)) return msg::no_room_for_second_input();
  evidence.repeated = Repeated::Wrong;
  // The kernels may well fail if they run on a new input with data that the host derived from the first
  // input.
  if (!context_.device->replay(outcome.recording, false, call_timeout(context_.lab))) return {};
  const auto answer = buffers.check(context_.lab, test, other);
  if (!answer) return msg::results_unreadable(answer.problem().message);
  if (answer->verdict == Verdict::Accepted) evidence.repeated = Repeated::Right;
  return {};
}

Result<CaseBuffers> VersionRunner::arrays(const TestCase& test, const CaseData& data) {
  auto kept = std::exchange(kept_, std::nullopt);
  if (kept && kept->first == test.sizes) {
    if (auto filled = kept->second.fill(context_.lab, data); !filled) return filled.problem();
    return std::move(kept->second);
  }
  kept.reset();
  return CaseBuffers::make(*context_.device, context_.device_options.kind, context_.lab, test, data,
                           context_.seed);
}

Result<VersionRunner::TransientFailure> VersionRunner::try_case(std::size_t index,
                                                                std::chrono::milliseconds timeout,
                                                                CallMode mode, const CaseData& data,
                                                                CaseEvidence& evidence) {
  const TestCase& test = test_case(index);
  const Version& version = context_.lab.versions[version_index_];
  auto buffers = arrays(test, data);
  if (!buffers) return TransientFailure(msg::no_room_for_arrays(buffers.problem().message));
  CallResults results = results_of(context_.lab, version, test, *buffers, index == followed_);
  results.untimed = index != context_.lab.cases.size() || closer_;
  results.reversed = in_reverse(index) && !forward_;
  results.in_order = forward_;
  results.repeatable = index == followed_;
  if (mode != CallMode::Plain) results.draw = mix_key({context_.seed, version_index_, index}) | 1;
  CallOutcome outcome = context_.device->call(static_cast<std::uint32_t>(version_index_),
                                              buffers->arguments(), timeout, mode, std::move(results));
  if (context_.cancelled()) return error(msg::interrupted());
  if (context_.budget) context_.budget->charge(outcome);
  if (!outcome.machine_failed.empty()) {
    buffers->abandon();
    return error(msg::machine_cannot_grade(outcome.machine_failed), msg::grade_when_less_busy());
  }
  if (outcome.end == CallEnd::DeviceLost || outcome.end == CallEnd::MemoryLimit) buffers->abandon();
  if (outcome.end == CallEnd::DeviceLost) return TransientFailure(msg::device_lost_in_call(outcome.detail));
  evidence.bytes_to_device = outcome.bytes_to_device;
  evidence.bytes_to_host = outcome.bytes_to_host;
  evidence.argument_bytes = outcome.argument_bytes;
  evidence.copies_ns = outcome.copies_ns;
  evidence.bytes_put_last = outcome.bytes_put_last;
  TransientFailure trouble;
  if (!outcome.sound()) {
    trouble = judge_end(outcome, timeout, evidence);
    if (!outcome.starved.empty()) {
      if (auto busy = too_busy_to_judge(outcome.starved.english())) return *std::move(busy);
    }
  } else {
    auto answer = buffers->check(context_.lab, test, data, context_.fingerprints);
    if (!answer) return TransientFailure(msg::results_unreadable_after_call(answer.problem().message));
    if (auto read = explain_sum(test, data, *buffers, outcome, *answer); !read)
      return TransientFailure(msg::results_unreadable_after_call(read.problem().message));
    explain_copies(test, outcome, *answer);
    look_for_leak(index, outcome);
    evidence.verdict = answer->verdict;
    evidence.message = std::move(answer->message);
    evidence.advice = std::move(answer->advice);
    evidence.fingerprint = answer->fingerprint;
    if (evidence.verdict != Verdict::Accepted) explain_wrong_answer(outcome, evidence);
    explain_findings(outcome, *answer, evidence);
    explain_untouched(outcome, *answer, evidence);
    using Reason = CaseEvidence::Reason;
    evidence.reason = !answer->seen.empty() || !evidence.where.file.empty() ? Reason::Seen
                      : answer->mismatch.guess.empty()                      ? Reason::None
                                                                            : Reason::Guessed;
    evidence.mismatch = answer->mismatch;
    if (evidence.reason != Reason::Guessed) evidence.mismatch.guess = {};
    if (evidence.verdict == Verdict::WrongAnswer && evidence.where.file.empty() &&
        !answer->short_call.empty()) {
      evidence.failed_call = answer->short_call;
      evidence.failed_word = answer->short_word;
    } else if (answer->mismatch.stored() || outcome.launches.empty())
      place_wrong_answer(outcome, *answer, evidence);
    for (Note& note : notes_of(outcome, evidence.where)) {
      auto& known = notes_.try_emplace(note.about, KnownNote{{}, {}, index}).first->second;
      if (!known.text.empty() && known.first_case <= index) continue;
      known = {std::move(note.text), std::move(note.advice), index};
    }
  }
  if (index == followed_ && !trouble) trouble = repeat_without_host(index, outcome, *buffers, evidence);
  if (outcome.recording != 0) (void)context_.device->forget(outcome.recording);
  // After a fault the session is gone, and perhaps the device too.
  if (outcome.sound()) kept_.emplace(test.sizes, std::move(*buffers));
  evidence.launches = std::move(outcome.launches);
  if (!evidence.timed) sum_up(evidence.launches);
  evidence.origins = std::move(outcome.origins);
  return trouble;
}

Result<CaseEvidence> VersionRunner::run_case(std::size_t index, std::chrono::milliseconds timeout,
                                             CallMode mode) {
  const auto made = context_.cases->make(
      context_.lab, context_.oracle, test_case(index),
      {context_.seed, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(version_index_), 0});
  const CaseData& data = *made;
  for (int attempt = 0;; ++attempt) {
    const MemoryKills kills;
    CaseEvidence evidence = blank(index, mode, data);
    ended_by_others_ = false;
    if (!process_) {
      if (auto started = start_session(); !started) return started.problem();
      if (start_verdict_ != Verdict::Accepted) return evidence;
    }
    auto trouble = try_case(index, timeout, mode, data, evidence);
    if (!trouble) return trouble.problem();
    if (!*trouble) return evidence;
    // One failure may be bad luck or caused by earlier calls. Two failures on the same case are the
    // submission's fault, if the device handles the same requests without it.
    end_session();
    if (auto replaced = context_.replace_device(); !replaced) return replaced.problem();
    if (attempt == 0) continue;
    if (kills.any()) return error(msg::machine_out_of_memory(**trouble), msg::give_more_memory());
    if (ended_by_others_) return error(msg::ended_by_others_twice(**trouble), msg::find_who_ends_programs());
    if (auto holds = device_holds(test_case(index), data); !holds) return holds.problem();
    if (evidence.verdict == Verdict::NotGraded) {
      evidence.verdict = Verdict::RuntimeError;
      evidence.message = std::move(**trouble);
      evidence.advice = msg::look_for_large_allocations();
    }
    return evidence;
  }
}

Result<void> VersionRunner::device_holds(const TestCase& test, const CaseData& data) {
  const auto buffers = CaseBuffers::make(*context_.device, context_.device_options.kind, context_.lab, test,
                                         data, context_.seed);
  if (!buffers) return buffers.problem();
  const auto read = buffers->outputs(context_.lab);
  return read ? Result<void>() : Result<void>(read.problem());
}

Result<void> VersionRunner::call_before(const std::vector<std::size_t>& order, std::size_t index,
                                        const std::vector<CaseEvidence>& cases) {
  if (process_ || index == order.front()) return {};
  for (const std::size_t earlier : order) {
    if (earlier == index) return {};
    const Verdict was = cases[earlier].verdict;
    if (!cases[earlier].has_output || (was != Verdict::Accepted && was != Verdict::WrongAnswer)) continue;
    auto again = run_case(earlier, call_timeout(context_.lab), CallMode::Plain);
    return again ? Result<void>() : Result<void>(again.problem());
  }
  return {};
}

Result<VersionEvidence> VersionRunner::run_all() {
  VersionEvidence evidence;
  evidence.name = context_.lab.versions[version_index_].name;
  const std::size_t count = context_.lab.cases.size() + 1;
  evidence.cases.resize(count);
  if (simulates(context_.device_options.kind)) followed_ = case_to_follow(context_.lab);
  for (std::size_t index = 0; index < count; ++index) {
    evidence.cases[index].name = test_case(index).name();
    evidence.cases[index].has_output = has_output_elements(context_.lab, test_case(index));
  }
  std::optional<Clock::time_point> deadline;  // set once a case was too slow
  const std::vector<std::size_t> order = order_of_cases(context_.lab, context_.seed + version_index_);
  for (const std::size_t index : order) {
    if (context_.cancelled()) return error(msg::interrupted());
    std::chrono::milliseconds timeout = call_timeout(context_.lab);
    if (context_.budget) timeout = std::min(timeout, context_.budget->left());
    if (timeout < call_timeout(context_.lab) / 4) {
      evidence.cases[index].verdict = Verdict::Timeout;
      evidence.cases[index].message = msg::budget_spent(std::llround(context_.budget->seconds()));
      evidence.cases[index].advice = msg::look_at_calls_before();
      continue;
    }
    if (deadline) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now());
      if (left < timeout / 4) break;  // too short to call any case slow
      if (index != context_.lab.cases.size())
        timeout = std::min(timeout, left);  // the timed case is worth most
    }
    if (auto called = call_before(order, index, evidence.cases); !called) return called.problem();
    const bool small = index != context_.lab.cases.size() && is_small(context_.lab, test_case(index));
    auto run = run_case(index, timeout, small ? CallMode::Watched : CallMode::Sampled);
    if (!run) return run.problem();
    if (auto explained = explain_by_order(index, *run); !explained) return explained.problem();
    evidence.cases[index] = std::move(*run);
    if (start_verdict_ != Verdict::Accepted) {
      evidence.state = start_verdict_;
      evidence.message = start_message_;
      evidence.advice = start_advice_;
      break;
    }
    if (evidence.cases[index].verdict == Verdict::Timeout && !deadline)
      deadline = Clock::now() + patience_after_timeout(context_.lab);
  }
  end_session();
  if (evidence.state == Verdict::Accepted) {
    drop_odd_guesses(evidence.cases);
    explain_by_divisor(evidence.cases);
    if (auto explained = explain_by_the_others(order, evidence.cases); !explained) return explained.problem();
    if (auto looked = look_closer(evidence.cases); !looked) return looked.problem();
    if (auto known = follow_another(evidence.cases); !known) return known.problem();
  }
  const bool failed = std::ranges::any_of(evidence.cases, [](const CaseEvidence& test) {
    return test.verdict != Verdict::Accepted && test.verdict != Verdict::NotGraded;
  });
  if (const Message text = printed(printed_); failed && !text.empty()) evidence.notes.emplace_back(text);
  for (const auto& [about, note] : notes_) {
    const bool said = std::ranges::any_of(evidence.cases, [&](const CaseEvidence& test) {
      return says(test, {about, note.text, note.advice});
    });
    if (!said) evidence.notes.emplace_back(msg::note_first_in(note.text, test_case(note.first_case).name()));
  }
  return evidence;
}

Result<CaseEvidence> VersionRunner::run_timed() {
  auto evidence = run_case(context_.lab.cases.size(), call_timeout(context_.lab), CallMode::Plain);
  end_session();
  if (evidence && start_verdict_ != Verdict::Accepted) {
    evidence->verdict = start_verdict_;
    evidence->message = start_message_;
  }
  return evidence;
}

}  // namespace cudalabs
