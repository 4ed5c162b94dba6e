#pragma once
// What the program's side tells of an operation on a stream, for the checker of their order: the memory that
// it touches as far as the host knows it, and by vector clocks what was done before it.

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::sim {

enum class StreamWork : std::uint8_t {
  Kernel,  ///< what it touches is seen when it runs
  Copy,
  Set,
  Allocate,
  Free,
  HostFunction,
  Host  ///< no operation: the program's own code, which has touched memory
};
inline constexpr StreamWork kLastStreamWork = StreamWork::Host;

struct StreamTouch {  ///< `rows` rows of `width` bytes
  std::uint64_t address = 0, pitch = 0, width = 0, rows = 1;
  bool writes = false;
};

struct StreamOperation {
  StreamWork work{};
  std::string call;          ///< "cudaMemcpyAsync()"; of a kernel empty: it has its name
  std::string place;         ///< "on stream 2"
  bool nonblocking = false;  ///< of its stream: it does not wait for the default stream
  bool by_default = false;   ///< on the default stream
  bool launched = false;     ///< by <<<>>>
  /// A copy from memory that is not page-locked by a call that returns once that memory was read.
  bool staged = false;
  std::uint32_t graph = 0;  ///< the number of the graph's launch that it is part of; 0: of none
  /// Operations that follow each other are on one lane; its number there begins with 1.
  std::uint32_t lane = 0, number = 0;
  /// By lane: that operation, and all before it on the lane, is done when this one begins. Its own lane
  /// has its own number.
  std::vector<std::uint32_t> clock;
  std::vector<std::uint64_t> frames;  ///< as Finding::frames
  std::vector<StreamTouch> touches;
  /// What the host wants to know: who still touches the bytes there (StreamUse).
  std::uint64_t asked = 0, asked_bytes = 0;
};

/// Who touches some memory at a time that nothing orders against an operation's.
enum class StreamUse : std::uint32_t { Nobody, Reads, Writes };

}  // namespace cudalabs::sim
