#include <algorithm>
#include <deque>

#include "grader/classroom/similarity/fingerprints.h"
#include "grader/classroom/similarity/mix.h"
#include "grader/classroom/similarity/tokens.h"

namespace cudalabs {
namespace {

constexpr std::size_t kGram = 12;   // tokens; shorter common runs are chance (JPlag also uses 12 for C++)
constexpr std::size_t kWindow = 4;  // keeps one of this many consecutive runs

/// Hashes runs of kGram tokens and keeps the smallest of every kWindow consecutive hashes.
void winnow(std::string_view source, PrintSet& prints) {
  std::deque<std::uint64_t> run;
  std::vector<std::uint64_t> grams;
  for (const std::uint64_t token : tokens_of(source)) {
    run.push_back(token);
    if (run.size() > kGram) run.pop_front();
    if (run.size() < kGram) continue;
    std::uint64_t gram = 't';
    for (const std::uint64_t one : run) gram = mix(gram, one);
    grams.push_back(gram);
  }
  for (std::size_t end = std::min(kWindow, grams.size()); end > 0 && end <= grams.size(); ++end) {
    const auto last = grams.begin() + static_cast<std::ptrdiff_t>(end);
    const std::size_t length = std::min(kWindow, end);
    prints.push_back(*std::min_element(last - static_cast<std::ptrdiff_t>(length), last));
  }
}

}  // namespace

PrintSet text_prints(std::span<const std::string_view> sources) {
  PrintSet prints;
  for (const std::string_view source : sources) winnow(source, prints);
  keep_fewest(prints);
  return prints;
}

}  // namespace cudalabs
