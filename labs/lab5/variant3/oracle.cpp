// lab5 variant3, sum of doubles: what is right, what it costs on one CPU thread, and what is often wrong.
#include "sum_of_vector.h"

namespace {

using Element = double;

/// One rounding more than the additions have: our own value is rounded to double, too.
reductions::Answer sum(reductions::Line<Element> vector) {
  reductions::Answer answer = reductions::sum(vector);
  ++answer.roundings;
  return answer;
}

}  // namespace

extern "C" void oracle(const OracleCall* call) { sum_of_vector::oracle<Element>(call, sum); }
extern "C" void baseline(const OracleCall* call) { sum_of_vector::baseline<Element, Element>(call); }
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  return sum_of_vector::mistake<Element>(call, which, sum);
}
