// compaction positive: the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes what each
// function gets.
#include "oracle.h"

namespace {

/// Keeps value(i) for all i in [0, end) for which keep(x[i]) holds. What lies behind them does not count.
template <class Keep, class Value>
void fill(const OracleCall* call, std::int64_t end, Keep keep, Value value) {
  const auto* x = static_cast<const int*>(call->inputs[0]);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < end; ++i)
    if (keep(x[i])) call->expected[0].integers[count++] = value(i);
  call->expected[1].integers[0] = count;
}

constexpr std::int64_t kBlocks[] = {32, 128, 256, 512, 1024};
constexpr int kBlockCount = 5;

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const auto* x = static_cast<const int*>(call->inputs[0]);
  fill(
      call, call->sizes[0], [](int v) { return v > 0; }, [=](std::int64_t i) { return x[i]; });
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
  const auto* x = static_cast<const int*>(call->inputs[0]);
  const std::int64_t n = call->sizes[0];
  const auto positive = [](int v) { return v > 0; };
  const auto element = [=](std::int64_t i) { return x[i]; };
  switch (which) {
    case 0:
      fill(
          call, n, [](int v) { return v >= 0; }, element);
      return "all numbers that are not negative: zero is not positive";
    case 1:
      fill(
          call, n, [](int v) { return v < 0; }, element);
      return "the negative numbers";
    case 2:
      fill(call, n, positive, [](std::int64_t i) { return i; });
      return "the places of the positive numbers";
    case 3:
      if (n == 0) return "";
      fill(call, n - 1, positive, element);
      return "the positive numbers without the last element of x";
    case 4:
      fill(
          call, n, [](int v) { return v != 0; }, element);
      return "all numbers but zeros";
    default: break;
  }
  const int kind = (which - 5) / kBlockCount;
  const std::int64_t width = kBlocks[(which - 5) % kBlockCount];
  if (kind > 1 || n < width) return kind > 1 ? nullptr : "";
  fill(call, kind == 0 ? n / width * width : width, positive, element);
  return kind == 0
             ? text_of(
                   call,
                   "the positive numbers of whole groups of {} elements: those behind the last one are lost",
                   width)
             : text_of(call, "the positive numbers of the first {} elements only", width);
}
