#ifdef CUDALABS_MACHINE_CODE
#include "grader/sim/native/avx2_forms.h"

#include <array>
#include <cstddef>

namespace cudalabs::sim {
namespace {

namespace x86 = asmjit::x86;
using Id = x86::Inst::Id;

constexpr std::uint32_t kAvx2Bytes = bytes(VectorWidth::Avx2);

constexpr std::uint32_t kAvx2Parts32 = parts_of(VectorWidth::Avx2, 32);
constexpr std::uint32_t kAvx2Parts64 = parts_of(VectorWidth::Avx2, 64);
constexpr std::uint32_t avx2_parts(bool eight_bytes) { return eight_bytes ? kAvx2Parts64 : kAvx2Parts32; }

/// The bit of each lane.
alignas(32) constexpr std::array<std::uint32_t, kLanes> kLaneBits = [] {
  std::array<std::uint32_t, kLanes> bits{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) bits[lane] = 1u << lane;
  return bits;
}();

/// Scratch registers, which hold no slot (RegisterCache::registers()).
const x86::Ymm spare0 = x86::ymm12, spare1 = x86::ymm13, spare2 = x86::ymm14, spare3 = x86::ymm15;

}  // namespace

bool Avx2Forms::can_read(std::initializer_list<std::uint32_t> slots, std::uint32_t parts, bool raw) {
  for (const std::uint32_t slot : slots) {
    if (!cache_.use_if_it_pays(slot, parts, raw)) return false;
  }
  return true;
}

RegisterCache::Entry Avx2Forms::result(std::uint32_t slot, std::uint32_t parts, bool raw) {
  return parts == kAvx2Parts64 ? cache_.define_in_frame(slot, parts) : cache_.define(slot, parts, raw);
}

Avx2Forms::Vec Avx2Forms::made_in(const RegisterCache::Entry& result, std::uint32_t p) const {
  return result.absent ? Vec(spare0) : cache_.part(result, p);
}

void Avx2Forms::put(const RegisterCache::Entry& result, std::uint32_t p) {
  if (result.absent) a_.vmovdqa(in_frame(result.slot + p * kAvx2Bytes, kAvx2Bytes), spare0);
}

Avx2Forms::Vec Avx2Forms::in_register(std::uint32_t slot, std::uint32_t p, const Vec& spare) {
  const asmjit::Operand place = cache_.operand(slot, p);
  if (place.isReg()) return place.as<x86::Vec>();
  a_.emit(Id::kIdVmovdqa, spare, place);
  return spare;
}

bool Avx2Forms::same(const Inst& i, std::uint32_t parts, Id id, bool raw) {
  if (!can_read({i.a, i.b}, parts, raw)) return false;
  const auto d = result(i.d, parts, raw);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.emit(id, made_in(d, p), in_register(i.a, p, spare1), cache_.operand(i.b, p));
    put(d, p);
  }
  return true;
}

bool Avx2Forms::one(const Inst& i, std::uint32_t parts, Id id) {
  if (!can_read({i.a}, parts)) return false;
  const auto d = result(i.d, parts);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.emit(id, made_in(d, p), cache_.operand(i.a, p));
    put(d, p);
  }
  return true;
}

bool Avx2Forms::fused(const Inst& i, std::uint32_t parts, Id id) {
  const bool raw = parts == kAvx2Parts32;
  if (!can_read({i.c, i.a, i.b}, parts, raw)) return false;
  // If the old sum is dead, the new one reuses its registers.
  if (raw && i.c != i.a && i.c != i.b) {
    if (const auto d = cache_.take_over(i.c, i.d, parts, raw)) {
      for (std::uint32_t p = 0; p < parts; ++p)
        a_.emit(id, cache_.part(*d, p), in_register(i.a, p, spare1), cache_.operand(i.b, p));
      return true;
    }
  }
  const auto d = result(i.d, parts, raw);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.emit(Id::kIdVmovdqa, made_in(d, p), cache_.operand(i.c, p));
    a_.emit(id, made_in(d, p), in_register(i.a, p, spare1), cache_.operand(i.b, p));
    put(d, p);
  }
  return true;
}

bool Avx2Forms::product(const Inst& i, std::uint32_t parts, Id multiply, Id add) {
  if (!can_read({i.a, i.b, i.c}, parts)) return false;
  const auto d = result(i.d, parts);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.emit(multiply, made_in(d, p), in_register(i.a, p, spare1), cache_.operand(i.b, p));
    a_.emit(add, made_in(d, p), made_in(d, p), cache_.operand(i.c, p));
    put(d, p);
  }
  return true;
}

void Avx2Forms::widened(const Vec& to, std::uint32_t slot, std::uint32_t p, Id id) {
  const asmjit::Operand place = cache_.operand(slot, p / 2);
  if (!place.isReg()) {
    a_.emit(id, to, in_frame(slot + p * kAvx2Bytes / 2, kAvx2Bytes / 2));
  } else if (p % 2 == 0) {
    a_.emit(id, to, place.as<x86::Vec>().xmm());
  } else {
    a_.vextracti128(to.xmm(), place.as<x86::Vec>(), 1);
    a_.emit(id, to, to.xmm());
  }
}

bool Avx2Forms::wide(const Inst& i, Id multiply, bool adds) {
  if (!can_read({i.a, i.b}, kAvx2Parts32) || (adds && !can_read({i.c}, kAvx2Parts64))) return false;
  const auto d = result(i.d, kAvx2Parts64);
  for (std::uint32_t p = 0; p < kAvx2Parts64; ++p) {
    widened(spare0, i.a, p, Id::kIdVpmovzxdq);
    widened(spare1, i.b, p, Id::kIdVpmovzxdq);
    a_.emit(multiply, spare0, spare0, spare1);
    if (adds) a_.emit(Id::kIdVpaddq, spare0, spare0, cache_.operand(i.c, p));
    put(d, p);
  }
  return true;
}

bool Avx2Forms::extend(const Inst& i, Id id) {
  if (!can_read({i.a}, kAvx2Parts32)) return false;
  const auto d = result(i.d, kAvx2Parts64);
  for (std::uint32_t p = 0; p < kAvx2Parts64; ++p) {
    widened(spare0, i.a, p, id);
    put(d, p);
  }
  return true;
}

bool Avx2Forms::narrow(const Inst& i) {
  constexpr std::uint32_t kLowWords = 0x88, kInOrder = 0xD8;  // of two registers; of the resulting quarters
  if (!can_read({i.a}, kAvx2Parts64)) return false;
  const auto d = result(i.d, kAvx2Parts32);
  for (std::uint32_t p = 0; p < kAvx2Parts32; ++p) {
    const Vec to = cache_.part(d, p);
    a_.emit(Id::kIdVshufps, to, in_register(i.a, 2 * p, spare0), cache_.operand(i.a, 2 * p + 1),
            asmjit::Imm(kLowWords));
    a_.vpermq(to, to, kInOrder);
  }
  return true;
}

bool Avx2Forms::shift64(const Inst& i, Id id) {
  if (!can_read({i.a}, kAvx2Parts64) || !can_read({i.b}, kAvx2Parts32)) return false;
  const auto d = result(i.d, kAvx2Parts64);
  for (std::uint32_t p = 0; p < kAvx2Parts64; ++p) {
    widened(spare2, i.b, p, Id::kIdVpmovzxdq);
    a_.emit(id, spare0, in_register(i.a, p, spare1), spare2);
    put(d, p);
  }
  return true;
}

/// Computes a predicate: a word with a bit for each lane. The sign bits of the comparison are collected in
/// eax.
bool Avx2Forms::compare(const Inst& i, std::uint32_t parts, Id id, std::uint32_t code) {
  if (!can_read({i.a, i.b}, parts)) return false;
  const bool floats = id == Id::kIdVcmpps || id == Id::kIdVcmppd;
  const bool is_unsigned = id == Id::kIdVpcmpud || id == Id::kIdVpcmpuq, is_wide = parts == kAvx2Parts64;
  // Codes 0 to 6 of vpcmp: equal, less, less or equal, -, not equal, not less, greater.
  const bool equality = code % 4 == 0, negated = code == 2 || code == 4 || code == 5;
  const bool swapped = code == 1 || code == 5;  // AVX2 only has "greater"
  if (!floats && !equality && is_unsigned) {    // compares as signed numbers, with inverted highest bits
    a_.vpcmpeqd(spare3, spare3, spare3);
    if (is_wide)
      a_.vpsllq(spare3, spare3, 63);
    else
      a_.vpslld(spare3, spare3, 31);
  }
  for (std::uint32_t p = 0; p < parts; ++p) {
    if (floats) {
      a_.emit(id, spare0, in_register(i.a, p, spare1), cache_.operand(i.b, p), asmjit::Imm(code));
    } else if (equality) {
      a_.emit(is_wide ? Id::kIdVpcmpeqq : Id::kIdVpcmpeqd, spare0, in_register(i.a, p, spare1),
              cache_.operand(i.b, p));
    } else {
      const std::uint32_t more = swapped ? i.b : i.a, less = swapped ? i.a : i.b;
      Vec x = in_register(more, p, spare1);
      asmjit::Operand y = cache_.operand(less, p);
      if (is_unsigned) {
        a_.vpxor(spare1, spare3, x);
        a_.emit(Id::kIdVpxor, spare2, spare3, y);
        x = spare1;
        y = spare2;
      }
      a_.emit(is_wide ? Id::kIdVpcmpgtq : Id::kIdVpcmpgtd, spare0, x, y);
    }
    const x86::Gp bits = p == 0 ? x86::eax : x86::ecx;
    if (is_wide)
      a_.vmovmskpd(bits, spare0);
    else
      a_.vmovmskps(bits, spare0);
    if (p == 0) continue;
    a_.shl(x86::ecx, p * kLanes / parts);
    a_.or_(x86::eax, x86::ecx);
  }
  if (!floats && negated) a_.not_(x86::eax);
  cache_.store_predicate(i.d, x86::eax);
  return true;
}

bool Avx2Forms::select(const Inst& i, std::uint32_t parts) {
  if (!can_read({i.a, i.b}, parts)) return false;
  const auto d = result(i.d, parts);
  const bool is_wide = parts == kAvx2Parts64;
  a_.vpbroadcastd(spare2, in_frame(i.c, 4));
  a_.mov(x86::rcx, reinterpret_cast<std::uint64_t>(kLaneBits.data()));
  for (std::uint32_t p = 0; p < parts; ++p) {
    // Which of these lanes have their bits set?
    if (is_wide) {
      a_.vpmovzxdq(spare3, x86::xmmword_ptr(x86::rcx, static_cast<std::int32_t>(p * kAvx2Bytes / 2)));
      a_.vpand(spare1, spare3, spare2);
      a_.vpcmpeqq(spare3, spare3, spare1);
    } else {
      a_.vmovdqa(spare3, x86::ymmword_ptr(x86::rcx, static_cast<std::int32_t>(p * kAvx2Bytes)));
      a_.vpand(spare1, spare3, spare2);
      a_.vpcmpeqd(spare3, spare3, spare1);
    }
    a_.emit(Id::kIdVpblendvb, made_in(d, p), in_register(i.b, p, spare1), cache_.operand(i.a, p), spare3);
    put(d, p);
  }
  return true;
}

/// See Avx512Forms::extreme().
bool Avx2Forms::extreme(const Inst& i, bool greatest) {
  if (!can_read({i.a, i.b}, kAvx2Parts32, true)) return false;
  const auto d = result(i.d, kAvx2Parts32, true);
  for (std::uint32_t p = 0; p < kAvx2Parts32; ++p) {
    const Vec a = in_register(i.a, p, spare1), b = in_register(i.b, p, spare2);
    a_.emit(greatest ? Id::kIdVmaxps : Id::kIdVminps, spare0, a, b);
    a_.vcmpps(spare3, b, b, kUnordered);
    a_.vblendvps(spare0, spare0, a, spare3);
    a_.vcmpps(spare3, a, b, kOrderedEqual);
    a_.emit(greatest ? Id::kIdVandps : Id::kIdVorps, spare1, a, b);
    a_.vblendvps(cache_.part(d, p), spare0, spare1, spare3);
  }
  return true;
}

void Avx2Forms::broadcast(std::uint32_t slot, bool eight_bytes, const x86::Mem& from) {
  const std::uint32_t parts = avx2_parts(eight_bytes);
  const auto d = result(slot, parts);
  if (eight_bytes)
    a_.vpbroadcastq(made_in(d, 0), from);
  else
    a_.vpbroadcastd(made_in(d, 0), from);
  for (std::uint32_t p = 0; p < parts; ++p) {
    if (p > 0 && !eight_bytes) a_.vmovdqa(cache_.part(d, p), cache_.part(d, 0));
    put(d, p);
  }
}

std::optional<RegisterCache::Entry> Avx2Forms::source(std::uint32_t slot, bool eight_bytes) {
  return cache_.use_if_it_pays(slot, avx2_parts(eight_bytes));
}

RegisterCache::Entry Avx2Forms::destination(std::uint32_t slot, const InPlace& access) {
  if (access.pattern == Shape::Pattern::Scattered)
    return cache_.define_in_frame(slot, avx2_parts(access.eight_bytes));
  return result(slot, avx2_parts(access.eight_bytes));
}

void Avx2Forms::first_lane(const RegisterCache::Entry& address, bool wide) {
  const x86::Gp to = wide ? x86::Gp(x86::rax) : x86::Gp(x86::eax);
  if (address.absent)
    a_.mov(to, in_frame(address.slot, wide ? 8 : 4));
  else if (wide)
    a_.vmovq(to, cache_.part(address, 0).xmm());
  else
    a_.vmovd(to, cache_.part(address, 0).xmm());
}

void Avx2Forms::compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                                  const asmjit::Label& unlike) {
  const Vec first = spare0, differ = spare1, distance = spare2;
  const auto part = [&](std::uint32_t p) -> asmjit::Operand {
    if (address.absent) return in_frame(address.slot + p * kAvx2Bytes, kAvx2Bytes);
    return cache_.part(address, p);
  };
  const asmjit::Operand lane0 =
      address.absent ? asmjit::Operand(in_frame(address.slot, wide ? 8 : 4)) : cache_.part(address, 0).xmm();
  a_.emit(wide ? Id::kIdVpbroadcastq : Id::kIdVpbroadcastd, first, lane0);
  const bool halved = wide && access.is_shared;  // a wide register may address a narrow space
  const std::size_t known = access.is_shared ? offsetof(Shape, narrow) : offsetof(Shape, wide);
  // lane 0 - lane = -distance; adding the expected distance gives 0.
  for (std::uint32_t p = 0; p < avx2_parts(wide); ++p) {
    const Vec to = p == 0 ? differ : distance;
    a_.emit(wide ? Id::kIdVpsubq : Id::kIdVpsubd, to, first, part(p));
    if (halved) {
      a_.vpmovzxdq(spare3, in_shape(access.at, known + p * kAvx2Bytes / 2, kAvx2Bytes / 2));
      a_.vpaddd(to, to, spare3);  // in the low words; the high ones are unused
      a_.vpsllq(to, to, 32);
    } else if (wide) {
      a_.vpaddq(to, to, in_shape(access.at, known + p * kAvx2Bytes, kAvx2Bytes));
    } else {
      a_.vpaddd(to, to, in_shape(access.at, known + p * kAvx2Bytes, kAvx2Bytes));
    }
    if (p > 0) a_.vpor(differ, differ, distance);
  }
  a_.vptest(differ, differ);
  a_.jne(unlike);
}

void Avx2Forms::move(const RegisterCache::Entry& data, const InPlace& access, const LaneZero& lane) {
  const std::uint32_t parts = avx2_parts(access.eight_bytes), element = access.eight_bytes ? 8 : 4;
  const auto at = [&](std::uint32_t byte, std::uint32_t size) { return place_of(access, lane, byte, size); };
  const auto place = [&](std::uint32_t p) { return at(p * kAvx2Bytes, kAvx2Bytes); };
  const auto own = [&](std::uint32_t p) { return in_frame(data.slot + p * kAvx2Bytes, kAvx2Bytes); };
  if (access.pattern == Shape::Pattern::Broadcast) {
    if (access.eight_bytes)
      a_.vpbroadcastq(made_in(data, 0), at(0, 8));
    else
      a_.vpbroadcastd(made_in(data, 0), at(0, 4));
    for (std::uint32_t p = 0; p < parts; ++p) {
      if (data.absent)
        put(data, p);
      else if (p > 0)
        a_.vmovdqa(cache_.part(data, p), cache_.part(data, 0));
    }
  } else if (access.pattern == Shape::Pattern::Consecutive) {
    for (std::uint32_t p = 0; p < parts; ++p) {
      if (access.is_store) {
        if (data.absent) a_.vmovdqa(spare0, own(p));
        a_.vmovdqu(place(p), made_in(data, p));
      } else {
        a_.vmovdqu(made_in(data, p), place(p));
        put(data, p);
      }
    }
  } else {
    // Moves lane by lane between the frame and the addresses of the shape. A loaded result has no registers.
    for (std::uint32_t p = 0; p < parts && !data.absent; ++p) a_.vmovdqa(own(p), cache_.part(data, p));
    a_.lea(x86::rax, at(0, 8));
    const x86::Gp value = access.eight_bytes ? x86::Gp(x86::rdx) : x86::Gp(x86::edx);
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      if (access.is_shared)
        a_.movsxd(x86::rcx, in_shape(access.at, offsetof(Shape, narrow) + l * 4, 4));
      else
        a_.mov(x86::rcx, in_shape(access.at, offsetof(Shape, wide) + l * 8, 8));
      const x86::Mem there = x86::Mem(x86::rax, x86::rcx, 0, 0, element);
      const x86::Mem here = in_frame(data.slot + l * element, element);
      a_.mov(value, access.is_store ? here : there);
      a_.mov(access.is_store ? there : here, value);
    }
  }
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
