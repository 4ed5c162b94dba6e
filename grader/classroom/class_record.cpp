#include "grader/classroom/class_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/diagnostics/json.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/present/layout.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Messages as add_messages() wrote them. Journals of earlier graders have only the text.
Messages messages_at(const Json& json, const std::string& key) {
  if (const auto found = json.find(key + "_messages"); found != json.end()) {
    if (auto messages = messages_of(*found)) return std::move(*messages);
  }
  return verbatim(text_at(json, key.c_str()));
}

/// The English text, for people who read the journal, and the messages.
void add_messages(Json& json, const std::string& key, const Messages& messages) {
  json[key] = messages.english();
  if (!messages.empty()) json[key + "_messages"] = json_of(messages);
}

double number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

RunRecord run_of(const Event& event, const Json& body) {
  return {event.id,
          event.at,
          text_at(body, "lab"),
          text_at(body, "variant"),
          text_at(body, "course"),
          text_at(body, "seed"),
          text_at(body, "seed_policy"),
          text_at(body, "device"),
          text_at(body, "compiler"),
          text_at(body, "profile"),
          text_at(body, "lab_key"),
          text_at(body, "grader"),
          text_at(body, "why"),
          text_at(body, "pseudonym_key")};
}

OpenPoints open_points_of(const Json& json) {
  OpenPoints open;
  open.name = text_at(json, "name");
  open.by =
      text_at(json, "by") == spelling(OpenPoints::By::Rank) ? OpenPoints::By::Rank : OpenPoints::By::Hand;
  open.titles = json.at("titles").get<Titles>();
  open.max_points = number_at(json, "max_points");
  if (json.contains("ranks")) open.ranks = json.at("ranks").get<Ranks>();
  return open;
}

Conditions conditions_in(const Json& result) {
  Conditions conditions;
  if (const auto compiler = result.find("compiler"); compiler != result.end())
    conditions.compiler = text_at(*compiler, "name") + " " + text_at(*compiler, "version");
  conditions.device = text_at(result, "card");
  if (conditions.device.empty()) conditions.device = text_at(result, "device");
  if (const auto profile = result.find("device_profile"); profile != result.end())
    conditions.profile = text_at(*profile, "name");
  conditions.seed_policy = text_at(result, "seed_policy");
  conditions.seed = text_at(result, "seed");
  return conditions;
}

Grading grading_of(const Event& event, const Json& body) {
  Grading grading;
  grading.event = event.id;
  grading.at = event.at;
  grading.run = static_cast<std::int64_t>(number_at(body, "run"));
  const Json& result = body.at("result");
  grading.points = number_at(result.at("score"), "points");
  grading.max_points = number_at(result.at("score"), "max_points");
  grading.bonus_points = number_at(result.at("score"), "bonus_points");
  if (result.contains("open"))  // earlier graders had none
    for (const Json& open : result.at("open")) grading.open.push_back(open_points_of(open));
  for (const Json& version : result.at("versions")) {
    grading.versions.push_back({text_at(version, "name"), text_at(version, "verdict"),
                                number_at(version, "points"), number_at(version, "max_points"),
                                number_at(version.at("speed"), "speedup_over_reference"),
                                number_at(version.at("speed"), "time_ns")});
  }
  grading.result = steady_json(result.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
  grading.page = text_at(body, "page");
  grading.conditions = conditions_in(result);
  grading.fingerprints = text_at(body, "fingerprints");
  grading.handed_out = text_at(body, "handed_out");
  grading.reference = text_at(body, "reference");
  return grading;
}

HandInTime time_at(const Json& body) {
  HandInTime time{static_cast<std::int64_t>(number_at(body, "submitted_at")), body.value("zoneless", false)};
  if (const auto late = body.find("late"); late != body.end()) time.late = late->get<bool>();
  return time;
}

void hand_in(ClassRecord& record, const Event& event, const Json& body) {
  // Journals of earlier graders contain the folder's name without any conversion.
  const std::string id = utf8_name(event.subject);
  Student& student = record.students[id];
  student.id = id;
  student.name = text_at(body, "name");
  Handed handed{event.id,
                event.at,
                text_at(body, "source"),
                text_at(body, "place"),
                messages_at(body, "note"),
                messages_at(body, "problem"),
                time_at(body)};
  // The same files, whose time was not known before: no new attempt.
  if (!student.hand_ins.empty() && is_same_work(student.hand_ins.back(), handed.source, handed.problem) &&
      student.hand_ins.back().time == HandInTime())
    student.hand_ins.back().time = handed.time;
  else
    student.hand_ins.push_back(std::move(handed));
}

void set_pseudonym_key(ClassRecord& record, const std::string& key) {
  if (record.pseudonym_key.empty()) record.pseudonym_key = key;  // the first one holds for ever
}

Result<void> set_rules(ClassRecord& record, const Json& body) {
  if (body.contains("late")) {
    record.late_text = text_at(body, "late");
    auto late = parse_late_rules(record.late_text, "the rule for lateness", MissingZone::MeansUtc);
    if (!late) return late.problem();
    record.late = std::move(*late);
  }
  if (body.contains("keep_highest")) record.keep_highest = body.at("keep_highest").get<bool>();
  if (const auto names = names_shown_of(text_at(body, "names"))) record.names = *names;
  set_pseudonym_key(record, text_at(body, "pseudonym_key"));
  return {};
}

void undo(ClassRecord& record, std::int64_t target, std::int64_t by) {
  const auto toggle = [&](auto& one) {
    if (one.event != target) return;
    one.undone = !one.undone;
    one.undos.push_back(by);
  };
  for (auto& [source, gradings] : record.gradings) std::ranges::for_each(gradings, toggle);
  for (auto& [id, student] : record.students) std::ranges::for_each(student.adjustments, toggle);
}

/// Returns whether a grading or an adjustment counted after this event (0: the last one).
bool counts(const auto& one, std::int64_t until) {
  if (until == 0) return !one.undone;
  const auto before = std::ranges::count_if(one.undos, [until](std::int64_t by) { return by <= until; });
  return one.event <= until && before % 2 == 0;
}

Result<void> take(ClassRecord& record, const Event& event) {
  const Json body = Json::parse(event.body);
  if (event.kind == event::kRun) {
    record.runs.push_back(run_of(event, body));
    set_pseudonym_key(record, record.runs.back().pseudonym_key);
  } else if (event.kind == event::kHandedIn) {
    hand_in(record, event, body);
  } else if (event.kind == event::kGraded) {
    record.gradings[event.subject].push_back(grading_of(event, body));
  } else if (event.kind == event::kFailed) {
    record.failures[event.subject] = {event.id, event.at, messages_at(body, "reason")};
  } else if (event.kind == event::kAdjusted || event.kind == event::kWithdrawn) {
    Student& student = record.students[utf8_name(event.subject)];
    student.adjustments.push_back(
        {event.id, event.at, number_at(body, "points"), text_at(body, "author"), text_at(body, "reason")});
    student.adjustments.back().withdraws = event.kind == event::kWithdrawn;
    if (body.contains("criteria"))
      student.adjustments.back().criteria = body.at("criteria").get<std::map<std::string, double>>();
  } else if (event.kind == event::kUndone) {
    undo(record, static_cast<std::int64_t>(number_at(body, "event")), event.id);
  } else if (event.kind == event::kRules) {
    return set_rules(record, body);
  }
  // A newer grader wrote this kind of event. The known events remain valid.
  return {};
}

/// The grading that counts: the last one, or with `highest` the best.
const Grading* counting(const ClassRecord& record, const std::string& source, bool highest,
                        std::int64_t until) {
  const auto found = record.gradings.find(source);
  if (found == record.gradings.end()) return nullptr;
  const Grading* best = nullptr;
  for (const Grading& grading : found->second) {
    if (!counts(grading, until)) continue;
    if (best == nullptr || !highest || grading.points >= best->points) best = &grading;
  }
  return best;
}

const Adjustment* withdrawal_of(const Student& student, std::int64_t until) {
  const auto last =
      std::ranges::find_if(student.adjustments.rbegin(), student.adjustments.rend(),
                           [until](const Adjustment& one) { return one.withdraws && counts(one, until); });
  return last == student.adjustments.rend() ? nullptr : &*last;
}

/// The last points that a person gave for a criterion.
std::optional<double> points_by_hand(const Student& student, const std::string& criterion,
                                     std::int64_t until) {
  std::optional<double> points;
  for (const Adjustment& adjustment : student.adjustments) {
    const auto given = adjustment.criteria.find(criterion);
    if (given != adjustment.criteria.end() && counts(adjustment, until)) points = given->second;
  }
  return points;
}

double points_of_place(const Ranks& ranks, std::int64_t place) {
  const auto row = std::ranges::find_if(ranks, [&](const auto& one) { return place <= one.first; });
  return place == 0 || row == ranks.end() ? 0 : row->second;
}

/// The time of the fastest version that may have a place; none: no version may.
std::optional<double> best_time(const Student& student, const Grade& grade, std::int64_t until) {
  std::optional<double> best;
  if (grade.grading == nullptr) return best;
  for (const VersionScore& version : grade.grading->versions) {
    if (is_ranked(student, version, until) && version.time_ns > 0)
      best = std::min(best.value_or(version.time_ns), version.time_ns);
  }
  return best;
}

/// The last grading of the class: it says what points the lab has.
const Grading* latest(const ClassRecord& record, std::int64_t until) {
  const Grading* last = nullptr;
  for (const auto& [source, gradings] : record.gradings)
    for (const Grading& grading : gradings)
      if ((until == 0 || grading.event <= until) && (last == nullptr || grading.event > last->event))
        last = &grading;
  return last;
}

/// The points that the lab's grading leaves open, with those that a person gave.
void add_open(Grade& grade, const Student& student, const Grading& lab, std::int64_t until) {
  grade.max_points = lab.max_points;
  for (const OpenPoints& open : lab.open) {
    grade.max_points += open.max_points;
    const bool by_hand = open.by == OpenPoints::By::Hand;
    if (by_hand || grade.grading != nullptr)
      grade.given.push_back(
          {open, by_hand ? points_by_hand(student, open.name, until) : std::optional<double>()});
  }
}

/// With lateness, and open points by hand; those by rank stay open.
Grade graded(const ClassRecord& record, const Student& student, const Handed& handed, std::int64_t until) {
  Grade grade;
  grade.handed = &handed;
  grade.problem = handed.problem;
  if (handed.problem.empty()) grade.grading = counting(record, handed.source, record.keep_highest, until);
  if (grade.grading == nullptr) {
    // A person may give points all the same.
    if (const Grading* lab = latest(record, until)) add_open(grade, student, *lab, until);
    const auto failure = record.failures.find(handed.source);
    const bool failed = failure != record.failures.end() && (until == 0 || failure->second.event <= until);
    if (handed.problem.empty())
      grade.problem = failed ? failure->second.reason : Messages(msg::not_graded_yet());
    return grade;
  }
  add_open(grade, student, *grade.grading, until);
  grade.late = lateness(record.late, student.id, handed.time, grade.earned(), grade.max_points);
  return grade;
}

double before_hand(const Grade& grade) {
  return grade.grading == nullptr ? -1 : grade.earned() - grade.late.penalty;
}

/// The grade of a student for himself: without adjustments and the place in the class.
Grade chosen(const ClassRecord& record, const Student& student, std::int64_t until) {
  const auto was_there = [until](const Handed& handed) { return until == 0 || handed.event <= until; };
  const auto last = std::ranges::find_if(student.hand_ins.rbegin(), student.hand_ins.rend(), was_there);
  if (last == student.hand_ins.rend()) {
    Grade none;
    none.handed = &student.hand_ins.front();
    none.problem = msg::nothing_handed_in_yet();
    return none;
  }
  Grade best = graded(record, student, *last, until);
  if (!record.keep_highest) return best;
  for (const Handed& handed : student.hand_ins) {
    if (!was_there(handed)) continue;
    Grade other = graded(record, student, handed, until);
    if (before_hand(other) > before_hand(best)) best = std::move(other);
  }
  return best;
}

/// By the time of the fastest right version. Equal times share the better place.
std::map<std::string, std::int64_t> places_of(const ClassRecord& record, std::int64_t until) {
  std::vector<std::pair<double, std::string>> times;
  for (const auto& [id, student] : record.students) {
    const Grade grade = chosen(record, student, until);
    const bool ranked = std::ranges::any_of(
        grade.given, [](const GivenPoints& one) { return one.open.by == OpenPoints::By::Rank; });
    const auto time = best_time(student, grade, until);
    if (ranked && time) times.emplace_back(*time, id);
  }
  std::ranges::sort(times);
  std::map<std::string, std::int64_t> places;
  std::int64_t place = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i == 0 || times[i].first > times[i - 1].first) place = static_cast<std::int64_t>(i) + 1;
    places[times[i].second] = place;
  }
  return places;
}

}  // namespace

std::string_view spelling(NamesShown names) { return names == NamesShown::Name ? "name" : "pseudonym"; }

std::optional<NamesShown> names_shown_of(std::string_view text) {
  for (const NamesShown names : {NamesShown::Name, NamesShown::Pseudonym})
    if (spelling(names) == text) return names;
  return std::nullopt;
}

const RunRecord* ClassRecord::run(std::int64_t event) const {
  const auto found = std::ranges::find(runs, event, &RunRecord::event);
  return found == runs.end() ? nullptr : &*found;
}

Result<ClassRecord> read_record(Journal& journal) {
  ClassRecord record;
  auto read = journal.each(0, [&](const Event& event) -> Result<void> {
    record.last_event = event.id;
    try {
      return take(record, event);
    } catch (const Json::exception& wrong) {
      return error(msg::journal_event_damaged(event.id, wrong.what()));
    }
  });
  if (!read) return read.problem();
  // Removes students who only have an adjustment and no submission.
  std::erase_if(record.students, [](const auto& entry) { return entry.second.hand_ins.empty(); });
  record.places = places_of(record, 0);
  return record;
}

void set_keep_highest(ClassRecord& record, bool highest) {
  record.keep_highest = highest;
  record.places = places_of(record, 0);
}

double Grade::earned() const {
  double sum = grading == nullptr ? 0 : grading->points;
  for (const GivenPoints& one : given) sum += one.points.value_or(0);
  return sum;
}

Grade grade_of(const ClassRecord& record, const Student& student, std::int64_t until) {
  Grade grade = chosen(record, student, until);
  const auto by_rank = std::ranges::find(grade.given, OpenPoints::By::Rank,
                                         [](const GivenPoints& one) { return one.open.by; });
  if (by_rank != grade.given.end()) {
    const auto places = until == 0 ? record.places : places_of(record, until);
    const auto place = places.find(student.id);
    by_rank->place = place == places.end() ? 0 : place->second;
    by_rank->points = points_of_place(by_rank->open.ranks, by_rank->place);
    grade.late = lateness(record.late, student.id, grade.handed->time, grade.earned(), grade.max_points);
  }
  grade.withdrawn = withdrawal_of(student, until);
  if (grade.withdrawn != nullptr) {
    grade.late.penalty = 0;  // not applied: the teacher says what remains
    std::erase_if(grade.given, [](const GivenPoints& one) { return one.open.by == OpenPoints::By::Rank; });
  }
  for (const Adjustment& adjustment : student.adjustments) {
    grade.by_hand = grade.by_hand || counts(adjustment, until);
    if (is_added(grade, adjustment, until)) grade.adjusted += adjustment.points;
  }
  const double before =
      grade.withdrawn != nullptr ? grade.withdrawn->points : grade.earned() - grade.late.penalty;
  grade.points = round_points(std::max(0.0, before + grade.adjusted));
  return grade;
}

Grade grade_of_attempt(const ClassRecord& record, const Student& student, const Handed& handed) {
  Grade grade = graded(record, student, handed, 0);
  grade.points = round_points(std::max(0.0, grade.earned() - grade.late.penalty));
  return grade;
}

bool is_same_work(const Handed& before, const std::string& source, const Messages& problem) {
  return before.source == source && before.problem == problem;
}

bool is_ranked(const Student& student, const VersionScore& version, std::int64_t until) {
  return version.verdict == "accepted" && withdrawal_of(student, until) == nullptr;
}

bool is_added(const Grade& grade, const Adjustment& adjustment, std::int64_t until) {
  const bool after = grade.withdrawn == nullptr || adjustment.event > grade.withdrawn->event;
  return counts(adjustment, until) && !adjustment.withdraws && after && adjustment.points != 0;
}

std::int64_t handed_in_at(const Handed& handed) { return handed.time.at != 0 ? handed.time.at : handed.at; }

Messages withdrawal_note(const Grade& grade) {
  if (grade.withdrawn == nullptr) return {};
  return msg::points_withdrawn(grade.points, grade.withdrawn->reason);
}

std::vector<OpenPoints> manual_criteria(const ClassRecord& record) {
  const Grading* last = latest(record, 0);
  std::vector<OpenPoints> manual;
  if (last != nullptr)
    std::ranges::copy_if(last->open, std::back_inserter(manual),
                         [](const OpenPoints& open) { return open.by == OpenPoints::By::Hand; });
  return manual;
}

Diagnostic unknown_student(const ClassRecord& record, const std::string& student) {
  std::vector<std::string> names;
  for (const auto& [id, one] : record.students) names.push_back(id);
  return error(msg::no_such_student(student, suggestion(student, names)), msg::gradebook_has_students());
}

std::vector<std::string> ungraded(const ClassRecord& record) {
  std::vector<std::string> sources;
  for (const auto& [id, student] : record.students) {
    const Handed& last = student.hand_ins.back();
    if (last.source.empty() || counting(record, last.source, false, 0) != nullptr) continue;
    if (std::ranges::find(sources, last.source) == sources.end()) sources.push_back(last.source);
  }
  return sources;
}

std::string body_of(const RunRecord& run) {
  return dumped({{"lab", run.lab},
                 {"variant", run.variant},
                 {"course", run.course},
                 {"seed", run.seed},
                 {"seed_policy", run.seed_policy},
                 {"device", run.device},
                 {"compiler", run.compiler},
                 {"profile", run.profile},
                 {"lab_key", run.lab_key},
                 {"grader", run.grader},
                 {"why", run.why},
                 {"pseudonym_key", run.pseudonym_key}});
}

std::string body_of(const HandIn& handed, const std::string& source) {
  Json body = {
      {"name", handed.name}, {"source", source}, {"place", handed.place}, {"submitted_at", handed.time.at}};
  if (handed.time.zoneless) body["zoneless"] = true;
  if (handed.time.late) body["late"] = *handed.time.late;
  add_messages(body, "note", handed.note);
  add_messages(body, "problem", handed.problem);
  return dumped(body);
}

std::string failure_body(std::int64_t run, const Messages& reason) {
  Json body = {{"run", run}};
  add_messages(body, "reason", reason);
  return dumped(body);
}

std::string body_of(const Adjustment& adjustment) {
  Json body = {{"points", adjustment.points}, {"author", adjustment.author}, {"reason", adjustment.reason}};
  if (!adjustment.criteria.empty()) body["criteria"] = adjustment.criteria;
  return dumped(body);
}

std::string late_rules_body(const std::string& yaml) { return dumped({{"late", yaml}}); }
std::string keep_highest_body(bool highest) { return dumped({{"keep_highest", highest}}); }
std::string names_body(NamesShown names) { return dumped({{"names", spelling(names)}}); }
std::string pseudonym_key_body(const std::string& key) { return dumped({{"pseudonym_key", key}}); }
std::string undone_body(std::int64_t event) { return dumped({{"event", event}}); }

bool can_be_undone(const ClassRecord& record, std::int64_t event) {
  for (const auto& [source, gradings] : record.gradings) {
    if (std::ranges::find(gradings, event, &Grading::event) != gradings.end()) return true;
  }
  for (const auto& [id, student] : record.students) {
    if (std::ranges::find(student.adjustments, event, &Adjustment::event) != student.adjustments.end())
      return true;
  }
  return false;
}

}  // namespace cudalabs
