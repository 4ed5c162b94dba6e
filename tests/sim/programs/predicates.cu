// Predicates written as constants, wherever an instruction reads one.
#include "check.cuh"

__global__ void constants(u32* out) {
  u32 ballot0, ballot1, all0, any1, uni0, not0, not1, and1, or0, xor1, mov0, pick0, pick1, set0, red0, red1;
  // A register that holds the opposite stands in front, in case a constant is taken for the first register.
  asm volatile("{.reg .pred p; setp.eq.u32 p, 1, 0; vote.sync.ballot.b32 %0, 1, -1;}" : "=r"(ballot1));
  asm volatile("{.reg .pred p; setp.ne.u32 p, 1, 0; vote.sync.ballot.b32 %0, 0, -1;}" : "=r"(ballot0));
  asm volatile("{.reg .pred p; vote.sync.all.pred p, 0, -1; selp.b32 %0, 1, 0, p;}" : "=r"(all0));
  asm volatile("{.reg .pred p; vote.sync.any.pred p, 1, -1; selp.b32 %0, 1, 0, p;}" : "=r"(any1));
  asm volatile("{.reg .pred p; vote.sync.uni.pred p, 0, -1; selp.b32 %0, 1, 0, p;}" : "=r"(uni0));
  asm volatile("{.reg .pred p; not.pred p, 0; selp.b32 %0, 1, 0, p;}" : "=r"(not0));
  asm volatile("{.reg .pred p; not.pred p, 1; selp.b32 %0, 1, 0, p;}" : "=r"(not1));
  asm volatile("{.reg .pred p, q; setp.ne.u32 q, 1, 0; and.pred p, q, 1; selp.b32 %0, 1, 0, p;}" : "=r"(and1));
  asm volatile("{.reg .pred p, q; setp.eq.u32 q, 1, 0; or.pred p, 0, q; selp.b32 %0, 1, 0, p;}" : "=r"(or0));
  asm volatile("{.reg .pred p, q; setp.eq.u32 q, 1, 0; xor.pred p, q, 1; selp.b32 %0, 1, 0, p;}" : "=r"(xor1));
  asm volatile("{.reg .pred p; mov.pred p, 0; selp.b32 %0, 1, 0, p;}" : "=r"(mov0));
  asm volatile("selp.b32 %0, 5, 7, 0;" : "=r"(pick0));
  asm volatile("selp.b32 %0, 5, 7, 1;" : "=r"(pick1));
  asm volatile("{.reg .pred p; setp.ne.and.u32 p, %1, %1, 1; selp.b32 %0, 1, 0, p;}" : "=r"(set0) : "r"(threadIdx.x));
  asm volatile("{.reg .pred p; bar.red.and.pred p, 0, 0; selp.b32 %0, 1, 0, p;}" : "=r"(red0));
  asm volatile("{.reg .pred p; bar.red.or.pred p, 0, 1; selp.b32 %0, 1, 0, p;}" : "=r"(red1));
  if (threadIdx.x != 0) return;
  const u32 results[] = {ballot0, ballot1, all0, any1, uni0, not0, not1, and1, or0, xor1, mov0, pick0, pick1, set0, red0, red1};
  for (int i = 0; i < 16; ++i) out[i] = results[i];
}

// Only some of the lanes: the others keep what they had.
__global__ void divided(u32* out) {
  u32 r = 9, ballot = 0;
  if (threadIdx.x % 2 != 0) {
    asm volatile("{.reg .pred p; not.pred p, 0; selp.b32 %0, 1, 0, p;}" : "=r"(r));
    asm volatile("vote.sync.ballot.b32 %0, 1, 0xAAAAAAAA;" : "=r"(ballot));
  }
  out[threadIdx.x] = ballot + r;
}

int main() {
  Buffer<u32> out(32);
  constants<<<1, 32>>>(out);
  const u32 want[] = {0, ~0u, 0, 1, 1, 1, 0, 1, 0, 1, 0, 7, 5, 0, 0, 1};
  const auto got = out.host();
  for (int i = 0; i < 16; ++i) compare("constant", got[i], want[i], 0, std::to_string(i).c_str());
  divided<<<1, 32>>>(out);
  const auto lanes = out.host();
  for (u32 i = 0; i < 32; ++i) EXPECT(lanes[i] == (i % 2 != 0 ? 0xAAAAAAABu : 9u));
  return finish();
}
