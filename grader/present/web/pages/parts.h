#pragma once
// Parts that both pages share. All functions return markup.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs::parts {

/// How well something went. The page shows it by a sign, a word and a colour.
enum class Mood { Good, Mixed, Bad, None };
Mood mood_of(Verdict verdict, double points, double max_points);
std::string_view class_of(Mood mood);  ///< "good"
std::string_view sign_of(Mood mood);   ///< "✓"

/// "structure: bank conflict free" for a LostPoints::part.
std::string part_words(std::string_view part);

std::string chip(Mood mood, std::string_view words);
/// A bar that shows a number graphically; the number itself is beside it.
std::string bar(double share, Mood mood);

/// A column's header. Its cells are words, or right-aligned numbers.
struct Head {
  std::string name;
  bool words = false;
};

/// A table in its own scrolling region, for narrow windows; `label` names it.
class Table {
 public:
  Table(std::string_view label, std::vector<Head> heads);
  /// Cells are markup; the first is the row's header.
  void row(const std::vector<std::string>& cells, std::string_view classes = {});
  [[nodiscard]] std::string write() &&;

 private:
  [[nodiscard]] std::string_view words(std::size_t column) const;

  std::vector<Head> heads_;
  std::string out_;
};

/// A figure with a collapsed table below it, if `table` is not empty.
std::string figure(const std::string& svg, std::string_view caption, const std::string& table = {});

/// Source lines around `where`, with that line marked. Empty if the source is not known.
std::string excerpt(const std::vector<std::string>& source, const Location& where, std::size_t around);
/// One line without its context.
std::string source_line(std::string_view text, int line);

/// Styles that the pages add to html::base_style().
std::string_view style();

}  // namespace cudalabs::parts
