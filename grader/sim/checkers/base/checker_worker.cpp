#include "grader/sim/checkers/base/checker_worker.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/analysis/synchronizing_loads.h"
#include "grader/sim/executable/memory_names.h"
#include "grader/sim/executable/source_place.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

/// Bytes of one element: those of the instruction's type, if the access consists of such elements.
std::uint32_t element_bytes(const ptx::Instruction& in, std::uint32_t width) {
  const auto size = static_cast<std::uint32_t>(ptx::size_of(in.type()));
  return size != 0 && width % size == 0 ? size : width;
}

/// The bytes of a vector load that end in registers which some instruction reads.
std::uint32_t used_bytes(const ptx::Instruction& in, const Dataflow& flow) {
  const auto bytes = static_cast<std::uint32_t>(ptx::size_of(in.type()));
  const std::vector<ptx::Operand>& elements = in.operands.front().elements;
  std::uint32_t used = 0;
  for (std::uint32_t e = 0; e < elements.size() && (e + 1) * bytes <= 32; ++e) {
    const ptx::Operand& o = elements[e];
    const bool thrown_away = o.kind == ptx::OperandKind::Sink ||
                             (o.kind == ptx::OperandKind::Register && flow.readers[o.reg].empty());
    if (!thrown_away) used |= ((1u << bytes) - 1) << e * bytes;
  }
  return used == 0 ? ~0u : used;  // a load whose value is unused accesses memory for its own sake
}

}  // namespace

void CheckerWorker::enter(const Program* program) {
  const auto [at, fresh] = first_of_.try_emplace(program, static_cast<std::uint32_t>(sites_.size()));
  program_ = program;
  first_site_ = at->second;
  if (!fresh) return;
  // Computed on demand: most programs need neither.
  std::optional<Dataflow> flow;
  std::optional<SynchronizingLoads> synchronizing_loads;
  for (std::uint32_t i = 0; i < program->code.size(); ++i) {
    Site s;
    s.program = program;
    s.instruction = i;
    if (program->source[i] < program->function->body.size()) {
      using enum ptx::Mod;
      const ptx::Instruction& in = program->function->body[program->source[i]];
      s.cas = in.has(Cas);
      s.exchange = in.has(Exch);
      const bool atomic = in.op == ptx::Op::Atom || in.op == ptx::Op::Red;
      const auto dataflow = [&]() -> const Dataflow& {
        return flow ? *flow : flow.emplace(*program->function);
      };
      // Minima, maxima and bits change monotonically: a thread that saw an older value only does unnecessary
      // work.
      s.checks_guess = s.cas || (atomic && (in.has(Min) || in.has(Max) || in.has(And) || in.has(Or)));
      if (in.op == ptx::Op::Atom) s.asks = dataflow().is_read(program->source[i]);
      if (atomic && in.has(Exch)) {
        // An exchange whose result is used loses no value; a lock discards only values that nobody adds to.
        s.overwrites = !s.asks;
        overwrites_ |= s.overwrites;
      }
      if (atomic && !s.cas && !s.exchange) {
        s.adds = dataflow().constant(in.operands.back()) != 0;  // adding 0 only reads
      }
      s.strong = ptx::is_strong(in);
      if (in.op == ptx::Op::Ld && in.vector_width() > 1 && !s.strong) {
        s.used = used_bytes(in, dataflow());
        partly_used_ |= !all_used(s, static_cast<std::uint32_t>(in.vector_width() * ptx::size_of(in.type())));
      }
      s.ordered = ptx::is_ordered(in);
      const auto reads = [&]() -> const SynchronizingLoads& {
        return synchronizing_loads ? *synchronizing_loads
                                   : synchronizing_loads.emplace(*program->function, dataflow());
      };
      const std::uint32_t at = program->source[i];
      // The use of a volatile load's value shows its purpose; cuda::atomic states it in the instruction.
      const bool reads_only = s.strong && !s.ordered && in.op == ptx::Op::Ld;
      const SynchronizingLoads::Use use = reads_only ? reads().use(at) : SynchronizingLoads::Use::Asks;
      s.looks = s.strong && use != SynchronizingLoads::Use::Undecisive;
      s.takes = use == SynchronizingLoads::Use::Takes;
      s.meets_fence = atomic && ((!program->polls.empty() && program->polls[at]) || reads().behind_fence(at));
      s.passes_l1 = s.strong || in.has(Cg);
      s.read_only = in.has(Nc) || in.op == ptx::Op::Tex || in.op == ptx::Op::Tld4;
      s.acquire = in.has(Acquire);
      s.release = ptx::is_fence(in);
      s.within_block = ptx::is_within_block(in);
    }
    sites_.push_back(s);
  }
}

bool CheckerWorker::only_decides(std::uint32_t site) {
  Site& s = sites_[site];
  if (!s.only_decides) {
    const Dataflow flow(*s.program->function);
    const SynchronizingLoads reads(*s.program->function, flow);
    s.only_decides = reads.use(s.program->source[s.instruction]) == SynchronizingLoads::Use::Asks;
  }
  return *s.only_decides;
}

std::uint32_t CheckerWorker::chosen_lanes(const WarpAccess& a) {
  const Program::LoadChoice& load = a.program->selected_loads[a.program->source[a.instruction]];
  if (load.slot == kNone) return a.mask;
  std::array<std::uint32_t, kLanes> numbers{};
  std::uint32_t chosen = 0;
  if (load.compares) {
    std::memcpy(numbers.data(), a.frame + load.slot, sizeof numbers);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      chosen |= std::uint32_t{numbers[lane] == load.number} << lane;
  } else {
    std::memcpy(&chosen, a.frame + load.slot, sizeof chosen);
  }
  return a.mask & (load.when ? chosen : ~chosen);
}

FindingSide CheckerWorker::side(std::uint32_t site, Message what, std::uint64_t block,
                                std::uint32_t thread) const {
  const SuspectPlace place = suspect_place(*sites_[site].program, sites_[site].instruction);
  const Dim3 &g = launch_.config.grid, &b = launch_.config.block;
  FindingSide s;
  s.what = std::move(what);
  s.file = place.file;
  s.line = place.line;
  s.block = {static_cast<std::uint32_t>(block % g.x), static_cast<std::uint32_t>(block / g.x % g.y),
             static_cast<std::uint32_t>(block / g.x / g.y)};
  s.thread = {thread % b.x, thread / b.x % b.y, thread / b.x / b.y};
  return s;
}

Message CheckerWorker::name_shared(std::uint32_t site, std::uint32_t offset, std::uint32_t width) const {
  const std::uint32_t size = element_bytes(instruction(site), width);
  for (const SharedVariable& v : launch_.program->shared_variables) {
    if (offset < v.offset || offset - v.offset >= v.bytes) continue;
    const Message variable = msg::memory_shared(plain_name(v.name));
    return v.bytes <= size ? variable : msg::memory_element((offset - v.offset) / size, variable);
  }
  const std::uint32_t begin = launch_.program->dynamic_shared_offset;
  Message variable;
  for (const ptx::Variable& v : launch_.program->module->variables) {
    if (!v.is_extern || v.space != ptx::Space::Shared) continue;
    variable =
        variable.empty() ? msg::memory_dynamic_shared(plain_name(v.name)) : msg::memory_all_dynamic_shared();
  }
  if (variable.empty()) variable = msg::memory_all_dynamic_shared();
  return msg::memory_element((offset - std::min(offset, begin)) / size, variable);
}

Message CheckerWorker::name_global(std::uint32_t site, std::uint64_t address, std::uint32_t width) const {
  const std::uint32_t size = element_bytes(instruction(site), width);
  const Range range = launch_.global->find(address);
  const std::uint64_t bytes = range.end - range.begin;
  const std::string label = launch_.global->label(address);
  if (!label.empty()) {
    const Message variable = msg::memory_variable(label);
    return bytes <= size ? variable : msg::memory_element((address - range.begin) / size, variable);
  }
  const Site& s = sites_[site];
  std::optional<PointerParameter> parameter;
  if (s.program == launch_.program)
    parameter = accessed_parameter(*launch_.program, launch_.parameters, s.instruction);
  if (!parameter || parameter->value < range.begin || parameter->value > address)
    parameter = pointer_parameter(*launch_.program, launch_.parameters, range.begin, address + 1, address);
  if (!parameter) return msg::memory_element((address - range.begin) / size, msg::memory_allocation(bytes));
  return msg::memory_element((address - parameter->value) / size,
                             msg::memory_parameter(bytes, launch_.program->kernel, parameter->number, ""));
}

}  // namespace cudalabs::sim
