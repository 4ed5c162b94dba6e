#include "grader/sim/analysis/synchronizing_loads.h"

#include <algorithm>
#include <numeric>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using ptx::Access;
using ptx::Instruction;
using ptx::Op;
using ptx::Space;

constexpr int kDeepest = 64;  ///< nested loops; each is a pass over the function

bool goes_on_elsewhere(const Instruction& in) {
  return in.op == Op::Bra || in.op == Op::BrxIdx || in.op == Op::Call || ptx::leaves(in.op);
}

/// Memory from which the threads of a block, or a single thread, may load the value again.
bool is_kept(Space space) { return space != Space::Global && space != Space::Param && space != Space::Const; }

}  // namespace

SynchronizingLoads::SynchronizingLoads(const ptx::Function& function, const Dataflow& flow)
    : function_(function), flow_(flow), cfg_(ptx::build_cfg(function)) {
  find_fences();
}

SynchronizingLoads::Fate SynchronizingLoads::fate(u32 instruction) const {
  // By register: is it influenced by the value, and is it computed from it?
  std::vector<bool> touched(flow_.readers.size()), made(flow_.readers.size());
  std::vector<u32> next;
  std::vector<u32> kept;  // variables from which it may be loaded again, kNone if unknown
  Fate fate;
  const auto follow = [&](u32 from, bool value) {
    for (const u32 reg : flow_.written[from]) {
      const bool whole = value && function_.registers[reg].type != ptx::Type::Pred;
      if (touched[reg] && (!whole || made[reg])) continue;
      touched[reg] = true;
      made[reg] = made[reg] || whole;
      next.push_back(reg);
    }
  };
  const auto load_again = [&](u32 store, bool value) {
    const u32 into = flow_.variable(store);
    for (u32 i = 0; i < function_.body.size(); ++i) {
      const Instruction& load = function_.body[i];
      if (ptx::access_of(load) != Access::Load || !is_kept(load.space)) continue;
      const u32 from = flow_.variable(i);
      if (from == into || from == Dataflow::kNone || into == Dataflow::kNone) follow(i, value);
    }
  };
  follow(instruction, true);
  while (!next.empty()) {
    const u32 reg = next.back();
    next.pop_back();
    for (const Dataflow::Reader& reader : flow_.readers[reg]) {
      const Instruction& in = function_.body[reader.instruction];
      if (goes_on_elsewhere(in)) {
        fate.decides = true;
        fate.branches.push_back(reader.instruction);
      }
      const bool value = made[reg] && reader.role == Dataflow::Role::Value;
      follow(reader.instruction, value && ptx::access_of(in) == Access::None);
      const Access access = ptx::access_of(in);
      if (access != Access::Store && access != Access::Atomic) continue;
      if (in.space == Space::Param) fate.decides = true;  // of another function, which is not analyzed
      if (in.space == Space::Param || in.space == Space::Const) continue;
      if (in.space == Space::Global || in.space == Space::Generic) fate.stored |= value;
      if (in.space == Space::Global) continue;
      const u32 way = flow_.variable(reader.instruction) * 2 + (value ? 1 : 0);
      if (std::ranges::find(kept, way) != kept.end()) continue;
      kept.push_back(way);
      load_again(reader.instruction, value);
    }
  }
  return fate;
}

SynchronizingLoads::Use SynchronizingLoads::use(u32 instruction) const {
  const Fate found = fate(instruction);
  if (!found.decides) return Use::Undecisive;
  return !found.stored || repeated_by(found.branches, instruction) ? Use::Asks : Use::Takes;
}

bool SynchronizingLoads::repeated_by(const std::vector<u32>& branches, u32 instruction) const {
  const u32 own = cfg_.block_of_instruction[instruction];
  std::vector<std::vector<u32>> before(cfg_.blocks.size()), after(cfg_.blocks.size());
  for (u32 b = 0; b < cfg_.blocks.size(); ++b) {
    for (const u32 to : cfg_.blocks[b].successors) {
      if (to == cfg_.exit()) continue;
      before[to].push_back(b);
      after[b].push_back(to);
    }
  }
  // The examined blocks: at first all, then the loop around the instruction without its header, and so on
  // inwards. In a loop over work items, both exits of an inner waiting loop lead back to the next item.
  std::vector<bool> within(cfg_.blocks.size(), true);
  const auto reached = [&](const std::vector<std::vector<u32>>& ways) {
    std::vector<bool> seen(cfg_.blocks.size() + 1);
    std::vector<u32> next{own};
    seen[own] = true;
    while (!next.empty()) {
      const u32 block = next.back();
      next.pop_back();
      for (const u32 b : ways[block]) {
        if (!seen[b] && within[b]) next.push_back(b);
        seen[b] = seen[b] || within[b];
      }
    }
    return seen;
  };
  for (int depth = 0; depth < kDeepest; ++depth) {
    const std::vector<bool> comes = reached(before), goes = reached(after);
    const auto decides = [&](u32 branch) {
      const u32 block = cfg_.block_of_instruction[branch];
      const auto& ways = cfg_.blocks[block].successors;
      const auto back = std::ranges::count_if(ways, [&](u32 to) { return comes[to]; });
      return within[block] && back != 0 && back != std::ranges::ssize(ways);
    };
    if (std::ranges::any_of(branches, decides)) return true;
    const auto around = [&](u32 b) { return comes[b] && goes[b]; };
    std::vector<u32> begins;
    for (u32 b = 0; b < cfg_.blocks.size(); ++b) {
      if (around(b) && (b == 0 || !std::ranges::all_of(before[b], around))) begins.push_back(b);
    }
    // No loop, or the instruction is in the loop's header: there is no inner loop.
    if (begins.empty() || std::ranges::find(begins, own) != begins.end()) return false;
    for (u32 b = 0; b < cfg_.blocks.size(); ++b) within[b] = within[b] && around(b);
    for (const u32 b : begins) within[b] = false;
  }
  return false;
}

void SynchronizingLoads::find_fences() {
  // The caller of a function may have passed a fence.
  behind_fence_.assign(function_.body.size(), !function_.is_entry);
  if (!function_.is_entry) return;
  // Calls are not analyzed.
  const auto fences = [&](u32 i) {
    const Instruction& in = function_.body[i];
    return in.op == Op::Call || (ptx::is_fence(in) && !ptx::is_within_block(in));
  };
  // A fence does not order stores behind it.
  const auto stores = [&](u32 i) {
    const Instruction& in = function_.body[i];
    return ptx::access_of(in) == Access::Store && (in.space == Space::Global || in.space == Space::Generic) &&
           !ptx::is_strong(in) && !in.has_guard;
  };
  // By block: is its beginning behind a fence on some path? Unset until visited.
  std::vector<bool> behind(cfg_.blocks.size() + 1);
  std::vector<u32> next(cfg_.blocks.size());
  std::iota(next.begin(), next.end(), u32{0});
  while (!next.empty()) {
    const u32 block = next.back();
    next.pop_back();
    bool seen = behind[block];
    for (u32 i = cfg_.blocks[block].first; i < cfg_.blocks[block].end; ++i) {
      seen = (seen || fences(i)) && !stores(i);
      behind_fence_[i] = seen;
    }
    if (!seen) continue;
    for (const u32 to : cfg_.blocks[block].successors) {
      if (to == cfg_.exit() || behind[to]) continue;
      behind[to] = true;
      next.push_back(to);
    }
  }
}

}  // namespace cudalabs::sim
