#pragma once
// Figures: inline SVG that is drawn in the page's own colours and read out by its title and description. The
// numbers of a figure stand in a table beside it.

#include <string>
#include <string_view>

namespace cudalabs::html {

enum class Anchor { Start, Middle, End };

/// Coordinates are those of a box of `width` by `height`, y downwards. Classes are of the page's style
/// sheet; texts are escaped.
class Svg {
 public:
  /// `id`: one of the page's own making, which no other element has.
  Svg(std::string_view id, double width, double height, std::string_view title, std::string_view description);

  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  void box(double x, double y, double width, double height, std::string_view classes);
  void text(double x, double y, std::string_view text, Anchor anchor, std::string_view classes);
  /// Turned about its place, counter-clockwise.
  void text_along(double x, double y, double degrees, std::string_view text, std::string_view classes);
  void polygon(std::string_view points, std::string_view classes);  ///< "x,y x,y x,y"
  void circle(double x, double y, double radius, std::string_view classes);

  [[nodiscard]] std::string write() &&;

 private:
  std::string out_;
};

/// A coordinate: at most two decimals, and a number whatever comes in.
std::string coordinate(double value);

}  // namespace cudalabs::html
