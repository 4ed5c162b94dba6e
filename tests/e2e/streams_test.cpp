// `grader run --check streamcheck` on the programs of tests/programs/streams with each compiler. They have a
// mistake in the order of their streams, and none if RIGHT is defined. Also tests their results with
// --shuffle-streams.

#include <cstdlib>
#include <fstream>
#include <regex>

#include "tests/e2e/program_folder.h"
#include "tests/harness/catch.h"
#include "tests/harness/golden.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kStreams = fs::path(CUDALABS_SOURCE) / "tests" / "programs" / "streams";

/// The programs with a mistake, with the expected message beside each.
std::vector<std::string> wrong_programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kStreams)) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

class StreamPrograms : public ProgramFolder {
 public:
  StreamPrograms() : ProgramFolder(kStreams) {}
  [[nodiscard]] Outcome run(const std::string& name, const std::string& compiler,
                            const std::vector<std::string>& more) const {
    std::vector<std::string> words{"--device", "simulator"};
    if (name == "per_thread") words.insert(words.end(), {"--default-stream", "per-thread"});
    words.insert(words.end(), more.begin(), more.end());
    return ProgramFolder::run(name, compiler, words);
  }
};

/// One folder for all tests: what one has compiled the others find in the cache.
const StreamPrograms& stream_programs() {
  static const StreamPrograms programs;
  return programs;
}

/// Calls test(name, compiler) for each of them.
template <class Test>
void for_wrong_programs(const Test& test) {
  for (const std::string& name : wrong_programs()) {
    for (const std::string& compiler : stream_programs().compilers(name)) {
      INFO(compiler << " " << name);
      test(name, compiler);
    }
  }
}

bool all_right(const std::string& out) {
  return out.find("right\n") != std::string::npos && out.find("wrong") == std::string::npos;
}

}  // namespace

TEST_CASE("what no event and no wait orders is found, and nothing where it is ordered", "[streams]") {
  const StreamPrograms& programs = stream_programs();
  for_wrong_programs([&](const std::string& name, const std::string& compiler) {
    const Outcome wrong = programs.run(name, compiler, {"--check", "streamcheck"});
    cudalabs::test::check_file(kStreams / (name + ".txt"), wrong.err);
    CHECK(wrong.status == 1);
    const Outcome right = programs.run(name, compiler, {"--check", "streamcheck", "-DRIGHT"});
    CHECK(right.err == "");
    CHECK(all_right(right.out));
    CHECK(right.status == 0);
  });
  CHECK(wrong_programs().size() == 18);
}

TEST_CASE("a program whose streams are in order is left alone", "[streams]") {
  const std::string compiler = GENERATE(from_range(stream_programs().compilers("in_order")));
  INFO(compiler);
  const StreamPrograms& programs = stream_programs();
  const Outcome plain = programs.run("in_order", compiler, {});
  CHECK(all_right(plain.out));
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--check", "streamcheck"},
                                             {"--check", "racecheck,initcheck,synccheck,streamcheck"},
                                             {"--shuffle-streams", "1"},
                                             {"--shuffle-streams", "18446744073709551615"},
                                             {"--shuffle-streams", "3", "--clock", "estimated"},
                                             {"--shuffle-streams", "4", "--check", "streamcheck"}}) {
    INFO(more.back());
    const Outcome outcome = programs.run("in_order", compiler, more);
    CHECK(outcome.out == plain.out);
    CHECK(outcome.err == "");
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("in another order a wrong program shows it, and a right one does not", "[streams]") {
  const StreamPrograms& programs = stream_programs();
  for_wrong_programs([&](const std::string& name, const std::string& compiler) {
    int shown = 0;
    for (const std::string seed : {"1", "2"}) {
      const Outcome wrong = programs.run(name, compiler, {"--shuffle-streams", seed});
      shown += all_right(wrong.out) ? 0 : 1;
      if (seed == "1") CHECK(wrong.out == programs.run(name, compiler, {"--shuffle-streams", seed}).out);
      const Outcome right = programs.run(name, compiler, {"--shuffle-streams", seed, "-DRIGHT"});
      CHECK(all_right(right.out));
      CHECK(right.status == 0);
    }
    // Memory of a pool is available at once, so only a GPU shows that it was used too early. The contents of
    // a freed heap buffer are unspecified; mostly they are unchanged.
    if (name != "pool_used" && name != "freed_early") CHECK(shown > 0);
  });
}

TEST_CASE("a race of streams is told to other programs by both lines, and suppressed by one", "[streams]") {
  const std::string compiler = GENERATE(from_range(stream_programs().compilers("two_kernels")));
  const StreamPrograms& programs = stream_programs();
  const Outcome first =
      programs.run("two_kernels", compiler,
                   {"--check", "streamcheck", "--json", "found.json", "--write-suppressions", "known.txt"});
  CHECK(first.status == 1);
  const Json findings = Json::parse(read_file(programs.sandbox().work() / "found.json"))["findings"];
  REQUIRE(findings.size() == 1);
  CHECK(findings[0]["rule"] == "streamcheck");
  CHECK(findings[0]["severity"] == "error");
  CHECK(findings[0]["kind"] == "race between operations");
  CHECK(findings[0]["here"] == Json::parse(R"({"file": "two_kernels.cu", "line": 13, "what":
                        "kernel add(int const*, int*, int) on stream 2 reads it"})"));
  CHECK(findings[0]["others"][0] == Json::parse(R"({"file": "two_kernels.cu", "line": 7, "what":
                        "kernel fill(int*, int) on stream 1 writes it"})"));
  CHECK(read_file(programs.sandbox().work() / "known.txt").ends_with("\nstreamcheck two_kernels.cu:13\n"));
  const Outcome second =
      programs.run("two_kernels", compiler, {"--check", "streamcheck", "--suppress", "known.txt"});
  CHECK(second.err == "grader: 1 suppressed\n");
  CHECK(second.status == 0);
}

TEST_CASE("what the host does too early is found in another order, too", "[streams]") {
  const StreamPrograms& programs = stream_programs();
  Outcome outcome = programs.run("early_read", programs.compilers("early_read").front(),
                                 {"--check", "streamcheck", "--shuffle-streams", "1"});
  // If an instruction reads several elements, only the first is reported.
  outcome.err = std::regex_replace(outcome.err, std::regex("on 40[0-9]+ bytes"), "on N bytes");
  CHECK(outcome.err ==
        "early_read.cu:8: error: race on N bytes of page-locked memory: cudaMemcpyAsync() on stream 1 "
        "writes what the host reads, "
        "and nothing orders the two [streamcheck]\n"
        "  early_read.cu:8: cudaMemcpyAsync() on stream 1 writes it\n"
        "  early_read.cu:14: the host reads it\n"
        "  hint: Let the host wait before it reads there: cudaStreamSynchronize(), cudaEventSynchronize() or "
        "cudaDeviceSynchronize().\n"
        "grader: 1 finding\n");
  CHECK(outcome.status == 1);
}

TEST_CASE("errors and faults come where they do without another order", "[streams]") {
  const std::string compiler = GENERATE(from_range(stream_programs().compilers("errors")));
  const StreamPrograms& programs = stream_programs();
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"--shuffle-streams", "1"}}) {
    INFO(compiler << " " << more.size());
    const Outcome outcome = programs.run("errors", compiler, more);
    CHECK(outcome.out ==
          "launch: cudaErrorInvalidValue\ncopy: cudaErrorInvalidValue\nseen\n"
          "before the fault: cudaSuccess\nfault: cudaErrorIllegalAddress\n");
    CHECK(outcome.status == 1);
  }
}

TEST_CASE("the seed of an order is a number", "[streams]") {
  const StreamPrograms& programs = stream_programs();
  for (const char* const seed : {"x", "-1", "1.5", "18446744073709551616"}) {
    INFO(seed);
    const Outcome outcome =
        programs.sandbox().grader({"run", "two_kernels.cu", std::string("--shuffle-streams=") + seed});
    CHECK(outcome.err == "grader: --shuffle-streams needs an integer seed\n");
    CHECK(outcome.status == 2);
  }
}

}  // namespace e2e
