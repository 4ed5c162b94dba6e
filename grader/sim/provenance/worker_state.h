#pragma once
// What a ProvenanceWorker keeps of warps and blocks while they run, and of their programs.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/provenance/provenance_memory.h"
#include "grader/sim/ptx/rules.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim::provenance {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Node = ProvenanceGraph::Node;

inline constexpr u32 kNoThread = ~0u;

template <class Function>
void each_lane(u32 mask, const Function& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<u32>(std::countr_zero(mask)));
}

using Lanes = std::array<Node, kLanes>;
using Words = std::array<u32, kLanes>;

inline constexpr Words kLaneBits = [] {
  Words bits{};
  for (u32 lane = 0; lane < kLanes; ++lane) bits[lane] = 1u << lane;
  return bits;
}();

/// The registers of one activation of a warp, with a node for each lane.
struct Frame {
  const Program* program = nullptr;
  u32 depth = 0;
  std::unique_ptr<Node[]> nodes;  ///< valid where `lanes` has a bit
  std::vector<u32> lanes;         ///< by register: the lanes whose node is more than kNothing

  [[nodiscard]] Node get(u32 reg, u32 lane) const {
    return (lanes[reg] >> lane) & 1 ? nodes[std::size_t{reg} * kLanes + lane] : ProvenanceGraph::kNothing;
  }
  void set(u32 reg, u32 lane, Node node) {
    nodes[std::size_t{reg} * kLanes + lane] = node;
    const u32 bit = 1u << lane;
    lanes[reg] = node > ProvenanceGraph::kNothing ? lanes[reg] | bit : lanes[reg] & ~bit;
  }
  [[nodiscard]] const Node* row(u32 reg) const { return nodes.get() + std::size_t{reg} * kLanes; }
  /// Sets lanes of `mask`: those in `made` to their nodes (all more than kNothing), the others to kNothing.
  void set_lanes(u32 reg, u32 mask, u32 made, const Node* values) {
    lanes[reg] = (lanes[reg] & ~mask) | made;
    Node* const to = nodes.get() + std::size_t{reg} * kLanes;
    if (mask == kAllLanes && made != 0) {
      std::memmove(to, values, kLanes * sizeof(Node));
    } else {
      each_lane(made, [&](u32 lane) { to[lane] = values[lane]; });
    }
  }
};

struct WarpState {
  std::vector<std::unique_ptr<Frame>> frames;
  /// By depth of the callee: the arguments of calls, and their results. All values of a call share a node.
  std::map<u32, Lanes> outgoing, arguments, returned;  ///< outgoing: for the next call
  std::unordered_map<u64, Node> local;                 ///< by lane and word
  std::array<std::vector<Node>, kLanes> copied;        ///< the words that a cp.async has read
  Node matrix = ProvenanceGraph::kNothing;             ///< the node of all loaded matrix elements
};

struct BlockState {
  std::vector<WarpState> warps;
  /// A word's node for the thread that stored it, and for other threads: a value has passed through shared
  /// memory only if another thread reads it.
  struct Word {
    Node own = ProvenanceGraph::kNothing, staged = ProvenanceGraph::kNothing;
    u32 thread = 0;
  };
  std::vector<Word> shared;
};

inline bool is_texture(const ptx::Instruction& in) { return ptx::rule_of(in.op).category == "Texture"; }

/// How an instruction of a function is handled, determined once.
struct InstructionInfo {
  enum class As : std::uint8_t { Call, Parameter, Access, Shuffle, Joined, Computation };
  As as = As::Computation;
  ptx::Access access = ptx::Access::None;
  bool matrix = false, texture = false;
  std::vector<u32> reads;  ///< registers, each once
};

inline InstructionInfo::As kind_of(const ptx::Instruction& in) {
  if (in.op == ptx::Op::Call) return InstructionInfo::As::Call;
  if (in.space == ptx::Space::Param && (in.op == ptx::Op::Ld || in.op == ptx::Op::St))
    return InstructionInfo::As::Parameter;
  if (ptx::access_of(in) != ptx::Access::None) return InstructionInfo::As::Access;
  if (in.op == ptx::Op::Shfl) return InstructionInfo::As::Shuffle;
  return ptx::traits_of(in.op).joined ? InstructionInfo::As::Joined : InstructionInfo::As::Computation;
}

/// Static information about a program.
struct Known {
  explicit Known(const Program& program) : flow(*program.function), sites(program.code.size(), kNoSite) {
    const auto& body = program.function->body;
    for (std::size_t k = 0; k < body.size(); ++k) {
      InstructionInfo& one = infos.emplace_back(InstructionInfo{
          kind_of(body[k]), ptx::access_of(body[k]), ptx::is_matrix(body[k].op), is_texture(body[k]), {}});
      for (const u32 reg : flow.read[k])
        if (std::ranges::find(one.reads, reg) == one.reads.end()) one.reads.push_back(reg);
    }
  }
  static constexpr u32 kNoSite = ~0u;
  Dataflow flow;
  std::vector<InstructionInfo> infos;  ///< by instruction of the body
  std::vector<u32> sites;              ///< by index into Program::code; kNoSite: not loaded there yet
};

}  // namespace cudalabs::sim::provenance
