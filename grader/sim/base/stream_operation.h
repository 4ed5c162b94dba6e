#pragma once
// The program's report of an operation on a stream, for streamcheck: the memory that it touches, as far as
// the host knows, and a vector clock of the operations that happen before it.

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::sim {

enum class StreamWork : std::uint8_t {
  Kernel,  ///< its accesses are observed when it runs
  Copy,
  Set,
  Allocate,
  Free,
  HostFunction,
  Host  ///< no operation: host code of the program has touched memory
};
inline constexpr StreamWork kLastStreamWork = StreamWork::Host;

/// The stream that an operation is on.
enum class StreamKind : std::uint8_t {
  None,           ///< the host itself
  Default,        ///< the default stream
  ThreadDefault,  ///< the default stream of a thread
  Numbered        ///< one that the program made, numbered in that order
};
inline constexpr StreamKind kLastStreamKind = StreamKind::Numbered;

struct StreamTouch {  ///< `rows` rows of `width` bytes
  std::uint64_t address = 0, pitch = 0, width = 0, rows = 1;
  bool writes = false;
};

struct StreamOperation {
  StreamWork work{};
  std::string call;  ///< "cudaMemcpyAsync()"; empty for a kernel, which has a name
  StreamKind stream{};
  std::uint32_t stream_number = 0;
  bool nonblocking = false;  ///< the stream does not wait for the default stream
  bool by_default = false;   ///< on the default stream
  bool launched = false;     ///< by <<<>>>
  /// A copy from pageable memory by a call that returns once that memory was read.
  bool staged = false;
  std::uint32_t graph = 0;  ///< number of the graph launch that contains it; 0: none
  /// Consecutive operations are on one lane, and numbered from 1 there.
  std::uint32_t lane = 0, number = 0;
  /// By lane: the operation with that number, and all before it on the lane, are complete when this one
  /// begins. The entry of its own lane is its own number.
  std::vector<std::uint32_t> clock;
  std::vector<std::uint64_t> frames;  ///< as Finding::frames
  std::vector<StreamTouch> touches;
  /// The host's query: which operations still use these bytes (StreamUse)?
  std::uint64_t asked = 0, asked_bytes = 0;
};

/// How unordered operations use some memory.
enum class StreamUse : std::uint32_t { Nobody, Reads, Writes };

}  // namespace cudalabs::sim
