#pragma once
// Pieces that both pages have. All of them return markup.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/score/result.h"

namespace cudalabs::parts {

/// How well something went: told by a sign, by a word beside it, and by its colour.
enum class Mood { Good, Mixed, Bad, None };
Mood mood_of(Verdict verdict, double points, double max_points);
std::string_view class_of(Mood mood);  ///< "good"
std::string_view sign_of(Mood mood);   ///< "✓"

/// "structure: bank conflict free" of LostPoints::part.
std::string part_words(std::string_view part);

std::string chip(Mood mood, std::string_view words);
/// A bar that repeats for the eye what a number beside it says.
std::string bar(double share, Mood mood);

/// A column's name; its cells are words, or numbers to the right.
struct Head {
  std::string name;
  bool words = false;
};

/// A table in a region that scrolls by itself where the window is narrow; `label` names it.
class Table {
 public:
  Table(std::string_view label, std::vector<Head> heads);
  /// Cells are markup; the first is the row's head.
  void row(const std::vector<std::string>& cells, std::string_view classes = {});
  [[nodiscard]] std::string write() &&;

 private:
  [[nodiscard]] std::string_view words(std::size_t column) const;

  std::vector<Head> heads_;
  std::string out_;
};

/// A figure with its table folded beneath, if `table` is not empty.
std::string figure(const std::string& svg, std::string_view caption, const std::string& table = {});

/// Lines of a source around `where`, the line itself marked. Empty if they are not known.
std::string excerpt(const std::vector<std::string>& source, const Location& where, std::size_t around);
/// One line that is shown by itself.
std::string source_line(std::string_view text, int line);

/// What the pages add to html::base_style().
std::string_view style();

}  // namespace cudalabs::parts
