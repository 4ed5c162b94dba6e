#pragma once
// Messages of the device protocol as lines for people: the name of a command, its sizes and pointers, and
// what came of it. For the log's stage `wire`. No data of a program is shown, only how much of it there is.

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "grader/device/protocol/protocol.h"

namespace cudalabs::protocol {

/// "Launch"; "message 0x123" for a kind that does not exist.
std::string name_of(Kind kind);

/// "Allocate bytes=4096": a message of any kind but a reply. The bytes may be a hostile program's.
std::string request_text(std::span<const std::byte> message);

/// "Allocate success address=0x7f0000000000 bytes=4096": the reply to a request of that kind.
std::string reply_text(Kind request, std::span<const std::byte> reply);

/// "0.041 ms"
std::string milliseconds_text(std::chrono::nanoseconds time);

}  // namespace cudalabs::protocol
