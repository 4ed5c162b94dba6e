#pragma once
// Grades solutions in the test's own process, with fixed inputs. All of one variant are graded on one
// GradingContext.

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/grading/grading_context.h"
#include "tests/harness/grader.h"

namespace e2e {

class Gradings {
 public:
  explicit Gradings(cudalabs::CompilerChoice compiler = cudalabs::CompilerChoice::Auto);
  /// The result of `source` as the solution of a variant. `beside`: headers that lie beside it. Throws
  /// std::runtime_error if it cannot be graded, or if its stored run, explained again without a device, leads
  /// to another result.
  nlohmann::json grade(const std::string& slug, const std::string& source,
                       const std::vector<std::filesystem::path>& beside);
  nlohmann::json grade(const std::string& slug, const std::string& source);

 private:
  cudalabs::GradingContext& context(const std::string& slug);

  cudalabs::CompilerChoice compiler_;
  Sandbox sandbox_;
  std::map<std::string, std::unique_ptr<cudalabs::GradingContext>> benches_;  ///< by slug
};

}  // namespace e2e
