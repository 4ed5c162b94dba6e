#pragma once
// Messages between the grader and its device process. Both are this same binary. The fields are checked all
// the same, because a device process that a submission has taken over must not take over the grader.

#include <array>
#include <bit>

#include "grader/device/protocol/outcome.h"
#include "grader/device/protocol/protocol.h"
#include "grader/device/protocol/setup.h"

namespace cudalabs::protocol {

void fields_of(auto& a, sim::DeviceProfile& profile) {
  using Numbers = std::array<double, sizeof(sim::DeviceProfile) / sizeof(double)>;
  auto numbers = std::bit_cast<Numbers>(profile);
  for (double& number : numbers) a(number);
  profile = std::bit_cast<sim::DeviceProfile>(numbers);
}

void fields_of(auto& a, CallResults& results) {
  a(results.inputs, results.outputs, results.table, results.draw, results.parts, results.untimed,
    results.compares_loads, results.reversed, results.in_order, results.repeatable);
}

void fields_of(auto& a, DeviceSetup& setup) {
  a(setup.kind, setup.capability, setup.shares_memory, setup.tells_time, setup.memory_bytes,
    setup.max_warp_instructions, setup.threads, setup.by_line, setup.engine, setup.shows_progress,
    setup.access_map, setup.checkers, setup.profile, setup.simulated_code, setup.watched_by_tool,
    setup.process_bytes, setup.devices);
}

/// Every request carries a number that its reply repeats, so that the grader recognises a reply that comes
/// after its deadline.
struct Configure {  ///< first of all; the reply has the grader's staging buffer attached
  static constexpr Kind kind = Kind::Configure;
  std::uint32_t sequence = 0;
  DeviceSetup setup;
  void fields(auto& a) { a(sequence, setup); }
};
template <Kind K>
struct Order {
  static constexpr Kind kind = K;
  std::uint32_t sequence = 0;
  void fields(auto& a) { a(sequence); }
};
using NewClient = Order<Kind::NewClient>;  ///< the device process's end of the client's socket is attached
/// The reply comes when the client is ready; `bytes`: the defined entries.
using WaitReady = Order<Kind::WaitReady>;
using Serve = Order<Kind::Serve>;  ///< the reply comes when the client is gone, with the outcome attached
/// ends the pending CallEntry: cuts the client off, answers TimedOut; has no reply of its own
using Cancel = Order<Kind::Cancel>;
struct CallEntry {  ///< the reply has the outcome attached
  static constexpr Kind kind = Kind::CallEntry;
  std::uint32_t sequence = 0, entry = 0;
  std::vector<std::uint64_t> arguments;
  CallMode mode = CallMode::Plain;
  CallResults results;
  void fields(auto& a) { a(sequence, entry, arguments, mode, results); }
};
/// The grader's own memory. The data starts at the beginning of the grader's staging buffer.
template <Kind K>
struct OnMemory {
  static constexpr Kind kind = K;
  std::uint32_t sequence = 0;
  std::uint64_t pointer = 0, bytes = 0;
  void fields(auto& a) { a(sequence, pointer, bytes); }
};
using GraderAllocate = OnMemory<Kind::GraderAllocate>;  ///< value: the pointer
using GraderFree = OnMemory<Kind::GraderFree>;
using GraderWrite = OnMemory<Kind::GraderWrite>;
using GraderRead = OnMemory<Kind::GraderRead>;

struct GraderCopy {  ///< between the grader's own allocations
  static constexpr Kind kind = Kind::GraderCopy;
  std::uint32_t sequence = 0;
  std::uint64_t to = 0, from = 0, bytes = 0;
  void fields(auto& a) { a(sequence, to, from, bytes); }
};
struct Replay {  ///< the reply's `bytes`: the ReplayTimes
  static constexpr Kind kind = Kind::Replay;
  std::uint32_t sequence = 0, recording = 0;
  bool by_launch = false;
  void fields(auto& a) { a(sequence, recording, by_launch); }
};
struct Forget {  ///< drops a recording
  static constexpr Kind kind = Kind::Forget;
  std::uint32_t sequence = 0, recording = 0;
  void fields(auto& a) { a(sequence, recording); }
};

struct ControlReply {
  static constexpr Kind kind = Kind::ControlReply;
  std::uint32_t sequence = 0;
  bool ok = true;
  Messages problem;
  std::uint64_t value = 0;
  std::vector<std::uint8_t> bytes;
  void fields(auto& a) { a(sequence, ok, problem, value, bytes); }
};

/// A device process fails with "out of memory" if the record of a call is longer. Honest programs stay below.
inline constexpr std::uint64_t kMaxOutcome = std::uint64_t{256} << 20;

// ---- the outcome's parts ---------------------------------------------------------------------------------

void fields_of(auto& a, sim::Dim3& d) { a(d.x, d.y, d.z); }

void fields_of(auto& a, sim::Counters& counters) {
#define CUDALABS_COUNTER(field, shown) a(counters.field);
#include "grader/sim/base/counters.def"
#undef CUDALABS_COUNTER
}

void fields_of(auto& a, sim::LayoutCount& count) { a(count.layout, count.accesses); }

void fields_of(auto& a, sim::LineCounters& line) { a(line.file, line.line, line.counters); }

void fields_of(auto& a, sim::SharedExample& example) {
  a(example.kind, example.lanes_share, example.width, example.mask, example.degree);
  a(example.block[0], example.block[1], example.block[2], example.warp);
  for (std::uint32_t& offset : example.offsets) a(offset);
  a(example.variable, example.variable_offset);
}

void fields_of(auto& a, sim::LineAccesses& line) {
  a(line.file, line.line, line.shared_accesses, line.shared_ideal_wavefronts, line.global_ideal_sectors,
    line.worst);
}

void fields_of(auto& a, sim::Fault& fault) {
  a(fault.kind, fault.message, fault.advice, fault.kernel, fault.file, fault.line, fault.placed);
  for (std::uint32_t& index : fault.block) a(index);
  for (std::uint32_t& index : fault.thread) a(index);
}

void fields_of(auto& a, sim::LaunchNote& note) { a(note.message, note.advice, note.file, note.line); }

void fields_of(auto& a, sim::FindingSide& side) {
  a(side.what, side.file, side.line);
  for (std::uint32_t& index : side.block) a(index);
  for (std::uint32_t& index : side.thread) a(index);
  a(side.by_host, side.launched);
}

void fields_of(auto& a, sim::Finding& finding) {
  a(finding.checker, finding.severity, finding.kind, finding.message, finding.advice, finding.kernel,
    finding.here, finding.other, finding.count, finding.more, finding.frames, finding.other_frames);
}

void fields_of(auto& a, sim::Provenance& origins) {
  a(origins.known, origins.why, origins.words, origins.by_kernels, origins.atomic_words, origins.results,
    origins.elements, origins.from_inputs, origins.past_shared, origins.constants, origins.made_by_host,
    origins.from_table, origins.from_shared, origins.from_lanes, origins.by_atomics, origins.file,
    origins.line, origins.uses, origins.table, origins.own_reads, origins.others_reads, origins.moved,
    origins.kernels, origins.growing_distances, origins.shrinking_distances);
}

void fields_of(auto& a, sim::CostBounds& b) {
  a(b.launch, b.issue, b.doubles, b.shared, b.l2, b.memory, b.atomics, b.latency);
}

void fields_of(auto& a, sim::Utilization& u) {
  a(u.registers, u.registers_known, u.occupancy, u.achieved_occupancy, u.memory, u.l2, u.wavefront_bytes);
}

void fields_of(auto& a, sim::RepeatedLoads& loads) {
  a(loads.shared_bytes, loads.shared_bytes_again, loads.global_bytes, loads.global_bytes_again, loads.global);
}

void fields_of(auto& a, sim::LineTime& line) { a(line.file, line.line, line.ns); }

void fields_of(auto& a, LaunchRecord& record) {
  a(record.kernel, record.kernel_full, record.grid, record.block, record.dynamic_shared_bytes,
    record.static_shared_bytes, record.code, record.uses_dynamic_shared, record.uses_tensor_cores,
    record.uses_cooperative_groups, record.occupancy_asked, record.cooperative, record.by_kernel,
    record.arguments, record.printed_bytes, record.device, record.counters, record.shared_layouts,
    record.repeated_loads, record.lines, record.accesses, record.bounds, record.use, record.machine_code,
    record.line_times);
}

void fields_of(auto& a, ApiError& problem) {
  a(problem.call, problem.error, problem.detail, problem.frames, problem.file, problem.line, problem.asked);
}

void fields_of(auto& a, CopyRecord& copy) {
  a(copy.variable, copy.bytes, copy.from, copy.to, copy.offset, copy.set);
}

void fields_of(auto& a, CallOutcome& outcome) {
  a(outcome.end, outcome.detail, outcome.fault, outcome.destroyed_by, outcome.findings, outcome.origins,
    outcome.launches, outcome.launches_not_recorded, outcome.api_errors, outcome.unsupported_calls,
    outcome.notes, outcome.host_clock, outcome.bytes_to_device, outcome.bytes_to_host, outcome.argument_bytes,
    outcome.copies_ns, outcome.copies, outcome.allocations_left, outcome.bytes_left, outcome.bytes_put_last,
    outcome.peak_bytes, outcome.recording, outcome.live_reason, outcome.call_ns, outcome.clock_mhz);
}

void fields_of(auto& a, ReplayTimes& times) { a(times.call_ns, times.launch_ns, times.clock_mhz); }
void fields_of(auto& a, DeviceFacts& facts) {
  a(facts.name, facts.memory_clock_khz, facts.memory_bus_bits, facts.multiprocessors);
}

/// A value in ControlReply::bytes.
template <class T>
std::vector<std::uint8_t> to_bytes(T value) {
  Writer writer;
  writer(value);
  const std::vector<std::byte> bytes = writer.take();
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return {begin, begin + bytes.size()};
}
template <class T>
bool from_bytes(std::span<const std::uint8_t> bytes, T& value) {
  Reader reader(std::as_bytes(bytes));
  reader(value);
  return reader.finished();
}

}  // namespace cudalabs::protocol
