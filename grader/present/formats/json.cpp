#include "grader/present/formats/json.h"

#include <nlohmann/json.hpp>

#include "grader/diagnostics/json.h"
#include "grader/present/layout.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

Json parts_of(const sim::CostBounds& bounds) {
  Json parts;
  for (const sim::CostPart& part : sim::kCostParts) parts[part.name] = bounds.*part.value;
  return parts;
}

/// Adds "file" and "line"; null if the location is not known, so that the keys always exist.
void add_place(Json& json, const Location& where) {
  json["file"] = where.file.empty() ? Json() : Json(where.file);
  json["line"] = where.line == 0 ? Json() : Json(where.line);
}

/// A text for people, and beside it what it is made of for programs.
void add_messages(Json& json, const std::string& key, const Messages& messages) {
  json[key] = messages.english();
  json[key + "_parts"] = json_of(messages);
}

Json to_json(const ProfileName& profile) {
  if (profile.name.empty()) return {};
  return {{"name", profile.name}, {"title", profile.title}};
}

Json to_json(const sim::Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json to_json(const sim::Counters& c) {
  Json all = Json::object();
  c.each(sim::CounterShown::Results, [&](const char* name, std::uint64_t value) { all[name] = value; });
  return all;
}

Json to_json(const CriterionResult& criterion) {
  return {{"name", criterion.name},
          {"titles", criterion.titles},
          {"needed", criterion.needed},
          {"bonus", criterion.bonus},
          {"met", criterion.met},
          {"passed", criterion.passed},
          {"total", criterion.total},
          {"points", round_points(criterion.points)},
          {"max_points", round_points(criterion.max_points)}};
}

Json to_json(const CorrectnessResult& correctness) {
  Json failures = Json::array();
  for (const CaseFailure& failure : correctness.failures) {
    Json entry = {{"case", failure.case_name}, {"verdict", spelling(failure.verdict)}};
    add_messages(entry, "message", failure.message);
    add_messages(entry, "advice", failure.advice);
    add_place(entry, failure.where);
    failures.push_back(std::move(entry));
  }
  Json criteria = Json::array();
  for (const CriterionResult& criterion : correctness.criteria) criteria.push_back(to_json(criterion));
  return {{"passed", correctness.passed},         {"total", correctness.total},
          {"skipped", correctness.skipped},       {"points", correctness.points},
          {"max_points", correctness.max_points}, {"criteria", std::move(criteria)},
          {"failures", std::move(failures)}};
}

Json to_json(const StructureResult& structure) {
  Json json = {{"requirement", spelling(structure.requirement)},
               {"satisfied", structure.judged ? Json(structure.satisfied) : Json()},
               {"points", structure.points},
               {"max_points", structure.max_points}};
  add_messages(json, "observed", structure.observed);
  return json;
}

Json to_json(const CallTime& time) {
  Json json = {{"call_ns", time.call_ns},
               {"call_ns_interval", {time.low_ns, time.high_ns}},
               {"kernel_ns", time.kernel_ns > 0 ? Json(time.kernel_ns) : Json()},
               {"repetitions", time.repetitions},
               {"throttled", time.throttled}};
  add_messages(json, "timed_live_because", time.live_reason);
  return json;
}

Json to_json(const std::optional<Measurement>& measurement) {
  if (!measurement) return {};
  Json json = {{"submission", to_json(measurement->student)},
               {"reference", to_json(measurement->reference)},
               {"least_ns", measurement->least_ns},
               {"clock_mhz", measurement->clock_mhz}};
  add_messages(json, "problem", measurement->problem);
  add_messages(json, "advice", measurement->advice);
  return json;
}

Json to_json(const SpeedResult& speed) {
  const bool timed = speed.source != TimeSource::None;
  return {{"source", spelling(speed.source)},
          {"case", speed.case_name},
          {"time_ns", timed ? Json(speed.student_ns) : Json()},
          {"reference_ns", timed ? Json(speed.reference_ns) : Json()},
          {"speedup_over_reference", timed ? Json(speed.speedup) : Json()},
          {"measurement", to_json(speed.measurement)},
          {"points", speed.points},
          {"max_points", speed.max_points}};
}

Json to_json(const VersionResult& version) {
  Json structure = Json::array(), lost = Json::array(), launches = Json::array();
  for (const StructureResult& requirement : version.structure) structure.push_back(to_json(requirement));
  for (const LostPoints& loss : version.lost) {
    Json entry = {{"points", loss.points}, {"part", loss.part}, {"case", loss.case_name}};
    add_messages(entry, "reason", loss.reason);
    add_messages(entry, "advice", loss.advice);
    add_place(entry, loss.where);
    lost.push_back(std::move(entry));
  }
  for (const LaunchSummary& launch : version.launches) {
    launches.push_back({{"kernel", launch.kernel},
                        {"grid", to_json(launch.grid)},
                        {"block", to_json(launch.block)},
                        {"shared_bytes", launch.shared_bytes},
                        {"launches", launch.launches},
                        {"estimated_ns", version.speed.measurement ? Json() : Json(launch.estimated_ns())},
                        {"estimated_parts_ns", version.speed.measurement ? Json() : parts_of(launch.bounds)},
                        {"counters", to_json(launch.counters)}});
  }
  Json notes = Json::array(), note_parts = Json::array();
  for (const Messages& note : version.notes) {
    notes.push_back(note.english());
    note_parts.push_back(json_of(note));
  }
  return {{"name", version.name},
          {"title", version.title},
          {"entry", version.entry},
          {"verdict", spelling(version.verdict)},
          {"points", version.points},
          {"max_points", version.max_points},
          {"bonus_points", version.bonus_points},
          {"bonus", version.bonus},
          {"correctness", to_json(version.correctness)},
          {"structure", std::move(structure)},
          {"speed", to_json(version.speed)},
          {"lost", std::move(lost)},
          {"launches", std::move(launches)},
          {"notes", std::move(notes)},
          {"notes_parts", std::move(note_parts)}};
}

Json to_json(const OpenPoints& open) {
  Json json = {{"name", open.name},
               {"by", spelling(open.by)},
               {"titles", open.titles.empty() ? Json::object() : Json(open.titles)},
               {"max_points", open.max_points}};
  if (open.by == OpenPoints::By::Rank) json["ranks"] = open.ranks;
  return json;
}

}  // namespace

std::string json_report(const GradeResult& result) {
  Json versions = Json::array();
  for (const VersionResult& version : result.versions) versions.push_back(to_json(version));
  Json open = Json::array();
  for (const OpenPoints& one : result.open) open.push_back(to_json(one));
  const Nondeterministic& n = result.nondeterministic;
  Json varying = {{"grader_version", n.grader_version},
                  {"started_at", n.started_at},
                  {"wall_seconds", n.wall_seconds},
                  {"cpu_ms", n.cpu_ms},
                  {"sandbox", n.sandbox}};
  add_messages(varying, "sandbox_warning", n.sandbox_warning);
  varying["submission"] = n.submission;
  if (!n.submission_note.empty()) add_messages(varying, "submission_note", n.submission_note);
  const Json document = {
      {"schema", "grader/result/v1"},
      {"lab", result.lab},
      {"variant", result.variant},
      {"title", result.title},
      {"device", result.device},
      {"card", result.card.empty() ? Json() : Json(result.card)},
      {"device_profile", to_json(result.profile)},
      {"compiler", {{"name", result.compiler.name}, {"version", result.compiler.version}}},
      {"seed", std::to_string(result.seed)},
      {"seed_policy", result.seed_policy},
      {"file", result.file},
      {"score",
       {{"points", result.points}, {"max_points", result.max_points}, {"bonus_points", result.bonus_points}}},
      {"open", std::move(open)},
      {"passed", result.passed()},
      {"complete", result.complete()},
      {"compiler_output", result.compiler_output.english_lines()},
      {"compiler_output_parts", json_of(result.compiler_output)},
      {"versions", std::move(versions)},
      {"nondeterministic", std::move(varying)}};
  return steady_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace cudalabs
