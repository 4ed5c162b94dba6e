#include "grader/sim/interpreter/kernel_output.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "grader/diagnostics/messages/faults.h"

namespace cudalabs::sim {
namespace {

/// What a call takes of the buffer, whatever its text: an H100 keeps 33,792 calls in 8,650,752 bytes.
constexpr std::uint64_t kBytesOfCall = 256;
constexpr std::uint64_t kMostText = std::uint64_t{64} << 20;  // a %s takes nothing of the card's buffer

}  // namespace

KernelOutput::KernelOutput(const KernelLimits& limits) : limits_(limits) {}

void KernelOutput::print(std::string text) {
  const std::uint64_t most = std::max<std::uint64_t>(limits_.printf_bytes / kBytesOfCall, 1);
  const auto cost = [](const std::string& call) { return call.size() + sizeof call; };
  bytes_ += cost(text);
  calls_.push_back(std::move(text));
  while (calls_.size() > most || (bytes_ > kMostText && calls_.size() > 1)) {
    bytes_ -= cost(calls_.front());
    calls_.pop_front();
    ++lost_;
  }
}

void KernelOutput::argument_lost(const SourcePlace& place) {
  if (!std::exchange(argument_lost_, true)) too_long_ = place;
}

std::string KernelOutput::take_printed() {
  bytes_ = 0;
  const std::deque<std::string> calls = std::exchange(calls_, {});
  return std::accumulate(calls.begin(), calls.end(), std::string(),
                         [](std::string all, const std::string& call) { return std::move(all += call); });
}

std::vector<LaunchNote> KernelOutput::notes(const std::string& kernel) const {
  std::vector<LaunchNote> notes;
  if (argument_lost_) {
    notes.push_back({msg::printf_argument_lost(kernel, kMostPrintArguments), msg::printf_argument_advice(),
                     too_long_.file, too_long_.line});
  }
  if (lost_ > 0) {
    notes.push_back({msg::printf_calls_lost(kernel, lost_, limits_.printf_bytes),
                     msg::printf_limit_advice(kBytesOfCall)});
  }
  if (refused_ > 0)
    notes.push_back({msg::heap_refused(kernel, refused_, limits_.heap_bytes), msg::heap_limit_advice()});
  if (too_deep_)
    notes.push_back({msg::wait_refused(kernel, *too_deep_, limits_.sync_depth), msg::wait_limit_advice()});
  return notes;
}

}  // namespace cudalabs::sim
