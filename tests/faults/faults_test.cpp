// Injects failures of the machine, one at a time and in every place: a full disk, a killed child, no process,
// no pipe. The outcome must be the same score card as without the failure, or exit status 3. A later grading
// with the same cache must be right. $CUDA_LABS_FAULTS=all tries every request, and 3/8 the third of eight
// parts of them, so that processes can share the work. By default it tries an evenly spread selection of each
// kind.

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Fault {
  const char* kind;
  int error;  ///< errno; for "killed" the milliseconds before it
  int tries;  ///< in a short run
};

constexpr Fault kFaults[] = {{"write", ENOSPC, 2}, {"write", EINTR, 2}, {"short", 0, 2},
                             {"full", ENOSPC, 3},  {"open", ENOSPC, 2}, {"mkdir", ENOSPC, 1},
                             {"rename", EIO, 2},   {"read", EIO, 2},    {"read", EINTR, 1},
                             {"pipe", EMFILE, 2},  {"fork", EAGAIN, 2}, {"killed", 1, 1},
                             {"killed", 30, 4},    {"killed", 150, 2},  {"device_killed", 0, 2}};

/// The requests to try: those whose number has this remainder.
struct Part {
  long remainder = 0, of = 1;
};

/// None: a selection.
std::optional<Part> part_asked() {
  const char* const asked = std::getenv("CUDA_LABS_FAULTS");
  if (asked == nullptr) return std::nullopt;
  if (std::string(asked) == "all") return Part{};
  Part part;
  REQUIRE(std::sscanf(asked, "%ld/%ld", &part.remainder, &part.of) == 2);
  REQUIRE((part.remainder >= 1 && part.remainder <= part.of));
  part.remainder %= part.of;
  return part;
}

/// A submission that was never graded before: it is right, and its cache entries are new.
class FaultyMachine {
 public:
  FaultyMachine()
      : solution_(e2e::read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu")) {
    REQUIRE_FALSE(solution_.empty());
  }

  e2e::Outcome grade(const std::string& fault) {
    std::map<std::string, std::string> environment{{"XDG_CACHE_HOME", (sandbox_.work() / "cache").string()}};
    const fs::path done = sandbox_.work() / "done";
    fs::remove(done);
    if (!fault.empty())
      environment.insert(
          {{"LD_PRELOAD", CUDALABS_SHIM}, {"CUDALABS_FAULT", fault}, {"CUDALABS_FAULT_DONE", done.string()}});
#ifdef __SANITIZE_ADDRESS__  // its runtime must be the first library
    environment.insert({"ASAN_OPTIONS", "verify_asan_link_order=0:alloc_dealloc_mismatch=0"});
#endif
    const auto file = sandbox_.write("row_max.cu", solution_ + "// " + std::to_string(edition_) + "\n");
    return sandbox_.grader({"lab3", "variant4", "--submission", file.string(), "--device",
                            e2e::device_asked(), "--seed", "7", "--version", "global", "--json", "-", "-q"},
                           environment);
  }
  void next_edition() { ++edition_; }

  std::map<std::string, long> counts() {
    const fs::path file = sandbox_.work() / "counts";
    const auto outcome = grade("count " + file.string());
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    std::map<std::string, long> counts;
    for (const char* part : {"counts", "counts.device"}) {
      std::istringstream lines(e2e::read_file(sandbox_.work() / part));
      std::string kind;
      for (long count = 0; lines >> kind >> count;) counts[kind] = std::max(counts[kind], count);
    }
    return counts;
  }

 private:
  e2e::Sandbox sandbox_;
  std::string solution_;
  int edition_ = 0;
};

/// The content of a submission's result, without what differs between runs.
json essence(const std::string& document) {
  json card = json::parse(document);
  card.erase("nondeterministic");
  card.erase("source");
  // Measured times vary; their points are compared.
  for (json& version : card.at("versions"))
    if (card.at("device") == "gpu") version.erase("speed");
  return card;
}

}  // namespace

TEST_CASE("whatever fails once, the card is right or there is none", "[faults]") {
  FaultyMachine machine;
  const auto first = machine.grade("");  // fills the cache with the course's entries
  INFO(first.err);
  REQUIRE(first.status == 0);
  const json right = essence(first.out);
  machine.next_edition();
  const auto counts = machine.counts();
  const std::optional<Part> part = part_asked();

  int refused = 0, graded = 0;
  for (const Fault& fault : kFaults) {
    INFO(fault.kind);
    const long count = counts.at(fault.kind);
    REQUIRE(count > 0);
    const long tries = part ? count : std::min<long>(fault.tries, count);
    for (long i = 0; i < tries; ++i) {
      const long which = 1 + i * count / tries + (part ? 0 : (count / tries) / 2);
      if (part && which % part->of != part->remainder) continue;
      std::ostringstream what;
      what << fault.kind << " " << which << " " << fault.error;
      INFO(what.str() << " of " << count);
      machine.next_edition();
      const auto outcome = machine.grade(what.str());
      INFO(outcome.err);
      CHECK(outcome.left_behind.empty());
      if (outcome.status == 3) {
        ++refused;
        CHECK(outcome.out.empty());
        CHECK(outcome.err.find("grader: ") != std::string::npos);
      } else {
        ++graded;
        CHECK(outcome.status == 0);
        CHECK(essence(outcome.out) == right);
      }
      const auto again = machine.grade("");
      INFO(again.err);
      CHECK(again.status == 0);
      CHECK((again.status == 0 && essence(again.out) == right));
    }
  }
  std::printf("%d refused, %d graded\n", refused, graded);
  CHECK(graded > 0);
  CHECK((refused > 0 || part));  // a small part may contain only failures that are repaired
}
