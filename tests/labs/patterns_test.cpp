// Labs that need more of the lab model than the course does: arrays in place, scalars, vectors, lengths that
// depend on the data, sets, inputs by a generator. Their files are in tests/labs/patterns.

#include <filesystem>
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

TEST_CASE("labs in place, with data-dependent lengths and of images are right", "[patterns]") {
  const Sandbox sandbox;
  add_patterns(sandbox);
  for (const char* lab : {"saxpy", "compaction", "image"}) {
    const Outcome checked = sandbox.grader({"check-labs", lab});
    INFO(checked.out << checked.err);
    CHECK(checked.status == 0);
    CHECK(checked.out.find("1 of 1 variant are right") != std::string::npos);
  }
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
  says(card("image/grey", "0.299F * p.x + 0.587F * p.y + 0.114F * p.z",
            "static_cast<float>(p.x + p.y + p.z) / 3"),
       "this is the mean of red, green and blue: the weights are missing");
}

}  // namespace
}  // namespace e2e
