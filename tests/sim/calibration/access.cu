// Launches one warp per line of a pattern file (patterns.py), each executing one memory instruction with the
// given addresses and mask, so that a profiler's row n belongs to the group's line n.
//   access PATTERNS GROUP
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#define OK(call)                                                                          \
  do {                                                                                    \
    cudaError_t status = (call);                                                          \
    if (status != cudaSuccess) {                                                          \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

// In parameter space, so that reading it touches no counter of ours.
struct Pattern {
  std::uint32_t mask;
  std::uint32_t address[32];
};

extern __shared__ __align__(128) char window[];

__device__ bool active(const Pattern& p) { return p.mask >> threadIdx.x & 1; }
__device__ std::uint32_t shared_address(const Pattern& p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(window)) + p.address[threadIdx.x];
}

// One instruction under its own predicate; the barrier keeps ptxas from ending the other lanes instead.
#define KERNEL(name, pointer, ...)                                                                      \
  __global__ void name(const __grid_constant__ Pattern p, char* memory) {                               \
    std::uint64_t a = reinterpret_cast<std::uint64_t>(memory) + p.address[threadIdx.x];                 \
    std::uint32_t s = shared_address(p);                                                                \
    int on = active(p);                                                                                 \
    std::uint32_t v = threadIdx.x + 1;                                                                  \
    std::uint64_t w = v;                                                                                \
    (void)a, (void)s, (void)w;                                                                          \
    asm volatile(                                                                                       \
        "{ .reg .pred q; .reg .b16 h; .reg .b32 x<4>; .reg .b64 y<2>; .reg .f32 f<2>; .reg .f64 d<2>; " \
        "setp.ne.s32 q, %0, 0; mov.b32 f0, %3; mov.b64 d0, %4; cvt.u16.u32 h, %3;" __VA_ARGS__          \
        " bar.sync 0; }" ::"r"(on),                                                                     \
        pointer, "r"(v), "r"(v), "l"(w)                                                                 \
        : "memory");                                                                                    \
  }
#define SHARED(name, ...) KERNEL(name, "r"(s), __VA_ARGS__)
#define GLOBAL(name, ...) KERNEL(name, "l"(a), __VA_ARGS__)

// %1 is the address, %3 a 32-bit and %4 a 64-bit value; a volatile access is never dropped for an unused
// result.
SHARED(sld1, "@q ld.volatile.shared.u8 h, [%1];")
SHARED(sld2, "@q ld.volatile.shared.u16 h, [%1];")
SHARED(sld4, "@q ld.volatile.shared.b32 x0, [%1];")
SHARED(sld8, "@q ld.volatile.shared.b64 y0, [%1];")
SHARED(sld16, "@q ld.volatile.shared.v4.b32 {x0,x1,x2,x3}, [%1];")
SHARED(sst1, "@q st.volatile.shared.u8 [%1], h;")
SHARED(sst2, "@q st.volatile.shared.u16 [%1], h;")
SHARED(sst4, "@q st.volatile.shared.b32 [%1], %3;")
SHARED(sst8, "@q st.volatile.shared.b64 [%1], %4;")
SHARED(sst16, "@q st.volatile.shared.v4.b32 [%1], {%3,%3,%3,%3};")
SHARED(sa_add_u32, "@q red.shared.add.u32 [%1], %3;")
SHARED(sa_add_u32_ret, "@q atom.shared.add.u32 x0, [%1], %3;")
SHARED(sa_inc, "@q red.shared.add.u32 [%1], 1;")
SHARED(sa_max, "@q red.shared.max.s32 [%1], %3;")
SHARED(sa_cas, "@q atom.shared.cas.b32 x0, [%1], 0, %3;")
SHARED(sa_exch, "@q atom.shared.exch.b32 x0, [%1], %3;")
SHARED(sa_add_f32, "@q red.shared.add.f32 [%1], f0;")
SHARED(sa_add_f32_ret, "@q atom.shared.add.f32 f1, [%1], f0;")
SHARED(sa_add_u64, "@q red.shared.add.u64 [%1], %4;")
SHARED(sa_add_f64, "@q red.shared.add.f64 [%1], d0;")
SHARED(sa_cas_b64, "@q atom.shared.cas.b64 y0, [%1], 0, %4;")
GLOBAL(gld1, "@q ld.volatile.global.u8 h, [%1];")
GLOBAL(gld2, "@q ld.volatile.global.u16 h, [%1];")
GLOBAL(gld4, "@q ld.volatile.global.b32 x0, [%1];")
GLOBAL(gld8, "@q ld.volatile.global.b64 y0, [%1];")
GLOBAL(gld16, "@q ld.volatile.global.v4.b32 {x0,x1,x2,x3}, [%1];")
GLOBAL(gld_v2, "@q ld.volatile.global.v2.b32 {x0,x1}, [%1];")
GLOBAL(gld_nc, "@q ld.global.nc.b32 x0, [%1]; @q st.global.b32 [%1], x0;")
GLOBAL(gld_cg, "@q ld.global.cg.b32 x0, [%1]; @q st.global.b32 [%1], x0;")
GLOBAL(gld_plain, "@q ld.global.b32 x0, [%1]; @q st.global.b32 [%1], x0;")
GLOBAL(gst1, "@q st.global.u8 [%1], h;")
GLOBAL(gst2, "@q st.global.u16 [%1], h;")
GLOBAL(gst4, "@q st.global.b32 [%1], %3;")
GLOBAL(gst8, "@q st.global.b64 [%1], %4;")
GLOBAL(gst16, "@q st.global.v4.b32 [%1], {%3,%3,%3,%3};")
GLOBAL(ga_red_u32, "@q red.global.add.u32 [%1], %3;")
GLOBAL(ga_red_f32, "@q red.global.add.f32 [%1], f0;")
GLOBAL(ga_atom_u32, "@q atom.global.add.u32 x0, [%1], %3; @q st.global.b32 [%1+16777216], x0;")
GLOBAL(ga_atom_f32, "@q atom.global.add.f32 f1, [%1], f0; @q st.global.f32 [%1+16777216], f1;")
GLOBAL(ga_atom_max, "@q atom.global.max.s32 x0, [%1], %3; @q st.global.b32 [%1+16777216], x0;")
GLOBAL(ga_atom_cas, "@q atom.global.cas.b32 x0, [%1], 0, %3; @q st.global.b32 [%1+16777216], x0;")
GLOBAL(ga_atom_exch, "@q atom.global.exch.b32 x0, [%1], %3; @q st.global.b32 [%1+16777216], x0;")
GLOBAL(ga_red_u64, "@q red.global.add.u64 [%1], %4;")
GLOBAL(ga_red_f64, "@q red.global.add.f64 [%1], d0;")
GLOBAL(ga_atom_u64, "@q atom.global.add.u64 y0, [%1], %4; @q st.global.b64 [%1+16777216], y0;")

template <int Bytes, bool CacheAll>
__global__ void copy_async(const __grid_constant__ Pattern p, char* memory) {
  std::uint32_t s = static_cast<std::uint32_t>(__cvta_generic_to_shared(window)) + threadIdx.x * Bytes;
  char* a = memory + p.address[threadIdx.x];
  if (active(p)) {
    if (CacheAll)
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(s), "l"(a), "n"(Bytes) : "memory");
    else
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(a) : "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
}

// The addresses of this group are element numbers: one store and one load of a local array.
template <class T>
__global__ void local_array(const __grid_constant__ Pattern p, char* memory) {
  volatile T array[64];
  std::uint32_t index = p.address[threadIdx.x] & 63;
  if (active(p)) {
    array[index] = T(threadIdx.x);
    T value = array[index ^ 1];
    memory[threadIdx.x] = static_cast<char>(value);
  }
}
__global__ void local_array16(const __grid_constant__ Pattern p, char* memory) {
  __align__(16) volatile float array[512];
  std::uint32_t index = (p.address[threadIdx.x] & 63) * 4;
  if (active(p)) {
    volatile float* a = array + index;
    float x, y, z, w;
    const std::uint32_t l = static_cast<std::uint32_t>(__cvta_generic_to_local(const_cast<float*>(a)));
    asm volatile("st.local.v4.f32 [%0], {%1,%1,%1,%1};" ::"r"(l), "f"(1.0f) : "memory");
    asm volatile("ld.local.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "r"(l + 1024));
    memory[threadIdx.x] = static_cast<char>(x + y + z + w);
  }
}

SHARED(ldm1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {x0}, [%1]; st.volatile.shared.b32 [%1], x0;")
SHARED(ldm2,
       "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {x0,x1}, [%1]; st.volatile.shared.v2.b32 [%1], {x0,x1};")
SHARED(ldm4,
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {x0,x1,x2,x3}, [%1]; st.volatile.shared.v4.b32 [%1], "
       "{x0,x1,x2,x3};")
SHARED(ldm4t,
       "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {x0,x1,x2,x3}, [%1]; st.volatile.shared.v4.b32 [%1], "
       "{x0,x1,x2,x3};")
SHARED(stm4, "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%1], {%3,%3,%3,%3};")

using Kernel = void (*)(Pattern, char*);

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::map<std::string, Kernel> kernels = {
      {"shared_ld ld 1", sld1},
      {"shared_ld ld 2", sld2},
      {"shared_ld ld 4", sld4},
      {"shared_ld ld 8", sld8},
      {"shared_ld ld 16", sld16},
      {"shared_st st 1", sst1},
      {"shared_st st 2", sst2},
      {"shared_st st 4", sst4},
      {"shared_st st 8", sst8},
      {"shared_st st 16", sst16},
      {"shared_atom add_u32 4", sa_add_u32},
      {"shared_atom add_u32_ret 4", sa_add_u32_ret},
      {"shared_atom inc_const 4", sa_inc},
      {"shared_atom max_s32 4", sa_max},
      {"shared_atom cas_b32 4", sa_cas},
      {"shared_atom exch_b32 4", sa_exch},
      {"shared_atom add_f32 4", sa_add_f32},
      {"shared_atom add_f32_ret 4", sa_add_f32_ret},
      {"shared_atom add_u64 8", sa_add_u64},
      {"shared_atom add_f64 8", sa_add_f64},
      {"shared_atom cas_b64 8", sa_cas_b64},
      {"global_ld ld 1", gld1},
      {"global_ld ld 2", gld2},
      {"global_ld ld 4", gld4},
      {"global_ld ld 8", gld8},
      {"global_ld ld 16", gld16},
      {"global_ld ld_nc 4", gld_nc},
      {"global_ld ld_volatile 4", gld_plain},
      {"global_ld ld_cg 4", gld_cg},
      {"global_ld ld_v2 8", gld_v2},
      {"global_st st 1", gst1},
      {"global_st st 2", gst2},
      {"global_st st 4", gst4},
      {"global_st st 8", gst8},
      {"global_st st 16", gst16},
      {"global_atom red_u32 4", ga_red_u32},
      {"global_atom red_f32 4", ga_red_f32},
      {"global_atom atom_u32 4", ga_atom_u32},
      {"global_atom atom_f32 4", ga_atom_f32},
      {"global_atom atom_max 4", ga_atom_max},
      {"global_atom atom_cas 4", ga_atom_cas},
      {"global_atom atom_exch 4", ga_atom_exch},
      {"global_atom red_u64 8", ga_red_u64},
      {"global_atom red_f64 8", ga_red_f64},
      {"global_atom atom_u64 8", ga_atom_u64},
      {"async cp_ca4 4", copy_async<4, true>},
      {"async cp_ca8 8", copy_async<8, true>},
      {"async cp_ca16 16", copy_async<16, true>},
      {"async cp_cg16 16", copy_async<16, false>},
      {"local local 1", local_array<unsigned char>},
      {"local local 2", local_array<unsigned short>},
      {"local local 4", local_array<unsigned>},
      {"local local 8", local_array<unsigned long long>},
      {"local local 16", local_array16},
      {"matrix ldmatrix_x1 16", ldm1},
      {"matrix ldmatrix_x2 16", ldm2},
      {"matrix ldmatrix_x4 16", ldm4},
      {"matrix ldmatrix_x4_trans 16", ldm4t},
      {"matrix stmatrix_x4 16", stm4},
  };
  const int shared_bytes = 129 * 1024;
  for (const auto& [name, kernel] : kernels)
    OK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  char* memory = nullptr;
  OK(cudaMalloc(&memory, size_t{64} << 20));
  OK(cudaMemset(memory, 0, size_t{64} << 20));
  std::ifstream file(arguments[1]);
  std::string line;
  int launched = 0;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string group, operation;
    int width;
    Pattern pattern;
    in >> group >> operation >> width >> std::hex >> pattern.mask >> std::dec;
    for (auto& address : pattern.address) in >> address;
    if (!in || group != arguments[2]) continue;
    const auto found = kernels.find(group + " " + operation + " " + std::to_string(width));
    if (found == kernels.end()) {
      std::cerr << "no kernel for: " << line << "\n";
      return 1;
    }
    found->second<<<1, 32, shared_bytes>>>(pattern, memory);
    OK(cudaGetLastError());
    ++launched;
  }
  OK(cudaDeviceSynchronize());
  std::cerr << arguments[2] << ": " << launched << " launches\n";
}
