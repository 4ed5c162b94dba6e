#ifdef CUDALABS_MACHINE_CODE
// Loads and stores as machine code.

#include <array>
#include <cstddef>
#include <tuple>
#include <unordered_map>

#include "grader/simulator/native/translator.h"

namespace cudalabs::sim {
namespace {

namespace x86 = asmjit::x86;

constexpr std::int32_t kVector = 64;
constexpr std::uint32_t kNotEqual = 4;  ///< of integers, to vpcmp

std::int32_t of_shape(std::uint32_t at, std::size_t member) {
  return static_cast<std::int32_t>(at * sizeof(Shape) + member);
}
x86::Mem shape64(std::uint32_t at, std::size_t member) {
  return x86::qword_ptr(fixed::shapes, of_shape(at, member));
}

}  // namespace

/// A parameter of the kernel at a fixed place.
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
  const std::uint32_t parts = k.element == Element::U64in64 ? 4 : 2;
  const auto d = cache_.define(i.d, parts);
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, params), 8));
  for (std::uint32_t p = 0; p < parts; ++p) {
    if (p > 0)
      a_.vmovdqa64(cache_.part(d, p), cache_.part(d, 0));
    else if (parts == 2)
      a_.vpbroadcastd(cache_.part(d, p), x86::dword_ptr(x86::rcx, static_cast<std::int32_t>(at)));
    else
      a_.vpbroadcastq(cache_.part(d, p), x86::qword_ptr(x86::rcx, static_cast<std::int32_t>(at)));
  }
  return true;
}

std::optional<Shape::Pattern> Translator::in_place(std::uint32_t at) const {
  const Inst& i = program_.code[at];
  const Known k = known(i);
  if (k.kind != Known::Kind::Load && k.kind != Known::Kind::Store) return std::nullopt;
  if (k.space != MemorySpace::Shared && (k.space != MemorySpace::Global || !k.wide)) return std::nullopt;
  if (i.count != 1 || (k.element != Element::U32in32 && k.element != Element::U64in64)) return std::nullopt;
  const Shape::Pattern pattern = shapes_[at].pattern;
  if (pattern == Shape::Pattern::Broadcast && k.kind == Known::Kind::Store) return std::nullopt;
  return pattern == Shape::Pattern::Unknown ? Shape::Pattern::Consecutive : pattern;
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
    if (!group) group = std::make_unique<AccessGroup>(AccessGroup{i.leader, {}});
    group->members.push_back({at, static_cast<std::int32_t>(distance), *in_place(at)});
  }
  for (auto& [leader, group] : found) {
    if (group->members.size() < 2 || groups_.size() == std::tuple_size_v<decltype(NativeContext::group_base)>)
      continue;
    groups_.push_back(group.get());
    kept_groups_.push_back(std::move(group));
  }
}

/// At the leader's access, whose base is in rax and whose shape is as it was.
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
                       a_.dec(x86::dword_ptr(fixed::shapes, of_shape(at, offsetof(Shape, group_rest))));
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

/// Moves part `p` of `parts` of a register from or to where the lanes stand from rax, by the
/// shape of the access. Of lanes that store at one place the last one's value stays, as where
/// they store one after the other.
void Translator::move_scattered(const Vec& data, std::uint32_t p, std::uint32_t parts, std::uint32_t at,
                                bool is_shared, bool is_store) {
  const x86::KReg all = x86::k1;
  const Vec distances = x86::zmm31, upper = x86::zmm30;
  const bool eight_bytes = parts == 4;
  const auto take = [&](const auto& lanes, std::uint32_t byte) {
    const std::size_t member = is_shared ? offsetof(Shape, narrow) : offsetof(Shape, wide);
    a_.vmovdqu64(lanes, x86::ptr(fixed::shapes, of_shape(at, member + byte)));
    a_.kxnorw(all, all, all);
  };
  const x86::Mem sixteen = x86::ptr(x86::rax, distances), eight = x86::ptr(x86::rax, distances.ymm());
  if (is_shared && !eight_bytes) {
    take(distances, p * kVector);
    if (is_store)
      a_.k(all).vpscatterdd(sixteen, data);
    else
      a_.k(all).vpgatherdd(data, sixteen);
  } else if (is_shared) {
    take(distances.ymm(), p * kVector / 2);
    if (is_store)
      a_.k(all).vpscatterdq(eight, data);
    else
      a_.k(all).vpgatherdq(data, eight);
  } else if (eight_bytes) {
    take(distances, p * kVector);
    if (is_store)
      a_.k(all).vpscatterqq(sixteen, data);
    else
      a_.k(all).vpgatherqq(data, sixteen);
  } else {
    for (std::uint32_t half = 0; half < 2; ++half) {
      take(distances, (2 * p + half) * kVector);
      const auto lanes = half == 0 ? data.ymm() : upper.ymm();
      if (is_store && half == 1) a_.vextracti64x4(upper.ymm(), data, 1);
      if (is_store)
        a_.k(all).vpscatterqd(sixteen, lanes);
      else
        a_.k(all).vpgatherqd(lanes, sixteen);
    }
    if (!is_store) a_.vinserti64x4(data, data, upper.ymm(), 1);
  }
}

/// What ops/memory_shaped.cpp does where an access has the shape that it had; for other patterns than
/// that of now, the handler.
bool Translator::memory(const Inst& i, std::uint32_t at, const Known& k) {
  if (k.kind == Known::Kind::Load && k.space == MemorySpace::KernelParam) return parameter(i, k);
  const bool is_shared = k.space == MemorySpace::Shared, is_store = k.kind == Known::Kind::Store;
  const auto expected = in_place(at);
  if (!expected) return false;
  const Shape::Pattern pattern = *expected;
  const bool broadcast = pattern == Shape::Pattern::Broadcast;
  const std::uint32_t parts = k.element == Element::U64in64 ? 4 : 2;
  const std::uint32_t address_parts = k.wide ? 4 : 2;

  const auto address = cache_.use(i.a, address_parts);
  if (!address) return false;
  const auto data = is_store ? cache_.use(i.d, parts) : std::nullopt;
  if (is_store && !data) return false;
  const auto defined = is_store ? std::nullopt : std::optional(cache_.define(i.d, parts));
  const std::vector<RegisterCache::Entry> before = cache_.entries_before(), after = cache_.entries();
  const asmjit::Label slow = a_.newLabel(), back = a_.newLabel();
  const asmjit::Label checked = a_.newLabel(), by_itself = a_.newLabel();

  // Of a group whose leader was where all are as they were, nothing is left to check.
  std::size_t group = groups_.size();
  std::int32_t distance = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const AccessGroup::Member& m : groups_[g]->members) {
      if (m.at != at) continue;
      group = g;
      distance = m.distance;
    }
  }
  const bool follows = group < groups_.size();
  if (follows) {
    const auto g = static_cast<std::uint32_t>(group);
    a_.cmp(in_context(offsetof(NativeContext, group_holds) + g, 1), 0);
    a_.je(by_itself);
    a_.mov(x86::rax, in_context(offsetof(NativeContext, group_base) + g * 8, 8));
    if (distance != 0) a_.add(x86::rax, distance);
  }
  const auto check = [this, &i, k, at, is_shared, pattern, address = *address, slow] {
    if (k.wide)
      a_.vmovq(x86::rax, cache_.part(address, 0).xmm());
    else
      a_.vmovd(x86::eax, cache_.part(address, 0).xmm());
    if (i.imm != 0) {
      if (is_shared) {
        a_.add(x86::eax, static_cast<std::int32_t>(i.imm));
      } else if (i.imm >= INT32_MIN && i.imm <= INT32_MAX) {
        a_.add(x86::rax, static_cast<std::int32_t>(i.imm));
      } else {
        a_.mov(x86::rcx, i.imm);
        a_.add(x86::rax, x86::rcx);
      }
    } else if (is_shared && k.wide) {
      a_.mov(x86::eax, x86::eax);
    }
    a_.mov(x86::rcx, x86::rax);
    a_.sub(x86::rcx, shape64(at, offsetof(Shape, window)));
    a_.cmp(x86::rcx, shape64(at, offsetof(Shape, window_size)));
    a_.jae(slow);
    a_.mov(x86::ecx, x86::dword_ptr(fixed::shapes, of_shape(at, offsetof(Shape, phase))));
    a_.xor_(x86::ecx, x86::eax);
    a_.test(x86::ecx, (i.width - 1u) | 3u);
    a_.jne(slow);
    a_.cmp(x86::byte_ptr(fixed::shapes, of_shape(at, offsetof(Shape, pattern))), static_cast<int>(pattern));
    a_.jne(slow);
  };

  const auto compare_distances = [this, at, is_shared, wide = k.wide, address = *address, slow] {
    const std::size_t known = is_shared ? offsetof(Shape, narrow) : offsetof(Shape, wide);
    const x86::KReg unlike = x86::k1;
    const Vec first = x86::zmm30, distance = x86::zmm31;
    if (wide)
      a_.vpbroadcastq(first, cache_.part(address, 0).xmm());
    else
      a_.vpbroadcastd(first, cache_.part(address, 0).xmm());
    for (std::uint32_t p = 0; p < (wide ? 4u : 2u); ++p) {
      const bool halved = wide && is_shared;  // a wide register may serve a narrow space
      const std::int32_t offset =
          of_shape(at, known) + static_cast<std::int32_t>(p) * (halved ? kVector / 2 : kVector);
      if (wide)
        a_.vpsubq(distance, cache_.part(address, p), first);
      else
        a_.vpsubd(distance, cache_.part(address, p), first);
      if (halved) {
        a_.vpmovqd(distance.ymm(), distance);
        a_.vpcmpd(unlike, distance.ymm(), x86::ymmword_ptr(fixed::shapes, offset), kNotEqual);
      } else if (wide) {
        a_.vpcmpq(unlike, distance, x86::zmmword_ptr(fixed::shapes, offset), kNotEqual);
      } else {
        a_.vpcmpd(unlike, distance, x86::zmmword_ptr(fixed::shapes, offset), kNotEqual);
      }
      a_.kortestw(unlike, unlike);
      a_.jne(slow);
    }
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
    a_.mov(x86::ecx, x86::eax);
    a_.shr(x86::ecx, 2);
    a_.and_(x86::ecx, kSectorWords - 1);
    a_.inc(x86::qword_ptr(fixed::shapes, x86::rcx, 3, of_shape(at, offsetof(Shape, repeats))));
  }
  if (is_shared && !is_store) {
    const asmjit::Label kept = a_.newLabel(), moved = a_.newLabel(), full = a_.newLabel();
    a_.cmp(in_context(offsetof(NativeContext, keeps_untold), 1), 0);
    a_.jne(kept);
    a_.bind(moved);
    asides_.push_back(
        {kept, moved, [this, at, width = i.width, full] {
           a_.mov(x86::rdx, in_context(offsetof(NativeContext, untold), 8));
           a_.mov(x86::ecx, x86::dword_ptr(x86::rdx, offsetof(UntoldLoads, count)));
           a_.mov(x86::esi, x86::dword_ptr(fixed::shapes, of_shape(at, offsetof(Shape, narrow) + 4)));
           a_.inc(x86::dword_ptr(x86::rdx, offsetof(UntoldLoads, count)));
           a_.shl(x86::ecx, 4);
           const auto put = [&](std::size_t member) {
             return x86::dword_ptr(x86::rdx, x86::rcx, 0,
                                   static_cast<std::int32_t>(offsetof(UntoldLoads, loads) + member));
           };
           a_.mov(put(offsetof(SharedLoad, instruction)), at);
           a_.mov(put(offsetof(SharedLoad, first)), x86::eax);
           a_.mov(put(offsetof(SharedLoad, distance)), x86::esi);
           a_.mov(put(offsetof(SharedLoad, width)), width);
           a_.cmp(x86::ecx, (UntoldLoads::kMost - 1) * 16);
           a_.je(full);
         }});
    asides_.push_back({full, moved, [this, before] {
                         cache_.store(before);
                         a_.mov(in_context(offsetof(NativeContext, spare), 8), x86::rax);
                         a_.mov(x86::rdi, fixed::context);
                         a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(&call_tell_untold));
                         a_.call(x86::rax);
                         a_.mov(x86::rax, in_context(offsetof(NativeContext, spare), 8));
                         cache_.load(before);
                       }});
  }
  const x86::Gp& memory = is_shared ? fixed::shared : fixed::global;
  if (pattern == Shape::Pattern::Scattered) {
    a_.lea(x86::rax, x86::ptr(memory, x86::rax));
    for (std::uint32_t p = 0; p < parts; ++p)
      move_scattered(cache_.part(is_store ? *data : *defined, p), p, parts, at, is_shared, is_store);
  } else {
    for (std::uint32_t p = 0; p < parts; ++p) {
      const x86::Mem place = x86::zmmword_ptr(memory, x86::rax, 0, static_cast<std::int32_t>(p) * kVector);
      if (is_store) {
        a_.vmovdqu64(place, cache_.part(*data, p));
      } else if (!broadcast) {
        a_.vmovdqu64(cache_.part(*defined, p), place);
      } else if (p > 0) {
        a_.vmovdqa64(cache_.part(*defined, p), cache_.part(*defined, 0));
      } else if (parts == 2) {
        a_.vpbroadcastd(cache_.part(*defined, p), x86::dword_ptr(memory, x86::rax));
      } else {
        a_.vpbroadcastq(cache_.part(*defined, p), x86::qword_ptr(memory, x86::rax));
      }
    }
  }
  a_.bind(back);
  asides_.push_back({slow, back, [this, at, before, after, fault = leaving_by_fault(at)] {
                       cache_.store(before);
                       call(at, fault);
                       cache_.load(after);
                     }});
  return true;
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
