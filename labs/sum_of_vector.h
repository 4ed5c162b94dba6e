#pragma once
// What the oracles of the sum of a vector share, whatever its elements are.

#include "reductions.h"

namespace sum_of_vector {

template <class Element>
reductions::Line<Element> all(const OracleCall* call) {
  return {static_cast<const Element*>(call->inputs[0]), call->sizes[0]};
}

/// `sum` makes the answer of a Line.
template <class Element, class Fold>
void oracle(const OracleCall* call, Fold sum) {
  reductions::store(call, 0, sum(all<Element>(call)));
}

/// Added up in `Total`, the type of the result.
template <class Element, class Total>
void baseline(const OracleCall* call) {
  const auto x = all<Element>(call);
  Total sum = 0;
  for (std::int64_t i = 0; i < x.count; ++i) sum += x.begin[i];
  *static_cast<Total*>(call->results[0]) = sum;
}

/// Numbered from 0, for a usual_mistake(); `sum` as above.
template <class Element, class Fold>
const char* mistake(const OracleCall* call, int which, Fold sum) {
  const auto vector = all<Element>(call);
  const auto store = [call](const reductions::Answer& answer) { reductions::store(call, 0, answer); };
  switch (which) {
    case 0: {
      reductions::Answer twice = sum(vector);
      twice.value *= 2;
      twice.magnitude *= 2;
      store(twice);
      return "twice the sum: every element is added twice";
    }
    case 1: store(reductions::absolute_sum(vector)); return "the sum of the absolute values";
    case 2: store({static_cast<long double>(reductions::best(vector, std::greater<>()))}); return "the maximum instead of the sum";
    default: return reductions::vector_mistake(call, which - 3, vector, "sum", sum);
  }
}

}  // namespace sum_of_vector
