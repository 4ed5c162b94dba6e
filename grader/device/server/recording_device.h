#pragma once
// A device that records the operations of one call and can repeat them. The grader then times a submission's
// work without the submission. It wraps any device; between recordings it only forwards calls.
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

class RecordingDevice final : public Device {
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
  [[nodiscard]] DeviceGroup* group() override { return inner_->group(); }
  [[nodiscard]] MemoryUse memory() const override { return inner_->memory(); }
  [[nodiscard]] Status health() const override { return inner_->health(); }
  Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary) override;
  Answer<DevicePtr> allocate(std::uint64_t bytes) override { return inner_->allocate(bytes); }
  Answer<DevicePtr> share(std::uint64_t bytes, int file) override { return inner_->share(bytes, file); }
  Status free(DevicePtr pointer) override;
  void quarantine(DevicePtr pointer, bool aside) override;
  // Only cards replay, and cards have no textures here.
  Answer<std::uint64_t> create_texture(const sim::Texture& texture) override {
    return inner_->create_texture(texture);
  }
  void destroy_texture(std::uint64_t object) override { inner_->destroy_texture(object); }
  Status copy_to_device(Pitched to, const std::byte* from, Extent extent, DeviceStream* stream) override;
  Status copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream* stream) override;
  Status copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream* stream) override;
  Status set(Pitched to, std::byte value, Extent extent, DeviceStream* stream) override;
  Answer<LaunchRun> launch(const LaunchRequest& request, const std::atomic<bool>* cancel) override;
  Status enqueue(const LaunchRequest& request) override { return inner_->enqueue(request); }
  Answer<std::uint32_t> occupancy(const DeviceModule& module, std::uint32_t kernel, std::uint32_t threads,
                                  std::uint64_t dynamic_shared_bytes) override {
    return inner_->occupancy(module, kernel, threads, dynamic_shared_bytes);
  }
  Answer<std::shared_ptr<DeviceStream>> create_stream(std::uint32_t flags, std::int32_t priority) override;
  Answer<std::shared_ptr<DeviceEvent>> create_event(std::uint32_t flags) override;
  Status record(DeviceEvent& event, DeviceStream* stream) override;
  Status wait(DeviceStream* stream, DeviceEvent& event) override;
  Status query(DeviceStream* stream) override { return inner_->query(stream); }
  Status query(DeviceEvent& event) override { return inner_->query(event); }
  Status synchronize() override;
  Status synchronize(DeviceStream* stream) override;
  Status synchronize(DeviceEvent& event) override;
  Answer<float> elapsed(DeviceEvent& start, DeviceEvent& end) override { return inner_->elapsed(start, end); }
  Status start_cold(std::size_t operations) override { return inner_->start_cold(operations); }
  double measure_clock_mhz() override { return inner_->measure_clock_mhz(); }
  [[nodiscard]] double busy_ns() const override { return inner_->busy_ns(); }
  void report_progress(LaunchBoard* board) override { inner_->report_progress(board); }
  void watch(Watch what) override { inner_->watch(what); }
  void begin_call(WatchedCall call) override { inner_->begin_call(std::move(call)); }
  CallFacts end_call() override { return inner_->end_call(); }
  std::vector<sim::Finding> take_findings() override { return inner_->take_findings(); }
  void read_by_host(const sim::DeviceRange& bytes, std::span<const std::uint64_t> frames) override {
    inner_->read_by_host(bytes, frames);
  }
  sim::StreamUse stream_operation(const sim::StreamOperation& operation) override {
    return inner_->stream_operation(operation);
  }
  void left_behind(std::span<const sim::Leak> left) override { inner_->left_behind(left); }

 private:
  /// The owner hands out raw pointers; a recording needs to share ownership of the object.
  template <class T>
  class Shared {
   public:
    void add(const std::shared_ptr<T>& object);
    std::shared_ptr<T> find(const T* object) const;

   private:
    std::map<const T*, std::weak_ptr<T>> objects_;
  };
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
  void set_unfreed_aside(bool aside);

  std::unique_ptr<Device> inner_;
  Shared<DeviceModule> modules_;
  Shared<DeviceStream> streams_;
  Shared<DeviceEvent> events_;
  std::unique_ptr<Recording> recording_;  ///< the one in progress
  std::unique_ptr<Timing> timing_;        ///< the one in progress
  std::map<std::uint32_t, Recording> recordings_;
  std::uint32_t next_ = 1;
  std::vector<DevicePtr> unfreed_;  ///< freed by their owner and quarantined: a recording may still use them
};

}  // namespace cudalabs
