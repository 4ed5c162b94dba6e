#include "grader/device/server/recording_device.h"

#include "grader/diagnostics/messages/device.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cudalabs {
namespace {

// A call that exceeds these limits is not recorded but timed live.
constexpr std::size_t kMaxOperations = 10'000;
constexpr std::uint64_t kMaxHostBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMaxLaunchesTimed = 1'000;

void first_error(Status& status, Status next) {
  if (status.ok()) status = std::move(next);
}

/// Ownership of a module, a stream or an event; null for the default stream.
template <class T>
std::shared_ptr<T> shared(T* object) {
  return object == nullptr ? nullptr : std::static_pointer_cast<T>(object->weak_from_this().lock());
}

}  // namespace

/// Words that the host has copied from data that it had read before.
struct RecordingDevice::Link {
  std::size_t at = 0;                ///< offset in the written data
  std::size_t read = 0, offset = 0;  ///< Replayer::reads
  std::size_t bytes = sim::HostReads::kWord;

  /// Extends the link by the next word, if that continues it. False: it does not.
  bool extend(std::size_t next_at, std::size_t next_read, std::size_t next_offset) {
    if (next_read != read || next_at != at + bytes || next_offset != offset + bytes) return false;
    bytes += sim::HostReads::kWord;
    return true;
  }
};

/// State that the operations of one replay share.
struct RecordingDevice::Replayer {
  Device& device;
  std::vector<DeviceStream*> streams{};  ///< the streams that the recording uses, without the default stream
  std::shared_ptr<DeviceEvent> marker{};
  std::vector<std::byte> host{};  ///< destination of copies to the host
  /// destination instead, if later writes may be copies of these bytes
  std::vector<std::vector<std::byte>> reads{};

  /// Makes all streams wait for the earlier work of `from` (null: the default stream).
  Status scatter(DeviceStream* from) {
    if (streams.empty()) return {};
    Status status = device.operations().record(*marker, from);
    return status.ok() ? wait_everywhere(*marker, from) : status;
  }
  Status wait_everywhere(DeviceEvent& event, DeviceStream* but) {
    Status status;
    if (but != nullptr) first_error(status, device.operations().wait(nullptr, event));
    for (DeviceStream* stream : streams) {
      if (stream != but) first_error(status, device.operations().wait(stream, event));
    }
    return status;
  }
  /// Makes the default stream wait for all earlier work.
  Status gather() {
    Status status;
    for (DeviceStream* stream : streams) {
      first_error(status, device.operations().record(*marker, stream));
      first_error(status, device.operations().wait(nullptr, *marker));
    }
    return status;
  }
};

RecordingDevice::RecordingDevice(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}
RecordingDevice::~RecordingDevice() = default;

void RecordingDevice::begin(bool linked) {
  abandon();
  recording_ = std::make_unique<Recording>();
  keep_freed();
  if (linked) recording_->reads.emplace();
}

void RecordingDevice::abandon() {
  recording_.reset();
  timing_.reset();
  forget(0);
}

RecordingDevice::Recorded RecordingDevice::end() {
  Recorded recorded{0, std::move(recording_->live_reason)};
  if (recorded.live_reason.empty()) {
    recorded.number = next_++;
    recordings_.emplace(recorded.number, std::move(*recording_));
  }
  recording_.reset();
  keep_freed();
  return recorded;
}

void RecordingDevice::forget(std::uint32_t number) {
  recordings_.erase(number);
  keep_freed();
  if (!recording_ && recordings_.empty()) inner_->memory().free_kept();
}

void RecordingDevice::keep_freed() { inner_->memory().keep_freed(recording_ || !recordings_.empty()); }

void RecordingDevice::keep(bool works, DeviceStream* stream, std::function<Status(Replayer&)> run,
                           bool is_launch) {
  if (!recording_ || !recording_->live_reason.empty()) return;
  Recording& recording = *recording_;
  if (works && recording.host_saw_data) {
    recording.live_reason = msg::live_after_read();
  } else if (recording.operations.size() >= kMaxOperations || recording.host_bytes > kMaxHostBytes) {
    recording.live_reason = msg::live_too_long();
  } else {
    recording.operations.push_back({is_launch, shared(stream), std::move(run)});
    return;
  }
  recording.operations.clear();
}

Answer<RecordingDevice::Timing> RecordingDevice::make_timing() {
  auto start = inner_->streams().create_event(0), end = inner_->streams().create_event(0);
  if (!start.ok()) return failure<Timing>(start.error, start.detail);
  if (!end.ok()) return failure<Timing>(end.error, end.detail);
  return answer(Timing{std::move(start.value), std::move(end.value)});
}

Answer<ReplayTimes> RecordingDevice::replay(std::uint32_t number, bool by_launch) {
  const auto found = recordings_.find(number);
  if (found == recordings_.end())
    return failure<ReplayTimes>(CudaError::InvalidResourceHandle, msg::recording_unknown());
  inner_->memory().quarantine_kept(false);
  Answer<ReplayTimes> times = replay(found->second, by_launch);
  inner_->memory().quarantine_kept(true);
  return times;
}

Answer<ReplayTimes> RecordingDevice::replay(const Recording& recording, bool by_launch) {
  const std::vector<Operation>& operations = recording.operations;
  Replayer replayer{*inner_};
  std::size_t launches = 0;
  for (const Operation& operation : operations) {
    DeviceStream* const stream = operation.stream.get();
    auto& streams = replayer.streams;
    if (stream != nullptr && std::find(streams.begin(), streams.end(), stream) == streams.end())
      streams.push_back(stream);
    if (operation.is_launch) ++launches;
  }
  by_launch = by_launch && launches <= kMaxLaunchesTimed;

  Status status;
  const auto new_event = [&](std::shared_ptr<DeviceEvent>& event) {
    auto made = inner_->streams().create_event(0);
    first_error(status, made);
    event = std::move(made.value);
  };
  Timing whole;
  std::vector<Timing> each(by_launch ? launches : 0);
  new_event(replayer.marker);
  new_event(whole.start);
  new_event(whole.end);
  for (Timing& launch : each) {
    new_event(launch.start);
    new_event(launch.end);
  }
  if (!status.ok()) return failure<ReplayTimes>(status.error, status.detail);

  status = inner_->instrumentation().start_cold(operations.size() + replayer.streams.size());
  first_error(status, inner_->operations().record(*whole.start, nullptr));
  first_error(status, replayer.scatter(nullptr));
  std::size_t launch = 0;
  for (const Operation& operation : operations) {
    if (!status.ok()) break;
    const bool timed = by_launch && operation.is_launch;
    if (timed) first_error(status, inner_->operations().record(*each[launch].start, operation.stream.get()));
    first_error(status, operation.run(replayer));
    if (timed) first_error(status, inner_->operations().record(*each[launch++].end, operation.stream.get()));
  }
  first_error(status, replayer.gather());
  first_error(status, inner_->operations().record(*whole.end, nullptr));
  ReplayTimes times;
  if (status.ok()) times.clock_mhz = inner_->instrumentation().measure_clock_mhz();
  first_error(status, inner_->operations().synchronize());
  const auto nanoseconds = [&](const Timing& timing) {
    const Answer<float> elapsed = inner_->streams().elapsed(*timing.start, *timing.end);
    first_error(status, elapsed);
    return static_cast<double>(elapsed.value) * 1e6;
  };
  if (status.ok()) times.call_ns = nanoseconds(whole);
  for (const Timing& timing : each) {
    if (status.ok()) times.launch_ns.push_back(nanoseconds(timing));
  }
  if (!status.ok()) return failure<ReplayTimes>(status.error, status.detail);
  return answer(std::move(times));
}

Status RecordingDevice::begin_timing() {
  abandon();
  Answer<Timing> timing = make_timing();
  if (!timing.ok()) return timing;
  Status status = inner_->instrumentation().start_cold(1);
  first_error(status, inner_->operations().record(*timing.value.start, nullptr));
  if (status.ok()) timing_ = std::make_unique<Timing>(std::move(timing.value));
  return status;
}

Answer<ReplayTimes> RecordingDevice::end_timing() {
  const std::unique_ptr<Timing> timing = std::move(timing_);
  Status status = inner_->operations().synchronize();
  first_error(status, inner_->operations().record(*timing->end, nullptr));
  ReplayTimes times;
  if (status.ok()) times.clock_mhz = inner_->instrumentation().measure_clock_mhz();
  first_error(status, inner_->operations().synchronize());
  const Answer<float> elapsed = inner_->streams().elapsed(*timing->start, *timing->end);
  first_error(status, elapsed);
  if (!status.ok()) return failure<ReplayTimes>(status.error, status.detail);
  times.call_ns = static_cast<double>(elapsed.value) * 1e6;
  return answer(std::move(times));
}

// ---- recording -------------------------------------------------------------------------------------------

Status RecordingDevice::copy_to_device(Pitched to, const std::byte* from, Extent extent,
                                       DeviceStream* stream) {
  const Status status = inner_->operations().copy_to_device(to, from, extent, stream);
  if (!status.ok() || !recording_) return status;
  const std::uint64_t bytes = extent.width * extent.rows;
  recording_->host_bytes += bytes;
  if (recording_->host_bytes <= kMaxHostBytes) {
    std::vector<Link> links;
    if (recording_->reads) {
      recording_->reads->find({from, bytes}, [&](std::size_t at, std::size_t read, std::size_t offset) {
        if (links.empty() || !links.back().extend(at, read, offset)) links.push_back({at, read, offset});
      });
    }
    keep(true, stream,
         [to, extent, links = std::move(links), kept = shared(stream),
          data = std::vector<std::byte>(from, from + bytes)](Replayer& r) mutable {
           for (const Link& link : links)
             std::memcpy(data.data() + link.at, r.reads[link.read].data() + link.offset, link.bytes);
           return r.device.operations().copy_to_device(to, data.data(), extent, kept.get());
         });
  } else {
    keep(true, stream, {});
  }
  return status;
}

Status RecordingDevice::copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream* stream) {
  Status status = inner_->operations().copy_to_host(to, from, extent, stream);
  if (!status.ok() || !recording_) return status;
  const std::uint64_t bytes = extent.width * extent.rows;
  const auto no_value = [](DevicePtr) { return sim::ProvenanceGraph::kUnknown; };
  if (recording_->reads && recording_->reads->add(0, {to, bytes}, no_value)) {
    keep(false, stream,
         [from, extent, bytes, kept = shared(stream),
          number = recording_->reads->all().size() - 1](Replayer& r) {
           r.reads.resize(std::max(r.reads.size(), number + 1));
           r.reads[number].resize(bytes);
           return r.device.operations().copy_to_host(r.reads[number].data(), from, extent, kept.get());
         });
    return status;
  }
  keep(false, stream, [from, extent, kept = shared(stream)](Replayer& r) {
    r.host.resize(std::max<std::size_t>(r.host.size(), extent.width * extent.rows));
    return r.device.operations().copy_to_host(r.host.data(), from, extent, kept.get());
  });
  recording_->host_saw_data = true;
  return status;
}

Status RecordingDevice::copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream* stream) {
  Status status = inner_->operations().copy_on_device(to, from, extent, stream);
  if (status.ok()) {
    keep(true, stream, [to, from, extent, kept = shared(stream)](Replayer& r) {
      return r.device.operations().copy_on_device(to, from, extent, kept.get());
    });
  }
  return status;
}

Status RecordingDevice::set(Pitched to, std::byte value, Extent extent, DeviceStream* stream) {
  Status status = inner_->operations().set(to, value, extent, stream);
  if (status.ok()) {
    keep(true, stream, [to, value, extent, kept = shared(stream)](Replayer& r) {
      return r.device.operations().set(to, value, extent, kept.get());
    });
  }
  return status;
}

Answer<LaunchRun> RecordingDevice::launch(const LaunchRequest& request, const std::atomic<bool>* cancel) {
  auto run = inner_->operations().launch(request, cancel);
  if (run.ok()) keep_launch(request);
  return run;
}

Status RecordingDevice::enqueue(const LaunchRequest& request) {
  Status status = inner_->operations().enqueue(request);
  if (status.ok()) keep_launch(request);
  return status;
}

void RecordingDevice::keep_launch(const LaunchRequest& request) {
  if (!recording_) return;
  keep(
      true, request.stream,
      [request = LaunchRequest(request), module = shared(request.module), stream = shared(request.stream),
       parameters = std::vector<std::byte>(request.parameters.begin(), request.parameters.end())](
          Replayer& r) mutable {
        request.parameters = parameters;
        return r.device.operations().enqueue(request);
      },
      true);
}

Status RecordingDevice::record(DeviceEvent& event, DeviceStream* stream) {
  Status status = inner_->operations().record(event, stream);
  if (status.ok()) {
    keep(false, stream, [kept = shared(&event), on = shared(stream)](Replayer& r) {
      return r.device.operations().record(*kept, on.get());
    });
  }
  return status;
}

Status RecordingDevice::wait(DeviceStream* stream, DeviceEvent& event) {
  Status status = inner_->operations().wait(stream, event);
  if (status.ok()) {
    keep(false, stream, [kept = shared(&event), on = shared(stream)](Replayer& r) {
      return r.device.operations().wait(on.get(), *kept);
    });
  }
  return status;
}

Status RecordingDevice::synchronize() {
  Status status = inner_->operations().synchronize();
  if (status.ok()) {
    keep(false, nullptr, [](Replayer& r) {
      Status joined = r.gather();
      return joined.ok() ? r.scatter(nullptr) : joined;
    });
  }
  return status;
}

Status RecordingDevice::synchronize(DeviceStream* stream) {
  Status status = inner_->operations().synchronize(stream);
  if (status.ok()) {
    keep(false, stream, [on = shared(stream)](Replayer& r) { return r.scatter(on.get()); });
  }
  return status;
}

Status RecordingDevice::synchronize(DeviceEvent& event) {
  Status status = inner_->operations().synchronize(event);
  if (status.ok()) {
    keep(false, nullptr, [kept = shared(&event)](Replayer& r) { return r.wait_everywhere(*kept, nullptr); });
  }
  return status;
}

}  // namespace cudalabs
