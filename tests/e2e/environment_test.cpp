// The grader in an incomplete environment: it reports what is missing, and the exit status never blames the
// submission.

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace fs = std::filesystem;
using cudalabs::test::Ended;

namespace {

/// Grades a right solution in a shell, with `before` in front of the command and `after` behind it.
class Surroundings {
 public:
  Surroundings() {
    (void)sandbox_.write("row_max.cu",
                         e2e::read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu") +
                             "// never compiled before: " + fs::path(sandbox_.work()).parent_path().string() +
                             "\n");
  }
  [[nodiscard]] Ended grade(const std::string& before, const std::string& after) const {
    cudalabs::test::Invocation invocation;
    invocation.words = cudalabs::test::shell(
        before + " " + std::string(CUDALABS_BIN) +
        "/grader lab3 variant4 --submission row_max.cu --device simulator --seed 7 --version global " +
        after);
    invocation.folder = sandbox_.work();
    invocation.environment = {
        {"CUDA_LABS_COURSE", sandbox_.course().string()},
        {"XDG_CACHE_HOME", (fs::path(CUDALABS_BIN).parent_path() / "e2e-cache").string()}};
    return cudalabs::test::run(invocation);
  }
  [[nodiscard]] const fs::path& work() const { return sandbox_.work(); }

 private:
  e2e::Sandbox sandbox_;
};

const std::string kLost =
    "grader: cannot write the result to stdout\n  hint: check whether stdout is closed or the disk is full\n";

}  // namespace

TEST_CASE("a card that cannot be written is not lost in silence", "[environment]") {
  const Surroundings here;
  for (const char* after : {"-q > /dev/full", "-q --json - > /dev/full", "-q >&-"}) {
    INFO(after);
    const Ended ended = here.grade("", after);
    CHECK(ended.status == 3);
    // The missing protection of a weaker sandbox is reported first.
    CHECK(ended.err.ends_with(kLost));
    CHECK((ended.err.starts_with("Sandbox: ") || ended.err == kLost));
  }
  const Ended list =
      cudalabs::test::run({cudalabs::test::shell(std::string(CUDALABS_BIN) + "/grader list > /dev/full")});
  CHECK(list.status == 3);
  CHECK(list.err == kLost);
}

TEST_CASE("closed and full descriptors that nobody needs change nothing", "[environment]") {
  const Surroundings here;
  for (const char* after : {"-q <&-", "-q 2>&-", "2> /dev/full -q", "-q <&- 2>&-"}) {
    INFO(after);
    const Ended ended = here.grade("", after);
    CHECK(ended.status == 0);
    CHECK(ended.out == "lab3 variant4: 30 of 30 points\n");
  }
  CHECK(here.grade("", "-q >&- 2>&- <&-").status == 3);
}

TEST_CASE("too small a stack is told, not met in the middle", "[environment]") {
  const Surroundings here;
  const Ended small = here.grade("ulimit -s 64;", "-q");
  CHECK(small.status == 3);
  CHECK(small.err ==
        "grader: the stack limit of this shell is too low\n  hint: raise the limit: ulimit -s 8192\n");
  const Ended enough = here.grade("ulimit -s 512;", "-q");
  CHECK(enough.status == 0);
  CHECK(enough.out == "lab3 variant4: 30 of 30 points\n");
}

TEST_CASE("too few open files and too small ones are told as the shell's limits", "[environment]") {
  const Surroundings here;
  const Ended few = here.grade("ulimit -n 10;", "-q");
  CHECK(few.status == 3);
  CHECK(
      few.err ==
      "grader: the limit on open files of this shell is too low\n  hint: raise the limit: ulimit -n 1024\n");
  const Ended small = here.grade("ulimit -f 100;", "-q");
  CHECK(small.status == 3);
  CHECK(small.err ==
        "grader: the limit on file size of this shell is too low\n  hint: lift the limit: ulimit -f "
        "unlimited\n");
  const Ended enough = here.grade("ulimit -n 64; ulimit -f 262144;", "-q");  // sh counts in 512 bytes
  INFO(enough.err);
  CHECK(enough.status == 0);
  CHECK(enough.out == "lab3 variant4: 30 of 30 points\n");
}

TEST_CASE("a C++ compiler that does not say which it is is named, with what it did", "[environment]") {
  const Surroundings here;
  const struct {
    const char *script, *did;
  } cases[] = {{"exit 1", "exited with status 1"},
               {"echo no libstdc++ >&2; echo 2 >&2; exit 7", "exited with status 7: no libstdc++"},
               {"exit 0", "printed nothing"},
               {"kill -SEGV $$", "was killed by SIGSEGV"},
               {"yes g++", "did not stop printing"},
               {"echo g++; exec sleep 1000", "did not finish within 15 s"}};
  const std::string program = (here.work() / "g++").string();
  for (const auto& [script, did] : cases) {
    INFO(script);
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    const Ended ended = here.grade("CUDAHOSTCXX=" + program, "-q");
    CHECK(ended.status == 3);
    CHECK(ended.err == "grader: " + program + " does not work: called with --version it " + did +
                           "\n  hint: try it in a shell: " + program +
                           " --version; to use another, set CUDAHOSTCXX to its path\n");
  }
  fs::remove(program);
  const Ended none = here.grade("CUDAHOSTCXX=" + program, "-q");
  CHECK(none.status == 3);
  CHECK(none.err == "grader: $CUDAHOSTCXX names " + program +
                        ", which is not a program\n  hint: set it to the path of a program, or unset it\n");
}

TEST_CASE("names in the environment that there are not are told before anything is done", "[environment]") {
  const Surroundings here;
  const struct {
    const char *variable, *kind, *values;
  } cases[] = {{"CUDA_LABS_SANDBOX", "sandbox", "sandboxes are bubblewrap, landlock and limits"},
               {"CUDA_LABS_COMPILER", "compiler", "compilers are auto, nvcc and clang"},
               {"CUDA_LABS_ENGINE", "engine", "engines are auto, interpreter and native"}};
  for (const auto& [variable, kind, values] : cases) {
    const Ended ended = here.grade(std::string(variable) + "=nonsense", "-q");
    CHECK(ended.status == 2);
    CHECK(ended.err == std::string("grader: unknown ") + kind + " 'nonsense' in $" + variable +
                           "\n  hint: the " + values + "\n");
  }
  CHECK(here.grade("CUDA_LABS_SANDBOX= CUDA_LABS_COMPILER=", "-q").status == 0);
  const Ended list =
      cudalabs::test::run({cudalabs::test::shell("CUDA_LABS_SANDBOX=bwrap " CUDALABS_BIN "/grader list")});
  CHECK(list.status == 2);
}

TEST_CASE("a cache without room is named, and how to have another", "[environment]") {
  if (cudalabs::test::run({cudalabs::test::shell("unshare -rm mount -t tmpfs t /mnt")}).status != 0) {
    WARN("no user namespaces: a full disk is tried by the faults test alone");
    return;
  }
  const Surroundings here;
  fs::create_directory(here.work() / "c");
  const Ended full = here.grade(
      "unshare -rm sh -c 'mount -t tmpfs -o size=100k t c && XDG_CACHE_HOME=$PWD/c exec \"$@\"' x", "-q");
  INFO(full.err);
  CHECK(full.status == 3);
  CHECK(full.err.find("': No space left on device\n  hint: the disk of '" +
                      (here.work() / "c/cuda-labs").string() +
                      "' is full: free some space, or set XDG_CACHE_HOME to a folder on another disk\n") !=
        std::string::npos);
}

TEST_CASE("a temporary folder that is not there, or has no room, is named", "[environment]") {
  const Surroundings here;
  const Ended missing = here.grade("TMPDIR=/nonexistent", "-q");
  CHECK(missing.status == 3);
  CHECK(missing.err.find("grader: cannot create a temporary folder: No such file or directory\n"
                         "  hint: check that TMPDIR, /nonexistent, is a folder") == 0);

  const Ended possible = cudalabs::test::run({cudalabs::test::shell("unshare -rm mount -t tmpfs t /mnt")});
  if (possible.status != 0) {
    WARN("no user namespaces: a full disk is tried by the faults test alone");
    return;
  }
  fs::create_directory(here.work() / "t");
  for (const char* size : {"100k", "600k"}) {
    INFO(size);
    const Ended full = here.grade("unshare -rm sh -c 'mount -t tmpfs -o size=" + std::string(size) +
                                      " t t && TMPDIR=$PWD/t exec \"$@\"' x",
                                  "-q");
    INFO(full.err);
    CHECK(full.status == 3);
    CHECK(full.out.empty());
    CHECK(full.err.find("grader: cannot write to ") == 0);
    CHECK(full.err.find("set TMPDIR to a folder on another disk") != std::string::npos);
  }
  const Ended after = here.grade("", "-q");  // nothing of the failure was cached
  CHECK(after.out == "lab3 variant4: 30 of 30 points\n");
}

TEST_CASE("what is damaged in the cache is made anew, and costs no points", "[environment]") {
  const Surroundings here;
  const fs::path cache = here.work() / "cache";
  const std::string own = "env XDG_CACHE_HOME=" + cache.string();
  const Ended sound = here.grade(own, "-q");
  REQUIRE(sound.status == 0);
  // Simulates files that a power cut truncated or a bad disk changed.
  std::size_t times = 0;
  for (const bool cut : {true, false}) {
    for (const char* part : {"build", "oracles", "versions", "precompiled"}) {
      std::error_code none;
      for (const auto& entry : fs::recursive_directory_iterator(cache / "cuda-labs" / part, none)) {
        if (!entry.is_regular_file() || entry.file_size() == 0) continue;
        ++times;
        const auto half = entry.file_size() / 2;
        if (cut) fs::resize_file(entry.path(), half);
        if (!cut)
          std::fstream(entry.path(), std::ios::in | std::ios::out | std::ios::binary).seekp(half).put('\1');
      }
    }
    const Ended damaged = here.grade(own, "-q");
    INFO(damaged.out << damaged.err);
    CHECK(damaged.status == 0);
    CHECK(damaged.out == sound.out);
  }
  CHECK(times >= 10);  // programs, objects, outcomes, figures, the oracle
}

TEST_CASE("a home that may not be entered is no bug of the grader", "[environment]") {
  const Surroundings here;
  fs::create_directory(here.work() / "home");
  fs::permissions(here.work() / "home", fs::perms::none);
  // Root may enter every folder unless it drops that capability.
  const std::string plain = ::geteuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search " : "";
  const Ended ended =
      here.grade(plain + "env -u XDG_CACHE_HOME HOME=" + (here.work() / "home").string(), "-q");
  fs::permissions(here.work() / "home", fs::perms::owner_all);
  INFO(ended.err);
  CHECK(ended.status == 0);
}

TEST_CASE("all calls together have a budget, and what was known by then counts", "[environment]") {
  const e2e::Sandbox sandbox;
  const fs::path limits = sandbox.course() / "configs/grading.yaml";
  std::string text = e2e::read_file(limits);
  text.replace(text.find("  call_seconds"), 0, "  submission_seconds: 4\n");
  std::ofstream(limits) << text;
  // 23 calls of half a second each, all within the limit of six seconds for one call.
  std::string slow = e2e::read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu");
  const std::string name = "row_max_global(const float* a, float* out, int rows, int cols) {";
  REQUIRE(slow.find(name) != std::string::npos);
  slow.insert(slow.find(name) + name.size(),
              " const timespec half{0, 500'000'000}; nanosleep(&half, nullptr);");
  const auto file = sandbox.write("row_max.cu", "#include <time.h>\n" + slow);
  const auto outcome = sandbox.grader({"lab3", "variant4", "--submission", file.string(), "--device",
                                       "simulator", "--version", "global", "--json", "-", "-q"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 1);
  const auto card = nlohmann::json::parse(outcome.out);
  const auto& version = card.at("versions").at(0);
  INFO(version.dump(1));
  const int passed = version.at("correctness").at("passed");
  CHECK(passed >= 3);
  CHECK(passed <= 8);
  CHECK(version.at("verdict") == "timeout");
  CHECK(
      e2e::all_text(card).find("not run: all calls of the submission together exceeded their limit of 4 s") !=
      std::string::npos);
}
