#pragma once
// The result of one grading: every report is written from this one value (docs/result_format.md documents its
// JSON form field by field). Everything except `nondeterministic` is a function of the submission, the lab
// and the seed.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/lab.h"
#include "grader/diagnostics/titles.h"
#include "grader/grading/measure/measurement.h"
#include "grader/sim/base/types.h"
#include "grader/sim/counters/access_lines.h"
#include "grader/sim/timing/bounds.h"

namespace cudalabs {

enum class Verdict : std::uint8_t {
  Accepted,  ///< every case's answer is right; points for structure or speed may still be lost
  WrongAnswer,
  CompileError,
  Missing,       ///< the entry is not defined
  RuntimeError,  ///< a device fault, a crash, an exit inside the entry
  Timeout,
  MemoryLimit,
  OutputLimit,
  RuleViolation,  ///< the work was not done where the lab asks for it, or the grader was attacked
  NotGraded,      ///< not run: excluded by --version, or the grader itself could not continue
  Pending,        ///< not run yet: the result was written during the grading
};
std::string_view spelling(Verdict verdict);  ///< "wrong_answer"

/// A test case that did not pass.
struct CaseFailure {
  std::string case_name;  ///< "rows=33 cols=1000 uniform"
  Verdict verdict = Verdict::WrongAnswer;
  Messages message;  ///< what happened
  Messages advice;   ///< what to do next; may be empty
  Location where;    ///< in the submission, if known
};

/// A criterion of the lab, of one version.
struct CriterionResult {
  std::string name;
  Titles titles;
  bool needed = false;  ///< without it the others earn nothing
  bool met = false;
  int passed = 0, total = 0;  ///< cases; for kSafe: watched cases
  /// Of the version's correctness. All that is met earns nothing where a needed one is not.
  double points = 0, max_points = 0;
  bool bonus = false;  ///< its points are of the version's bonus
};

struct CorrectnessResult {
  int passed = 0;   ///< of the cases that count
  int total = 0;    ///< cases with an output, and cases without one that failed
  int skipped = 0;  ///< of `total`, skipped after a timeout
  double points = 0, max_points = 0;
  std::vector<CaseFailure> failures;      ///< in the order of the lab's cases
  std::vector<CriterionResult> criteria;  ///< empty: the lab has none, or no case was run
};

struct StructureResult {
  Requirement requirement{};
  bool judged = false;  ///< false: some answers are wrong, so nothing was judged
  bool satisfied = false;
  double points = 0, max_points = 0;
  Messages observed;  ///< one sentence with the figures that were judged; empty if not judged
};

enum class TimeSource : std::uint8_t { None, Estimated, Measured };
std::string_view spelling(TimeSource source);  ///< "none", "estimated", "measured"

struct SpeedResult {
  TimeSource source = TimeSource::None;
  std::string case_name;    ///< the timed case
  double student_ns = 0;    ///< 0: not timed
  double reference_ns = 0;  ///< the reference solution's same version on the same device in the same run
  double speedup = 0;       ///< reference_ns / student_ns
  double points = 0, max_points = 0;
  std::optional<Measurement> measurement{};  ///< details of a measured time
};

/// Points that were not given, always with a sentence for the reason and one for what to do.
struct LostPoints {
  double points = 0;
  std::string part;  ///< "correctness", "structure.coalesced", "speed"
  Messages reason;
  Messages advice;
  Location where;           ///< in the submission; file is empty if no line is known
  std::string case_name{};  ///< the failed case that the reason tells of; empty: it tells of none
};

/// Limits the entries of a version; the last one then holds the sums of all launches that are not listed. A
/// submission may make 50 000 launches in each version, and readers load whole results for every student of a
/// class.
inline constexpr std::size_t kMaxLaunchesListed = 1000;

/// One kernel launch of the timed case; or the sum of several, without kernel names and shapes.
struct LaunchSummary {
  std::string kernel;
  sim::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< static and dynamic, per block
  sim::Counters counters;
  sim::CostBounds bounds;  ///< their sum is the estimate; 0 if times were measured
  std::size_t launches = 1;
  [[nodiscard]] double estimated_ns() const { return bounds.total(); }
};

/// An access to shared memory with bank conflicts, lane by lane.
struct ConflictExample {
  Location where;
  sim::SharedExample access;
};

struct VersionResult {
  std::string name, title, entry;
  Verdict verdict = Verdict::NotGraded;
  /// `points` holds the bonus; `max_points` does not.
  double points = 0, max_points = 0;
  double bonus_points = 0;  ///< of `points`: earned by bonus criteria
  bool bonus = false;       ///< all of its points count above the maximum of the lab
  CorrectnessResult correctness;
  std::vector<StructureResult> structure;
  SpeedResult speed;
  std::vector<LostPoints> lost;
  std::vector<LaunchSummary> launches;            ///< of the timed case; empty if it did not finish
  std::vector<LaunchSummary> reference_launches;  ///< of the reference's same version, if one was timed
  std::vector<ConflictExample> conflicts;         ///< the worst access of each line, the worst line first
  std::vector<Messages> notes;                    ///< worth knowing, costs no points

  /// Returns whether it has all points up to the maximum.
  [[nodiscard]] bool full() const { return points - bonus_points >= max_points; }
};

/// Points that the grading of one submission cannot give.
struct OpenPoints {
  enum class By : std::uint8_t { Hand, Rank } by{};
  std::string name;  ///< "style", "leaderboard"
  Titles titles;
  double max_points = 0;
  Ranks ranks{};  ///< by Rank
};
std::string_view spelling(OpenPoints::By by);  ///< "hand", "rank"

/// Data that differ from run to run and from machine to machine.
struct Nondeterministic {
  std::string grader_version;
  std::string started_at;  ///< UTC, ISO 8601
  double wall_seconds = 0;
  double cpu_ms = 0;         ///< the lab's oracle on the timed case, one thread of this machine; 0: not timed
  std::string sandbox;       ///< "bubblewrap", or what was used instead
  Messages sandbox_warning;  ///< set if the sandbox isolates less than bubblewrap
  std::string submission;    ///< the path as given or found
  std::string course;        ///< as given with --course; empty: the default course
  Messages submission_note{};  ///< how it was found, if not by its name at its place
};

/// The GPU whose times were estimated; empty if times were measured.
struct ProfileName {
  std::string name, title;  ///< "a100", "NVIDIA A100 ..."
};

/// The compiler of the submission and of the reference: "nvcc", "13.0.88".
struct CompilerName {
  std::string name, version;
};

struct GradeResult {
  std::string lab, variant, title;
  std::string device;  ///< DeviceKindInfo::name
  std::string card;    ///< the GPU's name; empty on the simulator
  ProfileName profile;
  CompilerName compiler;
  std::uint64_t seed = 0;
  std::string seed_policy{};  ///< how it was chosen (grading/cases/seed.h); empty: by an earlier grader
  double points = 0, max_points = 0;  ///< by the grader; `points` holds the bonus
  double bonus_points = 0;            ///< of `points`: above the maximum
  std::vector<OpenPoints> open;
  std::string file;  ///< the submission's file, as the reports name it: "row_max.cu"
  /// the compiler's errors, only those about the student's lines; empty if it compiled
  Messages compiler_output;
  std::vector<VersionResult> versions;
  /// the submission's lines, for excerpts in reports; not part of the JSON
  std::vector<std::string> source;
  Nondeterministic nondeterministic;

  /// Returns whether at least one version was graded and every graded version has all its points.
  [[nodiscard]] bool passed() const;
  /// Returns whether the grading finished: no version is pending.
  [[nodiscard]] bool complete() const;
};

}  // namespace cudalabs
