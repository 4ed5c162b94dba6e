#pragma once
// Dynamic parallelism: launches and other requests of kernels through CUDA's device runtime. They are
// performed when the launch has ended, or when their block waits for them (ChildWork).

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/sim/interpreter/block.h"
#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

/// Kernels with such calls run their blocks in order (needs_block_order), so there is no concurrent access.
class DeviceLaunches {
 public:
  /// CUDA's error numbers.
  enum class Error : std::uint32_t {
    None = 0,
    InvalidValue = 1,
    MemoryAllocation = 2,
    InvalidConfiguration = 9,
    SyncDepthExceeded = 68,
    PendingCount = 69,
    InvalidDeviceFunction = 98
  };
  /// Limit of pending launches of one grid, unless CUDA's limit is higher. A device starts pending launches
  /// early: an H100 ran 2100 of one grid with a limit of 2048 (2026-11-27).
  static constexpr std::uint32_t kMaxWaiting = 65536;

  DeviceLaunches(const LaunchState& launch, const LaunchOptions& options)
      : launch_(launch), options_(options) {}
  ~DeviceLaunches();
  DeviceLaunches(const DeviceLaunches&) = delete;
  DeviceLaunches& operator=(const DeviceLaunches&) = delete;

  /// Performs a call of one of these functions for one lane. False: its declaration differs from CUDA's.
  bool call(Exec& x, const CallSite& site, std::uint32_t lane);

  [[nodiscard]] std::vector<ChildWork> take_work();
  [[nodiscard]] std::vector<RefusedLaunch> take_refused() { return std::move(refused_); }

 private:
  std::uint64_t buffer(Exec& x, const CallSite& site, std::uint32_t lane);
  Error launch(Exec& x, std::uint64_t buffer, std::uint64_t stream);
  /// Performs what the running block has asked for so far, except tail launches.
  Error wait(Exec& x, std::uint32_t lane);
  /// None if there is room for another launch; `what`: msg::child_kernel or msg::child_call, for a refusal.
  Error admit(const std::function<Message()>& what);
  Error refuse(Error error, Message why);

  const LaunchState& launch_;
  const LaunchOptions& options_;
  std::map<std::uint64_t, ChildWork> begun_;  ///< by address of their parameters
  std::vector<std::uint64_t> buffers_;
  struct Requested {
    std::uint64_t block = 0;
    ChildWork work;
  };
  std::vector<Requested> work_;
  std::vector<RefusedLaunch> refused_;
  Error refused_error_ = Error::None;                                ///< the last one
  std::map<std::pair<std::uint64_t, std::uint32_t>, Error> errors_;  ///< the last error, by block and thread
};

}  // namespace cudalabs::sim
