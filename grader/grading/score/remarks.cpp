#include "grader/grading/score/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "grader/base/human.h"

namespace cudalabs {
namespace {

/// Explains why results do not come through shared memory although the kernels use it, if that is so.
std::optional<Remark> come_past_shared(const sim::Provenance& origins) {
  // Half of the data may bypass shared memory, because a kernel may stage only one of two matrices.
  constexpr double kMax = 0.6;
  if (auto unknown = not_known(origins)) return unknown;
  if (!origins.known) return std::nullopt;
  if (origins.elements == 0) {
    return Remark{
        "shared memory is used, but no result is made of what lies there: none depends on an element of the "
        "input, as far as loads, sums and addresses show",
        "Compute from the __shared__ tile, with the values that were read, not with what branches make of "
        "them.",
        {}};
  }
  const double past = static_cast<double>(origins.past_shared) / static_cast<double>(origins.elements);
  if (past <= kMax) return std::nullopt;
  const Location where{base_name(origins.file), static_cast<int>(origins.line), 0};
  if (origins.own_reads > 9 * origins.others_reads) {
    return Remark{
        "shared memory is used, but each thread reads there what it has stored itself, which it could have "
        "kept "
        "in a register",
        "Shared memory is for what threads hand each other: let a thread read from the tile what another one "
        "has put there, behind a __syncthreads().",
        where};
  }
  return Remark{
      fmt::format("shared memory is used, but the results are not made of what lies there: {:.0f} % of the "
                  "input elements that a result depends on come to it past shared memory",
                  100 * past),
      "Compute from the __shared__ tile: what you read there must be what the result is made of, not a copy "
      "beside it and not only the finished result.",
      where};
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
  const std::string none = "the results do not depend on it";
  const std::string few = fmt::format(
      "a result depends on {} from there and on {} in global memory, of the same array or of what "
      "the host made",
      plural(static_cast<std::uint64_t>(mean(origins.constants)), "element"), human_count(mean(elsewhere)));
  return Remark{
      "constant memory is read, but " + (origins.constants == 0 ? none : few),
      "Compute with what you read from the __constant__ array, not with a copy of it in global memory.",
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
  remark.observed =
      fmt::format("about {} stored to and {} loaded from shared memory for {} of input",
                  human_bytes(static_cast<std::uint64_t>(stored)),
                  human_bytes(static_cast<std::uint64_t>(loaded)), human_bytes(timed.input_bytes));
  if (total.source_shared_store_instructions == 0 && total.source_shared_load_instructions == 0) {
    remark.problem.reason = "the kernels, as the compiler left them, never touch shared memory";
    remark.problem.advice =
        "Declare a __shared__ tile, let the block copy its part of the input into it, call __syncthreads(), "
        "and compute from the tile. A tile that no result needs is removed by the compiler.";
    return remark;
  }
  std::optional<Remark> past = come_past_shared(origins);
  remark.satisfied = enough && !past;
  if (remark.satisfied) return remark;
  if (past) {
    remark.problem = std::move(*past);
    return remark;
  }
  remark.problem.reason =
      "shared memory is used, but the data does not go through it: " + remark.observed.english();
  remark.problem.advice =
      followed && total.warp_exchanges > 0
          ? "Shuffles add up the values of a warp before one lane stores the sum: store each thread's own "
            "value, "
            "and add up in shared memory what this version is to add up there."
      : followed
          ? "Too few threads put a value there: launch more blocks, so that each adds up less by itself."
      : stored < least
          ? "Copy every element of the input into the __shared__ tile before you compute with it."
          : "Compute from the __shared__ tile: the values are stored there but hardly read again.";
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
    remark.observed = "no access to shared memory";
    remark.problem = {"the kernels never touch shared memory, so there are no banks to judge",
                      flat ? "Put the values into shared memory, those of neighbouring threads side by side."
                           : "Stage the data in a __shared__ tile whose rows are padded by one element.",
                      {}};
    return remark;
  }
  // The last rounds of a tree, and single threads, cause a few accesses in which lanes take turns.
  const bool in_turn = total.shared_serial_conflicts * 4 > accesses;
  remark.satisfied = conflicts == 0 && !in_turn;
  // Warps without an active lane make no pass.
  remark.observed =
      fmt::format("{} in {} shared-memory accesses by a warp", plural(conflicts, "bank conflict"),
                  human_count(std::min(accesses, wavefronts - std::min(wavefronts, conflicts))));
  if (remark.satisfied) {
    if (auto past = come_past_shared(origins)) {  // a tile that nothing uses earns no points
      remark.satisfied = false;
      remark.problem = std::move(*past);
    }
    return remark;
  }
  if (conflicts == 0) {
    remark.problem = {
        fmt::format("lanes come to shared memory one after the other, which takes as long as the {} bank "
                    "conflicts that they would have together",
                    human_count(total.shared_serial_conflicts)),
        "Pad each row of the tile by one element (tile[32][33] instead of tile[32][32]), and let all "
        "lanes of a warp access it at once.",
        worst_line(timed.launches,
                   [](const sim::Counters& c) { return static_cast<double>(c.shared_serial_conflicts); })};
    return remark;
  }
  remark.problem.where = worst_line(
      timed.launches, [](const sim::Counters& c) { return static_cast<double>(shared_conflicts(c)); });
  const double ways =
      static_cast<double>(wavefronts) / static_cast<double>(wavefronts - std::min(wavefronts - 1, conflicts));
  remark.problem.reason = fmt::format("{}: shared memory is passed {} times where once would do",
                                      remark.observed.english(), human_factor(ways));
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
  remark.problem.advice =
      by_atomics ? "Lanes of one warp change the same element, or elements in one bank, one after the other: "
                   "combine the "
                   "warp's values with shuffles, or give each warp elements of its own."
      : narrow   ? fmt::format(
                       "A block that is {} threads wide has {} of its rows in a warp, and in rows padded by "
                         "one element they meet in a bank, too: use blocks 32 threads wide, and a tile[32][33].",
                       width, 32 / width)
      : flat
          ? "Lanes of one warp hit different elements of the same bank: let neighbouring threads access "
            "neighbouring "
            "elements (part[t] and part[t + step]), or pad the rows of a tile by one element (tile[32][33])."
          : "Lanes of one warp hit different rows of the same bank: pad each row of the tile by one element "
            "(tile[32][33] instead of tile[32][32]), or let neighbouring threads access neighbouring "
            "elements.";
  return remark;
}

/// One direction of the traffic with global memory, in warp accesses.
struct Direction {
  std::string_view name, verb;
  std::uint64_t sim::Counters::*requests, sim::Counters::*sectors, sim::Counters::*ideal_sectors,
      sim::Counters::*scattered_sectors;
};
constexpr std::array<Direction, 3> kDirections{
    Direction{"loads", "read", &sim::Counters::global_load_requests, &sim::Counters::global_load_sectors,
              &sim::Counters::global_load_ideal_sectors, &sim::Counters::global_load_scattered_sectors},
    Direction{"stores", "write", &sim::Counters::global_store_requests, &sim::Counters::global_store_sectors,
              &sim::Counters::global_store_ideal_sectors, &sim::Counters::global_store_scattered_sectors},
    Direction{"atomics", "change", &sim::Counters::global_atomic_requests,
              &sim::Counters::global_atomic_distinct_sectors, &sim::Counters::global_atomic_ideal_sectors,
              &sim::Counters::global_atomic_scattered_sectors}};

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

StructureRemark judge_coalescing(const StructurePoints& requirement, const CaseEvidence& timed) {
  const sim::Counters total = without_tables(total_counters(timed.launches));
  StructureRemark remark{.satisfied = true, .observed = {}, .problem = {}};
  for (const Direction& d : kDirections) {
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
    std::string observed = remark.observed.english();
    if (!observed.empty()) observed += ", ";
    observed += fmt::format("{}: {} sectors a warp access ({:.3g} is ideal)", d.name,
                            human_factor(ratio(total, d.sectors)), ratio(total, d.ideal_sectors));
    remark.observed = observed;
    if (std::min(highest, by_traffic) <= requirement.limit || !remark.satisfied) continue;
    remark.satisfied = false;
    remark.problem.reason =
        diluted
            ? fmt::format(
                  "global {} are not coalesced: those that touch at least twice the sectors which they need "
                  "move {} for nothing",
                  d.name, human_bytes(total.*d.scattered_sectors * sim::kSectorBytes))
            : fmt::format(
                  "global {} are not coalesced: one warp access touches {} sectors of 32 bytes, {:.3g} "
                  "would do",
                  d.name, human_factor(ratio(worst->counters, d.sectors)),
                  ratio(worst->counters, d.ideal_sectors));
    remark.problem.advice = fmt::format(
        "Let neighbouring threads (threadIdx.x) {} neighbouring elements: the index should contain + "
        "threadIdx.x, not "
        "threadIdx.x times a row length.",
        d.verb);
    remark.problem.where = worst->where;
  }
  if (remark.observed.empty()) {
    remark.satisfied = false;
    remark.observed = "no access to global memory";
    remark.problem = {
        "the kernels never touch global memory", "Read the input and write the output in your kernel.", {}};
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
  remark.observed =
      fmt::format("{} of constant memory and {} of global memory by a warp",
                  plural(total.constant_load_instructions, "read"), human_count(total.global_load_requests));
  if (remark.satisfied) {
    if (auto past = come_past_constant(origins)) {
      remark.satisfied = false;
      remark.problem = std::move(*past);
    }
    return remark;
  }
  if (total.constant_load_instructions == 0) {
    remark.problem = {
        "the kernels never read a __constant__ array",
        "Declare a __constant__ array, copy the values into it with cudaMemcpyToSymbol (from device "
        "to device), and read them there in the kernel.",
        {}};
    return remark;
  }
  remark.problem.reason =
      "constant memory is used, but most values do not come from there: " + remark.observed.english();
  remark.problem.advice =
      "Read what is the same for all threads from the __constant__ array, not through a pointer.";
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

sim::Counters total_counters(std::span<const LaunchRecord> launches) {
  sim::Counters total;
  for (const LaunchRecord& launch : launches) total += launch.counters;
  return total;
}

sim::CostBounds total_bounds(std::span<const LaunchRecord> launches) {
  sim::CostBounds sum;
  for (const LaunchRecord& launch : launches) sum += launch.bounds;
  return sum;
}

Message what_rules(const sim::CostBounds& bounds) {
  if (bounds.total() <= 0) return "";
  const sim::CostPart& part = sim::ruling_part(bounds);
  return fmt::format("{} ({:.0f} %)", part.phrase, 100 * bounds.*part.value / bounds.total());
}

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
    case Unknown::Memory:
      return Remark{
          "what the results are made of cannot be told: the small case that is followed touches too much "
          "memory",
          "Use no larger arrays for a small input than it needs.",
          {}};
    default:
      return Remark{
          "what the results are made of cannot be told: the small case that is followed takes too many steps",
          "Do no more work for a small input than it needs.",
          {}};
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
  const char* const advice =
      "Let the kernels compute the output from the input; only small partial results may be finished on the "
      "CPU.";
  if (e.launches.empty()) {
    const bool by_host = e.bytes_to_host > 0 || e.bytes_to_device > 0;
    if (!by_host && (by_copies || e.input_bytes < kSizeable))
      return std::nullopt;  // one element is its own sum
    return Remark{fmt::format("{}: the answer for {} is right, but no kernel was launched",
                              by_host ? "computed on the CPU" : "put together by copies", e.name),
                  "Do the work in a __global__ function and launch it with <<<grid, block>>> from the entry.",
                  {}};
  }
  const sim::Counters total = total_counters(e.launches);
  const std::uint64_t read = total.global_load_sectors * sim::kSectorBytes;
  const std::uint64_t stored = (total.global_store_sectors + total.global_atomic_sectors) * sim::kSectorBytes;
  if (!by_copies && e.output_bytes >= kSizeable && stored < e.output_bytes / 2) {
    return Remark{
        fmt::format("not computed by kernels: in {} they stored {} of the {} of output, the rest was copied "
                    "or set there",
                    e.name, human_bytes(stored), human_bytes(e.output_bytes)),
        advice,
        {}};
  }
  const sim::Provenance& o = e.origins;
  const bool put_last =
      (o.known && o.by_kernels < o.words / 2) || (e.timed && e.bytes_put_last >= e.output_bytes / 2);
  if (!by_copies && put_last && e.output_bytes >= kSizeable && e.output_bytes * 8 >= e.input_bytes) {
    return Remark{
        fmt::format("not computed by kernels: in {} most of the output was copied or set last", e.name),
        advice,
        {}};
  }
  constexpr std::uint64_t kSeveral = 32;  // the host may set a few elements one by one
  if (!by_copies && o.known && o.words >= kSeveral && o.moved * 2 > o.words) {
    return Remark{fmt::format("put together by copies: in {} the results are made of elements that copies "
                              "have moved, one by one",
                              e.name),
                  advice,
                  {}};
  }
  using Repeated = CaseEvidence::Repeated;
  if (e.repeated == Repeated::Wrong || e.repeated == Repeated::Unknown) {
    return Remark{
        fmt::format("computed on the CPU: in {}, {} were copied to the host, and {}", e.name,
                    human_bytes(e.bytes_to_host),
                    e.repeated == Repeated::Wrong
                        ? "what the device did then gives wrong results for another input, without the host"
                        : "too much was done for telling what the device did without the host"),
        advice,
        {}};
  }
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
    return Remark{
        fmt::format("computed on the CPU: in {}, {} were copied to the host, of an input of {} of which the "
                    "kernels read {}",
                    e.name, human_bytes(e.bytes_to_host), human_bytes(e.input_bytes), human_bytes(read)),
        advice,
        {}};
  }
  if (o.known && o.results == 0 && e.bytes_to_host > allowed.partial_results &&
      e.bytes_to_host >= e.input_bytes / 4 && !allowed.repeated_right) {
    return Remark{
        fmt::format("computed on the CPU: in {} no result was made of the input by a kernel, and {} "
                    "were copied to the host",
                    e.name, human_bytes(e.bytes_to_host)),
        advice,
        {}};
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
