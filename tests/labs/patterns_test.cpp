// Labs that need more of the lab model than the course does: arrays in place, scalars, vectors, lengths that
// depend on the data, sets, inputs by a generator. Their files are in tests/labs/patterns.

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/everything.h"
#include "tests/harness/grader.h"
#include "tests/labs/solutions.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kPatterns = fs::path(CUDALABS_TEST_DATA) / "patterns";

/// Adds the labs of tests/labs/patterns to the course of a sandbox.
void add_patterns(const Sandbox& sandbox) {
  fs::copy(kPatterns, sandbox.course(), fs::copy_options::recursive);
}

TEST_CASE("labs in place, of graphs, images and sparse matrices are right", "[patterns]") {
  const Sandbox sandbox;
  add_patterns(sandbox);
  for (const char* lab : {"saxpy", "compaction", "image", "spmv", "colouring", "scale"}) {
    const Outcome checked = sandbox.grader({"check-labs", lab});
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK(checked.out.find("1 of 1 variant are right") != std::string::npos);
  }
}

TEST_CASE("an oracle that does not end is told with its line", "[patterns]") {
  const Sandbox sandbox;
  add_patterns(sandbox);
  replace_in(sandbox.course() / "configs/grading.yaml", "call_seconds: 4", "call_seconds: 0.2");
  const fs::path oracle = sandbox.course() / "labs/image/grey/oracle.cpp";
  const auto told = [&](const std::string& from, const std::string& to) {
    const std::string whole = read_file(oracle);
    replace_in(oracle, from, to + "  // <-- here");
    const std::string line = ":" + std::to_string(marked_line(read_file(oracle)));
    const Outcome outcome = sandbox.grader({"check-labs", "image"});
    std::ofstream(oracle) << whole;
    CHECK(outcome.status == 3);
    return outcome.err + "|" + line;
  };
  const std::string loop = told("  OracleRandom random(call->seed);",
                                "  OracleRandom random(call->seed); while (random.bits() != 0);");
  INFO(loop);
  const std::string line = loop.substr(loop.find('|') + 1);
  CHECK(loop.find("grader: the oracle of image/grey, in make_inputs() for ") != std::string::npos);
  CHECK(loop.find(", does not end (oracle.cpp" + line + ")\n  hint: this is the course's code") !=
        std::string::npos);
}

TEST_CASE("wrong answers of such labs say what they are", "[patterns]") {
  const Sandbox sandbox;
  add_patterns(sandbox);
  const auto card = [&](const std::string& slug, const std::string& from, const std::string& to) {
    const std::size_t slash = slug.find('/');
    std::string source = read_file(only_source(kPatterns / "reference" / slug));
    const std::size_t at = source.find(from);
    REQUIRE(at != std::string::npos);
    source.replace(at, from.size(), to);
    const fs::path file = sandbox.write("wrong.cu", source);
    const Outcome outcome = sandbox.grader({slug.substr(0, slash), slug.substr(slash + 1), "--submission",
                                            file.string(), "--seed", "1", "--json", "-"});
    INFO(outcome.err);
    REQUIRE(Json::accept(outcome.out));
    return all_text(Json::parse(outcome.out));
  };
  const auto says = [](const std::string& text, const std::string& what) {
    INFO(text);
    CHECK(text.find(what) != std::string::npos);
  };
  says(card("saxpy/in_place", "alpha * x[i] + y[i]", "alpha * x[i]"),
       "this is alpha * x: what y held is missing");
  says(card("saxpy/in_place", "i < n) y", "i < n && i % 4 != 3) y"), "as before the call: expected");
  says(card("saxpy/in_place", "saxpy_kernel<<<", "if (n < 0) saxpy_kernel<<<"), "y was not changed");
  says(card("saxpy/in_place", "y[i] = alpha", "const_cast<float*>(x)[i] = y[i] = alpha"),
       "input x was changed at [0]");
  says(card("compaction/positive", "= x[i];\n}", "= x[i] + (i == 0 ? 1 : 0);\n}"),
       "which is not in the answer or is there once too often");
  says(card("compaction/positive", "const int number = counts[b];",
            "const int number = atomicAdd(&counts[b], 0);"),
       "works atomically, which is forbidden here");
  says(card("colouring/graph", "  if (colours[a] < 0)\n    atomicExch(&waits[b], 1);\n  else\n",
            "  if (colours[a] >= 0)\n"),
       "are neighbours of one colour (colours[");
  says(card("scale/half", "  x[i] = p;", "  x[i].x = p.x;"), "as before the call: expected");
  says(card("image/grey", "0.299F * p.x + 0.587F * p.y + 0.114F * p.z",
            "static_cast<float>(p.x + p.y + p.z) / 3"),
       "this is the mean of red, green and blue: the weights are missing");
}

}  // namespace
}  // namespace e2e
