// Compares the simulator with a real GPU (ctest label gpu): every reference, every right solution of another
// shape and every planted bug, on every case, with the same inputs. The binary may come from another machine:
// it looks for the repository in $CUDA_LABS_SOURCE. $LABS_ONLY selects a lab or lab/variant.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "grader/course/course.h"
#include "grader/grading/explain/build_verdict.h"
#include "grader/grading/grade_version.h"
#include "grader/grading/grading_context.h"
#include "grader/grading/measure/judged_call.h"
#include "tests/harness/catch.h"
#include "tests/harness/device_process.h"
#include "tests/labs/solutions.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 7;

fs::path root() {
  const char* const given = std::getenv("CUDA_LABS_SOURCE");
  return given != nullptr ? given : CUDALABS_SOURCE;
}

struct Solution {
  std::string slug, name, source;
  bool right = false;
};

std::vector<Solution> all_solutions() {
  const fs::path tests = root() / "tests" / "labs";
  const char* const only = std::getenv("LABS_ONLY");
  std::vector<Solution> solutions;
  const Course course{root()};
  for (const std::string& lab : lab_names(course)) {
    for (const std::string& variant : variant_names(course, lab)) {
      const std::string slug = lab + "/" + variant;
      solutions.push_back({slug, "reference", e2e::reference_source(root() / "reference", slug), true});
    }
    for (auto& [slug, name, source] : e2e::read_alternatives(tests, lab))
      solutions.push_back({slug, name, std::move(source), true});
    for (const e2e::Mutant& mutant : e2e::read_mutants(tests, lab)) {
      const std::string reference = e2e::reference_source(root() / "reference", mutant.slug);
      solutions.push_back(
          {mutant.slug, "mutant " + std::to_string(mutant.number), e2e::edited(reference, mutant), false});
    }
  }
  if (only != nullptr) {
    std::erase_if(solutions, [only](const Solution& s) {
      return s.slug != only && !s.slug.starts_with(std::string(only) + "/");
    });
  }
  return solutions;
}

struct Tally {
  std::size_t versions = 0, cases = 0, same_bits = 0;
  std::size_t undefined = 0;         ///< versions with a race or a bad access on the simulator
  std::size_t undefined_passed = 0;  ///< of these: versions with only right answers on the GPU
  std::vector<std::string> problems;

  void add(const Tally& other) {
    versions += other.versions, cases += other.cases, same_bits += other.same_bits;
    undefined += other.undefined, undefined_passed += other.undefined_passed;
    problems.insert(problems.end(), other.problems.begin(), other.problems.end());
  }
};

/// Returns whether there is a fault or a race, even with a right answer.
bool is_undefined(const CaseEvidence& test) {
  return test.verdict == Verdict::RuntimeError || test.message.english().starts_with("race on ");
}
bool is_right(const CaseEvidence& test) { return test.verdict == Verdict::Accepted; }

/// The result of one version on one device.
struct Ran {
  VersionEvidence evidence;
  std::uint32_t multiprocessors = 0;

  [[nodiscard]] ObservedCall timed() const {
    const CaseEvidence& test = evidence.cases.back();
    return {test.launches, test.bytes_to_host > 0, multiprocessors};
  }
};

/// Compares the results of a version on both devices. If the simulator found undefined behaviour, the GPU may
/// do anything.
void compare(const Solution& solution, const Ran& on_simulator, const Ran& on_card, Tally& tally) {
  const VersionEvidence &simulated = on_simulator.evidence, &measured = on_card.evidence;
  ++tally.versions;
  if (solution.right) {
    if (const auto difference = first_difference(on_simulator.timed(), on_card.timed()))
      tally.problems.push_back(fmt::format("{} {} `{}`: {}", solution.slug, solution.name, simulated.name,
                                           difference->what.english()));
  }
  if (std::ranges::any_of(simulated.cases, is_undefined)) {
    ++tally.undefined;
    if (std::ranges::all_of(measured.cases, is_right)) ++tally.undefined_passed;
    return;
  }
  for (std::size_t i = 0; i < simulated.cases.size(); ++i) {
    const CaseEvidence &here = simulated.cases[i], &there = measured.cases[i];
    if (here.verdict == Verdict::NotGraded) continue;
    ++tally.cases;
    if (here.verdict != there.verdict) {
      tally.problems.push_back(fmt::format("{} {} `{}` {}: {} on the simulator ({}), {} on the card ({})",
                                           solution.slug, solution.name, simulated.name, here.name,
                                           spelling(here.verdict), here.message.english(),
                                           spelling(there.verdict), there.message.english()));
    }
    if (here.fingerprint == there.fingerprint) ++tally.same_bits;
  }
}

Result<Ran> run_on(Result<RunContext> context, const fs::path& executable, std::size_t version) {
  if (!context) return context.problem();
  context->fingerprints = true;
  auto evidence = grade_version(*context, executable, version);
  if (!evidence) return evidence.problem();
  return Ran{std::move(*evidence), context->device->facts().multiprocessors};
}

/// The simulator uses two workers, so that several solutions can run at a time.
Result<RunContext> simulator_of(GradingContext& bench) {
  auto context = bench.simulator(bench.lab(), kSeed, GradingContext::Purpose::Checkers);
  if (!context) return context;
  context->device_options.threads = 2;
  if (const auto started = context->replace_device(); !started) return started.problem();
  return context;
}

Tally run_both(const Solution& solution) {
  Tally tally;
  const auto give_up = [&](const std::string& why) {
    tally.problems.push_back(solution.slug + " " + solution.name + ": " + why);
    return tally;
  };
  const std::size_t slash = solution.slug.find('/');
  const auto opened = GradingContext::open(Course{root()}, solution.slug.substr(0, slash),
                                           solution.slug.substr(slash + 1), {});
  if (!opened) return give_up(opened.problem().text());
  GradingContext& bench = **opened;
  const Lab& lab = bench.lab();
  const auto built = bench.build({lab.file, {lab.file, solution.source}, {}});
  if (!built) return give_up(built.problem().text());
  const auto versions = judge_build(lab, *built, {});
  for (std::size_t v = 0; v < versions.size(); ++v) {
    if (versions[v].state != Verdict::Accepted) return give_up("`" + versions[v].name + "` does not compile");
    const auto simulated = run_on(simulator_of(bench), built->executable, v);
    if (!simulated) return give_up(simulated.problem().text());
    const auto measured =
        run_on(bench.card(lab, kSeed, DeviceChoice::Gpu, {}, [](const Message&) {}), built->executable, v);
    if (!measured) return give_up(measured.problem().text());
    compare(solution, *simulated, *measured, tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("the simulator and the card agree", "[agreement]") {
  const std::vector<Solution> solutions = all_solutions();
  REQUIRE_FALSE(solutions.empty());

  Tally right, wrong;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> workers;
    const unsigned count = std::max(1u, std::thread::hardware_concurrency() / 2);
    for (unsigned w = 0; w < count; ++w) {
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < solutions.size(); i = next++) {
          const Tally tally = run_both(solutions[i]);
          const std::lock_guard lock(mutex);
          (solutions[i].right ? right : wrong).add(tally);
        }
      });
    }
  }
  for (const auto& [what, tally] : {std::pair("right solutions", right), std::pair("planted bugs", wrong)}) {
    fmt::print(
        "{}: {} versions, {} cases compared, {} of them equal in every bit; {} versions with undefined "
        "behaviour found by the simulator, of which the card gave only right answers for {}\n",
        what, tally.versions, tally.cases, tally.same_bits, tally.undefined, tally.undefined_passed);
    for (const std::string& problem : tally.problems) FAIL_CHECK(problem);
  }
  CHECK(right.undefined == 0);
}

}  // namespace cudalabs
