// lab1 variant1, table of sin(sqrt(x)): what is right, what
// it costs on one CPU thread, and what is often wrong.
#include <cmath>
#include <cstdint>

#include "oracle.h"

namespace {

struct Grid {
  double start, step;
  std::int64_t n;

  explicit Grid(const OracleCall* call)
      : start(static_cast<const float*>(call->inputs[0])[0]),
        step(static_cast<const float*>(call->inputs[0])[1]),
        n(call->sizes[0]) {}

  [[nodiscard]] double x(std::int64_t i) const { return start + static_cast<double>(i) * step; }
};

/// y[i] = value(i). The bound is that of contract.cuh: 8
/// roundings, each of which reaches y as 1 + t, t being the angle.
template <class Value>
void fill(const OracleCall* call, Value value, bool angle_is_x = false) {
  const Grid grid(call);
  const OracleExpected& y = call->expected[0];
  for (std::int64_t i = 0; i < y.count; ++i) {
    y.values[i] = value(grid, i);
    y.magnitudes[i] = 1 + (angle_is_x ? grid.x(i) : std::sqrt(grid.x(i)));
    y.roundings[i] = 8;
  }
}

double f(double x) { return std::sin(std::sqrt(x)); }

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  fill(call, [](const Grid& grid, std::int64_t i) { return f(grid.x(i)); });
}

extern "C" void baseline(const OracleCall* call) {
  const auto* grid = static_cast<const float*>(call->inputs[0]);
  auto* y = static_cast<float*>(call->results[0]);
  for (std::int64_t i = 0; i < call->sizes[0]; ++i)
    y[i] = std::sin(std::sqrt(grid[0] + static_cast<float>(i) * grid[1]));
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  switch (which) {
    case 0:
      fill(
          call, [](const Grid& grid, std::int64_t i) { return std::sin(grid.x(i)); }, true);
      return "sin(x): the square root is missing";
    case 1:
      fill(call, [](const Grid& grid, std::int64_t i) { return std::sqrt(grid.x(i)); });
      return "sqrt(x): the sine is missing";
    case 2:
      fill(call, [](const Grid& grid, std::int64_t i) { return std::cos(std::sqrt(grid.x(i))); });
      return "cos(sqrt(x)) instead of sin(sqrt(x))";
    case 3:
      fill(call, [](const Grid& grid, std::int64_t i) { return std::sqrt(std::sin(grid.x(i))); });
      return "sqrt(sin(x)) instead of sin(sqrt(x)): the functions are in the wrong order";
    case 4:
      fill(call, [](const Grid& grid, std::int64_t i) { return f(static_cast<double>(i) * grid.step); });
      return "a table that begins at x = 0: the start is not added";
    case 5:
      fill(call, [](const Grid& grid, std::int64_t i) { return f(grid.x(i + 1)); });
      return "a table that is one step ahead: element 0 belongs to the start itself";
    case 6:
      fill(call, [](const Grid& grid, std::int64_t i) { return f(grid.start + static_cast<double>(i)); });
      return "a table with the step 1: i is not multiplied by the step";
    case 7:
      fill(call, [](const Grid& grid, std::int64_t i) {
        return f(grid.step + static_cast<double>(i) * grid.start);
      });
      return "a table with start and step exchanged";
    case 8:
      fill(call, [](const Grid& grid, std::int64_t) { return f(grid.start); });
      return "the value at the start in every element: i does not appear in x";
    case 9:
      fill(call,
           [](const Grid& grid, std::int64_t i) { return std::sin(std::sqrt(grid.x(i)) * M_PI / 180); });
      return "the sine of an angle in degrees: sinf takes radians";
    case 10:
    case 11:
    case 12:
    case 13: {
      const std::int64_t block = std::int64_t{128} << (which - 10);
      fill(call, [block](const Grid& grid, std::int64_t i) { return f(grid.x(i % block)); });
      return "a table that begins anew in each block: the index must contain blockIdx.x * blockDim.x";
    }
    case 14:
      fill(call, [](const Grid& grid, std::int64_t i) { return f(grid.x(i / 32 * 32)); });
      return "the same value for all 32 threads of a warp";
    default: return nullptr;
  }
}
