#ifdef CUDALABS_MACHINE_CODE
#include "grader/sim/native/register_cache.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "grader/sim/native/known.h"
#include "grader/sim/native/native_code.h"

namespace cudalabs::sim {
namespace {

namespace x86 = asmjit::x86;

/// True if the constant is the same in all lanes of a warp.
bool is_uniform(const ConstantSlot& c) {
  using enum ptx::Special;
  if (c.source != SlotSource::Special) return true;
  return c.special == NtidX || c.special == NtidY || c.special == NtidZ || c.special == CtaidX ||
         c.special == CtaidY || c.special == CtaidZ || c.special == NctaidX || c.special == NctaidY ||
         c.special == NctaidZ;
}

}  // namespace

RegisterCache::RegisterCache(x86::Assembler& a, VectorWidth width, const Program& program,
                             const Liveness& liveness)
    : a_(a),
      width_(width),
      move_(width == VectorWidth::Avx512 ? x86::Inst::kIdVmovdqa64 : x86::Inst::kIdVmovdqa),
      program_(program),
      liveness_(liveness),
      all_((1u << registers(width)) - 1) {
  for (const ConstantSlot& c : program.constants) {
    if (is_uniform(c)) uniform_.insert(c.slot);
  }
}

void RegisterCache::begin(const Stretch& stretch, Lanes lanes, bool others_at_end) {
  stretch_ = stretch;
  lanes_ = lanes;
  others_at_end_ = others_at_end;
  entries_.clear();
  retired_.clear();
  uses_.clear();
  unknown_.clear();
  free_ = all_;
  for (std::uint32_t at = stretch.begin; at < stretch.end; ++at) {
    const bool known = effects(
        program_, at,
        [&](std::uint32_t slot) {
          uses_[slot].push_back({at, true});
        },
        [&](std::uint32_t slot) {
          uses_[slot].push_back({at, false});
        });
    if (!known) unknown_.push_back(at);
  }
}

void RegisterCache::restore(State state) {
  at_ = state.at;
  free_ = state.free;
  clock_ = state.clock;
  entries_ = std::move(state.entries);
  retired_ = std::move(state.retired);
}

void RegisterCache::next(std::uint32_t at) {
  at_ = at;
  ++clock_;
  for (const Entry& e : retired_) release(e);
  retired_.clear();
  for (Entry& e : entries_) e.fresh = false;
}

const RegisterCache::Use* RegisterCache::next_use(std::uint32_t slot, std::uint32_t at) const {
  const auto uses = uses_.find(slot);
  if (uses == uses_.end()) return nullptr;
  const auto next = std::lower_bound(uses->second.begin(), uses->second.end(), at,
                                     [](const Use& use, std::uint32_t from) { return use.at < from; });
  return next == uses->second.end() ? nullptr : &*next;
}

std::uint32_t RegisterCache::next_read(std::uint32_t slot, std::uint32_t at) const {
  const Use* const next = next_use(slot, at);
  return next != nullptr && next->reads ? next->at : kNone;
}

bool RegisterCache::dead_from(std::uint32_t at, std::uint32_t slot) const {
  if (std::lower_bound(unknown_.begin(), unknown_.end(), at) != unknown_.end()) return false;
  const Use* const next = next_use(slot, at);
  return next != nullptr ? !next->reads : !liveness_.wanted(stretch_.end, slot);
}

void RegisterCache::release(const Entry& e) {
  for (std::uint32_t p = 0; p < (e.uniform ? 1 : e.parts); ++p) free_ |= 1u << e.registers[p];
}

void RegisterCache::put_nans_right(const Entry& e) {
  const x86::Mem nan = in_context(offsetof(NativeContext, canonical_nan), 4);
  if (width_ == VectorWidth::Avx2) a_.vbroadcastss(x86::ymm15, nan);
  for (std::uint32_t p = 0; p < e.parts; ++p) {
    if (width_ == VectorWidth::Avx512) {
      a_.vcmpps(x86::k7, part(e, p), part(e, p), kUnordered);
      a_.k(x86::k7).vpbroadcastd(part(e, p), nan);
    } else {
      a_.vcmpps(x86::ymm14, part(e, p), part(e, p), kUnordered);
      a_.vblendvps(part(e, p), part(e, p), x86::ymm15, x86::ymm14);
    }
  }
}

void RegisterCache::store(const Entry& e) {
  if (e.raw) put_nans_right(e);
  const bool some = preserves(e.slot);
  if (some && width_ == VectorWidth::Avx2) throw std::logic_error("machine code: AVX2 stores all lanes");
  const bool narrow = e.parts == parts_of(VectorWidth::Avx512, 32);
  // The other lanes' values are loaded and stored again, instead of a masked store: a later load would have
  // to wait until a masked store has reached the cache.
  for (std::uint32_t p = 0; p < e.parts; ++p) {
    if (some && narrow) {
      a_.kmovw(x86::k7, of_lanes(offsetof(SomeLanes, others) + p * 2, 2));
      a_.k(x86::k7).vmovdqa32(part(e, p), place(e, p));
    } else if (some) {
      a_.kmovb(x86::k7, of_lanes(offsetof(SomeLanes, others) + p, 1));
      a_.k(x86::k7).vmovdqa64(part(e, p), place(e, p));
    }
    a_.emit(move_, place(e, p), part(e, p));
  }
}
void RegisterCache::store_predicate(std::uint32_t slot, const x86::Gp& bits) {
  if (preserves(slot)) {
    a_.and_(bits, of_lanes(offsetof(SomeLanes, mask), 4));
    a_.mov(x86::ecx, of_lanes(offsetof(SomeLanes, others), 4));
    a_.and_(x86::ecx, in_frame(slot, 4));
    a_.or_(bits, x86::ecx);
  }
  a_.mov(in_frame(slot, 4), bits);
}
void RegisterCache::load(const Entry& e) {
  for (std::uint32_t p = 0; p < (e.uniform ? 1 : e.parts); ++p) a_.emit(move_, part(e, p), place(e, p));
}
void RegisterCache::store(const std::vector<Entry>& entries) {
  for (const Entry& e : entries) {
    if (e.dirty) store(e);
  }
}
void RegisterCache::load(const std::vector<Entry>& entries) {
  for (const Entry& e : entries) load(e);
}

std::uint8_t RegisterCache::take_register() {
  if (free_ == 0) {
    // Evict the slot that is read last, or never. Operands of this instruction may be evicted, too: to the
    // frame.
    std::size_t victim = entries_.size();
    std::uint64_t farthest = 0;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      if (entries_[k].fresh) continue;
      const std::uint64_t read = entries_[k].used == clock_ ? 0 : next_read(entries_[k].slot, at_);
      const std::uint64_t distance = read * 2 + (entries_[k].dirty ? 0 : 1);
      if (victim == entries_.size() || distance > farthest) {
        victim = k;
        farthest = distance;
      }
    }
    const Entry e = entries_.at(victim);
    if (e.dirty && !dead_from(at_, e.slot)) store(e);
    release(e);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(victim));
  }
  const auto number = static_cast<std::uint8_t>(std::countr_zero(free_));
  free_ &= free_ - 1;
  return number;
}

std::optional<RegisterCache::Entry> RegisterCache::use(std::uint32_t slot, std::uint32_t parts, bool raw) {
  for (Entry& e : entries_) {
    if (e.slot != slot) continue;
    if (e.parts != parts && !e.uniform) return std::nullopt;
    if (e.raw && !raw) {
      put_nans_right(e);
      e.raw = false;
    }
    e.used = clock_;
    return e;
  }
  Entry e;
  e.slot = slot;
  e.parts = parts;
  e.uniform = uniform(slot);
  e.used = clock_;
  for (std::uint32_t p = 0; p < (e.uniform ? 1 : parts); ++p) e.registers[p] = take_register();
  load(e);
  entries_.push_back(e);
  return e;
}

std::optional<RegisterCache::Entry> RegisterCache::use_if_it_pays(std::uint32_t slot, std::uint32_t parts,
                                                                  bool raw) {
  std::uint32_t in_registers = 0;
  for (const Entry& e : entries_) {
    if (e.slot == slot) return use(slot, parts, raw);
    if (e.used == clock_ && !e.uniform) ++in_registers;
  }
  const bool pays = parts <= kMaxParts && in_registers < 2 && next_read(slot, at_ + 1) != kNone;
  return uniform(slot) || pays ? use(slot, parts, raw) : absent(slot, parts);
}

RegisterCache::Entry RegisterCache::absent(std::uint32_t slot, std::uint32_t parts) {
  Entry e;
  e.slot = slot;
  e.parts = parts;
  e.absent = true;
  return e;
}

void RegisterCache::retire(std::uint32_t slot) {
  const auto held =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.slot == slot; });
  if (held == entries_.end()) return;
  retired_.push_back(*held);
  entries_.erase(held);
}

RegisterCache::Entry RegisterCache::define_in_frame(std::uint32_t slot, std::uint32_t parts) {
  retire(slot);
  return absent(slot, parts);
}

asmjit::Operand RegisterCache::operand(std::uint32_t slot, std::uint32_t p) const {
  for (const std::vector<Entry>* entries : {&retired_, &entries_}) {
    for (const Entry& e : *entries) {
      if (e.slot == slot && !e.fresh) return part(e, p);
    }
  }
  return in_frame(slot + p * bytes(width_), bytes(width_));
}

RegisterCache::Entry RegisterCache::define(std::uint32_t slot, std::uint32_t parts, bool raw) {
  retire(slot);
  Entry e;
  e.slot = slot;
  e.parts = parts;
  e.used = clock_;
  e.dirty = e.fresh = true;
  e.raw = raw;
  for (std::uint32_t p = 0; p < parts; ++p) e.registers[p] = take_register();
  entries_.push_back(e);
  return e;
}

std::optional<RegisterCache::Entry> RegisterCache::take_over(std::uint32_t from, std::uint32_t to,
                                                             std::uint32_t parts, bool raw) {
  const auto held =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.slot == from; });
  if (held == entries_.end() || held->uniform || held->parts != parts) return std::nullopt;
  if (from != to && !dead_from(at_ + 1, from)) return std::nullopt;
  part_twin(*held);
  Entry e = *held;
  entries_.erase(held);
  if (from != to) retire(to);
  e.slot = to;
  e.used = clock_;
  e.dirty = e.fresh = true;
  e.raw = raw;
  entries_.push_back(e);
  return e;
}

std::optional<RegisterCache::Entry> RegisterCache::find(std::uint32_t slot) {
  const auto held =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.slot == slot; });
  return held == entries_.end() ? std::nullopt : use(slot, held->parts);
}

void RegisterCache::set_twin(std::uint32_t slot) {
  for (Entry& e : entries_) {
    if (e.slot == slot) e.twin = true;
  }
}

void RegisterCache::part_twin(Entry& e) {
  if (!e.twin) return;
  for (std::uint32_t p = 1; p < e.parts; ++p) a_.emit(move_, vector(e.registers[p]), vector(e.registers[0]));
  e.twin = false;
}

void RegisterCache::part_twins() {
  for (Entry& e : entries_) {
    if (dead_from(at_ + 1, e.slot)) e.twin = false;
    part_twin(e);
  }
  for (Entry& e : retired_) e.twin = false;  // they are dead
}

std::vector<RegisterCache::Entry> RegisterCache::entries_before() const {
  std::vector<Entry> before = retired_;
  std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(before),
               [](const Entry& e) { return !e.fresh; });
  return before;
}

std::vector<RegisterCache::Entry> RegisterCache::wanted_after(std::uint32_t next) const {
  std::vector<Entry> wanted;
  std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(wanted),
               [&](const Entry& e) { return e.dirty && liveness_.wanted(next, e.slot); });
  return wanted;
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
