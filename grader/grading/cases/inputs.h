#pragma once
// Makes the contents of a test case from the run's secret seed. The same seed gives the same contents on
// every platform.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/cases/oracle.h"

namespace cudalabs {

/// Returns the lab with sizes and scalars drawn from this seed for cases that leave them open. A program that
/// is right only for the published sizes thus meets others.
Lab with_drawn_sizes(Lab lab, std::uint64_t seed);

/// Number of numbers of a parameter in a test case: elements times components; 1 for shape {} and for sizes.
std::size_t element_count(const Parameter& parameter, const TestCase& test);
/// The extents of a parameter in a test case, outermost first. The components of a vector are the innermost
/// dimension, so everything else sees arrays of plain numbers.
std::vector<std::int64_t> extents(const Parameter& parameter, const TestCase& test);

/// Distance between neighbours along a size; 1 if the shape does not have that size.
std::size_t stride_along(const Parameter& parameter, const TestCase& test, const std::string& size);

/// Indices into lab.parameters of those that act as `part`: an InOut is among the inputs and the outputs.
std::vector<std::size_t> parameters_with(const Lab& lab, ParameterRole part);

/// The inputs that are arrays.
std::vector<std::size_t> input_arrays(const Lab& lab);

/// False if no output has an element (zero rows). Such a case only shows that the call does not crash and
/// writes nothing. An empty stub passes it, so it must earn no points alone.
bool has_output_elements(const Lab& lab, const TestCase& test);

/// Everything that one call of one version on one test case needs. Inputs and outputs are in the order of the
/// contract, in their element type, little-endian, without padding.
struct CaseData {
  std::vector<std::vector<std::byte>> inputs;
  /// contents of the outputs before the call: poison (grading/cases/poison.h), or what an InOut holds as an
  /// input
  std::vector<UnsetVector<std::byte>> initial_outputs;
  std::vector<Expected> expected;
  std::optional<Oracle> oracle;  ///< finds usual mistakes in a wrong output; absent: does not look for them

  /// Calls `visit` with each usual mistake, if there is an oracle. The oracle reads all inputs for each: in a
  /// large case only these mistakes are visited. Small answers are kept, because all submissions that fail a
  /// case of one seed ask for them. A copy with other inputs must have no oracle.
  void each_usual_mistake(const Lab& lab, const TestCase& test, const Oracle::Mistakes& of_large,
                          const Oracle::VisitMistake& visit) const;

  struct KeptMistakes {
    std::mutex mutex;
    Oracle::Mistakes made = std::set<int>{};
    std::vector<Oracle::Mistake> mistakes;  ///< those of `made` that have an answer, by number
  };
  std::shared_ptr<KeptMistakes> kept_mistakes = std::make_shared<KeptMistakes>();
};

/// Selects one of the many contents that a seed stands for. Each version and each repetition should use its
/// own key.
struct CaseKey {
  std::uint64_t seed = 0;
  std::uint32_t case_index = 0, version_index = 0, repetition = 0;
  friend bool operator==(const CaseKey&, const CaseKey&) = default;
};

/// The bytes of an array or a scalar before the call.
std::span<const std::byte> initial_contents(const Lab& lab, const CaseData& data, std::size_t parameter);

CaseData make_case(const Lab& lab, const Oracle& oracle, const TestCase& test, const CaseKey& key);

/// Makes only the inputs, with the same contents as make_case.
std::vector<std::vector<std::byte>> make_inputs(const Lab& lab, const Oracle& oracle, const TestCase& test,
                                                const CaseKey& key);
/// The input of parameter number `parameter` as its distribution has it, before the oracle changes it.
std::vector<std::byte> make_input(const Lab& lab, const TestCase& test, std::size_t parameter,
                                  const CaseKey& key);

/// Returns whether the oracle judges an output (ToleranceKind::Checked).
bool has_checked_output(const Lab& lab);

}  // namespace cudalabs
