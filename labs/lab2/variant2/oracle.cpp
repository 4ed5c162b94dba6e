// lab2 variant2, transpose of a matrix: what is right, what
// it costs on one CPU thread, and what is often wrong.
#include "transpose.h"

namespace {

transpose::Problem problem(const OracleCall* call) {
  return {static_cast<const float*>(call->inputs[0]), call->sizes[0], call->sizes[1]};
}

}  // namespace

extern "C" void oracle(const OracleCall* call) { transpose::answer(call, problem(call)); }

extern "C" void baseline(const OracleCall* call) {
  const auto p = problem(call);
  auto* out = static_cast<float*>(call->results[0]);
  for (std::int64_t r = 0; r < p.rows; ++r)
    for (std::int64_t c = 0; c < p.cols; ++c) out[c * p.rows + r] = p.a[r * p.cols + c];
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  return transpose::mistake(call, problem(call), which);
}
