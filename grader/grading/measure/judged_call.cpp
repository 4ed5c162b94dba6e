#include "grader/grading/measure/judged_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/diagnostics/messages/score.h"

namespace cudalabs {
namespace {

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

/// How a launch of the timed call differs from the judged one. what: a phrase about the launch.
std::optional<Difference> difference(const ObservedCall& judged, const LaunchRecord& here,
                                     const ObservedCall& timed, const LaunchRecord& there) {
  const std::string& kernel = here.kernel_full;
  if (kernel != there.kernel_full)
    return Difference{msg::timed_kernel_differs(there.kernel_full, kernel),
                      msg::same_launches_on_every_device()};
  if (here.code != there.code)
    return Difference{msg::timed_code_differs(kernel), msg::same_code_on_every_device()};
  if (shape_asked(here, there)) return std::nullopt;
  if (here.block != there.block)
    return Difference{msg::timed_block_differs(kernel, text_of(there.block), text_of(here.block)),
                      msg::same_shape_on_every_device()};
  if (here.dynamic_shared_bytes != there.dynamic_shared_bytes)
    return Difference{
        msg::timed_shared_differs(kernel, there.dynamic_shared_bytes, here.dynamic_shared_bytes),
        msg::same_shape_on_every_device()};
  if (here.grid != there.grid && !follows_device(judged, here.grid, timed, there.grid))
    return Difference{msg::timed_grid_differs(kernel, text_of(there.grid), text_of(here.grid)),
                      msg::grid_from_sizes()};
  return std::nullopt;
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
    return Difference{
        msg::timed_launch_differs(i + 1, timed.launches.size(),
                                  msg::timed_launch_unknown(there.kernel_full, text_of(there.block))),
        msg::same_launches_on_every_device()};
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
      found->what = msg::timed_launch_differs(i + 1, timed.launches.size(), std::move(found->what));
      return found;
    }
    same_shapes &= same_shape(here, there);
  }
  if (judged.launches.size() != timed.launches.size()) {
    return Difference{msg::timed_launches_differ(timed.launches.size(), judged.launches.size()),
                      msg::same_launches_on_every_device()};
  }
  for (std::size_t i = 0; same_shapes && i < both; ++i) {
    if (judged.launches[i].arguments == timed.launches[i].arguments) continue;
    return Difference{
        msg::timed_launch_differs(i + 1, both, msg::timed_arguments_differ(timed.launches[i].kernel_full)),
        msg::same_launches_on_every_device()};
  }
  return std::nullopt;
}

}  // namespace cudalabs
