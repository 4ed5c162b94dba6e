#include "grader/base/log/stats.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "grader/base/parse_number.h"
#include "grader/base/text.h"

namespace cudalabs::logging {
namespace {

constexpr auto kWords = std::to_array<std::string_view>({
#define CUDALABS_WORDS(name, words) words,
    CUDALABS_METRICS(CUDALABS_WORDS)
#undef CUDALABS_WORDS
});

struct Sum {
  std::atomic<std::uint64_t> count, nanoseconds;
};
std::array<Sum, kWords.size()> sums;

}  // namespace

namespace detail {

std::atomic<bool> measures = false;

void add(Metric metric, std::uint64_t count, std::chrono::nanoseconds time) {
  Sum& sum = sums[static_cast<std::size_t>(metric)];
  sum.count.fetch_add(count, std::memory_order_relaxed);
  sum.nanoseconds.fetch_add(static_cast<std::uint64_t>(time.count()), std::memory_order_relaxed);
}

}  // namespace detail

void start_stats() { detail::measures = true; }

std::vector<MetricRow> metric_rows() {
  std::vector<MetricRow> rows;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::uint64_t count = sums[i].count, nanoseconds = sums[i].nanoseconds;
    if (count > 0) rows.push_back({kWords[i], count, std::chrono::nanoseconds(nanoseconds)});
  }
  return rows;
}

std::string take_stats() {
  std::string text;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::uint64_t count = sums[i].count.exchange(0), nanoseconds = sums[i].nanoseconds.exchange(0);
    if (count == 0) continue;
    text += std::to_string(i) + ' ' + std::to_string(count) + ' ' + std::to_string(nanoseconds) + ';';
  }
  return text;
}

void add_stats(std::string_view text) {
  while (!text.empty()) {
    std::string_view row = take_until(text, ';');
    const auto metric = parse_number<std::size_t>(take_until(row, ' '));
    const auto count = parse_number<std::uint64_t>(take_until(row, ' '));
    const auto time = parse_number<std::int64_t>(row);
    if (!metric || *metric >= sums.size() || !count || !time || *time < 0) continue;
    detail::add(static_cast<Metric>(*metric), *count, std::chrono::nanoseconds(*time));
  }
}

}  // namespace cudalabs::logging
