#pragma once
// Parts that both pages share.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grading/score/result.h"
#include "grader/present/criteria.h"
#include "grader/present/web/escape.h"

namespace cudalabs::parts {

/// How well something went. The page shows it by a sign, a word and a colour.
enum class Mood { Good, Mixed, Bad, None };
Mood mood_of(Verdict verdict, double points, double max_points);
Mood mood_of(CriterionState state);
html::Piece class_of(Mood mood);  ///< "good"
html::Piece sign_of(Mood mood);   ///< "✓"

html::Html chip(Mood mood, std::string_view words);
/// A bar that shows a number graphically; the number itself is beside it.
html::Html bar(double share, Mood mood);

/// A column's header. Its cells are words, or right-aligned numbers.
struct Head {
  Head(std::string_view name, bool has_words = false) : name(html::word(name)), words(has_words) {}
  Head(const char* name, bool has_words = false) : Head(std::string_view(name), has_words) {}
  Head(html::Html name, bool has_words = false) : name(std::move(name)), words(has_words) {}

  html::Html name;
  bool words;
};

/// A table in its own scrolling region, for narrow windows; `label` names it.
class Table {
 public:
  Table(std::string_view label, std::vector<Head> heads);
  /// The first cell is the row's header.
  void row(const std::vector<html::Html>& cells, html::Piece classes = "");
  [[nodiscard]] html::Html write() &&;

 private:
  [[nodiscard]] html::Piece words(std::size_t column) const;

  std::vector<Head> heads_;
  html::Html out_;
};

/// A figure with a collapsed table below it, if `table` is not empty.
html::Html figure(const html::Html& svg, const html::Html& caption, const html::Html& table = {});

/// Source lines around `where`, with that line marked. Empty if the source is not known.
html::Html excerpt(const std::vector<std::string>& source, const Location& where, std::size_t around);
/// One line without its context.
html::Html source_line(std::string_view text, int line);

}  // namespace cudalabs::parts
