#pragma once
// The common part of our libcudart: the connection to the device process, the error state, and the frame of
// every public call. It is linked into submissions, so it depends only on libc and libstdc++.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/cudart/host_clock.h"
#include "grader/device/protocol/cuda_error.h"
#include "grader/device/protocol/protocol.h"
#include "grader/diagnostics/messages/cudart.h"

namespace cudalabs::cudart {

/// The result of a call; `detail` goes to the grader's report.
struct Status {
  CudaError error = CudaError::Success;
  Message detail;
  [[nodiscard]] bool ok() const { return error == CudaError::Success; }
};

/// How a public call treats faults of earlier launches.
enum class Mode : std::uint8_t {
  Host,   ///< does not wait for the device: earlier faults stay hidden
  Async,  ///< puts work on the device: after a fault that is not reported yet, it succeeds and does nothing
  Sync,   ///< waits for the device: reports the fault, and writes the output of kernels
  Event,  ///< the same, but waits only for an event
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
  /// The same with an attached file, which the caller still owns.
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

  /// Connects on the first call. Error: there is no device, or this process was forked from the connected
  /// one.
  Status connect();
  [[nodiscard]] const protocol::Welcome& device() const { return device_; }
  /// Directs further requests to that device, which must exist.
  Status choose(int device);
  /// The device of the last request.
  [[nodiscard]] int worked() const { return worked_; }
  [[nodiscard]] std::span<std::byte> staging() const { return staging_.bytes(); }
  [[nodiscard]] int socket() const { return socket_; }

  /// Ends a public call: reports faults, remembers the error, tells the grader.
  cudaError_t finish(const char* call, Mode mode, Status status);
  /// The error that every call returns from now on; Success while the context is sound.
  [[nodiscard]] CudaError sticky() const { return sticky_; }
  /// The error of a kernel that no call has reported yet; Success if there is none.
  [[nodiscard]] CudaError pending() const { return pending_; }
  /// Tells the grader that the program measures its launches by a clock of the host, if that is news.
  void report_clock();
  /// The program asks about earlier calls: about the last one with this error, or about all so far (Success).
  void asked(CudaError error);
  /// `call` names the function, or describes what of it is not supported.
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
  std::multiset<CudaError> not_asked_;  ///< reported errors that the program has not asked about
  int chosen_ = 0, worked_ = 0;         ///< devices
};

/// The origin of the current public call: return addresses in the program's own file, innermost first. Empty
/// unless the grader wants them (they cost time). `exact`: the address of the instruction, if it was no call.
std::vector<std::uint64_t> call_frames(std::uint64_t exact = 0);
/// The same for a call that fails. The grader may want these alone, because they cost nothing otherwise.
std::vector<std::uint64_t> failed_call_frames();

/// This host thread's error for cudaGetLastError.
extern thread_local cudaError_t last_error;
/// The device that this host thread has chosen by cudaSetDevice.
extern thread_local int current_device;

// ---- the order of streams (stream_order.cpp): only if `grader run` asks for it ---------------------------

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

/// Returns whether the grader wants to know what the program did not notice: a failed call, a clock that does
/// not show the card's time.
bool wants_notes();

/// Prints on the program's stderr, in English and behind the name of the runtime.
void print_error(const Message& message);

inline Status invalid_value(Message detail) { return {CudaError::InvalidValue, std::move(detail)}; }

// The per-thread default stream (nvcc --default-stream per-thread) calls the same function by another name.
// Work runs in the order of issue on every stream, so both names can share one body.
#define CUDALABS_PTSZ(name) extern "C" decltype(name) name##_ptsz __attribute__((alias(#name)))
#define CUDALABS_PTDS(name) extern "C" decltype(name) name##_ptds __attribute__((alias(#name)))

// ---- streams (stream.cpp) --------------------------------------------------------------------------------

/// The number of the program's stream. Error: no such stream.
Status stream_number(cudaStream_t stream, std::uint32_t& number);
/// The device of an existing stream; for the default stream the current device.
int stream_device(std::uint32_t stream);
/// The number of the program's event. Error: no such event.
Status event_number(cudaEvent_t event, std::uint32_t& number);
/// True iff made with cudaStreamNonBlocking: it and the default stream do not wait for each other.
bool is_nonblocking(std::uint32_t stream);
/// The stream's place in the order in which the program made its streams, from 1; 0: a default stream.
std::uint32_t made_as(std::uint32_t stream);

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

/// Of sim::KernelLimits.
std::uint64_t bank_bytes_of(cudaSharedMemConfig config);
/// Puts what cudaDeviceSetLimit() has set on the current device into a launch there.
void put_limits(protocol::Launch& message);
/// The kernel was launched on the current device: the memory that it uses now has its final size.
void settle_limits(const protocol::KernelReply& kernel);

// ---- registered code (registration.cpp) ------------------------------------------------------------------

struct Function;

/// The function of a kernel stub or a kernel handle, with its module loaded. Errors:
/// cudaErrorInvalidDeviceFunction, or the error of loading the module.
Status resolve(Runtime& runtime, const void* stub_or_handle, Function*& function);

struct Function {
  void** module = nullptr;
  std::string name;
  std::uint32_t module_number = 0;
  bool resolved = false;
  std::uint64_t bank_bytes = 0;  ///< set for this kernel; 0: as for the device
  protocol::KernelReply info;
};

/// Sends all registered modules to the device. A module that fails to load is reported at its first use.
void load_modules(Runtime& runtime);

/// The address of a __device__ or __constant__ variable. Errors: cudaErrorInvalidSymbol.
Status resolve_symbol(Runtime& runtime, const void* symbol, protocol::Range& range);

// ---- memory (memory.cpp, managed.cpp) --------------------------------------------------------------------

/// Device memory that host code can access at the same address. A large range is one memory that the device
/// process maps, too; only accessed pages take memory. For other ranges the host's copy is valid except while
/// a kernel runs: it is sent before each launch and fetched after it. This is sound because launches run in
/// the order of issue, and because we report concurrentManagedAccess = 0: an access while a kernel runs is an
/// error of the program.
class Managed {
 public:
  /// An additional flag of page-locked memory: the program registered its own memory.
  static constexpr unsigned kRegistered = 0x100;

  static Managed& get();
  Status allocate(Runtime& runtime, std::uint64_t bytes, void*& pointer);
  /// Makes an existing device range (a __managed__ variable) visible at its address.
  Status adopt(Runtime& runtime, protocol::Range range);
  /// Makes the host's bytes at `host` the host's copy of a device range.
  Status adopt(Runtime& runtime, protocol::Range range, void* host);
  /// Marks host memory as page-locked, for the current device. False: a part of it already is.
  bool pin(const void* host, std::uint64_t bytes, unsigned flags);
  /// Removes the mark from memory that starts there; false if there is none.
  bool unpin(Runtime& runtime, const void* host);
  /// Flags of the page-locked memory that contains the pointer; null: there is none.
  [[nodiscard]] const unsigned* pinned_flags(const void* pointer) const;
  /// The device that was current when the memory was pinned; the pointer must be in such memory.
  [[nodiscard]] int pinned_device(const void* pointer) const;
  /// Replaces a kernel's pointer to host memory that the kernel can access with the device's address; leaves
  /// other pointers. Page-locked memory gets its device copy when a kernel first gets a pointer to it.
  Status on_device(Runtime& runtime, std::uint64_t& pointer);
  /// Forgets the allocation that starts there; false if there is none.
  bool forget(const void* pointer);
  [[nodiscard]] bool contains(const void* pointer) const;
  /// True iff there is any memory that both sides can access.
  [[nodiscard]] bool shares() const { return !ranges_.empty() || !elsewhere_.empty(); }
  /// Memory that has one address on both sides: address -> bytes.
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
  /// Makes one memory for host and device. Error: the device cannot do that.
  Status share(Runtime& runtime, std::uint64_t bytes, void*& pointer);
  [[nodiscard]] Status fits(std::uint64_t bytes) const;
  [[nodiscard]] std::map<std::uint64_t, Pinned>::const_iterator pinned_range(const void* pointer) const;
  std::map<std::uint64_t, std::uint64_t> ranges_;  ///< address -> bytes
  /// Those of ranges_ that are one memory for both sides: address -> bytes in whole pages.
  std::map<std::uint64_t, std::uint64_t> shared_;
  std::map<std::uint64_t, std::uint64_t> pages_;  ///< mapped by us: begin and end of each run
  std::map<std::uint64_t, Pinned> pinned_;        ///< by address
  struct Copy {
    void* host = nullptr;
    protocol::Range device;
    bool of_variable = false;  ///< a managed variable, which has the host's address
  };
  std::vector<Copy> elsewhere_;  ///< with different addresses on host and device
};

/// Forgets the preferred location of these bytes of managed memory (placement.cpp).
void forget_placement(const void* begin, std::size_t bytes);

/// Frees memory of any allocating call; null is allowed.
Status release(Runtime& runtime, void* pointer);

struct DeviceRows {
  std::uint64_t address = 0, pitch = 0;
};
Status copy_in(Runtime& runtime, DeviceRows to, const void* from, std::size_t from_pitch, std::size_t width,
               std::size_t rows, std::uint32_t stream);
Status copy_out(Runtime& runtime, void* to, std::size_t to_pitch, DeviceRows from, std::size_t width,
                std::size_t rows, std::uint32_t stream, const std::vector<std::uint64_t>& frames = {});

}  // namespace cudalabs::cudart
