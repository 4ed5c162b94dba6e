// histogram bytes: the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes what each
// function gets.
#include "oracle.h"

#include <algorithm>

namespace {

constexpr int kValues = 256;

/// Counts the elements from `first` to before `end`, with weight(value).
template <class Weight>
void fill(const OracleCall* call, std::int64_t first, std::int64_t end, Weight weight) {
  const auto* x = static_cast<const unsigned char*>(call->inputs[0]);
  std::int64_t* counts = call->expected[0].integers;
  std::fill_n(counts, kValues, 0);
  for (std::int64_t i = first; i < end; ++i) counts[x[i]] += weight(x[i]);
}

constexpr std::int64_t kBlocks[] = {128, 256, 512, 1024};
constexpr int kBlockCount = 4;

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  fill(call, 0, call->sizes[0], [](int) { return 1; });
}

extern "C" void baseline(const OracleCall* call) {
  const auto* x = static_cast<const unsigned char*>(call->inputs[0]);
  auto* counts = static_cast<int*>(call->results[0]);
  std::fill_n(counts, kValues, 0);
  for (std::int64_t i = 0; i < call->sizes[0]; ++i) ++counts[x[i]];
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const std::int64_t n = call->sizes[0];
  const auto one = [](int) { return 1; };
  std::int64_t* counts = call->expected[0].integers;
  switch (which) {
    case 0:
      fill(call, 0, n, [](int v) { return v < 255 ? 1 : 0; });
      return "a histogram without the value 255: there are 256 values";
    case 1:
      fill(call, 0, n, [](int v) { return v < 128 ? 1 : 0; });
      return "a histogram of the values below 128 only: a block of 128 threads handles 128 counters, or the "
             "bytes "
             "are read as signed";
    case 2:
      if (n < 4) return "";
      fill(call, 0, n / 4 * 4, one);
      return "a histogram of whole groups of four bytes only: the last n % 4 bytes are left out";
    case 3:
      fill(call, 0, n, one);
      for (int v = 0; v < kValues; ++v) counts[v] &= 0xffff;
      return "a histogram with counters of 16 bits, which begin again at 65536";
    case 4:
      fill(call, 0, n, one);
      for (int v = 0; v < kValues; ++v) counts[v] &= 0xff;
      return "a histogram with counters of 8 bits, which begin again at 256";
    case 5: fill(call, 0, n, [](int v) { return v > 0 ? 1 : 0; }); return "a histogram without the value 0";
    default: break;
  }
  const int block = (which - 6) % kBlockCount, kind = (which - 6) / kBlockCount;
  const std::int64_t width = kBlocks[block];
  if (kind == 0) {
    if (n < width) return "";
    fill(call, 0, n / width * width, one);
    return text_of(call, "a histogram of whole blocks of {} bytes only: the grid's size is not rounded up",
                   width);
  }
  if (kind == 1) {
    fill(call, 0, std::min(n, width), one);
    return text_of(call, "a histogram of the first {} bytes only: the other blocks' counts are lost", width);
  }
  if (kind == 2) {
    if (n <= width) return "";
    fill(call, (n - 1) / width * width, n, one);
    return text_of(
        call,
        "a histogram of the last block of {} bytes: each block overwrites the counts instead of adding "
        "to them",
        width);
  }
  return nullptr;
}
