// Loads and stores that say how they use the caches, atomics, address spaces, and what device code shares with the C library.
#include "table.cuh"

#include <cassert>
#include <cstring>
#include <new>

__device__ __align__(32) unsigned char source[256 * 32];
__device__ __align__(32) unsigned char target[256 * 32];
__constant__ int constant_word = 5;

template <class T>
__device__ void loads_and_stores(Table& table) {
  const int column = threadIdx.x;
  const T* from = reinterpret_cast<const T*>(source + column * 32);
  T* to = reinterpret_cast<T*>(target + column * 32);
  ROW(__ldg(from))
  ROW(__ldca(from))
  ROW(__ldcg(from))
  ROW(__ldcs(from))
  ROW(__ldlu(from))
  ROW(__ldcv(from))
  const T value = *from;
  memset(to, 0, sizeof(T));
  __stwb(to, value);
  ROW(*to)
  memset(to, 1, sizeof(T));
  __stcg(to, value);
  ROW(*to)
  memset(to, 2, sizeof(T));
  __stcs(to, value);
  ROW(*to)
  memset(to, 3, sizeof(T));
  __stwt(to, value);
  ROW(*to)
}

// What a call returns and leaves behind, on a place of the thread's own.
#define TRY(T, start, ...)                 \
  {                                        \
    *reinterpret_cast<T*>(place) = start;  \
    T* at = reinterpret_cast<T*>(place);   \
    const T old = __VA_ARGS__;             \
    table.add(bits(old));                  \
    table.add(bits(*at));                  \
  }
#define ATOMICS(suffix)                                                                    \
  TRY(int, i, atomicAdd##suffix(at, j)) \
  TRY(int, i, atomicSub##suffix(at, j)) \
  TRY(int, i, atomicExch##suffix(at, j)) \
  TRY(int, i, atomicMin##suffix(at, j)) \
  TRY(int, i, atomicMax##suffix(at, j)) \
  TRY(int, i, atomicAnd##suffix(at, j)) \
  TRY(int, i, atomicOr##suffix(at, j)) \
  TRY(int, i, atomicXor##suffix(at, j)) \
  TRY(int, i, atomicCAS##suffix(at, i, j)) \
  TRY(int, i, atomicCAS##suffix(at, (int)(i + 1), j)) \
  TRY(unsigned, u, atomicAdd##suffix(at, w)) \
  TRY(unsigned, u, atomicSub##suffix(at, w)) \
  TRY(unsigned, u, atomicExch##suffix(at, w)) \
  TRY(unsigned, u, atomicMin##suffix(at, w)) \
  TRY(unsigned, u, atomicMax##suffix(at, w)) \
  TRY(unsigned, u, atomicAnd##suffix(at, w)) \
  TRY(unsigned, u, atomicOr##suffix(at, w)) \
  TRY(unsigned, u, atomicXor##suffix(at, w)) \
  TRY(unsigned, u, atomicCAS##suffix(at, u, w)) \
  TRY(unsigned, u, atomicCAS##suffix(at, (unsigned)(u + 1), w)) \
  TRY(unsigned long long, ull, atomicAdd##suffix(at, wll)) \
  TRY(unsigned long long, ull, atomicExch##suffix(at, wll)) \
  TRY(unsigned long long, ull, atomicMin##suffix(at, wll)) \
  TRY(unsigned long long, ull, atomicMax##suffix(at, wll)) \
  TRY(unsigned long long, ull, atomicAnd##suffix(at, wll)) \
  TRY(unsigned long long, ull, atomicOr##suffix(at, wll)) \
  TRY(unsigned long long, ull, atomicXor##suffix(at, wll)) \
  TRY(unsigned long long, ull, atomicCAS##suffix(at, ull, wll)) \
  TRY(unsigned long long, ull, atomicCAS##suffix(at, (unsigned long long)(ull + 1), wll)) \
  TRY(long long, ll, atomicMin##suffix(at, jll)) \
  TRY(long long, ll, atomicMax##suffix(at, jll)) \
  TRY(unsigned, u, atomicInc##suffix(at, w)) \
  TRY(unsigned, u, atomicDec##suffix(at, w)) \
  TRY(float, x, atomicAdd##suffix(at, y)) \
  TRY(float, x, atomicExch##suffix(at, y)) \
  TRY(double, p, atomicAdd##suffix(at, q)) \

template <class Place>
__device__ void atomics(Table& table, Place place) {
  const int column = threadIdx.x;
  const unsigned u = kWords[column % 16], w = kWords[column / 16];
  const int i = int(u), j = int(w);
  const unsigned long long ull = kLongs[column % 16], wll = kLongs[column / 16];
  const long long ll = (long long)ull, jll = (long long)wll;
  const float x = __uint_as_float(kFloats[column % 16]), y = __uint_as_float(kFloats[column / 16]);
  const double p = __longlong_as_double((long long)kDoubles[column % 16]);
  const double q = __longlong_as_double((long long)kDoubles[column / 16]);
  ATOMICS()
  ATOMICS(_block)
  ATOMICS(_system)
  TRY(unsigned short, (unsigned short)u, atomicCAS(at, (unsigned short)u, (unsigned short)w))
  TRY(unsigned short, (unsigned short)u, atomicCAS(at, (unsigned short)(u + 1), (unsigned short)w))
}

struct Counted {
  int value;
  __device__ explicit Counted(int v) : value(v) {}
  __device__ virtual ~Counted() {}
  __device__ virtual int twice() const { return 2 * value; }
};
struct More : Counted {
  using Counted::Counted;
  __device__ int twice() const override { return 3 * value; }
};

extern "C" __global__ void memory(unsigned long long* out) {
  Table table{out};
  const int column = threadIdx.x;
  for (int i = 0; i < 32; ++i) source[column * 32 + i] = (unsigned char)(column * 7 + i * 37);
  __syncthreads();
  loads_and_stores<char>(table);
  loads_and_stores<signed char>(table);
  loads_and_stores<unsigned char>(table);
  loads_and_stores<short>(table);
  loads_and_stores<unsigned short>(table);
  loads_and_stores<int>(table);
  loads_and_stores<unsigned>(table);
  loads_and_stores<long>(table);
  loads_and_stores<unsigned long>(table);
  loads_and_stores<long long>(table);
  loads_and_stores<unsigned long long>(table);
  loads_and_stores<float>(table);
  loads_and_stores<double>(table);
  loads_and_stores<char2>(table);
  loads_and_stores<char4>(table);
  loads_and_stores<uchar2>(table);
  loads_and_stores<uchar4>(table);
  loads_and_stores<short2>(table);
  loads_and_stores<short4>(table);
  loads_and_stores<ushort2>(table);
  loads_and_stores<ushort4>(table);
  loads_and_stores<int2>(table);
  loads_and_stores<int4>(table);
  loads_and_stores<uint2>(table);
  loads_and_stores<uint4>(table);
  loads_and_stores<longlong2>(table);
  loads_and_stores<ulonglong2>(table);
  loads_and_stores<float2>(table);
  loads_and_stores<float4>(table);
  loads_and_stores<double2>(table);

  __shared__ unsigned long long places[256];
  atomics(table, target + column * 32);
  atomics(table, &places[column]);

  // All threads on one place, which the order does not matter to.
  __shared__ unsigned counted;
  __shared__ float summed;
  if (column == 0) {
    counted = 0;
    summed = 0;
  }
  __syncthreads();
  atomicAdd(&counted, unsigned(column));
  atomicAdd(&summed, 0.25f);
  __syncthreads();
  ROW(counted)
  ROW(summed)

  int local[4] = {column, 1, 2, 3};
  int* volatile hidden = local;
  ROW(__isShared(&places[column]) * 8 + __isGlobal(&places[column]) * 4 + __isLocal(&places[column]))
  ROW(__isShared(out) * 8 + __isGlobal(out) * 4 + __isLocal(out))
  ROW(__isShared(hidden) * 8 + __isGlobal(hidden) * 4 + __isLocal(hidden) * 2 + __isConstant(hidden))
  ROW(__cvta_shared_to_generic(__cvta_generic_to_shared(&places[column])) == &places[column])
  ROW(__cvta_generic_to_shared(&places[column]) - __cvta_generic_to_shared(&places[0]))
  ROW(__cvta_global_to_generic(__cvta_generic_to_global(out)) == out)
  ROW(__cvta_local_to_generic(__cvta_generic_to_local(hidden)) == hidden)
  ROW(__cvta_constant_to_generic(__cvta_generic_to_constant(&constant_word)) == &constant_word)

  std::memcpy(local, &kWords[column % 12], sizeof local);
  ROW(local[0] + local[1] + local[2] + local[3])
  memset(local, column, unsigned(column) % 16);
  ROW(local[0] ^ local[1] ^ local[2] ^ local[3])
  int* heap = static_cast<int*>(malloc(16));
  assert(heap != nullptr);
  heap[3] = column;
  ROW(heap[3])
  free(heap);
  Counted* made = column % 2 == 0 ? new Counted(column) : new More(column);
  ROW(made->twice())
  delete made;
  long* many = new long[column % 4 + 1];
  many[column % 4] = column;
  ROW(many[column % 4])
  delete[] many;
  ROW((new (&places[column]) long(column))[0])
  ROW(clock() != 0)
  ROW(clock64() > 0)
  __nanosleep(10);
  ROW(constant_word)

  ROW(make_char3(1, 2, 3))
  ROW(make_float4(1, 2, 3, float(column)))
  ROW(make_double2(1, column))
  ROW(sizeof(dim3) + alignof(float4) * 100 + alignof(double4) * 10000 + sizeof(char3) * 1000000)
}
