#include "grader/present/web/pages/class_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/present/causes.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/page.h"
#include "grader/present/web/pages/class_figures.h"
#include "grader/present/web/pages/class_findings.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/pages/style.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;
using html::prose;
using parts::Mood;

class ClassWriter {
  // Limits of the page's contents, in columns and in rows.
  static constexpr std::size_t kName = 50, kMessage = 400, kAdvice = 400, kProblem = 250;
  static constexpr std::size_t kFindings = 25, kLines = 5, kWho = 60, kLeaders = 10, kGroups = 100,
                               kMembers = 60;

 public:
  explicit ClassWriter(const ClassPage& page) : page_(page), findings_(common_findings(page.students)) {
    for (const ClassVersion& version : page_.versions) max_points_ += version.bonus ? 0 : version.max_points;
    if (page_.max_points > 0) max_points_ = page_.max_points;
    for (const ClassStudent& student : page_.students) {
      by_id_.emplace(student.id, &student);
      (student.scores.empty() ? ungraded_ : graded_).push_back(&student);
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
    if (!graded_.empty()) {
      distributions();
      leaders();
      findings();
    }
    problems();
    copies();
    students();
    how();
    out_ += "</main>\n";
    return html::document(tr("{} {}: a class of {}", page_.lab, page_.variant, page_.students.size()),
                          Html(html::base_style()) + parts::kStyle, out_)
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
    link(!graded_.empty(), "points", "Points");
    link(has_leaders(), "leaders", "Fastest");
    link(!graded_.empty(), "findings", "Findings");
    link(!ungraded_.empty(), "ungraded", "Not graded");
    link(!page_.anonymous, "copies", "Copies");
    link(!page_.anonymous && !graded_.empty(), "students", "Students");
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
      if (version < student->scores.size() && student->scores[version].speedup > 0)
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
        "reference "
        "solution, of those whose timed case is right.</p>\n");
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
        cells.push_back(html::format("<b>{}×</b>{}", escaped(human_factor(column[place].speedup)),
                                     page_.anonymous ? Html() : Piece(" ") + called(*column[place].student)));
      }
      if (any) table.row(cells);
    }
    out_ += std::move(table).write() + "</section>\n";
  }

  void findings() {
    out_ += markup("<section id=\"findings\">\n<h2>Most frequent findings</h2>\n");
    if (findings_.empty()) out_ += markup("<p>Nobody lost a point.</p>\n");
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
        "in all</span></h3>\n{}<p>{}{}</p>\n",
        escaped(counted(finding.students.size(), "student")), escaped(words_of_part(finding.first->part)),
        escaped(versions, 200), escaped(human_points(round_points(finding.points))),
        parts::bar(share, Mood::Bad), finding.students.size() > 1 ? markup("For example: ") : Html(),
        prose(finding.first->message, kMessage));
    if (!finding.first->advice.empty())
      out_ +=
          markup("<p class=\"advice\"><b>What to do:</b> {}</p>\n", prose(finding.first->advice, kAdvice));
    for (std::size_t l = 0; l < std::min(finding.lines.size(), kLines); ++l) {
      const CommonLine& line = finding.lines[l];
      out_ += html::format("<p class=\"place\">{}</p>\n", escaped(counted(line.students, "student")));
      out_ += parts::source_line(line.text, line.line);
    }
    if (finding.lines.size() > kLines)
      out_ += markup("<p class=\"place\">and {} other lines</p>\n", finding.lines.size() - kLines);
    if (!page_.anonymous) who(finding);
    out_ += "</article>\n";
  }

  void who(const CommonFinding& finding) {
    out_ += markup("<details><summary>Students</summary>\n<p class=\"names\">");
    for (std::size_t s = 0; s < std::min(finding.students.size(), kWho); ++s)
      out_ += (s == 0 ? Piece("") : Piece(", ")) + called(*finding.students[s]);
    if (finding.students.size() > kWho) out_ += markup(" and {} more", finding.students.size() - kWho);
    out_ += "</p></details>\n";
  }

  void problems() {
    if (ungraded_.empty()) return;
    out_ += markup("<section id=\"ungraded\">\n<h2>Could not be graded</h2>\n");
    std::map<std::string, std::pair<Html, std::size_t>> reasons;  // by what is shown
    for (const ClassStudent* student : ungraded_) {
      const Html reason = escaped(rendered(student->problem), kProblem);
      auto& [shown, count] = reasons[reason.text()];
      shown = reason;
      ++count;
    }
    if (page_.anonymous) {
      out_ += "<ul class=\"plain\">\n";
      for (const auto& [text, shown] : reasons)
        out_ += html::format("<li>{}: {}</li>\n", escaped(counted(shown.second, "student")), shown.first);
      out_ += "</ul>\n";
    } else {
      parts::Table table("Could not be graded", {{"student"}, {"name", true}, {"why", true}});
      for (const ClassStudent* student : ungraded_) {
        table.row(
            {escaped(student->id, kName), escaped(student->name, kName),
             html::format("<span class=\"wordy\">{}</span>", escaped(rendered(student->problem), kProblem))});
      }
      out_ += std::move(table).write();
    }
    out_ += "</section>\n";
  }

  void copies() {
    if (page_.anonymous) return;
    out_ += markup("<section id=\"copies\">\n<h2>Groups of copies</h2>\n");
    if (!page_.copies_compared) {
      out_ += markup("<p>The submissions were not compared for copies.</p>\n</section>\n");
      return;
    }
    if (page_.copies.empty()) {
      out_ += markup("<p>None were found.</p>\n</section>\n");
      return;
    }
    out_ += markup(
        "<p class=\"note\">Code in common, without the code of the course. It is no proof: compare both "
        "before you talk to the students.</p>\n");
    std::vector<const ClassCopies*> groups;
    for (const ClassCopies& group : page_.copies) groups.push_back(&group);
    std::ranges::stable_sort(groups, std::greater<>(), &ClassCopies::share);
    parts::Table table("Groups of copies", {{"in common"}, {"students"}, {"who", true}});
    for (std::size_t g = 0; g < std::min(groups.size(), kGroups); ++g) {
      Html members;
      for (std::size_t m = 0; m < std::min(groups[g]->members.size(), kMembers); ++m) {
        const auto student = by_id_.find(groups[g]->members[m]);
        members +=
            (m == 0 ? Piece("") : Piece(", ")) +
            (student != by_id_.end() ? called(*student->second) : escaped(groups[g]->members[m], kName));
      }
      if (groups[g]->members.size() > kMembers)
        members += markup(" and {} more", groups[g]->members.size() - kMembers);
      table.row({html::format("{:.0f} %", 100 * groups[g]->share) + parts::bar(groups[g]->share, Mood::Bad),
                 escaped(human_count(groups[g]->members.size())),
                 html::format("<span class=\"wordy\">{}</span>", members)});
    }
    out_ += std::move(table).write();
    if (groups.size() > kGroups)
      out_ += markup("<p class=\"note\">And {} with less in common.</p>\n", groups.size() - kGroups);
    out_ += "</section>\n";
  }

  void students() {
    if (page_.anonymous || graded_.empty()) return;
    out_ += markup("<section id=\"students\">\n<h2>Students</h2>\n");
    std::vector<parts::Head> heads{{"student"}, {"name", true}, {"points"}};
    for (const ClassVersion& version : page_.versions) heads.push_back({escaped(version.name, kName)});
    heads.push_back({"note", true});
    parts::Table table("Students", heads);
    for (const ClassStudent* student : graded_) {
      std::vector<Html> cells{escaped(student->id, kName), escaped(student->name, kName),
                              html::format("<b>{}</b>", escaped(human_points(student->points)))};
      for (std::size_t v = 0; v < page_.versions.size(); ++v)
        cells.push_back(v < student->scores.size() ? score(student->scores[v], page_.versions[v])
                                                   : Html("–"));
      cells.push_back(escaped(rendered(student->note), 150));
      table.row(cells);
    }
    out_ += std::move(table).write() + "</section>\n";
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
  std::map<std::string_view, const ClassStudent*> by_id_;
  double max_points_ = 0;
  Html out_;
};

}  // namespace

std::string class_page(const ClassPage& page) { return ClassWriter(page).write(); }

}  // namespace cudalabs
