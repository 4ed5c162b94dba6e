#pragma once
// Figures as inline SVG. They use the page's colours, and screen readers read their title and description. A
// table beside a figure holds its numbers.

#include <string_view>

#include "grader/present/web/html.h"

namespace cudalabs::html {

enum class Anchor { Start, Middle, End };

/// Coordinates refer to a box of `width` by `height`, with y pointing down. Classes belong to the page's
/// style sheet; titles, descriptions and texts are escaped.
class Svg {
 public:
  /// `id`: unique on the page.
  Svg(Piece id, double width, double height, std::string_view title, std::string_view description);

  void line(double x1, double y1, double x2, double y2, Piece classes);
  void box(double x, double y, double width, double height, Piece classes);
  void text(double x, double y, std::string_view text, Anchor anchor, Piece classes);
  /// Text that is rotated counter-clockwise about its position.
  void text_along(double x, double y, double degrees, std::string_view text, Piece classes);
  void polygon(const Html& points, Piece classes);  ///< "x,y x,y x,y"
  void circle(double x, double y, double radius, Piece classes);

  [[nodiscard]] Html write() &&;

 private:
  Html out_;
};

/// Formats a coordinate with at most two decimals; always returns a valid number.
Html coordinate(double value);

}  // namespace cudalabs::html
