#pragma once
// What a gradebook over a term is made of: the class, the labs with the folders of their batches, who has
// which variant, and how the labs add up. configs/schema/term.json describes the file.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/term/class_list.h"

namespace cudalabs {

/// The batch of one variant.
struct TermFolder {
  std::string variant;
  std::filesystem::path path;
  Location where;
};

/// Which variant a student has. Any: whatever the student hands in.
enum class Assignment : std::uint8_t { Any, ById, ByList, Column, Named };

struct TermLab {
  std::string lab;    ///< as its batches name it
  std::string title;  ///< heads the column
  double weight = 1;
  std::optional<bool> best;  ///< the best attempt counts, or the last; none: as each batch says
  bool can_be_dropped = true;
  std::vector<TermFolder> folders;
  Assignment assignment = Assignment::Any;
  std::string column;                        ///< of the class list
  std::map<std::string, std::string> named;  ///< variants by student, as the file names the student
  std::map<std::string, Location> named_at;
  std::string canvas, moodle;  ///< columns of their tables; empty: none
  Location where, assigned_at;
};

struct Term {
  std::string title;
  std::filesystem::path class_file;
  Location class_at;
  ClassColumns columns;
  std::size_t drop_lowest = 0;
  double points = 100;  ///< of the total
  std::string canvas, moodle;
  std::vector<TermLab> labs;
};

/// Paths in the text are relative to `folder`. Errors name their line.
Result<Term> parse_term(std::string_view text, const std::filesystem::path& folder, const std::string& shown);

/// The variant that each student of the list has, by lab and student; who has none is left out. Errors: a
/// name that is not on the list, a variant without a folder, or an id without digits.
Result<std::vector<std::map<std::string, std::string>>> assigned_variants(const Term& term,
                                                                          const ClassList& list);

}  // namespace cudalabs
