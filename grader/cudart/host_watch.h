#pragma once
// Page-locked and managed memory that operations may touch which the host has not waited for. Between the
// program's calls its pages are closed to the host: what touches them is seen, with the byte and the line.
// For `grader run --check streamcheck`, on x86-64 instruction by instruction; elsewhere a page opens once it
// was touched.

#include "grader/cudart/stream_touches.h"

namespace cudalabs::cudart {

class HostWatch {
 public:
  /// Never destroyed, as the runtime is not.
  static HostWatch& get();

  /// From the next close() on, until open().
  void watch(const HostRange& range);
  void close();
  void open();

  /// A signal's handler: false if no page of ours is to blame. `exact`: the instruction.
  bool fault(std::uint64_t address, bool writes, std::uint64_t exact, bool& step);
  /// The host hands these bytes to the system, which reads or writes them.
  void passes(const void* bytes, std::uint64_t count, bool writes);
  /// The instruction that had to pass is done.
  static void stepped();

 private:
  bool was_closed(std::uint64_t page);

  struct Closed {
    std::uint64_t begin = 0, end = 0;  ///< whole pages
    bool writes = false;
  };
  std::vector<Closed> next_, closed_;
  std::map<std::uint64_t, int> faults_;                 ///< by page
  std::map<std::uint64_t, std::uint64_t> ever_closed_;  ///< begin -> end
  int again_ = 0;                                       ///< faults in a row at pages that are open
  bool listens_ = false;
};

}  // namespace cudalabs::cudart
