#include "grader/present/web/pages/submission_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/losses.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/page.h"
#include "grader/present/web/pages/bank_figure.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/pages/roofline.h"
#include "grader/present/web/pages/version_figures.h"
#include "grader/present/web/svg.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

using html::escaped;
using html::prose;
using parts::Mood;

class SubmissionWriter {
  // Limits of what a submission may put on the page.
  static constexpr std::size_t kName = 80, kReason = 1500, kAdvice = 800, kCase = 100, kMessage = 300;
  static constexpr std::size_t kCompilerOutput = 20'000;
  static constexpr std::size_t kLosses = 40, kFailures = 20, kNotes = 40, kBankMaps = 4;
  static constexpr std::size_t kAround = 2;  // lines above and below a shown line

 public:
  explicit SubmissionWriter(const SubmissionPage& page) : page_(page), result_(page.result) {}

  std::string write() {
    heading();
    out_ += "<main>\n";
    points();
    compiler_output();
    losses();
    notes();
    versions();
    roofline();
    how();
    out_ += "</main>\n";
    const std::string title =
        markup("{}{} {}: {} of {} points", page_.student.empty() ? "" : page_.student + ", ", result_.lab,
               result_.variant, human_points(result_.points), human_points(result_.max_points));
    return html::document(title, std::string(html::base_style()) + std::string(parts::style()), out_);
  }

 private:
  static bool graded(const VersionResult& version) { return version.verdict != Verdict::NotGraded; }
  [[nodiscard]] bool any_timed() const {
    return std::ranges::any_of(result_.versions,
                               [](const auto& v) { return v.speed.source != TimeSource::None; });
  }

  void heading() {
    out_ += fmt::format("<header>\n<p class=\"sub\">{} {}</p>\n<h1>{}</h1>\n", escaped(result_.lab, kName),
                        escaped(result_.variant, kName), escaped(translated_word(result_.title), 200));
    if (!page_.student.empty())
      out_ += fmt::format("<p class=\"who\">{}</p>\n", escaped(page_.student, kName));
    const double share = result_.max_points > 0 ? result_.points / result_.max_points : 0;
    const Mood mood = result_.passed() ? Mood::Good : share >= 0.5 ? Mood::Mixed : Mood::Bad;
    out_ +=
        markup("<div class=\"score\"><span class=\"big\">{} <small>of {} points</small></span>{}{}</div>\n",
               human_points(result_.points), human_points(result_.max_points),
               parts::chip(mood, result_.passed() ? "everything passed" : "points were lost"),
               parts::bar(share, mood));
    out_ += markup("<nav aria-label=\"On this page\"><ul>\n");
    const auto link = [&](std::string_view id, const std::string& text) {
      out_ += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, translated_word(text));
    };
    link("points", "Points");
    if (const std::size_t count = losses_of(result_).size(); count > 0)
      link("lost", markup("What was lost ({})", count));
    if (any_timed()) link("versions", "Versions side by side");
    if (has_roofline()) link("limit", "The card's limit");
    link("how", "How it was graded");
    out_ += "</ul></nav>\n</header>\n";
  }

  static std::string of(double points, double max_points) {
    return fmt::format("{}<span class=\"of\">/{}</span>", human_points(points), human_points(max_points));
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
    const std::string none = "–";
    for (const VersionResult& v : result_.versions) {
      const Mood mood = parts::mood_of(v.verdict, v.points, v.max_points);
      std::vector<std::string> cells{
          escaped(v.name, kName),
          graded(v) ? of(v.points, v.max_points) + parts::bar(v.points / v.max_points, mood) : none,
          parts::chip(mood, verdict_words(v.verdict))};
      const auto& c = v.correctness;
      cells.push_back(c.total > 0 ? fmt::format("{}<span class=\"of\">/{}</span>", c.passed, c.total) : none);
      const auto met = std::ranges::count_if(v.structure, [](const auto& s) { return s.satisfied; });
      cells.push_back(!v.structure.empty() && v.structure.front().judged
                          ? fmt::format("{}<span class=\"of\">/{}</span>", met, v.structure.size())
                          : none);
      if (v.speed.source == TimeSource::None) {
        cells.insert(cells.end(), 3, none);
      } else {
        cells.push_back(
            fmt::format("{} {}", human_time(v.speed.student_ns), translated_word(spelling(v.speed.source))));
        cells.push_back(human_factor(v.speed.speedup) + "×");
        const double cpu = result_.nondeterministic.cpu_ms;
        cells.push_back(cpu > 0 ? human_factor(cpu * 1e6 / v.speed.student_ns) + "×" : none);
      }
      table.row(cells);
    }
    std::vector<std::string> sum{tr("total"), of(result_.points, result_.max_points)};
    sum.resize(8);
    table.row(sum, "sum");
    out_ += std::move(table).write() + "</section>\n";
  }

  void compiler_output() {
    if (result_.compiler_output.empty()) return;
    out_ += markup(
        "<section>\n<h2>What the compiler says</h2>\n<pre class=\"compiler\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"What the compiler says\">{}</pre>\n</section>\n",
        escaped(result_.compiler_output, kCompilerOutput));
  }

  void losses() {
    const std::vector<Loss> losses = losses_of(result_);
    if (losses.empty()) return;
    out_ += markup("<section id=\"lost\">\n<h2>What was lost, and what to do</h2>\n");
    for (std::size_t i = 0; i < std::min(losses.size(), kLosses); ++i) print(losses[i]);
    if (losses.size() > kLosses)
      out_ += markup("<p class=\"note\">And {} more, which are not shown.</p>\n", losses.size() - kLosses);
    out_ += "</section>\n";
  }

  void print(const Loss& loss) {
    std::string parts;
    for (const std::string& part : loss.parts) parts += (parts.empty() ? "" : ", ") + parts::part_words(part);
    const bool cheap = loss.points < loss.version->max_points / 10;
    out_ += fmt::format(
        "<article class=\"loss{}\">\n<h3><span class=\"minus\">−{}</span> <span>{}</span> <span "
        "class=\"of\">{}</span></h3>\n<p>{}</p>\n",
        cheap ? " cheap" : "",
        loss.points == 1 ? tr("{} point", human_points(loss.points))
                         : tr("{} points", human_points(loss.points)),
        escaped(loss.version_names(), 200), parts, prose(loss.first->reason, kReason));
    place(loss.first->where);
    if (!loss.first->advice.empty())
      out_ += markup("<p class=\"advice\"><b>What to do:</b> {}</p>\n", prose(loss.first->advice, kAdvice));
    bank_map(loss);
    if (loss.first->part == "correctness") more_failures(*loss.version);
    out_ += "</article>\n";
  }

  void place(const Location& where) {
    if (where.file.empty()) return;
    out_ += fmt::format("<p class=\"place\"><code>{}:{}</code></p>\n", escaped(where.file, 200), where.line);
    if (where.file == result_.file) out_ += parts::excerpt(result_.source, where, kAround);
  }

  /// Shows the bank map of the line that the loss names, once.
  void bank_map(const Loss& loss) {
    if (loss.first->where.line == 0 || shown_maps_.size() >= kBankMaps) return;
    for (const ConflictExample& conflict : loss.version->conflicts) {
      if (conflict.where.file != loss.first->where.file || conflict.where.line != loss.first->where.line)
        continue;
      if (!shown_maps_.insert({loss.version->name, conflict.where.line}).second) return;
      out_ += bank_figure(conflict.access, shown_maps_.size());
      return;
    }
  }

  void more_failures(const VersionResult& version) {
    const auto& failures = version.correctness.failures;
    if (failures.size() < 2) return;
    out_ += markup("<details><summary>All {} cases that failed</summary>\n<ul class=\"plain\">\n",
                   failures.size());
    for (std::size_t i = 0; i < std::min(failures.size(), kFailures); ++i) {
      out_ += fmt::format("<li><b>{}</b>, {}: {}</li>\n", escaped(failures[i].case_name, kCase),
                          verdict_words(failures[i].verdict), prose(failures[i].message, kMessage));
    }
    if (failures.size() > kFailures) out_ += markup("<li>and {} more</li>\n", failures.size() - kFailures);
    out_ += "</ul></details>\n";
  }

  void notes() {
    std::size_t shown = 0;
    std::string list;
    for (const VersionResult& version : result_.versions) {
      for (const Messages& note : version.notes) {
        if (shown++ >= kNotes) continue;
        list += fmt::format("<li><b>{}</b>: {}</li>\n", escaped(version.name, kName), prose(note, kMessage));
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
    std::string list;
    for (const VersionResult& version : result_.versions) {
      for (const StructureResult& s : version.structure) {
        if (!s.judged) continue;
        list += markup("<li>{} <b>{}</b> {}, {} of {} points: {}</li>\n",
                       parts::chip(s.satisfied ? Mood::Good : Mood::Bad, s.satisfied ? "met" : "not met"),
                       escaped(version.name, kName), parts::part_words(std::string(spelling(s.requirement))),
                       human_points(s.points), human_points(s.max_points), prose(s.observed, kMessage));
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
        tr("The line is the card's limit: memory bandwidth on the slope, the instruction issue rate on the "
           "level part. The dashed slope is the bandwidth of L2: points above the full line got a part of "
           "their bytes from caches. Filled signs are this submission, outlined ones the reference. Up is "
           "faster; to the left is more traffic for the same work."));
    out_ += roofline_table(roofline) + "</section>\n";
  }

  void how() {
    const Nondeterministic& n = result_.nondeterministic;
    out_ += markup("<section id=\"how\">\n<h2>How it was graded</h2>\n<dl class=\"facts\">\n");
    const auto fact = [&](std::string_view name, const std::string& text) {
      if (!text.empty()) out_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", translated_word(name), text);
    };
    fact("file", escaped(result_.file, 200));
    fact("when", escaped(n.started_at, kName));
    fact("device", escaped(result_.card.empty() ? translated_word(result_.device) : result_.card, 200));
    fact("times estimated for", escaped(result_.profile.title, 200));
    fact("compiler", escaped(result_.compiler.name + " " + result_.compiler.version, 100));
    fact("seed of the inputs", std::to_string(result_.seed));
    fact("sandbox", escaped(n.sandbox, kName));
    fact("grader", escaped(n.grader_version, kName));
    for (const VersionResult& version : result_.versions) {
      if (version.speed.source != TimeSource::Measured || !version.speed.measurement) continue;
      const Measurement& m = *version.speed.measurement;
      std::string text = tr("this submission: {}", words_of(m.student));
      if (!m.student.live_reason.empty())
        text += tr("; timed live, with the host's part: {}", rendered(m.student.live_reason));
      text += tr(". The reference: {}", words_of(m.reference));
      if (!m.reference.live_reason.empty())
        text += tr("; timed live, with the host's part: {}", rendered(m.reference.live_reason));
      fact(tr("measured, {}", escaped(version.name, kName)), escaped(text, 600));
    }
    fact("to repeat it", fmt::format("<code>{}</code>", escaped(repeat_command(result_), 600)));
    out_ += "</dl>\n";
    if (!n.sandbox_warning.empty())
      out_ += fmt::format("<p class=\"note\">{}</p>\n",
                          prose(std::string_view(translated_word(n.sandbox_warning)), 400));
    out_ += "</section>\n";
  }

  const SubmissionPage& page_;
  const GradeResult& result_;
  std::set<std::pair<std::string, int>> shown_maps_;
  std::string out_;
};

}  // namespace

std::string submission_page(const SubmissionPage& page) { return SubmissionWriter(page).write(); }

}  // namespace cudalabs
