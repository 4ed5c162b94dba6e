// lab4 variant3, matrix product of doubles: what is right,
// what it costs on one CPU thread, and what is often wrong.
#include "product_of_two.h"

namespace {

using Element = double;
using Wide = long double;
constexpr double more_roundings = 1;  // the right value is rounded to double, too

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  matrix_product::oracle<Element, Wide>(call, more_roundings);
}
extern "C" void baseline(const OracleCall* call) { matrix_product::baseline<Element>(call); }
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  return matrix_product::usual_mistake<Element, Wide>(call, which, more_roundings);
}
