#include "grader/present/web/pages/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/svg.h"

namespace cudalabs::parts {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;

constexpr std::size_t kLongestLine = 300, kBeforeColumn = 150;

/// The visible part of a line; `skipped` columns in front are hidden.
struct ShownLine {
  std::string text;
  std::size_t skipped = 0;
  bool cut = false;
};

ShownLine shown(std::string_view line, std::size_t column) {
  // Examines only as much as can be shown, because a line may have megabytes.
  const std::size_t first = column > kLongestLine ? column - kBeforeColumn : 0;
  const std::string_view part = line.substr(0, std::min(line.size(), (first + kLongestLine) * 4 + 4));
  const std::string text = printable(part);
  const bool longer = part.size() < line.size() || display_width(text) > first + kLongestLine;
  return {columns(text, first, kLongestLine), first, longer};
}

}  // namespace

Mood mood_of(Verdict verdict, double points, double max_points) {
  if (verdict == Verdict::NotGraded || verdict == Verdict::Pending) return Mood::None;
  if (verdict != Verdict::Accepted) return Mood::Bad;
  return points < max_points ? Mood::Mixed : Mood::Good;
}

Mood mood_of(CriterionState state) {
  switch (state) {
    case CriterionState::Met: return Mood::Good;
    case CriterionState::InPart: return Mood::Mixed;
    case CriterionState::Missed: return Mood::Bad;
    case CriterionState::NotJudged: break;
  }
  return Mood::None;
}

Piece class_of(Mood mood) {
  switch (mood) {
    case Mood::Good: return "good";
    case Mood::Mixed: return "warn";
    case Mood::Bad: return "bad";
    case Mood::None: break;
  }
  return "none";
}

Piece sign_of(Mood mood) {
  switch (mood) {
    case Mood::Good: return "✓";
    case Mood::Mixed: return "!";
    case Mood::Bad: return "✗";
    case Mood::None: break;
  }
  return "–";
}

Html chip(Mood mood, std::string_view words) {
  return html::format("<span class=\"chip {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
                      class_of(mood), sign_of(mood), escaped(translated_word(words), 60));
}

Html bar(double share, Mood mood) {
  constexpr double kWidth = 100;
  const double width = kWidth * std::clamp(std::isfinite(share) ? share : 0, 0.0, 1.0);
  return html::format(
      "<svg class=\"meter\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect width=\"100\" height=\"6\" class=\"track\"/><rect width=\"{}\" height=\"6\" "
      "class=\"fill-{}\"/></svg>",
      html::coordinate(width), class_of(mood));
}

Table::Table(std::string_view label, std::vector<Head> heads) : heads_(std::move(heads)) {
  const Html name = escaped(translated_word(label), 200);
  out_ = html::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n<table "
      "class=\"grid-table\">\n"
      "<caption class=\"sr\">{0}</caption>\n<thead><tr>",
      name);
  for (std::size_t c = 0; c < heads_.size(); ++c)
    out_ += html::format("<th scope=\"col\"{}>{}</th>", words(c), heads_[c].name);
  out_ += "</tr></thead>\n<tbody>\n";
}

void Table::row(const std::vector<Html>& cells, Piece classes) {
  out_ += classes.text().empty() ? Html("<tr>") : html::format("<tr class=\"{}\">", classes);
  for (std::size_t c = 0; c < cells.size(); ++c)
    out_ += c == 0 ? html::format("<th scope=\"row\">{}</th>", cells[c])
                   : html::format("<td{}>{}</td>", words(c), cells[c]);
  out_ += "</tr>\n";
}

Piece Table::words(std::size_t column) const {
  return heads_[column].words ? Piece(" class=\"words\"") : Piece("");
}

Html Table::write() && { return std::move(out_) + "</tbody>\n</table>\n</div>\n"; }

Html figure(const Html& svg, const Html& caption, const Html& table) {
  Html out = Piece("<figure>\n") + svg;
  if (!caption.empty()) out += html::format("<figcaption>{}</figcaption>\n", caption);
  if (!table.empty())
    out += markup("<details><summary>The numbers as a table</summary>\n") + table + "</details>\n";
  return out + "</figure>\n";
}

Html source_line(std::string_view text, int line) {
  const ShownLine shown_line = shown(text, 0);
  const std::size_t indent = std::min(shown_line.text.find_first_not_of(' '), shown_line.text.size());
  return html::format(
      "<div class=\"excerpt\"><div class=\"l\"><span class=\"n\">{}</span><code>{}{}</code></div></div>\n",
      line, escaped(shown_line.text.substr(indent)), shown_line.cut ? Piece("...") : Piece(""));
}

Html excerpt(const std::vector<std::string>& source, const Location& where, std::size_t around) {
  if (where.line < 1 || static_cast<std::size_t>(where.line) > source.size()) return {};
  const auto at = static_cast<std::size_t>(where.line);
  const std::size_t first = at > around ? at - around : 1, last = std::min(source.size(), at + around);
  const std::size_t column = where.column > 0 ? static_cast<std::size_t>(where.column) - 1 : 0;
  std::vector<ShownLine> lines;
  std::size_t indent = std::string::npos;
  for (std::size_t n = first; n <= last; ++n) {
    lines.push_back(shown(source[n - 1], n == at ? column : 0));
    if (lines.back().skipped > 0) indent = 0;
    indent = std::min(indent, lines.back().text.find_first_not_of(' '));
  }
  Html out("<div class=\"excerpt\">\n");
  for (std::size_t n = first; n <= last; ++n) {
    const ShownLine& line = lines[n - first];
    const std::string text = line.text.substr(std::min(indent, line.text.size()));
    const std::size_t gone = line.skipped + std::min(indent, line.text.size());
    Html code;
    if (n == at && where.column > 0 && column >= gone && column - gone < display_width(text)) {
      const std::size_t from = column - gone;  // start of the character at this column
      code = escaped(columns(text, 0, from)) + "<mark>" + escaped(columns(text, from, 1)) + "</mark>" +
             escaped(columns(text, from + 1, kLongestLine));
    } else {
      code = escaped(text);
    }
    out += html::format(
        "<div class=\"l{}\"><span class=\"n\">{}{}</span><code>{}{}{}</code></div>\n",
        n == at ? Piece(" at") : Piece(""),
        n == at ? markup("<span aria-hidden=\"true\">▶ </span><span class=\"sr\">this line: </span>")
                : Html(),
        n, line.skipped > 0 ? Piece("...") : Piece(""), code, line.cut ? Piece("...") : Piece(""));
  }
  return out + "</div>\n";
}

}  // namespace cudalabs::parts
