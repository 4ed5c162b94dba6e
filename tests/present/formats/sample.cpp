#include "tests/present/formats/sample.h"

#include "grader/diagnostics/messages/device.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/diagnostics/messages/score.h"

namespace cudalabs {
namespace {

VersionResult accepted(std::string name, double max_points) {
  VersionResult version;
  version.name = std::move(name);
  version.title = "a version";
  version.entry = "row_max_" + version.name;
  version.verdict = Verdict::Accepted;
  version.points = version.max_points = max_points;
  version.correctness = {22, 22, 0, max_points - 5, max_points - 5, {}, {}};
  version.speed = {TimeSource::Estimated, "rows=1000 cols=1000 uniform", 18400, 18768, 1.02, 5, 5};
  LaunchSummary launch;
  launch.kernel = "row_max_" + version.name + "_kernel";
  launch.grid = {32, 1, 1};
  launch.block = {32, 8, 1};
  launch.shared_bytes = 4224;
  launch.bounds.launch = 2500;
  launch.bounds.memory = 15900;
  launch.counters.global_load_requests = 31250;
  launch.counters.global_load_sectors = 125000;
  launch.counters.warp_instructions = 1234567;
  version.launches = {launch};
  return version;
}

GradeResult blank() {
  GradeResult result;
  result.lab = "lab3";
  result.variant = "variant4";
  result.title = "Maximum of each row";
  result.device = "simulator";
  result.compiler = {"nvcc", "13.0.88"};
  result.profile = {"k40c", "NVIDIA Tesla K40c, compute capability 3.5"};
  result.seed = 18446744073709551615u;
  result.seed_policy = "named";
  result.file = "row_max.cu";
  result.source = {"// a comment", "\tbest = fmaxf(best, tile[x][c]);", "  out[row] = best;"};
  result.nondeterministic = {"0.1.0", "2026-01-02T03:04:05Z",     3.5, 1.25, "bubblewrap",
                             {},      "lab3/variant4/row_max.cu", ""};
  return result;
}

void total(GradeResult& result) {
  for (const VersionResult& version : result.versions) {
    result.points += version.points;
    result.max_points += version.max_points;
  }
}

}  // namespace

GradeResult full_marks() {
  GradeResult result = blank();
  result.versions = {accepted("global", 30), accepted("shared", 35), accepted("padded", 35)};
  result.versions[1].structure = {
      {Requirement::UsesSharedMemory, true, true, 10, 10, msg::shared_traffic(4 << 20, 4 << 20, 4000000)}};
  total(result);
  return result;
}

GradeResult with_bonus() {
  GradeResult result = full_marks();
  VersionResult &shared = result.versions[1], &padded = result.versions[2];
  CriterionResult extra;
  extra.name = "extra";
  extra.titles = {{"en", "rows of any length"}, {"ru", "строки любой длины"}};
  extra.bonus = extra.met = true;
  extra.passed = extra.total = 2;
  extra.points = extra.max_points = 3;
  shared.correctness.criteria = {extra};
  shared.bonus_points = 3;
  shared.points += 3;
  padded.bonus = true;
  result.points = 103;
  result.max_points = 65;
  result.bonus_points = 38;
  result.open = {{OpenPoints::By::Hand, "style", {{"en", "readable code"}, {"ru", "понятный код"}}, 10},
                 {OpenPoints::By::Rank, "leaderboard", {}, 10, {{1, 10}, {3, 7}}}};
  return result;
}

GradeResult measured() {
  GradeResult result = full_marks();
  result.device = "gpu";
  result.compiler = {"clang", "14.0.6"};
  result.card = "NVIDIA Sample";
  result.profile = {};
  Measurement measurement;
  measurement.student = {18400, 18300, 18500, 18100, 41, 3, {}};
  measurement.reference = {18768, 18700, 18800, 18500, 44, 0, {}};
  measurement.least_ns = 830;
  measurement.clock_mhz = 1980;
  for (VersionResult& version : result.versions) {
    version.speed.source = TimeSource::Measured;
    version.speed.measurement = measurement;
    for (LaunchSummary& launch : version.launches) launch.bounds = {};
    measurement.student.live_reason = msg::live_after_read();
    measurement.reference.live_reason = msg::other_program_is_live();
    measurement.student.kernel_ns = measurement.reference.kernel_ns = 0;
  }
  return result;
}

GradeResult mixed() {
  GradeResult result = blank();
  VersionResult global = accepted("global", 30);
  global.verdict = Verdict::WrongAnswer;
  global.points = 20.45;
  global.correctness.passed = 18;
  global.correctness.points = 20.45;
  global.correctness.criteria = {
      {"ragged",
       {{"en", "sizes that no block divides"}, {"ru", "размеры не делятся"}},
       false,
       false,
       14,
       18,
       0,
       4.55},
      {"values", {{"en", "unusual values"}, {"ru", "необычные значения"}}, false, true, 4, 4, 20.45, 20.45},
      {"safe", {{"en", "no race"}, {"ru", "нет гонок"}}, true, true, 4, 4, 0, 0}};
  global.speed = {TimeSource::None, "", 0, 0, 0, 0, 5};
  global.launches.clear();
  const Messages message{msg::element_wrong("out[0]", "0", "-3.25", Message()),
                         msg::how_many_wrong(31, 31, "element", 0, 0, Message()), msg::whole_output_zero()};
  for (const char* name : {"rows=31 cols=32 negative", "rows=1025 cols=33 negative",
                           "rows=65 cols=97 negative", "rows=1 cols=100000 negative"}) {
    global.correctness.failures.push_back(
        {name, Verdict::WrongAnswer, message, verbatim("Start from the first element."), {}});
  }
  global.lost = {{4.55,
                  "correctness",
                  msg::cases_failed(4, 22, 0, "first", "rows=31 cols=32 negative", message),
                  verbatim("Start from the first element of the row, not from 0."),
                  {}},
                 {5,
                  "speed",
                  msg::judged_with_timed_case("rows=1000 cols=1000 uniform"),
                  msg::pass_timed_case_first(),
                  {}}};

  VersionResult shared;
  shared.name = "shared";
  shared.entry = "row_max_shared";
  shared.verdict = Verdict::Missing;
  shared.max_points = 35;
  shared.lost = {{35, "everything", msg::entry_not_defined("row_max_shared"), msg::define_entry(), {}}};

  VersionResult padded = accepted("padded", 35);
  padded.points = 22;
  const Message conflicts = msg::bank_conflicts(968750, 62500);
  padded.structure = {
      {Requirement::UsesSharedMemory, true, true, 5, 5, msg::shared_traffic(4000000, 4000000, 4000000)},
      {Requirement::BankConflictFree, true, false, 0, 10, conflicts}};
  padded.speed = {TimeSource::Estimated, "rows=1000 cols=1000 uniform", 41200, 18768, 0.4555, 2, 5};
  padded.lost = {{10,
                  "structure.bank_conflict_free",
                  msg::bank_conflicts_cost(conflicts, 16.5),
                  msg::pad_tile_rows(),
                  {"row_max.cu", 2, 0}},
                 {3,
                  "speed",
                  msg::slower_than_reference(41200, "estimated", 18768, 2.195),
                  msg::pad_or_access_neighbours(),
                  {"helper.cuh", 7, 0}}};
  padded.notes = {msg::unsupported_call("cudaFoo")};
  result.versions = {global, shared, padded};
  total(result);
  return result;
}

GradeResult partial() {
  GradeResult result = full_marks();
  result.points = result.max_points = 0;
  for (std::size_t v = 1; v < result.versions.size(); ++v) {
    VersionResult pending;
    pending.name = result.versions[v].name;
    pending.entry = result.versions[v].entry;
    pending.verdict = Verdict::Pending;
    pending.max_points = result.versions[v].max_points;
    pending.lost = {{pending.max_points, "everything", msg::not_run_when_stopped(), {}, {}}};
    result.versions[v] = pending;
  }
  total(result);
  return result;
}

GradeResult compile_error() {
  GradeResult result = blank();
  result.source = {"#include \"contract.cuh\"", "int x = 1"};
  result.compiler_output =
      verbatim("row_max.cu:2:10: error: expected a \";\"\n  int x = 1\033[2J\n           ^");
  for (const char* name : {"global", "shared"}) {
    VersionResult version;
    version.name = name;
    version.entry = std::string("row_max_") + name;
    version.verdict = Verdict::CompileError;
    version.max_points = 50;
    version.lost = {{50,
                     "everything",
                     msg::file_does_not_compile(verbatim("expected a \";\"")),
                     msg::repair_first_error(),
                     {"row_max.cu", 2, 10}}};
    result.versions.push_back(version);
  }
  result.nondeterministic.sandbox = "landlock";
  result.nondeterministic.sandbox_warning = msg::sandbox_landlock();
  total(result);
  return result;
}

}  // namespace cudalabs
