// @LAB@ @VARIANT@: the right answer, its time on one CPU thread, and usual mistakes.
#include "oracle.h"

#include <cmath>

namespace {

struct Problem {
  float alpha;
  const float *x, *y;

  explicit Problem(const OracleCall* call)
      : alpha(*static_cast<const float*>(call->inputs[0])),
        x(static_cast<const float*>(call->inputs[1])),
        y(static_cast<const float*>(call->inputs[2])) {}
};

template <class Value>
void fill(const OracleCall* call, Value value) {
  const OracleExpected& out = call->expected[0];
  for (std::int64_t i = 0; i < out.count; ++i) out.values[i] = value(i);
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const Problem p(call);
  const OracleExpected& out = call->expected[0];
  for (std::int64_t i = 0; i < out.count; ++i) {
    const double product = static_cast<double>(p.alpha) * p.x[i];
    out.values[i] = product + p.y[i];
    out.magnitudes[i] = std::abs(product) + std::abs(p.y[i]);
    out.roundings[i] = 2;
  }
}

extern "C" void baseline(const OracleCall* call) {
  const Problem p(call);
  auto* y = static_cast<float*>(call->results[0]);
  for (std::int64_t i = 0; i < call->sizes[0]; ++i) y[i] = p.alpha * p.x[i] + p.y[i];
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Problem p(call);
  for (std::int64_t i = 0; i < call->expected[0].count; ++i)
    call->expected[0].magnitudes[i] = call->expected[0].roundings[i] = 1;
  switch (which) {
    case 0:
      fill(call, [&](std::int64_t i) { return static_cast<double>(p.alpha) * p.x[i]; });
      return "alpha * x: what y held is missing";
    case 1:
      fill(call, [&](std::int64_t i) { return static_cast<double>(p.x[i]) + p.y[i]; });
      return "x + y: alpha is missing";
    default: return nullptr;
  }
}
