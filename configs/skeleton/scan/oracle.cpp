// @LAB@ @VARIANT@: the right answer, its time on one CPU thread, and usual mistakes.
#include "oracle.h"

namespace {

/// y[i] = the sum of x from `first(i)` to before i + more.
template <class First>
void fill(const OracleCall* call, std::int64_t more, First first) {
  const auto* x = static_cast<const int*>(call->inputs[0]);
  const OracleExpected& y = call->expected[0];
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < y.count; ++i) {
    if (first(i) == i) sum = 0;
    y.integers[i] = more == 1 ? sum + x[i] : sum;
    sum += x[i];
  }
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  fill(call, 1, [](std::int64_t) { return std::int64_t{0}; });
}

extern "C" void baseline(const OracleCall* call) {
  const auto* x = static_cast<const int*>(call->inputs[0]);
  long long sum = 0;
  for (std::int64_t i = 0; i < call->sizes[0]; ++i)
    static_cast<long long*>(call->results[0])[i] = sum += x[i];
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  switch (which) {
    case 0:
      fill(call, 0, [](std::int64_t) { return std::int64_t{0}; });
      return "the exclusive scan: each sum lacks its own element";
    case 1:
      if (call->sizes[0] <= 256) return "";
      fill(call, 1, [](std::int64_t i) { return i / 256 * 256; });
      return "a scan of each block of 256 alone: the sums of the blocks before are missing";
    default: return nullptr;
  }
}
