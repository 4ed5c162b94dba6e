#include "tests/sim/native/random_program.h"

#include <array>
#include <random>
#include <vector>

namespace cudalabs::test {
namespace {

constexpr int kOfAKind = 8;  // registers: %r 32 bits, %d 64 bits, %f float, %e double, %p predicates

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    text_ =
        ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"random.cu\"\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        "  .reg .b32 %r<22>;\n  .reg .b64 %d<16>;\n  .reg .f32 %f<8>;\n  .reg .f64 %e<8>;\n  .reg .pred "
        "%p<8>;\n"
        "  .shared .align 16 .b8 tile[4096];\n";
    // %d8 in, %d9 what all may write, %d10 this thread's words, %r8 thread, %r9 and above
    // for addresses and loops.
    line("ld.param.u64 %d8, [in]");
    line("ld.param.u64 %d9, [out]");
    line("mov.u32 %r8, %tid.x");
    line("mov.u32 %r9, %ctaid.x");
    line("mad.lo.u32 %r10, %r9, " + std::to_string(kThreads) + ", %r8");
    line("mad.wide.u32 %d10, %r10, " + std::to_string(kThreadWords * 4) + ", %d9");
    line("add.s64 %d9, %d9, " + std::to_string(kThreads * kBlocks * kThreadWords * 4));
    for (int i = 0; i < kOfAKind; ++i) {
      const std::string n = std::to_string(i);
      line("mad.lo.u32 %r" + n + ", %r10, " + std::to_string(7 + 13 * i) + ", " +
           std::to_string(random_() % 1000));
      line("mul.wide.u32 %d" + n + ", %r" + n + ", " + std::to_string(random_() & 0x7FFFFFFF));
      line("cvt.rn.f32.s32 %f" + n + ", %r" + n);
      line("cvt.f64.f32 %e" + n + ", %f" + n);
      line("setp.lt.u32 %p" + n + ", %r8, " + std::to_string(random_() % kThreads));
    }
    line("shl.b32 %r11, %r8, 5");
    line("mov.u32 %r12, tile");
    line("add.u32 %r11, %r11, %r12");
    for (int i = 0; i < 8; ++i)
      line("st.shared.u32 [%r11+" + std::to_string(i * 4) + "], %r" + std::to_string(i));
    line("bar.sync 0");
    const int loops = 1 + pick(3);
    for (int i = 0; i < loops; ++i) {
      loop();
      if (pick(4) != 0) continue;  // else some threads, or all of some warps, end here
      line("setp.ge.u32 %p7, %r8, " + std::to_string(pick(2) == 0 ? 32 * pick(4) : pick(kThreads)));
      line("@%p7 bra END");
    }
    for (int i = 0; i < kOfAKind; ++i) {
      const std::string n = std::to_string(i);
      line("st.global.u32 [%d10+" + std::to_string(4 * i) + "], %r" + n);
      line("st.global.u64 [%d10+" + std::to_string(64 + 8 * i) + "], %d" + n);
      line("st.global.f32 [%d10+" + std::to_string(32 + 4 * i) + "], %f" + n);
      line("st.global.f64 [%d10+" + std::to_string(128 + 8 * i) + "], %e" + n);
      line("selp.u32 %r12, 1, 0, %p" + n);
      line("st.global.u32 [%d10+" + std::to_string(192 + 4 * i) + "], %r12");
    }
    text_ += "END:\n";
    line("ret");
    return text_ + "}\n";
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(below)); }
  template <std::size_t N>
  std::string any(const std::array<const char*, N>& of) {
    return of[static_cast<std::size_t>(pick(N))];
  }
  void line(const std::string& words) {
    text_ += "  .loc 1 " + std::to_string(++lines_) + " 0\n  " + words + ";\n";
  }
  std::string r() { return "%r" + std::to_string(pick(kOfAKind)); }
  std::string d() { return "%d" + std::to_string(pick(kOfAKind)); }
  std::string f() { return "%f" + std::to_string(pick(kOfAKind)); }
  std::string e() { return "%e" + std::to_string(pick(kOfAKind)); }
  std::string p() { return "%p" + std::to_string(pick(kOfAKind)); }
  std::string r_or_number() {
    return pick(4) == 0 ? std::to_string(pick(3) == 0 ? pick(40) : pick(1 << 30)) : r();
  }

  void loop() {
    const std::string label = "L" + std::to_string(labels_++);
    counter_ = "%r" + std::to_string(13 + pick(2));
    line("mov.u32 " + counter_ + ", 0");
    text_ += label + ":\n";
    const int count = 4 + pick(30);
    for (int i = 0; i < count; ++i) instruction(true);
    if (pick(3) == 0) line("bar.sync 0");
    line("add.u32 " + counter_ + ", " + counter_ + ", 1");
    line("setp.lt.u32 %p7, " + counter_ + ", " + std::to_string(2 + pick(12)));
    line("@%p7 bra " + label);
  }

  void instruction(bool may_divide) {
    switch (pick(may_divide ? 24 : 20)) {
      case 0:
        return line(any<6>({"add.u32", "sub.u32", "mul.lo.u32", "min.s32", "max.u32", "xor.b32"}) + " " +
                    r() + ", " + r() + ", " + r_or_number());
      case 1:
        return line(any<6>({"and.b32", "or.b32", "shl.b32", "shr.u32", "shr.s32", "mul.hi.u32"}) + " " + r() +
                    ", " + r() + ", " + r_or_number());
      case 2: return line("mad.lo.s32 " + r() + ", " + r() + ", " + r() + ", " + r_or_number());
      case 3:
        return line(any<6>({"add.s64", "sub.s64", "mul.lo.s64", "and.b64", "min.s64", "max.u64"}) + " " +
                    d() + ", " + d() + ", " + d());
      case 4:
        return line(any<3>({"shl.b64", "shr.u64", "shr.s64"}) + " " + d() + ", " + d() + ", " +
                    r_or_number());
      case 5:
        return line(any<2>({"mul.wide.s32", "mul.wide.u32"}) + " " + d() + ", " + r() + ", " + r_or_number());
      case 6:
        return line(any<2>({"mad.wide.s32", "mad.wide.u32"}) + " " + d() + ", " + r() + ", " + r() + ", " +
                    d());
      case 7:
        return line(any<4>({"add.rn.f32", "sub.rn.f32", "mul.rn.f32", "div.rn.f32"}) + " " + f() + ", " +
                    f() + ", " + f());
      case 8: return line("fma.rn.f32 " + f() + ", " + f() + ", " + f() + ", " + f());
      case 9:
        return line(any<4>({"add.rn.f64", "sub.rn.f64", "mul.rn.f64", "div.rn.f64"}) + " " + e() + ", " +
                    e() + ", " + e());
      case 10: return line("fma.rn.f64 " + e() + ", " + e() + ", " + e() + ", " + e());
      case 11:
        return line("setp." + any<6>({"lt.u32", "ge.s32", "eq.u32", "ne.s32", "gt.u32", "le.s32"}) + " " +
                    p() + ", " + r() + ", " + r_or_number());
      case 12:
        return line("setp." + any<6>({"lt.f32", "geu.f32", "equ.f32", "ne.f32", "num.f32", "nan.f32"}) + " " +
                    p() + ", " + f() + ", " + f());
      case 13:
        return line(pick(2) == 0 ? "selp.b32 " + r() + ", " + r() + ", " + r() + ", " + p()
                                 : "selp.b64 " + d() + ", " + d() + ", " + d() + ", " + p());
      case 14:
        switch (pick(6)) {
          case 0: return line("cvt.u32.u64 " + r() + ", " + d());
          case 1: return line("cvt.s64.s32 " + d() + ", " + r());
          case 2: return line("cvt.rn.f32.s32 " + f() + ", " + r());
          case 3: return line("cvt.rzi.s32.f32 " + r() + ", " + f());
          case 4:
            return line("setp." + any<6>({"lt.s64", "ge.u64", "eq.u64", "ne.s64", "gt.u64", "le.s64"}) + " " +
                        p() + ", " + d() + ", " + d());
          default:
            return line("setp." + any<4>({"gtu.f64", "lt.f64", "ne.f64", "nan.f64"}) + " " + p() + ", " +
                        e() + ", " + e());
        }
      case 15:
        return line("lop3.b32 " + r() + ", " + r() + ", " + r() + ", " + r() + ", " +
                    std::to_string(pick(256)));
      case 16: return line(any<3>({"mov.b32 ", "neg.s32 ", "abs.s32 "}) + r() + ", " + r());
      case 17: return shared_access();
      case 18: return global_access();
      case 19:
        return line(pick(3) == 0 ? "shfl.sync.down.b32 " + r() + ", " + r() + ", " +
                                       std::to_string(pick(32)) + ", 31, -1"
                    : pick(2) == 0 ? "and.pred " + p() + ", " + p() + ", " + p()
                                   : any<2>({"min.f32 ", "max.f32 "}) + f() + ", " + f() + ", " + f());
      case 20: {
        divided(0);
        return;
      }
      case 21:
      case 22: return loop_apart(0);
      default: return line("@" + p() + " add.u32 " + r() + ", " + r() + ", 3");
    }
  }
  /// What some lanes do, and what others do instead now and then; and some of those again.
  void divided(int depth) {
    const std::string other = "D" + std::to_string(labels_++), end = "E" + std::to_string(labels_++);
    const auto side = [&] {
      const int count = 1 + pick(5);
      for (int i = 0; i < count; ++i) {
        if (depth < 2 && pick(12) == 0)
          divided(depth + 1);
        else if (depth < 2 && pick(8) == 0)
          loop_apart(depth + 1);
        else if (pick(4) == 0)
          access();
        else
          unshuffled();
      }
    };
    const std::string before = "C" + std::to_string(labels_++);
    const bool crosses = pick(6) == 0;  // some come into the side from before the branch
    if (crosses) {
      line("@" + p() + " bra " + before);
      side();
    }
    line("@" + std::string(pick(2) == 0 ? "!" : "") + p() + " bra " + other);
    side();
    if (crosses) {
      text_ += before + ":\n";
      side();
    }
    if (pick(4) == 0) {
      line("bra " + end);
      text_ += other + ":\n";
      side();
    } else {
      text_ += other + ":\n";
    }
    text_ += end + ":\n";
  }
  /// A loop of which each lane runs as many turns as it likes, or all the same; some may leave for good.
  void loop_apart(int depth) {
    const std::string label = "A" + std::to_string(labels_++), after = "B" + std::to_string(labels_++);
    const std::string turn = "%r" + std::to_string(16 + depth), turns = "%r" + std::to_string(19 + depth);
    line("and.b32 " + turns + ", " + (pick(3) == 0 ? std::to_string(pick(40)) : r()) + ", 7");
    line("mov.u32 " + turn + ", 0");
    text_ += label + ":\n";
    const int count = 1 + pick(6);
    for (int i = 0; i < count; ++i) {
      if (depth < 2 && pick(6) == 0)
        divided(depth + 1);
      else if (pick(3) == 0)
        access();
      else
        unshuffled();
    }
    if (pick(6) == 0) line("@" + p() + " bra " + after);
    if (pick(24) == 0) {
      line("setp.eq.u32 %p7, %r8, " + std::to_string(pick(kThreads)));
      line("@%p7 exit");
    }
    line("add.u32 " + turn + ", " + turn + ", 1");
    line("setp.lt.u32 %p7, " + turn + ", " + turns);
    line("@%p7 bra " + label);
    text_ += after + ":\n";
  }
  /// No lane may wait for lanes that went elsewhere.
  void unshuffled() {
    const std::size_t before = text_.size();
    do {
      text_.resize(before);
      instruction(false);
    } while (text_.find("shfl", before) != std::string::npos);
  }

  /// The address of 4 or 8 bytes in 4096: side by side, the same for all lanes, in columns, or anywhere.
  void address(const std::string& to) {
    words_ = pick(3) == 0;
    if (pick(6) == 0) {  // by turns as far from each other and twice as far
      line("and.b32 " + to + ", " + counter_ + ", 1");
      line("add.u32 " + to + ", " + to + (words_ ? ", 2" : ", 3"));
      return line("shl.b32 " + to + ", %r8, " + to);
    }
    if (words_) {
      line("shl.b32 " + to + ", %r8, 2");
      if (pick(3) == 0) line("add.u32 " + to + ", " + to + ", " + std::to_string(4 * pick(200)));
      return;
    }
    switch (pick(4)) {
      case 0: line("shl.b32 " + to + ", %r8, 3"); break;
      case 1: line("mov.u32 " + to + ", " + std::to_string(pick(400) * 8)); break;
      case 2: line("mul.lo.u32 " + to + ", %r8, 40"); break;
      default: line("and.b32 " + to + ", " + r() + ", 4088"); return;
    }
    if (pick(3) == 0) line("xor.b32 " + to + ", " + to + ", 8");
    line("and.b32 " + to + ", " + to + ", 4088");
  }

  void accesses(const std::string& space, const std::string& base) {
    const int count = 1 + pick(4);
    for (int i = 0; i < count; ++i) {
      // Beyond the end of the tile now and then: that is a fault, the same for everybody.
      const std::string at =
          "[" + base + "+" + std::to_string(i == 0 || pick(200) != 0 ? 0 : 8 * pick(3)) + "]";
      switch (pick(words_ ? 3 : 7)) {
        case 0: line("ld." + space + ".u32 " + r() + ", " + at); break;
        case 1: line("ld." + space + ".f32 " + f() + ", " + at); break;
        case 2: line("st." + space + ".u32 " + at + ", " + r()); break;
        case 3: line("ld." + space + ".f64 " + e() + ", " + at); break;
        case 4: line("st." + space + ".u64 " + at + ", " + d()); break;
        case 5: line("ld." + space + ".u8 " + r() + ", " + at); break;
        default: line("ld." + space + ".v2.u32 {" + r() + ", %r15}, " + at); break;
      }
    }
  }

  void shared_access() {
    address("%r11");
    line("mov.u32 %r12, tile");
    line("add.u32 %r11, %r11, %r12");
    if (pick(3) == 0) {
      line("cvt.u64.u32 %d11, %r11");
      return accesses("shared", "%d11");
    }
    accesses("shared", "%r11");
  }
  void access() {
    if (pick(3) == 0)
      shared_access();
    else
      global_access();
  }
  void global_access() {
    address("%r11");
    line("cvt.u64.u32 %d11, %r11");
    line(std::string("add.s64 %d11, %d11, ") + (pick(2) == 0 ? "%d8" : "%d9"));
    accesses("global", "%d11");
  }

  std::mt19937_64 random_;
  std::string text_;
  int labels_ = 0, lines_ = 0;
  std::string counter_;  ///< of the loop
  bool words_ = false;   ///< the last address is one of 4 bytes
};

}  // namespace

std::string random_program(std::uint64_t seed) { return Writer(seed).program(); }

std::string random_products(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<std::uint64_t>(below)); };
  const int floats = 3 + pick(22);
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %r<16>; .reg .b64 %d<16>;\n"
      ".reg .f32 %f<32>; .reg .pred %p<2>; .shared .align 16 .b8 tile[8192];\n"
      "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
      "mad.lo.u32 %r3, %r2, 96, %r1; mul.wide.u32 %d3, %r3, 256; add.s64 %d2, %d2, %d3;\n"
      "mul.wide.u32 %d4, %r1, 4; add.s64 %d5, %d1, %d4; mov.u32 %r4, tile; shr.u32 %r5, %r1, 5;\n"
      "shl.b32 %r6, %r5, 9; add.u32 %r6, %r4, %r6; shl.b32 %r7, %r1, 2; add.u32 %r8, %r4, %r7;\n"
      "mov.u32 %r10, 0; mov.u32 %r9, %r7;\n"
      "FILL: add.u32 %r11, %r4, %r9; and.b32 %r12, %r9, 63; cvt.rn.f32.u32 %f31, %r12;\n"
      "st.shared.f32 [%r11], %f31; add.u32 %r9, %r9, 384; setp.lt.u32 %p1, %r9, 7800; @%p1 bra FILL;\n";
  for (int f = 0; f < floats; ++f)
    text += "cvt.rn.f32.u32 %f" + std::to_string(f) + ", %r" + std::to_string(1 + pick(2)) + ";\n";
  const auto f = [&] { return "%f" + std::to_string(pick(floats)); };
  text += "bar.sync 0;\nL:\n";
  const int count = 6 + pick(40);
  for (int i = 0; i < count; ++i) {
    switch (pick(12)) {
      case 0:
      case 1: text += "ld.shared.f32 " + f() + ", [%r6+" + std::to_string(pick(32) * 4) + "];\n"; break;
      case 2:
      case 3:
      case 4: text += "ld.shared.f32 " + f() + ", [%r8+" + std::to_string(pick(40) * 128) + "];\n"; break;
      case 5: text += "ld.global.f32 " + f() + ", [%d5+" + std::to_string(pick(100) * 128) + "];\n"; break;
      case 6:
      case 7:
      case 8: text += "fma.rn.f32 " + f() + ", " + f() + ", " + f() + ", " + f() + ";\n"; break;
      case 9: text += "add.f32 " + f() + ", " + f() + ", " + f() + ";\n"; break;
      case 10:
        text += pick(4) == 0 ? "popc.b32 %r13, %r9;\n" : "mul.f32 " + f() + ", " + f() + ", " + f() + ";\n";
        break;
      default:
        if (pick(5) == 0) text += "st.shared.f32 [%r8+" + std::to_string(pick(8) * 128) + "], " + f() + ";\n";
        break;
    }
  }
  text += "bar.sync 0; add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 70; @%p1 bra L;\n";
  for (int i = 0; i < floats; ++i)
    text += "st.global.f32 [%d2+" + std::to_string(i * 4) + "], %f" + std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

}  // namespace cudalabs::test
