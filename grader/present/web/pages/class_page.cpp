#include "grader/present/web/pages/class_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/present/causes.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/page.h"
#include "grader/present/web/pages/class_copies.h"
#include "grader/present/web/pages/class_figures.h"
#include "grader/present/web/pages/class_findings.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/pages/style.h"
#include "grader/present/web/pages/table_script.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;
using html::prose;
using parts::Mood;

/// Beside the style of all pages: this one has wide tables, and controls.
constexpr Piece kWide = R"css(body { max-width: 100rem; }
.tools { display: flex; flex-wrap: wrap; gap: 0.4rem 0.75rem; align-items: center; margin: 0.5rem 0; }
.tools[hidden] { display: none; }
.tools input, .tools select { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: 6px; padding: 0.25rem 0.5rem; min-width: 0; max-width: 100%; }
#students td, #students th { padding-left: 0.45rem; padding-right: 0.45rem; }
#students td .of { white-space: normal; }
#students .wordy { min-width: 8rem; }
th button { all: unset; cursor: pointer; text-decoration: underline dotted; }
th[aria-sort] button { text-decoration: underline; }
th[aria-sort="ascending"] button::after { content: " ▲"; }
th[aria-sort="descending"] button::after { content: " ▼"; }
th button:focus-visible, .tools :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
@media print { .tools { display: none; } }
)css";

bool has_points(const ClassStudent& student) { return student.scored || !student.scores.empty(); }

class ClassWriter {
  // Limits of the page's contents, in columns and in rows.
  static constexpr std::size_t kName = 50, kMessage = 400, kAdvice = 400, kProblem = 250;
  static constexpr std::size_t kFindings = 25, kLines = 5, kWho = 60, kLeaders = 10, kCriteria = 60;

 public:
  explicit ClassWriter(const ClassPage& page) : page_(page), findings_(common_findings(page.students)) {
    any_lost_ = !findings_.empty();
    if (page_.anonymous)
      std::erase_if(findings_, [](const CommonFinding& one) { return one.students.size() < kMinShared; });
    for (const ClassVersion& version : page_.versions) max_points_ += version.bonus ? 0 : version.max_points;
    if (page_.max_points > 0) max_points_ = page_.max_points;
    for (const ClassStudent& student : page_.students) {
      (has_points(student) ? graded_ : ungraded_).push_back(&student);
    }
    const auto by_id = [](const ClassStudent* a, const ClassStudent* b) {
      return natural_less(a->id, b->id);
    };
    std::ranges::stable_sort(graded_, by_id);
    std::ranges::stable_sort(ungraded_, by_id);
  }

  std::string write() {
    heading();
    out_ += "<main>\n";
    if (page_.anonymous)
      leaders();
    else
      students();
    if (!graded_.empty()) {
      criteria();
      findings();
      distributions();
    }
    attempts();
    if (!page_.anonymous) {
      leaders();
      out_ += copies_section(page_);
    }
    how();
    out_ += "</main>\n";
    return html::document(tr("{} {}: a class of {}", page_.lab, page_.variant, page_.students.size()),
                          Html(html::base_style()) + parts::kStyle + kWide, out_,
                          page_.anonymous ? Piece("") : parts::kTableScript)
        .text();
  }

 private:
  [[nodiscard]] std::vector<double> totals() const {
    std::vector<double> points;
    for (const ClassStudent* student : graded_) points.push_back(student->points);
    return points;
  }

  /// The students' points in a version. Students who were not graded in it are left out.
  [[nodiscard]] std::vector<double> points_of(std::size_t version) const {
    std::vector<double> points;
    for (const ClassStudent* student : graded_)
      if (version < student->scores.size() && student->scores[version].verdict != Verdict::NotGraded)
        points.push_back(student->scores[version].points);
    return points;
  }

  /// The name, or the id if there is no name.
  static Html called(const ClassStudent& student) {
    return escaped(student.name.empty() ? student.id : student.name, kName);
  }

  void tile(const Html& number, std::string_view what) {
    out_ += html::format("<li><b>{}</b><span>{}</span></li>\n", number, html::word(what));
  }

  void heading() {
    out_ += html::format("<header>\n<p class=\"sub\">{}{} {}</p>\n<h1>{}</h1>\n",
                         page_.course.empty() ? Html() : escaped(page_.course, 100) + " · ",
                         escaped(page_.lab, kName), escaped(page_.variant, kName),
                         escaped(translated_word(page_.title), 200));
    out_ += "<ul class=\"tiles\">\n";
    tile(escaped(human_count(page_.students.size())), page_.students.size() == 1 ? "student" : "students");
    tile(escaped(human_count(ungraded_.size())), "could not be graded");
    if (!graded_.empty()) {
      const std::vector<double> points = totals();
      const Html of = markup(" <span>of {}</span>", escaped(human_points(max_points_)));
      tile(escaped(human_points(round_points(mean_of(points)))) + of, "points, mean of the graded");
      tile(escaped(human_points(round_points(median_of(points)))) + of, "points, median");
      tile(escaped(human_count(static_cast<std::uint64_t>(
               std::ranges::count_if(points, [&](double p) { return p >= max_points_; })))),
           "with all points");
    }
    out_ += markup("</ul>\n<nav aria-label=\"On this page\"><ul>\n");
    const auto link = [&](bool there, Piece id, std::string_view text) {
      if (there) out_ += html::format("<li><a href=\"#{}\">{}</a></li>\n", id, html::word(text));
    };
    link(!page_.anonymous, "students", "Students");
    link(page_.anonymous && has_leaders(), "leaders", "Fastest");
    link(!graded_.empty(), "criteria", "Criteria");
    link(!graded_.empty(), "findings", "Findings");
    link(!graded_.empty(), "points", "Points");
    link(!page_.hand_ins.empty(), "attempts", "Attempts");
    link(!page_.anonymous && has_leaders(), "leaders", "Fastest");
    link(!page_.anonymous, "copies", "Similar files");
    link(true, "how", "How it was graded");
    out_ += "</ul></nav>\n</header>\n";
  }

  void distributions() {
    out_ += markup("<section id=\"points\">\n<h2>Points</h2>\n<div class=\"pair\">\n");
    out_ += spread_figure(spread_of(totals(), max_points_), "d-total", tr("all versions"));
    for (std::size_t v = 0; v < page_.versions.size(); ++v) {
      const ClassVersion& version = page_.versions[v];
      out_ += spread_figure(spread_of(points_of(v), version.max_points), html::format("d-{}", v),
                            version.name.substr(0, kName));
    }
    out_ += "</div>\n";
    parts::Table table("Versions of the lab", {{"version"},
                                               {"title", true},
                                               {"graded"},
                                               {"mean"},
                                               {"median"},
                                               {"of"},
                                               {"all points"},
                                               {"verdicts", true}});
    for (std::size_t v = 0; v < page_.versions.size(); ++v) {
      const ClassVersion& version = page_.versions[v];
      const std::vector<double> points = points_of(v);
      table.row({escaped(version.name, kName), escaped(translated_word(version.title), 100),
                 escaped(human_count(points.size())), escaped(human_points(round_points(mean_of(points)))),
                 escaped(human_points(round_points(median_of(points)))),
                 escaped(human_points(version.max_points)),
                 escaped(human_count(static_cast<std::uint64_t>(
                     std::ranges::count_if(points, [&](double p) { return p >= version.max_points; })))),
                 escaped(verdicts(v))});
    }
    out_ += std::move(table).write() + "</section>\n";
  }

  /// "31 accepted, 4 wrong answer"
  [[nodiscard]] std::string verdicts(std::size_t version) const {
    std::map<Verdict, std::size_t> counts;
    for (const ClassStudent* student : graded_)
      if (version < student->scores.size()) ++counts[student->scores[version].verdict];
    std::string text;
    for (const auto& [verdict, count] : counts)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict_words(verdict));
    return text;
  }

  struct Leader {
    double speedup = 0;
    const ClassStudent* student = nullptr;
  };

  [[nodiscard]] std::vector<Leader> leaders_of(std::size_t version) const {
    std::vector<Leader> all;
    for (const ClassStudent* student : graded_)
      if (version < student->scores.size() && student->scores[version].ranked &&
          student->scores[version].speedup > 0)
        all.push_back({student->scores[version].speedup, student});
    std::ranges::stable_sort(all, std::greater<>(), &Leader::speedup);
    return all;
  }

  [[nodiscard]] bool has_leaders() const {
    for (std::size_t v = 0; v < page_.versions.size(); ++v)
      if (!leaders_of(v).empty()) return true;
    return false;
  }

  void leaders() {
    if (!has_leaders()) return;
    out_ += markup(
        "<section id=\"leaders\">\n<h2>Fastest</h2>\n<p class=\"note\">How many times as fast as the "
        "reference solution. Only accepted versions have a place.</p>\n");
    std::vector<parts::Head> heads{{"place"}};
    std::vector<std::vector<Leader>> columns;
    for (std::size_t v = 0; v < page_.versions.size(); ++v) {
      if (leaders_of(v).empty()) continue;
      heads.push_back({escaped(page_.versions[v].name, kName), true});
      columns.push_back(leaders_of(v));
    }
    parts::Table table("Fastest, by version", heads);
    for (std::size_t place = 0; place < kLeaders; ++place) {
      std::vector<Html> cells{html::format("{}", place + 1)};
      bool any = false;
      for (const auto& column : columns) {
        if (place >= column.size()) {
          cells.emplace_back();
          continue;
        }
        any = true;
        const ClassStudent& student = *column[place].student;
        cells.push_back(html::format("<b>{}×</b> {}", escaped(human_factor(column[place].speedup)),
                                     page_.anonymous ? escaped(student.pseudonym, kName) : called(student)));
      }
      if (any) table.row(cells);
    }
    out_ += std::move(table).write() + "</section>\n";
  }

  void findings() {
    out_ += markup("<section id=\"findings\">\n<h2>Most frequent findings</h2>\n");
    if (findings_.empty())
      out_ += any_lost_ ? markup("<p>No finding is shared by three students.</p>\n")
                        : markup("<p>Nobody lost a point.</p>\n");
    for (std::size_t f = 0; f < std::min(findings_.size(), kFindings); ++f) print(findings_[f]);
    if (findings_.size() > kFindings)
      out_ +=
          markup("<p class=\"note\">And {} that fewer students have.</p>\n", findings_.size() - kFindings);
    out_ += "</section>\n";
  }

  void print(const CommonFinding& finding) {
    std::string versions;
    for (const std::string& name : finding.versions) versions += (versions.empty() ? "" : ", ") + name;
    const double share = static_cast<double>(finding.students.size()) / static_cast<double>(graded_.size());
    out_ += markup(
        "<article class=\"loss\">\n<h3><span class=\"minus\">{}</span> <span>{}</span> <span "
        "class=\"of\">{}, {} points "
        "in all</span></h3>\n{}\n",
        escaped(counted(finding.students.size(), "student")), escaped(words_of_part(finding.first->part)),
        escaped(versions, 200), escaped(human_points(round_points(finding.points))),
        parts::bar(share, Mood::Bad));
    if (may_show(finding.message))
      out_ +=
          html::format("<p>{}{}</p>\n",
                       finding.message.students < finding.students.size() ? markup("For example: ") : Html(),
                       prose(finding.message.text, kMessage));
    if (may_show(finding.advice))
      out_ += markup("<p class=\"advice\"><b>What to do:</b> {}</p>\n", prose(finding.advice.text, kAdvice));
    std::size_t shown = 0, hidden = 0;
    for (const CommonLine& line : finding.lines) {
      if (shown == kLines || !is_shared(line.students)) {
        ++hidden;
        continue;
      }
      ++shown;
      out_ += html::format("<p class=\"place\">{}</p>\n", escaped(counted(line.students, "student")));
      out_ += parts::source_line(line.text, line.line);
    }
    if (shown > 0 && hidden > 0) out_ += markup("<p class=\"place\">and {} other lines</p>\n", hidden);
    if (!page_.anonymous) who(finding);
    out_ += "</article>\n";
  }

  /// May the page show what so many students have?
  [[nodiscard]] bool is_shared(std::size_t students) const {
    return !page_.anonymous || students >= kMinShared;
  }
  [[nodiscard]] bool may_show(const CommonText& text) const {
    return !text.text.empty() && is_shared(text.students);
  }

  void who(const CommonFinding& finding) {
    out_ += markup("<details><summary>Students</summary>\n<p class=\"names\">");
    for (std::size_t s = 0; s < std::min(finding.students.size(), kWho); ++s)
      out_ += (s == 0 ? Piece("") : Piece(", ")) + called(*finding.students[s]);
    if (finding.students.size() > kWho) out_ += markup(" and {} more", finding.students.size() - kWho);
    out_ += "</p></details>\n";
  }

  /// How many students meet each criterion. What could not be judged is not met.
  void criteria() {
    std::vector<const JudgedCriterion*> rows;
    std::map<std::string_view, std::vector<std::size_t>> met;  // by version
    std::vector<std::size_t> judged(page_.versions.size());
    std::set<std::pair<std::string_view, std::size_t>> asked;  // criteria of versions
    for (const ClassStudent* student : graded_) {
      for (std::size_t v = 0; v < std::min(student->scores.size(), page_.versions.size()); ++v) {
        judged[v] += student->scores[v].verdict == Verdict::NotGraded ? 0 : 1;
        for (const JudgedCriterion& one : student->scores[v].criteria) {
          auto& row = met[one.key];
          if (row.empty()) rows.push_back(&one);
          row.resize(page_.versions.size());
          row[v] += one.state == CriterionState::Met ? 1 : 0;
          asked.insert({one.key, v});
        }
      }
    }
    // Stands for the lab's criteria where no case was run.
    const bool has_criteria =
        std::ranges::any_of(rows, [](const auto* one) { return one->key.starts_with("case."); });
    if (has_criteria) std::erase_if(rows, [](const auto* one) { return one->key == "cases"; });
    if (rows.empty()) return;
    out_ += markup(
        "<section id=\"criteria\">\n<h2>Criteria</h2>\n<p class=\"note\">The share of students who meet each "
        "criterion, by version.</p>\n");
    std::vector<parts::Head> heads{{"criterion", true}};
    for (const ClassVersion& version : page_.versions) heads.emplace_back(escaped(version.name, kName));
    parts::Table table("Criteria by version", heads);
    for (std::size_t r = 0; r < std::min(rows.size(), kCriteria); ++r) {
      std::vector<Html> cells{escaped(rows[r]->title, 100)};
      for (std::size_t v = 0; v < judged.size(); ++v)
        cells.push_back(asked.contains({rows[r]->key, v}) ? share_of(met[rows[r]->key][v], judged[v])
                                                          : Html("–"));
      table.row(cells);
    }
    out_ += std::move(table).write() + "</section>\n";
  }

  /// "75 % 3/4", and a bar.
  static Html share_of(std::size_t some, std::size_t all) {
    const double share = all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0;
    return html::format("{:.0f} % <span class=\"of\">{}/{}</span>{}", 100 * share, some, all,
                        parts::bar(share, share < 0.5 ? Mood::Bad : Mood::Good));
  }

  void attempts() {
    if (page_.hand_ins.empty()) return;
    out_ += markup("<section id=\"attempts\">\n<h2>Attempts over time</h2>\n");
    out_ += attempts_figure(attempts_of(page_.hand_ins), "attempts-figure");
    out_ += "</section>\n";
  }

  void students() {
    out_ += markup("<section id=\"students\">\n<h2>Students</h2>\n");
    tools();
    std::vector<parts::Head> heads{{"student"}, {"name", true}, {"points"}};
    for (const ClassVersion& version : page_.versions) heads.push_back({escaped(version.name, kName)});
    heads.push_back({"attempts"});
    heads.push_back({"note", true});
    parts::Table table("Students", heads);
    std::vector<const ClassStudent*> all = graded_;
    all.insert(all.end(), ungraded_.begin(), ungraded_.end());
    std::ranges::stable_sort(all, [](const auto* a, const auto* b) { return natural_less(a->id, b->id); });
    for (const ClassStudent* student : all) {
      const Html id = escaped(student->id, kName);
      std::vector<Html> cells{
          student->page.empty() ? id : html::format("<a href=\"{}\">{}</a>", escaped(student->page, 400), id),
          escaped(student->name, kName),
          has_points(*student) ? html::format("<b>{}</b>", escaped(human_points(student->points)))
                               : Html("–")};
      for (std::size_t v = 0; v < page_.versions.size(); ++v)
        cells.push_back(v < student->scores.size() ? score(student->scores[v], page_.versions[v])
                                                   : Html("–"));
      cells.push_back(html::format("{}", student->attempts));
      cells.push_back(note(*student));
      table.row(cells, classes(*student));
    }
    out_ += std::move(table).write() + "</section>\n";
  }

  /// The script shows them.
  void tools() {
    out_ += markup(
        "<div id=\"tools\" class=\"tools\" hidden>\n<label for=\"search\">Search</label> <input "
        "id=\"search\" "
        "type=\"search\" autocomplete=\"off\">\n<label for=\"only\">Show</label> <select id=\"only\"><option "
        "value=\"all\">all students</option><option value=\"is-lost\">points were lost</option><option "
        "value=\"is-whole\">all points</option><option value=\"is-ungraded\">not graded</option><option "
        "value=\"is-noted\">with a note</option><option value=\"is-similar\">similar "
        "files</option></select>\n<span "
        "id=\"count\" role=\"status\"></span>\n</div>\n");
  }

  [[nodiscard]] Html classes(const ClassStudent& student) const {
    Html out;
    const auto add = [&](bool is, Piece name) {
      if (is) out += (out.empty() ? Piece("") : Piece(" ")) + Html(name);
    };
    const bool graded = has_points(student);
    add(!graded, "is-ungraded");
    add(graded && student.points < max_points_, "is-lost");
    add(graded && student.points >= max_points_, "is-whole");
    add(!student.note.empty() || !student.problem.empty(), "is-noted");
    add(similar_.contains(student.id), "is-similar");
    return out;
  }

  [[nodiscard]] Html note(const ClassStudent& student) const {
    Html out;
    const auto add = [&](const Html& text) {
      if (!text.empty()) out += (out.empty() ? Piece("") : Piece("; ")) + text;
    };
    add(escaped(rendered(student.problem), kProblem));
    add(escaped(rendered(student.note), 150));
    if (const auto found = similar_.find(student.id); found != similar_.end()) {
      const Similar& similar = found->second;
      if (similar.handed_out)
        add(markup("the file that was handed out"));
      else if (similar.identical)
        add(markup("<a href=\"#copies\">identical file</a>"));
      if (similar.reference) add(markup("<a href=\"#copies\">like the reference</a>"));
      if (similar.copies && !similar.identical) add(markup("<a href=\"#copies\">similar file</a>"));
    }
    return html::format("<span class=\"wordy\">{}</span>", out);
  }

  struct Similar {
    bool identical = false, handed_out = false, reference = false, copies = false;
  };
  [[nodiscard]] std::map<std::string_view, Similar> similar() const {
    std::map<std::string_view, Similar> all;
    for (const ClassIdentical& group : page_.identical)
      for (const std::string& id : group.members) {
        all[id].identical = true;
        all[id].handed_out = group.handed_out;
      }
    for (const ClassPair& pair : page_.like_reference) all[pair.first].reference = true;
    for (const ClassCopies& group : page_.copies)
      for (const std::string& id : group.members) all[id].copies = true;
    return all;
  }

  /// "✓ 30", "21.5", "✗ 8.5 wrong answer"
  static Html score(const ClassScore& score, const ClassVersion& version) {
    const Mood mood = parts::mood_of(score.verdict, score.points, version.max_points);
    if (mood == Mood::None) return Html("–");
    const Html points = escaped(human_points(score.points));
    if (mood == Mood::Good) return Piece("✓ ") + points;
    if (mood == Mood::Mixed) return points;
    return html::format("✗ {}<br><span class=\"of\">{}</span>", points,
                        escaped(verdict_words(score.verdict)));
  }

  void how() {
    out_ += markup("<section id=\"how\">\n<h2>How it was graded</h2>\n");
    for (const Message& difference : page_.differences)
      out_ += html::format("<p>{}</p>\n", escaped(rendered(difference), 500));
    out_ += "<dl class=\"facts\">\n";
    const auto fact = [&](std::string_view name, const std::string& text) {
      if (!text.empty())
        out_ += html::format("<dt>{}</dt><dd>{}</dd>\n", html::word(name), escaped(text, 200));
    };
    fact("when", page_.graded_at);
    fact("device", translated_word(page_.device));
    fact("times estimated for", page_.profile);
    fact("compiler", page_.compiler);
    fact("seed of the inputs", page_.seed);
    fact("choice of the seed", page_.seed_policy);
    fact("grader", page_.grader_version);
    out_ += "</dl>\n</section>\n";
  }

  const ClassPage& page_;
  std::vector<CommonFinding> findings_;
  std::vector<const ClassStudent*> graded_, ungraded_;
  std::map<std::string_view, Similar> similar_ = similar();
  double max_points_ = 0;
  bool any_lost_ = false;
  Html out_;
};

}  // namespace

std::string class_page(const ClassPage& page) { return ClassWriter(page).write(); }

}  // namespace cudalabs
