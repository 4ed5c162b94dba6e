#include "grader/simulator/observers/finding.h"

#include <algorithm>
#include <utility>

#include "grader/simulator/observers/checkers.h"

namespace cudalabs::sim {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& t) {
  return "(" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + ")";
}

std::string place(const FindingSide& side) {
  return side.file.empty() ? std::string() : side.file + ":" + std::to_string(side.line) + ": ";
}

std::string described(const FindingSide& side) {
  return "\n  " + place(side) + side.what + " by thread " + triple(side.thread) + " of block " +
         triple(side.block);
}

auto example_order(const Finding& f) {
  const auto linear = [](const std::array<std::uint32_t, 3>& t) { return std::tuple(t[2], t[1], t[0]); };
  return std::tuple(linear(f.here.block), linear(f.here.thread), linear(f.other.block),
                    linear(f.other.thread));
}

}  // namespace

std::string Finding::text() const {
  std::string out = place(here) + (severity == Severity::Error ? "error: " : "warning: ") + message + " [" +
                    std::string(checker_info(checker).name) + "]";
  if (!here.what.empty()) out += described(here);
  if (!other.what.empty()) out += described(other);
  if (!kernel.empty())
    out += "\n  in kernel " + kernel + (count > 1 ? ", " + std::to_string(count) + " times" : "");
  if (!advice.empty()) out += "\n  hint: " + advice;
  return out;
}

void FindingList::add(Finding finding) {
  Key key{finding.here.file, finding.here.line, finding.other.file, finding.other.line,
          finding.checker,   finding.kind,      finding.kernel};
  const auto [at, fresh] = findings_.try_emplace(std::move(key), std::move(finding));
  if (fresh) return;
  Finding& known = at->second;
  const std::uint64_t count = known.count + finding.count;
  if (example_order(finding) < example_order(known)) known = std::move(finding);
  known.count = count;
}

std::vector<Finding> FindingList::take() {
  std::vector<Finding> out;
  for (auto& [key, finding] : findings_) out.push_back(std::move(finding));
  findings_.clear();
  return out;
}

}  // namespace cudalabs::sim
