#pragma once
// Watches page-locked and managed memory that pending operations may access. Between the program's calls its
// pages are closed to the host, so that an access by the host is caught with its byte and line. For `grader
// run --check streamcheck`. On x86-64 it catches each instruction; elsewhere a page stays open after its
// first access.

#include "grader/cudart/streams/stream_access_sets.h"

namespace cudalabs::cudart {

class HostAccessTracker {
 public:
  /// Never destroyed, as the runtime is not.
  static HostAccessTracker& get();

  /// Watches the range from the next close() until open().
  void watch(const HostRange& range);
  void close();
  void open();

  /// Handles a signal. False: no page of ours caused it. `exact`: the instruction's address.
  bool fault(std::uint64_t address, bool writes, std::uint64_t exact, bool& step);
  /// The host passes these bytes to a system call, which reads or writes them.
  void passes(const void* bytes, std::uint64_t count, bool writes);
  /// The instruction for which pages were opened is done.
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
  int again_ = 0;                                       ///< consecutive faults at pages that are open
  bool listens_ = false;
};

}  // namespace cudalabs::cudart
