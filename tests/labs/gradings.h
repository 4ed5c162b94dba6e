#pragma once
// Grades solutions in the test's own process, with fixed inputs. Solutions of one variant that are graded one
// after another share a GradingContext.

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/grading/grading_context.h"
#include "tests/harness/grader.h"

namespace e2e {

/// Which gradings are explained again from their stored runs: every sixth, or each of them. With $REPLAY=all
/// it is each of them everywhere.
enum class Replay { Some, All };

class Gradings {
 public:
  explicit Gradings(cudalabs::CompilerChoice compiler = cudalabs::CompilerChoice::Auto,
                    Replay replay = Replay::Some);
  /// The result of `source` as the solution of a variant. `beside`: headers that lie beside it. Throws
  /// std::runtime_error if it cannot be graded, or if it is replayed and its stored run, explained again
  /// without a device, leads to another result.
  nlohmann::json grade(const std::string& slug, const std::string& source,
                       const std::vector<std::filesystem::path>& beside);
  nlohmann::json grade(const std::string& slug, const std::string& source);

 private:
  cudalabs::GradingContext& context(const std::string& slug);
  /// Whether the next grading is replayed.
  bool replays();

  cudalabs::CompilerChoice compiler_;
  Sandbox sandbox_;
  /// Of the last variant only, because its cases take hundreds of megabytes.
  std::unique_ptr<cudalabs::GradingContext> context_;
  std::string slug_;  ///< whose context_ it is
  Replay replay_;
  std::size_t gradings_ = 0;
};

/// Has this version of a result all points for correctness?
bool all_right(const nlohmann::json& version);

}  // namespace e2e
