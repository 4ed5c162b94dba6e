#pragma once
// A device that records the operations of one call and can repeat them. The grader then times a submission's
// work without the submission. It has the parts of any device, and stands before one of them: operations().
//
// A recording keeps its objects alive: modules, streams, events, and memory, which is freed only when no
// recording is left. Host data is copied when it is recorded. Waits of the host become joins on the device.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "grader/device/server/device.h"
#include "grader/sim/provenance/host_reads.h"

namespace cudalabs {

class RecordingDevice final : public Device, private DeviceOperations {
 public:
  explicit RecordingDevice(std::unique_ptr<Device> inner);
  ~RecordingDevice() override;
  RecordingDevice(const RecordingDevice&) = delete;
  RecordingDevice& operator=(const RecordingDevice&) = delete;

  /// Starts a recording and drops one that has not ended. `linked`: the call can be replayed although the
  /// host reads data. Written bytes that are copies of bytes that the host has read take the values that the
  /// replay reads. All other written bytes stay as recorded, including everything that the host computed.
  void begin(bool linked = false);
  [[nodiscard]] bool recording() const { return recording_ != nullptr; }
  /// Drops the recording or timing that begin() or begin_timing() started, if any.
  void abandon();
  /// Ends the recording and keeps it. `number` is never 0, unless the recording cannot be replayed: then
  /// `live_reason` says why.
  struct Recorded {
    std::uint32_t number = 0;
    Message live_reason;
  };
  Recorded end();
  void forget(std::uint32_t number);

  /// Repeats a recorded call's operations on their streams, from cold caches, and waits for them.
  /// `by_launch`: measures the time of each launch too, which makes the whole longer. Errors: no such
  /// recording, or the device's error.
  Answer<ReplayTimes> replay(std::uint32_t number, bool by_launch);

  /// Times a call that cannot be replayed, from begin_timing() to end_timing(), on the device's own clock.
  Status begin_timing();
  [[nodiscard]] bool timing() const { return timing_ != nullptr; }
  Answer<ReplayTimes> end_timing();

  [[nodiscard]] const DeviceProperties& properties() const override { return inner_->properties(); }
  [[nodiscard]] Status health() const override { return inner_->health(); }
  [[nodiscard]] DeviceGroup* group() override { return inner_->group(); }
  [[nodiscard]] DeviceMemory& memory() override { return inner_->memory(); }
  [[nodiscard]] DeviceModules& modules() override { return inner_->modules(); }
  [[nodiscard]] DeviceOperations& operations() override { return *this; }
  [[nodiscard]] DeviceStreams& streams() override { return inner_->streams(); }
  [[nodiscard]] DeviceInstrumentation& instrumentation() override { return inner_->instrumentation(); }

 private:
  Status copy_to_device(Pitched to, const std::byte* from, Extent extent, DeviceStream* stream) override;
  Status copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream* stream) override;
  Status copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream* stream) override;
  Status set(Pitched to, std::byte value, Extent extent, DeviceStream* stream) override;
  Answer<LaunchRun> launch(const LaunchRequest& request, const std::atomic<bool>* cancel) override;
  Status enqueue(const LaunchRequest& request) override;
  Status record(DeviceEvent& event, DeviceStream* stream) override;
  Status wait(DeviceStream* stream, DeviceEvent& event) override;
  Status synchronize() override;
  Status synchronize(DeviceStream* stream) override;
  Status synchronize(DeviceEvent& event) override;

  struct Link;
  struct Replayer;
  struct Operation {
    bool is_launch = false;
    std::shared_ptr<DeviceStream> stream;  ///< null: the default stream
    std::function<Status(Replayer&)> run;
  };
  struct Recording {
    std::vector<Operation> operations;
    Message live_reason;
    bool host_saw_data = false;
    std::optional<sim::HostReads> reads;  ///< of a linked recording: by number, as in Replayer::reads
    std::uint64_t host_bytes = 0;
  };
  /// Two events on the default stream around the timed work.
  struct Timing {
    std::shared_ptr<DeviceEvent> start, end;
  };

  /// `works`: the operation changes the device's memory, so it might depend on data that the host read
  /// before.
  void keep(bool works, DeviceStream* stream, std::function<Status(Replayer&)> run, bool is_launch = false);
  Answer<Timing> make_timing();
  Answer<ReplayTimes> replay(const Recording& recording, bool by_launch);
  void keep_launch(const LaunchRequest& request);
  /// Memory that the program frees is kept as long as a recording may use it.
  void keep_freed();

  std::unique_ptr<Device> inner_;
  std::unique_ptr<Recording> recording_;  ///< the one in progress
  std::unique_ptr<Timing> timing_;        ///< the one in progress
  std::map<std::uint32_t, Recording> recordings_;
  std::uint32_t next_ = 1;
};

}  // namespace cudalabs
