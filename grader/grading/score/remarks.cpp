#include "grader/grading/score/remarks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "grader/base/human.h"
#include "grader/diagnostics/messages/score.h"

namespace cudalabs {
namespace {

/// Explains why results do not come through shared memory although the kernels use it, if that is so.
std::optional<Remark> come_past_shared(const sim::Provenance& origins) {
  // Half of the data may bypass shared memory, because a kernel may stage only one of two matrices.
  constexpr double kMax = 0.6;
  if (auto unknown = not_known(origins)) return unknown;
  if (!origins.known) return std::nullopt;
  if (origins.elements == 0) {
    return Remark{msg::shared_not_in_results(), msg::use_values_read(), {}};
  }
  const double past = static_cast<double>(origins.past_shared) / static_cast<double>(origins.elements);
  if (past <= kMax) return std::nullopt;
  const Location where{base_name(origins.file), static_cast<int>(origins.line), 0};
  if (origins.own_reads > 9 * origins.others_reads) {
    return Remark{msg::shared_read_by_owner(), msg::share_between_threads(), where};
  }
  return Remark{msg::results_past_shared(percent(past, 1)), msg::compute_from_tile(), where};
}

/// Does the same for constant memory: one input must be there, and the results must use what the kernels read
/// from it.
std::optional<Remark> come_past_constant(const sim::Provenance& origins) {
  if (auto unknown = not_known(origins)) return unknown;
  // An unset constant, or a copy of an array that is also read from global memory, does not count.
  const bool little_from_table = origins.from_table * 4 <= origins.table * origins.results;
  const std::uint64_t elsewhere = origins.from_table + origins.made_by_host;
  if (!origins.known || (origins.constants > elsewhere && little_from_table)) return std::nullopt;
  const auto mean = [&](std::uint64_t sum) {
    return std::llround(static_cast<double>(sum) /
                        static_cast<double>(std::max<std::uint64_t>(origins.results, 1)));
  };
  return Remark{origins.constants == 0 ? msg::constant_not_in_results()
                                       : msg::results_past_constant(mean(origins.constants), mean(elsewhere)),
                msg::compute_from_constant(),
                {}};
}

/// The amount of data that must go through shared memory is a share of the input. A tile holds every element.
/// A block that reduces a row keeps one partial result for each thread, some hundred for a thousand elements,
/// and that is legitimate too. A token access moves next to nothing. The requirement's limit lies in between.
/// The provenance of a small case decides. The timed case's bytes are only known from lane averages, so they
/// only need to come near the limit.
StructureRemark judge_shared_memory(const StructurePoints& requirement, const CaseEvidence& timed,
                                    const sim::Provenance& origins) {
  const sim::Counters total = total_counters(timed.launches);
  // Counts active lanes: a single thread that stores repeatedly counts as one. Atomics both store and load.
  const auto stored =
      static_cast<double>(total.shared_store_bytes + total.shared_copied_bytes + total.shared_atomic_bytes);
  const auto loaded = static_cast<double>(total.shared_load_bytes + total.shared_atomic_bytes);
  const double needed = requirement.limit * static_cast<double>(timed.input_bytes);

  StructureRemark remark;
  // Data that is stored once may be loaded often.
  const double least = std::min(needed, static_cast<double>(timed.input_bytes) / 16);
  const bool followed = origins.known && origins.elements > 0;
  constexpr double kNotFar = 4;
  const double margin = followed ? kNotFar : 1;
  const bool enough = stored * margin >= least && loaded * margin >= needed && stored > 0;
  remark.observed = msg::shared_traffic(static_cast<std::uint64_t>(stored),
                                        static_cast<std::uint64_t>(loaded), timed.input_bytes);
  if (total.source_shared_store_instructions == 0 && total.source_shared_load_instructions == 0) {
    remark.problem = {msg::shared_untouched(), msg::declare_shared_tile(), {}};
    return remark;
  }
  std::optional<Remark> past = come_past_shared(origins);
  remark.satisfied = enough && !past;
  if (remark.satisfied) return remark;
  if (past) {
    remark.problem = std::move(*past);
    return remark;
  }
  remark.problem.reason = msg::shared_bypassed(remark.observed);
  remark.problem.advice = followed && total.warp_exchanges > 0 ? msg::store_before_shuffles()
                          : followed                           ? msg::more_threads_store()
                          : stored < least                     ? msg::stage_every_element()
                                                               : msg::read_from_tile();
  remark.problem.where = worst_line(timed.launches, [](const sim::Counters& c) {
    return static_cast<double>(c.source_shared_store_instructions + c.source_shared_load_instructions);
  });
  return remark;
}

StructureRemark judge_bank_conflicts(const CaseEvidence& timed, const sim::Provenance& origins) {
  const sim::Counters total = total_counters(timed.launches);
  const std::uint64_t conflicts = shared_conflicts(total);
  const std::uint64_t wavefronts = shared_wavefronts(total);
  const std::uint64_t accesses = total.source_shared_load_instructions +
                                 total.source_shared_store_instructions + total.shared_atomic_instructions +
                                 total.shared_copy_wavefronts - total.shared_copy_bank_conflicts;

  const bool flat = timed.launches.empty() || timed.launches.front().block.y == 1;
  StructureRemark remark;
  if (accesses == 0) {
    remark.observed = msg::no_shared_access();
    remark.problem = {
        msg::no_banks_used(), flat ? msg::store_side_by_side() : msg::stage_in_padded_tile(), {}};
    return remark;
  }
  // The last rounds of a tree, and single threads, cause a few accesses in which lanes take turns.
  const bool in_turn = total.shared_serial_conflicts * 4 > accesses;
  remark.satisfied = conflicts == 0 && !in_turn;
  // Warps without an active lane make no pass.
  remark.observed =
      msg::bank_conflicts(conflicts, std::min(accesses, wavefronts - std::min(wavefronts, conflicts)));
  if (remark.satisfied) {
    if (auto past = come_past_shared(origins)) {  // a tile that nothing uses earns no points
      remark.satisfied = false;
      remark.problem = std::move(*past);
    }
    return remark;
  }
  if (conflicts == 0) {
    remark.problem = {msg::lanes_take_turns(total.shared_serial_conflicts), msg::access_tile_at_once(),
                      worst_line(timed.launches, [](const sim::Counters& c) {
                        return static_cast<double>(c.shared_serial_conflicts);
                      })};
    return remark;
  }
  remark.problem.where = worst_line(
      timed.launches, [](const sim::Counters& c) { return static_cast<double>(shared_conflicts(c)); });
  const double ways =
      static_cast<double>(wavefronts) / static_cast<double>(wavefronts - std::min(wavefronts - 1, conflicts));
  remark.problem.reason = msg::bank_conflicts_cost(remark.observed, ways);
  const std::uint32_t width = timed.launches.front().block.x;
  // Shared memory moves this many bytes at once. If a row has that many bytes plus one element, each row
  // begins one bank after the previous one. Shorter rows with such padding overlap in a bank.
  constexpr double kAtOnce = 128, kAboutAll = 0.9;
  const auto bytes = static_cast<double>(total.shared_load_bytes + total.shared_store_bytes);
  const auto plain =
      static_cast<double>(total.source_shared_load_instructions + total.source_shared_store_instructions);
  const bool narrow = width > 1 && width <= 16 && timed.launches.front().block.y > 1 &&
                      bytes / 32 * width < plain * kAtOnce * kAboutAll;
  const bool by_atomics = total.shared_atomic_bank_conflicts * 2 > conflicts;
  remark.problem.advice = by_atomics ? msg::combine_within_warp()
                          : narrow   ? msg::use_wide_blocks(width, 32 / width)
                          : flat     ? msg::access_neighbours_in_shared()
                                     : msg::pad_tile_rows();
  return remark;
}

/// One direction of the traffic with global memory, in warp accesses.
struct Direction {
  std::string_view name;
  std::uint64_t sim::Counters::*requests, sim::Counters::*sectors, sim::Counters::*ideal_sectors,
      sim::Counters::*scattered_sectors;
  std::uint64_t sim::Counters::*bytes;  ///< that lanes ask for; null: not judged
};
constexpr std::array<Direction, 3> kDirections{
    Direction{"loads", &sim::Counters::global_load_requests, &sim::Counters::global_load_sectors,
              &sim::Counters::global_load_ideal_sectors, &sim::Counters::global_load_scattered_sectors,
              &sim::Counters::global_load_bytes},
    Direction{"stores", &sim::Counters::global_store_requests, &sim::Counters::global_store_sectors,
              &sim::Counters::global_store_ideal_sectors, &sim::Counters::global_store_scattered_sectors,
              &sim::Counters::global_store_bytes},
    Direction{"atomics", &sim::Counters::global_atomic_requests,
              &sim::Counters::global_atomic_distinct_sectors, &sim::Counters::global_atomic_ideal_sectors,
              &sim::Counters::global_atomic_scattered_sectors, nullptr}};

/// Subtracts the table reads of CUDA's own sine and similar functions.
sim::Counters without_tables(sim::Counters c) {
  c.global_load_requests -= c.table_load_requests;
  c.global_load_sectors -= c.table_load_sectors;
  c.global_load_ideal_sectors -= c.table_load_ideal_sectors;
  return c;
}

struct LineTraffic {
  Location where;
  sim::Counters counters;
};

/// The counters to judge: those of each source line, so that good accesses elsewhere do not hide bad ones,
/// and their total. Lines that move almost no data compared with the others are left out.
std::vector<LineTraffic> lines_of(std::span<const LaunchRecord> launches, const sim::Counters& total,
                                  const Direction& d) {
  std::map<std::pair<std::string, std::uint32_t>, sim::Counters> by_line;
  for (const LaunchRecord& launch : launches) {
    for (const sim::LineCounters& line : launch.lines)
      by_line[{base_name(line.file), line.line}] += without_tables(line.counters);
  }
  constexpr std::uint64_t kNextToNothing = 32;
  std::vector<LineTraffic> lines;
  for (const auto& [place, counters] : by_line) {
    if (counters.*d.sectors * kNextToNothing > total.*d.sectors)
      lines.push_back({Location{place.first, static_cast<int>(place.second), 0}, counters});
  }
  lines.push_back({worst_line(launches,
                              [&d](const sim::Counters& c) {
                                return c.*d.sectors > c.*d.ideal_sectors
                                           ? static_cast<double>(c.*d.sectors - c.*d.ideal_sectors)
                                           : 0.0;
                              }),
                   total});
  return lines;
}

/// Rounds to three significant digits.
double three_digits(double value) {
  if (value <= 0) return 0;
  const double scale = std::pow(10.0, 2 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

/// The bytes that the sectors of a line move beyond those that its lanes ask for, if that is most of what
/// they move. Neighbours that begin in the middle of a sector waste less.
double wasted(const sim::Counters& c, const Direction& d) {
  if (d.bytes == nullptr) return 0;
  const auto moved = static_cast<double>(c.*d.sectors * sim::kSectorBytes),
             asked = static_cast<double>(c.*d.bytes);
  return moved > 2 * asked ? moved - asked : 0;
}

/// Lanes that access global memory one at a time: each access is perfect and moves a sector for one lane. A
/// few such accesses, as for the sums of blocks, are no fault.
std::optional<Remark> lanes_in_turn(const StructurePoints& requirement, const CaseEvidence& timed,
                                    std::span<const LineTraffic> lines, const Direction& d) {
  const auto data = static_cast<double>(timed.input_bytes + timed.output_bytes);
  double waste = 0;
  std::uint64_t moved = 0, asked = 0;
  for (const LineTraffic& line : lines) {
    const double of_line = wasted(line.counters, d);
    if (of_line == 0) continue;
    waste += of_line;
    moved += line.counters.*d.sectors * sim::kSectorBytes;
    asked += line.counters.*d.bytes;
  }
  if (waste <= (requirement.limit - 1) * data) return std::nullopt;
  return Remark{msg::sectors_for_few_lanes(d.name, moved, asked), msg::access_neighbours_in_global(d.name),
                worst_line(timed.launches, [&d](const sim::Counters& c) { return wasted(c, d); })};
}

StructureRemark judge_coalescing(const StructurePoints& requirement, const CaseEvidence& timed) {
  const sim::Counters total = without_tables(total_counters(timed.launches));
  StructureRemark remark{.satisfied = true, .observed = {}, .problem = {}};
  std::array<Message, kDirections.size()> observed;
  for (std::size_t i = 0; i < kDirections.size(); ++i) {
    const Direction& d = kDirections[i];
    if (total.*d.requests == 0) continue;
    const auto ratio = [&](const sim::Counters& c, std::uint64_t sim::Counters::*what) {
      return static_cast<double>(c.*what) / static_cast<double>(c.*d.requests);
    };
    // Lanes that skip unneeded elements touch more sectors and are still perfect: their traffic is not above
    // the data itself. A strided access fetches each sector many times and is above on both counts.
    const std::uint64_t useful = d.name == "loads" ? timed.input_bytes : timed.output_bytes;
    const double by_traffic = static_cast<double>(total.*d.sectors * sim::kSectorBytes) /
                              static_cast<double>(std::max<std::uint64_t>(useful, 1));
    const LineTraffic* worst = nullptr;
    double highest = 0;
    const std::vector<LineTraffic> lines = lines_of(timed.launches, total, d);
    for (const LineTraffic& line : lines) {
      const double by_request = ratio(line.counters, d.sectors) / ratio(line.counters, d.ideal_sectors);
      if (by_request <= highest) continue;
      highest = by_request;
      worst = &line;
    }
    // Good accesses on the same line must not hide bad ones either, so this counts what single instructions
    // fetch beyond what they request.
    const double by_scatter = 1 + static_cast<double>(total.*d.scattered_sectors * sim::kSectorBytes) /
                                      static_cast<double>(std::max<std::uint64_t>(useful, 1));
    const bool diluted = by_scatter > requirement.limit && highest <= requirement.limit;
    if (diluted) {
      highest = by_scatter;
      worst = &*std::ranges::max_element(lines, {}, [&](const LineTraffic& line) {
        return line.where.file.empty() ? 0 : line.counters.*d.scattered_sectors;
      });
    }
    observed[i] = msg::sectors_of_direction(d.name, ratio(total, d.sectors),
                                            three_digits(ratio(total, d.ideal_sectors)));
    if (!remark.satisfied || by_traffic <= requirement.limit) continue;
    if (highest <= requirement.limit) {
      auto in_turn = lanes_in_turn(requirement, timed, std::span(lines).first(lines.size() - 1), d);
      remark.satisfied = !in_turn;
      if (in_turn) remark.problem = std::move(*in_turn);
      continue;
    }
    remark.satisfied = false;
    remark.problem.reason =
        diluted ? msg::sectors_for_nothing(d.name, total.*d.scattered_sectors * sim::kSectorBytes)
                : msg::not_coalesced(d.name, ratio(worst->counters, d.sectors),
                                     three_digits(ratio(worst->counters, d.ideal_sectors)));
    remark.problem.advice = msg::access_neighbours_in_global(d.name);
    remark.problem.where = worst->where;
  }
  if (std::ranges::all_of(observed, &Message::empty)) {
    remark.satisfied = false;
    remark.observed = msg::no_global_access();
    remark.problem = {msg::global_untouched(), msg::work_on_global(), {}};
  } else {
    remark.observed = msg::sectors_of_accesses(observed[0], observed[1], observed[2]);
  }
  return remark;
}

/// Reads of constant memory are not requests of global memory. A kernel that takes its coefficients from
/// constant memory reads it at least as often as global memory, which holds its other inputs, unless it
/// stores the coefficients elsewhere.
StructureRemark judge_constant_memory(const CaseEvidence& timed, const sim::Provenance& origins) {
  const sim::Counters total = without_tables(total_counters(timed.launches));
  StructureRemark remark;
  // If the provenance of the results is known, it decides: a kernel may read constants once for many results.
  remark.satisfied = total.constant_load_instructions > 0 &&
                     (origins.known || total.constant_load_instructions >= total.global_load_requests);
  remark.observed = msg::constant_reads(total.constant_load_instructions, total.global_load_requests);
  if (remark.satisfied) {
    if (auto past = come_past_constant(origins)) {
      remark.satisfied = false;
      remark.problem = std::move(*past);
    }
    return remark;
  }
  if (total.constant_load_instructions == 0) {
    remark.problem = {msg::constant_unread(), msg::declare_constant(), {}};
    return remark;
  }
  remark.problem.reason = msg::constant_bypassed(remark.observed);
  remark.problem.advice = msg::read_shared_values_from_constant();
  remark.problem.where = worst_line(
      timed.launches, [](const sim::Counters& c) { return static_cast<double>(c.global_load_requests); });
  return remark;
}

}  // namespace

std::uint64_t shared_conflicts(const sim::Counters& c) {
  return c.source_shared_load_bank_conflicts + c.source_shared_store_bank_conflicts +
         c.shared_atomic_bank_conflicts + c.shared_copy_bank_conflicts;
}

std::uint64_t shared_wavefronts(const sim::Counters& c) {
  return c.source_shared_load_wavefronts + c.source_shared_store_wavefronts + c.shared_atomic_wavefronts +
         c.shared_copy_wavefronts;
}

namespace {

template <class Launch, class Sum>
Sum total(std::span<const Launch> launches, Sum Launch::*part) {
  Sum sum;
  for (const Launch& launch : launches) sum += launch.*part;
  return sum;
}

}  // namespace

sim::Counters total_counters(std::span<const LaunchRecord> launches) {
  return total(launches, &LaunchRecord::counters);
}

sim::Counters total_counters(std::span<const LaunchSummary> launches) {
  return total(launches, &LaunchSummary::counters);
}

sim::CostBounds total_bounds(std::span<const LaunchRecord> launches) {
  return total(launches, &LaunchRecord::bounds);
}

sim::CostBounds total_bounds(std::span<const LaunchSummary> launches) {
  return total(launches, &LaunchSummary::bounds);
}

Message what_rules(const sim::CostBounds& bounds) {
  if (bounds.total() <= 0) return {};
  const sim::CostPart& part = sim::largest_part(bounds);
  return msg::largest_part(part.name, percent(bounds.*part.value, bounds.total()));
}

std::int64_t percent(double part, double whole) { return std::llrint(100 * part / whole); }

double total_estimated_ns(std::span<const LaunchRecord> launches) {
  double total = 0;
  for (const LaunchRecord& launch : launches) total += launch.estimated_ns();
  return total;
}

Location worst_line(std::span<const LaunchRecord> launches, const Metric& metric) {
  std::map<std::pair<std::string, std::uint32_t>, double> by_line;
  for (const LaunchRecord& launch : launches) {
    for (const sim::LineCounters& line : launch.lines) {
      by_line[{base_name(line.file), line.line}] += metric(line.counters);
    }
  }
  Location worst;
  double highest = 0;
  for (const auto& [place, value] : by_line) {
    if (value <= highest) continue;
    highest = value;
    worst = Location{place.first, static_cast<int>(place.second), 0};
  }
  return worst;
}

std::optional<Remark> not_known(const sim::Provenance& origins) {
  using Unknown = sim::Provenance::Unknown;
  if (origins.known || origins.why == Unknown::NotAsked) return std::nullopt;
  switch (origins.why) {
    case Unknown::Memory: return Remark{msg::provenance_needs_memory(), msg::use_smaller_arrays(), {}};
    default: return Remark{msg::provenance_needs_steps(), msg::do_less_work(), {}};
  }
}

namespace {

constexpr std::uint64_t kSizeable = 4096;   // bytes of input; below this, partial results may be as large
constexpr std::uint64_t kLarge = 64 << 10;  // from here on partial results are far smaller than the input
constexpr std::uint64_t kPartial = 8;       // partial results are at most 1/8 of the timed input

}  // namespace

std::uint64_t partial_result_bytes(const CaseEvidence& timed) {
  return timed.bytes_to_host * kPartial <= timed.input_bytes ? timed.bytes_to_host : 0;
}

bool host_could_compute(const CaseEvidence& e, std::uint64_t partial_results) {
  return e.bytes_to_host > partial_results && e.bytes_to_host >= e.input_bytes / 2 &&
         (e.input_bytes >= kSizeable || e.bytes_to_device + e.argument_bytes >= e.output_bytes / 2);
}

std::optional<Remark> not_done_by_kernels(const CaseEvidence& e, const WorkAllowed& allowed) {
  const bool by_copies = allowed.by_copies;
  if (e.verdict != Verdict::Accepted || !e.has_output || e.input_bytes == 0) return std::nullopt;
  const auto remark = [](Message reason) {
    return Remark{std::move(reason), msg::kernels_must_compute(), {}};
  };
  if (e.launches.empty()) {
    const bool by_host = e.bytes_to_host > 0 || e.bytes_to_device > 0;
    if (!by_host && (by_copies || e.input_bytes < kSizeable))
      return std::nullopt;  // one element is its own sum
    return Remark{msg::no_kernel_for_answer(by_host, e.name), msg::launch_global_function(), {}};
  }
  const sim::Counters total = total_counters(e.launches);
  const std::uint64_t read = total.global_load_sectors * sim::kSectorBytes;
  const std::uint64_t stored = (total.global_store_sectors + total.global_atomic_sectors) * sim::kSectorBytes;
  if (!by_copies && e.bytes_to_write() >= kSizeable && stored < e.bytes_to_write() / 2) {
    return remark(msg::output_not_stored(e.name, stored, e.bytes_to_write()));
  }
  const sim::Provenance& o = e.origins;
  // Of the outputs' words, those that a kernel has to store last.
  const std::uint64_t words = o.words * e.bytes_to_write() / std::max<std::uint64_t>(e.output_bytes, 1);
  const bool put_last =
      (o.known && o.by_kernels < words / 2) || (e.timed && e.bytes_put_last >= e.output_bytes / 2);
  if (!by_copies && put_last && e.bytes_to_write() >= kSizeable && e.output_bytes * 8 >= e.input_bytes) {
    return remark(msg::output_put_last(e.name));
  }
  constexpr std::uint64_t kSeveral = 32;  // the host may set a few elements one by one
  if (!by_copies && o.known && o.words >= kSeveral && o.moved * 2 > o.words) {
    return remark(msg::output_moved(e.name));
  }
  using Repeated = CaseEvidence::Repeated;
  if (e.repeated == Repeated::Wrong) return remark(msg::wrong_without_host(e.name, e.bytes_to_host));
  if (e.repeated == Repeated::Unknown) return remark(msg::unknown_without_host(e.name, e.bytes_to_host));
  if (e.input_bytes < kSizeable) return std::nullopt;
  // For short inputs and short rows, partial results are as large as the input.
  if (!e.timed && (e.input_bytes < kLarge || e.output_bytes * 8 > e.input_bytes)) return std::nullopt;
  // The host never had as much data as the output holds. The output is then a table made of a few numbers,
  // which may well have passed through the host.
  if (e.output_bytes > e.input_bytes && e.output_bytes > e.bytes_to_device) return std::nullopt;
  const bool host_saw_much = e.bytes_to_host > allowed.partial_results &&
                             e.bytes_to_host * (e.timed ? kPartial : 2) >= e.input_bytes;
  const bool kernels_read_all = read >= e.input_bytes;
  if (host_saw_much && (!kernels_read_all || !allowed.repeated_right)) {
    return remark(msg::host_saw_input(e.name, e.bytes_to_host, e.input_bytes, read));
  }
  if (o.known && o.results == 0 && e.bytes_to_host > allowed.partial_results &&
      e.bytes_to_host >= e.input_bytes / 4 && !allowed.repeated_right) {
    return remark(msg::no_result_by_kernel(e.name, e.bytes_to_host));
  }
  return std::nullopt;
}

StructureRemark judge_structure(const StructurePoints& requirement, const CaseEvidence& timed,
                                const sim::Provenance& origins) {
  switch (requirement.requirement) {
    case Requirement::UsesSharedMemory: return judge_shared_memory(requirement, timed, origins);
    case Requirement::BankConflictFree: return judge_bank_conflicts(timed, origins);
    case Requirement::Coalesced: return judge_coalescing(requirement, timed);
    case Requirement::UsesConstantMemory: return judge_constant_memory(timed, origins);
  }
  std::abort();
}

}  // namespace cudalabs
