#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <chrono>
#include <filesystem>
#include <fstream>

#include "grader/course/cache.h"
#include "grader/grading/cases/oracle.h"
#include "grader/grading/compare/checked.h"
#include "grader/grading/compare/compare.h"
#include "tests/grading/compare/support.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

/// One cache for the whole run, so that the oracle is compiled only once.
const fs::path& cache() {
  static const struct Folder {
    fs::path path;
    Folder() {
      std::string name = (fs::temp_directory_path() / "cudalabs-oracles-XXXXXX").string();
      REQUIRE(::mkdtemp(name.data()) != nullptr);
      path = name;
    }
    ~Folder() { fs::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
  } folder;
  return folder.path;
}

Lab row_max() {
  auto lab = load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4");
  REQUIRE(lab.ok());
  return std::move(*lab);
}

Oracle load(const Lab& lab) {
  auto oracle = Oracle::load(lab, cache());
  if (!oracle.ok()) FAIL(oracle.problem().text());
  return std::move(*oracle);
}

TestCase shape(std::int64_t rows, std::int64_t cols, Distribution distribution = Distribution::Uniform) {
  return {{{"rows", rows}, {"cols", cols}}, distribution};
}

/// The answer of a wrong kernel, row by row.
template <class Pick>
std::string verdict(const Lab& lab, const TestCase& test, const CaseData& data, Pick pick) {
  const auto rows = static_cast<std::size_t>(test.size("rows")),
             cols = static_cast<std::size_t>(test.size("cols"));
  const auto* a = reinterpret_cast<const float*>(data.inputs[0].data());
  std::vector<float> out(rows);
  for (std::size_t r = 0; r < rows; ++r) out[r] = pick(std::span(a + r * cols, cols));
  const auto mismatch = compare_output(lab, test, data, 0, std::as_bytes(std::span(out)));
  return mismatch ? mismatch->guess.english() : "accepted";
}

float largest(std::span<const float> row) { return *std::ranges::max_element(row); }

}  // namespace

TEST_CASE("the oracle of lab3 variant4 is right, and so is its baseline") {
  const Lab lab = row_max();
  const Oracle oracle = load(lab);
  std::uint32_t index = 0;
  std::vector<TestCase> cases = lab.cases;
  cases.push_back(lab.timed);
  for (const TestCase& test : cases) {
    INFO(test.name());
    const CaseData data = make_case(lab, oracle, test, {.seed = 5, .case_index = index++});
    CHECK(verdict(lab, test, data, largest) == "accepted");
    std::vector<std::vector<std::byte>> results;
    oracle.baseline(lab, test, data.inputs, results);
    CHECK_FALSE(compare_output(lab, test, data, 0, results[0]));
    if (!has_output_elements(lab, test)) continue;
    CHECK(compare_output(lab, test, data, 0, data.initial_outputs[0]));
  }
}

TEST_CASE("usual mistakes are called by name where they are certain") {
  const Lab lab = row_max();
  const Oracle oracle = load(lab);
  const TestCase test = shape(65, 97), negative = shape(65, 97, Distribution::Negative);
  const CaseData data = make_case(lab, oracle, test, {.seed = 1});
  const CaseData below_zero = make_case(lab, oracle, negative, {.seed = 1});

  CHECK(verdict(lab, test, data, [](auto row) { return *std::ranges::min_element(row); }) ==
        "this is the minimum of each row instead of its maximum");
  CHECK(verdict(lab, negative, below_zero, [](auto row) { return std::max(0.0f, largest(row)); }) ==
        "this is a maximum that starts at 0, or takes in a 0 from the edge of a tile, which is too large "
        "where every element of the row is negative: "
        "start at "
        "the row's first element or at -infinity");
  // The error may be in the last element or the last tile.
  CHECK(verdict(lab, test, data, [](auto row) { return largest(row.first(96)); }).empty());
  const TestCase ragged = shape(65, 100);
  const CaseData ragged_data = make_case(lab, oracle, ragged, {.seed = 1});
  CHECK(verdict(lab, ragged, ragged_data, [](auto row) { return largest(row.first(96)); }) ==
        "this is the maximum over whole tiles of 32 columns only: the last tile, which is not full, is left "
        "out");
  CHECK(verdict(lab, ragged, ragged_data, [](auto row) { return largest(row.first(99)); }) ==
        "this is the maximum of each row without its last element: the loop over the columns ends one too "
        "early");
  CHECK(verdict(lab, test, data, [](auto row) { return largest(row.first(32)); }) ==
        "this is the maximum of the first 32 columns only: there is no loop over the tiles");
  CHECK(verdict(lab, test, data, [](auto row) { return largest(row.first(50)); }).empty());
}

TEST_CASE("an oracle that is damaged in the cache is compiled anew") {
  const Lab lab = row_max();
  load(lab);
  fs::path whole;
  for (const auto& entry : fs::directory_iterator(cache())) {
    if (entry.path().filename().string().starts_with("lab3-variant4-")) whole = entry.path();
  }
  const auto bytes = read_file(whole, std::size_t{1} << 30);
  REQUIRE(bytes.ok());
  std::string flipped = *bytes;
  flipped[flipped.size() / 2] ^= 4;
  const std::string kinds[] = {
      {}, bytes->substr(0, bytes->size() / 2), std::string(bytes->size(), '\0'), flipped};
  for (const std::string& damaged : kinds) {
    // A separate folder for each, because a loaded library is not read again.
    const fs::path folder = cache() / ("damaged" + std::to_string(&damaged - kinds));
    REQUIRE(make_private_folder(folder).ok());
    const fs::path library = folder / whole.filename();
    REQUIRE(write_file_atomically(library, damaged).ok());
    const auto loaded = Oracle::load(lab, folder);
    REQUIRE(loaded.ok());
    const CaseData data = make_case(lab, *loaded, shape(65, 97), {.seed = 1});
    CHECK(verdict(lab, shape(65, 97), data, largest) == "accepted");
    const auto made = read_file(library, std::size_t{1} << 30);
    REQUIRE(made.ok());
    CHECK(unsealed(*made));
  }
}

TEST_CASE("what a killed grader left of an oracle goes with the next one that is loaded") {
  const Lab lab = row_max();
  const fs::path folder = cache() / "swept";
  REQUIRE(make_private_folder(folder / "aa.dirEnd").ok());
  const auto make = [&](const std::string& name, int minutes) {
    std::ofstream(folder / name) << "half";
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
    return folder / name;
  };
  const fs::path left = make("lab3-variant4-0123456789abcdef.so.aB3dEf", 61);
  const fs::path young = make("lab3-variant4-0123456789abcdef.so.aB3dEg", 50),
                 whole = make("lab3-variant4-0123456789abcdef.so", 100'000),
                 other = make("lab3.so.aB3-Ef", 100'000), target = make("target", 100'000);
  fs::create_symlink(target, folder / "link.abcdef");
  fs::last_write_time(folder / "aa.dirEnd", fs::file_time_type::clock::now() - std::chrono::hours(2));
  REQUIRE(Oracle::load(lab, folder).ok());
  CHECK_FALSE(fs::exists(left));
  CHECK_FALSE(fs::exists(folder / "aa.dirEnd"));
  for (const fs::path& kept : {young, whole, other, target, folder / "link.abcdef"}) {
    INFO(kept);
    CHECK(fs::exists(kept));
  }
}

TEST_CASE("an oracle is compiled once, and again when its text changes") {
  const Lab lab = row_max();
  load(lab);
  // Only in the given folder, not in its subfolders.
  const auto libraries = [] {
    return std::ranges::count_if(fs::directory_iterator(cache()),
                                 [](const auto& entry) { return entry.path().extension() == ".so"; });
  };
  const auto before = libraries();
  CHECK(before > 0);
  CHECK_FALSE(fs::exists(cache() / "oracles"));
  load(lab);
  CHECK(libraries() == before);

  const fs::path labs = cache() / "labs";
  fs::create_directories(labs / "lab3/variant4");
  fs::copy_file(fs::path(CUDALABS_SOURCE) / "labs/oracle.h", labs / "oracle.h");
  Lab other = lab;
  other.oracle = labs / "lab3/variant4/oracle.cpp";
  other.oracle_includes = {labs};
  std::ofstream(other.oracle) << "#include \"oracle.h\"\nextern \"C\" void oracle(const OracleCall*) {}\n";
  const auto incomplete = Oracle::load(other, cache());
  REQUIRE_FALSE(incomplete.ok());
  CHECK(incomplete.problem().message.english() ==
        "the oracle of lab3/variant4 does not define extern \"C\" void baseline(const OracleCall*)");
  CHECK(libraries() == before + 1);

  std::ofstream(other.oracle) << "int broken\n";
  const auto broken = Oracle::load(other, cache());
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.problem().message.english().find("the oracle of lab3/variant4 does not compile:\n") == 0);
  CHECK(broken.problem().message.english().find("oracle.cpp:1:") != std::string::npos);
  CHECK(libraries() == before + 1);  // no half-written library is left

  // An included header counts like the oracle's own text, wherever it is.
  auto compiled = before + 1;
  std::ofstream(other.oracle) << "#include \"oracle.h\"\n#include \"all.h\"\n#include \"../lab.h\"\n"
                                 "#include \"own.h\"\nextern \"C\" void oracle(const OracleCall*) {}\n"
                                 "extern \"C\" void baseline(const OracleCall*) {}\n";
  for (const char* header : {"all.h", "lab3/lab.h", "lab3/variant4/own.h"})
    std::ofstream(labs / header) << "";
  REQUIRE(Oracle::load(other, cache()).ok());
  CHECK(libraries() == ++compiled);
  for (const char* header : {"all.h", "lab3/lab.h", "lab3/variant4/own.h"}) {
    INFO(header);
    std::ofstream(labs / header) << "inline int changed = 1;\n";
    REQUIRE(Oracle::load(other, cache()).ok());
    CHECK(libraries() == ++compiled);
    std::ofstream(labs / header) << "";
  }
}

TEST_CASE("an oracle may make inputs, and judge outputs itself") {
  Lab lab = row_max();
  const fs::path folder = cache() / "own";
  fs::create_directories(folder);
  lab.lab = "own";
  lab.slug = "own/variant4";
  lab.oracle = folder / "oracle.cpp";
  lab.tolerance = {ToleranceKind::Checked, 0};
  const std::string needed = "#include \"" CUDALABS_SOURCE
                             "/labs/oracle.h\"\n"
                             "extern \"C\" void oracle(const OracleCall*) {}\n"
                             "extern \"C\" void baseline(const OracleCall*) {}\n";
  std::ofstream(lab.oracle) << needed;
  const auto without = Oracle::load(lab, cache());
  REQUIRE_FALSE(without.ok());
  CHECK(without.problem().text().find("const char* check(const OracleCall*, OracleFinding*)") !=
        std::string::npos);

  std::ofstream(lab.oracle) << needed << R"(
extern "C" void make_inputs(const OracleInputs* call) {
  OracleRandom random(call->seed);
  for (long i = 0; i < call->counts[0]; ++i)
    static_cast<float*>(call->inputs[0])[i] = static_cast<float>(random.below(5));
}
extern "C" const char* check(const OracleCall* call, OracleFinding* found) {
  const auto* out = static_cast<const float*>(call->results[0]);
  for (long r = 0; r < call->sizes[0]; ++r)
    if (out[r] != static_cast<float>(r)) {
      *found = {0, r, 0.5};
      return text_of(call, "{} is not its own number", "row");
    }
  return nullptr;
}
)";
  const Oracle oracle = load(lab);
  const TestCase test = shape(4, 3);
  const CaseData data = make_case(lab, oracle, test, {.seed = 5});
  CHECK(data.inputs == make_inputs(lab, oracle, test, {.seed = 5}));
  CHECK(data.inputs != make_inputs(lab, oracle, test, {.seed = 6}));
  CHECK(data.inputs[0] != make_input(lab, test, 0, {.seed = 5}));
  const auto judged = [&](const std::vector<float>& out) {
    const std::vector<std::span<const std::byte>> outputs{std::as_bytes(std::span(out))};
    const auto mismatch = check_outputs(lab, test, data, outputs);
    return mismatch ? mismatch->statements.english() : "accepted";
  };
  CHECK(judged({0, 1, 2, 3}) == "accepted");
  CHECK(judged({0, 1, 7, 3}) == "row is not its own number (out[2]); 2 of 4 elements are wrong");

  std::ofstream(lab.oracle) << needed << R"(
extern "C" const char* check(const OracleCall* call, OracleFinding*) {
  static_cast<float*>(call->results[0])[0] = 7;
  return nullptr;
}
)";
  const Oracle careless = load(lab);
  const std::vector<float> out{0, 1, 2, 3};
  const std::vector<std::span<const std::byte>> outputs{std::as_bytes(std::span(out))};
  CHECK_FALSE(careless.check(lab, test, data.inputs, outputs));
  CHECK(out == std::vector<float>{0, 1, 2, 3});  // what is judged stays as it is
}

TEST_CASE("a C++ compiler that does not work is no mistake of the course") {
  const fs::path folder = cache() / "compilers";
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);  // even if the user's umask lets the group write
  const std::string usual = std::getenv("PATH");
  ::setenv("PATH", (folder.string() + ":" + usual).c_str(), 1);
  const struct {
    const char *does, *message, *hint;
  } kinds[] = {{"echo 'fatal error: string: no such file' >&2; exit 1",
                "' does not compile even the simplest library:\nfatal error: string: no such file\n",
                "install the compiler together with its C++ library: sudo apt install g++"},
               {"kill -9 $$", "' did not get done with the oracle: SIGKILL",
                "grade again when the load of this machine is lower"}};
  for (const auto& kind : kinds) {
    const fs::path compiler = folder / "c++";
    std::ofstream(compiler) << "#!/bin/sh\n[ \"$1\" = --version ] && exec echo mine\n" << kind.does << "\n";
    fs::permissions(compiler, fs::perms::owner_all);
    const auto oracle = Oracle::load(row_max(), folder);
    REQUIRE_FALSE(oracle.ok());
    CHECK(oracle.problem().is_infrastructure_error);
    CHECK(oracle.problem().message.english() == "'" + compiler.string() + kind.message);
    CHECK(oracle.problem().hint.english() == kind.hint);
    CHECK(std::ranges::distance(fs::directory_iterator(folder)) == 1);  // the compiler itself
  }
  ::setenv("PATH", usual.c_str(), 1);
}
