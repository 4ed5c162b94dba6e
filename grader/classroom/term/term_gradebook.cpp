#include "grader/classroom/term/term_gradebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/base/human.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

using Variants = std::map<std::string, std::string>;

TermScore score_of(const Student& student, const Grade& grade) {
  TermScore score;
  score.attempts = static_cast<std::size_t>(
      std::ranges::count_if(student.hand_ins, [](const Handed& handed) { return !handed.source.empty(); }));
  score.max_points = grade.max_points;
  score.notes = withdrawal_note(grade);
  score.withdrawn = grade.withdrawn != nullptr;
  if (grade.scored()) {
    score.state = TermScore::State::Scored;
    score.points = grade.points;
    if (grade.grading != nullptr && !score.withdrawn) score.bonus_points = grade.grading->bonus_points;
    for (const GivenPoints& one : grade.given)
      if (!one.points) score.notes.add(msg::points_open(one.open.name));
    if (grade.grading == nullptr) score.notes.add(msg::status_by_hand(grade.problem));
    return score;
  }
  // A file that cannot be used is the student's fault. That nothing was graded is not.
  score.state = grade.handed->problem.empty() ? TermScore::State::Open : TermScore::State::Missing;
  score.notes.add(grade.problem);
  return score;
}

/// The maximum of a lab for those who have no grading.
double max_points_of(const std::vector<TermBatch>& batches) {
  double most = 0;
  for (const TermBatch& batch : batches)
    for (const auto& [id, entry] : batch.students) most = std::max(most, entry.score.max_points);
  return most;
}

/// The row of each student of a batch: by an id, else by a name that is unique in the class and in the batch.
class Matches {
 public:
  Matches(const ClassList& list, Messages& told) : list_(list), told_(told) {
    for (std::size_t i = 0; i < list.students.size(); ++i)
      if (!list.students[i].name.empty()) by_name_[list.students[i].name].push_back(i);
  }

  std::map<std::string, std::size_t> of(const TermBatch& batch, const std::string& folder) {
    std::map<std::string, std::size_t> rows;
    std::set<std::size_t> taken;
    std::map<std::string, std::vector<std::string>> named;
    for (const auto& [id, entry] : batch.students) {
      const auto found = list_.by_id.find(id);
      if (found == list_.by_id.end()) {
        named[entry.name].push_back(id);
        continue;
      }
      rows[id] = found->second;  // two ids of one person are two attempts
      taken.insert(found->second);
    }
    for (const auto& [name, ids] : named) {
      const auto found = by_name_.find(name);
      const bool unique = found != by_name_.end() && found->second.size() == 1 && ids.size() == 1 &&
                          taken.insert(found->second.front()).second;
      if (unique) {
        rows[ids.front()] = found->second.front();
        told_.add(msg::found_by_name(folder, ids.front(), name, list_.students[found->second.front()].id));
      }
    }
    return rows;
  }

 private:
  const ClassList& list_;
  Messages& told_;
  std::map<std::string, std::vector<std::size_t>> by_name_;
};

/// A hand-in of a student for one lab.
struct Candidate {
  std::string variant;
  const TermBatch::Entry* entry = nullptr;
};

/// Compares hand-ins for several variants: what is withdrawn first, so that nobody gets around it, then what
/// is scored, then the better or the later one.
bool counts_more(const Candidate& a, const Candidate& b, bool best) {
  const TermScore &x = a.entry->score, &y = b.entry->score;
  if (x.withdrawn != y.withdrawn) return x.withdrawn;
  if (x.state != y.state) return x.state > y.state;
  if (best && x.share() != y.share()) return x.share() > y.share();
  return a.entry->handed_at > b.entry->handed_at;
}

/// The score that counts, of a student's hand-ins for the variants of a lab.
TermScore chosen_score(const TermLab& lab, const std::vector<Candidate>& candidates,
                       const std::string& assigned, double max_points) {
  const Candidate* chosen = nullptr;
  TermScore score;
  std::size_t attempts = 0;
  for (const Candidate& one : candidates) {
    attempts += one.entry->score.attempts;
    if (!assigned.empty() && one.variant != assigned) {
      score.notes.add(msg::not_the_assigned_variant(lab.title, one.variant, assigned));
      continue;
    }
    if (chosen == nullptr || counts_more(one, *chosen, lab.best.value_or(false))) chosen = &one;
  }
  if (chosen != nullptr) {
    Messages notes = chosen->entry->score.notes;
    notes.add(score.notes);
    score = chosen->entry->score;
    score.notes = std::move(notes);
  }
  score.attempts = attempts;
  score.variant = chosen != nullptr ? chosen->variant : assigned;
  if (score.max_points == 0) score.max_points = max_points;
  if (chosen == nullptr && score.notes.empty()) score.notes = msg::nothing_handed_in();
  return score;
}

/// Collects the rows' hand-ins lab by lab.
class Assembly {
 public:
  Assembly(const Term& term, const ClassList& list, TermBook& book)
      : term_(term), book_(book), matches_(list, book.told) {
    for (const ListedStudent& student : list.students)
      book_.rows.push_back({student.id, student.name, true, {}, {}});
  }

  void add(std::size_t position, const std::vector<TermBatch>& batches, const Variants& variants) {
    const TermLab& lab = term_.labs[position];
    std::vector<std::vector<Candidate>> candidates(book_.rows.size());
    for (std::size_t f = 0; f < batches.size(); ++f) {
      const std::string folder = lab.folders[f].path.string();
      const auto rows = matches_.of(batches[f], folder);
      for (const auto& [id, entry] : batches[f].students) {
        const auto found = rows.find(id);
        const std::size_t row = found != rows.end() ? found->second : unlisted(id, entry.name, folder);
        candidates.resize(book_.rows.size());
        candidates[row].push_back({lab.folders[f].variant, &entry});
      }
    }
    const double max_points = max_points_of(batches);
    for (std::size_t row = 0; row < book_.rows.size(); ++row) {
      TermRow& own = book_.rows[row];
      own.scores.resize(position);  // somebody new had nothing in the labs before
      const auto assigned = variants.find(own.id);
      own.scores.push_back(chosen_score(lab, candidates[row],
                                        own.listed && assigned != variants.end() ? assigned->second : "",
                                        max_points));
      const bool unassigned = lab.assignment != Assignment::Any && own.listed && assigned == variants.end();
      if (unassigned) own.scores.back().notes.add(msg::no_variant_assigned(lab.title));
    }
    max_points_.push_back(max_points);
  }

  /// Labs in which somebody who is not on the list had no row yet.
  void complete() {
    for (TermRow& row : book_.rows) {
      for (std::size_t i = 0; i < row.scores.size(); ++i)
        if (row.scores[i].max_points == 0) row.scores[i].max_points = max_points_[i];
    }
  }

 private:
  std::size_t unlisted(const std::string& id, const std::string& name, const std::string& folder) {
    const auto [known, is_new] = unlisted_.emplace(id, book_.rows.size());
    if (is_new) {
      book_.rows.push_back({id, name, false, {}, {}});
      book_.told.add(msg::student_not_listed(folder, id, name == id ? "" : name));
    }
    return known->second;
  }

  const Term& term_;
  TermBook& book_;
  Matches matches_;
  std::map<std::string, std::size_t> unlisted_;
  std::vector<double> max_points_;
};

}  // namespace

TermBatch term_batch(ClassRecord record, std::optional<bool> best) {
  if (best) set_keep_highest(record, *best);
  TermBatch batch;
  if (!record.runs.empty()) {
    batch.lab = record.runs.back().lab;
    batch.variant = record.runs.back().variant;
  }
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    batch.students[id] = {student.name, score_of(student, grade), handed_in_at(*grade.handed)};
  }
  batch.conditions = conditions_of(record);
  return batch;
}

void add_total(TermRow& row, const Term& term) {
  std::vector<std::size_t> counted, droppable;
  for (std::size_t i = 0; i < row.scores.size(); ++i) {
    TermScore& score = row.scores[i];
    score.dropped = false;
    if (score.state == TermScore::State::Open || !(term.labs[i].weight > 0)) continue;
    counted.push_back(i);
    if (term.labs[i].can_be_dropped && !score.withdrawn) droppable.push_back(i);
  }
  const auto mean = [&] {
    double sum = 0, weights = 0;
    for (const std::size_t i : counted) {
      if (row.scores[i].dropped) continue;
      sum += term.labs[i].weight * row.scores[i].share();
      weights += term.labs[i].weight;
    }
    return weights > 0 ? sum / weights : 0;
  };
  // The best mean q that dropping gives: drop those with the least weight * (share - q), take the new mean as
  // q, and repeat until it does not grow (Dinkelbach 1967). With equal weights these are the lowest shares.
  const std::size_t drop = std::min(term.drop_lowest, droppable.size());
  const bool all = drop == counted.size();  // one must remain
  double q = mean();
  for (int round = 0; round < 100 && drop > 0; ++round) {
    std::ranges::stable_sort(
        droppable, {}, [&](std::size_t i) { return term.labs[i].weight * (row.scores[i].share() - q); });
    for (std::size_t k = 0; k < droppable.size(); ++k)
      row.scores[droppable[k]].dropped = k < drop - (all ? 1 : 0);
    const double better = mean();
    if (!(better > q)) break;
    q = better;
  }
  row.total.reset();
  if (!counted.empty()) row.total = round_points(mean() * term.points);
}

TermBook term_book(const Term& term, const ClassList& list, const std::vector<Variants>& variants,
                   const std::vector<std::vector<TermBatch>>& batches) {
  TermBook book;
  Assembly assembly(term, list, book);
  for (std::size_t lab = 0; lab < term.labs.size(); ++lab) {
    assembly.add(lab, batches[lab], variants[lab]);
    for (std::size_t f = 0; f < batches[lab].size(); ++f) {
      const std::string folder = term.labs[lab].folders[f].path.string();
      for (const Message& one : differences_of(batches[lab][f].conditions))
        book.told.add(msg::differs_in_folder(folder, one));
      for (const ConditionValues& condition : batches[lab][f].conditions) {
        if (condition.kind == ConditionValues::Kind::Seed) continue;  // each lab has another
        auto known = std::ranges::find(book.conditions, condition.kind, &ConditionValues::kind);
        if (known == book.conditions.end())
          known = book.conditions.insert(known, ConditionValues{condition.kind, {}});
        for (const ConditionValues::Value& value : condition.values) known->add(value.text, folder);
      }
    }
  }
  book.told.add(differences_of(book.conditions));
  assembly.complete();
  for (TermRow& row : book.rows) add_total(row, term);
  return book;
}

GradeSheet term_sheet(const TermBook& book, const Term& term, const ClassList& list, Platform platform) {
  const auto title_in = [platform](const auto& from) {
    return platform == Platform::Canvas ? from.canvas : from.moodle;
  };
  GradeSheet sheet;
  for (const TermRow& row : book.rows) {
    sheet.names[row.id] = row.name;
    sheet.ids[row.id] = row.id;
    for (std::size_t i = 0; i < term.labs.size(); ++i) {
      if (row.scores[i].withdrawn)
        sheet.withdrawn.push_back(
            fmt::format("{}, {}: {}", row.id, term.labs[i].title, row.scores[i].notes.english()));
    }
  }
  for (const auto& [id, position] : list.by_id) sheet.ids[id] = list.students[position].id;
  for (std::size_t i = 0; i < term.labs.size(); ++i) {
    if (title_in(term.labs[i]).empty()) continue;
    GradeSheet::Column column{title_in(term.labs[i]), {}};
    for (const TermRow& row : book.rows) {
      const TermScore& score = row.scores[i];
      if (score.state == TermScore::State::Scored) column.points[row.id] = {score.points, score.bonus_points};
    }
    sheet.columns.push_back(std::move(column));
  }
  if (!title_in(term).empty()) {
    GradeSheet::Column column{title_in(term), {}};
    for (const TermRow& row : book.rows)
      if (row.total) column.points[row.id] = {*row.total, std::max(0.0, *row.total - term.points)};
    sheet.columns.push_back(std::move(column));
  }
  return sheet;
}

}  // namespace cudalabs
