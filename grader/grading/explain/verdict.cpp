#include "grader/grading/explain/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <ranges>
#include <set>

#include "grader/base/human.h"
#include "grader/diagnostics/messages/cudart.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/diagnostics/messages/faults.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/grading/score/remarks.h"
#include "grader/submission/array_names.h"
#include "grader/submission/launch_line.h"
#include "grader/submission/source_text.h"

namespace cudalabs {
namespace {

Message failure_of(const ApiError& error) { return msg::call_failed(error.call, error.error, error.detail); }

Message scene_of(const sim::Fault& fault) {
  if (!fault.placed) return msg::in_kernel(fault.kernel);
  return msg::in_kernel_thread(fault.kernel, fault.block[0], fault.block[1], fault.block[2], fault.thread[0],
                               fault.thread[1], fault.thread[2]);
}

Message scene_of(const sim::FindingSide& side) {
  if (side.what.empty()) return {};
  if (side.by_host) return side.line == 0 ? Message() : msg::asked_in_line(side.line);
  return msg::access_by_thread(side.what, side.thread[0], side.thread[1], side.thread[2], side.block[0],
                               side.block[1], side.block[2], side.line);
}

/// The lines of a finding; one bug may have several.
std::set<std::uint32_t> lines_of(const sim::Finding& finding) {
  std::set<std::uint32_t> lines{finding.here.line};
  for (const sim::FindingSide& side : finding.more) lines.insert(side.line);
  return lines;
}

using sim::Explains;

/// How much a finding explains. A missing barrier causes races and reads of values that are not written yet:
/// the race is the cause. checkers.def says what each checker's findings explain.
Explains weight_of(const sim::Finding& finding) {
  if (finding.message.contains(msg::unwritten_output_read)) return Explains::Certain;
  const sim::CheckerInfo& checker = sim::checker_info(finding.checker);
  if (finding.severity == sim::Severity::Error) return checker.error;
  // Devices since Volta do not wait at a barrier for threads that have exited.
  if (finding.message.contains(msg::barrier_not_reached_by_all)) return Explains::Nothing;
  return checker.warning;
}

/// Empty if the call's line is not known.
Location place_of_call(const ApiError& error) {
  if (error.line == 0) return {};
  return Location{base_name(error.file), static_cast<int>(error.line), 0};
}

/// The kernel whose launch was refused; empty if the call is no launch.
std::string refused_kernel_of(const ApiError& error) {
  if (!error.detail.is(msg::launch_refused)) return "";
  return std::get<std::string>(error.detail.arguments()[0]);
}

/// Why the call was refused, without the kernel's name.
Message refusal_of(const ApiError& error) {
  if (!error.detail.is(msg::launch_refused)) return error.detail;
  const Messages& why = std::get<Messages>(error.detail.arguments()[1]);
  return why.empty() ? Message() : why[0];
}

bool names_reason(const ApiError& error) { return !error.detail.empty(); }

/// Returns whether a block has too many threads although none of its dimensions alone is too large.
bool block_has_sides(const Message& refusal) {
  constexpr std::int64_t kLongest = 1024;
  return refusal.is(msg::block_too_many_threads) &&
         std::ranges::all_of(refusal.arguments() | std::views::take(3),
                             [](const Argument& side) { return std::get<std::int64_t>(side) <= kLongest; });
}

Message advice_for(const ApiError& error) {
  struct Known {
    const MessageRow& refusal;
    const TypedRow<Signature{}>& advice;
  };
  static constexpr std::array kKnown{
      Known{msg::grid_empty, msg::round_blocks_up},
      Known{msg::grid_too_long, msg::lay_blocks_along_x},
      Known{msg::block_empty, msg::threads_come_second},
      Known{msg::block_side_too_long, msg::swap_sides_of_block},
      Known{msg::block_too_many_threads, msg::blocks_come_first},
      Known{msg::launch_bounds_exceeded, msg::keep_launch_bounds},
      Known{msg::registers_exceeded, msg::use_fewer_registers},
      Known{msg::shared_memory_exceeded, msg::make_tile_smaller},
      Known{msg::cooperative_blocks_exceeded, msg::launch_blocks_that_fit},
      Known{msg::range_not_in_allocation, msg::compare_count_with_array},
      Known{msg::texture_not_in_allocation, msg::compare_count_with_array},
      Known{msg::copy_kind_not_for_pointer, msg::arrays_are_on_device},
      Known{msg::copy_kind_not_for_variable, msg::variable_is_on_device},
      Known{msg::copy_leaves_variable, msg::declare_variable_large},
      Known{msg::not_a_device_variable, msg::pass_variable_itself},
      Known{msg::pointer_not_allocated, msg::free_allocation_once},
  };
  const Message refusal = refusal_of(error);
  if (block_has_sides(refusal)) return msg::sides_of_block_multiply();
  const auto* const known =
      std::ranges::find_if(kKnown, [&](const Known& row) { return refusal.is(row.refusal); });
  return known == kKnown.end() ? msg::repair_failed_call() : known->advice();
}

/// Each process reports an unsupported call only once, and its errors are attached to every case.
bool is_unsupported(const ApiError& error) { return error.error == "cudaErrorNotSupported"; }

/// Reports the call that failed before the device did, if there is one: it may have caused the later failure.
void report_failed_before(const CallOutcome& outcome, EndVerdict& verdict) {
  const auto first = std::ranges::find_if_not(outcome.api_errors, is_unsupported);
  if (first == outcome.api_errors.end() || follows_fault(*first)) return;
  verdict.message = {failure_of(*first), msg::and_then(std::move(verdict.message))};
  verdict.advice = names_reason(*first) ? advice_for(*first) : msg::check_every_call();
}

void place_failed_calls(const Submission& submission, const std::string& entry, VersionEvidence& version) {
  for (CaseEvidence& test : version.cases) {
    if (!test.where.file.empty()) continue;
    const std::string& source = submission.source.content;
    const std::string& launched = test.shown_launch.empty() ? test.refused_kernel : test.shown_launch;
    const int line = launched.empty() ? call_line(source, test.failed_call, test.failed_word, entry)
                                      : launch_line(source, launched);
    if (line != 0) test.where = Location{submission.source.name, line, 0};
  }
}

/// Of the lines that store, shows the one that names the wrong output, or else one that names no other.
void place_store(const Submission& submission, const Lab& lab, CaseEvidence& test) {
  if (test.stores.size() < 2 || test.where != test.stores.front()) return;
  if (parameters_with(lab, ParameterRole::Output).size() < 2) return;
  const std::vector<std::string> lines = split_lines(without_comments(submission.source.content));
  const auto names = [&](const Location& where, const std::string& output) {
    return where.file == submission.source.name && where.line >= 1 &&
           static_cast<std::size_t>(where.line) <= lines.size() &&
           has_word(lines[static_cast<std::size_t>(where.line) - 1], output);
  };
  const auto names_other = [&](const Location& where) {
    return std::ranges::any_of(lab.parameters, [&](const Parameter& p) {
      return p.acts_as(ParameterRole::Output) && p.name != test.mismatch.output && names(where, p.name);
    });
  };
  auto shown = std::ranges::find_if(
      test.stores, [&](const Location& where) { return names(where, test.mismatch.output); });
  if (shown == test.stores.end()) shown = std::ranges::find_if_not(test.stores, names_other);
  if (shown != test.stores.end()) {
    test.where = *shown;
    return;
  }
  test.where = {};
  for (const Message& about_line :
       {msg::line_writes_others(), msg::line_stores_it(), msg::line_stores_them()})
    test.advice.remove(about_line);
}

void place_deeds(const Submission& submission, const std::string& entry, VersionEvidence& version) {
  const std::string& source = submission.source.content;
  for (CaseEvidence& test : version.cases) {
    for (RuleDeed& deed : test.deeds) {
      if (!deed.where.file.empty()) continue;
      const bool library = deed.rule == Rule::Thrust || deed.rule == Rule::Cub;
      int line =
          library ? library_line(source, spelling(deed.rule), entry) : launch_line(source, deed.kernel);
      if (line == 0 && deed.rule == Rule::Cub)  // Thrust sorts by kernels of CUB
        line = library_line(source, spelling(Rule::Thrust), entry);
      if (line != 0) deed.where = Location{submission.source.name, line, 0};
    }
  }
}

void name_arrays(const Submission& submission, VersionEvidence& version) {
  std::vector<std::string_view> sources{submission.source.content};
  for (const SourceFile& header : submission.headers) sources.push_back(header.content);
  for (CaseEvidence& test : version.cases) {
    test.message = with_array_names(test.message, sources);
    test.advice = with_array_names(test.advice, sources);
  }
}

/// Tells of the launch first: its grid is too small, and the wrong elements follow from that.
bool tell_grid(const LaunchRecord& launch, Messages told, Message advice, CaseEvidence& evidence) {
  told.add(std::move(evidence.message));
  evidence.message = std::move(told);
  evidence.advice = std::move(advice);
  evidence.shown_launch = launch.kernel;
  return true;
}

/// As many elements as the only launch has threads were written, and none of those behind them: the number of
/// blocks was rounded down. Returns whether that is so.
bool explain_too_few_threads(const CallOutcome& outcome, const Mismatch& wrong, CaseEvidence& evidence) {
  if (outcome.launches.size() != 1 || !wrong.none_written() || wrong.index.size() != 1) return false;
  const LaunchRecord& launch = outcome.launches.front();
  const std::uint64_t written = wrong.total - wrong.count;
  const std::uint64_t threads = std::uint64_t{launch.grid.x} * launch.block.x;
  const bool only_x = launch.grid.y * launch.grid.z * launch.block.y * launch.block.z == 1;
  if (!only_x || threads != written || !std::cmp_equal(wrong.index.front(), written)) return false;
  return tell_grid(launch, msg::too_few_threads(launch.grid.x, launch.block.x, threads, wrong.total),
                   msg::blocks_for_all(launch.block.x), evidence);
}

/// The same in two dimensions: the upper left part of the output was written, in which each block of the only
/// launch has a part of one size.
bool explain_too_few_blocks(const CallOutcome& outcome, const Mismatch& wrong, CaseEvidence& evidence) {
  if (outcome.launches.size() != 1 || !wrong.none_written() || wrong.index.size() != 2) return false;
  const LaunchRecord& launch = outcome.launches.front();
  const std::int64_t rows = wrong.extents[0], cols = wrong.extents[1];
  const auto written = static_cast<std::int64_t>(wrong.total - wrong.count);
  const std::int64_t wide = wrong.index[0] == 0 ? wrong.index[1] : cols;  // of the first row that is written
  if (wide == 0 || written % wide != 0) return false;
  const std::int64_t high = written / wide;
  const std::int64_t across = launch.grid.x, down = launch.grid.y;
  const bool even = (wide % across == 0 && high % down == 0) || (high % across == 0 && wide % down == 0);
  // Blocks that are numbered along x need not lie side by side.
  if (down < 2 || launch.grid.z != 1 || !even || high > rows) return false;
  return tell_grid(launch, msg::too_few_blocks(fmt::format("{} x {}", across, down), high, wide, rows, cols),
                   msg::blocks_for_both(), evidence);
}

}  // namespace

EndVerdict verdict_of_end(const SubmissionEnd& end, bool timed_out) {
  using enum SubmissionExit;
  switch (end.exit) {
    case OutputLimit: return {Verdict::OutputLimit, end.message, msg::remove_printing(), {}};
    case FileLimit: return {Verdict::OutputLimit, end.message, msg::write_no_files(), {}};
    case MemoryLimit: return {Verdict::MemoryLimit, end.message, msg::free_host_memory(), {}};
    case TaskLimit: return {Verdict::RuntimeError, end.message, msg::use_no_host_threads(), {}};
    case Exited:
      if (timed_out) break;
      return {Verdict::RuntimeError, how_it_ended(end, false), msg::return_from_entry(), {}};
    case Crashed:
      if (timed_out) break;
      return {Verdict::RuntimeError,
              end.message,
              end.signal == "SIGSEGV" ? msg::parameters_are_device_pointers() : msg::debug_entry(),
              {}};
    case Killed:
      if (timed_out) break;
      return {Verdict::RuntimeError, how_it_ended(end, false), msg::leave_descriptors(), {}};
  }
  return {Verdict::Timeout, how_it_ended(end, true), msg::look_for_endless_loop(), {}};
}

Verdict verdict_of_start(const FailedStart& start) {
  return start.memory_limit ? Verdict::MemoryLimit : verdict_of_end(start.end, start.timed_out).verdict;
}

Messages messages_of(const sim::Fault& fault) {
  Messages all = fault.message;
  all.add(scene_of(fault));
  return all;
}

void explain_by_device(const CallOutcome& outcome, EndVerdict& verdict) {
  const sim::Fault& fault = outcome.fault;
  if (fault.kind != sim::FaultKind::None) {
    verdict.verdict =
        fault.kind == sim::FaultKind::InstructionLimit ? Verdict::Timeout : Verdict::RuntimeError;
    verdict.message = messages_of(fault);
    verdict.advice = fault.advice;
    verdict.where = Location{base_name(fault.file), static_cast<int>(fault.line), 0};
    report_failed_before(outcome, verdict);
    return;
  }
  if (!outcome.destroyed_by.empty()) {
    const bool reset = outcome.destroyed_by != "cudaFree()";
    verdict.verdict = Verdict::RuntimeError;
    verdict.message =
        reset ? msg::arrays_destroyed(outcome.destroyed_by) : msg::array_freed(outcome.destroyed_by);
    verdict.advice = reset ? msg::remove_reset() : msg::free_own_only();
    return;
  }
  if (verdict.verdict == Verdict::Timeout) report_failed_before(outcome, verdict);
  if (verdict.verdict != Verdict::RuntimeError || outcome.api_errors.empty()) return;
  const ApiError& first = outcome.api_errors.front();
  verdict.message = {failure_of(first), msg::and_then(std::move(verdict.message))};
  verdict.advice = advice_for(first);
  verdict.where = place_of_call(first);
  verdict.refused_kernel = refused_kernel_of(first);
  verdict.failed_call = first.call;
}

namespace {

/// The output of which no element was written.
std::optional<std::string> never_written_output(const Messages& messages) {
  for (const Message& message : messages) {
    if (message.is(msg::never_written) || message.is(msg::all_never_written) || message.is(msg::none_changed))
      return std::get<std::string>(message.arguments()[0]);
  }
  return std::nullopt;
}

/// A poison that is a large number keeps its bits when small ones are added to it.
void report_lost_additions(const CallOutcome& outcome, CaseEvidence& evidence) {
  const sim::Counters total = total_counters(outcome.launches);
  if (total.global_atomic_requests == 0 || total.global_store_requests > 0) return;
  const std::optional<std::string> output = never_written_output(evidence.message);
  if (!output || evidence.mismatch.in_place) return;
  evidence.message = msg::never_set(*output);
  evidence.advice = msg::set_before_adding();
}

}  // namespace

void explain_wrong_answer(const CallOutcome& outcome, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer) return;
  if (!outcome.api_errors.empty() && !is_unsupported(outcome.api_errors.front())) {
    const ApiError& first = outcome.api_errors.front();
    evidence.verdict = Verdict::RuntimeError;
    evidence.message =
        msg::call_failed_and(first.call, first.error, first.detail, std::move(evidence.message));
    evidence.advice = names_reason(first) ? advice_for(first) : msg::check_every_call();
    evidence.where = place_of_call(first);
    evidence.refused_kernel = refused_kernel_of(first);
    evidence.failed_call = first.call;
  } else if (!outcome.api_errors.empty() || !outcome.unsupported_calls.empty()) {
    const std::string& call =
        outcome.api_errors.empty() ? outcome.unsupported_calls.front() : outcome.api_errors.front().call;
    evidence.verdict = Verdict::RuntimeError;
    evidence.message = msg::unsupported_call_and(call, std::move(evidence.message));
    evidence.advice = msg::solve_without_call();
  } else {
    report_lost_additions(outcome, evidence);
  }
}

void explain_findings(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence) {
  const Message& guess = answer.explanation();
  const bool right = evidence.verdict == Verdict::Accepted;
  if (!right && evidence.verdict != Verdict::WrongAnswer) return;
  const sim::Finding* cause = nullptr;
  for (const sim::Finding& finding : outcome.findings) {
    const Explains weight = weight_of(finding);
    if (weight < (right ? Explains::Certain : guess.empty() ? Explains::Hint : Explains::Possible)) continue;
    if (finding.checker == sim::Checker::Initcheck && !answer.short_call.empty()) {
      evidence.unsound |= weight == Explains::Certain;
      continue;
    }
    if (cause == nullptr || weight > weight_of(*cause)) cause = &finding;
  }
  if (cause == nullptr) return;
  evidence.message.remove(guess);
  Messages message = msg::seen_by_checker(cause->message, scene_of(cause->here), scene_of(cause->other));
  message.add(right ? Messages(msg::right_by_luck()) : evidence.message);
  evidence.message = std::move(message);
  evidence.advice = cause->advice;
  evidence.where = Location{base_name(cause->here.file), static_cast<int>(cause->here.line), 0};
  if (right) evidence.verdict = Verdict::RuntimeError;
  evidence.unsound = weight_of(*cause) == Explains::Certain;
}

void place_wrong_answer(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer || !evidence.where.file.empty()) return;
  if (explain_too_few_threads(outcome, answer.mismatch, evidence)) return;
  if (explain_too_few_blocks(outcome, answer.mismatch, evidence)) return;
  if (outcome.launches.empty()) {
    evidence.advice = evidence.input_elements == 0 ? msg::store_for_empty_input() : msg::launch_a_kernel();
    return;
  }
  const auto stores = [](const sim::Counters& c) {
    return c.global_store_requests + c.global_atomic_requests;
  };
  const auto last =
      std::ranges::find_if(outcome.launches.rbegin(), outcome.launches.rend(),
                           [&](const LaunchRecord& launch) { return stores(launch.counters) > 0; });
  if (last == outcome.launches.rend()) return;
  std::vector<const sim::LineCounters*> lines;
  for (const sim::LineCounters& at : last->lines)
    if (stores(at.counters) > 0) lines.push_back(&at);
  if (lines.empty()) return;
  std::ranges::stable_sort(lines, std::greater<>(), [&](const auto* at) { return stores(at->counters); });
  for (const sim::LineCounters* at : lines)
    evidence.stores.push_back({base_name(at->file), static_cast<int>(at->line), 0});
  evidence.where = evidence.stores.front();
  evidence.advice.add(answer.mismatch.none_written() ? msg::line_writes_others()
                      : answer.explanation().empty() ? msg::line_stores_it()
                                                     : msg::line_stores_them());
}

void explain_untouched(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer || !answer.untouched || !evidence.where.file.empty()) return;
  const sim::Counters total = total_counters(outcome.launches);
  // A GPU has no counters, and adding to a poison that is a large number may leave no trace.
  if (total.warp_instructions == 0 || total.global_atomic_requests > 0) return;
  const std::optional<std::string> output = never_written_output(evidence.message);
  if (!output) return;
  if (total.global_store_requests == 0) {
    evidence.message.add(msg::nothing_stored());
    evidence.advice = msg::no_thread_stores();
    return;
  }
  const auto stores = [](const sim::Counters& c) { return c.global_store_requests; };
  const LaunchRecord& most = *std::ranges::max_element(
      outcome.launches, {}, [&](const LaunchRecord& launch) { return stores(launch.counters); });
  evidence.message.add(msg::stored_elsewhere(most.kernel.substr(0, most.kernel.find('<'))));
  evidence.advice =
      outcome.bytes_to_host > 0 ? msg::copy_result_to_device(*output) : msg::pass_output_to_kernel(*output);
  const auto line = std::ranges::max_element(
      most.lines, {}, [&](const sim::LineCounters& at) { return stores(at.counters); });
  if (line == most.lines.end() || stores(line->counters) == 0) return;
  evidence.where = Location{base_name(line->file), static_cast<int>(line->line), 0};
  evidence.advice.add(msg::line_stores_elsewhere());
}

void consult_source(const Submission& submission, const Lab& lab, const std::string& entry,
                    VersionEvidence& version) {
  for (CaseEvidence& test : version.cases) place_store(submission, lab, test);
  place_failed_calls(submission, entry, version);
  place_deeds(submission, entry, version);
  name_arrays(submission, version);
}

void overrule(VersionEvidence& simulated, VersionEvidence on_card) {
  if (on_card.state != Verdict::Accepted) {
    simulated.state = on_card.state;
    simulated.message = msg::on_gpu(std::move(on_card.message));
    simulated.advice = std::move(on_card.advice);
    return;
  }
  for (std::size_t i = 0; i < simulated.cases.size(); ++i) {
    CaseEvidence& known = simulated.cases[i];
    CaseEvidence& found = on_card.cases[i];
    if (known.verdict != Verdict::Accepted || found.verdict == Verdict::Accepted) continue;
    known.verdict = found.verdict;
    known.message = found.message.empty() ? Message() : msg::on_gpu(std::move(found.message));
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
    timed.message = msg::other_kernels_on_gpu();
    timed.advice = msg::launch_same_kernels();
  }
}

bool says(const CaseEvidence& test, const Note& note) {
  if (test.advice.empty() || note.advice != test.advice) return false;
  return (!test.failed_call.empty() && note.about.subject == test.failed_call) ||
         (note.about.line > 0 && static_cast<int>(note.about.line) == test.where.line);
}

std::vector<Note> notes_of(const CallOutcome& outcome, const Location& shown) {
  std::vector<Note> notes;
  for (const std::string& call : outcome.unsupported_calls)
    notes.push_back({{call, 0, msg::unsupported_call.id}, msg::unsupported_call(call), {}});
  for (const sim::Finding& finding : outcome.findings) {
    if (weight_of(finding) == Explains::Certain) continue;  // the case's failure already reports these
    // If warps race, lanes do too. The barrier that orders the warps also orders the lanes.
    if (finding.checker == sim::Checker::Racecheck && static_cast<int>(finding.here.line) == shown.line)
      continue;
    const auto races_here = [&](const sim::Finding& race) {
      return weight_of(race) == Explains::Certain && race.checker == sim::Checker::Racecheck &&
             (race.here.line == finding.here.line || race.other.line == finding.here.line ||
              std::ranges::find(race.more, finding.here.line, &sim::FindingSide::line) != race.more.end());
    };
    // The missing barrier explains this read: other threads have yet to write the value.
    if (finding.checker == sim::Checker::Initcheck && std::ranges::any_of(outcome.findings, races_here))
      continue;
    NoteKey about{finding.here.file, finding.here.line, ""};
    for (const Message& advice : finding.advice) about.what += packed(advice);
    if (std::ranges::find(notes, about, &Note::about) != notes.end()) continue;
    const std::set<std::uint32_t> lines = lines_of(finding);
    notes.push_back({std::move(about),
                     msg::note_of_lines(lines.size(), fmt::format("{}", fmt::join(lines, ", ")),
                                        finding.message, finding.advice),
                     finding.advice});
  }
  if (!outcome.api_errors.empty() && !is_unsupported(outcome.api_errors.front())) {
    const ApiError& first = outcome.api_errors.front();
    notes.push_back({{first.call, 0, first.error},
                     msg::note_of_failed_call(failure_of(first), advice_for(first)),
                     advice_for(first)});
  }
  return notes;
}

}  // namespace cudalabs
