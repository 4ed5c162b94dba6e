#pragma once
// Graphs that are captured from streams: calls are noted down while their stream is captured, and a launch
// of the graph makes them in the same order, on the stream of the launch. That order satisfies every
// dependency that was captured.

#include <functional>

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {

/// What a call asks of a stream. Must own its arguments: it may run later, and often.
using StreamWork = std::function<Status(Runtime& runtime, std::uint32_t stream)>;

/// Does the work, or notes it down if the stream is being captured.
Status submit(Runtime& runtime, std::uint32_t stream, StreamWork work);

bool is_captured(std::uint32_t stream);

/// An event that is recorded, or waited for, on a stream that is being captured makes other streams part of
/// the capture. False: it has nothing to do with a capture, and is to be done.
bool record_in_capture(std::uint32_t event, std::uint32_t stream);
bool wait_in_capture(std::uint32_t event, std::uint32_t stream);

}  // namespace cudalabs::cudart
