#include "grader/device/trace/wire_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "grader/device/protocol/control.h"
#include "grader/device/protocol/cuda_error.h"

// Every message but the two kinds of replies.
#define CUDALABS_REQUESTS(X) \
  X(Hello)                   \
  X(LoadModule)              \
  X(GetKernel)               \
  X(GetVariable)             \
  X(SetKernelShared)         \
  X(Occupancy)               \
  X(Allocate)                \
  X(Free)                    \
  X(CopyIn)                  \
  X(CopyOut)                 \
  X(CopyOnDevice)            \
  X(Set)                     \
  X(Launch)                  \
  X(CreateStream)            \
  X(DestroyStream)           \
  X(CreateEvent)             \
  X(DestroyEvent)            \
  X(RecordEvent)             \
  X(WaitEvent)               \
  X(QueryStream)             \
  X(QueryEvent)              \
  X(SyncDevice)              \
  X(ResetDevice)             \
  X(SyncStream)              \
  X(SyncEvent)               \
  X(Elapsed)                 \
  X(TakePrinted)             \
  X(MemoryInfo)              \
  X(PointerInfo)             \
  X(ReportError)             \
  X(ReportUnsupported)       \
  X(ReportAsked)             \
  X(ReportClock)             \
  X(Ready)                   \
  X(EntryDone)               \
  X(SetAside)                \
  X(CreateTexture)           \
  X(DestroyTexture)          \
  X(ChooseDevice)            \
  X(SetPeerAccess)           \
  X(Grant)                   \
  X(StreamOperation)         \
  X(RunEntry)                \
  X(Configure)               \
  X(NewClient)               \
  X(WaitReady)               \
  X(Serve)                   \
  X(Cancel)                  \
  X(CallEntry)               \
  X(GraderAllocate)          \
  X(GraderFree)              \
  X(GraderWrite)             \
  X(GraderRead)              \
  X(GraderCopy)              \
  X(Replay)                  \
  X(Forget)

namespace cudalabs::protocol {
namespace {

constexpr std::size_t kShownArguments = 8;
constexpr std::size_t kShownText = 200;  ///< bytes

std::string pointer(std::uint64_t address) { return fmt::format("{:#x}", address); }

/// In quotes; the log escapes the bytes. The end of a long one is left out.
std::string quoted(std::string_view text) {
  if (text.size() <= kShownText) return fmt::format("'{}'", text);
  return fmt::format("'{}...' ({} bytes)", text.substr(0, kShownText), text.size());
}

/// "(0x7f0000000000, 1024)": 64-bit slots, which may be pointers or numbers.
std::string slots(const std::vector<std::uint64_t>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kShownArguments); ++i) {
    const bool is_pointer = values[i] > 0xffffffff;
    text += (i == 0 ? "" : ", ") + (is_pointer ? pointer(values[i]) : std::to_string(values[i]));
  }
  if (values.size() > kShownArguments) text += fmt::format(", {} more", values.size() - kShownArguments);
  return "(" + text + ")";
}

/// Of copies: "bytes=4096", or "rows=8 width=512 pitch=1024".
std::string extent(std::uint64_t width, std::uint64_t rows, std::uint64_t pitch) {
  return rows == 1 ? fmt::format("bytes={}", width)
                   : fmt::format("rows={} width={} pitch={}", rows, width, pitch);
}

// ---- what a submission asks for ----

std::string fields(const Hello& m) { return fmt::format("version={}", m.version); }
std::string fields(const LoadModule& m) {
  return fmt::format("bytes={}{}", m.bytes,
                     m.managed.empty() ? "" : fmt::format(" managed={}", m.managed.size()));
}
std::string fields(const GetKernel& m) { return fmt::format("module={} name={}", m.module, quoted(m.name)); }
std::string fields(const GetVariable& m) {
  return fmt::format("module={} name={}", m.module, quoted(m.name));
}
std::string fields(const SetKernelShared& m) {
  return fmt::format("module={} kernel={} bytes={}", m.module, m.kernel, m.bytes);
}
std::string fields(const Occupancy& m) {
  return fmt::format("module={} kernel={} threads={} dynamic_shared={}", m.module, m.kernel, m.threads,
                     m.dynamic_shared_bytes);
}
std::string fields(const Allocate& m) {
  return fmt::format("bytes={}{}", m.bytes, m.shared ? " of its own memory file" : "");
}
std::string fields(const Free& m) { return "pointer=" + pointer(m.pointer); }
std::string fields(const CopyIn& m) {
  return fmt::format("to={:#x} {} stream={}", m.to, extent(m.width, m.rows, m.pitch), m.stream);
}
std::string fields(const CopyOut& m) {
  return fmt::format("from={:#x} {} stream={}", m.from, extent(m.width, m.rows, m.pitch), m.stream);
}
std::string fields(const CopyOnDevice& m) {
  return fmt::format("to={:#x} from={:#x} {} stream={}", m.to, m.from, extent(m.width, m.rows, m.from_pitch),
                     m.stream);
}
std::string fields(const Set& m) {
  return fmt::format("to={:#x} {} value={} stream={}", m.to, extent(m.width, m.rows, m.pitch), m.value,
                     m.stream);
}
std::string fields(const Launch& m) {
  return fmt::format(
      "module={} kernel={} grid={}x{}x{} block={}x{}x{} dynamic_shared={} stream={} parameters={}{}{}",
      m.module, m.kernel, m.grid_x, m.grid_y, m.grid_z, m.block_x, m.block_y, m.block_z,
      m.dynamic_shared_bytes, m.stream, m.parameters.size(), m.cooperative ? " cooperative" : "",
      m.only_checked ? " only checked" : "");
}
std::string fields(const CreateStream& m) { return fmt::format("flags={} priority={}", m.flags, m.priority); }
std::string fields(const CreateEvent& m) { return fmt::format("flags={}", m.flags); }
template <Kind K>
std::string fields(const OnHandle<K>& m) {
  return fmt::format("handle={}", m.handle);
}
template <Kind K>
std::string fields(const EventOnStream<K>& m) {
  return fmt::format("event={} stream={}", m.event, m.stream);
}
template <Kind K>
std::string fields(const Plain<K>& /*m*/) {
  return "";
}
std::string fields(const Elapsed& m) { return fmt::format("start={} end={}", m.start, m.end); }
std::string fields(const PointerInfo& m) { return "pointer=" + pointer(m.pointer); }
std::string fields(const ReportError& m) {
  return fmt::format("call={} error={}", quoted(m.call), error_name(static_cast<CudaError>(m.error)));
}
std::string fields(const ReportUnsupported& m) { return "call=" + quoted(m.call); }
std::string fields(const ReportAsked& m) {
  return fmt::format("error={}", error_name(static_cast<CudaError>(m.error)));
}
std::string fields(const Ready& m) {
  return fmt::format("entries={} defined={}", m.defined.size(), std::ranges::count(m.defined, 1));
}
std::string fields(const SetAside& m) {
  return fmt::format("pointer={:#x} {}", m.pointer, m.aside ? "quarantined" : "usable");
}
std::string fields(const CreateTexture& m) {
  const sim::Texture& t = m.texture;
  return fmt::format("address={:#x} pitch={} width={} height={} depth={}{}", t.address, t.pitch, t.width,
                     t.height, t.depth, t.surface ? " surface" : "");
}
std::string fields(const DestroyTexture& m) { return fmt::format("object={:#x}", m.object); }
std::string fields(const ChooseDevice& m) { return fmt::format("device={}", m.device); }
std::string fields(const SetPeerAccess& m) {
  return fmt::format("peer={} {}", m.peer, m.enabled ? "enabled" : "disabled");
}
std::string fields(const Grant& m) {
  return fmt::format("pointer={:#x} devices={:#x}", m.pointer, m.devices);
}
std::string fields(const StreamOperation& m) {
  return fmt::format("call={} stream={} touches={}", quoted(m.operation.call), m.operation.stream,
                     m.operation.touches.size());
}
std::string fields(const RunEntry& m) {
  return fmt::format("entry={} arguments={}", m.entry, slots(m.arguments));
}

// ---- what the grader asks for ----

std::string fields(const Configure& m) {
  const DeviceSetup& setup = m.setup;
  return fmt::format("#{} {} memory={} process_memory={} devices={} capability={} checkers={:#x}", m.sequence,
                     info_of(setup.kind).name, setup.memory_bytes, setup.process_bytes, setup.devices.size(),
                     setup.capability, setup.checkers);
}
template <Kind K>
std::string fields(const Order<K>& m) {
  return fmt::format("#{}", m.sequence);
}
std::string fields(const CallEntry& m) {
  static constexpr std::string_view kModes[] = {"plain", "watched", "sampled", "recorded", "timed"};
  const auto mode = static_cast<std::size_t>(m.mode);
  return fmt::format("#{} entry={} arguments={} {}", m.sequence, m.entry, slots(m.arguments),
                     mode < std::size(kModes) ? kModes[mode] : "in an unknown mode");
}
template <Kind K>
std::string fields(const OnMemory<K>& m) {
  return K == Kind::GraderAllocate ? fmt::format("#{} bytes={}", m.sequence, m.bytes)
         : K == Kind::GraderFree   ? fmt::format("#{} pointer={:#x}", m.sequence, m.pointer)
                                 : fmt::format("#{} pointer={:#x} bytes={}", m.sequence, m.pointer, m.bytes);
}
std::string fields(const GraderCopy& m) {
  return fmt::format("#{} to={:#x} from={:#x} bytes={}", m.sequence, m.to, m.from, m.bytes);
}
std::string fields(const Replay& m) {
  return fmt::format("#{} recording={}{}", m.sequence, m.recording, m.by_launch ? " by launch" : "");
}
std::string fields(const Forget& m) { return fmt::format("#{} recording={}", m.sequence, m.recording); }

// ---- answers ----

std::string fields(const Nothing& /*m*/) { return ""; }
std::string fields(const Handle& m) { return fmt::format("handle={}", m.value); }
std::string fields(const Size& m) { return fmt::format("value={}", m.value); }
std::string fields(const Range& m) { return fmt::format("address={:#x} bytes={}", m.address, m.bytes); }
std::string fields(const Placed& m) {
  return fmt::format("address={:#x} bytes={} device={}", m.address, m.bytes, m.device);
}
std::string fields(const Milliseconds& m) { return fmt::format("elapsed={} ms", m.value); }
std::string fields(const KernelReply& m) {
  return fmt::format("kernel={} parameters={} static_shared={} registers={} max_threads={}", m.kernel,
                     m.parameter_bytes, m.static_shared_bytes, m.registers, m.max_threads);
}
std::string fields(const Welcome& m) {
  return fmt::format("device={} capability={}.{} memory={}", quoted(m.name), m.compute_major, m.compute_minor,
                     m.global_bytes);
}

std::string words(const std::string& first, const std::string& rest) {
  return rest.empty() ? first : first + " " + rest;
}

std::string malformed(Kind kind, std::span<const std::byte> message) {
  return fmt::format("{} malformed, {} bytes", name_of(kind), message.size());
}

template <class M>
std::string described(std::span<const std::byte> message) {
  M request;
  if (!decode(message, request)) return malformed(M::kind, message);
  return words(name_of(M::kind), fields(request));
}

template <class Payload>
std::string described_reply(Kind request, std::span<const std::byte> message) {
  Reader reader(message);
  auto kind = Kind::Reply;
  ReplyHead head;
  Payload payload;
  reader(kind, head);
  if (!reader.failed() && head.error == 0) reader(payload);
  if (!reader.finished()) return malformed(request, message);
  const bool success = head.error == 0;
  std::string text =
      words(name_of(request), success ? "success" : error_name(static_cast<CudaError>(head.error)));
  if (success) text = words(text, fields(payload));
  if (head.pending != 0) text += fmt::format(" pending={}", error_name(static_cast<CudaError>(head.pending)));
  if (head.printed_bytes != 0) text += fmt::format(" printed={}", head.printed_bytes);
  if (!head.detail.empty()) text += fmt::format(" ({})", head.detail.english());
  return text;
}

std::string control_reply_text(Kind request, std::span<const std::byte> message) {
  ControlReply reply;
  if (!decode(message, reply)) return malformed(request, message);
  std::string text = fmt::format("{} #{} {}", name_of(request), reply.sequence, reply.ok ? "ok" : "refused");
  if (request == Kind::GraderAllocate && reply.ok) {
    text += fmt::format(" pointer={:#x}", reply.value);
  } else if (reply.value != 0) {
    text += fmt::format(" outcome={} bytes", reply.value);
  }
  if (!reply.bytes.empty()) text += fmt::format(" reply={} bytes", reply.bytes.size());
  if (!reply.problem.empty()) text += fmt::format(" ({})", reply.problem.english());
  return text;
}

}  // namespace

std::string name_of(Kind kind) {
  switch (kind) {
#define CUDALABS_NAME(request) \
  case Kind::request: return #request;
    CUDALABS_REQUESTS(CUDALABS_NAME)
#undef CUDALABS_NAME
    case Kind::Reply: return "Reply";
    case Kind::ControlReply: return "ControlReply";
  }
  return fmt::format("message {:#x}", static_cast<std::uint32_t>(kind));
}

std::string request_text(std::span<const std::byte> message) {
  const Kind kind = kind_of(message);
  switch (kind) {
#define CUDALABS_DESCRIBED(request) \
  case Kind::request: return described<protocol::request>(message);
    CUDALABS_REQUESTS(CUDALABS_DESCRIBED)
#undef CUDALABS_DESCRIBED
    case Kind::Reply:
    case Kind::ControlReply: break;
  }
  return malformed(kind, message);
}

std::string reply_text(Kind request, std::span<const std::byte> reply) {
  if (kind_of(reply) == Kind::ControlReply) return control_reply_text(request, reply);
  if (kind_of(reply) != Kind::Reply) return malformed(request, reply);
  switch (request) {
    case Kind::Hello: return described_reply<Welcome>(request, reply);
    case Kind::GetKernel: return described_reply<KernelReply>(request, reply);
    case Kind::PointerInfo: return described_reply<Placed>(request, reply);
    case Kind::Elapsed: return described_reply<Milliseconds>(request, reply);
    case Kind::LoadModule:
    case Kind::Occupancy:
    case Kind::CreateStream:
    case Kind::CreateEvent:
    case Kind::StreamOperation: return described_reply<Handle>(request, reply);
    case Kind::CreateTexture:
    case Kind::TakePrinted: return described_reply<Size>(request, reply);
    case Kind::Allocate:
    case Kind::GetVariable:
    case Kind::MemoryInfo: return described_reply<Range>(request, reply);
    default: return described_reply<Nothing>(request, reply);
  }
}

std::string milliseconds_text(std::chrono::nanoseconds time) {
  return fmt::format("{:.3f} ms", std::chrono::duration<double, std::milli>(time).count());
}

}  // namespace cudalabs::protocol
