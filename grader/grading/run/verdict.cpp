#include "grader/grading/run/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "grader/base/human.h"
#include "grader/device/protocol/cuda_error.h"
#include "grader/diagnostics/messages/compare.h"
#include "grader/grading/score/remarks.h"
#include "grader/submission/launch_line.h"

namespace cudalabs {
namespace {

std::string sentence_of(const ApiError& error) {
  std::string text = fmt::format("{} failed with {}", error.call, error.error);
  if (!error.detail.empty()) text += " (" + error.detail.english() + ")";
  return text;
}

/// "kernel row_max(...), block (0, 0, 0), thread (3, 0, 0)"
std::string scene_of(const sim::Fault& fault) {
  if (!fault.placed) return "kernel " + fault.kernel;
  return fmt::format("kernel {}, block ({}, {}, {}), thread ({}, {}, {})", fault.kernel, fault.block[0],
                     fault.block[1], fault.block[2], fault.thread[0], fault.thread[1], fault.thread[2]);
}

/// "thread (3, 0, 0) of block (0, 0, 0) in line 14"
std::string scene_of(const sim::FindingSide& side) {
  return fmt::format("{} by thread ({}, {}, {}) of block ({}, {}, {}) in line {}", side.what.english(),
                     side.thread[0], side.thread[1], side.thread[2], side.block[0], side.block[1],
                     side.block[2], side.line);
}

std::string sentence_of(const sim::Finding& finding) {
  std::string text = finding.message.english();
  if (!finding.here.what.empty()) text += " (" + scene_of(finding.here);
  if (!finding.other.what.empty()) text += ", " + scene_of(finding.other);
  if (!finding.here.what.empty()) text += ")";
  return text;
}

/// "line 7", or "lines 7, 8, 9" if one bug has several.
std::string lines_of(const sim::Finding& finding) {
  std::set<std::uint32_t> lines{finding.here.line};
  for (const sim::FindingSide& side : finding.more) lines.insert(side.line);
  return lines.size() == 1 ? fmt::format("line {}", finding.here.line)
                           : fmt::format("lines {}", fmt::join(lines, ", "));
}

const char* const kCheckEveryCall =
    "Check the result of every CUDA call, and cudaGetLastError() after every launch: it names the reason.";

/// How much a finding explains. A missing barrier causes races and reads of values that are not written yet:
/// the race is the cause. A program may read a value that was never written and then ignore it, so that
/// matters only if the answer is wrong. Code that relies on lockstep or names exited lanes works on many
/// GPUs, so it is reported only if nothing else is.
constexpr int kHint = 1, kPossible = 2, kCertain = 3;
int weight_of(const sim::Finding& finding) {
  if (finding.kind == sim::kUnwrittenOutput) return kCertain;
  if (finding.severity == sim::Severity::Error)
    return finding.checker == sim::Checker::Initcheck ? kPossible : kCertain;
  if (finding.checker == sim::Checker::Synccheck) return finding.kind == sim::kMissedBarrier ? 0 : kHint;
  return finding.checker == sim::Checker::Racecheck ? kHint : 0;
}

/// "row_max<32>" of "kernel row_max<32>: a grid of (0, 1, 1) blocks is empty"
std::string refused_kernel_of(const ApiError& error) {
  constexpr std::string_view kKernel = "kernel ";
  const std::string detail = error.detail.english();
  const std::size_t end = detail.find(": ");
  if (!detail.starts_with(kKernel) || end == std::string::npos) return "";
  return detail.substr(kKernel.size(), end - kKernel.size());
}

bool names_reason(const ApiError& error) { return !error.detail.empty(); }

/// Returns whether a block has too many threads although none of its dimensions alone is too large.
bool block_has_sides(const std::string& detail) {
  constexpr unsigned kLongest = 1024;
  unsigned x = 0, y = 0, z = 0;
  const std::size_t begin = detail.rfind('(');
  return begin != std::string::npos && detail.ends_with(" threads in all") &&
         std::sscanf(detail.c_str() + begin, "(%u, %u, %u)", &x, &y, &z) == 3 &&
         std::max({x, y, z}) <= kLongest;
}

std::string advice_for(const ApiError& error) {
  /// Advice by the text of a refused launch (sim/base/launch_limits.cpp) or of another call (cudart/).
  static constexpr std::pair<std::string_view, const char*> kKnown[] = {
      {" blocks is empty",
       "Round the number of blocks up; and where there is nothing to do, because a size is 0, return before "
       "the launch."},
      {" blocks, the most is ",
       "Only x of a grid may be longer than 65535: lay the blocks along x, or let each do more."},
      {" threads is empty",
       "Give the block a fixed number of threads, such as 256: in <<<blocks, threads>>> it comes second."},
      {" threads, the most is (",
       "Only 64 threads of a block may lie along z, and 1024 along x and y: swap its sides, or take more "
       "blocks."},
      {" threads in all",
       "Give the block a fixed number of threads, such as 256, and let the number of blocks grow with the "
       "size: in <<<blocks, threads>>> the blocks come first."},
      {"__launch_bounds__ allows ",
       "Launch no more threads a block than the kernel's __launch_bounds__ says."},
      {" registers each, a block has ",
       "Launch fewer threads a block, or say __launch_bounds__(threads) before the kernel's name: then the "
       "compiler uses fewer registers."},
      {" bytes of shared memory asked",
       "Make the tile smaller, or let a block take its part in several rounds: no size of the input may "
       "decide "
       "how much shared memory a block needs."},
      {" blocks in a cooperative launch",
       "Launch as many blocks as cudaOccupancyMaxActiveBlocksPerMultiprocessor() says fit, and let each do "
       "more."},
      {" is not inside one device allocation",
       "The array there has fewer bytes, or it is none of the device: compare the count with the number of "
       "elements times their size, and pass the pointer itself, not its address."},
      {" is not on the side that the cudaMemcpyKind says",
       "The entry's arrays are on the device: copy from one to the device with cudaMemcpyDeviceToDevice, to "
       "a "
       "variable of the host with cudaMemcpyDeviceToHost."},
      {" does not fit a variable on the device",
       "The variable is on the device, and so are the entry's arrays: copy from one of these with "
       "cudaMemcpyDeviceToDevice."},
      {" leaves the variable",
       "Declare the variable as large as the largest input may be (the handout says), and copy no more than "
       "the input has."},
      {" is not a __device__ or __constant__ variable",
       "Pass the variable itself, as it is declared: not a pointer, not its name in quotes."},
      {" was not allocated by cudaMalloc, or was freed before",
       "Free each allocation once, and with it the pointer that cudaMalloc gave."},
  };
  const std::string detail = error.detail.english();
  if (block_has_sides(detail))
    return "The sides of a block multiply: dim3(32, 8) makes 256 threads. Make them smaller, and let each "
           "thread do several elements or the number of blocks grow.";
  for (const auto& [said, advice] : kKnown) {
    if (detail.find(said) != std::string::npos) return advice;
  }
  return "Repair the call that failed first.";
}

/// Each process reports an unsupported call only once, and its errors are attached to every case.
bool is_unsupported(const ApiError& error) { return error.error == "cudaErrorNotSupported"; }

/// Reports the call that failed before the device did, if there is one: it may have caused the later failure.
void report_failed_before(const CallOutcome& outcome, EndVerdict& verdict) {
  const auto first = std::ranges::find_if_not(outcome.api_errors, is_unsupported);
  if (first == outcome.api_errors.end() || follows_fault(*first)) return;
  verdict.message = sentence_of(*first) + "; then " + verdict.message.english();
  verdict.advice = names_reason(*first) ? advice_for(*first) : kCheckEveryCall;
}

}  // namespace

EndVerdict verdict_of_end(const SubmissionEnd& end, bool timed_out) {
  switch (end.exit) {
    case SubmissionExit::OutputLimit:
      return {Verdict::OutputLimit,
              end.sentence,
              "Remove the printing; the grader reads the output array only.",
              {}};
    case SubmissionExit::FileLimit:
      return {Verdict::OutputLimit,
              end.sentence,
              "Do not write files; the grader reads the output array only.",
              {}};
    case SubmissionExit::MemoryLimit:
      return {Verdict::MemoryLimit,
              end.sentence,
              "Free what you allocate on the host, and keep large arrays on the device.",
              {}};
    case SubmissionExit::TaskLimit:
      return {
          Verdict::RuntimeError, end.sentence, "Do the work on the device; host threads are not needed.", {}};
    case SubmissionExit::Exited:
      if (timed_out) break;
      return {Verdict::RuntimeError,
              fmt::format("the program called exit({}) instead of returning from the entry", end.exit_code),
              "Return from the function; on an error, print it and return.",
              {}};
    case SubmissionExit::Crashed:
      if (timed_out) break;
      return {Verdict::RuntimeError,
              end.sentence,
              end.signal == "SIGSEGV" ? "The parameters are device pointers: the host must not read or write "
                                        "through them, only kernels and "
                                        "cudaMemcpy may."
                                      : "Run the entry in a debugger, or print where it gets to.",
              {}};
    case SubmissionExit::Killed:
      if (timed_out) break;
      return {Verdict::RuntimeError,
              "the program closed its connection to the device but went on running",
              "Leave file descriptors alone that the program did not open.",
              {}};
  }
  return {Verdict::Timeout,
          "the program did not go on in time",
          "Look for a loop whose condition never becomes false, and for work that grows with the square of "
          "the size.",
          {}};
}

void explain_by_device(const CallOutcome& outcome, EndVerdict& verdict) {
  const sim::Fault& fault = outcome.fault;
  if (fault.kind != sim::FaultKind::None) {
    verdict.verdict =
        fault.kind == sim::FaultKind::InstructionLimit ? Verdict::Timeout : Verdict::RuntimeError;
    verdict.message = fmt::format("{}; {}", fault.message.english(), scene_of(fault));
    verdict.advice = fault.advice;
    verdict.where = Location{base_name(fault.file), static_cast<int>(fault.line), 0};
    report_failed_before(outcome, verdict);
    return;
  }
  if (!outcome.destroyed_by.empty()) {
    const bool reset = outcome.destroyed_by != "cudaFree()";
    verdict.verdict = Verdict::RuntimeError;
    verdict.message = outcome.destroyed_by + (reset ? " destroyed the arrays" : " freed an array") +
                      " that the entry was given: its results are lost";
    verdict.advice = reset ? "Remove it: the arrays are the caller's, who still needs them after the entry."
                           : "Free only what the entry allocated itself: the caller still needs its arrays.";
    return;
  }
  if (verdict.verdict == Verdict::Timeout) report_failed_before(outcome, verdict);
  if (verdict.verdict != Verdict::RuntimeError || outcome.api_errors.empty()) return;
  verdict.message = sentence_of(outcome.api_errors.front()) + "; then " + verdict.message.english();
  verdict.advice = advice_for(outcome.api_errors.front());
  verdict.refused_kernel = refused_kernel_of(outcome.api_errors.front());
  verdict.failed_call = outcome.api_errors.front().call;
}

namespace {

/// The output of which no element was written.
std::optional<std::string> never_written_output(const Messages& messages) {
  for (const Message& message : messages) {
    if (message.is(msg::never_written) || message.is(msg::all_never_written))
      return std::get<std::string>(message.arguments()[0]);
  }
  return std::nullopt;
}

/// A poison that is a large number keeps its bits when small ones are added to it.
void report_lost_additions(const CallOutcome& outcome, CaseEvidence& evidence) {
  const sim::Counters total = total_counters(outcome.launches);
  if (total.global_atomic_requests == 0 || total.global_store_requests > 0) return;
  const std::optional<std::string> output = never_written_output(evidence.message);
  if (!output) return;
  evidence.message =
      *output +
      " was never set: what atomic operations add to the poison put there before the call is lost in it";
  evidence.advice = kSetFirst;
}

}  // namespace

void explain_wrong_answer(const CallOutcome& outcome, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer) return;
  if (!outcome.api_errors.empty() && !is_unsupported(outcome.api_errors.front())) {
    evidence.verdict = Verdict::RuntimeError;
    evidence.message = sentence_of(outcome.api_errors.front()) + ", and " + evidence.message.english();
    evidence.advice =
        names_reason(outcome.api_errors.front()) ? advice_for(outcome.api_errors.front()) : kCheckEveryCall;
    evidence.refused_kernel = refused_kernel_of(outcome.api_errors.front());
    evidence.failed_call = outcome.api_errors.front().call;
  } else if (!outcome.api_errors.empty() || !outcome.unsupported_calls.empty()) {
    const std::string& call =
        outcome.api_errors.empty() ? outcome.unsupported_calls.front() : outcome.api_errors.front().call;
    evidence.verdict = Verdict::RuntimeError;
    evidence.message =
        fmt::format("{} is not supported here and did nothing, and {}", call, evidence.message.english());
    evidence.advice = "Solve it without this call: the grader's CUDA runtime does not have it.";
  } else {
    report_lost_additions(outcome, evidence);
  }
}

void explain_findings(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence) {
  const Message& guess = answer.guess;
  const bool right = evidence.verdict == Verdict::Accepted;
  if (!right && evidence.verdict != Verdict::WrongAnswer) return;
  const sim::Finding* cause = nullptr;
  for (const sim::Finding& finding : outcome.findings) {
    const int weight = weight_of(finding);
    if (weight < (right ? kCertain : guess.empty() ? kHint : kPossible)) continue;
    if (finding.checker == sim::Checker::Initcheck && !answer.short_call.empty()) {
      evidence.unsound |= weight == kCertain;
      continue;
    }
    if (cause == nullptr || weight > weight_of(*cause)) cause = &finding;
  }
  if (cause == nullptr) return;
  evidence.message.remove(guess);
  Messages told = sentence_of(*cause);
  told.add(right ? Messages("that the answer is right is luck") : evidence.message);
  evidence.message = std::move(told);
  evidence.advice = cause->advice;
  evidence.where = Location{base_name(cause->here.file), static_cast<int>(cause->here.line), 0};
  if (right) evidence.verdict = Verdict::RuntimeError;
  evidence.unsound = weight_of(*cause) == kCertain;
}

void place_wrong_answer(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer || !evidence.where.file.empty()) return;
  if (outcome.launches.empty()) {
    evidence.advice =
        evidence.input_elements == 0
            ? "No kernel was launched in this call: where there is nothing to compute with, the "
              "result must be stored all the same."
            : "No kernel was launched in this call: fill in the function.";
    return;
  }
  const auto stores = [](const sim::Counters& c) {
    return c.global_store_requests + c.global_atomic_requests;
  };
  const auto last =
      std::ranges::find_if(outcome.launches.rbegin(), outcome.launches.rend(),
                           [&](const LaunchRecord& launch) { return stores(launch.counters) > 0; });
  if (last == outcome.launches.rend()) return;
  const auto line = std::ranges::max_element(
      last->lines, {}, [&](const sim::LineCounters& at) { return stores(at.counters); });
  if (line == last->lines.end() || stores(line->counters) == 0) return;
  evidence.where = Location{base_name(line->file), static_cast<int>(line->line), 0};
  evidence.advice.add(
      answer.left_out ? Message("The line shown is where the others are written.")
      : answer.guess.empty()
          ? Message("The line shown is where it is stored: from there, follow back what it is made of.")
          : Message("The line shown is where they are stored."));
}

void explain_untouched(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer || !answer.untouched || !evidence.where.file.empty()) return;
  const sim::Counters total = total_counters(outcome.launches);
  // A GPU has no counters, and adding to a poison that is a large number may leave no trace.
  if (total.warp_instructions == 0 || total.global_atomic_requests > 0) return;
  const std::optional<std::string> output = never_written_output(evidence.message);
  if (!output) return;
  if (total.global_store_requests == 0) {
    evidence.message.add("the kernels that ran stored nothing at all");
    evidence.advice =
        "Look at the condition before the store: no thread comes to it. Compare it, and the number of blocks "
        "and threads, with the sizes of this case.";
    return;
  }
  const auto stores = [](const sim::Counters& c) { return c.global_store_requests; };
  const LaunchRecord& most = *std::ranges::max_element(
      outcome.launches, {}, [&](const LaunchRecord& launch) { return stores(launch.counters); });
  evidence.message.add(fmt::format("no kernel stored into it: what `{}` stored lies in other memory",
                                   most.kernel.substr(0, most.kernel.find('<'))));
  evidence.advice =
      outcome.bytes_to_host > 0
          ? fmt::format(
                "What the host makes of it must be copied to `{0}`: cudaMemcpy({0}, ..., "
                "cudaMemcpyHostToDevice). An assignment to the parameter, {0} = ..., changes a pointer "
                "that the caller never sees.",
                *output)
          : fmt::format(
                "Pass `{0}` to a kernel that stores the result there, or copy the result to it "
                "(cudaMemcpy({0}, ..., cudaMemcpyDeviceToDevice)). Where a kernel has it, look at the "
                "condition before its store.",
                *output);
  const auto line = std::ranges::max_element(
      most.lines, {}, [&](const sim::LineCounters& at) { return stores(at.counters); });
  if (line == most.lines.end() || stores(line->counters) == 0) return;
  evidence.where = Location{base_name(line->file), static_cast<int>(line->line), 0};
  evidence.advice.add("The line shown is where it stores.");
}

void place_failed_calls(const Submission& submission, const std::string& entry, VersionEvidence& version) {
  for (CaseEvidence& test : version.cases) {
    if (!test.where.file.empty()) continue;
    const std::string& source = submission.source.content;
    const int line = test.refused_kernel.empty()
                         ? call_line(source, test.failed_call, test.failed_word, entry)
                         : launch_line(source, test.refused_kernel);
    if (line != 0) test.where = Location{submission.source.name, line, 0};
  }
}

void overrule(VersionEvidence& simulated, VersionEvidence on_card) {
  if (on_card.state != Verdict::Accepted) {
    simulated.state = on_card.state;
    simulated.message = "on the GPU: " + on_card.message.english();
    simulated.advice = std::move(on_card.advice);
    return;
  }
  for (std::size_t i = 0; i < simulated.cases.size(); ++i) {
    CaseEvidence& known = simulated.cases[i];
    CaseEvidence& found = on_card.cases[i];
    if (known.verdict != Verdict::Accepted || found.verdict == Verdict::Accepted) continue;
    known.verdict = found.verdict;
    known.message = found.message.empty() ? Messages() : Messages("on the GPU: " + found.message.english());
    known.advice = std::move(found.advice);
    known.where = std::move(found.where);
  }
  CaseEvidence& timed = simulated.cases.back();
  const auto same_kernel = [](const LaunchRecord& one, const LaunchRecord& other) {
    return one.kernel == other.kernel;
  };
  if (timed.verdict == Verdict::Accepted &&
      !std::ranges::equal(timed.launches, on_card.cases.back().launches, same_kernel)) {
    timed.verdict = Verdict::RuleViolation;
    timed.message = "other kernels are launched on the GPU than on the simulator, which judges the structure";
    timed.advice = "Launch the same kernels on every device; only their grid may depend on it.";
  }
}

bool says(const CaseEvidence& test, const Note& note) {
  const std::string advice = test.advice.english();
  if (advice.empty() || !note.text.english().ends_with(advice)) return false;
  return (!test.failed_call.empty() && note.about.starts_with(test.failed_call)) ||
         note.about.ends_with(fmt::format(":{}: {}", test.where.line, advice));
}

std::vector<Note> notes_of(const CallOutcome& outcome, const Location& told) {
  std::vector<Note> notes;
  const auto tell = [&notes](std::string text) { notes.push_back({text, text}); };
  for (const std::string& call : outcome.unsupported_calls)
    tell(call + " is not supported by the grader's CUDA runtime; it returned cudaErrorNotSupported");
  for (const sim::Finding& finding : outcome.findings) {
    if (weight_of(finding) == kCertain) continue;  // the case's failure already reports these
    // If warps race, lanes do too. The barrier that orders the warps also orders the lanes.
    if (finding.checker == sim::Checker::Racecheck && static_cast<int>(finding.here.line) == told.line)
      continue;
    const auto races_here = [&](const sim::Finding& race) {
      return weight_of(race) == kCertain && race.checker == sim::Checker::Racecheck &&
             (race.here.line == finding.here.line || race.other.line == finding.here.line ||
              std::ranges::find(race.more, finding.here.line, &sim::FindingSide::line) != race.more.end());
    };
    // The missing barrier explains this read: other threads have yet to write the value.
    if (finding.checker == sim::Checker::Initcheck && std::ranges::any_of(outcome.findings, races_here))
      continue;
    std::string about =
        fmt::format("{}:{}: {}", finding.here.file, finding.here.line, finding.advice.english());
    if (std::ranges::find(notes, about, &Note::about) != notes.end()) continue;
    notes.push_back({std::move(about), fmt::format("{}: {}. {}", lines_of(finding), finding.message.english(),
                                                   finding.advice.english())});
  }
  if (!outcome.api_errors.empty() && !is_unsupported(outcome.api_errors.front()))
    notes.push_back(
        {outcome.api_errors.front().call + outcome.api_errors.front().error,
         sentence_of(outcome.api_errors.front()) + ". " + advice_for(outcome.api_errors.front())});
  return notes;
}

}  // namespace cudalabs
