// scan inclusive: the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes what each
// function gets.
#include "oracle.h"

#include <cstddef>
#include <vector>

namespace {

const int* input(const OracleCall* call) { return static_cast<const int*>(call->inputs[0]); }

/// y[i] = x[first(i)] + ... + x[i], where first(i) is i or first(i - 1).
template <class First>
void fill(const OracleCall* call, First first) {
  const int* x = input(call);
  const OracleExpected& y = call->expected[0];
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < y.count; ++i) {
    if (first(i) == i) sum = 0;
    y.integers[i] = sum += x[i];
  }
}

constexpr std::int64_t kSections[] = {32, 128, 256, 512, 1024, 2048};
constexpr int kSectionCount = 6;

/// The scan of each section, and before(section, sums) of those before it, where sums[s] is the sum of all sections
/// before section s.
template <class Before>
void by_sections(const OracleCall* call, std::int64_t width, Before before) {
  fill(call, [width](std::int64_t i) { return i / width * width; });
  const OracleExpected& y = call->expected[0];
  std::vector<std::int64_t> sums{0};
  for (std::int64_t i = width - 1; i < y.count; i += width) sums.push_back(sums.back() + y.integers[i]);
  if (y.count % width > 0) sums.push_back(sums.back() + y.integers[y.count - 1]);
  for (std::int64_t i = width; i < y.count; ++i)
    y.integers[i] += before(static_cast<std::size_t>(i / width), sums);
}

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  fill(call, [](std::int64_t) { return std::int64_t{0}; });
}

extern "C" void baseline(const OracleCall* call) {
  const int* x = input(call);
  auto* y = static_cast<int*>(call->results[0]);
  int sum = 0;
  for (std::int64_t i = 0; i < call->sizes[0]; ++i) y[i] = sum += x[i];
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const std::int64_t n = call->sizes[0];
  const OracleExpected& y = call->expected[0];
  switch (which) {
    case 0:
      oracle(call);
      for (std::int64_t i = 0; i < n; ++i) y.integers[i] -= input(call)[i];
      return "the exclusive scan: each sum lacks its own element";
    case 1:
      oracle(call);
      for (std::int64_t i = 0; i < n; ++i) y.integers[i] -= input(call)[0];
      return "a scan without element 0";
    case 2: {
      std::int64_t sum = 0;
      for (std::int64_t i = n - 1; i >= 0; --i) y.integers[i] = sum += input(call)[i];
      return "a scan from the end: y[i] is the sum of x[i] and all behind it";
    }
    default: break;
  }
  const int kind = (which - 3) / kSectionCount;
  const std::int64_t width = kSections[(which - 3) % kSectionCount];
  using Sums = std::vector<std::int64_t>;
  if (kind < 3 && n <= width * (kind == 0 ? 1 : 2)) return "";
  switch (kind) {
    case 0:
      by_sections(call, width, [](std::size_t, const Sums&) { return 0; });
      return text_of(
          call, "a scan of each section of {} elements alone: the sums of the sections before are missing",
          width);
    case 1:
      by_sections(call, width, [](std::size_t s, const Sums& sums) { return sums[s] - sums[s - 1]; });
      return text_of(
          call,
          "a scan of sections of {} elements to which only the section just before is added: the sums of "
          "the sections must be scanned, too",
          width);
    case 2:
      by_sections(call, width, [](std::size_t s, const Sums& sums) { return sums[s + 1]; });
      return text_of(
          call,
          "a scan of sections of {} elements in which a section adds its own sum besides those before it: "
          "block b needs the inclusive sum of block b - 1",
          width);
    default: return nullptr;
  }
}
