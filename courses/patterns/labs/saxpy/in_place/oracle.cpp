// saxpy in_place: the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes what each
// function gets.
#include "oracle.h"

#include <algorithm>
#include <cmath>

namespace {

struct Problem {
  double alpha;
  const float *x, *y;
  std::int64_t n;

  explicit Problem(const OracleCall* call)
      : alpha(*static_cast<const float*>(call->inputs[0])),
        x(static_cast<const float*>(call->inputs[1])),
        y(static_cast<const float*>(call->inputs[2])),
        n(call->sizes[0]) {}

  [[nodiscard]] double right(std::int64_t i) const { return alpha * x[i] + y[i]; }
};

template <class Value>
void fill(const OracleCall* call, const Problem& p, Value value) {
  const OracleExpected& out = call->expected[0];
  for (std::int64_t i = 0; i < p.n; ++i) {
    out.values[i] = value(i);
    out.magnitudes[i] = std::fabs(p.alpha * p.x[i]) + std::fabs(p.y[i]);
    out.roundings[i] = 2;
  }
}

constexpr std::int64_t kThreads[] = {128, 256, 512, 1024, 65536};
constexpr int kThreadCount = 5;

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const Problem p(call);
  fill(call, p, [&](std::int64_t i) { return p.right(i); });
}

extern "C" void baseline(const OracleCall* call) {
  const Problem p(call);
  const auto alpha = static_cast<float>(p.alpha);
  auto* y = static_cast<float*>(call->results[0]);
  for (std::int64_t i = 0; i < p.n; ++i) y[i] = alpha * p.x[i] + p.y[i];
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Problem p(call);
  switch (which) {
    case 0:
      fill(call, p, [&](std::int64_t i) { return p.alpha * p.x[i]; });
      return "alpha * x: what y held is missing";
    case 1:
      fill(call, p, [&](std::int64_t i) { return static_cast<double>(p.x[i]) + p.y[i]; });
      return "x + y: alpha is missing";
    case 2:
      fill(call, p, [&](std::int64_t i) { return p.alpha * p.y[i] + p.x[i]; });
      return "alpha * y + x: the arrays are exchanged";
    case 3:
      fill(call, p, [&](std::int64_t i) { return p.alpha * (p.x[i] + static_cast<double>(p.y[i])); });
      return "alpha * (x + y)";
    case 4:
      fill(call, p, [&](std::int64_t i) { return p.alpha * p.x[i] + p.right(i); });
      return "2 * alpha * x + y: each element is changed twice, so the threads' elements overlap";
    case 5:
      fill(call, p, [&](std::int64_t i) { return i < p.n / 4 * 4 ? p.right(i) : p.y[i]; });
      return "a result without its last elements, which are fewer than four: a vector does not hold them";
    case 6:
      fill(call, p, [&](std::int64_t i) { return i < p.n / 4 ? p.right(i) : p.y[i]; });
      return "a result in the first quarter alone: each thread has one element, and there are n / 4 threads";
    default: break;
  }
  const int kind = (which - 7) / kThreadCount;
  const std::int64_t width = kThreads[(which - 7) % kThreadCount];
  if (kind > 1 || p.n <= width) return kind > 1 ? nullptr : "";
  const std::int64_t end = kind == 0 ? p.n / width * width : width;
  fill(call, p, [&](std::int64_t i) { return i < end ? p.right(i) : p.y[i]; });
  return kind == 0
             ? text_of(call,
                       "a result for whole blocks of {} elements only: the grid's size is not rounded up",
                       width)
             : text_of(call, "a result for the first {} elements only: the threads do not step on", width);
}
