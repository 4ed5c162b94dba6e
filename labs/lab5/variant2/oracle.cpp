// lab5 variant2, sum of floats: what is right, what it costs on one CPU thread, and what is often wrong.
#include "sum_of_vector.h"

namespace {

using Element = float;

reductions::Answer sum(reductions::Line<Element> vector) { return reductions::sum(vector); }

}  // namespace

extern "C" void oracle(const OracleCall* call) { sum_of_vector::oracle<Element>(call, sum); }
extern "C" void baseline(const OracleCall* call) { sum_of_vector::baseline<Element, Element>(call); }
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  return sum_of_vector::mistake<Element>(call, which, sum);
}
