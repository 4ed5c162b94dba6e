// Variables of shared and local memory by their names, in instructions that name no space.
#include "check.cuh"

__global__ void shared_names(u32* out) {
  u32 first, second, old, sum, pair_low, pair_high, dynamic;
  asm volatile(
      "{.shared .align 8 .b32 words[4];\n"
      "st.u32 [words], 11;\n"
      "st.u32 [words+4], 22;\n"
      "ld.u32 %0, [words];\n"
      "ld.shared.u32 %1, [words+4];\n"
      "atom.add.u32 %2, [words+4], 5;\n"
      "red.add.u32 [words+4], 1;\n"
      "ld.volatile.u32 %3, [words+4];\n"
      "ld.v2.u32 {%4, %5}, [words];}"
      : "=r"(first), "=r"(second), "=r"(old), "=r"(sum), "=r"(pair_low), "=r"(pair_high)::"memory");
  extern __shared__ u32 at_launch[];
  at_launch[1] = 77;
  asm volatile("ld.u32 %0, [at_launch+4];" : "=r"(dynamic)::"memory");
  const u32 results[] = {first, second, old, sum, pair_low, pair_high, dynamic};
  for (int i = 0; i < 7; ++i) out[i] = results[i];
}

__global__ void local_names(u32* out) {
  u32 mine, through_pointer;
  asm volatile(
      "{.local .align 4 .b32 own[4];\n"
      ".reg .b64 at;\n"
      "st.u32 [own+8], %2;\n"
      "ld.u32 %0, [own+8];\n"
      "mov.u64 at, own;\n"
      "cvta.local.u64 at, at;\n"
      "ld.u32 %1, [at+8];}"
      : "=r"(mine), "=r"(through_pointer)
      : "r"(threadIdx.x * 3)
      : "memory");
  out[threadIdx.x] = mine + (through_pointer << 16);
}

// The same offset in every variable's memory: the names must not be taken for each other.
__global__ void both(u32* out) {
  u32 a, b, c;
  asm volatile(
      "{.shared .align 4 .b32 theirs[64]; .local .align 4 .b32 own[64];\n"
      "st.local.u32 [own+128], 1;\n"
      "st.shared.u32 [theirs+128], 2;\n"
      "ld.u32 %0, [own+128];\n"
      "ld.u32 %1, [theirs+128];\n"
      "ld.u32 %2, [own+128];}"
      : "=r"(a), "=r"(b), "=r"(c)::"memory");
  out[0] = a + 10 * b + 100 * c;
}

__global__ void barrier_name(u32* out) {
  u32 passed;
  asm volatile(
      "{.shared .align 8 .b64 bar; .reg .b64 token; .reg .pred p;\n"
      "mbarrier.init.b64 [bar], 1;\n"
      "mbarrier.arrive.b64 token, [bar];\n"
      "mbarrier.test_wait.b64 p, [bar], token;\n"
      "selp.b32 %0, 1, 0, p;}"
      : "=r"(passed)::"memory");
  out[0] = passed;
}

int main() {
  Buffer<u32> out(32);
  shared_names<<<1, 1, 16>>>(out);
  auto got = out.host();
  const u32 want[] = {11, 22, 22, 28, 11, 28, 77};
  for (int i = 0; i < 7; ++i) compare("shared", got[i], want[i], 0, std::to_string(i).c_str());
  local_names<<<1, 32>>>(out);
  got = out.host();
  for (u32 i = 0; i < 32; ++i) EXPECT(got[i] == 3 * i * 65537);
  both<<<1, 1>>>(out);
  EXPECT(out.host()[0] == 121);
  barrier_name<<<1, 1>>>(out);
  EXPECT(out.host()[0] == 1);
  return finish();
}
