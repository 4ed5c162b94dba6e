// @LAB@ @VARIANT@: the right answer, its time on one CPU thread, and usual mistakes.
#include "oracle.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace {

/// The places of the pairs in the order in which `before` sorts their keys.
template <class Before>
std::vector<std::int64_t> sorted(const OracleCall* call, Before before) {
  const auto* keys = static_cast<const int*>(call->inputs[0]);
  std::vector<std::int64_t> places(static_cast<std::size_t>(call->sizes[0]));
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::int64_t a, std::int64_t b) { return before(keys[a], keys[b]); });
  return places;
}

template <class Before>
void fill(const OracleCall* call, Before before) {
  const std::vector<std::int64_t> places = sorted(call, before);
  for (std::size_t i = 0; i < places.size(); ++i) {
    call->expected[0].integers[i] = static_cast<const int*>(call->inputs[0])[places[i]];
    call->expected[1].values[i] = static_cast<const float*>(call->inputs[1])[places[i]];
  }
}

}  // namespace

extern "C" void oracle(const OracleCall* call) { fill(call, std::less<>()); }

extern "C" void baseline(const OracleCall* call) {
  const std::vector<std::int64_t> places = sorted(call, std::less<>());
  for (std::size_t i = 0; i < places.size(); ++i) {
    static_cast<int*>(call->results[0])[i] = static_cast<const int*>(call->inputs[0])[places[i]];
    static_cast<float*>(call->results[1])[i] = static_cast<const float*>(call->inputs[1])[places[i]];
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  if (which > 0) return nullptr;
  fill(call, std::greater<>());
  return "the keys in descending order";
}
