// Streams and events. Their handles are numbers with a pointer's type: they do not point to our memory.

#include <cstdlib>

#include "grader/cudart/graphs/capture.h"
#include "grader/cudart/memory/pools.h"
#include "grader/cudart/streams/stream_order.h"

namespace cudalabs::cudart {
namespace {

constexpr std::uint64_t kStreamTag = 0x5354'0000'0000, kEventTag = 0x4556'0000'0000;
constexpr int kLowestPriority = 0, kHighestPriority = -5;

struct StreamState {
  unsigned flags = 0;
  int priority = 0;
  int device = 0;
  std::uint32_t number = 0;  ///< for messages; 0: a thread's default stream
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;  ///< those that were set
};

std::map<std::uint32_t, StreamState>& streams() {
  static auto* const instance = new std::map<std::uint32_t, StreamState>;
  return *instance;
}

/// Event number -> its flags.
std::map<std::uint32_t, unsigned>& events() {
  static auto* const instance = new std::map<std::uint32_t, unsigned>;
  return *instance;
}

template <class T>
T clothe(std::uint64_t tag, std::uint32_t number) {
  return reinterpret_cast<T>(tag + number);
}

Status create_stream(Runtime& runtime, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr) return invalid_value("no place for the stream");
  if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)
    return invalid_value("no such stream flag");
  protocol::Handle handle;
  Status status = runtime.exchange(protocol::CreateStream{flags, priority}, handle);
  if (!status.ok()) return status;
  static std::uint32_t last = 0;
  streams()[handle.value] = {flags, priority, current_device, ++last, {}};
  *stream = clothe<cudaStream_t>(kStreamTag, handle.value);
  return {};
}

bool is_stream_attribute(cudaLaunchAttributeID attribute) {
  return attribute == cudaLaunchAttributeAccessPolicyWindow ||
         attribute == cudaLaunchAttributeSynchronizationPolicy || attribute == cudaLaunchAttributePriority ||
         attribute == cudaLaunchAttributeMemSyncDomain || attribute == cudaLaunchAttributeMemSyncDomainMap;
}

template <class Body>
cudaError_t on_event(const char* call, Mode mode, cudaEvent_t event, Body body) {
  return api(call, mode, [&](Runtime& runtime) -> Status {
    std::uint32_t number = 0;
    Status status = event_number(event, number);
    return status.ok() ? body(runtime, number) : status;
  });
}

/// The calling thread's own default stream. If nobody checks the order of streams, all threads share one,
/// since work runs in the order of issue.
Status thread_stream(Runtime& runtime, std::uint32_t& number) {
  static thread_local std::uint32_t own = 0;
  if (own == 0) {
    protocol::Handle handle;
    Status status = runtime.exchange(protocol::CreateStream{cudaStreamDefault, 0}, handle);
    if (!status.ok()) return status;
    own = handle.value;
    streams()[own] = {};
  }
  number = own;
  return {};
}

/// True iff the program was compiled with --default-stream per-thread.
bool null_is_thread_stream() {
  static const bool is = std::getenv("CUDALABS_PER_THREAD_STREAM") != nullptr;
  return is;
}

}  // namespace

std::pair<sim::StreamKind, std::uint32_t> stream_place(std::uint32_t stream) {
  using enum sim::StreamKind;
  const auto found = streams().find(stream);
  if (found == streams().end()) return {Default, 0};
  const std::uint32_t number = found->second.number;
  return {number == 0 ? ThreadDefault : Numbered, number};
}

Status event_number(cudaEvent_t event, std::uint32_t& number) {
  number = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(event) - kEventTag);
  if (clothe<cudaEvent_t>(kEventTag, number) == event && events().count(number) != 0) return {};
  return {CudaError::InvalidResourceHandle, "no such event, or destroyed before"};
}

bool is_nonblocking(std::uint32_t stream) {
  const auto found = streams().find(stream);
  return found != streams().end() && found->second.flags == cudaStreamNonBlocking;
}

int stream_device(std::uint32_t stream) { return stream == 0 ? current_device : streams()[stream].device; }

Status stream_number(cudaStream_t stream, std::uint32_t& number) {
  number = 0;
  const bool threads_own = stream == cudaStreamPerThread || (stream == nullptr && null_is_thread_stream());
  if (threads_own && follows_streams()) return thread_stream(Runtime::get(), number);
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return {};
  number = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(stream) - kStreamTag);
  if (clothe<cudaStream_t>(kStreamTag, number) == stream && number != 0 && streams().count(number) != 0)
    return {};
  return {CudaError::InvalidResourceHandle, "no such stream, or destroyed before"};
}

}  // namespace cudalabs::cudart

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return api("cudaStreamCreate", Mode::Host,
             [&](Runtime& runtime) { return create_stream(runtime, stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return api("cudaStreamCreateWithFlags", Mode::Host,
             [&](Runtime& runtime) { return create_stream(runtime, stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api("cudaStreamCreateWithPriority", Mode::Host, [&](Runtime& runtime) {
    const int clamped = priority < kHighestPriority  ? kHighestPriority
                        : priority > kLowestPriority ? kLowestPriority
                                                     : priority;
    return create_stream(runtime, stream, flags, clamped);
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  return api("cudaDeviceGetStreamPriorityRange", Mode::Host, [&](Runtime&) {
    if (lowest != nullptr) *lowest = kLowestPriority;
    if (highest != nullptr) *highest = kHighestPriority;
    return Status{};
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return on_stream("cudaStreamDestroy", Mode::Host, stream, [](Runtime& runtime, std::uint32_t number) {
    if (number == 0)
      return Status{CudaError::InvalidResourceHandle, "the default stream cannot be destroyed"};
    forget_capture(number);
    if (follows_streams()) StreamOrder::get().forget_stream(number);
    streams().erase(number);
    return runtime.exchange(protocol::DestroyStream{number});
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return on_stream("cudaStreamSynchronize", Mode::Sync, stream, [](Runtime& runtime, std::uint32_t number) {
    Status status = stream_asked_in_capture(number);
    if (status.ok() && follows_streams()) status = StreamOrder::get().wait_for_stream(runtime, number);
    return status.ok() ? synchronize(runtime, protocol::SyncStream{number}) : status;
  });
}
CUDALABS_PTSZ(cudaStreamSynchronize);

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return on_stream("cudaStreamQuery", Mode::Sync, stream, [](Runtime& runtime, std::uint32_t number) {
    Status status = stream_asked_in_capture(number);
    if (status.ok() && follows_streams()) status = StreamOrder::get().ask_for_stream(runtime, number);
    return status.ok() ? runtime.exchange(protocol::QueryStream{number}) : status;
  });
}
CUDALABS_PTSZ(cudaStreamQuery);

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return on_stream("cudaStreamGetFlags", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    if (flags == nullptr) return invalid_value("no place for the flags");
    *flags = number == 0 ? cudaStreamDefault : streams()[number].flags;
    return Status{};
  });
}
CUDALABS_PTSZ(cudaStreamGetFlags);

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return on_stream("cudaStreamGetPriority", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    if (priority == nullptr) return invalid_value("no place for the priority");
    *priority = number == 0 ? 0 : streams()[number].priority;
    return Status{};
  });
}
CUDALABS_PTSZ(cudaStreamGetPriority);

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return on_stream("cudaStreamGetDevice", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    if (device == nullptr) return invalid_value("no place for the device");
    *device = stream_device(number);
    return Status{};
  });
}
CUDALABS_PTSZ(cudaStreamGetDevice);

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return on_stream("cudaStreamGetId", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    if (id == nullptr) return invalid_value("no place for the number");
    *id = number + 1;
    return Status{};
  });
}
CUDALABS_PTSZ(cudaStreamGetId);

// Hints: L2 persistence, how the host waits, stream priority. They change no result.

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  return on_stream("cudaStreamSetAttribute", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    if (value == nullptr || !is_stream_attribute(attribute))
      return invalid_value("no value, or no attribute of streams");
    streams()[number].attributes[attribute] = *value;
    return Status{};
  });
}
CUDALABS_PTSZ(cudaStreamSetAttribute);

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  return on_stream("cudaStreamGetAttribute", Mode::Host, stream, [&](Runtime&, std::uint32_t number) {
    if (value == nullptr || !is_stream_attribute(attribute))
      return invalid_value("no place for the value, or no attribute of streams");
    const auto& set = streams()[number].attributes;
    const auto found = set.find(attribute);
    *value = found == set.end() ? cudaLaunchAttributeValue{} : found->second;
    return Status{};
  });
}
CUDALABS_PTSZ(cudaStreamGetAttribute);

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return on_stream("cudaStreamCopyAttributes", Mode::Host, to, [&](Runtime&, std::uint32_t number) {
    std::uint32_t source = 0;
    Status status = stream_number(from, source);
    if (status.ok()) streams()[number].attributes = streams()[source].attributes;
    return status;
  });
}
CUDALABS_PTSZ(cudaStreamCopyAttributes);

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return on_stream("cudaStreamWaitEvent", Mode::Async, stream, [&](Runtime& runtime, std::uint32_t number) {
    if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return invalid_value("no such flag");
    std::uint32_t waited = 0;
    Status status = event_number(event, waited);
    if (!status.ok()) return status;
    if (flags == cudaEventWaitExternal && is_captured(number))
      return submit(runtime, number, WaitOperation{event});
    bool done = false;
    status = wait_in_capture(waited, number, done);
    if (!status.ok() || done) return status;
    if (follows_streams()) StreamOrder::get().wait(number, waited);
    return runtime.exchange(protocol::WaitEvent{waited, number});
  });
}
CUDALABS_PTSZ(cudaStreamWaitEvent);

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  const cudaError_t error =
      on_stream("cudaStreamAddCallback", Mode::Async, stream, [&](Runtime& runtime, std::uint32_t number) {
        if (callback == nullptr || flags != 0) return invalid_value("no callback, or flags that are not 0");
        if (is_captured(number)) return stream_asked_in_capture(number);
        return follows_streams() ? StreamOrder::get().begin_host_function(runtime, number) : Status{};
      });
  // All earlier work is done.
  if (error == cudaSuccess) callback(stream, cudaSuccess, data);
  if (follows_streams()) StreamOrder::get().end_host_function();
  return error;
}
CUDALABS_PTSZ(cudaStreamAddCallback);

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  bool captured = false;
  const cudaError_t error =
      on_stream("cudaLaunchHostFunc", Mode::Async, stream, [&](Runtime& runtime, std::uint32_t number) {
        if (function == nullptr) return invalid_value("no function");
        captured = is_captured(number);
        if (!captured && follows_streams()) return StreamOrder::get().begin_host_function(runtime, number);
        if (!captured) return Status{};
        return submit(runtime, number, HostOperation{{function, data}});
      });
  if (error == cudaSuccess && !captured) function(data);
  if (follows_streams()) StreamOrder::get().end_host_function();
  return error;
}
CUDALABS_PTSZ(cudaLaunchHostFunc);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api("cudaEventCreate", Mode::Host, [&](Runtime& runtime) {
    if (event == nullptr) return invalid_value("no place for the event");
    constexpr unsigned kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if ((flags & ~kKnown) != 0) return invalid_value("no such event flag");
    if ((flags & cudaEventInterprocess) != 0)
      return runtime.unsupported("cudaEventCreate with cudaEventInterprocess");
    protocol::Handle handle;
    Status status = runtime.exchange(protocol::CreateEvent{flags}, handle);
    if (!status.ok()) return status;
    events()[handle.value] = flags;
    *event = clothe<cudaEvent_t>(kEventTag, handle.value);
    return status;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return on_event("cudaEventDestroy", Mode::Host, event, [](Runtime& runtime, std::uint32_t number) {
    events().erase(number);
    return runtime.exchange(protocol::DestroyEvent{number});
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return on_event("cudaEventRecord", Mode::Async, event, [&](Runtime& runtime, std::uint32_t number) {
    if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal)
      return invalid_value("no such flag");
    std::uint32_t on = 0;
    Status status = stream_number(stream, on);
    if (!status.ok()) return status;
    if (flags == cudaEventRecordExternal && is_captured(on))
      return submit(runtime, on, RecordOperation{event});
    bool done = false;
    status = record_in_capture(number, on, done);
    if (!status.ok() || done) return status;
    if (follows_streams()) return StreamOrder::get().record(runtime, number, on);
    status = runtime.exchange(protocol::RecordEvent{number, on});
    if (status.ok() && HostClock::wanted()) HostClock::get().recorded(stream_device(on), number);
    return status;
  });
}
CUDALABS_PTSZ(cudaEventRecordWithFlags);

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
CUDALABS_PTSZ(cudaEventRecord);

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return on_event("cudaEventSynchronize", Mode::Event, event, [](Runtime& runtime, std::uint32_t number) {
    Status status = event_asked_in_capture(number);
    if (status.ok() && follows_streams()) status = StreamOrder::get().wait_for_event(runtime, number);
    if (HostClock::wanted()) HostClock::get().wait_for_event(number);
    return status.ok() ? synchronize(runtime, protocol::SyncEvent{number}) : status;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return on_event("cudaEventQuery", Mode::Event, event, [](Runtime& runtime, std::uint32_t number) {
    Status status = event_asked_in_capture(number);
    if (status.ok() && follows_streams()) status = StreamOrder::get().ask_for_event(runtime, number);
    if (HostClock::wanted()) HostClock::get().wait_for_event(number);
    return status.ok() ? runtime.exchange(protocol::QueryEvent{number}) : status;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return on_event("cudaEventElapsedTime", Mode::Event, start, [&](Runtime& runtime, std::uint32_t from) {
    if (milliseconds == nullptr) return invalid_value("no place for the time");
    std::uint32_t to = 0;
    Status status = event_number(end, to);
    if (!status.ok()) return status;
    if (((events()[from] | events()[to]) & cudaEventDisableTiming) != 0) {
      return Status{CudaError::InvalidResourceHandle, "an event was created with cudaEventDisableTiming"};
    }
    for (const std::uint32_t event : {from, to}) {
      if (follows_streams() && status.ok()) status = StreamOrder::get().wait_for_event(runtime, event);
    }
    if (!status.ok()) return status;
    protocol::Milliseconds elapsed;
    status = runtime.exchange(protocol::Elapsed{from, to}, elapsed);
    if (status.ok()) *milliseconds = elapsed.value;
    return status;
  });
}
}
