#include "grader/grading/measure/judged_call.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalabs {
namespace {

const char* const kSameCode =
    "Launch the same kernels with the same arguments on every device, and in every call.";
const char* const kSameShape =
    "Choose the block and the shared memory by yourself, or by cudaOccupancyMaxPotentialBlockSize.";

std::string text_of(const sim::Dim3& size) { return fmt::format("({}, {}, {})", size.x, size.y, size.z); }

/// Returns whether at least one of the grids has a whole number of blocks for each multiprocessor. The other
/// device may not have had work for so many.
bool follows_device(const ObservedCall& judged, const sim::Dim3& here, const ObservedCall& timed,
                    const sim::Dim3& there) {
  const auto is_multiple = [](std::uint64_t blocks, std::uint32_t multiprocessors) {
    return multiprocessors != 0 && blocks != 0 && blocks % multiprocessors == 0;
  };
  return is_multiple(here.count(), judged.multiprocessors) ||
         is_multiple(there.count(), timed.multiprocessors);
}

/// Returns whether the program asked both devices for the occupancy; their answers may differ.
bool shape_asked(const LaunchRecord& here, const LaunchRecord& there) {
  return here.occupancy_asked && there.occupancy_asked;
}

bool same_shape(const LaunchRecord& here, const LaunchRecord& there) {
  return here.grid == there.grid && here.block == there.block &&
         here.dynamic_shared_bytes == there.dynamic_shared_bytes;
}

std::optional<Difference> difference(const ObservedCall& judged, const LaunchRecord& here,
                                     const ObservedCall& timed, const LaunchRecord& there) {
  if (here.kernel_full != there.kernel_full)
    return Difference{fmt::format("is of the kernel {}, where the one that was judged is of {}",
                                  there.kernel_full, here.kernel_full),
                      kSameCode};
  if (here.code != there.code)
    return Difference{fmt::format("of {} runs other code than the one that was judged", here.kernel_full),
                      "Let nothing that the program loads depend on the device."};
  if (shape_asked(here, there)) return std::nullopt;
  if (here.block != there.block)
    return Difference{fmt::format("of {} has blocks of {} threads, where the one that was judged has {}",
                                  here.kernel_full, text_of(there.block), text_of(here.block)),
                      kSameShape};
  if (here.dynamic_shared_bytes != there.dynamic_shared_bytes)
    return Difference{
        fmt::format(
            "of {} asks for {} bytes of dynamic shared memory, where the one that was judged asks for {}",
            here.kernel_full, there.dynamic_shared_bytes, here.dynamic_shared_bytes),
        kSameShape};
  if (here.grid != there.grid && !follows_device(judged, here.grid, timed, there.grid))
    return Difference{
        fmt::format("of {} has a grid of {} blocks, where the one that was judged has {}", here.kernel_full,
                    text_of(there.grid), text_of(here.grid)),
        "A grid may be so many blocks a multiprocessor, or depend on the sizes; on nothing else."};
  return std::nullopt;
}

std::string nth(std::size_t index, std::size_t count) {
  return count == 1 ? "the launch that is timed on the card "
                    : fmt::format("launch {} of the call that is timed on the card ", index + 1);
}

/// Finds a launch of the timed call that is not like any judged one.
std::optional<Difference> unknown_launch(const ObservedCall& judged, const ObservedCall& timed) {
  for (std::size_t i = 0; i < timed.launches.size(); ++i) {
    const LaunchRecord& there = timed.launches[i];
    const bool known = std::ranges::any_of(judged.launches, [&](const LaunchRecord& here) {
      return here.kernel_full == there.kernel_full && here.code == there.code &&
             (shape_asked(here, there) ||
              (here.block == there.block && here.dynamic_shared_bytes == there.dynamic_shared_bytes));
    });
    if (known) continue;
    return Difference{fmt::format("{}of {} in blocks of {} is like none of the call that was judged",
                                  nth(i, timed.launches.size()), there.kernel_full, text_of(there.block)),
                      kSameCode};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Difference> first_difference(const ObservedCall& judged, const ObservedCall& timed) {
  if (judged.host_saw_data || timed.host_saw_data) return unknown_launch(judged, timed);
  const std::size_t both = std::min(judged.launches.size(), timed.launches.size());
  bool same_shapes = judged.launches.size() == timed.launches.size();
  for (std::size_t i = 0; i < both; ++i) {
    const LaunchRecord &here = judged.launches[i], &there = timed.launches[i];
    if (auto found = difference(judged, here, timed, there)) {
      found->what = nth(i, timed.launches.size()) + found->what.english();
      return found;
    }
    same_shapes &= same_shape(here, there);
  }
  if (judged.launches.size() != timed.launches.size()) {
    return Difference{
        fmt::format("the call that is timed on the card makes {} launches, the one that was judged {}",
                    timed.launches.size(), judged.launches.size()),
        kSameCode};
  }
  for (std::size_t i = 0; same_shapes && i < both; ++i) {
    if (judged.launches[i].arguments == timed.launches[i].arguments) continue;
    return Difference{nth(i, both) + "of " + timed.launches[i].kernel_full +
                          " is passed other arguments than the one that was judged",
                      kSameCode};
  }
  return std::nullopt;
}

}  // namespace cudalabs
