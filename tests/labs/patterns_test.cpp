// Labs that need more of the lab model than the course does: arrays in place, scalars, vectors, lengths that
// depend on the data, sets, inputs by a generator. `grader new-lab --like` starts from them.

#include <filesystem>
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
    std::string source = read_file(only_source(sandbox.course() / "reference" / shape / "variant1"));
    const std::size_t at = source.find(from);
    REQUIRE(at != std::string::npos);
    source.replace(at, from.size(), to);
    const fs::path file = sandbox.write("wrong.cu", source);
    const Outcome outcome =
        sandbox.grader({shape, "variant1", "--submission", file.string(), "--seed", "1", "--json", "-"});
    INFO(outcome.err);
    REQUIRE(Json::accept(outcome.out));
    return all_text(Json::parse(outcome.out));
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

}  // namespace
}  // namespace e2e
