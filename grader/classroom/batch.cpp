#include "grader/classroom/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/base/human.h"
#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/course/cache.h"
#include "grader/course/lab_files.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/grading/grade.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxLabFile = 16 << 20;
constexpr int kFailuresInARow = 5;  // after this many the machine itself is broken

std::string key_of(std::int64_t run, const std::string& source) { return fmt::format("{}:{}", run, source); }

/// Keeps the results of the versions that a regrade did not include.
void keep_other_versions(Json& result, const Json& before) {
  Json& versions = result.at("versions");
  double points = 0, most = 0, bonus = 0;
  bool passed = true;
  for (Json& version : versions) {
    if (version.at("verdict") == "not_graded") {
      for (const Json& old : before.at("versions")) {
        if (old.at("name") == version.at("name")) version = old;
      }
    }
    if (version.at("verdict") == "not_graded") continue;
    const auto number = [&](const char* key) { return version.value(key, 0.0); };  // 0: of an earlier grader
    points += number("points");
    if (version.value("bonus", false)) {
      bonus += number("points");
      continue;
    }
    bonus += number("bonus_points");
    most += number("max_points");
    passed = passed && version.at("verdict") == "accepted" &&
             number("points") - number("bonus_points") >= number("max_points");
  }
  result.at("score") = {{"points", round_points(points)},
                        {"max_points", round_points(most)},
                        {"bonus_points", round_points(bonus)}};
  result.at("passed") = passed && most > 0;
}

/// Writes a result into the journal and then removes its file.
Result<void> journalled(ClassFolder& folder, const WorkResult& result,
                        const std::vector<std::string>& versions) {
  if (!result.failure.empty()) return {};
  Json body = Json::parse(result.body);
  if (!versions.empty()) {
    auto before = folder.journal().last(event::kGraded, result.source);
    if (!before) return before.problem();
    if (*before) keep_other_versions(body.at("result"), Json::parse((*before)->body).at("result"));
  }
  auto written = folder.journal().append(event::kGraded, result.source,
                                         body.dump(-1, ' ', false, Json::error_handler_t::replace),
                                         key_of(result.run, result.source));
  if (!written) return written.problem();
  folder.work().remove_result(result.source);
  return {};
}

/// Sections are a part of an id only where several students have one name. One who had it alone before keeps
/// the id, and with it the points by hand.
std::string id_of(const ClassRecord& record, const HandIn& handed) {
  const std::size_t slash = handed.student.rfind('/');
  if (slash == std::string::npos || record.students.contains(handed.student)) return handed.student;
  const auto folder_of = [](const std::string& place) { return place.substr(0, place.rfind('/')); };
  const auto alone = record.students.find(handed.student.substr(slash + 1));
  const bool is_there = alone != record.students.end() &&
                        std::ranges::any_of(alone->second.hand_ins, [&](const Handed& before) {
                          return folder_of(before.place) == folder_of(handed.place);
                        });
  return is_there ? alone->first : handed.student;
}

bool is_news(const ClassRecord& record, const HandIn& handed, const std::string& source) {
  const auto student = record.students.find(handed.student);
  if (student == record.students.end()) return true;
  const Handed& last = student->second.hand_ins.back();
  if (!is_same_work(last, source, handed.problem)) return true;
  // A run without the table that has the times takes none away.
  return handed.time != HandInTime() && last.time != handed.time;
}

/// `left`: the sources still to grade. Sources are removed from it once the journal has their result.
Result<void> grade_all(ClassFolder& folder, const std::vector<std::string>& sources, const WorkOrder& order,
                       Executor& executor, const BatchHooks& hooks, std::map<std::string, Messages>& left) {
  if (auto written = folder.work().write_order(order); !written) return written;
  for (const std::string& source : sources) {
    folder.work().remove_result(source);
    auto submission = folder.journal().source(source);
    if (!submission) return submission.problem();
    const auto own = order.own_seeds.find(source);
    const std::string& seed = own == order.own_seeds.end() ? order.seed : own->second;
    if (auto laid = folder.work().lay_out(source, *submission, seed); !laid) return laid;
  }

  BatchProgress progress;
  progress.total = sources.size();
  std::vector<std::string> again;
  bool last_try = false;
  int in_a_row = 0;
  const auto ended = [&](const WorkResult& result) -> Result<void> {
    logging::add_stats(result.stats);
    logging::info(logging::Stage::Classroom, [&] {
      return fmt::format("{} {}", result.source,
                         result.failure.empty() ? "is graded" : "could not be graded");
    });
    progress.source = result.source;
    progress.failure = result.failure;
    if (result.failure.empty()) {
      in_a_row = 0;
      if (auto written = journalled(folder, result, order.versions); !written) return written;
      left.erase(result.source);
      const Json score = Json::parse(result.body).at("result").at("score");
      progress.points = score.at("points").get<double>();
      progress.max_points = score.at("max_points").get<double>();
    } else {
      folder.work().remove_result(result.source);
      left[result.source] = result.failure;
      if (!last_try) again.push_back(result.source);
      if (++in_a_row >= kFailuresInARow) {
        return error(msg::gradings_fail_in_a_row(in_a_row, result.failure), msg::repair_the_machine());
      }
      if (!last_try) return {};
      auto written =
          folder.journal().append(event::kFailed, result.source, failure_body(order.run, result.failure));
      if (!written) return written.problem();
      left.erase(result.source);
      ++progress.failed;
    }
    ++progress.done;
    hooks.progress(progress);
    return {};
  };
  if (auto done = executor.run(folder.work(), sources, ended); !done) return done;
  if (again.empty() || (hooks.cancel != nullptr && hooks.cancel->load())) return {};
  hooks.log_progress(msg::grading_once_more(again.size()));
  last_try = true;
  in_a_row = 0;
  const std::vector<std::string> rest = std::move(again);
  return executor.run(folder.work(), rest, ended);
}

}  // namespace

Result<std::string> lab_key(const Course& course, const Lab& lab, const WorkOrder& order) {
  std::vector<std::string> parts = {std::string(grader_version()), order.device, order.compiler,
                                    order.profile};
  auto files = files_of(course, lab);
  if (!files) return files.problem();
  for (const LabFile& file : *files) {
    auto text = read_file(file.path, kMaxLabFile);
    if (!text) return text.problem();
    parts.push_back(std::move(*text));
  }
  return content_key(parts);
}

Result<std::size_t> take_in(ClassFolder& folder, const std::vector<HandIn>& handed, bool own_seeds) {
  auto record = read_record(folder.journal());
  if (!record) return record.problem();
  std::size_t news = 0;
  for (HandIn one : handed) {
    one.student = id_of(*record, one);
    std::string source;
    if (one.problem.empty()) {
      const std::string_view owner = own_seeds ? std::string_view(one.student) : std::string_view();
      source = hash_of(one.submission, owner);
      if (is_news(*record, one, source)) {
        auto kept = folder.journal().keep(one.submission, owner);
        if (!kept) return kept.problem();
      }
    }
    if (!is_news(*record, one, source)) continue;
    auto written = folder.journal().append(event::kHandedIn, one.student, body_of(one, source));
    if (!written) return written.problem();
    ++news;
  }
  return news;
}

Result<void> sweep(ClassFolder& folder) {
  const std::vector<std::string> finished = folder.work().finished();
  if (finished.empty()) return {};
  const auto order = folder.work().order();
  for (const std::string& source : finished) {
    auto result = folder.work().result(source);
    if (!order || !result || !*result || !(*result)->failure.empty()) {
      folder.work().remove_result(source);  // it will be graded again
      continue;
    }
    if (auto written = journalled(folder, **result, order->versions); !written) return written;
  }
  return {};
}

Result<void> grade_sources(ClassFolder& folder, const std::vector<std::string>& sources, WorkOrder order,
                           RunRecord run, Executor& executor, const BatchHooks& hooks) {
  if (sources.empty()) return {};
  auto number = folder.journal().append(event::kRun, "", body_of(run));
  if (!number) return number.problem();
  order.run = *number;
  std::map<std::string, Messages> left;  // not in the journal yet, with the first failure
  for (const std::string& source : sources) left[source];
  auto done = grade_all(folder, sources, order, executor, hooks, left);
  if (done || left.empty()) return done;
  // Records the reason for each source that was not graded. If that fails, the command still prints it.
  std::map<std::string, std::string> bodies;
  for (const auto& [source, reason] : left)
    bodies[source] = failure_body(order.run, reason.empty() ? done.problem().message : reason);
  (void)folder.journal().append_all(event::kFailed, bodies);
  return done;
}

}  // namespace cudalabs
