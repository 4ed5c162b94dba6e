#include "grader/ladder/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"

namespace cudalabs {
namespace {

using Kind = LadderRow::Kind;

struct Column {
  std::string heading, unit;
  std::vector<std::string> cells;
};

/// Four significant digits, never with an exponent.
std::string four_digits(double value) {
  int decimals = 3;
  for (double limit = 10; decimals > 0 && value >= limit; limit *= 10) --decimals;
  for (double limit = 1; decimals < 9 && value > 0 && value < limit; limit /= 10) ++decimals;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string plain_number(double value) { return fmt::format("{:.10g}", value); }

const char* const kNothing = "–";

std::string ratio(std::uint64_t part, std::uint64_t of) {
  return of == 0 ? kNothing : fmt::format("{:.1f}", static_cast<double>(part) / static_cast<double>(of));
}

/// "1.0 / 32.0": for loads and for stores.
std::string both(std::uint64_t loads, std::uint64_t of_loads, std::uint64_t stores, std::uint64_t of_stores) {
  if (of_loads == 0 && of_stores == 0) return kNothing;
  return ratio(loads, of_loads) + " / " + ratio(stores, of_stores);
}

std::string row_name(const LadderRow& row) {
  return row.kind == Kind::Corrected ? tr("{}, corrected", row.name) : row.name;
}

class TableBuilder {
 public:
  explicit TableBuilder(const LadderReport& report) : report_(report) {}

  std::vector<Column> columns() {
    add("rung", "", [](const LadderRow& row) { return row_name(row); });
    timing("estimated", report_.request.size, &LadderRow::estimated_ns);
    const auto card_size = report_.request.card_size;
    if (card_size) timing("measured", *card_size, &LadderRow::measured_ns);
    speedups(card_size ? &LadderRow::measured_ns : &LadderRow::estimated_ns);
    add("wavefronts", "load / store", [](const LadderRow& row) {
      const sim::Counters& c = row.counters;
      return both(c.source_shared_load_wavefronts,
                  c.source_shared_load_wavefronts - c.source_shared_load_bank_conflicts,
                  c.source_shared_store_wavefronts,
                  c.source_shared_store_wavefronts - c.source_shared_store_bank_conflicts);
    });
    add("sectors", "load / store", [](const LadderRow& row) {
      const sim::Counters& c = row.counters;
      return both(c.global_load_sectors, c.global_load_requests, c.global_store_sectors,
                  c.global_store_requests);
    });
    if (std::ranges::any_of(rows(), [](const LadderRow& row) { return !row.findings.empty(); })) {
      add("findings", "", [](const LadderRow& row) {
        return row.findings.empty() ? std::string() : std::to_string(row.findings.size());
      });
    }
    published();
    return std::move(columns_);
  }

 private:
  using Time = std::optional<double> LadderRow::*;

  [[nodiscard]] const std::vector<LadderRow>& rows() const { return report_.run.rows; }
  [[nodiscard]] bool has_cpu() const { return !rows().empty() && rows().front().kind == Kind::Cpu; }

  template <class Cell>
  void add(std::string heading, std::string unit, Cell cell) {
    Column column{translated_word(heading), translated_word(unit), {}};
    for (const LadderRow& row : rows()) column.cells.push_back(cell(row));
    columns_.push_back(std::move(column));
  }

  /// The CPU's time is always measured: it is shown in the card's column, or marked as measured.
  [[nodiscard]] std::optional<double> time_of(const LadderRow& row, Time time) const {
    if (row.kind != Kind::Cpu) return row.*time;
    const bool other = report_.request.card_size.has_value() && time == &LadderRow::estimated_ns;
    return other ? std::nullopt : row.cpu_ns;
  }

  void timing(const std::string& word, std::int64_t size, Time time) {
    add(word, "ms", [&](const LadderRow& row) -> std::string {
      const auto ns = time_of(row, time);
      if (!ns) {
        const bool tried = time == &LadderRow::estimated_ns || row.estimated_ns;
        return !row.problem.empty() && tried ? tr("WRONG") : kNothing;
      }
      const bool told = row.kind == Kind::Cpu && time == &LadderRow::estimated_ns;
      return (told ? tr("measured ") : "") + four_digits(*ns / 1e6);
    });
    add(word, std::string(report_.ladder.work.unit()), [&](const LadderRow& row) -> std::string {
      const auto ns = time_of(row, time);
      return ns ? human_factor(report_.ladder.work.rate(size, report_.request.type, *ns)) : kNothing;
    });
  }

  void speedups(Time time) {
    const auto first = std::ranges::find(rows(), Kind::Rung, &LadderRow::kind);
    if (first == rows().end()) return;
    const auto against = [&](const std::string& name, std::optional<double> base) {
      add("speedup", tr("over {}", name), [&](const LadderRow& row) -> std::string {
        const auto ns = row.kind == Kind::Cpu ? row.cpu_ns : row.*time;
        return base && ns && *ns > 0 ? human_factor(*base / *ns) : kNothing;
      });
    };
    against(first->name, (*first).*time);
    if (has_cpu()) against(rows().front().name, rows().front().cpu_ns);
  }

  void published() {
    std::size_t number = 0;
    for (const PublishedFigures& p : report_.ladder.published) {
      if (p.profile != report_.request.profile.name || p.type != report_.request.type) continue;
      ++number;
      for (std::size_t unit = 0; unit < p.units.size(); ++unit) {
        add(fmt::format("[{}]", number), p.units[unit], [&](const LadderRow& row) -> std::string {
          const auto figure = row.kind == Kind::Corrected ? std::nullopt : p.figure(row.name, unit);
          return figure ? plain_number(*figure) : kNothing;
        });
      }
    }
  }

  const LadderReport& report_;
  std::vector<Column> columns_;
};

std::string size_text(std::int64_t size) { return "N = " + human_count(static_cast<std::uint64_t>(size)); }

const char* const kLegend =
    "Wavefronts: passes over the banks of shared memory for each that would do without conflicts. Sectors: "
    "pieces of 32 bytes for each request of a warp to global memory.";

/// Notes below the table about its figures.
std::vector<std::string> notes(const LadderReport& report) {
  const LadderRequest& request = report.request;
  const Ladder& ladder = report.ladder;
  std::vector<std::string> notes;
  std::size_t number = 0;
  std::vector<std::string> elsewhere;
  for (const PublishedFigures& p : ladder.published) {
    if (p.profile == request.profile.name && p.type == request.type) {
      std::string note = tr("[{}] Published: {}, {}, {}, {}", ++number, p.source, p.card, spelling(p.type),
                            p.size ? size_text(*p.size) : tr("size not given"));
      if (const auto cpu = ladder.cpu ? p.figure(ladder.cpu->name, 0) : std::nullopt; cpu && !request.cpu)
        note += tr("; its CPU: {} {}", plain_number(*cpu), p.units.front());
      notes.push_back(note + ".");
    } else {
      std::string option = fmt::format("--device-profile {} --type {}", p.profile, spelling(p.type));
      if (std::ranges::find(elsewhere, option) == elsewhere.end()) elsewhere.push_back(std::move(option));
    }
  }
  if (number == 0 && !elsewhere.empty())
    notes.push_back(tr("Published figures stand beside: {}.", fmt::join(elsewhere, "; ")));
  if (!report.run.left_out.empty())
    notes.push_back(tr("Missing in {}: {}.", spelling(request.type), fmt::join(report.run.left_out, ", ")));
  return notes;
}

std::string conditions(const LadderReport& report) {
  const LadderRequest& request = report.request;
  std::string text = tr("{}, {}, times estimated for {} ({})", spelling(request.type),
                        size_text(request.size), request.profile.name, request.profile.title);
  if (request.card_size)
    text += tr(", and measured on {} with {} (the best of its repetitions, with warm caches)", request.card,
               size_text(*request.card_size));
  if (request.cpu && report.ladder.cpu)
    text += tr("; {}: one thread of this machine, measured{}", report.ladder.cpu->name,
               request.card_size ? tr(" with the card's size") : "");
  return text;
}

/// Why a row has no answer; files are named as in the course.
std::string problem_of(const LadderRow& row, const LadderReport& report) {
  std::string text = printable(rendered(row.problem));
  const std::string root = report.course.string() + "/";
  for (std::size_t at; (at = text.find(root)) != std::string::npos;) text.erase(at, root.size());
  return text;
}

const LadderRung& rung_of(const Ladder& ladder, const LadderRow& row) {
  if (row.kind == Kind::Cpu) return *ladder.cpu;
  return *std::ranges::find(ladder.rungs, row.name, &LadderRung::name);
}

std::string shown(const std::filesystem::path& file, const LadderReport& report) {
  return file.lexically_relative(report.course).string();
}

/// "sums.cuh:60, 61: error: race on element 3 of `data` ... [racecheck]": one entry for findings of one kind.
std::vector<std::string> findings_by_kind(const std::vector<sim::Finding>& findings) {
  std::vector<std::string> told;
  for (std::size_t first = 0; first < findings.size(); ++first) {
    const auto same = [&](const sim::Finding& other) {
      return other.checker == findings[first].checker && other.kind == findings[first].kind &&
             other.here.file == findings[first].here.file;
    };
    const auto begin = findings.begin(), here = begin + static_cast<std::ptrdiff_t>(first);
    if (std::any_of(begin, here, same)) continue;
    std::vector<std::uint32_t> lines;
    const auto tell = [&lines](std::uint32_t line) {
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    };
    for (const sim::Finding& other : findings) {
      if (!same(other)) continue;
      tell(other.here.line);
      if (other.more.empty()) continue;
      // A bug that spans several lines.
      tell(other.other.line);
      for (const sim::FindingSide& more : other.more) tell(more.line);
    }
    std::ranges::sort(lines);
    const sim::Finding& finding = findings[first];
    const std::string place = finding.here.file.empty() ? ""
                                                        : fmt::format("{}:{}: ", base_name(finding.here.file),
                                                                      fmt::join(lines, ", "));
    told.push_back(place + rendered(sim::headline(finding)));
  }
  return told;
}

/// The checkers' findings for a rung and for its corrected twin.
struct CheckedRung {
  const LadderRow* row = nullptr;
  const LadderRow* twin = nullptr;
};

std::vector<CheckedRung> spoken_of(const LadderRun& run) {
  std::vector<CheckedRung> checked;
  for (const LadderRow& row : run.rows) {
    if (row.kind == Kind::Corrected)
      checked.back().twin = &row;
    else
      checked.push_back({&row, nullptr});
  }
  std::erase_if(checked, [](const CheckedRung& c) {
    return c.row->problem.empty() && c.row->findings.empty() && c.row->unchecked.empty() && c.twin == nullptr;
  });
  return checked;
}

std::string nothing_else(const LadderRun& run) {
  return spoken_of(run).empty() ? tr("nothing in any rung") : tr("all others: nothing found");
}

std::vector<std::string> lines_about(const LadderRow& row) {
  if (!row.problem.empty()) return {tr("not checked")};
  std::vector<std::string> lines = findings_by_kind(row.findings);
  if (!row.unchecked.empty()) lines.push_back(tr("under the checkers: {}", rendered(row.unchecked)));
  if (lines.empty()) lines.push_back(tr("nothing found"));
  return lines;
}

}  // namespace

std::string ladder_text(const LadderReport& report, const ConsoleStyle& style) {
  const auto columns = TableBuilder(report).columns();
  const auto lines_of = [&](std::string text, std::size_t indent) {
    std::string out;
    for (const std::string& line : wrap(text, static_cast<std::size_t>(std::max(40, style.width)) - indent)) {
      out += std::string(out.empty() ? 0 : indent, ' ') + line + "\n";
    }
    return out;
  };
  std::string out = fmt::format("{}: {}\n", report.ladder.name, translated_word(report.ladder.title));
  out += lines_of(conditions(report), 0) + "\n";

  const auto line = [&](const auto& cell) {
    std::string text;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::size_t width = std::max(display_width(columns[c].heading), display_width(columns[c].unit));
      for (const std::string& other : columns[c].cells) width = std::max(width, display_width(other));
      const std::string content = printable(cell(columns[c]));
      text += c == 0 ? pad_right(content, width) : "  " + pad_left(content, width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  const std::string headings = line([](const Column& column) { return column.heading; });
  out += headings + line([](const Column& column) { return column.unit; });
  out += repeat(style.utf8 ? "─" : "-", display_width(headings) - 1) + "\n";
  for (std::size_t row = 0; row < report.run.rows.size(); ++row)
    out += line([row](const Column& column) { return column.cells[row]; });
  out += "\n";
  out += lines_of(translated_word(kLegend), 0);
  for (const std::string& note : notes(report)) out += lines_of(note, 0);

  out += tr("\nWhat changes\n\n");
  for (const LadderRow& row : report.run.rows) {
    if (row.kind == Kind::Corrected) continue;
    out += "  " + lines_of(row.name + ": " + translated_word(rung_of(report.ladder, row).idea), 4);
  }
  for (const LadderRow& row : report.run.rows) {
    if (row.problem.empty()) continue;
    out += "\n" + lines_of(fmt::format("{} ({}): {}", row_name(row), shown(row.file, report),
                                       problem_of(row, report)),
                           2);
  }
  if (report.request.check) out += tr("\nWhat the checkers find\n\n");
  for (const CheckedRung& checked : spoken_of(report.run)) {
    for (const LadderRow* row : {checked.row, checked.twin}) {
      if (row == nullptr) continue;
      out += fmt::format("  {} ({})\n", row_name(*row), shown(row->file, report));
      for (const std::string& said : lines_about(*row)) out += "    " + lines_of(printable(said), 6);
    }
  }
  if (report.request.check) out += "  " + nothing_else(report.run) + "\n";
  return out;
}

std::string ladder_markdown(const LadderReport& report, bool table_only) {
  const auto columns = TableBuilder(report).columns();
  std::string out;
  if (!table_only)
    out += fmt::format("## {}: {}\n\n", report.ladder.name, translated_word(report.ladder.title));
  out += fmt::format("### {}, {}\n\n{}.\n\n", report.request.profile.name, spelling(report.request.type),
                     conditions(report));
  const auto line = [&](const auto& cell) {
    std::string text = "|";
    for (const Column& column : columns) text += " " + cell(column) + " |";
    return text + "\n";
  };
  out += line([](const Column& column) {
    return column.unit.empty() ? column.heading : column.heading + ", " + column.unit;
  });
  out += "|---|" + repeat("---:|", columns.size() - 1) + "\n";
  for (std::size_t row = 0; row < report.run.rows.size(); ++row)
    out += line([row](const Column& column) { return column.cells[row]; });
  for (const std::string& note : notes(report)) out += "\n" + note + "\n";
  for (const LadderRow& row : report.run.rows) {
    if (!row.problem.empty())
      out += fmt::format("\n{}:\n\n```\n{}\n```\n", row_name(row), problem_of(row, report));
  }
  if (table_only) return out + "\n";

  out += "\n";
  for (const LadderRow& row : report.run.rows) {
    if (row.kind == Kind::Corrected) continue;
    const std::string file = shown(row.file, report);
    out += fmt::format("- [{}](../{}): {}\n", row.name, file, rung_of(report.ladder, row).idea);
  }
  if (!report.request.check) return out + "\n";
  out += "\n### What the checkers find\n\n";
  for (const CheckedRung& checked : spoken_of(report.run)) {
    for (const LadderRow* row : {checked.row, checked.twin}) {
      if (row == nullptr) continue;
      const std::string file = shown(row->file, report);
      out += fmt::format("- [{}](../{}):", row_name(*row), file);
      const auto lines = lines_about(*row);
      out += lines.size() == 1 ? " " + lines.front() + "\n"
                               : fmt::format("\n  - {}\n", fmt::join(lines, "\n  - "));
    }
  }
  return out + "- " + nothing_else(report.run) + "\n\n";
}

}  // namespace cudalabs
