#include "grader/present/web/pages/standing_page.h"

#include <string_view>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/page.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/pages/style.h"
#include "grader/present/web/pages/submission_page.h"

namespace cudalabs {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;
using html::prose;
using parts::Mood;

constexpr std::size_t kName = 80, kText = 400, kTitle = 200, kAttempts = 200;

std::string title_of(const Standing& standing) {
  const std::string who = standing.student.empty() ? "" : standing.student + ", ";
  if (!standing.graded && standing.terms.empty())
    return tr("{}{} {}: not graded", who, standing.lab, standing.variant);
  return tr("{}{} {}: {} of {} points", who, standing.lab, standing.variant, human_points(standing.points),
            human_points(standing.max_points));
}

/// The student and the points, in place of those of the grading alone.
Html score(const Standing& standing) {
  Html out;
  if (!standing.student.empty())
    out += html::format("<p class=\"who\">{}</p>\n", escaped(standing.student, kName));
  const double share = standing.max_points > 0 ? standing.points / standing.max_points : 0;
  const Mood mood = !standing.graded ? Mood::None
                    : share >= 1     ? Mood::Good
                    : share >= 0.5   ? Mood::Mixed
                                     : Mood::Bad;
  const std::string_view words = !standing.graded ? "not graded"
                                 : share >= 1     ? "all points"
                                                  : "points were lost";
  const Html points = standing.graded || !standing.terms.empty()
                          ? markup("{} <small>of {} points</small>", escaped(human_points(standing.points)),
                                   escaped(human_points(standing.max_points)))
                          : Html("–");
  return out + html::format("<div class=\"score\"><span class=\"big\">{}</span>{}{}</div>\n", points,
                            parts::chip(mood, words), parts::bar(share, mood));
}

Html sum(const Standing& standing) {
  parts::Table table("The points that count", {{"points"}, {"what for", true}});
  for (const Standing::Term& term : standing.terms)
    table.row({escaped(signed_points(term.points)),
               html::format("<span class=\"wordy\">{}</span>", escaped(rendered(term.what), kText))});
  table.row({escaped(human_points(standing.points)),
             markup("of {} points", escaped(human_points(standing.max_points)))},
            "sum");
  return std::move(table).write();
}

Html attempts(const Standing& standing) {
  parts::Table table("Attempts so far", {{"attempt"}, {"handed in", true}, {"points"}, {"note", true}});
  const std::size_t count = standing.attempts.size(), first = count > kAttempts ? count - kAttempts : 0;
  for (std::size_t n = first; n < count; ++n) {
    const Standing::Attempt& one = standing.attempts[n];
    Html note = one.counts && one.graded ? parts::chip(Mood::Good, "counts") + " " : Html();
    table.row({html::format("{}", n + 1), escaped(time_words(one.at, one.zoneless)),
               one.graded ? escaped(human_points(one.points)) : Html("–"),
               note + html::format("<span class=\"wordy\">{}</span>", escaped(rendered(one.remark), kText))});
  }
  return std::move(table).write();
}

Html section(const Standing& standing) {
  Html out = markup("<section id=\"standing\">\n<h2>Your points</h2>\n");
  if (!standing.problem.empty()) out += html::format("<p>{}</p>\n", prose(standing.problem, kText));
  if (!standing.terms.empty()) out += sum(standing);
  for (const std::string& line : standing.open)
    out += html::format("<p class=\"note\">{}</p>\n", escaped(line, kText));
  out += markup("<h3>Attempts so far: {}</h3>\n", standing.attempts.size()) + attempts(standing);
  if (!standing.pseudonym.empty())
    out += markup("<p class=\"note\">On the class's leaderboard you are <b>{}</b>.</p>\n",
                  escaped(standing.pseudonym, kName));
  return out + "</section>\n";
}

/// Replaces what stands between two of our own tags. Texts of others are escaped and cannot contain them.
void replace_between(std::string& page, std::string_view begins, std::string_view ends,
                     const std::string& by) {
  const std::size_t from = page.find(begins);
  if (from == std::string::npos) return;
  const std::size_t to = page.find(ends, from + begins.size());
  if (to != std::string::npos) page.replace(from, to + ends.size() - from, by);
}

}  // namespace

std::string with_standing(std::string page, const Standing& standing) {
  replace_between(page, "<title>", "</title>",
                  html::format("<title>{}</title>", escaped(title_of(standing), kTitle)).text());
  replace_between(page, "<p class=\"who\">", "</p>\n", "");
  replace_between(page, "<div class=\"score\">", "</div>\n", score(standing).text());
  const Html link = html::format("<ul><li><a href=\"#standing\">{}</a></li>\n", markup("Your points"));
  replace_between(page, "<ul>", "\n", link.text());
  replace_between(page, "<main>", "\n", (Piece("<main>\n") + section(standing)).text());
  return without_open_points(std::move(page));
}

std::string standing_page(const Standing& standing) {
  Html body =
      html::format("<header>\n<p class=\"sub\">{} {}</p>\n<h1>{}</h1>\n", escaped(standing.lab, kName),
                   escaped(standing.variant, kName),
                   escaped(standing.title.empty() ? standing.lab : translated_word(standing.title), kTitle));
  body += score(standing) + "</header>\n<main>\n" + section(standing) + "</main>\n";
  return html::document(title_of(standing), Html(html::base_style()) + parts::kStyle, body).text();
}

}  // namespace cudalabs
