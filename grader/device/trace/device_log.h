#pragma once
// The log of a device process. The process reads what hostile programs send, so it opens no log by itself: it
// gets the levels of its two stages on its command line and a pipe, and the grader writes its lines.

#include <array>
#include <memory>
#include <string>
#include <thread>

#include "grader/base/fd.h"
#include "grader/base/log/log.h"

namespace cudalabs {

/// The grader's end: reads the lines of one device process while it lives.
class DeviceLog {
 public:
  /// Null if no level is on that a device process writes, or if the system refuses a pipe.
  static std::unique_ptr<DeviceLog> open();
  ~DeviceLog();
  DeviceLog(const DeviceLog&) = delete;
  DeviceLog& operator=(const DeviceLog&) = delete;

  /// The end for the process. Close it once the process has it.
  [[nodiscard]] int write_end() const { return write_end_.get(); }
  void close_write_end() { write_end_.reset(); }
  /// The levels for its command line.
  [[nodiscard]] static std::string levels();

 private:
  DeviceLog(UniqueFd read_end, UniqueFd write_end, UniqueFd stop);
  void read_lines();

  UniqueFd read_end_, write_end_, stop_;
  std::thread reader_;
};

}  // namespace cudalabs
