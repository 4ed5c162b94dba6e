#pragma once
// A lab of two versions, and evidence of runs of it.

#include <string>

#include "grader/course/lab.h"
#include "grader/grading/score/evidence.h"

namespace cudalabs {

inline Lab two_versions() {
  Lab lab;
  lab.lab = "lab3";
  lab.variant = "variant4";
  Version global, padded;
  global.name = "global";
  global.entry = "row_max_global";
  global.correctness_points = 20;
  global.speed_points = 10;
  global.speed_curve = {{0.25, 0}, {0.75, 1}};
  padded = global;
  padded.name = "padded";
  padded.entry = "row_max_padded";
  padded.structure = {{Requirement::BankConflictFree, 5, 0}};
  lab.versions = {global, padded};
  return lab;
}

inline CaseEvidence passed(const std::string& name) {
  CaseEvidence test;
  test.name = name;
  test.verdict = Verdict::Accepted;
  test.input_bytes = 4000;
  test.output_bytes = 40;
  LaunchRecord launch;
  launch.kernel_full = "kernel()";
  launch.bounds.issue = 1000;
  launch.counters.source_shared_load_instructions = launch.counters.source_shared_load_wavefronts = 100;
  launch.counters.global_load_sectors = 125;
  test.launches = {launch};
  return test;
}

inline CaseEvidence failed(const std::string& name, Verdict verdict = Verdict::WrongAnswer) {
  CaseEvidence test = passed(name);
  test.verdict = verdict;
  test.message = verbatim("out[3] is 0");
  test.advice = verbatim("Look.");
  test.where = {"row_max.cu", 9, 0};
  return test;
}

/// All answers right: three cases with an output and one without, the last of them timed.
inline VersionEvidence all_right(const std::string& name) {
  VersionEvidence version;
  version.name = name;
  version.cases = {passed("empty"), passed("one"), passed("two"), passed("timed")};
  version.cases[0].has_output = false;
  version.cases[3].timed = true;
  version.cases[3].launches[0].kernel_full = name;  // its own kernel, with different work
  version.cases[3].launches[0].counters.warp_instructions = name == "global" ? 1000 : 2000;
  version.reference_launches = version.cases[3].launches;
  return version;
}

}  // namespace cudalabs
