#pragma once
// A lab variant as its YAML describes it, typed and validated. Shapes and sizes are symbolic here ("rows",
// "cols"); a test case binds them.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/elements/element_type.h"
#include "grader/diagnostics/own_words.h"
#include "grader/diagnostics/titles.h"

namespace cudalabs {

/// InOut: an array that is an input and an output. Scalar: an input of one number that is passed by value.
enum class ParameterRole : std::uint8_t { Input, Output, Size, InOut, Scalar };

/// The value of a shape's entry that is a number (1 or more); none if it is the name of a size.
std::optional<std::int64_t> whole_number(std::string_view entry);

/// A shape's entry that is a size, or a size and a number: "rows+1".
struct SizePlus {
  std::string_view name;
  std::int64_t more = 0;
};
SizePlus size_plus(std::string_view entry);

/// When one element is right. Checked: a function of the oracle judges all such outputs together.
enum class ToleranceKind : std::uint8_t { Exact, SumOfProducts, Ulps, Absolute, Relative, Checked };
struct Tolerance {
  ToleranceKind kind = ToleranceKind::Exact;
  double bound = 0;  ///< of the error: in ulps, absolute, or as a part of the expected value
  friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

/// Where the elements of a right output may stand.
enum class Order : std::uint8_t {
  Fixed,     ///< each at its own place
  Any,       ///< anywhere: the output is a set
  SortedBy,  ///< anywhere among the elements of an equal key
};

/// One parameter of the entry, in the order of the contract.
struct Parameter {
  std::string name;
  ParameterRole role = ParameterRole::Input;
  ElementType type = ElementType::Float32;
  /// Names of Size parameters or integers, outermost first. Empty for a Size; an output with {} has one
  /// element.
  std::vector<std::string> shape;
  /// Inputs: the range of `uniform`, and the scale of the other distributions.
  double low = -1, high = 1;
  int components = 1;             ///< numbers in each element: 4 for float4
  std::optional<double> value{};  ///< of a Scalar that is the same in all cases
  // Of an output:
  std::optional<Tolerance> tolerance{};  ///< none: the lab's
  /// A size, or an output of one integer: so many of the outermost elements count, and the others are free.
  /// Empty: all count.
  std::string length{};
  Order order = Order::Fixed;
  /// SortedBy: the output that holds the keys, or the input whose elements this output's numbers count.
  std::string keys{};

  /// Returns whether the parameter takes this part: Input if the call reads it, Output if the call writes it.
  [[nodiscard]] bool acts_as(ParameterRole part) const;
  /// Returns whether the call gets an address.
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] ContractType contract_type() const { return {type, components}; }
  [[nodiscard]] std::size_t element_bytes() const {
    return size_of(type) * static_cast<std::size_t>(components);
  }
};

/// Structural requirements, judged from the simulator's counters on the timed case.
enum class Requirement : std::uint8_t { UsesSharedMemory, BankConflictFree, Coalesced, UsesConstantMemory };
std::string_view spelling(Requirement requirement);  ///< "uses_shared_memory"

/// The smallest traffic through shared memory that counts as using it, as a multiple of the input's bytes.
inline constexpr double kUsesSharedMemory = 1.0 / 16;

struct StructurePoints {
  Requirement requirement{};
  double points = 0;
  /// Coalesced: the highest passing ratio of sectors per request to the ideal. UsesSharedMemory: the minimum
  /// traffic through shared memory, as a multiple of the input's bytes. Others: unused.
  double limit = 0;
};

/// What a version may be forbidden, or required, to do.
enum class Rule : std::uint8_t {
  SharedMemory,
  ConstantMemory,
  Atomics,
  Thrust,
  Cub,
  Cublas,
  CooperativeLaunch,
  CooperativeGroups,
  TensorCores,
  DynamicParallelism,
  HostComputation
};
std::string_view spelling(Rule rule);  ///< "shared_memory"

/// How threads get the partial results that they combine.
enum class Exchange : std::uint8_t { SharedMemory, Shuffles };
std::string_view spelling(Exchange exchange);  ///< "shared_memory"

/// Distance between the values that a tree in shared memory combines, from round to round. Growing: the first
/// round combines neighbours. Shrinking: the first round combines the halves.
enum class Distances : std::uint8_t { Growing, Shrinking };
std::string_view spelling(Distances distances);  ///< "growing"

/// The algorithm that a version requires, described by its minimum operations. 0: no requirement.
struct Algorithm {
  std::optional<Exchange> exchange{};
  double barriers = 0;            ///< passed by a warp, at least
  double warp_exchanges = 0;      ///< shuffles, redux and __syncwarp() of a block, at least
  double inputs_per_thread = 0;   ///< elements of all inputs over the threads of the largest launch, at least
  double outputs_per_thread = 0;  ///< the same for the outputs
  std::optional<Distances> distances{};
  /// The number of threads does not follow the number of elements: in the largest case it is that of the
  /// timed case.
  bool fixed_grid = false;
  /// Maximum ratio of loads of shared and global memory to the factors of all products (Sums). If a thread
  /// loads an element again a few loads later, that counts once.
  double loads_per_factor = 0;
  /// Maximum ratio of atomic operations on global memory to the elements of all inputs. Lanes that change
  /// neighbouring elements by one instruction count once for each sector, lanes that change one element each.
  double global_atomics_per_input = 0;
};

/// One version that the student writes: entry `<entry>_<name>`.
struct Version {
  std::string name;   ///< "global"
  std::string entry;  ///< "row_max_global"
  std::string title;  ///< one line for the card
  double correctness_points = 0;
  std::vector<StructurePoints> structure;
  std::optional<Algorithm> algorithm;  ///< without this algorithm, neither structure nor speed earns points
  /// Kernels need not store the outputs: copies and sets on the device may write them.
  bool outputs_by_copies = false;
  /// What it must not do, and what it must do. If it breaks one of these rules, neither structure nor speed
  /// earns points. SharedMemory, ConstantMemory: its data passes through that memory.
  std::vector<Rule> forbids{}, needs{};
  std::int64_t max_launches = 0;        ///< by the host, of the timed case; 0: any number
  std::int64_t block_size = 0;          ///< threads of each block; 0: any number
  std::uint64_t max_device_memory = 0;  ///< bytes that it allocates at once in the timed case; 0: any number
  int devices = 1;                      ///< that must share the work: Lab::devices
  double speed_points = 0;
  /// Piecewise linear: (reference time / student time, share of speed_points), never descending. Two points
  /// of one ratio are a step.
  std::vector<std::pair<double, double>> speed_curve;
  double bonus_points = 0;  ///< of the bonus criteria together, above the maximum
  bool bonus = false;       ///< all of its points count above the maximum
  /// Without the bonus criteria.
  [[nodiscard]] double max_points() const;
};

enum class Distribution : std::uint8_t {
  Uniform,
  Negative,
  Positive,
  EdgeExtremes,
  Dominant,
  Cancellation,
  Constant,
  SmallIntegers,
  Outlying,
  ExactSums
};
std::string_view spelling(Distribution distribution);  ///< "uniform"

/// The value of a Scalar in a case.
struct ScalarValue {
  std::string name;
  double value = 0;    ///< a number of the parameter's type
  bool drawn = false;  ///< each seed has another (with_drawn_sizes)
  friend bool operator==(const ScalarValue&, const ScalarValue&) = default;
};

/// The numbers of an input that come from a file.
struct CaseFile {
  std::string input, name;  ///< the parameter's name; "cat.pgm", beside the oracle
  std::shared_ptr<const std::vector<double>> numbers;
};

/// Binds every Size and Scalar parameter, in the order of the parameters.
struct TestCase {
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  Distribution distribution = Distribution::Uniform;
  /// The minimum for each entry of `sizes`, by index: the size is drawn between that and the value in `sizes`
  /// (with_drawn_sizes). Empty: nothing is drawn.
  std::vector<std::int64_t> least{};
  std::string criterion{};  ///< the name of one of the lab's criteria; empty if the lab has none
  std::vector<ScalarValue> scalars{};
  std::vector<CaseFile> files{};  ///< the inputs that have one; the seed draws the others
  /// Of a hidden case, "hidden 2 (ragged)": results say no more of it than this. Empty: it is not hidden.
  std::string alias{};
  /// Its place in the course's lab, if not that in Lab::cases: the students' edition lacks some cases.
  std::optional<std::uint32_t> number{};
  [[nodiscard]] bool hidden() const { return !alias.empty(); }
  [[nodiscard]] std::int64_t size(std::string_view name) const;  ///< the name must be there
  /// One entry of a parameter's shape: a size's name or an integer.
  [[nodiscard]] std::int64_t extent(std::string_view entry) const;
  [[nodiscard]] double scalar(std::string_view name) const;             ///< the name must be there
  [[nodiscard]] const CaseFile* file_of(std::string_view input) const;  ///< null: it has none
  [[nodiscard]] std::string name() const;  ///< "rows=33 cols=1000 alpha=0.5 uniform"
  /// The name in results: its alias if it is hidden.
  [[nodiscard]] std::string shown_name() const { return hidden() ? alias : name(); }
};

/// What several cases test together. Its share of a version's correctness points is earned whole or not at
/// all.
struct Criterion {
  std::string name;  ///< "negative"
  Titles titles;     ///< "negative values"
  double share = 0;  ///< a weight among the criteria of the lab
  /// Without it the others earn nothing, either. It has no share.
  bool needed = false;
  /// It earns a share of Version::bonus_points. The version is right without it.
  bool bonus = false;
  friend bool operator==(const Criterion&, const Criterion&) = default;
};

/// The criterion of which no case is a part: no checker finds anything in the watched cases.
inline constexpr std::string_view kSafe = "safe";

/// How far structure and speed count if some answers are wrong. Proportional: as far as correctness points
/// are earned. Strict: not at all.
enum class Gate : std::uint8_t { Proportional, Strict, None };
std::string_view spelling(Gate gate);  ///< "proportional"

/// What a person judges: open until somebody fills it in.
struct ManualCriterion {
  std::string name;  ///< "style"
  Titles titles;
  double points = 0;  ///< at most
};

/// Points by the place in a class, ascending: (the last place that earns them, points).
using Ranks = std::vector<std::pair<std::int64_t, double>>;

/// The sum that one element of an output holds: of the elements along a size, or of products of them.
struct Sums {
  std::string over;  ///< the size: "cols" for the sum of each row
  int factors = 1;   ///< number of elements that each term multiplies, 1 or 2
};

struct SubmissionLimits {
  double compile_seconds = 30;  ///< processor time of its compilers, all processes together
  double call_seconds = 20;     ///< one call of one entry, wall clock
  /// wall time of all its calls together; four times that of processor time
  double submission_seconds = 300;
  std::uint64_t warp_instructions = 2'000'000'000;      ///< per launch on the simulator
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;  ///< host memory of the submission
  std::uint64_t output_bytes = 1 << 20;                 ///< stdout and stderr together
};

struct Lab {
  std::string slug;     ///< "lab3/variant4"
  std::string lab;      ///< "lab3"
  std::string variant;  ///< "variant4"
  std::string title;
  std::string entry;  ///< "row_max"
  std::string file;   ///< "row_max.cu", the name of the stub
  std::vector<Parameter> parameters;
  Tolerance tolerance;       ///< of the outputs that have none of their own
  std::optional<Sums> sums;  ///< absent: the entry computes no sums
  std::vector<Version> versions;
  std::vector<TestCase> cases;
  TestCase timed;
  /// Those that the cases name, in the course's order, and kSafe. Empty: each case has an equal share.
  std::vector<Criterion> criteria;
  Gate gate = Gate::Proportional;
  std::vector<ManualCriterion> manual;
  Ranks leaderboard;  ///< by the time of a student's fastest accepted version; empty: there is none
  int devices = 1;    ///< that the calls find; more than one are always simulated
  SubmissionLimits limits;
  std::vector<OwnWords> own_words;  ///< for messages: the course's first, then the variant's

  /// Cases that the students' edition lacks: they count in the course's own grading.
  std::int64_t hidden_elsewhere = 0;

  /// `reference`: empty in the students' edition, which has `figures` instead: a folder.
  std::filesystem::path config_file, contract, oracle, handout, stub, reference, figures;
  /// Folders whose headers the oracle may include by their names: labs/ of its course and of the shipped
  /// one.
  std::vector<std::filesystem::path> oracle_includes;
  /// Headers that the lab's reference solutions share: reference/LAB/*.cuh. They are only for the course's
  /// own reference: no submission may include them.
  std::vector<std::filesystem::path> reference_headers;

  [[nodiscard]] const Tolerance& tolerance_of(const Parameter& output) const {
    return output.tolerance ? *output.tolerance : tolerance;
  }
  /// What the grader gives, a person and the place in the class, without any bonus.
  [[nodiscard]] double max_points() const;
  [[nodiscard]] double points_by_grader() const;
  [[nodiscard]] double points_by_hand() const;
  [[nodiscard]] double points_by_rank() const;
  [[nodiscard]] double bonus_points() const;
  [[nodiscard]] const Version* find_version(std::string_view name) const;
  /// What the inputs of a case follow from, besides the seed. The timed case stands behind the others.
  [[nodiscard]] std::uint32_t case_number(std::size_t index) const;
};

/// A course on disk: its root holds configs/, labs/, student_templates/, reference/ and languages/, and
/// course.yaml that says the rest. What a course leaves out, such as device profiles and oracle.h, comes from
/// the shipped one.
/// Where the seed of the inputs comes from if the command line names none. Fresh: a secret one for each
/// grading, or for each class. Fixed: course.yaml gives it. ByStudent: each student has one.
enum class SeedPolicy : std::uint8_t { Fresh, Fixed, ByStudent };

struct Course {
  std::filesystem::path root;
  bool unpacked = false;         ///< it is the copy packed into the binary, which must not be changed
  std::filesystem::path home{};  ///< the root of the shipped course; empty: there is none
  std::string name{};            ///< "patterns", the name of the folder if course.yaml gives none
  Titles titles{};
  std::vector<std::string> languages{};  ///< that each lab has a handout in, besides English
  std::vector<std::string> labs{};       ///< those that it offers, in its order; empty: all in configs/labs
  /// What grading uses if the command line names nothing else; empty: the grader's defaults.
  std::string compiler{}, device_profile{};
  SeedPolicy seed_policy = SeedPolicy::Fresh;
  std::uint64_t fixed_seed = 0;
  bool staff_only = false;  ///< it refuses to run where students would use it
  /// It holds no solution, no source of an oracle and no hidden case: `grader course export` made it.
  bool for_students = false;
  std::string signer{};  ///< of the pack that it came in, Pack::signer; empty: it is a folder

  /// The course's own file or folder ("configs/devices/a100.yaml") if it exists, else the shipped course's.
  [[nodiscard]] std::filesystem::path file(const std::filesystem::path& relative) const;
};

/// Finds the course: `override` if not empty (a folder, or the name of a course that the shipped one carries
/// in its courses/), else $CUDA_LABS_COURSE, else the nearest folder above the running binary that contains
/// configs/grading.yaml, else the copy packed into the binary (unpacked to the cache). It never uses the
/// current folder: a student's folder must not be able to bring its own rules.
/// `lab` if not empty: the course must offer it; the courses that the shipped one carries are searched, too.
/// It sets the course's texts (languages/LANGUAGE.po; diagnostics/language.h). Error: a mistake in one.
Result<Course> find_course(const std::string& override = {}, std::string_view lab = {});

/// The course of find_course, and if nobody named it, those that it carries.
Result<std::vector<Course>> find_courses(const std::string& override = {});

/// The handout and the translations beside it (handout.ru.md), sorted.
std::vector<std::filesystem::path> handouts_of(const Lab& lab);

/// Reads and checks one variant. Errors have file, line and column, and the nearest name for a misspelt key
/// or name.
Result<Lab> load_lab(const Course& course, std::string_view lab, std::string_view variant);

/// Every variant with a YAML file, in order.
Result<std::vector<Lab>> load_all_labs(const Course& course);

}  // namespace cudalabs
