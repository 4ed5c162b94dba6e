#include "grader/present/web/pages/submission_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/causes.h"
#include "grader/present/glossary.h"
#include "grader/present/limits.h"
#include "grader/present/losses.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/page.h"
#include "grader/present/web/pages/bank_figure.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/pages/roofline.h"
#include "grader/present/web/pages/style.h"
#include "grader/present/web/pages/version_figures.h"
#include "grader/present/web/svg.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;
using html::prose;
using parts::Mood;

// What a page says about open points stands between these. No text of a submission can contain them.
constexpr char kOpenPoints[] = "<!--open points-->\n", kEndOfOpen[] = "<!--end of open points-->\n";

Html note_lines(const std::vector<std::string>& lines) {
  constexpr std::size_t kLine = 300;
  Html out;
  for (const std::string& line : lines)
    out += html::format("<p class=\"note\">{}</p>\n", escaped(line, kLine));
  return out;
}

class SubmissionWriter {
  // Limits of what a submission may put on the page.
  static constexpr std::size_t kName = 80, kReason = 1500, kAdvice = 800, kCase = 100, kMessage = 300;
  static constexpr std::size_t kCompilerOutput = 20'000;
  static constexpr std::size_t kLosses = 40, kPlaces = 4, kFailures = 20, kNotes = 40, kBankMaps = 4;
  static constexpr std::size_t kAround = 2;  // lines above and below a shown line

 public:
  explicit SubmissionWriter(const SubmissionPage& page) : page_(page), result_(page.result) {}

  std::string write() {
    heading();
    out_ += "<main>\n";
    points();
    criteria();
    compiler_output();
    losses();
    limits();
    notes();
    versions();
    roofline();
    words();
    how();
    out_ += "</main>\n";
    const std::string title =
        tr("{}{} {}: {} of {} points", page_.student.empty() ? "" : page_.student + ", ", result_.lab,
           result_.variant, human_points(result_.points), human_points(result_.max_points));
    return html::document(title, Html(html::base_style()) + parts::kStyle, out_).text();
  }

 private:
  static bool graded(const VersionResult& version) { return version.verdict != Verdict::NotGraded; }
  [[nodiscard]] bool any_timed() const {
    return std::ranges::any_of(result_.versions,
                               [](const auto& v) { return v.speed.source != TimeSource::None; });
  }

  void heading() {
    out_ += html::format("<header>\n<p class=\"sub\">{} {}</p>\n<h1>{}</h1>\n", escaped(result_.lab, kName),
                         escaped(result_.variant, kName), escaped(translated_word(result_.title), 200));
    if (!page_.student.empty())
      out_ += html::format("<p class=\"who\">{}</p>\n", escaped(page_.student, kName));
    const double share = result_.max_points > 0 ? result_.points / result_.max_points : 0;
    const Mood mood = result_.passed() ? Mood::Good : share >= 0.5 ? Mood::Mixed : Mood::Bad;
    out_ +=
        markup("<div class=\"score\"><span class=\"big\">{} <small>of {} points</small></span>{}{}</div>\n",
               escaped(human_points(result_.points)), escaped(human_points(result_.max_points)),
               parts::chip(mood, result_.passed() ? "everything passed" : "points were lost"),
               parts::bar(share, mood));
    out_ += markup("<nav aria-label=\"On this page\"><ul>\n");
    const auto link = [&](Piece id, const Html& text) {
      out_ += html::format("<li><a href=\"#{}\">{}</a></li>\n", id, text);
    };
    link("points", markup("Points"));
    if (!causes_.empty()) link("lost", markup("What was lost ({})", causes_.size()));
    if (any_timed()) link("versions", markup("Versions side by side"));
    if (has_roofline()) link("limit", markup("The card's limit"));
    link("how", markup("How it was graded"));
    out_ += "</ul></nav>\n</header>\n";
  }

  static Html of(double points, double max_points) {
    return html::format("{}<span class=\"of\">/{}</span>", escaped(human_points(points)),
                        escaped(human_points(max_points)));
  }

  void points() {
    out_ += markup("<section id=\"points\">\n<h2>Points</h2>\n");
    parts::Table table("Points by version", {{"version"},
                                             {"points"},
                                             {"verdict", true},
                                             {"cases right"},
                                             {"structure"},
                                             {"time"},
                                             {"vs reference"},
                                             {"vs CPU thread"}});
    const Html none("–");
    for (const VersionResult& v : result_.versions) {
      const Mood mood = parts::mood_of(v.verdict, v.points - v.bonus_points, v.max_points);
      std::vector<Html> cells{escaped(v.name, kName),
                              graded(v) ? (v.bonus ? Html("+") : Html()) + of(v.points, v.max_points) +
                                              parts::bar(v.points / v.max_points, mood)
                                        : none,
                              parts::chip(mood, verdict_words(v))};
      const auto& c = v.correctness;
      cells.push_back(c.total > 0 ? html::format("{}<span class=\"of\">/{}</span>", c.passed, c.total)
                                  : none);
      const auto met = std::ranges::count_if(v.structure, [](const auto& s) { return s.satisfied; });
      cells.push_back(!v.structure.empty() && v.structure.front().judged
                          ? html::format("{}<span class=\"of\">/{}</span>", met, v.structure.size())
                          : none);
      if (v.speed.source == TimeSource::None) {
        cells.insert(cells.end(), 3, none);
      } else {
        cells.push_back(html::format("{} {}", escaped(human_time(v.speed.student_ns)),
                                     html::word(spelling(v.speed.source))));
        cells.push_back(escaped(human_factor(v.speed.speedup)) + "×");
        const double cpu = result_.nondeterministic.cpu_ms;
        cells.push_back(cpu > 0 ? escaped(human_factor(cpu * 1e6 / v.speed.student_ns)) + "×" : none);
      }
      table.row(cells);
    }
    std::vector<Html> sum{markup("total"), of(result_.points, result_.max_points)};
    sum.resize(8);
    table.row(sum, "sum");
    out_ += std::move(table).write();
    if (const std::string bonus = bonus_note(result_); !bonus.empty()) out_ += note_lines({bonus});
    if (!result_.open.empty()) out_ += Html(kOpenPoints) + note_lines(open_notes(result_)) + Html(kEndOfOpen);
    out_ += "</section>\n";
  }

  void criteria() {
    const std::vector<CriterionRow> rows = criteria_of(result_);
    if (rows.empty()) return;
    out_ += markup("<section>\n<h2>What the cases test</h2>\n");
    std::vector<parts::Head> heads{{"criterion", true}};
    for (const VersionResult& v : result_.versions) heads.emplace_back(escaped(v.name, kName), true);
    parts::Table table("Criteria by version", heads);
    for (const CriterionRow& row : rows) {
      std::vector<Html> cells{escaped(title_of(row.titles()) + (row.bonus() ? tr(" (bonus)") : ""), kCase)};
      for (const VersionResult& v : result_.versions)
        cells.push_back(is_luck(v) && !row.needed() ? Html("–") : criterion(row.of(v)));
      table.row(cells);
    }
    out_ += std::move(table).write() + "</section>\n";
  }

  /// Without a needed criterion the others say nothing.
  static bool is_luck(const VersionResult& version) {
    return std::ranges::any_of(version.correctness.criteria,
                               [](const CriterionResult& one) { return one.needed && !one.met; });
  }

  static Html criterion(const CriterionResult* one) {
    if (one == nullptr) return Html("–");
    const Html chip = parts::chip(one->met ? Mood::Good : Mood::Bad, one->met ? "met" : "missed");
    return one->max_points > 0 ? html::format("{} {}", chip, of(one->points, one->max_points)) : chip;
  }

  void compiler_output() {
    if (result_.compiler_output.empty()) return;
    out_ += markup(
        "<section>\n<h2>What the compiler says</h2>\n<pre class=\"compiler\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"What the compiler says\">{}</pre>\n</section>\n",
        escaped(rendered_lines(result_.compiler_output), kCompilerOutput));
  }

  void losses() {
    if (causes_.empty()) return;
    out_ += markup("<section id=\"lost\">\n<h2>What was lost, and what to do</h2>\n");
    for (std::size_t i = 0; i < std::min(causes_.size(), kLosses); ++i) print(causes_[i]);
    if (causes_.size() > kLosses)
      out_ += markup("<p class=\"note\">And {} more, which are not shown.</p>\n", causes_.size() - kLosses);
    out_ += "</section>\n";
  }

  void print(const Cause& cause) {
    const bool cheap = cause.points < cause.shares.front().version->max_points / 10;
    out_ += html::format(
        "<article class=\"loss{}\">\n<h3><span class=\"minus\">−{}</span> <span>{}</span> <span "
        "class=\"of\">{}</span></h3>\n<p>{}</p>\n",
        cheap ? Piece(" cheap") : Piece(""),
        cause.points == 1 ? markup("{} point", escaped(human_points(cause.points)))
                          : markup("{} points", escaped(human_points(cause.points))),
        escaped(cause.version_names(), 200), escaped(cause.part_words()), prose(cause.reason(), kReason));
    for (std::size_t i = 0; i < std::min(cause.places.size(), kPlaces); ++i) place(cause.places[i]);
    if (!cause.lost->advice.empty())
      out_ += markup("<p class=\"advice\"><b>What to do:</b> {}</p>\n", prose(cause.lost->advice, kAdvice));
    bank_map(cause);
    if (cause.failure != nullptr)
      out_ += html::format("<p class=\"note\">{}</p>\n", prose(cause.extent(), kMessage));
    if (!cause.judged_later.empty())
      out_ += html::format("<p class=\"note\">{}</p>\n", prose(Messages(cause.judged_later), kMessage));
    if (cause.lost->part == "correctness") {
      for (const Cause::Share& share : cause.shares) more_failures(*share.version, cause.shares.size() > 1);
    }
    out_ += "</article>\n";
  }

  void place(const Location& where) {
    if (where.file.empty()) return;
    out_ += html::format("<p class=\"place\"><code>{}:{}</code></p>\n", escaped(where.file, 200), where.line);
    if (where.file == result_.file) out_ += parts::excerpt(result_.source, where, kAround);
  }

  /// Shows the bank map of the line that the loss names, once.
  void bank_map(const Cause& cause) {
    const Location& where = cause.lost->where;
    const VersionResult& version = *cause.shares.front().version;
    if (where.line == 0 || shown_maps_.size() >= kBankMaps) return;
    for (const ConflictExample& conflict : version.conflicts) {
      if (conflict.where.file != where.file || conflict.where.line != where.line) continue;
      if (!shown_maps_.insert({version.name, conflict.where.line}).second) return;
      out_ += bank_figure(conflict.access, shown_maps_.size());
      return;
    }
  }

  void more_failures(const VersionResult& version, bool of_several) {
    const auto& failures = version.correctness.failures;
    if (failures.size() < 2) return;
    const Html name = of_several ? escaped(version.name, kName) + ": " : Html();
    out_ += html::format("<details><summary>{}{}</summary>\n<ul class=\"plain\">\n", name,
                         markup("All {} cases that failed", failures.size()));
    for (std::size_t i = 0; i < std::min(failures.size(), kFailures); ++i) {
      out_ += html::format("<li><b>{}</b>, {}: {}</li>\n", escaped(failures[i].case_name, kCase),
                           escaped(verdict_words(failures[i].verdict)), prose(failures[i].message, kMessage));
    }
    if (failures.size() > kFailures) out_ += markup("<li>and {} more</li>\n", failures.size() - kFailures);
    out_ += "</ul></details>\n";
  }

  void limits() {
    if (limits_.empty()) return;
    out_ += markup("<section>\n<h2>What limits it now</h2>\n<ul class=\"plain\">\n");
    for (const VersionLimit& one : limits_) {
      out_ += html::format("<li><b>{}</b>: {}", escaped(one.version, kName), prose(one.limit, kMessage));
      if (!one.changes.empty()) out_ += html::format("<br>\n{}", prose(one.changes, kReason));
      if (!one.next.empty()) out_ += html::format("<br>\n{}", prose(one.next, kMessage));
      out_ += "</li>\n";
    }
    out_ += "</ul>\n</section>\n";
  }

  void notes() {
    std::size_t shown = 0;
    Html list;
    for (const VersionResult& version : result_.versions) {
      for (const Messages& note : version.notes) {
        if (shown++ >= kNotes) continue;
        list += html::format("<li><b>{}</b>: {}</li>\n", escaped(version.name, kName), prose(note, kMessage));
      }
    }
    if (shown > kNotes) list += markup("<li>and {} more</li>\n", shown - kNotes);
    if (shown > 0)
      out_ +=
          markup("<section>\n<h2>Worth knowing</h2>\n<ul class=\"plain\">\n") + list + "</ul>\n</section>\n";
  }

  void versions() {
    if (!any_timed()) return;
    out_ += markup("<section id=\"versions\">\n<h2>Versions side by side</h2>\n");
    out_ += parts::figure(time_figure(result_),
                          markup("Time of the timed case ({}), shorter is better. Filled: this submission. "
                                 "Outlined: the reference solution.",
                                 escaped(timed_case(), kCase)));
    out_ += counter_table(result_);
    structure();
    out_ += "</section>\n";
  }

  [[nodiscard]] std::string timed_case() const {
    for (const VersionResult& version : result_.versions)
      if (version.speed.source != TimeSource::None) return version.speed.case_name;
    return {};
  }

  void structure() {
    Html list;
    for (const VersionResult& version : result_.versions) {
      for (const StructureResult& s : version.structure) {
        if (!s.judged) continue;
        list += markup("<li>{} <b>{}</b> {}, {} of {} points: {}</li>\n",
                       parts::chip(s.satisfied ? Mood::Good : Mood::Bad, s.satisfied ? "met" : "not met"),
                       escaped(version.name, kName), escaped(words_of_part(spelling(s.requirement))),
                       escaped(human_points(s.points)), escaped(human_points(s.max_points)),
                       prose(s.observed, kMessage));
      }
    }
    if (!list.empty())
      out_ += markup("<h3>Required structure</h3>\n<ul class=\"checks\">\n") + list + "</ul>\n";
  }

  [[nodiscard]] bool has_roofline() const {
    return page_.peaks && !roofline_of(result_, *page_.peaks).points.empty();
  }

  void roofline() {
    if (!has_roofline()) return;
    const Roofline roofline = roofline_of(result_, *page_.peaks);
    out_ += markup("<section id=\"limit\">\n<h2>How near to the card's limit</h2>\n");
    out_ += parts::figure(
        roofline_figure(roofline),
        markup(
            "The line is the card's limit: memory bandwidth on the slope, the instruction issue rate on the "
            "level part. The dashed slope is the bandwidth of L2: points above the full line got a part of "
            "their bytes from caches. A short bar above a sign is the most that the version's accesses to "
            "shared memory allow: bank conflicts lower it. Filled signs are this submission, outlined ones "
            "the reference. Up is faster; to the left is more traffic for the same work."));
    out_ += roofline_table(roofline) + "</section>\n";
  }

  void words() {
    const auto used = words_of(causes_, limits_);
    if (used.empty()) return;
    out_ += markup("<section>\n<h2>Words</h2>\n<dl class=\"facts\">\n");
    for (const GlossaryWord* const word : used)
      out_ += html::format("<dt>{}</dt><dd>{}</dd>\n", escaped(word->shown(), kName),
                           prose(Message(*word->meaning, {}), kMessage));
    out_ += "</dl>\n</section>\n";
  }

  void how() {
    const Nondeterministic& n = result_.nondeterministic;
    out_ += markup("<section id=\"how\">\n<h2>How it was graded</h2>\n<dl class=\"facts\">\n");
    const auto fact = [&](const Html& name, const Html& text) {
      if (!text.empty()) out_ += html::format("<dt>{}</dt><dd>{}</dd>\n", name, text);
    };
    fact(markup("file"), escaped(result_.file, 200));
    fact(markup("when"), escaped(n.started_at, kName));
    fact(markup("device"),
         escaped(result_.card.empty() ? translated_word(result_.device) : result_.card, 200));
    fact(markup("times estimated for"), escaped(result_.profile.title, 200));
    fact(markup("compiler"), escaped(result_.compiler.name + " " + result_.compiler.version, 100));
    fact(markup("seed of the inputs"), html::format("{}", result_.seed));
    fact(markup("sandbox"), escaped(n.sandbox, kName));
    fact(markup("grader"), escaped(n.grader_version, kName));
    for (const VersionResult& version : result_.versions) {
      if (version.speed.source != TimeSource::Measured || !version.speed.measurement) continue;
      const Measurement& m = *version.speed.measurement;
      std::string text = tr("this submission: {}", words_of(m.student));
      if (!m.student.live_reason.empty())
        text += tr("; timed live, with the host's part: {}", rendered(m.student.live_reason));
      text += tr(". The reference: {}", words_of(m.reference));
      if (!m.reference.live_reason.empty())
        text += tr("; timed live, with the host's part: {}", rendered(m.reference.live_reason));
      fact(markup("measured, {}", escaped(version.name, kName)), escaped(text, 600));
    }
    fact(markup("to repeat it"), html::format("<code>{}</code>", escaped(repeat_command(result_), 600)));
    out_ += "</dl>\n";
    if (!n.sandbox_warning.empty())
      out_ += html::format("<p class=\"note\">{}</p>\n", prose(rendered(n.sandbox_warning), 400));
    out_ += "</section>\n";
  }

  const SubmissionPage& page_;
  const GradeResult& result_;
  std::vector<Cause> causes_ = causes_of(result_);
  std::vector<VersionLimit> limits_ = limits_of(result_);
  std::set<std::pair<std::string, int>> shown_maps_;
  Html out_;
};

}  // namespace

std::string submission_page(const SubmissionPage& page) { return SubmissionWriter(page).write(); }

std::string with_given_points(std::string page, const std::vector<std::string>& lines) {
  const std::size_t begin = page.find(kOpenPoints), end = page.find(kEndOfOpen);
  if (begin == std::string::npos || end == std::string::npos) {
    const std::size_t points = page.find("</section>\n");  // the first one is about the points
    if (points != std::string::npos) page.insert(points, note_lines(lines).text());
    return page;
  }
  const std::size_t from = begin + std::string_view(kOpenPoints).size();
  page.replace(from, end - from, note_lines(lines).text());
  return page;
}

}  // namespace cudalabs
