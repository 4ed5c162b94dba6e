#include "grader/present/explain/document.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/present.h"
#include "grader/grading/score/remarks.h"
#include "grader/present/layout.h"

namespace cudalabs::explain {
namespace {

constexpr off_t kMaxFile = 1 << 20;
constexpr std::uint32_t kBefore = 2;  // lines of context above a function
constexpr std::uint32_t kGap = 5;     // gaps of up to this many lines without figures are shown

std::string dim(const sim::Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

/// "0-3, 8" for bits 0 to 3 and 8.
std::string ranges(std::uint32_t bits) {
  std::string text;
  while (bits != 0) {
    const int first = std::countr_zero(bits);
    const int count = std::countr_one(bits >> first);
    if (!text.empty()) text += ", ";
    text += count == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + count - 1);
    bits &= count == 32 ? 0 : ~(((1u << count) - 1) << first);
  }
  return text;
}

std::uint32_t load_of(const sim::BankLoad& banks) {
  std::size_t most = 0;
  for (const auto& words : banks) most = std::max(most, words.size());
  return static_cast<std::uint32_t>(most);
}

std::string_view spelling(sim::AccessKind kind) {
  switch (kind) {
    case sim::AccessKind::Load: return "load";
    case sim::AccessKind::Store: return "store";
    case sim::AccessKind::Atomic: break;
  }
  return "atomic";
}

}  // namespace

SourceText read_source(const std::string& file) {
  SourceText source{base_name(file), {}, {}};
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    source.problem = tr("The file does not exist (any more), so its lines are shown by number only.");
  } else if (!S_ISREG(status.st_mode) || status.st_size > kMaxFile) {
    source.problem = tr("This is not a source file of at most 1 MiB, so its lines are shown by number only.");
  } else {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad()) {
      source.problem = tr("The file cannot be read, so its lines are shown by number only.");
    } else if (text.find('\0') != std::string::npos) {
      source.problem = tr("The file is not text, so its lines are shown by number only.");
    } else {
      source.lines = split_lines(text);
    }
  }
  return source;
}

std::vector<std::string> Document::code_at(const KernelFigures& kernel, const std::string& file,
                                           std::uint32_t line) const {
  const auto of_kernel = code.find(kernel.name + (kernel.instances.empty() ? "" : kernel.instances.front()));
  if (of_kernel == code.end()) return {};
  const auto of_line = of_kernel->second.find({file, line});
  return of_line == of_kernel->second.end() ? std::vector<std::string>() : of_line->second;
}

std::vector<std::string> files_of(const std::vector<KernelFigures>& kernels) {
  std::set<std::string> names;
  for (const KernelFigures& kernel : kernels)
    for (const FileFigures& file : kernel.files) names.insert(file.file);
  return {names.begin(), names.end()};
}

std::vector<Row> rows_of(const FileFigures& file, const SourceText* source) {
  const auto count = source == nullptr ? 0u : static_cast<std::uint32_t>(source->lines.size());
  std::vector<Row> rows;
  std::uint32_t shown = 0;  // the last line in `rows`
  const auto add = [&](std::uint32_t line, const LineFigures* figures) {
    rows.push_back({line, line <= count ? printable(source->lines[line - 1]) : std::string(), figures});
    shown = line;
  };
  const auto add_context = [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t line = first; line <= std::min(last, count); ++line) add(line, nullptr);
  };
  /// Adds the lines directly above a function: its comment and `template <...>`, but not the end of the
  /// previous one.
  const auto add_above = [&](std::uint32_t number) {
    std::uint32_t first = number;
    while (number - first < kBefore && first > shown + 1 && first - 1 <= count) {
      const std::string& above = source->lines[first - 2];
      if (above.find_first_not_of(" \t") == std::string::npos || above.starts_with("}")) break;
      --first;
    }
    add_context(first, number - 1);
  };
  for (const auto& [number, figures] : file.lines) {
    if (rows.empty()) {
      add_above(number);
    } else if (number - shown - 1 <= kGap && number <= count) {
      add_context(shown + 1, number - 1);
    } else if (number > shown + 1) {
      rows.push_back({});
      add_above(number);
    }
    add(number, &figures);
  }

  std::size_t indent = std::string::npos;
  for (const Row& row : rows) indent = std::min(indent, row.text.find_first_not_of(' '));
  for (Row& row : rows) {
    row.text.erase(0, std::min(indent, row.text.size()));
    row.text.erase(row.text.find_last_not_of(' ') + 1);
  }
  return rows;
}

std::string kernel_title(const KernelFigures& kernel) {
  if (kernel.instances.size() < 2)
    return printable(kernel.name + (kernel.instances.empty() ? "" : kernel.instances.front()));
  return printable(rendered(msg::explain_instances(kernel.name, kernel.instances.size(),
                                                   fmt::format("{}", fmt::join(kernel.instances, " ")))));
}

std::vector<std::string> launch_lines(const KernelFigures& kernel) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(kernel.shapes.size(), kShown); ++i) {
    const LaunchShape& shape = kernel.shapes[i];
    lines.push_back(
        rendered(msg::explain_launched(i > 0 ? 1 : 0, shape.times, count_text(shape.times),
                                       dim(shape.grid) + ", " + dim(shape.block), shape.shared_bytes)));
  }
  if (kernel.shapes.size() > kShown)
    lines.push_back(rendered(msg::explain_other_launches(kernel.shapes.size() - kShown)));
  return lines;
}

std::vector<std::string> total_lines(const KernelFigures& kernel) {
  const LineFigures& t = kernel.total;
  std::vector<std::string> lines;
  lines.push_back(rendered(msg::explain_work(
      t.executed(), percent_text(t.idle_share()), t.counters.divergent_branches, kernel.estimated.total(),
      kernel.estimated.total() > 0 ? what_rules(kernel.estimated) : Message())));
  const auto per = [](double value, double ideal) {
    return ideal > 0 ? msg::explain_measure_with_ideal(figure_text(value), figure_text(ideal))
                     : msg::explain_measure(figure_text(value));
  };
  if (t.requests() > 0)
    lines.push_back(rendered(msg::explain_global_memory(
        t.requests(), per(t.sectors_per_request(), t.ideal_sectors_per_request()))));
  if (t.shared_accesses() > 0)
    lines.push_back(rendered(msg::explain_shared_memory(
        t.shared_accesses(), per(t.wavefronts_per_access(), t.ideal_wavefronts_per_access()))));
  if (kernel.without_line > 0) lines.push_back(rendered(msg::explain_no_line(kernel.without_line)));
  if (kernel.launches_without_lines > 0)
    lines.push_back(rendered(msg::explain_launches_left_out(kernel.launches_without_lines, kernel.launches)));
  return lines;
}

BankMap bank_map_of(const sim::SharedExample& access) {
  BankMap map;
  const std::vector<std::uint32_t> passes = sim::passes(access);
  std::uint32_t worst = 0;
  for (const std::uint32_t pass : passes) {
    const sim::BankLoad banks = sim::bank_load(access, pass);
    if (load_of(banks) <= worst) continue;
    worst = load_of(banks);
    map.pass = pass;
    map.banks = banks;
  }
  map.first_word = access.variable_offset / 4;
  map.heading = rendered(msg::explain_access(
      spelling(access.kind), access.width,
      access.variable.empty() ? Message() : verbatim(printable(access.variable)), access.warp,
      fmt::format("{}, {}, {}", access.block[0], access.block[1], access.block[2])));
  const auto say = [&map](const Message& sentence) { map.sentences.push_back(rendered(sentence) + "."); };
  const bool atomic = !access.lanes_share;
  if (worst > 1 && atomic)
    say(msg::explain_atomics_in_one_bank(worst));
  else
    say(worst > 1 ? msg::explain_bank_conflict(worst) : msg::explain_no_bank_conflict());
  if (passes.size() > 1) say(msg::explain_passes(access.width, passes.size(), ranges(map.pass)));
  if (access.mask != 0xFFFFFFFFu)
    say(msg::explain_lanes_that_take_part(std::popcount(access.mask), ranges(access.mask)));
  return map;
}

std::string lane_set(std::uint32_t lanes) { return ranges(lanes); }

std::string bank_ranges(const sim::BankLoad& banks) {
  std::uint32_t unused = 0;
  for (std::uint32_t bank = 0; bank < 32; ++bank)
    if (banks[bank].empty()) unused |= 1u << bank;
  return ranges(unused);
}

std::string count_text(std::uint64_t value) {
  if (value < 10'000'000) return human_count(value);
  double scaled = static_cast<double>(value);
  std::size_t unit = 0;
  static constexpr std::string_view kUnits = " kMGTPE";
  while (scaled >= 999.5 && unit + 1 < kUnits.size()) {
    scaled /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f}{}", scaled, scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string figure_text(double value) {
  if (std::abs(value - std::round(value)) < 0.005 || value >= 99.95) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1);
}

std::string with_ideal(double value, double ideal) {
  return ideal > 0 ? fmt::format("{} ({})", figure_text(value), figure_text(ideal)) : figure_text(value);
}

std::string percent_text(double share) {
  if (share > 0 && share < 0.005) return "<1%";
  return fmt::format("{:.0f}%", share * 100);
}

std::string_view mark(Heat heat) {
  static constexpr std::string_view kMarks[] = {"", "!", "!!", "!!!"};
  return kMarks[static_cast<int>(heat)];
}

const std::array<Column, kColumns>& columns() {
  static constexpr std::array<Column, kColumns> kAll{{{"executed", 0},
                                                      {"share", 7},
                                                      {"time", 0},
                                                      {"idle", 2},
                                                      {"split", 3},
                                                      {"requests", 5},
                                                      {"sectors", 0},
                                                      {"accesses", 6},
                                                      {"waves", 0},
                                                      {"ways", 1}}};
  return kAll;
}

std::array<Cell, kColumns> cells_of(const LineFigures& line, const LineFigures& total) {
  std::array<Cell, kColumns> cells;
  if (line.executed() > 0) {
    cells[0].text = count_text(line.executed());
    cells[1].text = percent_text(static_cast<double>(line.executed()) /
                                 static_cast<double>(std::max(total.executed(), line.executed())));
    if (line.idle_share() > 0) cells[3] = {percent_text(line.idle_share()), idle_heat(line)};
  }
  if (line.ns > 0) cells[2].text = percent_text(line.ns / std::max(total.ns, line.ns));
  if (line.counters.divergent_branches > 0) cells[4].text = count_text(line.counters.divergent_branches);
  if (line.requests() > 0) {
    cells[5].text = count_text(line.requests());
    cells[6] = {with_ideal(line.sectors_per_request(), line.ideal_sectors_per_request()), global_heat(line)};
  }
  if (line.shared_accesses() > 0) {
    cells[7].text = count_text(line.shared_accesses());
    cells[8] = {with_ideal(line.wavefronts_per_access(), line.ideal_wavefronts_per_access()),
                shared_heat(line)};
  }
  if (const std::uint32_t degree = line.accesses.worst.degree; degree > 0) {
    cells[9].text = fmt::format("{}", degree);
    if (degree > 1) cells[9].heat = shared_heat(line);
  }
  return cells;
}

std::array<bool, kColumns> used_columns(const KernelFigures& kernel) {
  std::array<bool, kColumns> used{};
  for (const FileFigures& file : kernel.files) {
    for (const auto& [number, line] : file.lines) {
      const auto cells = cells_of(line, kernel.total);
      for (std::size_t c = 0; c < kColumns; ++c) used[c] = used[c] || !cells[c].text.empty();
    }
  }
  return used;
}

Heat worst_heat(const std::array<Cell, kColumns>& cells) {
  Heat worst = Heat::None;
  for (const Cell& cell : cells) worst = std::max(worst, cell.heat);
  return worst;
}

const std::vector<Term>& legend() {
  static const std::vector<Term> terms{
      {"executed",
       "Warp instructions executed for this line, over all warps and launches. One line becomes several "
       "instructions; a "
       "loop counts every turn."},
      {"share", "Of all warp instructions of the kernel."},
      {"time",
       "Of the kernel's estimated time: what warps spent on the line's instructions, in queues for its "
       "accesses, and waiting for its results, wherever these are needed. A line that loads is charged for "
       "the wait, not the line that uses the value."},
      {"idle",
       "Share of the 32 lanes of a warp that were idle: threads on the other side of an if, past the end of "
       "the data, or missing because the block size is not a multiple of 32. 0% is ideal."},
      {"split",
       "Divergent branches: how often the lanes of a warp took both sides of a branch in this line. The warp "
       "then executes both sides, one after the other. 0 (an empty cell) is ideal."},
      {"requests", "Warp instructions that accessed global memory: one for the whole warp."},
      {"sectors",
       "Sectors per request: 32-byte pieces of global memory that one request moves; in brackets the fewest "
       "that hold the requested bytes. 4 is ideal for 4-byte accesses of a full warp, 8 for 8-byte ones, 1 "
       "if all lanes access the same element. 32 means that the access is not coalesced and each lane has "
       "its own sector: let neighbouring threads access neighbouring addresses."},
      {"accesses", "Warp instructions that accessed shared memory."},
      {"waves",
       "Shared wavefronts per access: passes over the 32 banks; in brackets the number without bank "
       "conflicts. 1 is ideal for accesses of up to 4 bytes a lane, 2 for 8 bytes, 4 for 16 bytes; some "
       "atomics consist of several steps and need more."},
      {"ways",
       "Conflict degree of the worst access: the most different words (for most atomics: lanes) that one "
       "bank had to "
       "serve in one pass. 1 is ideal; lanes that read the same word share it. The bank of a 4-byte word "
       "is its number "
       "modulo 32: rows of 32 words put a column into one bank, rows padded to 33 words spread it over "
       "all."},
      {"!",
       "Marks the figure that is furthest from its ideal: ! from 1.25 times the ideal (or 25% idle), !! "
       "from "
       "2 times (50%), !!! "
       "from 4 times (75%)."},
  };
  return terms;
}

}  // namespace cudalabs::explain
