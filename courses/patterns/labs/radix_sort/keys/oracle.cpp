// radix_sort keys, radix sort: the keys, what is right, what it costs on one CPU thread, and what is often wrong.
#include "oracle.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

namespace {

using Keys = std::vector<std::uint32_t>;

Keys keys_of(const OracleCall* call) {
  const auto* keys = static_cast<const std::uint32_t*>(call->inputs[0]);
  return {keys, keys + call->sizes[0]};
}

std::uint32_t draw(std::string_view distribution, OracleRandom& random) {
  if (distribution == "positive") return static_cast<std::uint32_t>(random.below(256));
  if (distribution == "small_integers") return static_cast<std::uint32_t>(random.below(3)) * 21;
  if (distribution == "edge_extremes") {
    const auto near = static_cast<std::uint32_t>(random.below(3));
    const std::uint32_t ends[] = {near, ~near, 0x80000000u + near, 0x7fffffffu - near};
    return ends[random.below(std::size(ends))];
  }
  return static_cast<std::uint32_t>(random.bits());
}

}  // namespace

extern "C" void make_inputs(const OracleInputs* call) {
  auto* keys = static_cast<std::uint32_t*>(call->inputs[0]);
  OracleRandom random(call->seed);
  for (std::int64_t i = 0; i < call->sizes[0]; ++i) keys[i] = draw(call->distribution, random);
}

extern "C" void oracle(const OracleCall* call) {
  Keys keys = keys_of(call);
  std::sort(keys.begin(), keys.end());
  std::copy(keys.begin(), keys.end(), call->expected[0].integers);
}

// The same passes of four bits on one thread.
extern "C" void baseline(const OracleCall* call) {
  constexpr int kDigits = 16, kBits = 4, kAll = 32;
  Keys from = keys_of(call), to(from.size());
  for (int shift = 0; shift < kAll; shift += kBits) {
    std::size_t begin[kDigits + 1] = {};
    for (const std::uint32_t key : from) ++begin[(key >> shift) % kDigits + 1];
    for (int d = 1; d < kDigits; ++d) begin[d] += begin[d - 1];
    for (const std::uint32_t key : from) to[begin[(key >> shift) % kDigits]++] = key;
    from.swap(to);
  }
  std::copy(from.begin(), from.end(), static_cast<std::uint32_t*>(call->results[0]));
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const char* const kWords[] = {
      "the keys in descending order",
      "the keys in the order of their lowest 4 bits only: the passes end after the first digit",
      "the keys in the order of their lower 16 bits only: the passes end too early",
      "the keys as signed numbers: those whose highest bit is set are the largest",
      "stretches of 256 sorted keys: the blocks' keys are not put together",
      "the keys in the order of their highest bits only: begin with the lowest, and keep the order of equal "
      "digits",
  };
  if (which >= static_cast<int>(std::size(kWords))) return nullptr;
  Keys keys = keys_of(call);
  const auto sort_by = [&keys](auto value) {
    std::stable_sort(keys.begin(), keys.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return value(a) < value(b); });
  };
  if (which == 0) std::sort(keys.begin(), keys.end(), std::greater<>());
  if (which == 1) sort_by([](std::uint32_t key) { return key & 15; });
  if (which == 2) sort_by([](std::uint32_t key) { return key & 0xffff; });
  if (which == 3) sort_by([](std::uint32_t key) { return static_cast<std::int32_t>(key); });
  constexpr std::size_t kBlock = 256;
  for (std::size_t i = 0; which == 4 && i < keys.size(); i += kBlock)
    std::sort(keys.begin() + static_cast<std::ptrdiff_t>(i),
              keys.begin() + static_cast<std::ptrdiff_t>(std::min(i + kBlock, keys.size())));
  if (which == 5) sort_by([](std::uint32_t key) { return key >> 28; });
  std::copy(keys.begin(), keys.end(), call->expected[0].integers);
  return kWords[which];
}
