#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "grader/course/embedded_course.h"
#include "grader/course/lab.h"
#include "tests/harness/catch.h"
#include "tests/harness/workplace.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A copy of the repository's course that a test may change.
class CourseCopy {
 public:
  CourseCopy() {
    std::string name = (fs::temp_directory_path() / "cudalabs-course-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    course.root = name;
    test::copy_course(course.root);
    // The locations in error texts belong to files that changes of the course do not affect.
    const auto overwrite = fs::copy_options::overwrite_existing;
    fs::copy_file(fs::path(CUDALABS_TEST_DATA) / "fixed_lab.yaml", yaml(), overwrite);
    fs::copy_file(fs::path(CUDALABS_TEST_DATA) / "fixed_grading.yaml", course.root / "configs/grading.yaml",
                  overwrite);
  }
  ~CourseCopy() { fs::remove_all(course.root); }
  CourseCopy(const CourseCopy&) = delete;
  CourseCopy& operator=(const CourseCopy&) = delete;

  [[nodiscard]] fs::path yaml() const { return course.root / "configs/labs/lab3/variant4.yaml"; }

  /// Replaces the first `before`, which must exist, and returns load_lab's error without the course's path.
  std::string with(const std::string& before, const std::string& after) {
    const std::string original = contents(yaml());
    test::replace_in(yaml(), before, after);
    std::string text = load();
    std::ofstream(yaml()) << original;
    return text;
  }

  std::string load(std::string_view lab = "lab3", std::string_view variant = "variant4") const {
    const auto loaded = load_lab(course, lab, variant);
    if (loaded.ok()) return "loaded";
    std::string text = loaded.problem().text();
    for (std::size_t at; (at = text.find(course.root.string() + "/")) != std::string::npos;) {
      text.erase(at, course.root.string().size() + 1);
    }
    return text;
  }

  Course course;
};

const std::string where = "configs/labs/lab3/variant4.yaml";

}  // namespace

TEST_CASE("lab3 variant4 is read as it is written") {
  const auto lab = load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4");
  if (!lab.ok()) FAIL(lab.problem().text());
  CHECK(lab->slug == "lab3/variant4");
  CHECK(lab->title == "Maximum of each row");
  CHECK(lab->max_points() == 100);
  REQUIRE(lab->versions.size() == 3);
  CHECK(lab->versions[0].entry == "row_max_global");
  CHECK(lab->versions[0].max_points() == 30);
  CHECK(lab->versions[1].max_points() == 35);
  CHECK(lab->versions[2].max_points() == 35);
  CHECK(lab->versions[2].structure[1].requirement == Requirement::BankConflictFree);
  CHECK(lab->find_version("padded") == &lab->versions[2]);
  CHECK(lab->find_version("Padded") == nullptr);
  REQUIRE(lab->parameters.size() == 4);
  CHECK(lab->parameters[0].shape == std::vector<std::string>{"rows", "cols"});
  CHECK(lab->parameters[3].role == ParameterRole::Size);
  CHECK(lab->tolerance.kind == ToleranceKind::Exact);
  CHECK(lab->timed.name() == "rows=1000 cols=1000 uniform");
  CHECK(lab->cases.front().name() == "rows=0 cols=32 uniform");
  CHECK(lab->limits.call_seconds == 20);
  CHECK(lab->limits.memory_bytes == std::uint64_t{2048} << 20);
  CHECK(lab->versions[0].speed_curve.back() == std::pair<double, double>{0.9, 1.0});
}

TEST_CASE("what the references of a lab share stands beside their folders, and is not a ladder's") {
  const Course course{CUDALABS_SOURCE};
  const auto sums = load_lab(course, "lab5", "variant2"), rows = load_lab(course, "lab3", "variant4");
  REQUIRE((sums.ok() && rows.ok()));
  CHECK(sums->reference_headers == std::vector<fs::path>{course.root / "reference/lab5/sum.cuh"});
  CHECK(rows->reference_headers.empty());
}

TEST_CASE("a version may ask for an algorithm") {
  const auto lab = load_lab(Course{CUDALABS_SOURCE}, "lab5", "variant1");
  REQUIRE(lab.ok());
  REQUIRE(lab->versions[0].algorithm);
  CHECK(lab->versions[0].algorithm->exchange == Exchange::SharedMemory);
  CHECK(lab->versions[0].algorithm->barriers == 3);
  CHECK(lab->versions[0].algorithm->distances == Distances::Growing);
  CHECK(lab->versions[1].algorithm->distances == Distances::Shrinking);
  CHECK(lab->versions[2].algorithm->inputs_per_thread == 1.9);
  CourseCopy copy;
  const auto with = [&](const std::string& algorithm) {
    return copy.with("speed_points: 5", "algorithm: {" + algorithm + "}\n    speed_points: 5");
  };
  CHECK(with("exchange: shufles") ==
        where +
            ":18:27: 'exchange' must be shared_memory or shuffles, not 'shufles'; did you mean 'shuffles'?");
  CHECK(with("barrier: 3") ==
        where +
            ":18:17: unknown key 'barrier'; did you mean 'barriers'?\n"
            "  hint: the keys of the algorithm are: exchange, barriers, warp_exchanges, inputs_per_thread, "
            "outputs_per_thread, distances, fixed_grid, loads_per_factor, global_atomics_per_input");
  CHECK(with("distances: shrinkin") ==
        where +
            ":18:28: 'distances' must be growing or shrinking, not 'shrinkin'; did you mean 'shrinking'?");
  CHECK(with("barriers: -1").find(where + ":18:27: ") == 0);
}

TEST_CASE("a version may allow that copies make the outputs") {
  const auto lab = load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4");
  REQUIRE(lab.ok());
  CHECK_FALSE(lab->versions[0].outputs_by_copies);
  CourseCopy copy;
  const auto with = [&](const std::string& value) {
    return copy.with("speed_points: 5", "outputs_by_copies: " + value + "\n    speed_points: 5");
  };
  CHECK(with("allowed") == "loaded");
  CHECK(with("yes") == where + ":18:24: 'outputs_by_copies' is neither 'allowed' nor 'forbidden'");
}

TEST_CASE("a version may forbid and require what its kernels do") {
  const auto lab = load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4");
  REQUIRE(lab.ok());
  CHECK(lab->versions[0].forbids == std::vector{Rule::SharedMemory});
  CHECK(lab->versions[1].forbids.empty());
  CourseCopy copy;
  const auto with = [&](const std::string& value) {
    return copy.with("speed_points: 5", "forbids: " + value + "\n    speed_points: 5");
  };
  CHECK(with("[constant_memory, shared_memory]") == "loaded");
  CHECK(with("[atomics, thrust, cub, cublas]\n    requires: [shared_memory]") == "loaded");
  CHECK(with("[thrust]\n    requires: [cublas]\n    max_device_memory: 16") ==
        where +
            ":19:15: cuBLAS cannot be required: the grader has none, and a submission that calls it does not "
            "build");
  CHECK(with("[dynamic_parallelism]\n    max_launches: 2\n    block_size: 256") == "loaded");
  CHECK(with("[]\n    block_size: 2048") == where + ":19:17: 'block_size' must be from 1 to 1024, not 2048");
  CHECK(
      with("[shared]") ==
      where +
          ":18:15: 'forbids' knows no 'shared'\n"
          "  hint: one of: shared_memory, constant_memory, atomics, thrust, cub, cublas, cooperative_launch, "
          "cooperative_groups, tensor_cores, dynamic_parallelism, host_computation");
  CHECK(with("[cooperative_groups, tensor_cores, host_computation]") == "loaded");
  CHECK(with("shared_memory").find("'forbids' must be a list") != std::string::npos);
}

TEST_CASE("a course may word messages its own way, and a variant after it") {
  CourseCopy copy;
  const fs::path grading = copy.course.root / "configs/grading.yaml";
  const auto append = [](const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::app) << text;
  };
  append(grading, "messages:\n  print_with_printf: {en: See page 5., ru: См. стр. 5.}\n");
  append(copy.yaml(), "messages:\n  print_with_printf: Use printf().\n");
  const auto lab = load_lab(copy.course, "lab3", "variant4");
  if (!lab.ok()) FAIL(lab.problem().text());
  REQUIRE(lab->own_words.size() == 3);
  CHECK(lab->own_words[0].text == "See page 5.");
  CHECK(lab->own_words[0].where.file == grading.string());
  CHECK(lab->own_words[1].language == "ru");
  CHECK(lab->own_words[2].id == "print_with_printf");
  CHECK(lab->own_words[2].language == "en");
  CHECK(lab->own_words[2].text == "Use printf().");
}

TEST_CASE("a course's own words are refused where they do not fit") {
  CourseCopy copy;
  const auto with = [&](const std::string& words) {
    return copy.with("tolerance:", "messages: {" + words + "}\ntolerance:");
  };
  CHECK(with("print_with_print: Use it.")
            .find("there is no message 'print_with_print'; did you mean "
                  "'print_with_printf'?\n  hint: `grader explain --messages` "
                  "lists the messages") != std::string::npos);
  CHECK(with("print_with_printf: {rx: Use it.}")
            .find("there is no language 'rx'; did you mean 'ru'?\n  hint: the languages are: en, ru") !=
        std::string::npos);
  CHECK(with("print_with_printf: [a]")
            .find("the override of message 'print_with_printf' must be text or a mapping") !=
        std::string::npos);
  CHECK(with("print_with_printf: 'Use {it}.'")
            .find("message 'print_with_printf': there is no argument 'it'\n  hint: this message has no "
                  "arguments") != std::string::npos);
  CHECK(with("library_missing: 'No {library}.'").find("hint: its arguments are name:text") !=
        std::string::npos);
  CHECK(with("library_missing: 'No {name}.'") == "loaded");
  const std::string placed = with("library_missing: 'No {library}.'");
  CHECK(placed.find(where + ":") == 0);
  CHECK(copy.with("tolerance:", "messages: 5\ntolerance:").find("'messages' must be a mapping") !=
        std::string::npos);
}

TEST_CASE("a case may give a scalar its values; the seed draws the others") {
  CourseCopy copy;
  const std::string original = contents(copy.yaml());
  test::replace_in(copy.yaml(), "  - {name: rows, role: size, type: int}",
                   "  - {name: alpha, role: scalar, type: float, range: [1, 2]}\n"
                   "  - {name: rows, role: size, type: int}");
  test::replace_in(copy.yaml(), "rows: 0, cols: 32}", "rows: 0, cols: 32, alpha: [0.1, -3]}");
  const auto lab = load_lab(copy.course, "lab3", "variant4");
  if (!lab.ok()) FAIL(lab.problem().text());
  CHECK(lab->cases[0].name() == "rows=0 cols=32 alpha=0.1 uniform");
  CHECK(lab->cases[0].scalars[0] == ScalarValue{"alpha", static_cast<double>(0.1F), false});
  CHECK(lab->cases[1].scalars[0] == ScalarValue{"alpha", -3, false});
  CHECK(lab->cases[2].scalars[0].drawn);
  CHECK(copy.with("alpha: [0.1, -3]", "alpha: [much]") ==
        where + ":37:33: 'alpha' must be a number, not 'much'");
  CHECK(copy.with("alpha: [0.1, -3]", "distribution: exact_sums").find("exact_sums") != std::string::npos);
  std::ofstream(copy.yaml()) << original;
}

TEST_CASE("misspelt keys and names are found with the nearest one") {
  CourseCopy copy;
  CHECK(
      copy.with("speed_points", "speeed_points") ==
      where +
          ":18:5: unknown key 'speeed_points'; did you mean 'speed_points'?\n"
          "  hint: the keys of a version are: name, title, correctness_points, structure, algorithm, "
          "outputs_by_copies, forbids, requires, max_launches, block_size, max_device_memory, speed_points, "
          "speed_curve, speed_thresholds, bonus, bonus_points");
  CHECK(copy.with("tolerance:", "tolerence:")
            .find(where + ":12:1: unknown key 'tolerence'; did you mean 'tolerance'?") == 0);
  CHECK(copy.with("shape: [rows, cols]", "shape: [rows, colls]") ==
        where +
            ":7:55: unknown size 'colls' in the shape of 'a'; did you mean 'cols'?\n"
            "  hint: the sizes are: rows, cols");
  CHECK(copy.with("role: output", "role: ouput") ==
        where +
            ":8:23: unknown role 'ouput'; did you mean 'output'?\n  hint: one of: input, output, size, "
            "inout, scalar");
  CHECK(copy.with("type: float", "type: flaot").find("unknown type 'flaot'; did you mean 'float'?") !=
        std::string::npos);
  CHECK(copy.with("bank_conflict_free", "bank_conflicts_free")
            .find("unknown key 'bank_conflicts_free'; did you mean 'bank_conflict_free'?") !=
        std::string::npos);
  CHECK(copy.with("distribution: negative", "distribution: negativ")
            .find("unknown distribution 'negativ'; did you mean 'negative'?") != std::string::npos);
  CHECK(copy.with("rows: 0, cols: 32", "rows: 0, col: 32").find("unknown key 'col'; did you mean 'cols'?") !=
        std::string::npos);
}

TEST_CASE("values of the wrong kind are refused where they stand") {
  CourseCopy copy;
  CHECK(copy.with("correctness_points: 25", "correctness_points: -1") ==
        where + ":17:25: 'correctness_points' must be from 0 to 1000000, not -1");
  CHECK(copy.with("correctness_points: 25", "correctness_points: many") ==
        where + ":17:25: 'correctness_points' must be a number, not 'many'");
  CHECK(copy.with("correctness_points: 25", "correctness_points: '25'") ==
        where + ":17:25: 'correctness_points' must be a number, not the quoted text '25'");
  CHECK(copy.with("entry: row_max", "entry: row-max") ==
        where + ":2:8: 'entry' must be a C++ name (letters, digits, _), not 'row-max'");
  CHECK(copy.with("entry: row_max\n", "") == where + ":1:1: a lab needs the key 'entry'");
  CHECK(copy.with("file: row_max.cu", "file: ../row_max.cu") ==
        where + ":3:7: 'file' must be the name of a .cu file without folders, not '../row_max.cu'");
  CHECK(copy.with("{name: out,", "{name: a,") ==
        where + ":8:5: duplicate parameter 'a'\n  hint: it was first given on line 7");
  CHECK(copy.with("- name: shared", "- name: global") ==
        where + ":19:5: duplicate version 'global'\n  hint: it was first given on line 15");
  CHECK(copy.with("rows: 0, cols: 32", "rows: -1, cols: 32") ==
        where + ":36:12: 'rows' must be from 0 to 2147483647, not -1");
  CHECK(copy.with("rows: 0, cols: 32", "rows: 100000, cols: 100000") ==
        where + ":36:5: 'a' would be larger than 4 GiB in the case 'rows=100000 cols=100000 uniform'");
  CHECK(copy.with("rows: 0, cols: 32", "rows: [], cols: 32") ==
        where + ":36:5: a case has an empty list, so it defines no case");
  CHECK(copy.with("timed: {rows: 1000,", "timed: {rows: [1, 2],")
            .find("the timed case must be one case, not 2") != std::string::npos);
  CHECK(copy.with("shape: [rows, cols]", "shape: [rows, cols], range: [0, 1]")
            .find("the distribution 'negative' needs negative numbers, but the range of 'a' has none") !=
        std::string::npos);
}

TEST_CASE("sizes may be left to the seed") {
  CourseCopy copy;
  const auto lab = load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4");
  REQUIRE(lab.ok());
  const auto drawn =
      std::ranges::count_if(lab->cases, [](const TestCase& test) { return !test.least.empty(); });
  CHECK(drawn == 10);
  CHECK(lab->cases[1].least.empty());
  CHECK(copy.with("rows: 31, cols: 32", "rows: 31..7, cols: 32") ==
        where + ":38:12: 'rows' ends before it begins: 31..7");
  CHECK(copy.with("rows: 31, cols: 32", "rows: 31..many, cols: 32") ==
        where + ":38:12: 'rows' must be an integer, not 'many'");
  CHECK(copy.with("timed: {rows: 1000,", "timed: {rows: 1000..1001,")
            .find("the timed case cannot have random sizes") != std::string::npos);
}

TEST_CASE("exact sums need to know what is added up, and have a longest") {
  CourseCopy copy;
  const std::string small = "rows: 33, cols: 31, distribution: small_integers";
  CHECK(copy.with(small, "rows: 33, cols: 31, distribution: exact_sums") ==
        where +
            ":40:5: the distribution 'exact_sums' needs 'sums', which says what is summed\n  hint: write it "
            "beside the tolerance: 'sums: {over: SIZE, factors: 1}', with 2 factors for sums of products");
  const auto sums = [&](const std::string& text, const std::string& sizes, const std::string& before = "",
                        const std::string& after = "") {
    const std::string original = contents(copy.yaml());
    std::string changed = original;
    const auto replace = [&](const std::string& from, const std::string& to) {
      REQUIRE(changed.find(from) != std::string::npos);
      changed.replace(changed.find(from), from.size(), to);
    };
    replace("tolerance: exact ", "sums: " + text + "\ntolerance: exact ");
    replace(small, sizes + ", distribution: exact_sums");
    if (!before.empty()) replace(before, after);
    std::ofstream(copy.yaml()) << changed;
    std::string said = copy.load();
    std::ofstream(copy.yaml()) << original;
    return said;
  };
  CHECK(sums("{over: cols}", "rows: 33, cols: 31") == "loaded");
  CHECK(sums("{over: cols}", "rows: 0, cols: 0") == "loaded");
  CHECK(sums("{over: rows, factors: 2}", "rows: 100000, cols: 31") == "loaded");
  CHECK(sums("{over: cols}", "rows: 2, cols: 7340032") == "loaded");
  CHECK(sums("{over: cols}", "rows: 2, cols: 7340033") ==
        where +
            ":41:5: sums of 7340033 terms are not exact in every order, in the case 'rows=2 cols=7340033 "
            "exact_sums': "
            "the limit is 7340032 terms\n  hint: use a smaller 'cols', or another distribution");
  CHECK(sums("{over: cols, factors: 2}", "rows: 2, cols: 4000000").find("the limit is 2097152 terms") !=
        std::string::npos);
  CHECK(sums("{over: coles}", "rows: 33, cols: 31") ==
        where + ":12:14: 'over' must name the size that is summed over, not 'coles'; did you mean 'cols'?");
  CHECK(sums("{over: cols, factors: 3}", "rows: 33, cols: 31") ==
        where + ":12:29: 'factors' must be from 1 to 2, not 3");
  CHECK(sums("{over: cols}", "rows: 33, cols: 31", "type: float, shape: [rows, cols]",
             "type: int, shape: [rows, cols]")
            .find("the distribution 'exact_sums' is for floating point, but 'a' holds integers") !=
        std::string::npos);
  CHECK(sums("{over: cols}", "rows: 33, cols: 31", "shape: [rows, cols]", "shape: [rows]")
            .find("needs 'cols' exactly once in the shape of 'a'") != std::string::npos);
  CHECK(sums("{over: cols}", "rows: 33, cols: 31", "shape: [rows, cols]",
             "shape: [rows, cols], range: [-1, -0.5]")
            .find(":41:5: the distribution 'exact_sums' needs numbers near zero, but the range of 'a' has "
                  "none") != std::string::npos);
  CHECK(sums("{over: cols}", "rows: 33, cols: 31", "  - {name: out,",
             "  - {name: b, role: input, type: float, shape: [cols]}\n  - {name: out,")
            .find("not for 2 inputs with 'factors: 1'") != std::string::npos);
}

TEST_CASE("speed curves must ascend") {
  CourseCopy copy;
  const auto curve = [&](const std::string& text) {
    return copy.with("    speed_points: 5\n", "    speed_points: 5\n    speed_curve: " + text + "\n");
  };
  CHECK(curve("[[0.5, 0], [1, 1]]") == "loaded");
  CHECK(curve("[[0.5, 0], [0.5, 1]]") ==
        where + ":19:29: the ratios of 'speed_curve' must ascend from point to point");
  CHECK(curve("[[0.5, 1], [1, 0.5]]") ==
        where + ":19:29: the shares of 'speed_curve' must not descend: a faster solution would earn less");
  CHECK(curve("[[0.5, 0], [1, 2]]") == where + ":19:33: the share must be from 0 to 1, not 2");
  CHECK(curve("[]") == where + ":19:18: 'speed_curve' needs at least one point");
}

TEST_CASE("a typo in grading.yaml is found too") {
  CourseCopy copy;
  const fs::path file = copy.course.root / "configs/grading.yaml";
  const std::string text = contents(file);
  std::ofstream(file) << std::string(text).replace(text.find("call_seconds"), 12, "cal_seconds");
  CHECK(copy.load() ==
        "configs/grading.yaml:4:3: unknown key 'cal_seconds'; did you mean 'call_seconds'?\n"
        "  hint: the keys of the limits are: compile_seconds, call_seconds, submission_seconds, "
        "warp_instructions, memory_mib, output_kib");
}

TEST_CASE("a file cut off or damaged anywhere loads or is refused with its place, and never crashes") {
  CourseCopy copy;
  const std::string text = contents(copy.yaml());
  int refused = 0;
  for (std::size_t place = 0; place < text.size(); place += 3) {
    for (const std::string& damaged :
         {text.substr(0, place), std::string(text).erase(place, 1), std::string(text).insert(place, "{"),
          std::string(text).insert(place, "\xfe")}) {
      std::ofstream(copy.yaml()) << damaged;
      const std::string result = copy.load();
      INFO(damaged);
      CHECK((result == "loaded" || result.starts_with("configs/labs/lab3/variant4.yaml:")));
      refused += result != "loaded";
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("a variant overrides the defaults") {
  CourseCopy copy;
  std::ofstream(copy.yaml(), std::ios::app) << "limits: {call_seconds: 3, memory_mib: 64}\n";
  const auto lab = load_lab(copy.course, "lab3", "variant4");
  REQUIRE(lab.ok());
  CHECK(lab->limits.call_seconds == 3);
  CHECK(lab->limits.memory_bytes == std::uint64_t{64} << 20);
  CHECK(lab->limits.compile_seconds == 60);
}

TEST_CASE("missing files are named") {
  CourseCopy copy;
  fs::remove(copy.course.root / "reference/lab3/variant4/row_max.cu");
  CHECK(copy.load() == where +
                           ":3:7: the reference solution is missing: there is no file "
                           "'reference/lab3/variant4/row_max.cu'");
  fs::remove(copy.course.root / "labs/lab3/variant4/oracle.cpp");
  CHECK(copy.load() ==
        where + ":1:1: the oracle is missing: there is no file 'labs/lab3/variant4/oracle.cpp'");
}

TEST_CASE("unknown labs and variants name the nearest that exists") {
  CourseCopy copy;
  const fs::path labs = copy.course.root / "configs/labs";
  for (const char* slug : {"lab3/variant10", "lab3/variant2", "lab12/variant1"}) {
    fs::create_directories((labs / slug).parent_path());
    fs::copy_file(copy.yaml(), labs / (std::string(slug) + ".yaml"), fs::copy_options::overwrite_existing);
  }
  for (const auto& entry : fs::directory_iterator(labs)) {
    if (entry.path().filename() != "lab3" && entry.path().filename() != "lab12") fs::remove_all(entry.path());
  }
  for (const auto& entry : fs::directory_iterator(labs / "lab3")) {
    const auto name = entry.path().stem();
    if (name != "variant4" && name != "variant10" && name != "variant2") fs::remove_all(entry.path());
  }
  CHECK(copy.load("lab33", "variant4") ==
        "there is no lab 'lab33'; did you mean 'lab3'?\n"
        "  hint: the labs are: lab3, lab12; `grader list` shows every variant");
  CHECK(copy.load("lab3", "varaint4") ==
        "lab3 has no variant 'varaint4'; did you mean 'variant4'?\n"
        "  hint: its variants are: variant2, variant4, variant10; `grader list` shows every lab");
  CHECK(copy.load("homework", "x") ==
        "there is no lab 'homework'\n  hint: the labs are: lab3, lab12; `grader list` shows every variant");
  CHECK(copy.load("../labs/lab3", "variant4").find("there is no lab '../labs/lab3'") == 0);
  CHECK(copy.load("lab3", "../lab3/variant4").find("lab3 has no variant '../lab3/variant4'") == 0);
}

TEST_CASE("every lab of the course loads") {
  const auto labs = load_all_labs(Course{CUDALABS_SOURCE});
  if (!labs.ok()) FAIL(labs.problem().text());
  CHECK_FALSE(labs->empty());
}

TEST_CASE("the course is found by option, environment and binary, never in the current folder") {
  ::unsetenv("CUDA_LABS_COURSE");
  const auto found = find_course();
  REQUIRE(found.ok());
  CHECK(fs::equivalent(found->root, CUDALABS_SOURCE));  // above the test's own binary

  CourseCopy copy;
  ::setenv("CUDA_LABS_COURSE", copy.course.root.c_str(), 1);
  CHECK(fs::equivalent(find_course()->root, copy.course.root));
  CHECK(fs::equivalent(find_course(CUDALABS_SOURCE)->root, CUDALABS_SOURCE));
  ::setenv("CUDA_LABS_COURSE", "/no/such/folder", 1);
  const auto none = find_course();
  REQUIRE_FALSE(none.ok());
  CHECK(none.problem().text() ==
        "there is no course in '/no/such/folder', which CUDA_LABS_COURSE names\n"
        "  hint: a course is a folder with course.yaml (name: NAME, title: TITLE), configs/, labs/, "
        "student_templates/ and reference/, or a file that `grader course pack` wrote");
  ::unsetenv("CUDA_LABS_COURSE");
}

TEST_CASE("the packed course unpacks privately, repairs itself and refuses a folder that is not safe") {
  std::string cache = (fs::temp_directory_path() / "cudalabs-cache-XXXXXX").string();
  REQUIRE(::mkdtemp(cache.data()) != nullptr);
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string saved = before ? before : "";
  ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);

  const auto root = unpack_own_course();
  if (!root.ok()) FAIL(root.problem().text());
  CHECK(root->parent_path() == fs::path(cache) / "cuda-labs");
  struct stat info {};
  REQUIRE(::lstat(root->c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  CHECK(load_lab(Course{*root}, "lab3", "variant4").ok());
  REQUIRE(runtime_folder().ok());
  CHECK(contents(*runtime_folder() / "libcudalabs_cudart.a").starts_with("!<arch>\n"));
  CHECK(contents(*root / "labs/oracle.h") == contents(fs::path(CUDALABS_SOURCE) / "labs/oracle.h"));

  const fs::path yaml = *root / "configs/labs/lab3/variant4.yaml";
  std::string spoilt = contents(yaml);
  spoilt[0] ^= 1;
  std::ofstream(yaml) << spoilt;
  REQUIRE(unpack_own_course().ok());
  CHECK(contents(yaml) == contents(fs::path(CUDALABS_SOURCE) / "configs/labs/lab3/variant4.yaml"));
  // No leftovers.
  CHECK(std::distance(fs::directory_iterator(root->parent_path()), fs::directory_iterator{}) == 2);

  REQUIRE(::chmod(root->c_str(), 0777) == 0);
  const auto unsafe = unpack_own_course();
  REQUIRE_FALSE(unsafe.ok());
  CHECK(unsafe.problem().message.english() == "other users can write to the folder '" + root->string() + "'");

  fs::remove_all(*root);
  fs::create_directory_symlink(CUDALABS_SOURCE, *root);
  const auto link = unpack_own_course();
  REQUIRE_FALSE(link.ok());
  CHECK(link.problem().message.english() == "'" + root->string() + "' is not a folder");

  if (before) {
    ::setenv("XDG_CACHE_HOME", saved.c_str(), 1);
  } else {
    ::unsetenv("XDG_CACHE_HOME");
  }
  fs::remove_all(cache);
}
