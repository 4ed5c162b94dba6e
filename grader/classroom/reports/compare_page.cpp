#include "grader/classroom/reports/compare_page.h"

#include <algorithm>
#include <array>
#include <vector>

#include "grader/classroom/similarity/aligned_lines.h"
#include "grader/diagnostics/language.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/page.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/pages/style.h"

namespace cudalabs {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;

constexpr std::size_t kName = 80, kLine = 300;

constexpr Piece kStyle = R"css(body { max-width: 120rem; }
.both { border: 1px solid var(--rule); border-radius: 6px; margin: 0.75rem 0; overflow-x: auto; }
.both table { width: 100%; table-layout: fixed; min-width: 44rem; font-size: 0.8125rem; }
.both th { text-align: left; padding: 0.3rem 0.5rem; background: var(--panel); overflow-wrap: anywhere; }
.both td { vertical-align: top; padding: 0 0.5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.both td.n { width: 5.5rem; text-align: right; color: var(--soft); white-space: nowrap; }
.both th.n { width: 5.5rem; }
.both td.n + td { border-right: 1px solid var(--rule); }
.equal { background: var(--h3); color: var(--hot); } .renamed { background: var(--h2); color: var(--hot); }
.moved { background: var(--h1); color: var(--hot); } .given { color: var(--soft); }
.key span { padding: 0 0.4rem; border-radius: 4px; }
)css";

struct Look {
  LineMatch match;
  Piece classes, sign;
  std::string_view words;
};

constexpr std::array<Look, 5> kLooks = {
    {{LineMatch::None, "", "", "only here"},
     {LineMatch::HandedOut, "given", "", "handed out"},
     {LineMatch::Equal, "equal", "=", "equal"},
     {LineMatch::Renamed, "renamed", "≈", "equal except for names and numbers"},
     {LineMatch::Moved, "moved", "↔", "stands elsewhere in the other file"}}};

const Look& look_of(LineMatch match) { return *std::ranges::find(kLooks, match, &Look::match); }

/// The number and the text of a line, as two cells.
Html cells(const std::vector<AlignedLine>& lines, std::size_t number) {
  if (number == 0) return Html("<td class=\"n\"></td><td></td>");
  const AlignedLine& line = lines[number - 1];
  const Look& look = look_of(line.match);
  const Html other = line.match == LineMatch::Moved ? html::format(" {}", line.other) : Html();
  return html::format("<td class=\"n\">{}{} {}</td><td class=\"{}\"><code>{}</code></td>", look.sign, other,
                      number, look.classes, escaped(line.text, kLine));
}

/// "34 of 50 lines"
Html counts(const std::vector<AlignedLine>& lines, const std::string& title) {
  std::size_t own = 0, shared = 0;
  for (const AlignedLine& line : lines) {
    if (line.text.find_first_not_of(" \t\r") == std::string::npos || line.match == LineMatch::HandedOut)
      continue;
    ++own;
    shared += line.match == LineMatch::None ? 0 : 1;
  }
  return markup("<p>{}: {} of {} lines of its own stand in the other file too.</p>\n", escaped(title, kName),
                shared, own);
}

}  // namespace

std::string compare_page(const ComparedFile& left, const ComparedFile& right, double share,
                         std::span<const std::string_view> handed_out) {
  const AlignedSources both = align(left.source, right.source, handed_out);
  const Html left_title = escaped(left.title, kName), right_title = escaped(right.title, kName);
  Html body =
      markup("<header>\n<h1>{} and {}</h1>\n<p class=\"sub\">{} % of their code in common</p>\n</header>\n",
             left_title, right_title, html::format("{:.0f}", share >= 1 ? 100 : std::min(99.0, 100 * share)));
  body += Piece("<main>\n") + counts(both.left, left.title) + counts(both.right, right.title);
  body += "<p class=\"key note\">";
  for (const Look& look : kLooks)
    body += html::format("<span class=\"{}\">{} {}</span> ", look.classes, look.sign, html::word(look.words));
  body += markup(
      "</p>\n<p class=\"note\">Blanks and comments do not count. A line elsewhere has its number in the "
      "other "
      "file.</p>\n");
  body += markup(
      "<div class=\"both\" tabindex=\"0\" role=\"region\" aria-label=\"Both "
      "files\">\n<table>\n<thead><tr><th "
      "class=\"n\" scope=\"col\">line</th><th scope=\"col\">{}</th><th class=\"n\" "
      "scope=\"col\">line</th><th "
      "scope=\"col\">{}</th></tr></thead>\n<tbody>\n",
      left_title, right_title);
  for (const AlignedRow& row : both.rows)
    body += html::format("<tr>{}{}</tr>\n", cells(both.left, row.left), cells(both.right, row.right));
  body += "</tbody>\n</table>\n</div>\n";
  if (both.left.size() == kMaxAlignedLines || both.right.size() == kMaxAlignedLines)
    body += markup("<p class=\"note\">Only the first {} lines are shown.</p>\n", kMaxAlignedLines);
  body += "</main>\n";
  return html::document(tr("{} and {} side by side", left.title, right.title),
                        Html(html::base_style()) + parts::kStyle + kStyle, body)
      .text();
}

}  // namespace cudalabs
