#pragma once
// Streams that are being captured: what they are asked becomes nodes of a graph. What a card does not allow
// meanwhile ends the capture with the error that a card gives (measured on an H100, CUDA 13.0).

#include "grader/cudart/operations.h"

namespace cudalabs::cudart {

/// Does it on the stream, or makes it a node of what is being captured.
Status submit(Runtime& runtime, std::uint32_t stream, Operation operation);

/// Part of a capture that is still sound, or no more.
bool is_captured(std::uint32_t stream);
/// The stream is gone, and the capture that began there.
void forget_capture(std::uint32_t stream);

/// An event that is recorded, or waited for, on a stream that is being captured makes other streams part of
/// the capture. `done`: that is all there is to do.
Status record_in_capture(std::uint32_t event, std::uint32_t stream, bool& done);
Status wait_in_capture(std::uint32_t event, std::uint32_t stream, bool& done);

/// Before a call that waits for the host's sake, or that the driver may carry out by waiting: not ok while a
/// capture forbids it.
Status unsafe_in_capture();
/// Before such a call about one stream, one event or the device.
Status stream_asked_in_capture(std::uint32_t stream);
Status event_asked_in_capture(std::uint32_t event);
Status device_asked_in_capture();
/// Before work on the default stream, which waits for that of all blocking streams.
Status default_stream_in_capture();

}  // namespace cudalabs::cudart
