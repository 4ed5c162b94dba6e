// Labs that need more of the lab model than the course does: arrays in place, scalars, vectors, lengths that
// depend on the data, sets, inputs by a generator. `grader new-lab --like` starts from them.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/everything.h"
#include "tests/harness/grader.h"
#include "tests/labs/solutions.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The shapes of `grader new-lab --like`, and the entries of their labs here.
const std::map<std::string, std::string> kShapes = {
    {"in_place", "saxpy"}, {"compaction", "keep"}, {"image", "grey"}, {"spmv", "multiply"},
    {"graph", "colour"},   {"half", "scale"},      {"sort", "order"}, {"scan", "prefix"}};

/// Adds a lab of each shape, named like it.
void add_shapes(const Sandbox& sandbox) {
  static_cast<void>(sandbox.course());
  for (const auto& [shape, entry] : kShapes) {
    const Outcome made = sandbox.grader({"new-lab", shape, "variant1", "--entry", entry, "--like", shape});
    INFO(made.out << made.err);
    REQUIRE(made.status == 0);
  }
}

TEST_CASE("a lab may start from one of each shape, which is right", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  for (const auto& [shape, entry] : kShapes) {
    const Outcome checked = sandbox.grader({"check-labs", shape});
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK(checked.out.find("1 of 1 variant are right") != std::string::npos);
  }
}

TEST_CASE("an oracle that does not end is told with its line", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  replace_in(sandbox.course() / "configs/grading.yaml", "call_seconds: 4", "call_seconds: 0.2");
  const fs::path oracle = sandbox.course() / "labs/image/variant1/oracle.cpp";
  replace_in(oracle, "  OracleRandom random(call->seed);",
             "  OracleRandom random(call->seed); while (random.bits() != 0);  // <-- here");
  const Outcome outcome = sandbox.grader({"check-labs", "image"});
  INFO(outcome.err);
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("grader: the oracle of image/variant1, in make_inputs() for ") != std::string::npos);
  CHECK(outcome.err.find(", does not end (oracle.cpp:" + std::to_string(marked_line(read_file(oracle))) +
                         ")\n  hint: this is the course's code") != std::string::npos);
}

/// The result of a solution that replaces parts of the reference of a shape.
Json solved(const Sandbox& sandbox, const std::string& shape,
            const std::vector<std::pair<std::string, std::string>>& edits) {
  std::string source = read_file(only_source(sandbox.course() / "reference" / shape / "variant1"));
  for (const auto& [from, to] : edits) {
    const std::size_t at = source.find(from);
    REQUIRE(at != std::string::npos);
    source.replace(at, from.size(), to);
  }
  const fs::path file = sandbox.write("solved.cu", source);
  const Outcome outcome =
      sandbox.grader({shape, "variant1", "--submission", file.string(), "--seed", "1", "--json", "-"});
  INFO(outcome.err);
  REQUIRE(Json::accept(outcome.out));
  return Json::parse(outcome.out);
}

TEST_CASE("the points of a lab may sum to anything", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  const fs::path config = sandbox.course() / "configs/labs/compaction/variant1.yaml",
                 handout = sandbox.course() / "labs/compaction/variant1/handout.md";
  fs::remove(sandbox.course() / "labs/compaction/variant1/planted.yaml");
  replace_in(
      config, "    correctness_points: 40\n    requires: [atomics]\n    speed_points: 10\n",
      "    correctness_points: 7.5\n    requires: [atomics]\n    speed_thresholds: [[0.5, 1], [0.8, 3]]\n");
  replace_in(config, "cases:\n", "manual: [{name: style, points: 4, title: readable code}]\ncases:\n");
  replace_in(handout, "| each thread takes the next free place | 50 |",
             "| each thread takes the next free place | 10.5 |");
  replace_in(handout, "| 40 | 40 |", "| 7.5 | 40 |");
  replace_in(handout, "| 10 | 10 |", "| 3 | 10 |");
  const Outcome outcome = sandbox.grader({"check-labs", "compaction"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("  60.5 points, 4 by hand\n") != std::string::npos);
  const Json result = solved(sandbox, "compaction", {});
  CHECK(result.at("score") == Json({{"points", 60.5}, {"max_points", 60.5}, {"bonus_points", 0}}));
  CHECK(result.at("open").at(0).at("name") == "style");
}

TEST_CASE("an integer that the output cannot hold is the oracle's mistake", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  replace_in(sandbox.course() / "labs/compaction/variant1/oracle.cpp",
             "  call->expected[1].integers[0] = count;",
             "  call->expected[1].integers[0] = count == 0 ? 0 : 5000000000;");
  const Outcome outcome = sandbox.grader({"check-labs", "compaction"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find(", gives 5000000000 for `count`, which int cannot hold\n  hint: this is the") !=
        std::string::npos);
}

TEST_CASE("required atomic operations must make the answer", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  CHECK(solved(sandbox, "compaction", {}).at("passed") == true);
  const Json dummy =
      solved(sandbox, "compaction",
             {{"void keep_atomic(const int* x, int* kept, int* count, int n) {",
               "void keep_scan(const int* x, int* kept, int* count, int n);\n__device__ int seen;\n"
               "__global__ void see() { atomicAdd(&seen, 1); }\n"
               "void keep_atomic(const int* x, int* kept, int* count, int n) {\n  see<<<1, 1>>>();\n"
               "  return keep_scan(x, kept, count, n);"}});
  const std::string text = all_text(dummy);
  INFO(text);
  CHECK(text.find("no result is computed from what its atomic operations leave") != std::string::npos);
}

TEST_CASE("what only says that nothing is there earns nothing", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  const Json zero =
      solved(sandbox, "compaction",
             {{"if (i < n && x[i] > 0) kept[atomicAdd(count, 1)] = x[i];", "if (i == 0) *count = 0;"}});
  INFO(all_text(zero));
  CHECK(zero.at("versions").at(0).at("points") == 0);
}

TEST_CASE("of several outputs the line of the wrong one is shown", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  const std::string kernel = R"(if (i < n) kept[i] = x[i] > 0 ? x[i] : x[i] - 1;
  if (i == 0) {
    int number = 0;
    for (int k = 0; k < n; ++k) number += x[k] > 0 ? 1 : 0;
    *count = number + 1;  // <-- here
  })";
  const Json wrong =
      solved(sandbox, "compaction", {{"if (i < n && x[i] > 0) kept[atomicAdd(count, 1)] = x[i];", kernel}});
  const Json& version = wrong.at("versions").at(0);
  INFO(version.dump(1).substr(0, 3000));
  const std::string source = read_file(sandbox.work() / "solved.cu");
  bool found = false;
  for (const Json& failure : version.at("correctness").at("failures")) {
    if (failure.at("message").get<std::string>().find("count is") != 0) continue;
    found = true;
    CHECK(failure.at("line") == marked_line(source));
  }
  CHECK(found);
}

TEST_CASE("wrong answers of such labs say what they are", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  const auto card = [&](const std::string& shape, const std::string& from, const std::string& to) {
    return all_text(solved(sandbox, shape, {{from, to}}));
  };
  const auto says = [](const std::string& text, const std::string& what) {
    INFO(text);
    CHECK(text.find(what) != std::string::npos);
  };
  says(card("in_place", "alpha * x[i] + y[i]", "alpha * x[i]"), "this is alpha * x: what y held is missing");
  says(card("in_place", "i < n) y", "i < n && i % 4 != 3) y"), "as before the call: expected");
  says(card("in_place", "saxpy_kernel<<<", "if (n < 0) saxpy_kernel<<<"), "y was not changed");
  says(card("in_place", "y[i] = alpha", "const_cast<float*>(x)[i] = y[i] = alpha"),
       "input x was changed at [0]");
  says(card("compaction", "= x[i];\n}", "= x[i] + (i == 0 ? 1 : 0);\n}"),
       "which is not in the answer or is there once too often");
  says(card("compaction", "const int number = counts[b];", "const int number = atomicAdd(&counts[b], 0);"),
       "works atomically, which is forbidden here");
  says(card("graph", "  if (colours[a] < 0)\n    atomicExch(&waits[b], 1);\n  else\n",
            "  if (colours[a] >= 0)\n"),
       "are neighbours of one colour (colours[");
  says(card("sort", "  values[i] = sorted_values[i];", "  values[i] = sorted_values[n - 1 - i];"),
       "is missing among the elements of equal keys");
  says(card("scan", "y[i] += firsts", "y[i] += 0 * firsts"), "a scan of each block of 256 alone");
  says(card("scan", "threads = 256", "threads = 512"), "not 256");
  says(card("half", "  x[i] = p;", "  x[i].x = p.x;"), "as before the call: expected");
  says(card("image", "0.299F * p.x + 0.587F * p.y + 0.114F * p.z", "static_cast<float>(p.x + p.y + p.z) / 3"),
       "this is the mean of red, green and blue: the weights are missing");
}

TEST_CASE("a case may take an input from a file", "[patterns]") {
  const Sandbox sandbox;
  add_shapes(sandbox);
  const fs::path yaml = sandbox.course() / "configs/labs/image/variant1.yaml";
  const fs::path folder = sandbox.course() / "labs/image/variant1";
  const std::string first = "cases:\n";
  const auto with = [&](const std::string& file, const std::string& content, const std::string& sizes) {
    std::ofstream(folder / file) << content;
    const std::string before = read_file(yaml);
    replace_in(yaml, first, first + "  - {" + sizes + ", image: " + file + ", criterion: few}\n");
    const Outcome outcome = sandbox.grader({"check-labs", "image"});
    std::ofstream(yaml) << before;
    return outcome.out + outcome.err;
  };
  const auto refused = [&](const std::string& all, const std::string& what) {
    INFO(all);
    CHECK(all.find(what) != std::string::npos);
  };
  const std::string tiny = "P3 # red and white\n2 1\n255\n255 0 0  255 255 255\n";
  refused(with("tiny.ppm", tiny, "rows: 1, cols: 2"), "1 of 1 variant are right");
  refused(with("tiny.ppm", tiny, "rows: 2, cols: 2"),
          "'tiny.ppm' holds 8 numbers, and this input has 16 in the case");
  refused(with("cut.ppm", "P6 2 2 255\n\1\2\3", "rows: 2, cols: 2"),
          "'cut.ppm' ends after 3 of its 12 numbers");
  refused(with("cut.ppm", "P6\r\n2 2\r\n255\r\n\1\2\3", "rows: 2, cols: 2"),
          "'cut.ppm' ends after 3 of its 12 numbers");
  refused(with("word.csv", "1, 2, 3,\n4, five", "rows: 1, cols: 1"),
          "'word.csv', line 2: 'five' is no number");
  refused(with("large.txt", "1 2 3 256", "rows: 1, cols: 1"),
          "'large.txt' holds 256, which no unsigned char holds");
  refused(with("../tiny.txt", "1 2 3 4", "rows: 1, cols: 1"),
          "'../tiny.txt' must lie in the lab's folder, beside the oracle");
  replace_in(yaml, "timed: {", "timed: {image: tiny.ppm, ");
  refused(sandbox.grader({"check-labs", "image"}).out, "'tiny.ppm' holds 8 numbers");
  replace_in(yaml, "rows: 720, cols: 1000", "rows: 1, cols: 2");
  refused(sandbox.grader({"check-labs", "image"}).out, "the timed case must draw its inputs");

  // The file is what the submission gets.
  replace_in(yaml, "timed: {image: tiny.ppm, rows: 1, cols: 2", "timed: {rows: 720, cols: 1000");
  replace_in(yaml, first, first + "  - {rows: 1, cols: 2, image: tiny.ppm, criterion: few}\n");
  std::string wrong = read_file(only_source(sandbox.course() / "reference/image/variant1"));
  const std::string weights = "0.299F * p.x + 0.587F * p.y + 0.114F * p.z";
  wrong.replace(wrong.find(weights), weights.size(), "0.114F * p.x + 0.587F * p.y + 0.299F * p.z");
  const Outcome card =
      sandbox.grader({"image", "variant1", "--submission", sandbox.write("wrong.cu", wrong).string(),
                      "--seed", "1", "--verbose"});
  INFO(card.out);
  CHECK(card.out.find("rows=1 cols=2 image=tiny.ppm uniform") != std::string::npos);
  CHECK(card.out.find("expected 76") != std::string::npos);  // 0.299 * 255
}

TEST_CASE("a lab may start as a copy of any other", "[patterns]") {
  const Sandbox sandbox;
  const std::string own = sandbox.write("own/course.yaml", "name: own\ntitle: Own\n").parent_path().string();
  const auto made = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"new-lab", "rows", "first", "--course", own};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return sandbox.grader(arguments);
  };
  const Outcome unknown = made({"--like", "scam"});
  CHECK(unknown.status == 2);
  CHECK(unknown.err.find("did you mean 'scan'?\n  hint: the shapes are: compaction, ") != std::string::npos);
  CHECK(unknown.err.find("; or name any lab, as in --like lab3/variant4\n") != std::string::npos);
  CHECK(made({"--like", "lab3/variant44"}).err.find("did you mean 'variant4'?") != std::string::npos);
  CHECK(made({"--like", "lab3/variant4", "--entry", ""}).status == 2);

  const Outcome copy = made({"--like", "lab3/variant4", "--entry", "largest"});
  INFO(copy.out << copy.err);
  REQUIRE(copy.status == 0);
  CHECK(read_file(fs::path(own) / "labs/rows/first/handout.md").find("void largest_global(") !=
        std::string::npos);
  CHECK(read_file(fs::path(own) / "configs/labs/rows/first.yaml").find("file: largest.cu\n") !=
        std::string::npos);
  const Outcome right = sandbox.grader({"rows", "first", "--course", own, "--seed", "1", "--submission",
                                        own + "/reference/rows/first/largest.cu", "-q"});
  INFO(right.out << right.err);
  CHECK(right.out == "rows first: 100 of 100 points\n");
}

TEST_CASE("a copy takes its variant from the course that has it", "[patterns]") {
  const Sandbox sandbox;
  const std::string own = sandbox.write("own/course.yaml", "name: own\ntitle: Own\n").parent_path().string();
  const auto made = [&](const std::string& lab, const std::string& like, const std::string& entry) {
    return sandbox.grader({"new-lab", lab, "first", "--course", own, "--like", like, "--entry", entry});
  };
  // The entry is a word of C++: nothing is written.
  const Outcome keyword = made("image", "image/blur", "int");
  CHECK(keyword.err == "grader: an entry cannot be 'int', which is a keyword of C++\n");
  CHECK_FALSE(fs::exists(fs::path(own) / "configs"));
  // A variant that is named as its entry, which lies in another course.
  REQUIRE(made("image", "image/blur", "soft").status == 0);
  CHECK(fs::exists(fs::path(own) / "configs/labs/image/first.yaml"));
  CHECK(fs::exists(fs::path(own) / "reference/image/first/soft.cu"));
  // Now this course has a lab `image`, too.
  CHECK(made("pictures", "image/blur", "soft").status == 0);
  CHECK(made("drawings", "image/first", "soft").status == 0);
  const Outcome right = sandbox.grader({"image", "first", "--course", own, "--seed", "1", "--submission",
                                        own + "/reference/image/first/soft.cu", "-q"});
  INFO(right.out << right.err);
  CHECK(right.out == "image first: 100 of 100 points\n");
}

TEST_CASE("a contract may give the student another function than the one that is called", "[patterns]") {
  const fs::path forms = fs::path(CUDALABS_TEST_DATA) / "calls";
  for (const std::string form : {"template", "plan", "pitched"}) {
    INFO(form);
    const Sandbox sandbox;
    const std::string own =
        sandbox.write("own/course.yaml", "name: own\ntitle: Own\n").parent_path().string();
    REQUIRE(
        sandbox.grader({"new-lab", "calls", "one", "--entry", "scale", "--like", "in_place", "--course", own})
            .status == 0);
    const fs::path yaml = fs::path(own) / "configs/labs/calls/one.yaml";
    static_cast<void>(
        sandbox.write("own/labs/calls/one/contract.cuh",
                      "#pragma once\n#include <cstddef>\n" + read_file(forms / (form + ".cuh"))));
    static_cast<void>(sandbox.write("own/reference/calls/one/scale.cu", read_file(forms / (form + ".cu"))));
    if (form == "pitched") {  // the test's function copies the rows
      replace_in(yaml, "    correctness_points: 60",
                 "    outputs_by_copies: allowed\n    correctness_points: 60");
      std::string text = read_file(yaml);
      text = text.substr(0, text.find("cases:")) +
             "cases:\n  - {n: 320, criterion: few}\n  - {n: [1024, 3200], criterion: whole}\n"
             "  - {n: 0, criterion: empty}\ntimed: {n: 1048576, criterion: large}\n";
      std::ofstream(yaml) << text;
    }
    const auto graded = [&](const fs::path& file) {
      return sandbox.grader({"calls", "one", "--course", own, "--submission", file.string(), "--seed", "1"});
    };
    const Outcome right = graded(fs::path(own) / "reference/calls/one/scale.cu");
    INFO(right.out << right.err);
    CHECK(right.out.find(" 100/100\n") != std::string::npos);
    const Outcome missing = graded(sandbox.write("missing/scale.cu", "#include \"contract.cuh\"\n"));
    INFO(missing.out << missing.err);
    CHECK(missing.out.find(" is used but not defined") != std::string::npos);
  }
}

}  // namespace
}  // namespace e2e
