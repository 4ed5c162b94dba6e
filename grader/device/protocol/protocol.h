#pragma once
// The messages between the processes. Sockets are AF_UNIX SOCK_SEQPACKET: one datagram is one message, so no
// framing can lose synchronisation. A message is a 32-bit Kind and then the fields of its struct, in order.
// Bulk data goes through a staging buffer, a memfd that the device process makes and seals: its size cannot
// change any more.
//
//   client (our libcudart in the submission) -> device process   one request, waits for its Reply
//       untrusted: every field is checked
//   device process -> client                                     RunEntry, only to a client that has sent
//                                                                Ready or EntryDone
//   grader -> device process                                     control messages (control.h)
//       trusted
//
// A message that our libcudart never sends (cut short, too long, unknown, out of order) ends the connection;
// a handle or a range that is wrong is an ordinary CUDA error, because a student's program may well pass one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/device/protocol/wire.h"
#include "grader/sim/base/kernel_limits.h"
#include "grader/sim/base/stream_operation.h"
#include "grader/sim/base/texture.h"

namespace cudalabs::protocol {

inline constexpr std::uint32_t kVersion = 6;
inline constexpr std::uint64_t kMaxChildren = 1 << 20;  ///< that a launch may allow to be pending
inline constexpr std::uint64_t kMaxSyncDepth = 24;      ///< how deep CUDA nested launches that are waited for
inline constexpr std::size_t kMaxMessage = 64 * 1024;   ///< bytes, Kind included
inline constexpr std::size_t kMaxText = 4 * 1024;       ///< longest name or detail in a message
inline constexpr std::size_t kStagingBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxParameterBytes = 32 * 1024;  ///< of one kernel launch
inline constexpr std::size_t kMaxArguments = 256;             ///< of one entry
inline constexpr std::size_t kMaxFrames = 16;                 ///< of one call
inline constexpr std::size_t kMaxLanes = 8192;                ///< in the order of streams
inline constexpr std::uint64_t kMaxTouchedRows = 1 << 20;     ///< of one operation

enum class Kind : std::uint32_t {
  Reply = 1,
  // client -> device process
  Hello = 0x100,
  LoadModule,
  GetKernel,
  GetVariable,
  SetKernelShared,
  Occupancy,
  Allocate,
  Free,
  CopyIn,
  CopyOut,
  CopyOnDevice,
  Set,
  Launch,
  CreateStream,
  DestroyStream,
  CreateEvent,
  DestroyEvent,
  RecordEvent,
  WaitEvent,
  QueryStream,
  QueryEvent,
  SyncDevice,
  ResetDevice,
  SyncStream,
  SyncEvent,
  Elapsed,
  TakePrinted,
  MemoryInfo,
  PointerInfo,
  ReportError,
  ReportUnsupported,
  ReportAsked,
  ReportClock,
  Ready,
  EntryDone,
  SetAside,
  CreateTexture,
  DestroyTexture,
  ChooseDevice,
  SetPeerAccess,
  Grant,
  StreamOperation,
  // device process -> client
  RunEntry = 0x200,
  // grader <-> device process (control.h)
  ControlReply = 0x1000,
  Configure,
  NewClient,
  WaitReady,
  Serve,
  Cancel,
  CallEntry,
  GraderAllocate,
  GraderFree,
  GraderWrite,
  GraderRead,
  GraderCopy,
  Replay,
  Forget,
};

void fields_of(auto& a, sim::StreamTouch& touch) {
  a(touch.address, touch.pitch, touch.width, touch.rows, touch.writes);
}

// ---- requests of the client ------------------------------------------------------------------------------
// The comment behind a struct names the Reply's payload.

struct Hello {  ///< -> Welcome, with the staging memfd attached
  static constexpr Kind kind = Kind::Hello;
  std::uint32_t version = kVersion;
  void fields(auto& a) { a(version); }
};
struct LoadModule {  ///< its fat binary is at the start of the staging buffer -> Handle
  static constexpr Kind kind = Kind::LoadModule;
  std::uint64_t bytes = 0;
  std::vector<std::string> managed{};  ///< its variables that all devices share
  void fields(auto& a) { a(bytes, managed); }
};
struct GetKernel {  ///< -> KernelReply
  static constexpr Kind kind = Kind::GetKernel;
  std::uint32_t module = 0;
  std::string name;
  void fields(auto& a) { a(module, name); }
};
struct GetVariable {  ///< -> Range: the variable on the chosen device
  static constexpr Kind kind = Kind::GetVariable;
  std::uint32_t module = 0;
  std::string name;
  void fields(auto& a) { a(module, name); }
};
struct SetKernelShared {  ///< cudaFuncAttributeMaxDynamicSharedMemorySize -> nothing
  static constexpr Kind kind = Kind::SetKernelShared;
  std::uint32_t module = 0, kernel = 0;
  std::uint64_t bytes = 0;
  void fields(auto& a) { a(module, kernel, bytes); }
};
struct Occupancy {  ///< -> Handle: blocks on a multiprocessor
  static constexpr Kind kind = Kind::Occupancy;
  std::uint32_t module = 0, kernel = 0, threads = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  void fields(auto& a) { a(module, kernel, threads, dynamic_shared_bytes); }
};
struct Allocate {  ///< -> Range
  static constexpr Kind kind = Kind::Allocate;
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> frames{};  ///< as sim::Finding::frames
  std::uint32_t granted = 0;            ///< not 0: see Grant::devices
  bool shared = false;                  ///< use the attached memory file
  void fields(auto& a) { a(bytes, frames, granted, shared); }
};
struct Grant {  ///< kernels of these devices may use the allocation, whatever peer access says -> nothing
  static constexpr Kind kind = Kind::Grant;
  std::uint64_t pointer = 0;
  std::uint32_t devices = 0;  ///< sim::DeviceMask
  void fields(auto& a) { a(pointer, devices); }
};
/// Chooses the device for the next requests: its default stream is used, and new objects belong to it. Device
/// 0 at first. Streams and events stay on their device.
struct ChooseDevice {  ///< -> nothing
  static constexpr Kind kind = Kind::ChooseDevice;
  std::uint32_t device = 0;
  void fields(auto& a) { a(device); }
};
struct SetPeerAccess {  ///< from the chosen device to `peer` -> nothing
  static constexpr Kind kind = Kind::SetPeerAccess;
  std::uint32_t peer = 0;
  bool enabled = false;
  void fields(auto& a) { a(peer, enabled); }
};
struct Free {  ///< -> nothing
  static constexpr Kind kind = Kind::Free;
  std::uint64_t pointer = 0;
  void fields(auto& a) { a(pointer); }
};
struct SetAside {  ///< quarantines an allocation, or makes it usable again -> nothing
  static constexpr Kind kind = Kind::SetAside;
  std::uint64_t pointer = 0;
  bool aside = false;
  void fields(auto& a) { a(pointer, aside); }
};
struct CreateTexture {  ///< a texture or surface object -> Size: its value for kernels
  static constexpr Kind kind = Kind::CreateTexture;
  sim::Texture texture;
  void fields(auto& a) {
    a(texture.surface, texture.memory, texture.address, texture.pitch, texture.width, texture.height,
      texture.depth, texture.layered, texture.cube, texture.kind, texture.channels, texture.bits,
      texture.addressing[0], texture.addressing[1], texture.addressing[2], texture.linear_filter,
      texture.normalized_coordinates, texture.normalized_values, texture.border[0], texture.border[1],
      texture.border[2], texture.border[3]);
  }
};
struct DestroyTexture {  ///< -> nothing
  static constexpr Kind kind = Kind::DestroyTexture;
  std::uint64_t object = 0;
  void fields(auto& a) { a(object); }
};
/// Host data is packed in the staging buffer from `offset` on.
struct CopyIn {  ///< -> nothing
  static constexpr Kind kind = Kind::CopyIn;
  std::uint64_t to = 0, pitch = 0, width = 0, rows = 0, offset = 0;
  std::uint32_t stream = 0;
  void fields(auto& a) { a(to, pitch, width, rows, offset, stream); }
};
struct CopyOut {  ///< -> nothing
  static constexpr Kind kind = Kind::CopyOut;
  std::uint64_t from = 0, pitch = 0, width = 0, rows = 0, offset = 0;
  std::uint32_t stream = 0;
  std::vector<std::uint64_t> frames{};  ///< as sim::Finding::frames; empty also if no call asked for the copy
  void fields(auto& a) { a(from, pitch, width, rows, offset, stream, frames); }
};
struct CopyOnDevice {  ///< -> nothing
  static constexpr Kind kind = Kind::CopyOnDevice;
  std::uint64_t to = 0, to_pitch = 0, from = 0, from_pitch = 0, width = 0, rows = 0;
  std::uint32_t stream = 0;
  void fields(auto& a) { a(to, to_pitch, from, from_pitch, width, rows, stream); }
};
struct Set {  ///< -> nothing
  static constexpr Kind kind = Kind::Set;
  std::uint64_t to = 0, pitch = 0, width = 0, rows = 0;
  std::uint8_t value = 0;
  std::uint32_t stream = 0;
  void fields(auto& a) { a(to, pitch, width, rows, value, stream); }
};
struct Launch {  ///< -> nothing
  static constexpr Kind kind = Kind::Launch;
  std::uint32_t module = 0, kernel = 0;
  std::uint32_t grid_x = 1, grid_y = 1, grid_z = 1, block_x = 1, block_y = 1, block_z = 1;
  std::uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::uint32_t stream = 0;
  std::uint64_t most_children = 0;  ///< pending launches that the kernel may have: kMaxChildren at most
  std::uint64_t stack_bytes = 0, heap_bytes = 0, printf_bytes = 0;  ///< as in sim::KernelLimits
  std::uint64_t sync_depth = 0;                                     ///< likewise, kMaxSyncDepth at most
  std::uint64_t bank_bytes = 0;
  bool only_checked = false;  ///< does not run it: would the card accept it?
  std::vector<std::byte> parameters;
  void fields(auto& a) {
    a(module, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared_bytes, cooperative,
      stream, most_children, stack_bytes, heap_bytes, printf_bytes, sync_depth, bank_bytes, only_checked,
      parameters);
  }
};
/// Tells a checker of the order of streams the card's next operation, or one that the host has done ->
/// Handle: sim::StreamUse.
struct StreamOperation {
  static constexpr Kind kind = Kind::StreamOperation;
  sim::StreamOperation operation;
  void fields(auto& a) {
    a(operation.work, operation.call, operation.stream, operation.nonblocking, operation.by_default,
      operation.launched, operation.staged, operation.graph, operation.lane, operation.number,
      operation.clock, operation.frames, operation.touches, operation.asked, operation.asked_bytes);
  }
};
struct CreateStream {  ///< -> Handle
  static constexpr Kind kind = Kind::CreateStream;
  std::uint32_t flags = 0;
  std::int32_t priority = 0;
  void fields(auto& a) { a(flags, priority); }
};
struct CreateEvent {  ///< -> Handle
  static constexpr Kind kind = Kind::CreateEvent;
  std::uint32_t flags = 0;
  void fields(auto& a) { a(flags); }
};
/// Requests that name one handle and have an empty answer. Stream 0 is the default stream.
template <Kind K>
struct OnHandle {
  static constexpr Kind kind = K;
  std::uint32_t handle = 0;
  void fields(auto& a) { a(handle); }
};
using DestroyStream = OnHandle<Kind::DestroyStream>;
using DestroyEvent = OnHandle<Kind::DestroyEvent>;
using QueryStream = OnHandle<Kind::QueryStream>;
using QueryEvent = OnHandle<Kind::QueryEvent>;
using SyncStream = OnHandle<Kind::SyncStream>;
using SyncEvent = OnHandle<Kind::SyncEvent>;
template <Kind K>
struct EventOnStream {
  static constexpr Kind kind = K;
  std::uint32_t event = 0, stream = 0;
  void fields(auto& a) { a(event, stream); }
};
using RecordEvent = EventOnStream<Kind::RecordEvent>;
using WaitEvent = EventOnStream<Kind::WaitEvent>;
/// Requests without fields.
template <Kind K>
struct Plain {
  static constexpr Kind kind = K;
  void fields(auto&) {}
};
using SyncDevice = Plain<Kind::SyncDevice>;
using ResetDevice = Plain<Kind::ResetDevice>;
/// -> Size: bytes of text at the start of the staging buffer
using TakePrinted = Plain<Kind::TakePrinted>;
using MemoryInfo = Plain<Kind::MemoryInfo>;  ///< -> Range: free bytes, total bytes
struct Elapsed {                             ///< -> Milliseconds
  static constexpr Kind kind = Kind::Elapsed;
  std::uint32_t start = 0, end = 0;
  void fields(auto& a) { a(start, end); }
};
struct PointerInfo {  ///< -> Placed: the allocation or variable around the pointer
  static constexpr Kind kind = Kind::PointerInfo;
  std::uint64_t pointer = 0;
  void fields(auto& a) { a(pointer); }
};
struct ReportError {  ///< a runtime call returned an error to the program -> nothing
  static constexpr Kind kind = Kind::ReportError;
  std::string call;
  std::int32_t error = 0;
  Message detail;
  std::vector<std::uint64_t> frames{};  ///< as sim::Finding::frames
  void fields(auto& a) { a(call, error, detail, frames); }
};
struct ReportUnsupported {  ///< the program called a function that we do not offer -> nothing
  static constexpr Kind kind = Kind::ReportUnsupported;
  std::string call;
  void fields(auto& a) { a(call); }
};
struct ReportAsked {  ///< the program asked about errors of earlier calls, or named one -> nothing
  static constexpr Kind kind = Kind::ReportAsked;
  std::int32_t error = 0;  ///< the last call with this error; 0: all calls so far
  void fields(auto& a) { a(error); }
};
using ReportClock = Plain<Kind::ReportClock>;  ///< the program measures a launch by a host's clock -> nothing
struct Ready {  ///< the runner is there; no Reply, the next message is RunEntry
  static constexpr Kind kind = Kind::Ready;
  /// 1 for each entry of the contract that the submission defines, else 0
  std::vector<std::uint8_t> defined;
  void fields(auto& a) { a(defined); }
};
using EntryDone = Plain<Kind::EntryDone>;  ///< the entry returned; no Reply, the next message is RunEntry

// ---- the device process to the client --------------------------------------------------------------------

struct RunEntry {
  static constexpr Kind kind = Kind::RunEntry;
  std::uint32_t entry = 0;
  std::vector<std::uint64_t> arguments;
  void fields(auto& a) { a(entry, arguments); }
};

/// The head of every Reply; a payload follows only if `error` is 0. `pending` is the error of an earlier
/// launch that the next synchronisation will report (0: none).
struct ReplyHead {
  std::int32_t error = 0;
  std::int32_t pending = 0;
  std::uint32_t printed_bytes = 0;  ///< text of kernels' printf that waits for TakePrinted
  double busy_ns = 0;        ///< estimated, that the card has worked since the process began; never less
  std::uint32_t device = 0;  ///< whose that is: of the stream that was named last, else the chosen one
  Message detail;
  void fields(auto& a) { a(error, pending, printed_bytes, busy_ns, device, detail); }
};
struct Nothing {
  void fields(auto&) {}
};
struct Handle {
  std::uint32_t value = 0;
  void fields(auto& a) { a(value); }
};
struct Size {
  std::uint64_t value = 0;
  void fields(auto& a) { a(value); }
};
struct Range {
  std::uint64_t address = 0, bytes = 0;
  void fields(auto& a) { a(address, bytes); }
};
struct Placed {
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t device = 0;
  void fields(auto& a) { a(address, bytes, device); }
};
struct Milliseconds {
  float value = 0;
  void fields(auto& a) { a(value); }
};
struct KernelReply {
  std::uint32_t kernel = 0, parameter_bytes = 0, static_shared_bytes = 0, local_bytes = 0, registers = 0,
                max_threads = 0;
  std::uint64_t max_dynamic_shared_bytes = 0;
  bool uses_heap = false, uses_printf = false;
  std::vector<std::uint32_t> parameter_sizes, parameter_offsets;
  void fields(auto& a) {
    a(kernel, parameter_bytes, static_shared_bytes, local_bytes, registers, max_threads,
      max_dynamic_shared_bytes, uses_heap, uses_printf, parameter_sizes, parameter_offsets);
  }
};
/// The device as cudaGetDeviceProperties and cudaDeviceGetAttribute show it.
struct Welcome {
  std::string name;
  std::uint32_t compute_major = 0, compute_minor = 0, multiprocessors = 0;
  std::uint32_t max_threads_per_block = 0, max_threads_per_multiprocessor = 0,
                max_blocks_per_multiprocessor = 0;
  std::uint32_t max_block_x = 0, max_block_y = 0, max_block_z = 0, max_grid_x = 0, max_grid_y = 0,
                max_grid_z = 0;
  std::uint64_t global_bytes = 0, constant_bytes = 0;
  std::uint32_t shared_bytes_per_block = 0, shared_bytes_per_block_optin = 0,
                shared_bytes_per_multiprocessor = 0;
  std::uint32_t reserved_shared_bytes_per_block = 0, registers_per_block = 0,
                registers_per_multiprocessor = 0;
  std::uint32_t l2_bytes = 0, clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
  std::uint32_t bank_bytes = 4, bank_mode_bytes = 4;  ///< as in sim::DeviceProfile
  /// All devices of this kind, by their numbers on the machine; the program counts them from 0.
  std::vector<std::uint32_t> devices;
  void fields(auto& a) {
    a(name, compute_major, compute_minor, multiprocessors, max_threads_per_block,
      max_threads_per_multiprocessor, max_blocks_per_multiprocessor, max_block_x, max_block_y, max_block_z,
      max_grid_x, max_grid_y, max_grid_z, global_bytes, constant_bytes, shared_bytes_per_block,
      shared_bytes_per_block_optin, shared_bytes_per_multiprocessor, reserved_shared_bytes_per_block,
      registers_per_block, registers_per_multiprocessor, l2_bytes, clock_khz, memory_clock_khz,
      memory_bus_bits, bank_bytes, bank_mode_bytes, devices);
  }
};

// ---- bytes -----------------------------------------------------------------------------------------------

/// The bytes of a message.
template <class M>
std::vector<std::byte> encode(M message) {
  Writer writer;
  auto kind = M::kind;
  writer(kind, message);
  return writer.take();
}

template <class Payload>
std::vector<std::byte> encode_reply(ReplyHead head, Payload payload) {
  Writer writer;
  auto kind = Kind::Reply;
  writer(kind, head, payload);
  return writer.take();
}

/// Reads the fields of a message of a known kind. False if the bytes are not exactly such a message.
template <class M>
bool decode(std::span<const std::byte> bytes, M& message) {
  Reader reader(bytes);
  auto kind = Kind::Reply;
  reader(kind);
  if (reader.failed() || kind != M::kind) return false;
  reader(message);
  return reader.finished();
}

/// The Kind that a message claims; Kind{} (0) if the message is too short for one.
inline Kind kind_of(std::span<const std::byte> bytes) {
  auto kind = Kind{};
  Reader reader(bytes);
  reader(kind);
  return kind;
}

// ---- sockets (protocol.cpp) ------------------------------------------------------------------------------

/// Sends one datagram, with a descriptor attached if `descriptor` >= 0. False if the peer is gone.
bool send_message(int socket, std::span<const std::byte> message, int descriptor = -1);

enum class Receive : std::uint8_t { Message, Closed, TooLong, WouldBlock };

/// Receives one datagram into `message` (at most `limit` bytes). A descriptor that came with it goes to
/// `*descriptor` if that is not null (-1: none came). Otherwise the kernel drops the descriptor.
Receive receive_message(int socket, std::vector<std::byte>& message, bool wait, int* descriptor = nullptr,
                        std::size_t limit = kMaxMessage);

/// A memfd of kStagingBytes, sealed against shrinking and growing, and its mapping. Empty if the system
/// refuses.
class Staging {
 public:
  Staging() = default;
  /// Makes a new one; for the device process.
  static Staging create();
  /// Maps one that was received, and takes the descriptor; for the client.
  static Staging adopt(int descriptor);
  Staging(Staging&& other) noexcept { swap(other); }
  Staging& operator=(Staging&& other) noexcept {
    swap(other);
    return *this;
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging();
  explicit operator bool() const { return !bytes_.empty(); }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  static Staging map(int descriptor);
  void swap(Staging& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(bytes_, other.bytes_);
  }
  int descriptor_ = -1;
  std::span<std::byte> bytes_;
};

}  // namespace cudalabs::protocol
