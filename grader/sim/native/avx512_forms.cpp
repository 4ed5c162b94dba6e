#ifdef CUDALABS_MACHINE_CODE
// AVX-512 forms: a slot takes two registers of 64 bytes, or four with 64-bit lanes.

#include "grader/sim/native/avx512_forms.h"

#include <algorithm>
#include <cstddef>

#include "grader/sim/native/native_code.h"

namespace cudalabs::sim {
namespace {

namespace x86 = asmjit::x86;
using Id = x86::Inst::Id;

constexpr std::uint32_t kAvx512Bytes = bytes(VectorWidth::Avx512);
constexpr std::uint32_t kNotEqual = 4;  ///< predicate of vpcmp for integers

constexpr std::uint32_t kAvx512Parts32 = parts_of(VectorWidth::Avx512, 32);
constexpr std::uint32_t kAvx512Parts64 = parts_of(VectorWidth::Avx512, 64);
constexpr std::uint32_t avx512_parts(bool eight_bytes) {
  return eight_bytes ? kAvx512Parts64 : kAvx512Parts32;
}

}  // namespace

bool Avx512Forms::same(const Inst& i, std::uint32_t parts, Id id, bool raw) {
  const auto x = cache_.use(i.a, parts, raw), y = cache_.use(i.b, parts, raw);
  if (!x || !y) return false;
  const auto d = cache_.define(i.d, parts, raw);
  for (std::uint32_t p = 0; p < parts; ++p)
    a_.emit(id, cache_.part(d, p), cache_.part(*x, p), cache_.part(*y, p));
  return true;
}

bool Avx512Forms::one(const Inst& i, std::uint32_t parts, Id id) {
  const auto x = cache_.use(i.a, parts);
  if (!x) return false;
  const auto d = cache_.define(i.d, parts);
  for (std::uint32_t p = 0; p < parts; ++p) a_.emit(id, cache_.part(d, p), cache_.part(*x, p));
  return true;
}

bool Avx512Forms::fused(const Inst& i, std::uint32_t parts, Id id) {
  const bool raw = parts == kAvx512Parts32;
  const auto a = cache_.use(i.a, parts, raw), b = cache_.use(i.b, parts, raw),
             z = cache_.use(i.c, parts, raw);
  if (!a || !b || !z) return false;
  // Only one factor may be in memory, and it must be the second one.
  if (is_left(i.a) && is_left(i.b)) load_left(*b);
  const bool first_left = is_left(i.a);
  const RegisterCache::Entry &x = first_left ? *b : *a, &y = first_left ? *a : *b;
  const auto take = [&] { std::erase_if(left_, [&](const Left& l) { return l.slot == y.slot; }); };
  // If the old sum is dead, the new one reuses its registers.
  if (i.c != i.a && i.c != i.b) {
    if (const auto d = cache_.take_over(i.c, i.d, parts, raw)) {
      for (std::uint32_t p = 0; p < parts; ++p)
        a_.emit(id, cache_.part(*d, p), cache_.part(x, p), left_or_held(y, p));
      take();
      return true;
    }
  }
  const auto d = cache_.define(i.d, parts, raw);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.vmovdqa64(cache_.part(d, p), cache_.part(*z, p));
    a_.emit(id, cache_.part(d, p), cache_.part(x, p), left_or_held(y, p));
  }
  take();
  return true;
}

bool Avx512Forms::product(const Inst& i, std::uint32_t parts, Id multiply, Id add) {
  const auto x = cache_.use(i.a, parts), y = cache_.use(i.b, parts), z = cache_.use(i.c, parts);
  if (!x || !y || !z) return false;
  const auto d = cache_.define(i.d, parts);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.emit(multiply, cache_.part(d, p), cache_.part(*x, p), cache_.part(*y, p));
    a_.emit(add, cache_.part(d, p), cache_.part(d, p), cache_.part(*z, p));
  }
  return true;
}

bool Avx512Forms::divide(const Inst& i, bool remainder, const asmjit::Label& unlike) {
  const auto x = cache_.use(i.a, kAvx512Parts32), y = cache_.use(i.b, kAvx512Parts32);
  if (!x || !y) return false;
  const auto d = cache_.define(i.d, kAvx512Parts32);
  const Vec all = x86::zmm31;
  a_.vmovd(x86::eax, Vec(cache_.part(*y, 0).id()).xmm());
  a_.vpbroadcastd(all, x86::eax);
  for (std::uint32_t p = 0; p < kAvx512Parts32; ++p)
    a_.vpcmpd(x86::KReg(1 + p), cache_.part(*y, p), all, kNotEqual);
  a_.kortestw(x86::k1, x86::k2);
  a_.jne(unlike);
  a_.lea(x86::ecx, x86::ptr(x86::rax, -1));
  a_.test(x86::eax, x86::eax);
  a_.je(unlike);
  a_.test(x86::eax, x86::ecx);
  a_.jne(unlike);
  if (remainder) {
    a_.vpbroadcastd(all, x86::ecx);
  } else {
    a_.tzcnt(x86::ecx, x86::eax);
    a_.vmovd(all.xmm(), x86::ecx);
  }
  for (std::uint32_t p = 0; p < kAvx512Parts32; ++p) {
    if (remainder)
      a_.vpandd(cache_.part(d, p), cache_.part(*x, p), all);
    else
      a_.vpsrld(cache_.part(d, p), cache_.part(*x, p), all.xmm());
  }
  return true;
}

void Avx512Forms::widened(const x86::Vec& to, std::uint32_t slot, std::uint32_t part, Id id) {
  const auto e = cache_.find(slot);
  if (!e) {
    a_.emit(id, to, in_frame(slot + part * 32, 32));
    return;
  }
  const Vec whole = Vec(cache_.part(*e, part / 2).id());
  if (part % 2 == 0 || e->uniform) {
    a_.emit(id, to, whole.ymm());
  } else {
    a_.vextracti64x4(to.ymm(), whole, 1);
    a_.emit(id, to, to.ymm());
  }
}

bool Avx512Forms::wide(const Inst& i, Id multiply, bool adds) {
  for (const std::uint32_t slot : {i.a, i.b}) {
    const auto e = cache_.find(slot);
    if (e && e->parts != 2 && !e->uniform) return false;
    if (!e && cache_.uniform(slot) && !cache_.use(slot, 2)) return false;
  }
  const auto z = adds ? cache_.use(i.c, 4) : std::nullopt;
  if (adds && !z) return false;
  const auto d = cache_.define(i.d, 4);
  for (std::uint32_t p = 0; p < 4; ++p) {
    const Vec x = x86::zmm30, y = x86::zmm31;
    widened(x, i.a, p, Id::kIdVpmovzxdq);
    widened(y, i.b, p, Id::kIdVpmovzxdq);
    a_.emit(multiply, cache_.part(d, p), x, y);
    if (adds) a_.vpaddq(cache_.part(d, p), cache_.part(d, p), cache_.part(*z, p));
  }
  return true;
}

bool Avx512Forms::extend(const Inst& i, Id id) {
  if (const auto e = cache_.find(i.a); e && e->parts != 2 && !e->uniform) return false;
  const auto d = cache_.define(i.d, 4);
  for (std::uint32_t p = 0; p < 4; ++p) widened(cache_.part(d, p), i.a, p, id);
  return true;
}

bool Avx512Forms::narrow(const Inst& i) {
  const auto x = cache_.use(i.a, 4);
  if (!x) return false;
  const auto d = cache_.define(i.d, 2);
  for (std::uint32_t p = 0; p < 2; ++p) {
    a_.vpmovqd(cache_.part(d, p).ymm(), cache_.part(*x, p * 2));
    a_.vpmovqd(x86::ymm30, cache_.part(*x, p * 2 + 1));
    a_.vinserti64x4(cache_.part(d, p), cache_.part(d, p), x86::ymm30, 1);
  }
  return true;
}

bool Avx512Forms::shift64(const Inst& i, Id id) {
  const auto x = cache_.use(i.a, 4), by = cache_.use(i.b, 2);
  if (!x || !by) return false;
  const auto d = cache_.define(i.d, 4);
  for (std::uint32_t p = 0; p < 4; ++p) {
    widened(x86::zmm30, i.b, p, Id::kIdVpmovzxdq);
    a_.emit(id, cache_.part(d, p), cache_.part(*x, p), x86::zmm30);
  }
  return true;
}

bool Avx512Forms::compare(const Inst& i, std::uint32_t parts, Id id, std::uint32_t code) {
  const auto x = cache_.use(i.a, parts), y = cache_.use(i.b, parts);
  if (!x || !y) return false;
  const auto mask = [](std::uint32_t p) { return x86::KReg(1 + p); };
  for (std::uint32_t p = 0; p < parts; ++p)
    a_.emit(id, mask(p), cache_.part(*x, p), cache_.part(*y, p), asmjit::Imm(code));
  if (parts == 2) {
    a_.kunpckwd(x86::k1, x86::k2, x86::k1);
  } else {
    a_.kunpckbw(x86::k1, x86::k2, x86::k1);
    a_.kunpckbw(x86::k3, x86::k4, x86::k3);
    a_.kunpckwd(x86::k1, x86::k3, x86::k1);
  }
  a_.kmovd(x86::eax, x86::k1);
  cache_.store_predicate(i.d, x86::eax);
  return true;
}

bool Avx512Forms::select(const Inst& i, std::uint32_t parts) {
  const auto x = cache_.use(i.a, parts), y = cache_.use(i.b, parts);
  if (!x || !y) return false;
  const auto d = cache_.define(i.d, parts);
  a_.kmovd(x86::k1, in_frame(i.c, 4));
  for (std::uint32_t p = 0; p < parts; ++p) {
    if (parts == 2)
      a_.k(x86::k1).vpblendmd(cache_.part(d, p), cache_.part(*y, p), cache_.part(*x, p));
    else
      a_.k(x86::k1).vpblendmq(cache_.part(d, p), cache_.part(*y, p), cache_.part(*x, p));
    if (p + 1 < parts) a_.kshiftrd(x86::k1, x86::k1, 32 / parts);
  }
  return true;
}

/// The instruction returns its second operand if either is a NaN, or if both are zeros: for a NaN the other
/// operand is required, and for zeros the one with the right sign.
bool Avx512Forms::extreme(const Inst& i, bool greatest) {
  const auto x = cache_.use(i.a, kAvx512Parts32, true), y = cache_.use(i.b, kAvx512Parts32, true);
  if (!x || !y) return false;
  const auto d = cache_.define(i.d, kAvx512Parts32, true);
  for (std::uint32_t p = 0; p < kAvx512Parts32; ++p) {
    const x86::Vec a = cache_.part(*x, p), b = cache_.part(*y, p), to = cache_.part(d, p);
    a_.emit(greatest ? Id::kIdVmaxps : Id::kIdVminps, to, a, b);
    a_.vcmpps(x86::k1, b, b, kUnordered);
    a_.k(x86::k1).vmovaps(to, a);
    a_.vcmpps(x86::k1, a, b, kOrderedEqual);
    a_.k(x86::k1).emit(greatest ? Id::kIdVandps : Id::kIdVorps, to, a, b);
  }
  return true;
}

bool Avx512Forms::lop3(const Inst& i) {
  const auto x = cache_.use(i.a, 2), y = cache_.use(i.b, 2), z = cache_.use(i.c, 2);
  if (!x || !y || !z) return false;
  const auto d = cache_.define(i.d, 2);
  for (std::uint32_t p = 0; p < 2; ++p) {
    a_.vmovdqa64(x86::zmm30, cache_.part(*x, p));
    a_.vpternlogd(x86::zmm30, cache_.part(*y, p), cache_.part(*z, p), i.imm & 0xFF);
    a_.vmovdqa64(cache_.part(d, p), x86::zmm30);
  }
  return true;
}

void Avx512Forms::broadcast(std::uint32_t slot, bool eight_bytes, const x86::Mem& from) {
  const auto d = cache_.define(slot, avx512_parts(eight_bytes));
  for (std::uint32_t p = 0; p < avx512_parts(eight_bytes); ++p) {
    if (p > 0)
      a_.vmovdqa64(cache_.part(d, p), cache_.part(d, 0));
    else if (eight_bytes)
      a_.vpbroadcastq(cache_.part(d, p), from);
    else
      a_.vpbroadcastd(cache_.part(d, p), from);
  }
}

std::optional<RegisterCache::Entry> Avx512Forms::source(std::uint32_t slot, bool eight_bytes) {
  return cache_.use(slot, avx512_parts(eight_bytes));
}

RegisterCache::Entry Avx512Forms::destination(std::uint32_t slot, const InPlace& access) {
  return cache_.define(slot, avx512_parts(access.eight_bytes));
}

void Avx512Forms::first_lane(const RegisterCache::Entry& address, bool wide) {
  if (wide)
    a_.vmovq(x86::rax, cache_.part(address, 0).xmm());
  else
    a_.vmovd(x86::eax, cache_.part(address, 0).xmm());
}

void Avx512Forms::compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                                    const asmjit::Label& unlike) {
  const std::size_t known = access.is_shared ? offsetof(Shape, narrow) : offsetof(Shape, wide);
  const x86::KReg differ = x86::k1;
  const Vec first = x86::zmm30, distance = x86::zmm31;
  if (wide)
    a_.vpbroadcastq(first, cache_.part(address, 0).xmm());
  else
    a_.vpbroadcastd(first, cache_.part(address, 0).xmm());
  for (std::uint32_t p = 0; p < avx512_parts(wide); ++p) {
    const bool halved = wide && access.is_shared;  // a wide register may address a narrow space
    const std::uint32_t size = halved ? kAvx512Bytes / 2 : kAvx512Bytes;
    const x86::Mem expected = in_shape(access.at, known + p * size, size);
    if (wide)
      a_.vpsubq(distance, cache_.part(address, p), first);
    else
      a_.vpsubd(distance, cache_.part(address, p), first);
    if (halved) {
      a_.vpmovqd(distance.ymm(), distance);
      a_.vpcmpd(differ, distance.ymm(), expected, kNotEqual);
    } else if (wide) {
      a_.vpcmpq(differ, distance, expected, kNotEqual);
    } else {
      a_.vpcmpd(differ, distance, expected, kNotEqual);
    }
    a_.kortestw(differ, differ);
    a_.jne(unlike);
  }
}

void Avx512Forms::compare_some_distances(const RegisterCache::Entry& address, bool wide,
                                         const asmjit::Label& unlike) {
  // The first active lane's address is read from the frame, because the lane number varies.
  if (address.dirty) cache_.store(std::vector<RegisterCache::Entry>{address});
  const x86::Mem first_lane(x86::rcx, 0, wide ? 8 : 4);
  const auto expected = [wide](std::uint32_t p) {
    const std::size_t distances = wide ? offsetof(PartialShape, distances) : offsetof(PartialShape, narrow);
    return x86::Mem(x86::rdx, static_cast<std::int32_t>(distances + p * kAvx512Bytes), kAvx512Bytes);
  };
  const auto differ = [](std::uint32_t p) { return x86::KReg(1 + p); };
  const Vec first = x86::zmm30, distance = x86::zmm31;
  a_.mov(x86::ecx, of_lanes(offsetof(SomeLanes, first), 4));
  a_.lea(x86::rcx, x86::ptr(fixed::frame, x86::rcx, wide ? 3 : 2, static_cast<std::int32_t>(address.slot)));
  if (wide) {
    a_.mov(x86::rax, first_lane);
    a_.vpbroadcastq(first, first_lane);
  } else {
    a_.mov(x86::eax, first_lane);
    a_.vpbroadcastd(first, first_lane);
  }
  for (std::uint32_t p = 0; p < avx512_parts(wide); ++p) {
    if (wide) {
      a_.kmovb(differ(p), of_lanes(offsetof(SomeLanes, mask) + p, 1));
      a_.vpsubq(distance, cache_.part(address, p), first);
      a_.k(differ(p)).vpcmpq(differ(p), distance, expected(p), kNotEqual);
    } else {
      a_.kmovw(differ(p), of_lanes(offsetof(SomeLanes, mask) + p * 2, 2));
      a_.vpsubd(distance, cache_.part(address, p), first);
      a_.k(differ(p)).vpcmpd(differ(p), distance, expected(p), kNotEqual);
    }
  }
  if (wide) {
    a_.korb(x86::k1, x86::k1, x86::k2);
    a_.korb(x86::k3, x86::k3, x86::k4);
    a_.kortestb(x86::k1, x86::k3);
  } else {
    a_.kortestw(x86::k1, x86::k2);
  }
  a_.jne(unlike);
}

void Avx512Forms::move_some(const RegisterCache::Entry& data, const InPlace& access) {
  a_.mov(x86::ecx, of_lanes(offsetof(SomeLanes, first), 4));
  a_.shl(x86::ecx, access.eight_bytes ? 3 : 2);
  a_.sub(x86::rax, x86::rcx);  // of lane 0, possibly outside the allocation
  const x86::KReg lanes = x86::k1;
  for (std::uint32_t p = 0; p < avx512_parts(access.eight_bytes); ++p) {
    const x86::Mem place = place_of(access, {}, p * kAvx512Bytes, kAvx512Bytes);
    const Vec part = Vec(cache_.part(data, p).id());
    if (access.eight_bytes)
      a_.kmovb(lanes, of_lanes(offsetof(SomeLanes, mask) + p, 1));
    else
      a_.kmovw(lanes, of_lanes(offsetof(SomeLanes, mask) + p * 2, 2));
    if (access.is_store && access.eight_bytes)
      a_.k(lanes).vmovdqu64(place, part);
    else if (access.is_store)
      a_.k(lanes).vmovdqu32(place, part);
    else if (access.eight_bytes)
      a_.k(lanes).z().vmovdqu64(part, place);
    else
      a_.k(lanes).z().vmovdqu32(part, place);
  }
}

void Avx512Forms::move_some_scattered(const RegisterCache::Entry& data, const InPlace& access) {
  a_.add(x86::rax, access.is_shared ? fixed::shared : fixed::global);
  for (std::uint32_t p = 0; p < avx512_parts(access.eight_bytes); ++p)
    move_scattered(Vec(cache_.part(data, p).id()), p, access, true);
}

void Avx512Forms::leave(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) {
  if (access.pattern == Shape::Pattern::Consecutive)
    left_.push_back({data.slot, access, lane});
  else
    move(data, access, lane);
}

void Avx512Forms::load_left(const RegisterCache::Entry& data) {
  const auto left =
      std::find_if(left_.begin(), left_.end(), [&](const Left& l) { return l.slot == data.slot; });
  move(data, left->access, left->lane);
  left_.erase(left);
}

/// The registers reserved for it may hold another slot by now.
void Avx512Forms::fetch() {
  for (const Left& l : left_) {
    for (std::uint32_t p = 0; p < avx512_parts(l.access.eight_bytes); ++p) {
      a_.vmovdqu64(x86::zmm30, place_of(l.access, l.lane, p * kAvx512Bytes, kAvx512Bytes));
      a_.vmovdqa64(in_frame(l.slot + p * kAvx512Bytes, kAvx512Bytes), x86::zmm30);
    }
  }
  left_.clear();
}

bool Avx512Forms::is_left(std::uint32_t slot) const {
  return std::any_of(left_.begin(), left_.end(), [slot](const Left& l) { return l.slot == slot; });
}

asmjit::Operand Avx512Forms::left_or_held(const RegisterCache::Entry& e, std::uint32_t p) const {
  for (const Left& l : left_) {
    if (l.slot == e.slot) return place_of(l.access, l.lane, p * kAvx512Bytes, kAvx512Bytes);
  }
  return cache_.part(e, p);
}

void Avx512Forms::move(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) {
  const auto at = [&](std::uint32_t byte, std::uint32_t size) { return place_of(access, lane, byte, size); };
  if (access.pattern == Shape::Pattern::Scattered) a_.lea(x86::rax, at(0, 8));
  for (std::uint32_t p = 0; p < avx512_parts(access.eight_bytes); ++p) {
    const Vec part = Vec(cache_.part(data, p).id());
    const x86::Mem place = at(p * kAvx512Bytes, kAvx512Bytes);
    if (access.pattern == Shape::Pattern::Scattered)
      move_scattered(part, p, access, false);
    else if (access.is_store)
      a_.vmovdqu64(place, part);
    else if (access.pattern != Shape::Pattern::Broadcast)
      a_.vmovdqu64(part, place);
    else if (p > 0 && lane.sure)
      cache_.set_twin(data.slot);
    else if (p > 0)
      a_.vmovdqa64(part, cache_.part(data, 0));
    else if (access.eight_bytes)
      a_.vpbroadcastq(part, at(0, 8));
    else
      a_.vpbroadcastd(part, at(0, 4));
  }
}

/// Moves part `p` of a register from or to the lanes' addresses relative to rax, by the shape of the access,
/// or for `some` lanes by the PartialShape in rdx. If several lanes store to one place, the last one's value
/// remains, as with sequential stores.
void Avx512Forms::move_scattered(const Vec& data, std::uint32_t p, const InPlace& access, bool some) {
  const x86::KReg all = x86::k1;
  const Vec distances = x86::zmm31, upper = x86::zmm30;
  const bool is_store = access.is_store;
  const auto take = [&](const auto& lanes, std::uint32_t byte) {
    if (some) {
      const std::size_t distances =
          access.is_shared ? offsetof(PartialShape, narrow) : offsetof(PartialShape, distances);
      a_.vmovdqu64(lanes, x86::Mem(x86::rdx, static_cast<std::int32_t>(distances + byte), 0));
      // Eight lanes, or sixteen; bits beyond eight are ignored.
      const std::uint32_t lane = byte / (access.is_shared ? 4 : 8);
      a_.kmovw(all, of_lanes(offsetof(SomeLanes, mask) + lane / 8, 2));
      return;
    }
    const std::size_t member = access.is_shared ? offsetof(Shape, narrow) : offsetof(Shape, wide);
    a_.vmovdqu64(lanes, in_shape(access.at, member + byte, 0));
    a_.kxnorw(all, all, all);
  };
  const x86::Mem sixteen = x86::ptr(x86::rax, distances), eight = x86::ptr(x86::rax, distances.ymm());
  if (access.is_shared && !access.eight_bytes) {
    take(distances, p * kAvx512Bytes);
    if (is_store)
      a_.k(all).vpscatterdd(sixteen, data);
    else
      a_.k(all).vpgatherdd(data, sixteen);
  } else if (access.is_shared) {
    take(distances.ymm(), p * kAvx512Bytes / 2);
    if (is_store)
      a_.k(all).vpscatterdq(eight, data);
    else
      a_.k(all).vpgatherdq(data, eight);
  } else if (access.eight_bytes) {
    take(distances, p * kAvx512Bytes);
    if (is_store)
      a_.k(all).vpscatterqq(sixteen, data);
    else
      a_.k(all).vpgatherqq(data, sixteen);
  } else {
    for (std::uint32_t half = 0; half < 2; ++half) {
      take(distances, (2 * p + half) * kAvx512Bytes);
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

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
