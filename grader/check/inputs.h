#pragma once
// The contents of a test case, made from the run's secret seed: the same on every platform for the same seed.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grader/check/oracle.h"
#include "grader/config/lab.h"

namespace cudalabs {

/// The lab with sizes for this seed where a case leaves them open: a program that is right for the sizes
/// which the course publishes alone meets others.
Lab with_drawn_sizes(Lab lab, std::uint64_t seed);

/// Number of elements of a parameter in a test case; 1 for shape {} and for sizes.
std::size_t element_count(const Parameter& parameter, const TestCase& test);
/// The extents of a parameter in a test case, outermost first.
std::vector<std::int64_t> extents(const Parameter& parameter, const TestCase& test);

/// How far apart the neighbours along a size lie; 1 where the shape does not have it.
std::size_t stride_along(const Parameter& parameter, const TestCase& test, const std::string& size);

/// Indices into lab.parameters.
std::vector<std::size_t> parameters_with(const Lab& lab, ParameterRole role);

/// False where no output has an element (zero rows): such a case only shows that nothing crashes and nothing
/// is written, so an empty stub passes it and it must earn no points by itself.
bool has_output_elements(const Lab& lab, const TestCase& test);

/// Everything that one call of one version on one test case needs. Inputs and outputs in the order of the
/// contract, in their element type, little-endian, without padding.
struct CaseData {
  std::vector<std::vector<std::byte>> inputs;
  /// what the outputs hold before the call (check/poison.h)
  std::vector<UnsetVector<std::byte>> poisoned_outputs;
  std::vector<Expected> expected;
  std::optional<Oracle> oracle;  ///< asked for usual mistakes when an output is wrong; absent: not asked
};

/// Which of the many contents that a seed stands for. Give each version and each repetition its own.
struct CaseKey {
  std::uint64_t seed = 0;
  std::uint32_t case_index = 0, version_index = 0, repetition = 0;
  friend bool operator==(const CaseKey&, const CaseKey&) = default;
};

CaseData make_case(const Lab& lab, const Oracle& oracle, const TestCase& test, const CaseKey& key);

/// Only the input of parameter number `parameter`, as make_case fills it.
std::vector<std::byte> make_input(const Lab& lab, const TestCase& test, std::size_t parameter,
                                  const CaseKey& key);

}  // namespace cudalabs
