#include "grader/sim/provenance/provenance_worker.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grader/sim/analysis/shuffle.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/executable/source_place.h"
#include "grader/sim/provenance/provenance_memory.h"
#include "grader/sim/provenance/worker_state.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using namespace provenance;  // NOLINT(google-build-using-namespace)
using ptx::Op;
using ptx::Operand;
using ptx::OperandKind;

Shuffle shuffle_mode(const ptx::Instruction& in) {
  return in.has(ptx::Mod::Up)     ? Shuffle::Up
         : in.has(ptx::Mod::Down) ? Shuffle::Down
         : in.has(ptx::Mod::Bfly) ? Shuffle::Butterfly
                                  : Shuffle::Index;
}

class ProvenanceWorker : public WorkerObserver {
 public:
  ProvenanceWorker(const LaunchInfo& launch, ProvenanceTracker::Memory& memory)
      : launch_(launch), memory_(memory) {
    const std::string name = demangle(launch.program->function->name, false);
    const auto known = std::ranges::find(memory.kernels, name);
    kernel_ = static_cast<u32>(known - memory.kernels.begin());
    if (known == memory.kernels.end()) memory.kernels.push_back(name);
  }

  void begin_block(u64 block) override {
    const std::uint64_t warps = (launch_.config.block.count() + kLanes - 1) / kLanes;
    const std::uint64_t bytes = std::uint64_t{launch_.program->static_shared_bytes} +
                                launch_.program->dynamic_shared_offset + launch_.config.dynamic_shared_bytes;
    BlockState& state = blocks_[block];
    state.warps.resize(warps);
    state.shared.assign(bytes / kProvenanceWord + 1, {});
  }
  void resume_block(u64 block) override {
    block_ = &blocks_.at(block);
    frame_ = nullptr;
  }
  void end_block() override {
    std::erase_if(blocks_, [this](const auto& entry) { return &entry.second == block_; });
    block_ = nullptr;
    frame_ = nullptr;
    if (blocks_.empty()) memory_.bytes -= std::exchange(taken_, 0);
  }
  [[nodiscard]] bool every_step() const override { return !memory_.graph.full(); }

  void step(const WarpStep& step) override {
    if (memory_.graph.full() || !enter(step.program, step.warp, step.depth)) return;
    const ptx::Instruction& in = instruction(step.instruction);
    const InstructionInfo& info = info_of(step.instruction);
    switch (info.as) {
      case InstructionInfo::As::Call: return hand_over(step);
      case InstructionInfo::As::Parameter: return pass_parameter(in, step);
      case InstructionInfo::As::Access:  // handled by access()
        warp_->matrix = ProvenanceGraph::kNothing;
        if (info.access == ptx::Access::Copy) warp_->copied = {};
        if (info.texture) write(step.instruction, step.mask, [](u32) { return ProvenanceGraph::kNothing; });
        return;
      case InstructionInfo::As::Shuffle: return shuffle(in, step);
      case InstructionInfo::As::Joined: {
        const Node all = merge_lanes(info.reads, step.mask, !info.matrix);
        return write(step.instruction, step.mask, [&](u32) { return all; });
      }
      case InstructionInfo::As::Computation: return compute(info, step);
    }
  }

  void access(const WarpAccess& access) override {
    if (memory_.graph.full()) return;
    if (frame_ == nullptr || frame_->program != access.program || warp_number_ != access.warp) return;
    const ptx::Instruction& in = instruction(access.instruction);
    const InstructionInfo& info = info_of(access.instruction);
    if (info.matrix) return access_matrix(in, access);
    if (info.texture) return access_texture(in, access);
    switch (info.access) {
      case ptx::Access::Copy: return copy(access);
      case ptx::Access::Load: return load(in, access);
      case ptx::Access::Store: return store(in, access);
      case ptx::Access::Atomic: return change(in, access);
      case ptx::Access::None: return;
    }
  }

 private:
  // ---- position ------------------------------------------------------------------------------------------
  bool enter(const Program* program, u32 warp, u32 depth) {
    warp_ = &block_->warps[warp];
    warp_number_ = warp;
    if (program != program_) {
      program_ = program;
      auto& known = programs_[program];
      if (!known) known = std::make_unique<Known>(*program);
      known_ = known.get();
    }
    for (auto& frame : warp_->frames) {
      if (frame->program == program && frame->depth == depth) {
        frame_ = frame.get();
        return true;
      }
    }
    const std::size_t registers = program->function->registers.size();
    if (!take(registers * (kLanes + 1) * sizeof(Node))) return false;
    frame_ = warp_->frames.emplace_back(std::make_unique<Frame>()).get();
    frame_->program = program;
    frame_->depth = depth;
    frame_->nodes = std::make_unique_for_overwrite<Node[]>(registers * kLanes);
    frame_->lanes.resize(registers);
    return true;
  }
  /// Takes memory for frames etc. from the budget. False: it is exhausted, and the result is unknown.
  bool take(std::size_t bytes) {
    memory_.bytes += bytes;
    taken_ += bytes;
    if (memory_.bytes > kMaxBytes) memory_.graph.give_up();
    return memory_.bytes <= kMaxBytes;
  }
  [[nodiscard]] const ptx::Instruction& instruction(u32 pc) const {
    return program_->function->body[program_->source[pc]];
  }
  [[nodiscard]] const InstructionInfo& info_of(u32 pc) const { return known_->infos[program_->source[pc]]; }
  [[nodiscard]] const std::vector<u32>& reads(u32 pc) const { return info_of(pc).reads; }
  [[nodiscard]] const std::vector<u32>& written(u32 pc) const {
    return known_->flow.written[program_->source[pc]];
  }

  // ---- registers -----------------------------------------------------------------------------------------

  /// `handed_over`: the lanes exchange their values, as in shuffles.
  Node merge_lanes(const std::vector<u32>& registers, u32 mask, bool handed_over) {
    gathered_.clear();
    for (const u32 reg : registers)
      each_lane(mask, [&](u32 lane) { gathered_.push_back(frame_->get(reg, lane)); });
    if (handed_over)
      std::ranges::transform(gathered_, gathered_.begin(),
                             [&](Node value) { return memory_.graph.shuffled(value); });
    return memory_.graph.merge(gathered_);
  }
  /// Sets every register that the instruction writes to node(lane).
  template <class NodeOf>
  void write(u32 pc, u32 mask, const NodeOf& node) {
    for (const u32 reg : written(pc)) each_lane(mask, [&](u32 lane) { frame_->set(reg, lane, node(lane)); });
  }

  void compute(const InstructionInfo& info, const WarpStep& step) {
    made_of_.clear();
    u32 made = 0,
        everywhere = step.mask;  // lanes in which any operand depends on data, and those in which all do
    for (const u32 reg : info.reads) {
      const u32 here = frame_->lanes[reg] & step.mask;
      if (here == 0) continue;
      made_of_.push_back(frame_->row(reg));
      made |= here;
      everywhere &= here;
    }
    Lanes merged;
    const Node* nodes = merged.data();
    if (made_of_.size() == 1) {
      nodes = made_of_[0];
    } else if (made_of_.size() <= 3 && everywhere == made && made != 0) {
      memory_.graph.merge_rows(made_of_, made, merged.data());
    } else if (made != 0) {
      each_lane(made, [&](u32 lane) {
        gathered_.clear();
        for (const u32 reg : info.reads) gathered_.push_back(frame_->get(reg, lane));
        merged[lane] = memory_.graph.merge(gathered_);
      });
    }
    for (const u32 reg : written(step.instruction)) frame_->set_lanes(reg, step.mask, made, nodes);
  }

  void shuffle(const ptx::Instruction& in, const WarpStep& step) {
    const Inst& inst = step.program->code[step.instruction];
    const auto* const b = reinterpret_cast<const u32*>(step.frame + inst.b);
    const auto* const c = reinterpret_cast<const u32*>(step.frame + inst.c);
    const Shuffle mode = shuffle_mode(in);
    Lanes nodes{};
    each_lane(step.mask, [&](u32 lane) {
      u32 from = shuffle_source(mode, lane, b[lane], c[lane]).lane;
      if (((step.mask >> from) & 1) == 0) from = lane;
      const Node value = node_of(in.operands[1], from);
      nodes[lane] = from == lane ? value : memory_.graph.shuffled(value);
    });
    write(step.instruction, step.mask, [&](u32 lane) { return nodes[lane]; });
  }

  [[nodiscard]] Node node_of(const Operand& operand, u32 lane) const {
    return operand.kind == OperandKind::Register ? frame_->get(operand.reg, lane) : ProvenanceGraph::kNothing;
  }

  // ---- calls ---------------------------------------------------------------------------------------------

  void pass_parameter(const ptx::Instruction& in, const WarpStep& step) {
    const bool loads = in.op == Op::Ld;
    const Operand& place = in.operands[loads ? 1 : 0];
    const u32 depth = frame_->depth;
    if (loads) {
      if (place.symbol_kind == ptx::SymbolKind::Parameter && step.program->is_entry) {
        return write(step.instruction, step.mask, [](u32) { return ProvenanceGraph::kNothing; });
      }
      const bool own = place.symbol_kind == ptx::SymbolKind::Parameter;
      const Lanes& from = own ? lanes_of(warp_->arguments, depth) : lanes_of(warp_->returned, depth + 1);
      return write(step.instruction, step.mask, [&](u32 lane) { return from[lane]; });
    }
    const bool returns = place.symbol_kind == ptx::SymbolKind::Return;
    Lanes& to = returns ? lanes_of(warp_->returned, depth) : lanes_of(warp_->outgoing, depth + 1);
    each_lane(step.mask, [&](u32 lane) {
      gathered_.assign(1, to[lane]);
      for (const u32 reg : reads(step.instruction)) gathered_.push_back(frame_->get(reg, lane));
      to[lane] = memory_.graph.merge(gathered_);
    });
  }
  void hand_over(const WarpStep& step) {
    const u32 depth = frame_->depth + 1;
    Lanes& outgoing = lanes_of(warp_->outgoing, depth);
    Lanes& arguments = lanes_of(warp_->arguments, depth);
    Lanes& returned = lanes_of(warp_->returned, depth);
    each_lane(step.mask, [&](u32 lane) {
      gathered_.assign(1, outgoing[lane]);
      for (const u32 reg : reads(step.instruction)) gathered_.push_back(frame_->get(reg, lane));
      arguments[lane] = memory_.graph.merge(gathered_);
      returned[lane] = ProvenanceGraph::kNothing;
      outgoing[lane] = ProvenanceGraph::kNothing;
    });
  }
  static Lanes& lanes_of(std::map<u32, Lanes>& by_depth, u32 depth) {
    const auto [entry, fresh] = by_depth.try_emplace(depth);
    if (fresh) entry->second.fill(ProvenanceGraph::kNothing);
    return entry->second;
  }

  /// The nodes of a written register's lanes, and the lanes in which they are more than kNothing.
  struct Row {
    Lanes nodes;
    u32 made = 0;
  };
  struct Reads {
    u32 own = 0, all = 0;
  };

  // ---- memory --------------------------------------------------------------------------------------------

  u32 site(const WarpAccess& access) {
    u32& known = known_->sites[access.instruction];
    if (known == Known::kNoSite) {
      known = static_cast<u32>(memory_.sites.size());
      memory_.sites.push_back({source_place(*access.program, access.instruction), kernel_});
    }
    return known;
  }

  static u64 address_of(const WarpAccess& a, u32 lane) {
    return a.space == AccessSpace::Global || a.space == AccessSpace::Constant ? a.addresses[lane]
                                                                              : a.offsets[lane];
  }
  static u32 place_of(u64 address) { return static_cast<u32>(address / kProvenanceWord); }
  [[nodiscard]] u32 thread_of(const WarpAccess& a, u32 lane) const {
    // The rows of a matrix are distributed over the warp's lanes.
    return info_of(a.instruction).matrix ? kNoThread : a.warp * kLanes + lane;
  }
  Node read_word(const WarpAccess& a, u32 lane, u64 address, u32 site) {
    switch (a.space) {
      case AccessSpace::Global: return memory_.load(address, site, ProvenanceGraph::Memory::Global);
      case AccessSpace::Constant: return memory_.load(address, site, ProvenanceGraph::Memory::Constant);
      case AccessSpace::Shared: {
        if (address / kProvenanceWord >= block_->shared.size()) return ProvenanceGraph::kNothing;
        const BlockState::Word& word = block_->shared[address / kProvenanceWord];
        const bool own = word.thread == thread_of(a, lane);
        ++(own ? memory_.own_reads : memory_.others_reads);
        return own ? word.own : word.staged;
      }
      case AccessSpace::Local: {
        const auto found = warp_->local.find(u64{lane} << 32 | address / kProvenanceWord);
        return found == warp_->local.end() ? ProvenanceGraph::kNothing : found->second;
      }
    }
    return ProvenanceGraph::kNothing;
  }
  void write_word(const WarpAccess& a, u32 lane, u64 address, Node value) {
    switch (a.space) {
      case AccessSpace::Global:
      case AccessSpace::Constant: return memory_.store(address, value, true);
      case AccessSpace::Shared:
        if (address / kProvenanceWord < block_->shared.size())
          block_->shared[address / kProvenanceWord] = {value, memory_.graph.staged(value, place_of(address)),
                                                       thread_of(a, lane)};
        return;
      case AccessSpace::Local:
        if (value <= ProvenanceGraph::kNothing) {
          warp_->local.erase(u64{lane} << 32 | address / kProvenanceWord);
        } else if (warp_->local.insert_or_assign(u64{lane} << 32 | address / kProvenanceWord, value).second) {
          take(kLocalWordBytes);
        }
        return;
    }
  }
  /// The node of `bytes` at `address`: one element if they are unchanged since before the call.
  Node read(const WarpAccess& a, u32 lane, u64 address, u32 bytes, u32 site) {
    const Node first = read_word(a, lane, address, site);
    if (bytes <= kProvenanceWord) return first;
    if (a.space == AccessSpace::Global || a.space == AccessSpace::Constant) {
      const ProvenanceWords::Word* const second = memory_.words.at(address + kProvenanceWord);
      if (second == nullptr || second->value == ProvenanceGraph::kUnknown) return first;
    }
    return memory_.graph.merge(first, read_word(a, lane, address + kProvenanceWord, site));
  }
  /// The previous lane's read, if repeating it would add nothing else to the graph.
  struct LastRead {
    u64 address = ~u64{0};
    Node value = ProvenanceGraph::kNothing;
  };
  /// Like read() for a load's address: lanes often read the same one.
  Node read_again(const WarpAccess& a, u32 lane, u32 bytes, u32 site, LastRead& last) {
    const u64 address = address_of(a, lane);
    if (address == last.address) return last.value;
    const Node value = read(a, lane, address, bytes, site);
    if (a.space == AccessSpace::Global && (bytes <= kProvenanceWord || memory_.is_leaf_of(address, value)))
      last = {address, value};
    return value;
  }
  void write(const WarpAccess& a, u32 lane, u64 address, u32 bytes, Node value) {
    if (bytes < kProvenanceWord && known(a, address))  // the rest of the word remains
      value = memory_.graph.merge(value, read_word(a, lane, address, 0));
    write_word(a, lane, address, value);
    for (u32 at = kProvenanceWord; at < bytes; at += kProvenanceWord)
      write_word(a, lane, address + at, value);
  }
  static std::span<const Operand> parts(const Operand& operand) {
    return operand.kind == OperandKind::Vector ? std::span<const Operand>(operand.elements)
                                               : std::span<const Operand>(&operand, 1);
  }

  /// The node of a load's address.
  [[nodiscard]] Node place(const ptx::Instruction& in, u32 lane) const {
    const Operand& from = in.operands[1];
    return from.kind == OperandKind::Address && from.base_is_register ? frame_->get(from.reg, lane)
                                                                      : ProvenanceGraph::kNothing;
  }
  void load(const ptx::Instruction& in, const WarpAccess& a) {
    const std::span<const Operand> to = parts(in.operands.front());
    const u32 bytes = a.width / static_cast<u32>(to.size()), where = site(a);
    const Operand& from = in.operands[1];
    const bool chosen =
        from.kind == OperandKind::Address && from.base_is_register && (frame_->lanes[from.reg] & a.mask) != 0;
    if (a.space == AccessSpace::Shared && !chosen && load_shared(to, bytes, a)) return;
    if (to.size() == 1 && to[0].kind == OperandKind::Register) {
      Row row;
      LastRead last;
      each_lane(a.mask, [&](u32 lane) {
        const Node value = read_again(a, lane, bytes, where, last);
        row.nodes[lane] = chosen ? memory_.graph.chosen(value, place(in, lane)) : value;
        row.made |= u32{row.nodes[lane] > ProvenanceGraph::kNothing} << lane;
      });
      return frame_->set_lanes(to[0].reg, a.mask, row.made, row.nodes.data());
    }
    each_lane(a.mask, [&](u32 lane) {
      const u64 address = address_of(a, lane);
      for (u32 e = 0; e < to.size(); ++e) {
        if (to[e].kind == OperandKind::Register)
          frame_->set(
              to[e].reg, lane,
              memory_.graph.chosen(read(a, lane, address + u64{e} * bytes, bytes, where), place(in, lane)));
      }
    });
  }
  /// A warp's load from shared memory, all lanes together. False: words must be merged, and nothing has
  /// changed.
  bool load_shared(std::span<const Operand> to, u32 bytes, const WarpAccess& a) {
    constexpr std::size_t kMax = 4;
    std::array<Row, kMax> rows;
    Reads reads;
    if (to.size() > kMax) return false;
    for (u32 e = 0; e < to.size(); ++e) {
      if (to[e].kind != OperandKind::Register) continue;
      Row& row = rows[e];
      read_shared(a, e * bytes, row, reads);
      if (bytes <= kProvenanceWord) continue;
      Row second;
      read_shared(a, e * bytes + kProvenanceWord, second, reads);
      u32 differ = 0;
      for (u32 lane = 0; lane < kLanes; ++lane)
        differ |= second.nodes[lane] != row.nodes[lane] ? kLaneBits[lane] : 0;
      if ((differ & row.made & second.made) != 0) return false;
      each_lane(second.made & ~row.made, [&](u32 lane) { row.nodes[lane] = second.nodes[lane]; });
      row.made |= second.made;
    }
    for (u32 e = 0; e < to.size(); ++e)
      if (to[e].kind == OperandKind::Register)
        frame_->set_lanes(to[e].reg, a.mask, rows[e].made, rows[e].nodes.data());
    memory_.own_reads += reads.own;
    memory_.others_reads += reads.all - reads.own;
    return true;
  }
  /// The words `further` bytes behind the lanes' addresses; otherwise like read_word().
  void read_shared(const WarpAccess& a, u32 further, Row& row, Reads& reads) const {
    const BlockState::Word* const words = block_->shared.data();
    const auto size = static_cast<u32>(block_->shared.size());
    const u32 first = a.warp * kLanes;
    if (a.mask == kAllLanes && a.spacing == Spacing::Even && a.offsets[0] == a.offsets[1]) {
      // All lanes read one word; one of them may be its owner.
      const u32 place = (a.offsets[0] + further) / kProvenanceWord;
      if (place >= size) return row.nodes.fill(ProvenanceGraph::kNothing);
      const BlockState::Word& word = words[place];
      row.nodes.fill(word.staged);
      row.made |= word.staged > ProvenanceGraph::kNothing ? kAllLanes : 0;
      reads.all += kLanes;
      if (word.thread - first >= kLanes) return;
      const u32 owner = word.thread - first;
      row.nodes[owner] = word.own;
      row.made =
          (row.made & ~kLaneBits[owner]) | (word.own > ProvenanceGraph::kNothing ? kLaneBits[owner] : 0);
      ++reads.own;
      return;
    }
    Words at, there, own;
    for (u32 lane = 0; lane < kLanes; ++lane) {
      const u32 active = (a.mask & kLaneBits[lane]) != 0 ? ~0u : 0;
      at[lane] = ((a.offsets[lane] & active) + further) / kProvenanceWord;
      there[lane] = at[lane] < size ? active : 0;
      at[lane] &= there[lane];
    }
    for (u32 lane = 0; lane < kLanes; ++lane) {
      const BlockState::Word& word = words[at[lane]];
      own[lane] = word.thread == first + lane ? 1 : 0;
      row.nodes[lane] = own[lane] != 0 ? word.own : word.staged;
    }
    for (u32 lane = 0; lane < kLanes; ++lane) {
      row.made |= row.nodes[lane] > ProvenanceGraph::kNothing ? there[lane] & kLaneBits[lane] : 0;
      reads.own += own[lane] & there[lane];
      reads.all += there[lane] & 1;
    }
  }
  void store(const ptx::Instruction& in, const WarpAccess& a) {
    const std::span<const Operand> from = parts(in.operands[1]);
    const u32 bytes = a.width / static_cast<u32>(from.size());
    each_lane(a.mask, [&](u32 lane) {
      const u64 address = address_of(a, lane);
      for (u32 e = 0; e < from.size(); ++e)
        write(a, lane, address + u64{e} * bytes, bytes, node_of(from[e], lane));
    });
  }
  /// An atomic: its result depends on the old value and the operand.
  void change(const ptx::Instruction& in, const WarpAccess& a) {
    const bool returns = ptx::writes_first(in);
    const bool replaces = in.has(ptx::Mod::Exch);
    each_lane(a.mask, [&](u32 lane) {
      const u64 address = address_of(a, lane);
      Node old = ProvenanceGraph::kNothing;
      if (known(a, address)) old = read(a, lane, address, a.width, 0);
      gathered_.clear();
      for (std::size_t k = returns ? 2 : 1; k < in.operands.size(); ++k)
        for (const Operand& part : parts(in.operands[k])) gathered_.push_back(node_of(part, lane));
      const Node given = memory_.graph.given(memory_.graph.merge(gathered_));
      if (a.space == AccessSpace::Shared && !replaces) {
        add_to_shared(a, lane, address, given);
      } else {
        write(a, lane, address, a.width, replaces ? given : memory_.graph.merge(old, given));
        if (a.space == AccessSpace::Global)
          if (auto* const word = memory_.words.at(address)) word->by_atomic = true;
      }
      if (!returns) return;
      for (const Operand& part : parts(in.operands.front()))
        if (part.kind == OperandKind::Register) frame_->set(part.reg, lane, old);
    });
  }
  /// Operands from several threads belong to no single thread.
  void add_to_shared(const WarpAccess& a, u32 lane, u64 address, Node given) {
    const u64 first = address / kProvenanceWord, last = (address + a.width - 1) / kProvenanceWord;
    if (last >= block_->shared.size()) return;
    BlockState::Word& word = block_->shared[first];
    const u32 thread = thread_of(a, lane);
    const bool own = word.thread == thread || word.staged <= ProvenanceGraph::kNothing;
    word.staged = memory_.graph.merge(word.staged, memory_.graph.staged(given, place_of(address)));
    word.own = own ? memory_.graph.merge(word.own, given) : word.staged;
    word.thread = thread;
    for (u64 at = first + 1; at <= last; ++at) block_->shared[at] = word;
  }
  /// Does the content at `address` come from this call?
  [[nodiscard]] bool known(const WarpAccess& a, u64 address) {
    if (a.space != AccessSpace::Global) return true;
    const ProvenanceWords::Word* const word = memory_.words.at(address);
    return word != nullptr && word->value != ProvenanceGraph::kUnknown;
  }

  /// The executor reports cp.async as a load and as a store to shared memory.
  void copy(const WarpAccess& a) {
    if (a.kind == AccessKind::Load) {
      const u32 where = site(a);
      each_lane(a.mask, [&](u32 lane) {
        for (u32 at = 0; at < a.width; at += kProvenanceWord)
          warp_->copied[lane].push_back(read_word(a, lane, a.addresses[lane] + at, where));
      });
      return;
    }
    each_lane(a.mask, [&](u32 lane) {
      const std::vector<Node>& words = warp_->copied[lane];
      for (u32 k = 0; k * kProvenanceWord < a.width; ++k) {
        const Node value = k < words.size() ? words[k] : ProvenanceGraph::kNothing;
        write_word(a, lane, a.offsets[lane] + k * kProvenanceWord, value);
      }
    });
  }

  /// A matrix has its own distribution over the registers of a warp: it is treated as one value.
  void access_matrix(const ptx::Instruction& in, const WarpAccess& a) {
    if (a.kind == AccessKind::Load) {
      const u32 where = site(a);
      gathered_.assign(1, warp_->matrix);
      each_lane(a.mask, [&](u32 lane) {
        for (u32 at = 0; at < a.width; at += kProvenanceWord)
          gathered_.push_back(read_word(a, lane, address_of(a, lane) + at, where));
      });
      warp_->matrix = memory_.graph.merge(gathered_);
      for (const u32 reg : written(a.instruction))
        for (u32 lane = 0; lane < kLanes; ++lane) frame_->set(reg, lane, warp_->matrix);
      return;
    }
    gathered_.clear();
    const Operand& value = in.operands[1];
    for (const Operand& part : parts(value))
      for (u32 lane = 0; lane < kLanes; ++lane) gathered_.push_back(node_of(part, lane));
    const Node whole = memory_.graph.merge(gathered_);
    each_lane(a.mask, [&](u32 lane) { write(a, lane, address_of(a, lane), a.width, whole); });
  }
  /// Called once for each texel that a filter reads: each register depends on all of them, in all channels.
  void access_texture(const ptx::Instruction& in, const WarpAccess& a) {
    if (a.kind == AccessKind::Store) return store(in, a);
    const u32 where = site(a);
    each_lane(a.mask, [&](u32 lane) {
      const Node texel = memory_.graph.chosen(read_texel(a, lane, where), coordinates(in, lane));
      for (const u32 reg : written(a.instruction))
        frame_->set(reg, lane, memory_.graph.merge(frame_->get(reg, lane), texel));
    });
  }
  Node read_texel(const WarpAccess& a, u32 lane, u32 where) {
    gathered_.clear();
    for (u32 at = 0; at < a.width; at += kProvenanceWord)
      gathered_.push_back(read_word(a, lane, address_of(a, lane) + at, where));
    return memory_.graph.merge(gathered_);
  }
  Node coordinates(const ptx::Instruction& in, u32 lane) {
    gathered_.clear();
    for (const Operand& part : parts(in.operands[1])) gathered_.push_back(node_of(part, lane));
    return memory_.graph.merge(gathered_);
  }

  static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
  static constexpr std::size_t kLocalWordBytes = 48;

  LaunchInfo launch_;
  ProvenanceTracker::Memory& memory_;
  std::unordered_map<u64, BlockState> blocks_;
  BlockState* block_ = nullptr;
  WarpState* warp_ = nullptr;
  Frame* frame_ = nullptr;
  u32 warp_number_ = 0, kernel_ = 0;
  std::size_t taken_ = 0;  ///< bytes of Memory::bytes that running blocks use
  const Program* program_ = nullptr;
  Known* known_ = nullptr;  ///< of program_
  std::unordered_map<const Program*, std::unique_ptr<Known>> programs_;
  std::vector<Node> gathered_;
  std::vector<const Node*> made_of_;  ///< rows of registers
};

}  // namespace

std::unique_ptr<WorkerObserver> make_origin_worker(const LaunchInfo& launch,
                                                   ProvenanceTracker::Memory& memory) {
  return std::make_unique<ProvenanceWorker>(launch, memory);
}

}  // namespace cudalabs::sim
