#pragma once
// One device, whatever it is made of: the simulator, or a GPU through the CUDA driver. Only the server
// talks to it, and only with handles and ranges that the server has checked; a device checks what it alone
// can know (launch limits, memory left). One caller at a time.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/device/wire/cuda_error.h"
#include "grader/device/wire/launch_board.h"
#include "grader/device/wire/outcome.h"
#include "grader/simulator/base/stream_operation.h"
#include "grader/simulator/base/texture.h"

namespace cudalabs {

using sim::DevicePtr;

/// An operation's end as CUDA speaks of it; `detail` is for a person and may be empty.
struct Status {
  CudaError error = CudaError::Success;
  Message detail;
  [[nodiscard]] bool ok() const { return error == CudaError::Success; }
};

/// A Status and, if it is ok, a value.
template <class T>
struct Answer : Status {
  T value{};
};

template <class T>
Answer<T> answer(T value) {
  Answer<T> result;
  result.value = std::move(value);
  return result;
}

template <class T>
Answer<T> failure(CudaError error, Message detail) {
  Answer<T> result;
  result.error = error;
  result.detail = std::move(detail);
  return result;
}

template <class T>
Answer<T> failure(const Status& status) {
  return failure<T>(status.error, status.detail);
}

struct DeviceProperties {
  std::string name;
  sim::Limits limits;
  std::uint32_t l2_bytes = 40 * 1024 * 1024;
  std::uint32_t clock_khz = 1410000, memory_clock_khz = 1215000, memory_bus_bits = 5120;
};

struct MemoryUse {
  std::uint64_t free_bytes = 0, total_bytes = 0;
};

/// A loaded module. Its variables live as long as it does. A kernel is named by its index in kernels().
class DeviceModule {
 public:
  virtual ~DeviceModule() = default;
  [[nodiscard]] virtual const std::vector<sim::KernelInfo>& kernels() const = 0;
  [[nodiscard]] virtual const std::vector<sim::VariableInfo>& variables() const = 0;
};

class DeviceStream {
 public:
  virtual ~DeviceStream() = default;
};

class DeviceEvent {
 public:
  virtual ~DeviceEvent() = default;
};

/// `rows` rows of `width` bytes, `pitch` bytes apart. A plain range is one row.
struct Extent {
  std::uint64_t width = 0, rows = 1;
};
struct Pitched {
  DevicePtr address = 0;
  std::uint64_t pitch = 0;
};

struct LaunchRequest {
  const DeviceModule* module = nullptr;
  std::uint32_t kernel = 0;  ///< index into module->kernels()
  sim::LaunchConfig config;
  std::uint64_t dynamic_shared_limit = 0;  ///< what cudaFuncSetAttribute allowed; 0: the limit without it
  std::span<const std::byte> parameters;   ///< packed, KernelInfo::parameter_bytes long
  DeviceStream* stream = nullptr;          ///< nullptr: the default stream
};

/// What a launch left behind. A fault is no error of the
/// launch call: CUDA tells of it at the next synchronisation.
struct LaunchRun {
  LaunchRecord record;
  /// Where it is valid, `record`'s are still to come from there.
  std::shared_future<sim::CostBounds> bounds;
  /// Of kernels that it launched, and those that these launched, in the order that they ran in.
  std::vector<LaunchRecord> children;
  std::uint64_t children_not_recorded = 0;
  std::vector<sim::RefusedLaunch> refused_children;  ///< the first few
  sim::Fault fault;
  std::string printed;  ///< what the kernel's printf wrote
};

/// The CUDA error that a fault shows itself as.
CudaError error_of(sim::FaultKind fault);

/// Ok, or what CUDA 13 answers where the card does not allow the launch:
/// cudaErrorCooperativeLaunchTooLarge for blocks that do not fit it all at a time, cudaErrorInvalidValue for
/// everything else (a grid, a block, shared memory, launch bounds). Every device asks here first.
Status check_launch(const DeviceProperties& properties, const LaunchRequest& request);

/// What is known of a launch before it runs.
LaunchRecord record_of(const LaunchRequest& request);

/// A call of an entry. If `parts` is not 0, what `outputs` come to be made of is
/// followed (sim::OriginTracker).
struct WatchedCall {
  std::vector<sim::DeviceRange> inputs, outputs;
  sim::DeviceRange table;
  std::uint64_t draw = 0;  ///< sim::ReuseObserver
  double parts = 0;
  bool untimed = false, reversed = false, in_order = false;  ///< as CallResults
};
/// How closely the checkers look at launches.
enum class Watch : std::uint8_t {
  Nothing,
  Sample,  ///< a few blocks of each, and there at what a block alone decides
  Everything
};

class DeviceGroup;  // device_group.h

struct CallFacts {
  sim::Origins origins;
  double copies_ns = 0;  ///< estimated, of copies and sets
  /// Of the outputs, by copies, since the last launch that stored half as much as they hold.
  std::uint64_t bytes_put_last = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  [[nodiscard]] virtual const DeviceProperties& properties() const = 0;
  /// Not null: it is several devices.
  [[nodiscard]] virtual DeviceGroup* group() { return nullptr; }
  [[nodiscard]] virtual MemoryUse memory() const = 0;
  /// Not ok: nothing works any more on this device, and it must be replaced.
  [[nodiscard]] virtual Status health() const { return {}; }

  /// Loads a fat binary. Errors: cudaErrorInvalidKernelImage, cudaErrorInvalidPtx,
  /// cudaErrorNoKernelImageForDevice.
  virtual Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary) = 0;

  /// Exactly `bytes` (> 0) long as far as overruns are seen; 256-byte aligned.
  virtual Answer<DevicePtr> allocate(std::uint64_t bytes) = 0;
  /// Makes `file`, a file in memory of at least that size, which the client has mapped too, memory of the
  /// device. It takes what is touched of it, and of the device's own memory nothing.
  virtual Answer<DevicePtr> share(std::uint64_t /*bytes*/, int /*file*/) {
    return failure<DevicePtr>(CudaError::NotSupported, "host and device have memory of their own");
  }
  virtual Status free(DevicePtr pointer) = 0;
  /// `aside`: its owner has freed it, and a recording may name it still. A kernel that uses it faults as
  /// after free(), and its bytes stay. Not `aside`: it is there again, for a replay or for free(). Where
  /// nobody looks at each access, it just stays.
  virtual void set_aside(DevicePtr /*pointer*/, bool /*aside*/) {}

  /// A texture or surface object over memory that the client may touch, as kernels are given it; 0 is none.
  virtual Answer<std::uint64_t> create_texture(const sim::Texture& /*texture*/) {
    return failure<std::uint64_t>(CudaError::NotSupported,
                                  "textures and surfaces are for the simulator: run with --device simulator");
  }
  virtual void destroy_texture(std::uint64_t /*object*/) {}

  // Copies and sets. The host side is packed: row after row without gaps.
  virtual Status copy_to_device(Pitched to, const std::byte* from, Extent extent, DeviceStream* stream) = 0;
  virtual Status copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream* stream) = 0;
  virtual Status copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream* stream) = 0;
  virtual Status set(Pitched to, std::byte value, Extent extent, DeviceStream* stream) = 0;

  /// `cancel` may be set from another thread to stop a running kernel.
  virtual Answer<LaunchRun> launch(const LaunchRequest& request, const std::atomic<bool>* cancel) = 0;
  /// Starts a launch; it runs in the order of its stream. A fault shows itself at the next synchronisation.
  virtual Status enqueue(const LaunchRequest& request) = 0;
  /// Blocks of `threads` threads that fit a multiprocessor at the same time.
  virtual Answer<std::uint32_t> occupancy(const DeviceModule& module, std::uint32_t kernel,
                                          std::uint32_t threads, std::uint64_t dynamic_shared_bytes) = 0;

  virtual Answer<std::shared_ptr<DeviceStream>> create_stream(std::uint32_t flags, std::int32_t priority) = 0;
  virtual Answer<std::shared_ptr<DeviceEvent>> create_event(std::uint32_t flags) = 0;
  virtual Status record(DeviceEvent& event, DeviceStream* stream) = 0;
  virtual Status wait(DeviceStream* stream, DeviceEvent& event) = 0;
  /// cudaErrorNotReady while work that was issued before is not done.
  virtual Status query(DeviceStream* stream) = 0;
  virtual Status query(DeviceEvent& event) = 0;
  virtual Status synchronize() = 0;
  virtual Status synchronize(DeviceStream* stream) = 0;
  virtual Status synchronize(DeviceEvent& event) = 0;
  /// Milliseconds from `start` to `end`. Error: cudaErrorInvalidResourceHandle if one was never recorded.
  virtual Answer<float> elapsed(DeviceEvent& start, DeviceEvent& end) = 0;

  /// Before something is timed: puts work on the default stream that leaves the caches cold and takes long
  /// enough for the host to issue `operations` behind it.
  virtual Status start_cold(std::size_t /*operations*/) { return {}; }
  /// The multiprocessors' clock, measured behind what is on the default stream; 0 where there is none.
  virtual double measure_clock_mhz() { return 0; }

  /// How long the card has worked so far, estimated, as far as that is known (DeviceSetup::tells_time); 0
  /// where nothing is.
  [[nodiscard]] virtual double busy_ns() const { return 0; }
  /// Where to tell how far a launch is while it runs; for devices that know.
  virtual void tell_progress(LaunchBoard* /*board*/) {}

  /// What the checkers, where there are any, look at in the launches that follow. Everything at first.
  virtual void watch(Watch /*what*/) {}
  /// A call of an entry begins and ends: for devices that can tell more of it than its launches.
  virtual void begin_call(WatchedCall /*call*/) {}
  virtual CallFacts end_call() { return {}; }
  /// What the checkers found since the last time; none where there are no checkers.
  virtual std::vector<sim::Finding> take_findings() { return {}; }
  /// The program has copied these bytes to itself, by a call that came from `frames` (sim::Finding::frames).
  virtual void read_by_host(const sim::DeviceRange& /*bytes*/, std::span<const std::uint64_t> /*frames*/) {}
  /// The program does this next, or its host has done it: for who checks their order.
  virtual sim::StreamUse stream_operation(const sim::StreamOperation& /*operation*/) {
    return sim::StreamUse::Nobody;
  }
  /// A program has ended without freeing these allocations.
  virtual void left_behind(std::span<const sim::Leak> /*left*/) {}
};

}  // namespace cudalabs
