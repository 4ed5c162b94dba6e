#include "grader/grading/run/run_version.h"

#include <unistd.h>

#include <array>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/base/process/processor_use.h"
#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/random.h"
#include "grader/grading/run/followed_case.h"
#include "grader/sim/checkers/base/checker.h"

namespace cudalabs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kStartTimeout = 5s;
/// Time for a program to end after it has left the device. The process and its sandbox need a processor for
/// that.
constexpr std::chrono::milliseconds kEndTimeout = 5s;
constexpr int kMaxStarts = 10;  // on a machine that does not let the program run

SubmissionEnd end_within(SubmissionProcess& process, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (process.running() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(2ms);
  process.kill();
  return process.wait();
}

}  // namespace

VersionRunner::VersionRunner(RunContext& context, std::filesystem::path executable, std::size_t version_index)
    : context_(context), executable_(std::move(executable)), version_index_(version_index) {}

VersionRunner::~VersionRunner() { VersionRunner::end_session(); }

std::chrono::milliseconds VersionRunner::budget_left() {
  return context_.budget ? context_.budget->left() : std::chrono::milliseconds::max();
}

std::chrono::milliseconds VersionRunner::now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
}

Result<void> RunContext::replace_device() {
  device.reset();
  auto started = DeviceProcess::start(device_options);
  if (!started) started = DeviceProcess::start(device_options);  // the process may have been killed at once
  if (!started) return started.problem();
  device = std::move(*started);
  ran_hidden = false;
  return {};
}

void VersionRunner::end_session(Printed printed) {
  forget_recording();
  kept_.reset();
  if (!process_) return;
  process_->kill();
  const SubmissionEnd end = process_->wait();
  if (printed == Printed::Kept) keep_printed(end);
  process_.reset();
}

void VersionRunner::forget_recording() {
  const std::uint32_t recording = std::exchange(recording_, 0);
  if (recording != 0 && context_.device) (void)context_.device->forget(recording);
}

void VersionRunner::keep_printed(const SubmissionEnd& end) {
  constexpr std::size_t kMax = 4096;
  for (const std::string* text : {&end.out, &end.err}) {
    if (printed_.size() < kMax) printed_ += text->substr(0, kMax - printed_.size());
    if (!printed_.empty() && printed_.back() != '\n') printed_ += '\n';
  }
}

Result<std::optional<VersionRunner::NotReady>> VersionRunner::start(const std::filesystem::path& program) {
  auto client = context_.device->new_client();
  if (!client) {
    if (auto replaced = context_.replace_device(); !replaced) return replaced.problem();
    client = context_.device->new_client();
    if (!client) return client.problem();
  }
  TellsDevice tells;
  tells.frames = true;
  tells.stream_order = sim::host_record(context_.device_options.checkers) == sim::HostRecord::Order;
  auto process = SubmissionProcess::start(program, *client, context_.lab.limits, tells);
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
  if (ready) return std::optional<NotReady>();
  // A program that has left the device is about to exit, or has closed its socket and lives on.
  const SubmissionEnd end = end_within(*process_, has_left ? kEndTimeout : 0ms);
  process_.reset();
  ended_by_others_ = end.by_others;
  const Messages memory_limit = context_.device->memory_limit();
  const bool timed_out = end.exit == SubmissionExit::Killed;
  FailedStart failed{
      msg::failed_before_entries(memory_limit.empty() ? how_it_ended(end, timed_out) : memory_limit), end,
      !memory_limit.empty(), timed_out};
  // A program needs milliseconds to get here. One that was busy most of the time was computing. One that was
  // not may have waited for a disk or for a machine that stood still.
  return std::optional(NotReady{std::move(failed), !timed_out || starved || !busy});
}

/// If the submission ends before its entries are ready although another program gets that far, process_ stays
/// null and the observation says why.
Result<void> VersionRunner::start_session(Observation& seen) {
  auto failed = start(executable_);
  const MemoryKills kills;
  if (!failed || (*failed && (*failed)->doubtful)) failed = start(executable_);
  if (!failed) return failed.problem();
  seen.first_call = true;
  if (!*failed) return {};
  if (context_.cancelled()) return error(msg::interrupted());
  const auto& [start, doubtful] = **failed;
  keep_printed(start.end);
  if (doubtful && !start.timed_out && kills.any())
    return error(msg::machine_out_of_memory(start.why), msg::give_more_memory());
  if (ended_by_others_) return error(msg::ended_by_others_twice(start.why), msg::find_who_ends_programs());
  seen.failed_start = start;
  return doubtful ? machine_starts_programs() : Result<void>();
}

Result<void> VersionRunner::machine_starts_programs() {
  std::error_code gone;
  if (!std::filesystem::exists(executable_, gone))
    return error(msg::built_submission_vanished(executable_.string()), msg::run_grader_again());
  if (!context_.control) return {};
  const auto program = context_.control();
  if (!program) return program.problem();
  const auto failed = start(*program);
  end_session();
  if (!failed) return failed.problem();
  if (*failed) return error(msg::machine_starts_nothing((*failed)->start.why));
  return {};
}

VersionRunner::TransientFailure VersionRunner::end_call(Observation& seen) {
  TransientFailure trouble;
  const CallEnd how = seen.outcome.end;
  if (how == CallEnd::SubmissionGone || how == CallEnd::TimedOut) {
    // Gone may also mean that the program closed its socket and lives on. The grader then gives it a moment
    // to exit by itself before it ends it.
    seen.end = end_within(*process_, how == CallEnd::TimedOut ? 0ms : kEndTimeout);
    keep_printed(*seen.end);
    process_.reset();
    if (seen.end->perhaps_by_others) trouble = seen.end->message;
    ended_by_others_ = seen.end->by_others;
  }
  end_session();  // after a fault every CUDA call of that process fails, so the next case starts a new one
  return trouble;
}

Repetition VersionRunner::repeat() {
  Repetition repetition;
  const TestCase& test = context_.test_case(last_index_);
  const CaseData other =
      make_case(context_.lab, context_.oracle, test, context_.key_of(last_index_, version_index_, 1));
  const auto inputs = CaseBuffers::make(*context_.device, context_.device_options.kind, context_.lab, test,
                                        other, context_.seed);
  CaseBuffers& buffers = kept_->second;
  repetition.begun = inputs && buffers.copy_from(*inputs);
  if (!repetition.begun) {
    repetition.trouble = msg::no_room_for_second_input();
    return repetition;
  }
  // The kernels may well fail if they run on a new input with data that the host derived from the first
  // input.
  repetition.done = context_.device->replay(recording_, false, call_timeout(context_.lab)).ok();
  if (!repetition.done) return repetition;
  if (auto arrays = buffers.read(context_.lab, test, other))
    repetition.arrays = std::move(*arrays);
  else
    repetition.trouble = msg::results_unreadable(arrays.problem().message);
  return repetition;
}

Result<Repetition> VersionRunner::repeat_without_host() {
  Repetition repetition = repeat();
  forget_recording();
  if (!repetition.trouble) return repetition;
  if (auto fresh = recover(*repetition.trouble, last_attempt_, last_index_, *last_data_); !fresh)
    return fresh.problem();
  return repetition;
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

Result<VersionRunner::TransientFailure> VersionRunner::try_case(Observation& seen) {
  const CaseRequest& request = seen.request;
  const TestCase& test = context_.test_case(request.index);
  auto buffers = arrays(test, *seen.data);
  if (!buffers) return TransientFailure(msg::no_room_for_arrays(buffers.problem().message));
  const bool timed = request.index == context_.lab.cases.size();
  const Version& version = context_.lab.versions[version_index_];
  CallResults results = results_of(context_.lab, version, test, *buffers, request.followed);
  results.untimed = !timed || request.untimed;
  results.reversed = runs_in_reverse(context_.lab, request.index) && !request.usual_order;
  results.in_order = request.usual_order;
  results.repeatable = request.followed;
  if (request.mode != CallMode::Plain) {
    results.draw = mix_key({context_.seed, version_index_, context_.lab.case_number(request.index)}) | 1;
    results.compares_loads = timed && version.algorithm && version.algorithm->loads_per_factor > 0;
  }
  CallOutcome outcome = context_.device->call(static_cast<std::uint32_t>(version_index_),
                                              buffers->arguments(), request.timeout, request.mode, results);
  if (context_.cancelled()) return error(msg::interrupted());
  if (context_.budget) context_.budget->charge(outcome);
  if (!outcome.machine_failed.empty()) {
    buffers->abandon();
    return error(msg::machine_cannot_grade(outcome.machine_failed), msg::grade_when_less_busy());
  }
  if (outcome.end == CallEnd::DeviceLost || outcome.end == CallEnd::MemoryLimit) buffers->abandon();
  if (outcome.end == CallEnd::DeviceLost) return TransientFailure(msg::device_lost_in_call(outcome.detail));
  seen.called = true;
  seen.outcome = std::move(outcome);
  if (!seen.outcome.sound()) {
    TransientFailure trouble = end_call(seen);
    if (!seen.outcome.starved.empty()) {
      if (auto busy = too_busy_to_judge(seen.outcome.starved)) return *std::move(busy);
    }
    if (seen.outcome.recording != 0) (void)context_.device->forget(seen.outcome.recording);
    return trouble;
  }
  recording_ = seen.outcome.recording;
  auto arrays = buffers->read(context_.lab, test, *seen.data);
  if (!arrays) {
    seen.called = false;
    return TransientFailure(msg::results_unreadable_after_call(arrays.problem().message));
  }
  seen.arrays = std::move(*arrays);
  if (!request.followed) forget_recording();
  kept_.emplace(test.sizes, std::move(*buffers));
  return TransientFailure();
}

Result<Observation> VersionRunner::run(const CaseRequest& request, int attempt) {
  const logging::Timed timed(logging::Metric::RunCase);
  if (context_.cancelled()) return error(msg::interrupted());
  forget_recording();
  last_index_ = request.index;
  last_data_ = context_.data_of(request.index, version_index_);
  for (;; ++attempt) {
    kills_.emplace();
    Observation seen;
    seen.request = request;
    seen.attempt = last_attempt_ = attempt;
    seen.data = last_data_;
    ended_by_others_ = false;
    // The addresses that a device gives tell how much was allocated before.
    const bool hidden = context_.test_case(request.index).hidden();
    if (!hidden && context_.ran_hidden) {
      end_session();
      if (auto replaced = context_.replace_device(); !replaced) return replaced.problem();
    }
    context_.ran_hidden = hidden || context_.ran_hidden;
    if (!process_) {
      if (auto started = start_session(seen); !started) return started.problem();
      if (seen.failed_start) return seen;
    }
    auto trouble = try_case(seen);
    if (!trouble) return trouble.problem();
    if (context_.place_calls) context_.place_calls(seen.outcome, executable_);
    logging::info(logging::Stage::Run, [&] {
      return fmt::format("{}, case {}: {}", context_.lab.versions[version_index_].name,
                         context_.test_case(request.index).shown_name(),
                         *trouble               ? "failed, but it may be the machine"
                         : seen.outcome.sound() ? "ended"
                                                : "failed");
    });
    seen.in_session = process_ != nullptr;
    if (!*trouble) return seen;
    // One failure may be bad luck or caused by earlier calls. Two failures on the same case are the
    // submission's fault, if the device handles the same requests without it.
    if (auto fresh = recover(**trouble, attempt, request.index, *last_data_); !fresh) return fresh.problem();
    if (attempt == 0) continue;
    seen.trouble = std::move(*trouble);
    seen.in_session = false;
    return seen;
  }
}

Result<void> VersionRunner::recover(const Messages& trouble, int attempt, std::size_t index,
                                    const CaseData& data) {
  // What a program says about a device that was taken from it is not about its own work.
  end_session(attempt == 0 ? Printed::Dropped : Printed::Kept);
  if (auto replaced = context_.replace_device(); !replaced) return replaced.problem();
  if (attempt == 0) return {};
  if (kills_->any()) return error(msg::machine_out_of_memory(trouble), msg::give_more_memory());
  if (ended_by_others_) return error(msg::ended_by_others_twice(trouble), msg::find_who_ends_programs());
  return device_holds(context_.test_case(index), data);
}

Result<void> VersionRunner::device_holds(const TestCase& test, const CaseData& data) {
  const auto buffers = CaseBuffers::make(*context_.device, context_.device_options.kind, context_.lab, test,
                                         data, context_.seed);
  if (!buffers) return buffers.problem();
  const auto read = buffers->read(context_.lab, test, data);
  return read ? Result<void>() : Result<void>(read.problem());
}

}  // namespace cudalabs
