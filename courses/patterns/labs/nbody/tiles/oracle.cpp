// nbody tiles, forces between bodies: the bodies, what is right, what it costs on one CPU thread, and what is often
// wrong.
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace {

constexpr double kSoftening = 0.01;
constexpr double kTermRoundings = 12;  // of a difference, the square, its root, the quotient, the product

struct Body {
  float x, y, z, mass;
};

/// What is wrong with a submission. Nothing: all 0.
struct Mistake {
  int left_out = 0;          ///< bodies at the end that do not count
  bool itself_only = false;  ///< w of the point instead of the body
  bool away = false;         ///< the difference has the other sign
  bool no_root = false;      ///< s * s instead of s * sqrt(s)
  bool unsoftened = false;   ///< without the softening
};

struct Field {
  const Body *points, *bodies;
  std::int64_t n, m;

  explicit Field(const OracleCall* call)
      : points(static_cast<const Body*>(call->inputs[0])),
        bodies(static_cast<const Body*>(call->inputs[1])),
        n(call->sizes[0]),
        m(call->sizes[1]) {}
};

template <class Number>
struct Sums {
  Number x = 0, y = 0, z = 0;              ///< the acceleration
  Number all_x = 0, all_y = 0, all_z = 0;  ///< the sums of the terms' absolute values
};

template <class Number>
Sums<Number> acceleration(const Field& field, std::int64_t i, const Mistake& mistake) {
  Sums<Number> sums;
  const Body a = field.points[i];
  for (std::int64_t j = 0; j < field.m - mistake.left_out; ++j) {
    const Body b = field.bodies[j];
    const Number x = static_cast<Number>(b.x) - a.x, y = static_cast<Number>(b.y) - a.y,
                 z = static_cast<Number>(b.z) - a.z;
    const Number s = x * x + y * y + z * z + static_cast<Number>(mistake.unsoftened ? 0 : kSoftening);
    const Number mass = mistake.itself_only ? a.mass : b.mass;
    const Number factor = (mistake.away ? -mass : mass) / (s * (mistake.no_root ? s : std::sqrt(s)));
    sums.x += x * factor;
    sums.y += y * factor;
    sums.z += z * factor;
    sums.all_x += std::abs(x * factor);
    sums.all_y += std::abs(y * factor);
    sums.all_z += std::abs(z * factor);
  }
  return sums;
}

}  // namespace

// Masses are positive. Places that all are the same show a division by 0.
extern "C" void make_inputs(const OracleInputs* call) {
  auto *points = static_cast<Body*>(call->inputs[0]), *bodies = static_cast<Body*>(call->inputs[1]);
  const bool one_place = std::string_view(call->distribution) == "constant";
  OracleRandom random(call->seed);
  for (std::int64_t j = 0; j < call->sizes[1]; ++j) {
    if (one_place) bodies[j] = bodies[0];
    bodies[j].mass = static_cast<float>(random.uniform(0.5, 1));
  }
  for (std::int64_t i = 0; one_place && i < call->sizes[0]; ++i) points[i] = bodies[0];
}

extern "C" void oracle(const OracleCall* call) {
  const OracleExpected& out = call->expected[0];
  const Field field(call);
  for (std::int64_t i = 0; i < field.n; ++i) {
    const auto sums = acceleration<double>(field, i, {});
    const double values[] = {sums.x, sums.y, sums.z, 0}, all[] = {sums.all_x, sums.all_y, sums.all_z, 0};
    for (int k = 0; k < 4; ++k) {
      out.values[4 * i + k] = values[k];
      out.magnitudes[4 * i + k] = all[k];
      out.roundings[4 * i + k] = static_cast<double>(field.m) + kTermRoundings;
    }
  }
}

extern "C" void baseline(const OracleCall* call) {
  auto* out = static_cast<Body*>(call->results[0]);
  const Field field(call);
  for (std::int64_t i = 0; i < field.n; ++i) {
    const auto sums = acceleration<float>(field, i, {});
    out[i] = {sums.x, sums.y, sums.z, 0};
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const char* const kWords[] = {
      "a sum without the last body",
      "a sum over whole tiles of 128 bodies only: the last tile is rarely full",
      "a sum that takes the w of the point: the mass is that of the body",
      "a repulsion: the difference is the place of the body minus that of the point",
      "a sum with s * s instead of s * sqrt(s)",
      "a sum without `softening`",
  };
  constexpr int kTile = 128;
  if (which >= static_cast<int>(std::size(kWords))) return nullptr;
  const Field field(call);
  Mistake mistake;
  if (which == 0) mistake.left_out = 1;
  if (which == 1) mistake.left_out = static_cast<int>(field.m % kTile);
  mistake.itself_only = which == 2;
  mistake.away = which == 3;
  mistake.no_root = which == 4;
  mistake.unsoftened = which == 5;
  if (which == 1 && mistake.left_out == 0) return "";
  for (std::int64_t i = 0; i < field.n; ++i) {
    const auto sums = acceleration<double>(field, i, mistake);
    const double values[] = {sums.x, sums.y, sums.z, 0};
    std::copy(std::begin(values), std::end(values), call->expected[0].values + 4 * i);
  }
  return kWords[which];
}
