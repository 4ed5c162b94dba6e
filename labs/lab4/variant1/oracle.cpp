// lab4 variant1, matrix product of floats: what is right,
// what it costs on one CPU thread, and what is often wrong.
#include "product_of_two.h"

namespace {

using Element = float;
using Wide = double;
constexpr double more_roundings = 0;

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  matrix_product::oracle<Element, Wide>(call, more_roundings);
}
extern "C" void baseline(const OracleCall* call) { matrix_product::baseline<Element>(call); }
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  return matrix_product::usual_mistake<Element, Wide>(call, which, more_roundings);
}
