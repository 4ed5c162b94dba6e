#pragma once
// Stream capture: operations on a captured stream become nodes of a graph. A call that a card forbids during
// a capture ends it with the card's error (measured on an H100, CUDA 13.0).

#include "grader/cudart/streams/operations.h"

namespace cudalabs::cudart {

/// Does the operation on the stream, or adds it to the capture as a node.
Status submit(Runtime& runtime, std::uint32_t stream, Operation operation);

/// True iff the stream belongs to a capture, valid or invalidated.
bool is_captured(std::uint32_t stream);
/// Forgets a destroyed stream, and the capture that began there.
void forget_capture(std::uint32_t stream);

/// Recording an event on a captured stream, or waiting for one, makes other streams part of the capture.
/// `done`: nothing else has to be done.
Status record_in_capture(std::uint32_t event, std::uint32_t stream, bool& done);
Status wait_in_capture(std::uint32_t event, std::uint32_t stream, bool& done);

/// Call it before a call that waits on the host, or that the driver may implement by waiting. Error: a
/// capture forbids that.
Status unsafe_in_capture();
/// Call them before such a call about one stream, one event or the device.
Status stream_asked_in_capture(std::uint32_t stream);
Status event_asked_in_capture(std::uint32_t event);
Status device_asked_in_capture();
/// Call it before work on the default stream, which waits for the work of all blocking streams.
Status default_stream_in_capture();

}  // namespace cudalabs::cudart
