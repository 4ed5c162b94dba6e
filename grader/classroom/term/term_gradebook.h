#pragma once
// The gradebook of a course over a term: a row for each student, what each lab is worth, and the total.
// Computed from the journals of the labs' batches; nothing of it is stored.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/conditions.h"
#include "grader/classroom/gradebook.h"
#include "grader/classroom/term/class_list.h"
#include "grader/classroom/term/term_file.h"

namespace cudalabs {

/// What a student has of one lab. Missing: nothing usable was handed in, which counts as no points. Open: not
/// graded yet, or the machine failed; the total leaves the lab out.
struct TermScore {
  enum class State : std::uint8_t { Missing, Open, Scored } state = State::Missing;
  std::string variant;  ///< of the counted hand-in, else the assigned one
  double points = 0, max_points = 0, bonus_points = 0;
  std::size_t attempts = 0;
  bool withdrawn = false;
  bool dropped = false;
  Messages notes;

  /// Of the maximum; a bonus may exceed 1.
  [[nodiscard]] double share() const { return max_points > 0 ? points / max_points : 0; }
};

struct TermRow {
  std::string id, name;
  bool listed = true;             ///< false: in a batch, but not on the class list
  std::vector<TermScore> scores;  ///< by lab
  std::optional<double> total;    ///< none: every lab is open
};

struct TermBook {
  std::vector<TermRow> rows;                ///< the class list's order, then the students who are not on it
  Messages told;                            ///< who is not on the list, who was found by name, ...
  std::vector<ConditionValues> conditions;  ///< of the labs: the owners are their folders
};

/// One folder's students and what they have, without what the journal has besides.
struct TermBatch {
  struct Entry {
    std::string name;
    TermScore score;
    std::int64_t handed_at = 0;
  };
  std::string lab, variant;  ///< empty: nothing was graded yet
  std::map<std::string, Entry> students;
  std::vector<ConditionValues> conditions;
};

/// `best`: whether the best attempt counts; none: as the batch says.
TermBatch term_batch(ClassRecord record, std::optional<bool> best);

/// Puts the batches together: `batches[lab][folder]`, as the term lists them. `variants`:
/// assigned_variants().
TermBook term_book(const Term& term, const ClassList& list,
                   const std::vector<std::map<std::string, std::string>>& variants,
                   const std::vector<std::vector<TermBatch>>& batches);

/// Marks the labs that are dropped and sets the total: the weighted mean of the shares, of `term.points`. The
/// labs whose absence helps most are dropped, but none that is open or withdrawn.
void add_total(TermRow& row, const Term& term);

/// The columns that the term names for a platform.
enum class Platform : std::uint8_t { Canvas, Moodle };
GradeSheet term_sheet(const TermBook& book, const Term& term, const ClassList& list, Platform platform);

}  // namespace cudalabs
