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
  // Known well enough by sums of doubles, which are rounded as often as the submission's.
  const auto own_roundings = static_cast<double>(call->sizes[2]);
  return matrix_product::usual_mistake<Element, double>(call, which, more_roundings + own_roundings);
}
