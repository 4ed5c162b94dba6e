#include "grader/grading/measure_version.h"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "grader/base/log/stats.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/random.h"
#include "grader/grading/explain/answer.h"
#include "grader/grading/explain/verdict.h"
#include "grader/grading/measure/judged_call.h"
#include "grader/grading/measure/statistics.h"

namespace cudalabs {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::uint32_t kInputSets = 3;      // each repetition draws its input from these
constexpr std::size_t kFewest = 20;          // repetitions
constexpr std::size_t kMax = 400;            // repetitions
constexpr std::chrono::seconds kLongest{4};  // for all repetitions of one version
constexpr double kWidth = 0.01;              // of the median's confidence interval, relative to the median
constexpr int kKernelRepetitions = 11;       // when each launch is timed alone

/// One of the two programs that are compared.
struct Side {
  std::filesystem::path executable;
  std::string name;  ///< for messages
  std::unique_ptr<SubmissionProcess> process{};
  std::uint32_t recording = 0;  ///< 0: the program is called each time
  CallTime time{};
  std::vector<Sample> samples{};
};

class Comparison {
 public:
  /// `judged`: the submission's call on the simulator.
  Comparison(RunContext& context, std::size_t version, const std::filesystem::path& submission,
             const std::filesystem::path& reference, const CaseEvidence& judged)
      : context_(context),
        version_(version),
        judged_{judged.launches, judged.bytes_to_host > 0, sim::Limits{}.multiprocessors},
        student_{submission, "the submission"},
        reference_{reference, "the reference solution"},
        random_(mix_key({context.seed, version})) {}
  ~Comparison() {
    end(student_);
    end(reference_);
    for (Side* side : {&student_, &reference_}) {
      if (side->recording != 0) (void)context_.device->forget(side->recording);
    }
  }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  Result<Measurement> run() {
    if (auto made = make_inputs(); !made) return made.problem();
    for (Side* side : {&reference_, &student_}) {
      if (auto recorded = record(*side); !recorded) return recorded.problem();
      if (!failure_.empty()) return result();
    }
    const bool live = reference_.recording == 0 || student_.recording == 0;
    if (auto timed = live ? time_live() : time_replays(); !timed) return timed.problem();
    return result();
  }

  /// The wrong answer of the submission in a timed repetition.
  [[nodiscard]] const CaseAnswer& answer() const { return answer_; }
  [[nodiscard]] bool device_lost() const { return device_lost_; }
  void abandon_buffers() {
    for (CaseBuffers& set : sets_) set.abandon();
    student_.recording = reference_.recording = 0;
  }

 private:
  DeviceProcess& device() { return *context_.device; }
  [[nodiscard]] const TestCase& test() const { return context_.lab.timed; }
  [[nodiscard]] std::chrono::milliseconds timeout() const { return call_timeout(context_.lab); }
  /// The buffers that both programs use. The input sets follow it in sets_.
  CaseBuffers& work() { return sets_.front(); }

  Result<void> make_inputs() {
    for (std::uint32_t set = 0; set < kInputSets; ++set) {
      const CaseKey key{context_.seed, context_.lab.case_number(context_.lab.cases.size()),
                        static_cast<std::uint32_t>(version_), set + 1};
      data_.push_back(make_case(context_.lab, context_.oracle, test(), key));
    }
    for (std::size_t i = 0; i <= data_.size(); ++i) {
      auto made = CaseBuffers::make(device(), context_.device_options.kind, context_.lab, test(),
                                    data_[i == 0 ? 0 : i - 1], context_.seed);
      if (!made) return made.problem();
      sets_.push_back(std::move(*made));
    }
    return {};
  }

  /// Copies fresh inputs and poisoned outputs into work(). Returns the index of the input set.
  Result<std::size_t> refresh() {
    const std::size_t set = random_.below(drawn_++, data_.size());
    if (auto copied = work().copy_from(sets_[set + 1]); !copied) return copied.problem();
    return set;
  }

  /// Times the two programs in turns, on the same buffers.
  Result<void> time_replays() {
    if (auto timed = repeat({&student_, &reference_}); !timed) return timed;
    for (Side* side : {&student_, &reference_}) {
      if (!failure_.empty()) break;
      if (auto timed = time_kernels(*side); !timed) return timed;
    }
    return {};
  }

  /// Times one program after the other, because the device serves one program at a time. It times both,
  /// because a live time includes the host's part and can only be compared with another live time.
  Result<void> time_live() {
    for (Side* side : {&reference_, &student_}) {
      if (side->recording != 0) {
        (void)device().forget(side->recording);
        side->recording = 0;
        side->time.live_reason = msg::other_program_is_live();
      }
    }
    for (Side* side : {&reference_, &student_}) {
      if (auto started = start(*side); !started) return started;
      if (!failure_.empty()) break;
      if (auto timed = repeat({side}); !timed) return timed;
      end(*side);
    }
    return {};
  }

  Result<void> start(Side& side) {
    auto client = device().new_client();
    if (!client) return client.problem();
    auto process = SubmissionProcess::start(side.executable, *client, context_.lab.limits);
    ::close(*client);
    if (!process) return process.problem();
    side.process = std::move(*process);
    if (auto ready = device().wait_ready(10s); !ready)
      fail(side, msg::did_not_start_again(ready.problem().message));
    return {};
  }

  Result<void> record(Side& side) {
    if (auto started = start(side); !started || !failure_.empty()) return started;
    auto set = refresh();
    if (!set) return set.problem();
    const CallOutcome outcome = call(CallMode::Recorded);
    if (!returned(side, outcome) || !as_judged(side, outcome)) return {};
    if (auto checked = check(side, *set); !checked) return checked;
    side.recording = outcome.recording;
    side.time.live_reason = outcome.live_reason;
    end(side);
    return {};
  }

  CallOutcome call(CallMode mode) {
    return device().call(static_cast<std::uint32_t>(version_), work().arguments(), timeout(), mode);
  }

  bool returned(const Side& side, const CallOutcome& outcome) {
    if (outcome.sound()) return true;
    device_lost_ = true;
    fail(side, outcome.fault.kind != sim::FaultKind::None ? messages_of(outcome.fault)
               : !outcome.destroyed_by.empty()
                   ? Messages(msg::arrays_of_repetition_gone(outcome.destroyed_by))
               : outcome.detail.empty() ? Messages(msg::repetition_did_not_return())
                                        : outcome.detail);
    return false;
  }

  /// A replay repeats the recorded call, so it is enough to check that call.
  bool as_judged(const Side& side, const CallOutcome& outcome) {
    if (&side != &student_) return true;
    const auto found = first_difference(
        judged_, {outcome.launches, outcome.bytes_to_host > 0, device().facts().multiprocessors});
    if (!found) return true;
    fail(side, found->what);
    advice_ = found->advice;
    return false;
  }

  Result<void> check(const Side& side, std::size_t set) {
    const auto arrays = work().read(context_.lab, test(), data_[set]);
    if (!arrays) return arrays.problem();
    CaseAnswer answer = judge_answer(context_.lab, test(), data_[set], *arrays);
    if (answer.verdict == Verdict::Accepted) return {};
    fail(side, msg::timed_repetition_wrong(answer.message));
    if (&side == &student_) answer_ = std::move(answer);
    return {};
  }

  /// Takes one more sample of this side.
  Result<void> sample(Side& side) {
    auto set = refresh();
    if (!set) return set.problem();
    Sample sample;
    if (side.recording != 0) {
      auto times = device().replay(side.recording, false, timeout());
      if (!times) {
        device_lost_ = true;
        fail(side, msg::replay_failed(times.problem().message));
        return {};
      }
      sample = {times->call_ns, times->clock_mhz};
    } else {
      const CallOutcome outcome = call(CallMode::Timed);
      if (!returned(side, outcome) || !as_judged(side, outcome)) return {};
      sample = {outcome.call_ns, outcome.clock_mhz};
    }
    if (auto checked = check(side, *set); !checked) return checked;
    side.samples.push_back(sample);
    return {};
  }

  /// Samples the sides in turns until both medians are known well enough.
  Result<void> repeat(const std::vector<Side*>& sides) {
    const auto begin = Clock::now();
    for (std::size_t round = 0; round < kMax; ++round) {
      for (Side* side : sides) {
        if (context_.cancelled()) return error(msg::interrupted());
        if (auto taken = sample(*side); !taken) return taken;
        if (!failure_.empty()) return {};
      }
      for (Side* side : sides) summarise(*side);
      const bool enough = std::all_of(sides.begin(), sides.end(), [](const Side* side) {
        return side->time.repetitions >= kFewest && side->time.relative_width() < kWidth;
      });
      if (enough || Clock::now() - begin > kLongest) break;
    }
    return {};
  }

  void summarise(Side& side) {
    clock_mhz_ = std::max({clock_mhz_, top_clock(side.samples)});
    const std::vector<double> times = at_full_clock(side.samples, clock_mhz_);
    const MedianInterval interval = median_interval(times);
    side.time.call_ns = interval.median;
    side.time.low_ns = interval.low;
    side.time.high_ns = interval.high;
    side.time.repetitions = static_cast<std::uint32_t>(times.size());
    side.time.throttled = static_cast<std::uint32_t>(side.samples.size() - times.size());
  }

  /// Times each launch alone. Events between launches would lengthen the whole call, so this is a separate
  /// measurement.
  Result<void> time_kernels(Side& side) {
    if (side.recording == 0) return {};
    std::vector<double> sums;
    for (int i = 0; i < kKernelRepetitions; ++i) {
      auto set = refresh();
      if (!set) return set.problem();
      const auto times = device().replay(side.recording, true, timeout());
      if (!times) {
        device_lost_ = true;
        fail(side, msg::replay_failed(times.problem().message));
        return {};
      }
      if (auto checked = check(side, *set); !checked || !failure_.empty()) return checked;
      sums.push_back(std::accumulate(times->launch_ns.begin(), times->launch_ns.end(), 0.0));
    }
    side.time.kernel_ns = median_interval(std::move(sums)).median;
    return {};
  }

  Result<Measurement> result() {
    if (course_failed_) return error(msg::reference_not_timed(failure_), msg::course_is_at_fault());
    Measurement measured{student_.time, reference_.time, 0, clock_mhz_, failure_, advice_};
    const DeviceFacts& facts = device().facts();
    const double peak = peak_bytes_per_ns(facts.memory_clock_khz, facts.memory_bus_bits);
    double input_bytes = 0;
    for (const auto& input : data_.front().inputs) input_bytes += static_cast<double>(input.size());
    if (peak > 0) measured.least_ns = input_bytes / peak;
    if (failure_.empty() && measured.student.call_ns < measured.least_ns)
      measured.problem = msg::impossibly_fast(measured.student.call_ns, measured.least_ns);
    return measured;
  }

  void fail(const Side& side, const Messages& what) {
    if (!failure_.empty()) return;
    failure_ = what;
    course_failed_ = &side == &reference_;
  }

  static void end(Side& side) {
    if (!side.process) return;
    side.process->kill();
    (void)side.process->wait();
    side.process.reset();
  }

  RunContext& context_;
  std::size_t version_;
  ObservedCall judged_;
  Side student_, reference_;
  std::vector<CaseData> data_;
  std::deque<CaseBuffers> sets_;
  Random random_;
  std::uint64_t drawn_ = 0;
  double clock_mhz_ = 0;
  Messages failure_, advice_;
  bool course_failed_ = false, device_lost_ = false;
  CaseAnswer answer_;
};

}  // namespace

Result<Measurement> measure_version(RunContext& context, const std::filesystem::path& submission,
                                    const std::filesystem::path& reference, std::size_t version,
                                    CaseEvidence& timed) {
  const logging::Timed timing(logging::Metric::Measure);
  bool lost = false;
  const auto compare = [&] {
    Comparison comparison(context, version, submission, reference, timed);
    auto result = comparison.run();
    lost = comparison.device_lost() || !result;
    if (lost) comparison.abandon_buffers();
    const CaseAnswer& answer = comparison.answer();
    if (answer.verdict != Verdict::Accepted) {
      timed.verdict = answer.verdict;
      timed.message = msg::in_timed_repetition(answer.message);
      timed.advice = answer.advice;
    }
    return result;
  };
  for (bool again = false;; again = true) {
    auto measured = compare();
    if (lost) {
      if (auto replaced = context.replace_device(); !replaced) return replaced.problem();
    }
    // A single loss of the device may be caused by the machine or by an earlier faulty case.
    if (!lost || again || context.cancelled()) return measured;
  }
}

}  // namespace cudalabs
