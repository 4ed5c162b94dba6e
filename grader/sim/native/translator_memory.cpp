#ifdef CUDALABS_MACHINE_CODE
// Translates loads and stores to machine code.

#include <array>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "grader/sim/native/translator.h"

namespace cudalabs::sim {
namespace {

namespace x86 = asmjit::x86;

x86::Mem shape64(std::uint32_t at, std::size_t member) { return in_shape(at, member, 8); }

const x86::Gp kBase[Translator::kBases] = {x86::r8, x86::r9, x86::r10, x86::r11};

}  // namespace

/// Emits the load of a kernel parameter at a constant offset.
bool Translator::parameter(const Inst& i, const Known& k) {
  const bool same_width = k.element == Element::U32in32 || k.element == Element::U64in64;
  if (!same_width || i.count != 1) return false;
  const ConstantSlot* base = nullptr;
  for (const ConstantSlot& c : program_.constants) {
    if (c.slot == i.a && c.source == SlotSource::Value) base = &c;
  }
  if (base == nullptr) return false;
  const std::uint64_t at = base->value + static_cast<std::uint64_t>(i.imm);
  if (at > program_.info.parameter_bytes || i.width > program_.info.parameter_bytes - at) return false;
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, params), 8));
  forms_->broadcast(i.d, k.element == Element::U64in64,
                    x86::Mem(x86::rcx, static_cast<std::int32_t>(at), i.width));
  return true;
}

std::optional<InPlace> Translator::in_place(std::uint32_t at) const {
  const Inst& i = program_.code[at];
  const Known k = known(i);
  if (k.kind != Known::Kind::Load && k.kind != Known::Kind::Store) return std::nullopt;
  if (k.space != MemorySpace::Shared && (k.space != MemorySpace::Global || !k.wide)) return std::nullopt;
  if (i.count != 1 || (k.element != Element::U32in32 && k.element != Element::U64in64)) return std::nullopt;
  InPlace access{at, shapes_[at].pattern, k.space == MemorySpace::Shared, k.kind == Known::Kind::Store,
                 k.element == Element::U64in64};
  if (access.pattern == Shape::Pattern::Unknown) access.pattern = Shape::Pattern::Consecutive;
  if (access.pattern == Shape::Pattern::Broadcast && access.is_store) return std::nullopt;
  return access;
}

void Translator::find_groups(const Stretch& stretch) {
  groups_.clear();
  std::unordered_map<std::uint32_t, std::unique_ptr<AccessGroup>> found;
  for (std::uint32_t at = stretch.begin; at < stretch.end; ++at) {
    const Inst& i = program_.code[at];
    if (i.leader == kNone || i.leader < stretch.begin || !in_place(at) || !in_place(i.leader)) continue;
    const std::int64_t distance = i.imm - program_.code[i.leader].imm;
    if (distance < INT32_MIN || distance > INT32_MAX) continue;
    auto& group = found[i.leader];
    if (!group) group = std::make_unique<AccessGroup>(AccessGroup{i.leader, {}, {}});
    group->members.push_back({{at, static_cast<std::int32_t>(distance)}, in_place(at)->pattern});
  }
  for (auto& [leader, group] : found) {
    if (group->members.size() < 2 || groups_.size() == std::tuple_size_v<decltype(NativeContext::group_base)>)
      continue;
    groups_.push_back(group.get());
    kept_groups_.push_back(std::move(group));
  }
  find_together(stretch);
}

const GroupMember* Translator::member(std::uint32_t at, std::size_t& group) const {
  for (group = 0; group < groups_.size(); ++group) {
    for (const GroupMember& m : groups_[group]->members) {
      if (m.at == at) return &m;
    }
  }
  return nullptr;
}

/// Finds the part behind a leader that has most members, up to the last member or the first instruction that
/// may fault.
void Translator::find_together(const Stretch& stretch) {
  constexpr std::size_t kFewest = 3;
  together_.reset();
  looked_ = false;
  std::size_t most = kFewest - 1;
  for (const AccessGroup* from : groups_) {
    Together part{from->leader + 1, from->leader + 1, {}, false};
    std::size_t members = 0;
    for (; part.end < stretch.end; ++part.end) {
      std::size_t group = 0;
      const Inst& i = program_.code[part.end];
      if (member(part.end, group) != nullptr) {
        if (group >= kBases || groups_[group]->leader >= part.begin) break;
        const InPlace access = *in_place(part.end);
        part.loads_shared |= access.is_shared && !access.is_store;
        part.groups[group] = true;
        ++members;
      } else if (i.flow != Flow::Plain) {
        break;
      }
    }
    if (members <= most) continue;
    most = members;
    together_ = part;
  }
  if (!together_) return;
  for (AccessGroup* group : groups_) {
    for (const GroupMember& m : group->members) {
      if (m.at >= together_->begin && m.at < together_->end) group->together.push_back(m);
    }
  }
}

void Translator::load_bases() {
  for (std::size_t g = 0; g < kBases; ++g) {
    if (together_->groups[g]) a_.mov(kBase[g], in_context(offsetof(NativeContext, group_base) + g * 8, 8));
  }
}

void Translator::do_together() {
  const Together& part = *together_;
  const asmjit::Label one_by_one = a_.newLabel(), done = a_.newLabel();
  if (part.loads_shared) {
    a_.cmp(in_context(offsetof(NativeContext, keeps_unflushed), 1), 0);
    a_.jne(one_by_one);
  }
  for (std::size_t g = 0; g < kBases; ++g) {
    if (!part.groups[g]) continue;
    a_.cmp(in_context(offsetof(NativeContext, group_holds) + g, 1), 0);
    a_.je(one_by_one);
  }
  load_bases();
  for (std::size_t g = 0; g < kBases; ++g) {
    if (!part.groups[g]) continue;
    const std::uint32_t leader = groups_[g]->leader;
    if (in_place(leader)->is_shared)
      a_.inc(shape64(leader, offsetof(Shape, runs_together)));
    else
      count_word(leader, kBase[g], offsetof(Shape, runs_together));
  }
  const auto all = [&] {
    for (std::uint32_t at = part.begin; at < part.end; ++at) {
      cache_.next(at);
      instruction(at);
    }
    if (looked_) cache_.part_twins();
    if (!forms_->all_read()) throw std::logic_error("machine code: a value was left in memory");
    return cache_.state();
  };
  RegisterCache::State before = cache_.state();
  looked_ = true;
  const RegisterCache::State after = all();
  looked_ = false;
  a_.jmp(done);
  a_.bind(one_by_one);
  cache_.restore(std::move(before));
  if (all() != after) throw std::logic_error("machine code: two forms of a part end differently");
  a_.bind(done);
}

/// Begins a group at its leader's access, whose base is in rax and whose shape is unchanged.
void Translator::begin_group(std::size_t number) {
  const auto g = static_cast<std::uint32_t>(number);
  const std::uint32_t at = groups_[number]->leader;
  const x86::Mem holds = in_context(offsetof(NativeContext, group_holds) + g, 1);
  const asmjit::Label look = a_.newLabel(), known = a_.newLabel();
  a_.mov(in_context(offsetof(NativeContext, group_base) + g * 8, 8), x86::rax);
  a_.mov(x86::rcx, x86::rax);
  a_.sub(x86::rcx, shape64(at, offsetof(Shape, group_window)));
  a_.cmp(x86::rcx, shape64(at, offsetof(Shape, group_size)));
  a_.setb(holds);
  a_.jae(look);
  a_.bind(known);
  asides_.push_back({look, known, [this, group = groups_[number], g, at, before = cache_.entries_before()] {
                       const asmjit::Label done = a_.newLabel();
                       a_.dec(in_shape(at, offsetof(Shape, group_rest), 4));
                       a_.jns(done);
                       cache_.store(before);
                       a_.vzeroupper();
                       a_.mov(x86::rdi, fixed::context);
                       a_.mov(x86::rsi, reinterpret_cast<std::uint64_t>(group));
                       a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(&call_look_at_group));
                       a_.call(x86::rax);
                       a_.mov(x86::rax, in_context(offsetof(NativeContext, group_base) + g * 8, 8));
                       cache_.load(before);
                       a_.bind(done);
                     }});
}

/// Counts an access in global memory at `base`, by its word in a sector.
void Translator::count_word(std::uint32_t at, const x86::Gp& base, std::size_t counters) {
  a_.mov(x86::ecx, base.r32());
  a_.shr(x86::ecx, 2);
  a_.and_(x86::ecx, kSectorWords - 1);
  a_.inc(
      x86::qword_ptr(fixed::shapes, x86::rcx, 3, static_cast<std::int32_t>(at * sizeof(Shape) + counters)));
}

/// Prefetches for the next warp: consecutive warps often have the same distance as before, such as a row of a
/// matrix. Hardware prefetchers do not detect steps of a page or more.
void Translator::prefetch(std::uint32_t at, const InPlace& access) {
  constexpr std::uint32_t kLine = 64, kStepsAhead = 4;
  const x86::Mem last = shape64(at, offsetof(Shape, last_base));
  a_.mov(x86::rdx, x86::rax);
  a_.sub(x86::rdx, last);
  a_.mov(last, x86::rax);
  static_assert(kStepsAhead == 4);
  a_.lea(x86::rdx, x86::ptr(x86::rax, x86::rdx, 2));
  const bool whole = access.pattern == Shape::Pattern::Consecutive;
  const std::uint32_t bytes = whole ? kLanes * (access.eight_bytes ? 8u : 4u) : kLine;
  for (std::uint32_t byte = 0; byte < bytes; byte += kLine)
    a_.prefetcht0(x86::ptr(fixed::global, x86::rdx, 0, static_cast<std::int32_t>(byte)));
}

/// True if the value loaded at `at` is only read once, by a multiply-add, before any store.
bool Translator::read_by_product(std::uint32_t at) const {
  const std::uint32_t slot = program_.code[at].d;
  const RegisterCache::Use* const use = cache_.next_use(slot, at + 1);
  if (use == nullptr || !use->reads || use->at >= together_->end || !cache_.dead_from(use->at + 1, slot))
    return false;
  const Inst& reader = program_.code[use->at];
  const Known k = known(reader);
  const bool is_product =
      k.kind == Known::Kind::Arithmetic && (k.op == Arith::FmaF32 || k.op == Arith::FmaF64);
  if (!is_product || reader.c == slot || (reader.a == slot) == (reader.b == slot)) return false;
  for (std::uint32_t between = at + 1; between < use->at; ++between) {
    if (const auto access = in_place(between); access && access->is_store) return false;
  }
  return true;
}

void Translator::add_offset(const Inst& i, bool is_shared) {
  if (is_shared) {
    a_.add(x86::eax, static_cast<std::int32_t>(i.imm));
  } else if (i.imm >= INT32_MIN && i.imm <= INT32_MAX) {
    a_.add(x86::rax, static_cast<std::int32_t>(i.imm));
  } else {
    a_.mov(x86::rcx, i.imm);
    a_.add(x86::rax, x86::rcx);
  }
}

/// Emits the fast path of ops/memory/memory_partial.cpp: some lanes with unchanged distances.
bool Translator::memory_by_some(const Inst& i, std::uint32_t at, const Known& k) {
  const auto access = in_place(at);
  if (!access || access->is_shared == k.wide || !forms_->moves_some_lanes()) return false;
  const bool is_shared = access->is_shared;
  const auto address = forms_->source(i.a, k.wide);
  if (!address) return false;
  const auto data =
      access->is_store ? forms_->source(i.d, access->eight_bytes) : forms_->destination(i.d, *access);
  if (!data) return false;
  const std::vector<RegisterCache::Entry> before = cache_.entries_before(), after = cache_.entries();
  const asmjit::Label slow = a_.newLabel(), back = a_.newLabel();
  a_.mov(x86::rdx, in_context(offsetof(NativeContext, partial_shapes), 8));
  a_.mov(x86::rdx, x86::qword_ptr(x86::rdx, static_cast<std::int32_t>(at * 8)));
  a_.test(x86::rdx, x86::rdx);
  a_.je(slow);
  a_.add(x86::rdx, of_lanes(offsetof(SomeLanes, of_partial), 8));
  const auto shape = [](std::size_t member, std::uint32_t size) {
    return x86::Mem(x86::rdx, static_cast<std::int32_t>(member), size);
  };
  a_.mov(x86::ecx, of_lanes(offsetof(SomeLanes, mask), 4));
  a_.cmp(x86::ecx, shape(offsetof(PartialShape, mask), 4));
  a_.jne(slow);
  forms_->compare_some_distances(*address, k.wide, slow);  // leaves the first lane's address in rax
  add_offset(i, is_shared);
  a_.mov(x86::rcx, x86::rax);
  a_.sub(x86::rcx, shape(offsetof(PartialShape, window), 8));
  a_.cmp(x86::rcx, shape(offsetof(PartialShape, window_size), 8));
  a_.jae(slow);
  a_.mov(x86::ecx, x86::eax);
  a_.xor_(x86::ecx, shape(offsetof(PartialShape, phase), 4));
  a_.test(x86::ecx, (i.width - 1u) | 3u);
  a_.jne(slow);
  if (is_shared) {
    a_.inc(shape(offsetof(PartialShape, repeats), 8));
  } else {
    a_.mov(x86::ecx, x86::eax);
    a_.shr(x86::ecx, 2);
    a_.and_(x86::ecx, kSectorWords - 1);
    a_.inc(x86::qword_ptr(x86::rdx, x86::rcx, 3, static_cast<std::int32_t>(offsetof(PartialShape, repeats))));
  }
  const asmjit::Label scattered = a_.newLabel();
  a_.cmp(shape(offsetof(PartialShape, in_order), 1), 0);
  a_.je(scattered);
  forms_->move_some(*data, *access);
  a_.bind(back);
  asides_.push_back({scattered, back,
                     [this, data = *data, access = *access] { forms_->move_some_scattered(data, access); }});
  by_handler(at, {slow, back, before, after}, false);
  return true;
}

void Translator::check_place(const Inst& i, bool wide, const InPlace& access,
                             const RegisterCache::Entry& address, const asmjit::Label& slow) {
  const bool is_shared = access.is_shared;
  forms_->first_lane(address, wide);
  if (i.imm != 0) {
    add_offset(i, is_shared);
  } else if (is_shared && wide) {
    a_.mov(x86::eax, x86::eax);
  }
  a_.mov(x86::rcx, x86::rax);
  a_.sub(x86::rcx, shape64(access.at, offsetof(Shape, window)));
  a_.cmp(x86::rcx, shape64(access.at, offsetof(Shape, window_size)));
  a_.jae(slow);
  a_.mov(x86::ecx, in_shape(access.at, offsetof(Shape, phase), 4));
  a_.xor_(x86::ecx, x86::eax);
  a_.test(x86::ecx, (i.width - 1u) | 3u);
  a_.jne(slow);
  a_.cmp(in_shape(access.at, offsetof(Shape, pattern), 1), static_cast<int>(access.pattern));
  a_.jne(slow);
}

void Translator::keep_unflushed(std::uint32_t at, std::uint32_t width,
                                const std::vector<RegisterCache::Entry>& before) {
  const asmjit::Label kept = a_.newLabel(), moved = a_.newLabel(), full = a_.newLabel();
  a_.cmp(in_context(offsetof(NativeContext, keeps_unflushed), 1), 0);
  a_.jne(kept);
  a_.bind(moved);
  asides_.push_back({kept, moved, [this, at, width, full] {
                       a_.mov(x86::rdx, in_context(offsetof(NativeContext, unflushed), 8));
                       a_.mov(x86::ecx, x86::dword_ptr(x86::rdx, offsetof(UnflushedLoads, count)));
                       a_.mov(x86::esi, in_shape(at, offsetof(Shape, narrow) + 4, 4));
                       a_.inc(x86::dword_ptr(x86::rdx, offsetof(UnflushedLoads, count)));
                       a_.shl(x86::ecx, 4);
                       const auto put = [&](std::size_t member) {
                         return x86::dword_ptr(
                             x86::rdx, x86::rcx, 0,
                             static_cast<std::int32_t>(offsetof(UnflushedLoads, loads) + member));
                       };
                       a_.mov(put(offsetof(SharedLoad, instruction)), at);
                       a_.mov(put(offsetof(SharedLoad, first)), x86::eax);
                       a_.mov(put(offsetof(SharedLoad, distance)), x86::esi);
                       a_.mov(put(offsetof(SharedLoad, width)), width);
                       a_.cmp(x86::ecx, (UnflushedLoads::kMax - 1) * 16);
                       a_.je(full);
                     }});
  asides_.push_back({full, moved, [this, before] {
                       cache_.store(before);
                       a_.mov(in_context(offsetof(NativeContext, spare), 8), x86::rax);
                       a_.mov(x86::rdi, fixed::context);
                       a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(&call_report_unflushed));
                       a_.call(x86::rax);
                       a_.mov(x86::rax, in_context(offsetof(NativeContext, spare), 8));
                       cache_.load(before);
                     }});
}

/// Emits the fast path of ops/memory/memory_shaped.cpp: an access with an unchanged shape. For patterns other
/// than the current one the handler is called.
bool Translator::memory(const Inst& i, std::uint32_t at, const Known& k) {
  if (k.kind == Known::Kind::Load && k.space == MemorySpace::KernelParam) return parameter(i, k);
  if (some_) return memory_by_some(i, at, k);
  const auto in_place_access = in_place(at);
  if (!in_place_access) return false;
  const InPlace access = *in_place_access;
  const bool is_shared = access.is_shared, is_store = access.is_store;

  const auto address = forms_->source(i.a, k.wide);
  if (!address) return false;
  const auto data = is_store ? forms_->source(i.d, access.eight_bytes) : forms_->destination(i.d, access);
  if (!data) return false;
  std::size_t group = 0;
  const GroupMember* const own = member(at, group);
  if (looked_) {
    const LaneZero lane{kBase[group], own->distance, true};
    if (!is_store && read_by_product(at))
      forms_->leave(*data, access, lane);
    else
      forms_->move(*data, access, lane);
    return true;
  }
  const std::vector<RegisterCache::Entry> before = cache_.entries_before(), after = cache_.entries();
  const asmjit::Label slow = a_.newLabel(), back = a_.newLabel();
  const asmjit::Label checked = a_.newLabel(), by_itself = a_.newLabel();

  // If the leader's group keeps its shapes, nothing remains to check.
  const bool follows = own != nullptr;
  if (follows) {
    const auto g = static_cast<std::uint32_t>(group);
    a_.cmp(in_context(offsetof(NativeContext, group_holds) + g, 1), 0);
    a_.je(by_itself);
    a_.mov(x86::rax, in_context(offsetof(NativeContext, group_base) + g * 8, 8));
    if (own->distance != 0) a_.add(x86::rax, own->distance);
  }
  const auto check = [this, &i, wide = k.wide, access, address = *address, slow] {
    check_place(i, wide, access, address, slow);
  };

  const auto compare_distances = [this, access, wide = k.wide, address = *address, slow] {
    forms_->compare_distances(address, wide, access, slow);
  };
  if (i.leader == kNone) {
    check();
    compare_distances();
  } else {
    const asmjit::Label unlike = a_.newLabel();
    const auto check_all = [this, at, check, leader = i.leader, unlike] {
      check();
      a_.mov(x86::rcx, shape64(leader, offsetof(Shape, version)));
      a_.test(x86::rcx, x86::rcx);
      a_.je(unlike);
      a_.cmp(x86::rcx, shape64(at, offsetof(Shape, leader_version)));
      a_.jne(unlike);
    };
    if (follows)
      asides_.push_back({by_itself, checked, check_all});
    else
      check_all();
    a_.bind(checked);
    asides_.push_back({unlike, checked, [this, at, compare_distances] {
                         compare_distances();
                         a_.mov(shape64(at, offsetof(Shape, leader_version)), x86::rcx);
                       }});
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g]->leader == at) begin_group(g);
  }
  if (is_shared) {
    a_.inc(shape64(at, offsetof(Shape, repeats)));
  } else {
    count_word(at, x86::rax, offsetof(Shape, repeats));
    if (!is_store && !follows) prefetch(at, access);
  }
  if (is_shared && !is_store) keep_unflushed(at, i.width, before);
  forms_->move(*data, access, {});
  a_.bind(back);
  by_handler(at, {slow, back, before, after});
  return true;
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
