#include "tests/labs/gradings.h"

#include <cstdlib>
#include <stdexcept>

#include "grader/base/freed_memory.h"
#include "grader/grading/grade.h"
#include "grader/present/formats/json.h"
#include "tests/harness/device_process.h"
#include "tests/harness/files.h"
#include "tests/labs/solutions.h"

namespace e2e {
namespace {

/// All cases of a variant fit, once for each version: every grading has the same seed.
constexpr std::size_t kKeptCaseBytes = std::size_t{1} << 30;

/// What `result` holds; an error is told to the test.
template <class T>
T value_of(cudalabs::Result<T> result) {
  if (!result) throw std::runtime_error(result.problem().text());
  return std::move(*result);
}

nlohmann::json graded(cudalabs::GradingContext& context, const cudalabs::GradeJob& job) {
  const auto result = value_of(cudalabs::grade(context, job, [](const cudalabs::Message&) {}));
  return nlohmann::json::parse(cudalabs::json_report(result));
}

/// What was observed in a grading leads to the same result when it is explained again without a device.
void check_same(nlohmann::json result, nlohmann::json replayed) {
  result.erase("nondeterministic");
  replayed.erase("nondeterministic");
  if (result != replayed)
    throw std::runtime_error("the stored run leads to another result: " +
                             nlohmann::json::diff(result, replayed).dump(1).substr(0, 3000));
}

}  // namespace

Gradings::Gradings(cudalabs::CompilerChoice compiler, Replay replay)
    : compiler_(compiler), replay_(std::getenv("REPLAY") == nullptr ? replay : Replay::All) {
  cudalabs::keep_freed_memory(512);
  // As Sandbox::grader: what is compiled is shared with the other tests.
  // The largest right solutions take some seconds, and several tests share the machine's cores. They may run
  // as many instructions as in a grading.
  const auto limits = sandbox_.course() / "configs" / "grading.yaml";
  cudalabs::test::replace_in(limits, "call_seconds: 4", "call_seconds: 60");
  cudalabs::test::replace_in(limits, "warp_instructions: 200000000", "warp_instructions: 2000000000");
  ::setenv("XDG_CACHE_HOME", (std::filesystem::path(CUDALABS_BIN).parent_path() / "e2e-cache").c_str(), 1);
}

cudalabs::GradingContext& Gradings::context(const std::string& slug) {
  if (context_ && slug_ == slug) return *context_;
  context_.reset();
  const cudalabs::Course course{sandbox_.course()};
  const std::size_t slash = slug.find('/');
  context_ = value_of(cudalabs::GradingContext::open(
      course, slug.substr(0, slash), slug.substr(slash + 1),
      {cudalabs::DeviceChoice::Simulator,
       value_of(cudalabs::load_device_profile(course, cudalabs::kDefaultProfile)), nullptr, compiler_,
       kKeptCaseBytes}));
  slug_ = slug;
  return *context_;
}

bool Gradings::replays() {
  constexpr std::size_t kOneIn = 6;  // explaining a run again takes a third of the time of running it
  return gradings_++ % kOneIn == 0 || replay_ == Replay::All;
}

bool all_right(const nlohmann::json& version) {
  return version.at("correctness").at("points") == version.at("correctness").at("max_points");
}

nlohmann::json Gradings::grade(const std::string& slug, const std::string& source) {
  return grade(slug, source, {});
}

nlohmann::json Gradings::grade(const std::string& slug, const std::string& source,
                               const std::vector<std::filesystem::path>& beside) {
  constexpr std::uint64_t kSeed = 7;
  cudalabs::GradingContext& context = this->context(slug);
  const auto file = sandbox_.write(only_source(sandbox_.course() / "reference" / slug).filename(), source);
  for (const auto& header : beside) sandbox_.write(header.filename(), text_of(header));
  auto job = value_of(cudalabs::prepare(context, {file, {}, kSeed}));
  if (!replays()) return graded(context, job);
  job.stored_runs = sandbox_.work() / "runs";
  std::filesystem::create_directory(job.stored_runs);
  const nlohmann::json result = graded(context, job);
  job.replay = true;
  check_same(result, graded(context, job));
  std::filesystem::remove_all(job.stored_runs);
  return result;
}

}  // namespace e2e
