#pragma once
// The right answer of a lab: labs/<slug>/oracle.cpp, compiled
// once with the host's compiler, cached, and loaded.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/config/lab.h"
#include "grader/support/for_overwrite.h"
#include "grader/support/result.h"

namespace cudalabs {

/// The expected elements of one output. Exactly one of `values` and `integers` is filled.
struct Expected {
  UnsetVector<double> values;
  UnsetVector<std::int64_t> integers;
  UnsetVector<double> magnitudes, roundings;  ///< only for ToleranceKind::SumOfProducts
};

/// Thread-safe once loaded. Copies share the loaded library, which stays loaded for the life of the process.
class Oracle {
 public:
  /// Compiles lab.oracle into `folder` (made private, see config/cache.h) unless it is there, and loads
  /// it. Errors: no compiler, the compiler's message, or an entry missing from the source.
  static Result<Oracle> load(const Lab& lab, const std::filesystem::path& folder);

  /// Names its code: it is another where the source, the headers or their compiler are.
  [[nodiscard]] const std::string& key() const { return key_; }

  using Inputs = std::span<const std::vector<std::byte>>;

  /// The expected contents of every output, for inputs in the order of the contract. `before`: what every
  /// number holds that the oracle is to replace; anything by default.
  [[nodiscard]] std::vector<Expected> expected(const Lab& lab, const TestCase& test, Inputs inputs,
                                               std::optional<std::int64_t> before = std::nullopt) const;

  /// Runs the course's single-thread CPU version; the outputs in their own element type. This is what is
  /// timed for the speedup figure: allocate nothing in the timed part by passing the same `results` again.
  void baseline(const Lab& lab, const TestCase& test, Inputs inputs,
                std::vector<std::vector<std::byte>>& results) const;

  /// A well-known mistake of this lab and what it would have returned.
  struct Mistake {
    std::string words;  ///< "the minimum of each row instead of its maximum"
    std::vector<Expected> answer;
  };
  [[nodiscard]] std::vector<Mistake> usual_mistakes(const Lab& lab, const TestCase& test,
                                                    Inputs inputs) const;

 private:
  Oracle() = default;

  struct Entries;
  std::shared_ptr<const Entries> entries_;
  std::string key_;
};

}  // namespace cudalabs
