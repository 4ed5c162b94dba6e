#pragma once
// The right answer of a lab: labs/<slug>/oracle.cpp, compiled once with the host's compiler, cached, and
// loaded.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/base/for_overwrite.h"
#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// The expected elements of one output. Exactly one of `values` and `integers` is filled.
struct Expected {
  UnsetVector<double> values;
  UnsetVector<std::int64_t> integers;
  UnsetVector<double> magnitudes, roundings;  ///< only for ToleranceKind::SumOfProducts
};

/// The number of an output's outermost elements that count in this answer (Parameter::length).
std::int64_t counted_length(const Lab& lab, const TestCase& test, const Parameter& output,
                            const std::vector<Expected>& answer);

/// The elements as an output of this type holds them.
std::vector<std::byte> as_written(const Expected& answer, ElementType type);

/// Thread-safe once loaded. Copies share the loaded library, which stays loaded for the life of the process.
class Oracle {
 public:
  /// Loads compiled_oracle(). Errors: of that, or an entry that is missing from the source.
  static Result<Oracle> load(const Lab& lab, const std::filesystem::path& folder);

  /// Identifies the oracle's code. It changes with the source, the headers or their compiler.
  [[nodiscard]] const std::string& key() const { return key_; }

  using Inputs = std::span<const std::vector<std::byte>>;

  /// The expected contents of every output, for inputs in the order of the contract. If an oracle does not
  /// set a number, or adds to it, the number starts as 0. The first small case shows whether the oracle does
  /// that. Most do not, and their megabytes of output need not be zeroed.
  [[nodiscard]] std::vector<Expected> expected(const Lab& lab, const TestCase& test, Inputs inputs) const;
  /// Name of the array that has numbers which the oracle does not set, or adds to: "values", "magnitudes",
  /// ...; null if there is none.
  [[nodiscard]] const char* unset_array(const Lab& lab, const TestCase& test, Inputs inputs) const;

  /// Runs the course's single-threaded CPU version and returns the outputs in their own element type. The
  /// speedup figure is timed with this: pass the same `results` again so that the timed part allocates
  /// nothing.
  void baseline(const Lab& lab, const TestCase& test, Inputs inputs,
                std::vector<std::vector<std::byte>>& results) const;

  /// A well-known mistake of this lab and the answer that it gives.
  struct Mistake {
    int number;     ///< among the lab's usual mistakes
    Message words;  ///< kCourseText: "the minimum of each row instead of its maximum"
    std::vector<Expected> answer;
  };
  /// Lets the oracle change the inputs of a case, if it wants to. `seed`: of these inputs.
  void make_inputs(const Lab& lab, const TestCase& test, std::span<std::vector<std::byte>> inputs,
                   std::uint64_t seed) const;
  /// Returns whether the oracle makes inputs.
  [[nodiscard]] bool has_generator() const;

  /// What the oracle finds wrong with the outputs of the tolerance `checked`.
  struct Finding {
    Message words;                      ///< kCourseText
    std::optional<std::size_t> output;  ///< the number of the output that is wrong there
    std::size_t element = 0;            ///< the first wrong number in it
    double wrong = 0;                   ///< the share of its elements that is wrong; 0: not known
  };
  [[nodiscard]] std::optional<Finding> check(const Lab& lab, const TestCase& test, Inputs inputs,
                                             std::span<const std::span<const std::byte>> outputs) const;

  using VisitMistake = std::function<void(const Mistake& mistake)>;
  /// Numbers of usual mistakes; none: all of them.
  using Mistakes = std::optional<std::set<int>>;
  /// Calls `visit` with each of these mistakes that has an answer for these inputs. The answers share their
  /// memory.
  void each_usual_mistake(const Lab& lab, const TestCase& test, Inputs inputs, const Mistakes& mistakes,
                          const VisitMistake& visit) const;
  [[nodiscard]] std::vector<Mistake> usual_mistakes(const Lab& lab, const TestCase& test,
                                                    Inputs inputs) const;

 private:
  Oracle() = default;
  /// `before`: the initial value of every number that the oracle replaces; none: uninitialized.
  [[nodiscard]] std::vector<Expected> filled(const Lab& lab, const TestCase& test, Inputs inputs,
                                             std::optional<std::int64_t> before) const;

  struct Entries;
  std::shared_ptr<const Entries> entries_;
  std::string key_;
};

}  // namespace cudalabs
