#include "grader/present/web/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "grader/diagnostics/language.h"
#include "grader/present/web/escape.h"

namespace cudalabs::html {
namespace {

constexpr std::size_t kLongestLabel = 60;

Piece spelling(Anchor anchor) {
  switch (anchor) {
    case Anchor::Start: return "start";
    case Anchor::Middle: return "middle";
    case Anchor::End: break;
  }
  return "end";
}

}  // namespace

Html coordinate(double value) {
  if (!std::isfinite(value)) return Html("0");
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? Html("0") : escaped(text);
}

Svg::Svg(Piece id, double width, double height, std::string_view title, std::string_view description) {
  out_ = format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}-t {}-d\">\n<title "
      "id=\"{}-t\">{}</title>\n"
      "<desc id=\"{}-d\">{}</desc>\n",
      coordinate(width), coordinate(height), id, id, id, escaped(translated_word(title), 300), id,
      escaped(description, 2000));
}

void Svg::line(double x1, double y1, double x2, double y2, Piece classes) {
  out_ += format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", coordinate(x1),
                 coordinate(y1), coordinate(x2), coordinate(y2), classes);
}

void Svg::box(double x, double y, double width, double height, Piece classes) {
  out_ += format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"/>\n", coordinate(x),
                 coordinate(y), coordinate(width), coordinate(height), classes);
}

void Svg::text(double x, double y, std::string_view text, Anchor anchor, Piece classes) {
  out_ += format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", coordinate(x),
                 coordinate(y), spelling(anchor), classes, escaped(text, kLongestLabel));
}

void Svg::text_along(double x, double y, double degrees, std::string_view text, Piece classes) {
  out_ += format("<text transform=\"translate({} {}) rotate({})\" class=\"{}\">{}</text>\n", coordinate(x),
                 coordinate(y), coordinate(-degrees), classes, escaped(text, kLongestLabel));
}

void Svg::polygon(const Html& points, Piece classes) {
  out_ += format("<polygon points=\"{}\" class=\"{}\"/>\n", points, classes);
}

void Svg::circle(double x, double y, double radius, Piece classes) {
  out_ += format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"/>\n", coordinate(x), coordinate(y),
                 coordinate(radius), classes);
}

Html Svg::write() && { return std::move(out_) + "</svg>\n"; }

}  // namespace cudalabs::html
