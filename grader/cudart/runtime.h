#pragma once
// What all of our libcudart shares: the connection to the device process, the state of errors, and the frame
// that every public call runs in. Linked into submissions, so it depends on nothing but libc and libstdc++.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "grader/cudart/host_clock.h"
#include "grader/device/wire/cuda_error.h"
#include "grader/device/wire/protocol.h"

namespace cudalabs::cudart {

/// How a call ends; `detail` goes to the grader's report.
struct Status {
  CudaError error = CudaError::Success;
  Message detail;
  [[nodiscard]] bool ok() const { return error == CudaError::Success; }
};

/// What a public call has to do with the faults of earlier launches.
enum class Mode : std::uint8_t {
  Host,   ///< does not wait for the device: an earlier fault stays hidden
  Async,  ///< puts work on the device: after a fault that did not show itself yet it succeeds and does
          ///< nothing
  Sync,   ///< waits for the device: shows the fault, and writes what kernels printed
  Event,  ///< likewise, but waits for no more than an event
};

class Runtime {
 public:
  /// The one instance. Never destroyed: destructors of the program may still call us.
  static Runtime& get();

  /// Sends a request and reads its reply. `payload` is filled only if the status is ok.
  template <class Payload, class M>
  Status exchange(M message, Payload& payload) {
    std::vector<std::byte> reply;
    if (!transact(protocol::encode(std::move(message)), reply)) return lost();
    protocol::Reader reader(reply);
    auto kind = protocol::Kind{};
    protocol::ReplyHead head;
    Payload received;
    reader(kind, head);
    if (head.error == 0) reader(received);
    if (!reader.finished() || kind != protocol::Kind::Reply) return unreadable();
    pending_ = static_cast<CudaError>(head.pending);
    printed_ = head.printed_bytes;
    worked_ = static_cast<int>(head.device);
    if (HostClock::wanted()) HostClock::get().worked(worked_, head.busy_ns);
    if (head.error == 0) payload = std::move(received);
    return {static_cast<CudaError>(head.error), std::move(head.detail)};
  }
  /// Likewise, with a file that comes along; it stays the caller's.
  template <class M, class Payload>
  Status exchange(M message, Payload& payload, int file) {
    file_ = file;
    Status status = exchange(std::move(message), payload);
    file_ = -1;
    return status;
  }
  template <class M>
  Status exchange(M message) {
    protocol::Nothing nothing;
    return exchange(std::move(message), nothing);
  }

  /// Connects on the first call. Not ok: there is no device,
  /// or the process was forked off the one that has it.
  Status connect();
  [[nodiscard]] const protocol::Welcome& device() const { return device_; }
  /// What is asked from now on is asked of that device, of those that there are.
  Status choose(int device);
  /// The device that did what was asked last.
  [[nodiscard]] int worked() const { return worked_; }
  [[nodiscard]] std::span<std::byte> staging() const { return staging_.bytes(); }
  [[nodiscard]] int socket() const { return socket_; }

  /// Ends a public call: shows faults, remembers the error, tells the grader.
  cudaError_t finish(const char* call, Mode mode, Status status);
  /// The error that every call returns from now on; Success while the context is sound.
  [[nodiscard]] CudaError sticky() const { return sticky_; }
  /// That of a kernel which no call has told of yet; Success if there is none.
  [[nodiscard]] CudaError pending() const { return pending_; }
  Status unsupported(const char* call);

  std::recursive_mutex mutex;  ///< one call at a time

 private:
  bool transact(const std::vector<std::byte>& request, std::vector<std::byte>& reply);
  Status lost();
  Status unreadable();
  void write_printed();

  int file_ = -1;  ///< to be sent with the next request
  bool tried_ = false;
  Status unusable_;
  int socket_ = -1;
  int owner_ = 0;  ///< the process that connected
  protocol::Staging staging_;
  protocol::Welcome device_;
  CudaError pending_ = CudaError::Success, sticky_ = CudaError::Success;
  std::uint32_t printed_ = 0;
  int reports_ = 0;
  int chosen_ = 0, worked_ = 0;  ///< devices
};

/// Where the public call that runs comes from: return addresses in the program's own file, innermost first.
/// Empty unless the grader wants to tell (it costs time).
/// `exact`: where the instruction stands, if it was no call.
std::vector<std::uint64_t> call_frames(std::uint64_t exact = 0);

/// The error that cudaGetLastError returns, of this host thread.
extern thread_local cudaError_t last_error;
/// The device that cudaSetDevice has chosen, of this host thread.
extern thread_local int current_device;

// ---- the order of streams (stream_order.cpp): only where `grader run` asks for it ------------------------

bool follows_streams();
void begin_followed_call(Runtime& runtime, const char* call);
void end_followed_call(Runtime& runtime);

/// Runs the body of a public call that needs the device: body(runtime) -> Status.
template <class Body>
cudaError_t api(const char* call, Mode mode, Body&& body) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  if (HostClock::wanted()) HostClock::get().enter();
  Status status = runtime.connect();
  if (status.ok()) status.error = runtime.sticky();
  if (status.ok()) status = runtime.choose(current_device);
  const bool followed = status.ok() && follows_streams();
  if (followed) begin_followed_call(runtime, call);
  if (status.ok()) status = body(runtime);
  if (followed) end_followed_call(runtime);
  const cudaError_t error = runtime.finish(call, mode, std::move(status));
  if (HostClock::wanted()) HostClock::get().leave();
  return error;
}

inline Status invalid_value(const char* detail) { return {CudaError::InvalidValue, detail}; }

// The per-thread default stream (nvcc --default-stream per-thread) calls the same function by another name.
// Work runs in the order of issue on every stream, so both names can share one body.
#define CUDALABS_PTSZ(name) extern "C" decltype(name) name##_ptsz __attribute__((alias(#name)))
#define CUDALABS_PTDS(name) extern "C" decltype(name) name##_ptds __attribute__((alias(#name)))

// ---- streams (stream.cpp) --------------------------------------------------------------------------------

/// The number of a stream that the program gave us. Not ok: no such stream.
Status stream_number(cudaStream_t stream, std::uint32_t& number);
/// Of one that there is; the default stream is the current device's.
int stream_device(std::uint32_t stream);
/// The number of an event that the program gave us. Not ok: no such event.
Status event_number(cudaEvent_t event, std::uint32_t& number);
/// Made with cudaStreamNonBlocking: it and the default stream do not wait for each other.
bool is_nonblocking(std::uint32_t stream);
/// "on stream 2": in the order in which the program made them.
std::string stream_place(std::uint32_t stream);

/// Runs body(runtime, number) with the stream's number.
template <class Body>
cudaError_t on_stream(const char* call, Mode mode, cudaStream_t stream, Body body) {
  return api(call, mode, [&](Runtime& runtime) -> Status {
    std::uint32_t number = 0;
    Status status = stream_number(stream, number);
    return status.ok() ? body(runtime, number) : status;
  });
}

// ---- limits (device.cpp) ---------------------------------------------------------------------------------

/// Launches by kernels that may wait: what cudaDeviceSetLimit() has said.
std::uint64_t pending_launches();

// ---- registered code (registration.cpp) ------------------------------------------------------------------

struct Function;

/// What a kernel stub or a kernel handle stands for, its module loaded. Errors:
/// cudaErrorInvalidDeviceFunction, and what loading the module ended with.
Status resolve(Runtime& runtime, const void* stub_or_handle, Function*& function);

struct Function {
  void** module = nullptr;
  std::string name;
  std::uint32_t module_number = 0;
  bool resolved = false;
  protocol::KernelReply info;
};

/// Sends all modules that are registered to the device. What cannot be loaded is told when it is used.
void load_modules(Runtime& runtime);

/// Where a __device__ or __constant__ variable lies. Errors: cudaErrorInvalidSymbol.
Status resolve_symbol(Runtime& runtime, const void* symbol, protocol::Range& range);

// ---- memory (memory.cpp, managed.cpp) --------------------------------------------------------------------

/// Device memory that host code can touch at the same address. A large range is one memory that the device
/// process maps, too, and takes what is touched of it. Of others the host's copy is the truth
/// except while a kernel runs: it is sent before each launch and fetched after it. Sound
/// because launches run in the order of issue, and because we say concurrentManagedAccess =
/// 0: touching it while a kernel runs is an error of the program.
class Managed {
 public:
  /// Beside the flags of page-locked memory: the program's own.
  static constexpr unsigned kRegistered = 0x100;

  static Managed& get();
  Status allocate(Runtime& runtime, std::uint64_t bytes, void*& pointer);
  /// Makes an existing device range (a __managed__ variable) visible at its address.
  Status adopt(Runtime& runtime, protocol::Range range);
  /// Makes the host's bytes at `host` the host's copy of a device range.
  Status adopt(Runtime& runtime, protocol::Range range, void* host);
  /// Page-locked host memory, wherever it lies; the current device's. False: some of it is that already.
  bool pin(const void* host, std::uint64_t bytes, unsigned flags);
  /// What starts there is so no more; false if nothing does.
  bool unpin(Runtime& runtime, const void* host);
  /// Of the page-locked memory around the pointer; null: there is none.
  [[nodiscard]] const unsigned* pinned_flags(const void* pointer) const;
  /// That was current when it was pinned; there has to be some.
  [[nodiscard]] int pinned_device(const void* pointer) const;
  /// What a kernel is given as a pointer to host memory that it can touch becomes the device's address;
  /// others stay what they are. Page-locked memory gets its copy on the device when a kernel is first given
  /// it.
  Status on_device(Runtime& runtime, std::uint64_t& pointer);
  /// Forgets the allocation that starts there; false if it is none.
  bool forget(const void* pointer);
  [[nodiscard]] bool contains(const void* pointer) const;
  /// Whether there is any that both sides have.
  [[nodiscard]] bool shares() const { return !ranges_.empty() || !elsewhere_.empty(); }
  /// Of memory that has one address on both sides: address -> bytes.
  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& ranges() const { return ranges_; }
  Status send(Runtime& runtime);
  Status fetch(Runtime& runtime);

 private:
  struct Pinned {
    std::uint64_t bytes = 0;
    unsigned flags = 0;
    int device = 0;
  };
  Status map_pages(protocol::Range range);
  /// One memory for host and device, where the device can; not ok: it cannot.
  Status share(Runtime& runtime, std::uint64_t bytes, void*& pointer);
  [[nodiscard]] Status fits(std::uint64_t bytes) const;
  [[nodiscard]] std::map<std::uint64_t, Pinned>::const_iterator pinned_range(const void* pointer) const;
  std::map<std::uint64_t, std::uint64_t> ranges_;  ///< address -> bytes
  /// Of ranges_, those that are one memory for both sides: address -> bytes in whole pages.
  std::map<std::uint64_t, std::uint64_t> shared_;
  std::map<std::uint64_t, std::uint64_t> pages_;  ///< of ours that are mapped: where a run begins and ends
  std::map<std::uint64_t, Pinned> pinned_;        ///< by address
  struct Copy {
    void* host = nullptr;
    protocol::Range device;
    bool of_variable = false;  ///< a managed one, whose address is the host's
  };
  std::vector<Copy> elsewhere_;  ///< where host and device have addresses of their own
};

/// What the program has said of where these bytes of managed memory should lie holds no more (placement.cpp).
void forget_placement(const void* begin, std::size_t bytes);

/// Frees memory of any allocating call; null is free already.
Status release(Runtime& runtime, void* pointer);

struct DeviceRows {
  std::uint64_t address = 0, pitch = 0;
};
Status copy_in(Runtime& runtime, DeviceRows to, const void* from, std::size_t from_pitch, std::size_t width,
               std::size_t rows, std::uint32_t stream);
Status copy_out(Runtime& runtime, void* to, std::size_t to_pitch, DeviceRows from, std::size_t width,
                std::size_t rows, std::uint32_t stream, const std::vector<std::uint64_t>& frames = {});

}  // namespace cudalabs::cudart
