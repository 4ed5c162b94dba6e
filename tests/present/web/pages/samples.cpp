#include "tests/present/web/pages/samples.h"

#include <fmt/format.h>

#include <array>

#include "tests/present/formats/sample.h"

namespace cudalabs {
namespace {

LaunchSummary launch_of(const std::string& version, std::uint64_t conflicts) {
  LaunchSummary launch;
  launch.kernel = "row_max_" + version + "_kernel";
  launch.grid = {32, 1, 1};
  launch.block = {32, 8, 1};
  launch.shared_bytes = 4224;
  launch.counters.global_load_requests = 32'000;
  launch.counters.global_load_sectors = 125'000;
  launch.counters.global_store_requests = 32;
  launch.counters.global_store_sectors = 125;
  launch.counters.source_shared_load_wavefronts = 33'008 + conflicts;
  launch.counters.shared_load_wavefronts = 33'008 + conflicts;
  launch.counters.source_shared_load_bank_conflicts = conflicts;
  launch.counters.source_shared_store_wavefronts = 33'008;
  launch.counters.shared_store_wavefronts = 33'008;
  launch.counters.warp_instructions = 689'536 + conflicts / 100;
  launch.counters.barriers = 16'640;
  return launch;
}

/// A warp that reads a column of a tile without padding.
ConflictExample column_of_tile() {
  ConflictExample example;
  example.where = {"row_max.cu", 2, 0};
  example.access.kind = sim::AccessKind::Load;
  example.access.mask = 0xFFFFFFFF;
  example.access.degree = 32;
  example.access.variable = "tile";
  for (std::uint32_t lane = 0; lane < 32; ++lane) example.access.offsets[lane] = lane * 128;
  return example;
}

constexpr std::array<const char*, 6> kNames{"Ada Lovelace",    "Алан Тьюринг",   "Grace Hopper",
                                            "Edsger Dijkstra", "Barbara Liskov", ""};

}  // namespace

GradeResult rich() {
  GradeResult result = mixed();
  result.profile = {"a100", "NVIDIA A100 (SXM, 40 GB), compute capability 8.0"};
  VersionResult& shared = result.versions[1];
  shared.verdict = Verdict::Accepted;
  shared.title = "a tile in shared memory";
  shared.points = 35;
  shared.correctness = {22, 22, 0, 20, 20, {}, {}};
  shared.correctness.criteria = {
      {"ragged",
       {{"en", "sizes that no block divides"}, {"ru", "размеры не делятся"}},
       false,
       true,
       20,
       20,
       15,
       15},
      {"empty", {{"en", "nothing <to> do"}, {"ru", "нечего <делать>"}}, false, true, 2, 2, 5, 5},
      {"safe", {{"en", "no race"}, {"ru", "нет гонок"}}, true, true, 4, 4, 0, 0}};
  shared.structure = {
      {Requirement::UsesSharedMemory, true, true, 10, 10, verbatim("about 3.9 MiB through shared memory")}};
  shared.speed = {TimeSource::Estimated, "rows=1000 cols=1000 uniform", 39'500, 39'480, 0.9995, 5, 5, {}};
  shared.lost.clear();
  shared.launches = {launch_of("shared", 968'750)};
  shared.reference_launches = {launch_of("shared", 968'750)};
  VersionResult& padded = result.versions[2];
  padded.launches = {launch_of("padded", 968'750)};
  padded.reference_launches = {launch_of("padded", 0)};
  padded.conflicts = {column_of_tile()};
  result.points += 35;
  return result;
}

ClassPage sample_class(std::size_t students) {
  ClassPage page;
  page.lab = "lab3";
  page.variant = "variant4";
  page.title = "Maximum of each row";
  page.course = "Parallel programming, autumn 2026";
  page.versions = {{"global", "straight from global memory", 30},
                   {"shared", "a tile in shared memory", 35},
                   {"padded", "the same tile with padded rows", 35}};
  GradeResult result = rich();
  for (std::size_t s = 0; s < students; ++s) {
    const std::string id = fmt::format("s{:04}", 1001 + 7 * s);
    const std::string name = kNames[s % kNames.size()];
    if (s + 1 == students) {
      ClassStudent student;
      student.id = id;
      student.name = name;
      student.attempts = 1;
      student.problem = verbatim("the archive holds no .cu file");
      page.students.push_back(std::move(student));
      continue;
    }
    page.hand_ins.push_back(1'767'000'000 + static_cast<std::int64_t>(s % 9) * 86'400);
    ClassStudent student = class_student(id, name,
                                         s % 3 == 0   ? full_marks()
                                         : s % 7 == 1 ? compile_error()
                                                      : result);
    student.scores.resize(3, {Verdict::CompileError, 0, 0});
    for (std::size_t v = 0; v < 3; ++v) {
      ClassScore& score = student.scores[v];
      if (score.speedup > 0) score.speedup *= 0.6 + 0.05 * static_cast<double>((s * 7 + v) % 13);
      if (score.verdict == Verdict::WrongAnswer) score.points = static_cast<double>((s * 5) % 26);
    }
    student.pseudonym = fmt::format("Vega {}", s + 1);
    student.page = "feedback/" + id + ".html";
    student.attempts = 1 + s % 4;
    student.points = 0;
    for (const ClassScore& score : student.scores) student.points += score.points;
    if (s % 11 == 4) {
      student.points *= 0.9;
      student.note = verbatim("1 day late: 10 % less");
    }
    page.students.push_back(std::move(student));
  }
  if (students > 2) {
    const std::string first = page.students[0].id, second = page.students[1].id;
    page.copies = {{{first, second}, 0.93, {{first, second, 0.93, "similar/a_b.html"}}}};
    page.identical = {{{first, second}, false}};
    page.like_reference = {{second, "", 0.81, "similar/b_reference.html"}};
  }
  page.copies_compared = true;
  page.graded_at = "2026-01-02T03:04:05Z";
  page.grader_version = "0.1.0";
  page.compiler = "clang 14.0.6";
  page.device = "simulator";
  page.profile = "NVIDIA A100 (SXM, 40 GB), compute capability 8.0";
  page.seed = "18446744073709551615";
  return page;
}

std::string hostile_text(std::size_t bytes) {
  static const std::string piece =
      "</style></title></svg><script>alert(1)</script>\"'><img src=x onerror=alert(1)>`<b>` &lt; \033[31m "
      "\xff\xfe "
      "\xe2\x80\xae\r\n\t]]>--> {}<!-- ";
  std::string text;
  while (text.size() < bytes) text += piece;
  text.resize(bytes);
  return text;
}

GradeResult hostile_result(std::size_t bytes) {
  const std::string evil = hostile_text(bytes);
  GradeResult result = rich();
  result.file = "row_max.cu";
  result.title = result.card = result.device = evil;
  result.compiler_output = verbatim(evil);
  result.compiler = {evil, evil};
  result.profile = {evil, evil};
  result.source.assign(8, evil);
  Nondeterministic& n = result.nondeterministic;
  n.grader_version = n.started_at = n.sandbox = n.submission = n.course = evil;
  n.sandbox_warning = verbatim(evil);
  for (VersionResult& version : result.versions) {
    version.name = version.title = version.entry = evil;
    version.speed.case_name = evil;
    for (StructureResult& structure : version.structure) structure.observed = verbatim(evil);
    for (CaseFailure& failure : version.correctness.failures) {
      failure.case_name = evil;
      failure.message = verbatim(evil);
    }
    version.correctness.failures.resize(100,
                                        {evil, Verdict::WrongAnswer, verbatim(evil), verbatim(evil), {}});
    for (int i = 0; i < 60; ++i)
      version.lost.push_back({1,
                              i == 0 ? "correctness" : evil,
                              verbatim(std::to_string(i) + evil),
                              verbatim(evil),
                              {"row_max.cu", 4, 50}});
    version.notes.assign(100, verbatim(evil));
    for (LaunchSummary& launch : version.launches) launch.kernel = evil;
    for (ConflictExample& conflict : version.conflicts) conflict.access.variable = evil;
  }
  return result;
}

ClassPage hostile_class(std::size_t students, std::size_t bytes) {
  const std::string evil = hostile_text(bytes);
  ClassPage page = sample_class(students);
  page.title = page.course = page.graded_at = page.compiler = page.device = page.profile = page.seed = evil;
  for (ClassVersion& version : page.versions) version.name = version.title = evil;
  for (std::size_t s = 0; s < students; ++s) {
    ClassStudent& student = page.students[s];
    student.id = std::to_string(s) + evil;
    student.name = evil;
    student.note = student.problem = verbatim(evil);
    for (ClassFinding& finding : student.findings) {
      finding.key = std::to_string(s % 50) + evil;
      finding.part = finding.file = evil;
      finding.versions = {evil};
      finding.message = finding.advice = verbatim(evil);
      finding.source_line = std::to_string(s) + evil;
      finding.line = 7;
    }
    if (s % 2 == 0) student.scores.clear();
    page.copies.push_back({{student.id, evil}, 2.0, {{student.id, evil, 2.0, {}}}});
    page.identical.push_back({{student.id, evil}, s % 2 == 0});
    page.like_reference.push_back({student.id, "", 2.0, {}});
    student.pseudonym = evil;
  }
  return page;
}

}  // namespace cudalabs
