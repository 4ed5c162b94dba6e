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

  /// The expected contents of every output, for inputs in the order of the contract. What an oracle leaves
  /// as it is, or adds to, was 0 before. Whether it does is found out in the first small case: most do not,
  /// and megabytes need not be set to 0 for them.
  [[nodiscard]] std::vector<Expected> expected(const Lab& lab, const TestCase& test, Inputs inputs) const;
  /// The array of whose numbers some are not set, or added to: "values", "magnitudes", ...; null: none.
  [[nodiscard]] const char* unset_array(const Lab& lab, const TestCase& test, Inputs inputs) const;

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
  /// `before`: what every number holds that the oracle is to replace; none: anything.
  [[nodiscard]] std::vector<Expected> filled(const Lab& lab, const TestCase& test, Inputs inputs,
                                             std::optional<std::int64_t> before) const;

  struct Entries;
  std::shared_ptr<const Entries> entries_;
  std::string key_;
};

}  // namespace cudalabs
