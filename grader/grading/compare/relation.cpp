#include "grader/grading/compare/relation.h"

#include <algorithm>
#include <cmath>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/element.h"

namespace cudalabs {
namespace {

using Pairs = std::vector<ValuePair>;

const ValuePair& first_wrong(const Pairs& pairs) {
  return *std::ranges::find(pairs, false, &ValuePair::accepted);
}

bool all_wrong(const Pairs& pairs, const auto& holds) {
  return std::ranges::all_of(pairs, [&](const ValuePair& pair) { return pair.accepted || holds(pair); });
}

Message factor_of(const Pairs& pairs, double slack) {
  const ValuePair& first = first_wrong(pairs);
  if (first.expected == 0) return {};
  const double factor = first.got / first.expected;
  // A factor must be a plain number. Otherwise this is a rounding error and not a factor.
  const double nearest = std::abs(factor) >= 1 ? std::round(factor) : 1 / std::round(1 / factor);
  if (!std::isfinite(factor) || factor == 0 || nearest == 1) return {};
  const bool all = all_wrong(pairs, [&](const ValuePair& pair) {
    return std::abs(pair.got - nearest * pair.expected) <= slack * std::abs(nearest * pair.expected);
  });
  // Elements that are zero are right with any factor. All others must be wrong by this factor.
  const bool some_right =
      std::ranges::any_of(pairs, [](const ValuePair& pair) { return pair.expected != 0 && pair.accepted; });
  if (!all || some_right) return {};
  if (nearest == -1) return msg::wrong_sign();
  return std::abs(nearest) > 1 ? msg::scaled_up(element_text(nearest))
                               : msg::scaled_down(element_text(std::round(1 / factor)));
}

Message difference_of(const Pairs& pairs, double slack) {
  const ValuePair& first = first_wrong(pairs);
  double by = first.got - first.expected;
  if (std::abs(by - std::round(by)) <= slack * std::abs(first.got) && std::round(by) != 0)
    by = std::round(by);
  const auto rounding = [&](const ValuePair& pair) {
    return slack * (std::abs(pair.got) + std::abs(pair.expected) + std::abs(by));
  };
  // A difference of a few roundings is none; an element that is right shows that there is none for all.
  const bool all = std::isfinite(by) && std::ranges::all_of(pairs, [&](const ValuePair& pair) {
                     return !pair.accepted && std::abs(pair.got - pair.expected - by) <= rounding(pair) &&
                            std::abs(by) > 100 * rounding(pair);
                   });
  if (!all) return {};
  const std::string shown =
      by == std::round(by) ? element_text(std::abs(by)) : element_text(static_cast<float>(std::abs(by)));
  return by > 0 ? msg::too_large_by(shown) : msg::too_small_by(shown);
}

/// The first few indices are small numbers that other mistakes give, too.
bool are_indices(const Pairs& pairs) {
  constexpr std::size_t kFew = 8;
  return pairs.size() >= kFew && std::ranges::all_of(pairs, [](const ValuePair& pair) {
           return pair.got == static_cast<double>(pair.index);
         });
}

}  // namespace

Message relation_of(const std::vector<ValuePair>& pairs, double slack) {
  if (are_indices(pairs)) return msg::values_are_indices();
  Message factor = factor_of(pairs, slack);
  return factor.empty() ? difference_of(pairs, slack) : factor;
}

}  // namespace cudalabs
