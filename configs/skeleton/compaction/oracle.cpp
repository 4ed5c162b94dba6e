// @LAB@ @VARIANT@: the right answer, its time on one CPU thread, and usual mistakes.
#include "oracle.h"

namespace {

/// Keeps the elements for which keep(element) holds. Those behind them do not count.
template <class Keep>
void fill(const OracleCall* call, Keep keep) {
  const auto* x = static_cast<const int*>(call->inputs[0]);
  const OracleExpected& kept = call->expected[0];
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < kept.count; ++i)
    if (keep(x[i])) kept.integers[count++] = x[i];
  call->expected[1].integers[0] = count;
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  fill(call, [](int x) { return x > 0; });
}

extern "C" void baseline(const OracleCall* call) {
  const auto* x = static_cast<const int*>(call->inputs[0]);
  auto* kept = static_cast<int*>(call->results[0]);
  int count = 0;
  for (std::int64_t i = 0; i < call->sizes[0]; ++i)
    if (x[i] > 0) kept[count++] = x[i];
  *static_cast<int*>(call->results[1]) = count;
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  if (which > 0) return nullptr;
  fill(call, [](int x) { return x >= 0; });
  return "all numbers that are not negative: zero is not positive";
}
