#include "grader/present/terminal/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/present.h"
#include "grader/grading/score/remarks.h"
#include "grader/present/causes.h"
#include "grader/present/glossary.h"
#include "grader/present/layout.h"
#include "grader/present/limits.h"
#include "grader/present/losses.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

constexpr std::size_t kGap = 2;  // between columns

/// A cell or a piece of text with its colour. Colours do not count towards the width.
struct Cell {
  std::string text;
  Paint paint = Paint::None;
};

struct Column {
  std::string title;
  bool right = false;
  int priority = 0;  ///< on a narrow terminal the highest is dropped first; 0: never
};

Paint paint_of(const VersionResult& version) {
  if (version.verdict == Verdict::NotGraded) return Paint::Dim;
  if (version.verdict != Verdict::Accepted) return Paint::Bad;
  return version.full() ? Paint::Good : Paint::Warn;
}

class Card : TerminalText {
 public:
  Card(const GradeResult& result, const ConsoleStyle& style)
      : TerminalText(style, 40, 160), result_(result) {}

  std::string write() {
    heading();
    table();
    criteria();
    compiler_output();
    losses();
    limits();
    notes();
    measurements();
    if (style_.verbose) launches();
    words();
    footer();
    return std::move(out_);
  }

  std::string write_first_cause() {
    if (causes_.empty()) return {};
    if (result_.compiler_output.empty()) {
      print(causes_.front());
    } else {
      said_by_compiler();
      paragraph(rendered(causes_.front().lost->advice), 4, fmt::format("{} ", ascii_or("→", "->")));
    }
    return std::move(out_);
  }

 private:
  void paragraph(std::string_view text, std::size_t indent, std::string_view first = {},
                 Paint paint = Paint::None) {
    const std::size_t hang = indent + display_width(first);
    bool begin = true;
    for (const std::string& piece : wrap(printable(text), width_ - std::min(width_ / 2, hang))) {
      line(std::string(indent, ' ') + (begin ? std::string(first) : std::string(display_width(first), ' ')) +
           painted(piece, paint));
      begin = false;
    }
  }

  void section(std::string_view title) {
    line();
    line(painted(translated_word(title), Paint::Bold));
  }

  void heading() {
    line(painted(fmt::format("{} {}: {}", result_.lab, result_.variant, translated_word(result_.title)),
                 Paint::Bold));
    const std::string& profile = result_.profile.name;
    const std::string device =
        result_.card.empty() ? translated_word(result_.device) : printable(result_.card);
    const CompilerName& compiler = result_.compiler;
    paragraph(tr("{} by {} {} on the {}{}, seed {}", printable(result_.file), printable(compiler.name),
                 printable(compiler.version), device,
                 profile.empty() ? "" : tr(", times estimated for {}", printable(profile)), result_.seed),
              0, {}, Paint::Dim);
    line();
  }

  [[nodiscard]] std::vector<Cell> row(const VersionResult& v) const {
    const std::string none(ascii_or("–", "-"));
    std::string correct =
        v.correctness.total > 0 ? fmt::format("{}/{}", v.correctness.passed, v.correctness.total) : none;
    std::string structure = none;
    if (!v.structure.empty() && v.structure.front().judged) {
      const auto met =
          std::count_if(v.structure.begin(), v.structure.end(), [](const auto& s) { return s.satisfied; });
      structure = fmt::format("{}/{}", met, v.structure.size());
    }
    std::string time = none, reference = none, cpu = none;
    if (v.speed.source != TimeSource::None) {
      time = fmt::format("{} {}", human_time(v.speed.student_ns), translated_word(spelling(v.speed.source)));
      reference = human_factor(v.speed.speedup) + "x";
      if (result_.nondeterministic.cpu_ms > 0) {
        cpu = human_factor(result_.nondeterministic.cpu_ms * 1e6 / v.speed.student_ns) + "x";
      }
    }
    const bool graded = v.verdict != Verdict::NotGraded;
    return {{v.name},  {verdict_words(v), paint_of(v)},
            {correct}, {structure},
            {time},    {reference},
            {cpu},     {graded ? points_of(v) : none, paint_of(v)}};
  }

  /// What a column holds that does not fit into the table.
  void beside_table(const Column& column, std::size_t c, const std::vector<std::vector<Cell>>& rows) {
    const std::string none(ascii_or("–", "-"));
    std::vector<std::string> known;
    for (const std::vector<Cell>& cells : rows) {
      const std::string& text = cells[c].text;
      if (!text.empty() && text != none) known.push_back(cells.front().text + " " + text);
    }
    if (known.empty()) return;
    paragraph(fmt::format("{}: {}", column.title, fmt::join(known, ", ")), 0, {}, Paint::Dim);
  }

  void table() {
    std::vector<Column> columns{
        {"version"},       {"verdict", false, 3},     {"correct", true, 1},       {"structure", true, 5},
        {"time", true, 2}, {"vs reference", true, 4}, {"vs CPU thread", true, 6}, {"points", true}};
    for (Column& column : columns) column.title = translated_word(column.title);
    std::vector<std::vector<Cell>> rows;
    for (const VersionResult& version : result_.versions) rows.push_back(row(version));
    std::vector<Cell> total(columns.size());
    total.front() = {tr("total"), Paint::Bold};
    total.back() = {points_of(result_.points, result_.max_points),
                    result_.passed() ? Paint::Good : Paint::Bold};
    rows.push_back(std::move(total));

    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::size_t width = display_width(columns[c].title);
      for (const auto& cells : rows) width = std::max(width, display_width(cells[c].text));
      widths.push_back(width);
    }
    const auto total_width = [&] {
      std::size_t sum = 0;
      for (std::size_t width : widths) sum += width == 0 ? 0 : width + kGap;
      return sum - kGap;
    };
    for (int priority = 6; priority > 0 && total_width() > width_; --priority) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].priority == priority) widths[c] = 0;
      }
    }
    const auto print = [&](const std::vector<Cell>& cells) {
      std::string text;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (widths[c] == 0) continue;
        if (!text.empty()) text.append(kGap, ' ');
        const std::string padding(widths[c] - display_width(cells[c].text), ' ');
        const std::string body = painted(cells[c].text, cells[c].paint);
        text += columns[c].right ? padding + body : body + padding;
      }
      line(text);
    };
    std::vector<Cell> titles;
    for (const Column& column : columns) titles.push_back({column.title, Paint::Dim});
    const std::string rule = repeat(ascii_or("─", "-"), total_width());
    print(titles);
    line(painted(rule, Paint::Dim));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r + 1 == rows.size()) line(painted(rule, Paint::Dim));
      print(rows[r]);
    }
    rows.pop_back();
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (widths[c] == 0) beside_table(columns[c], c, rows);
    for (const std::string& note : points_notes(result_)) paragraph(note, 0);
  }

  /// The criteria of correctness, if a version misses one, each with the versions that miss it.
  void criteria() {
    const std::vector<CriterionRow> rows = criteria_of(result_);
    if (std::ranges::none_of(rows, &CriterionRow::missed)) return;
    section("What the cases test");
    // Where a needed criterion is missed, right answers are luck: a list of them would mislead.
    const bool luck =
        std::ranges::any_of(rows, [](const CriterionRow& row) { return row.needed() && row.missed(); });
    for (const CriterionRow& row : rows) {
      if (luck && !row.missed()) continue;
      std::string missed;
      for (const auto& [version, one] : row.versions) {
        if (one->met) continue;
        missed +=
            fmt::format("{} {} {}/{}", missed.empty() ? ":" : ",", version->name, one->passed, one->total);
      }
      paragraph(title_of(row.titles()) + (row.bonus() ? tr(" (bonus)") : "") + missed, 2,
                fmt::format("{} ", missed.empty() ? ascii_or("✓", "+") : ascii_or("✗", "-")),
                missed.empty() ? Paint::None : Paint::Bad);
    }
  }

  void compiler_output() {
    if (result_.compiler_output.empty()) return;
    section("What the compiler says");
    said_by_compiler();
  }

  void said_by_compiler() {
    std::string text = printable(rendered_lines(result_.compiler_output));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (const std::string& row : split_lines(text))
      line("  " + row);  // not wrapped: the caret must stay under its column
  }

  /// Shortens a very long line to the text around the column. Returns how many columns it removed in front.
  static std::size_t shorten(std::string& source, std::size_t column) {
    constexpr std::size_t kLongest = 400, kBefore = 200;
    constexpr std::string_view kMore = "...";
    if (display_width(source) <= kLongest) return 0;
    const std::size_t first = column > kBefore ? column - kBefore : 0;
    const bool ends = display_width(source) <= first + kLongest;
    source = columns(source, first, kLongest);
    if (!ends) source += kMore;
    if (first == 0) return 0;
    source.insert(0, kMore);
    return first - kMore.size();
  }

  void excerpt(const Location& where) {
    if (where.file.empty()) return;
    if (where.file != result_.file || where.line < 1 ||
        static_cast<std::size_t>(where.line) > result_.source.size()) {
      line(tr("    at {}:{}", printable(where.file), where.line));
      return;
    }
    std::string source = printable(result_.source[static_cast<std::size_t>(where.line) - 1]);
    const std::size_t indent = std::min(source.find_first_not_of(' '), source.size());
    source.erase(0, indent);
    const std::size_t skipped = shorten(source, where.column > static_cast<int>(indent)
                                                    ? static_cast<std::size_t>(where.column) - 1 - indent
                                                    : 0);
    line(fmt::format("    {} {}:{}", painted(ascii_or("─>", "-->"), Paint::Dim), printable(where.file),
                     where.line));
    // Without a column the whole line is meant.
    const std::size_t column = where.column > static_cast<int>(indent)
                                   ? static_cast<std::size_t>(where.column) - 1 - indent - skipped
                                   : 0;
    const std::string marks =
        where.column > 0 ? std::string(column, ' ') + "^" : std::string(display_width(source), '^');
    source_rows(where.line, source, marks);
  }

  /// A line of the source in as many rows as it takes, with the marks below each.
  void source_rows(int number, std::string_view source, std::string_view marks) {
    const std::string shown = std::to_string(number), blank(shown.size(), ' ');
    const std::string bar = painted(ascii_or("│", "|"), Paint::Dim);
    const std::size_t room = width_ - std::min(width_ / 2, shown.size() + 7);
    const std::size_t whole = std::max({std::size_t{1}, display_width(source), marks.size()});
    for (std::size_t first = 0; first < whole; first += room) {
      line(fmt::format("    {} {} {}", first == 0 ? painted(shown, Paint::Dim) : blank, bar,
                       columns(source, first, room)));
      const std::string below = columns(marks, first, room);
      if (below.find('^') != std::string::npos)
        line(fmt::format("    {} {} {}", blank, bar, painted(below, Paint::Warn)));
    }
  }

  void losses() {
    const bool any = std::any_of(result_.versions.begin(), result_.versions.end(),
                                 [](const VersionResult& v) { return !v.lost.empty(); });
    if (!any) return;
    section("What was lost, and what to do");
    for (const Cause& cause : causes_) {
      line();
      print(cause);
    }
  }

  void print(const Cause& cause) {
    const std::string lost = "-" + human_points(cause.points), parts = cause.part_words();
    const std::string head =
        fmt::format("  {} {}", painted(cause.version_names(), Paint::Bold), painted(lost, Paint::Bad));
    if (2 + display_width(cause.version_names() + " " + lost + " " + parts) <= width_) {
      line(head + " " + parts);
    } else {
      line(head);
      paragraph(parts, 4);
    }
    paragraph(rendered(cause.reason()), 4);
    if (!cause.places.empty()) excerpt(cause.places.front());
    further_places(cause);
    if (!cause.lost->advice.empty())
      paragraph(rendered(cause.lost->advice), 4, fmt::format("{} ", ascii_or("→", "->")));
    if (cause.failure == nullptr) return;
    paragraph(rendered(cause.extent()), 4, bullet(), Paint::Dim);
    if (!cause.judged_later.empty()) paragraph(rendered(cause.judged_later), 4, bullet(), Paint::Dim);
    if (style_.verbose)
      every_failure(cause);
    else
      for (const CaseFailure* const failure : cause.beside) print(*failure);
  }

  [[nodiscard]] std::string bullet() const { return fmt::format("{} ", ascii_or("·", "*")); }

  void print(const CaseFailure& failure) {
    paragraph(fmt::format("{}: {}", failure.case_name, rendered(failure.message)), 4, bullet(), Paint::Dim);
  }

  /// The other lines of a cause, without marks.
  void further_places(const Cause& cause) {
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 1; i < std::min(cause.places.size(), kMost); ++i) {
      const Location& where = cause.places[i];
      const bool known = where.file == result_.file && where.line >= 1 &&
                         static_cast<std::size_t>(where.line) <= result_.source.size();
      std::string source =
          known ? printable(result_.source[static_cast<std::size_t>(where.line) - 1]) : std::string();
      source.erase(0, std::min(source.find_first_not_of(' '), source.size()));
      shorten(source, 0);
      source_rows(where.line, source, {});
    }
  }

  void every_failure(const Cause& cause) {
    for (const Cause::Share& share : cause.shares) {
      for (const CaseFailure& failure : share.version->correctness.failures) {
        if (&failure != cause.failure) print(failure);
      }
    }
  }

  void limits() {
    if (!limits_.empty()) section("What limits it now");
    for (const VersionLimit& one : limits_) {
      paragraph(rendered(one.limit), 2, one.version + ": ");
      if (!one.changes.empty()) paragraph(rendered(one.changes), 4, bullet(), Paint::Dim);
      if (!one.next.empty()) paragraph(rendered(one.next), 4, fmt::format("{} ", ascii_or("→", "->")));
    }
  }

  void notes() {
    bool first = true;
    for (const VersionResult& version : result_.versions) {
      for (const Messages& note : version.notes) {
        if (std::exchange(first, false)) section("Worth knowing");
        paragraph(rendered(note), 2, version.name + ": ");
      }
    }
  }

  void measurements() {
    bool first = true;
    for (const VersionResult& version : result_.versions) {
      if (version.speed.source != TimeSource::Measured) continue;
      if (std::exchange(first, false)) section("How it was measured");
      const Measurement& m = *version.speed.measurement;
      paragraph(words_of(m.student), 2, version.name + ": ");
      if (!m.student.live_reason.empty())
        paragraph(tr("timed live, with the host's part: {}", rendered(m.student.live_reason)), 4);
      paragraph(words_of(m.reference), 4, tr("the reference: "));
      if (!m.reference.live_reason.empty())
        paragraph(tr("timed live, with the host's part: {}", rendered(m.reference.live_reason)), 4);
    }
  }

  void launches() {
    section("Launches of the timed case");
    for (const VersionResult& version : result_.versions) {
      for (const LaunchSummary& launch : version.launches) {
        const sim::Counters& c = launch.counters;
        const std::string what =
            launch.launches > 1
                ? tr("{} launches more, together", human_count(launch.launches))
                : fmt::format("{} <<<({}, {}, {}), ({}, {}, {})>>>", printable(launch.kernel), launch.grid.x,
                              launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
        line(fmt::format("  {}: {}  {}", painted(version.name, Paint::Bold), what,
                         launch.estimated_ns() > 0 ? tr("{} estimated", human_time(launch.estimated_ns())) +
                                                         ", " + rendered(what_rules(launch.bounds))
                                                   : std::string()));
        paragraph(tr("global: {} load sectors in {} requests, {} store sectors in {} requests",
                     human_count(c.global_load_sectors), human_count(c.global_load_requests),
                     human_count(c.global_store_sectors), human_count(c.global_store_requests)),
                  4);
        paragraph(
            tr("shared: {} a block; {} load and {} store wavefronts, {} bank conflicts",
               rendered(msg::byte_size(launch.shared_bytes)), human_count(c.source_shared_load_wavefronts),
               human_count(c.source_shared_store_wavefronts),
               human_count(c.source_shared_load_bank_conflicts + c.source_shared_store_bank_conflicts)),
            4);
        paragraph(tr("{} warp instructions, {} divergent branches", human_count(c.warp_instructions),
                     human_count(c.divergent_branches)),
                  4);
      }
    }
  }

  void words() {
    std::vector<std::string> names;
    for (const GlossaryWord* const word : words_of(causes_, limits_)) names.push_back(word->shown());
    if (names.empty()) return;
    line();
    paragraph(
        tr("Words: `grader explain --word NAME` explains {}", fmt::format("{}", fmt::join(names, ", "))), 0,
        {}, Paint::Dim);
  }

  void footer() {
    const Nondeterministic& n = result_.nondeterministic;
    if (style_.with_command || !n.sandbox_warning.empty() || !n.submission_note.empty()) line();
    if (!n.submission_note.empty()) paragraph(rendered(n.submission_note), 0, {}, Paint::Warn);
    if (!n.sandbox_warning.empty()) paragraph(rendered(n.sandbox_warning), 0, {}, Paint::Warn);
    if (style_.with_command) line(painted(tr("Repeat this run: {}", repeat_command(result_)), Paint::Dim));
  }

  const GradeResult& result_;
  const std::vector<Cause> causes_ = causes_of(result_);
  const std::vector<VersionLimit> limits_ = limits_of(result_);
};

}  // namespace

std::string console_report(const GradeResult& result, const ConsoleStyle& style) {
  return Card(result, style).write();
}

std::string first_cause_report(const GradeResult& result, const ConsoleStyle& style) {
  return Card(result, style).write_first_cause();
}

std::string summary_line(const GradeResult& result) {
  return tr("{} {}: {} of {} points", result.lab, result.variant, human_points(result.points),
            human_points(result.max_points));
}

}  // namespace cudalabs
