#include "grader/course/exact_sums.h"

#include <algorithm>
#include <cmath>

#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

/// The significant bits of a type, and of the next lower precision that a solution may compute in.
struct Precision {
  int bits, lower_bits;
};
constexpr Precision kFloat{24, 11}, kDouble{53, 24};  // below float: half precision and tf32

constexpr std::int64_t kMinPlain = 2;  // two, so that neighbours can differ

std::int64_t root(std::int64_t square) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
  while (root * root > square) --root;
  return root;
}

/// The sum of all terms must not exceed `budget`. The fine elements' share of it is fixed, so a plan holds
/// for any order and for any choice of the elements.
ExactSums plan(std::int64_t terms, int factors, std::int64_t inputs, Precision precision) {
  const std::int64_t budget = std::int64_t{1} << precision.bits;
  // Odd numbers above this have one bit more than the lower precision holds.
  const std::int64_t fine = std::int64_t{1} << precision.lower_bits;
  const std::int64_t most_plain = fine / 8;
  const std::int64_t count = std::max<std::int64_t>(terms, 1);
  ExactSums sums{terms, 0, fine, 2 * fine, 0, inputs};
  if (factors == 1 && count <= budget / (2 * fine)) {
    sums.fine_high = std::min(budget / count, 4 * fine);
    sums.fine_terms = terms;
  } else if (factors == 1) {
    sums.fine_terms = budget / 8 / (2 * fine);
    sums.plain = std::min(budget / 8 * 7 / count, most_plain);
  } else if (inputs == 1) {
    sums.fine_high = root(budget / 2);
    sums.fine_terms = 1;
    sums.plain = std::min(root(budget / 2 / count), most_plain);
  } else {
    sums.plain = std::min(root(budget / 4 * 3 / count), most_plain);
    if (sums.plain > 0) sums.fine_terms = budget / 4 / (2 * fine * sums.plain);
  }
  sums.fine_terms = std::min(sums.fine_terms, terms);
  return sums;
}

/// True iff the plain numbers have too few values to distinguish an element from its neighbour.
bool too_long(const ExactSums& sums) {
  return sums.plain < kMinPlain && (sums.inputs > 1 || sums.fine_terms < sums.terms);
}

}  // namespace

Result<ExactSums> plan_exact_sums(const Lab& lab, const TestCase& test) {
  if (!lab.sums) {
    return error(msg::exact_sums_of_what(), msg::say_what_is_added_up());
  }
  const Sums& sums = *lab.sums;
  Precision precision = kDouble;
  std::int64_t inputs = 0;
  for (const Parameter& p : lab.parameters) {
    if (p.role == ParameterRole::Size) continue;
    if (is_integer(p.type)) {
      return error(msg::exact_sums_of_integers(p.name), msg::integers_add_exactly());
    }
    if (p.role == ParameterRole::Scalar) return error(msg::exact_sums_with_scalar(p.name));
    if (p.type != ElementType::Float32 && p.type != ElementType::Float64)
      return error(msg::exact_sums_of_type(p.name, spelling(p.contract_type())));
    if (p.type == ElementType::Float32) precision = kFloat;
    if (!p.acts_as(ParameterRole::Input)) continue;
    ++inputs;
    if (std::ranges::count(p.shape, sums.over) != 1) {
      return error(msg::exact_sums_not_added_up(p.name, sums.over));
    }
    if (p.low > 0 || p.high < 0) {
      return error(msg::exact_sums_far_from_zero(p.name));
    }
  }
  if (inputs < 1 || inputs > sums.factors) {
    return error(msg::exact_sums_of_many_inputs(inputs, sums.factors));
  }
  const std::int64_t terms = test.size(sums.over);
  const ExactSums made = plan(terms, sums.factors, inputs, precision);
  if (!too_long(made)) return made;
  std::int64_t fits = 1, fails = terms;
  while (fails - fits > 1) {
    const std::int64_t middle = fits + (fails - fits) / 2;
    (too_long(plan(middle, sums.factors, inputs, precision)) ? fails : fits) = middle;
  }
  return error(msg::exact_sums_too_long(terms, test.name(), fits), msg::take_smaller_size(sums.over));
}

}  // namespace cudalabs
