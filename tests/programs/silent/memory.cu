// Kinds of memory, and bytes of it that are never written, written twice, or read as something else.
#include <new>

#include "silent.cuh"

/// Rows with a pitch: what pads them nobody writes, and no copy of rows reads.
namespace pitched_rows {
__global__ void scale(float* m, size_t pitch, int w, int h) {
  const int x = threadIdx.x, y = blockIdx.x;
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(m) + y * pitch);
  if (x < w) row[x] *= 2;
}
PROGRAM(pitched_rows) {
  auto in = numbers<float>(45 * 10, 1000);
  float* m = nullptr;
  size_t pitch = 0;
  CUDA(cudaMallocPitch(&m, &pitch, 45 * sizeof(float), 10));
  CUDA(cudaMemcpy2D(m, pitch, in.data(), 45 * sizeof(float), 45 * sizeof(float), 10, cudaMemcpyHostToDevice));
  scale<<<10, 64>>>(m, pitch, 45, 10);
  std::vector<float> out(450);
  CUDA(cudaMemcpy2D(out.data(), 45 * sizeof(float), m, pitch, 45 * sizeof(float), 10, cudaMemcpyDeviceToHost));
  CUDA(cudaFree(m));
  for (float& v : in) v *= 2;
  return out == in;
}
}  // namespace pitched_rows

/// A box of a volume, copied by its parameters in three dimensions.
namespace pitched_volume {
__global__ void fill(cudaPitchedPtr p, int w, int h) {
  char* slice = static_cast<char*>(p.ptr) + blockIdx.x * p.pitch * h;
  for (int y = 0; y < h; ++y)
    if (threadIdx.x < w) reinterpret_cast<int*>(slice + y * p.pitch)[threadIdx.x] = (blockIdx.x * h + y) * w + threadIdx.x;
}
PROGRAM(pitched_volume) {
  cudaPitchedPtr p;
  CUDA(cudaMalloc3D(&p, make_cudaExtent(20 * sizeof(int), 5, 3)));
  fill<<<3, 32>>>(p, 20, 5);
  std::vector<int> out(300);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = p;
  copy.dstPtr = make_cudaPitchedPtr(out.data(), 20 * sizeof(int), 20, 5);
  copy.extent = make_cudaExtent(20 * sizeof(int), 5, 3);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA(cudaMemcpy3D(&copy));
  CUDA(cudaFree(p.ptr));
  for (int i = 0; i < 300; ++i)
    if (out[i] != i) return false;
  return true;
}
}  // namespace pitched_volume

/// Three arrays of different types out of one piece of dynamic shared memory, with gaps where they align.
namespace carved_up {
__global__ void work(const char* bytes, double* out, int n) {
  extern __shared__ unsigned char room[];
  char* c = reinterpret_cast<char*>(room);
  int* i = reinterpret_cast<int*>(room + (n + 3) / 4 * 4);
  double* d = reinterpret_cast<double*>(room + ((n + 3) / 4 * 4 + n * 4 + 7) / 8 * 8);
  const int t = threadIdx.x;
  c[t] = bytes[t];
  __syncthreads();
  i[t] = c[n - 1 - t] * 3;
  __syncthreads();
  d[t] = i[(t + 1) % n] / 2.0;
  __syncthreads();
  out[t] = d[(t + 1) % n];
}
PROGRAM(carved_up) {
  const auto in = numbers<char>(37, 100);
  Array<char> bytes(in);
  Array<double> out(37);
  work<<<1, 37, 40 + 37 * 4 + 4 + 37 * 8>>>(bytes, out, 37);
  const auto got = out.host();
  for (int t = 0; t < 37; ++t)
    if (got[t] != in[36 - (t + 2) % 37] * 1.5) return false;
  return true;
}
}  // namespace carved_up

/// One array for two phases: first as words, then, behind a barrier, as bytes.
namespace used_again {
__global__ void work(const int* in, int* out) {
  __shared__ union {
    int words[64];
    unsigned char bytes[64 * 4];
  } s;
  const int t = threadIdx.x;
  s.words[t] = in[t];
  __syncthreads();
  const int other = s.words[63 - t];
  __syncthreads();
  for (int k = 0; k < 4; ++k) s.bytes[k * 64 + t] = other >> 8 * k;
  __syncthreads();
  out[t] = s.bytes[(t + 1) % 64] | s.bytes[64 + (t + 1) % 64] << 8 | s.bytes[128 + (t + 1) % 64] << 16;
}
PROGRAM(used_again) {
  const auto in = numbers(64, 1 << 20);
  Array<int> a(in), out(64);
  work<<<1, 64>>>(a, out);
  const auto got = out.host();
  for (int t = 0; t < 64; ++t)
    if (got[t] != in[63 - (t + 1) % 64]) return false;
  return true;
}
}  // namespace used_again

/// More than 48 KiB of shared memory, of which most is never touched.
namespace large_shared {
__global__ void work(int* out, int ints) {
  extern __shared__ int big[];
  big[threadIdx.x * (ints / blockDim.x)] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = big[(blockDim.x - 1 - threadIdx.x) * (ints / blockDim.x)];
}
PROGRAM(large_shared) {
  CUDA(cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024));
  Array<int> out(64);
  work<<<1, 64, 96 * 1024>>>(out, 24 * 1024);
  const auto got = out.host();
  for (int t = 0; t < 64; ++t)
    if (got[t] != 63 - t) return false;
  return true;
}
}  // namespace large_shared

/// Structures with padding: members are written and read one by one, never the bytes between.
namespace padded_members {
struct Mixed {
  char letter;
  double number;
  short small;
};
__global__ void make(Mixed* m) {
  m[threadIdx.x].letter = 'a' + threadIdx.x % 26;
  m[threadIdx.x].number = threadIdx.x / 4.0;
  m[threadIdx.x].small = -threadIdx.x;
}
__global__ void use(const Mixed* m, double* out) {
  const int t = threadIdx.x;
  out[t] = m[63 - t].letter + m[63 - t].number + m[63 - t].small;
}
PROGRAM(padded_members) {
  Array<Mixed> m(64);
  Array<double> out(64);
  make<<<1, 64>>>(m);
  use<<<1, 64>>>(m, out);
  const auto got = out.host();
  for (int t = 0; t < 64; ++t) {
    const int i = 63 - t;
    if (got[t] != 'a' + i % 26 + i / 4.0 - i) return false;
  }
  return true;
}
}  // namespace padded_members

/// Neighbours write bit fields of one word: the word is put together by shuffles, and written by one.
namespace bit_fields {
struct Fields {
  unsigned low : 5, middle : 11, high : 16;
};
__global__ void pack(const unsigned* in, Fields* out) {
  Fields f;
  f.low = in[threadIdx.x];
  f.middle = in[threadIdx.x] >> 3;
  f.high = threadIdx.x;
  out[threadIdx.x] = f;
}
__global__ void unpack(const Fields* in, unsigned* out) {
  out[threadIdx.x] = in[threadIdx.x].low + in[threadIdx.x].middle * 100 + in[threadIdx.x].high * 1000000;
}
PROGRAM(bit_fields) {
  const auto in = numbers<unsigned>(64, 1 << 12);
  Array<unsigned> a(in), out(64);
  Array<Fields> fields(64);
  pack<<<1, 64>>>(a, fields);
  unpack<<<1, 64>>>(fields, out);
  const auto got = out.host();
  for (unsigned t = 0; t < 64; ++t)
    if (got[t] != in[t] % 32 + (in[t] >> 3) % 2048 * 100 + t * 1000000) return false;
  return true;
}
}  // namespace bit_fields

/// Floats as their bits, doubles as two words, by unions and by reinterpretation of memory.
namespace punned {
union Word {
  float f;
  unsigned u;
  unsigned char b[4];
};
__global__ void look(const float* in, unsigned* out, const double* d, uint2* halves) {
  Word w;
  w.f = in[threadIdx.x];
  const unsigned exponent = w.u >> 23 & 255;
  w.b[3] = 0;  // without sign
  out[threadIdx.x] = exponent * 65536 + (w.u & 0xffff);
  halves[threadIdx.x] = reinterpret_cast<const uint2*>(d)[threadIdx.x];
}
PROGRAM(punned) {
  auto in = numbers<float>(32, 5000);
  for (float& v : in) v = v / 16 - 100;
  std::vector<double> doubles(in.begin(), in.end());
  Array<float> a(in);
  Array<double> d(doubles);
  Array<unsigned> out(32);
  Array<uint2> halves(32);
  look<<<1, 32>>>(a, out, d, halves);
  const auto got = out.host();
  const auto h = halves.host();
  for (int i = 0; i < 32; ++i) {
    unsigned u;
    std::memcpy(&u, &in[i], 4);
    unsigned long long wide;
    std::memcpy(&wide, &doubles[i], 8);
    if (got[i] != (u >> 23 & 255) * 65536 + (u & 0xffff) || h[i].x != unsigned(wide) || h[i].y != wide >> 32) return false;
  }
  return true;
}
}  // namespace punned

/// Three of the four elements of each vector are stored one by one; the last one nobody writes or reads.
namespace three_of_four {
__global__ void fill(float4* points) {
  points[threadIdx.x].x = threadIdx.x;
  points[threadIdx.x].y = 1;
  points[threadIdx.x].z = 0.5f;
}
__global__ void lengths(const float4* points, float* out) {
  const float x = points[threadIdx.x].x, y = points[threadIdx.x].y, z = points[threadIdx.x].z;
  out[threadIdx.x] = x * x + y * y + z * z;
}
PROGRAM(three_of_four) {
  Array<float4> points(64);
  Array<float> out(64);
  fill<<<1, 64>>>(points);
  lengths<<<1, 64>>>(points, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i)
    if (got[i] != i * i + 1.25f) return false;
  return true;
}
}  // namespace three_of_four

/// Variables of the card: initialised by the program, by the host, or zero from the start.
namespace variables_of_card {
__device__ int counter, limits[4] = {1, 2, 3, 4};
__constant__ float factors[8] = {1, 2};  // the rest is zeros
__device__ float* table;
__global__ void use(int* out) {
  if (threadIdx.x < 8) table[threadIdx.x] += factors[threadIdx.x];
  atomicAdd(&counter, limits[threadIdx.x % 4]);
  out[threadIdx.x] = factors[7] == 0;
}
PROGRAM(variables_of_card) {
  Array<float> room(8);
  float* address = room.zero();
  const float third = 3;
  CUDA(cudaMemcpyToSymbol(table, &address, sizeof address));
  CUDA(cudaMemcpyToSymbol(factors, &third, sizeof third, 2 * sizeof(float)));
  Array<int> out(32);
  use<<<1, 32>>>(out);
  int got = 0;
  CUDA(cudaMemcpyFromSymbol(&got, counter, sizeof got));
  return got == 80 && out.host() == std::vector<int>(32, 1) && room.host() == std::vector<float>{1, 2, 3, 0, 0, 0, 0, 0};
}
}  // namespace variables_of_card

/// Each thread has a list of its own from the heap, and gives it back.
namespace heap_of_threads {
__global__ void count_down(int* out) {
  const int n = threadIdx.x % 7 + 1;
  int* list = static_cast<int*>(malloc(n * sizeof(int)));
  for (int i = 0; i < n; ++i) list[i] = n - i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += list[i];
  out[threadIdx.x] = sum;
  free(list);
}
PROGRAM(heap_of_threads) {
  Array<int> out(64);
  count_down<<<1, 64>>>(out);
  const auto got = out.host();
  for (int t = 0; t < 64; ++t)
    if (got[t] != (t % 7 + 1) * (t % 7 + 2) / 2) return false;
  return true;
}
}  // namespace heap_of_threads

/// One thread allocates for its block; the pointer goes through shared memory.
namespace heap_of_block {
__global__ void reverse(const int* in, int* out) {
  __shared__ int* room;
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0) room = new int[64];
  __syncthreads();
  room[t] = in[i];
  __syncthreads();
  out[i] = room[63 - t];
  __syncthreads();
  if (t == 0) delete[] room;
}
PROGRAM(heap_of_block) {
  const auto in = numbers(128, 1000);
  Array<int> a(in), out(128);
  reverse<<<2, 64>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 128; ++i)
    if (got[i] != in[i / 64 * 64 + 63 - i % 64]) return false;
  return true;
}
}  // namespace heap_of_block

/// A list that one launch builds from the heap, the next reads and frees.
namespace heap_across_launches {
struct Node {
  int value;
  Node* next;
};
__global__ void build(Node** heads) {
  Node* head = nullptr;
  for (int k = 0; k < 4; ++k) head = new Node{static_cast<int>(threadIdx.x) * 10 + k, head};
  heads[threadIdx.x] = head;
}
__global__ void sum(Node** heads, int* out) {
  int total = 0;
  for (Node* n = heads[threadIdx.x]; n != nullptr;) {
    total += n->value;
    Node* next = n->next;
    delete n;
    n = next;
  }
  out[threadIdx.x] = total;
}
PROGRAM(heap_across_launches) {
  Array<Node*> heads(32);
  Array<int> out(32);
  build<<<1, 32>>>(heads);
  sum<<<1, 32>>>(heads, out);
  const auto got = out.host();
  for (int t = 0; t < 32; ++t)
    if (got[t] != t * 40 + 6) return false;
  return true;
}
}  // namespace heap_across_launches

/// Objects that are made in memory which is there already.
namespace placed {
struct Counter {
  __device__ explicit Counter(int start) : value(start) {}
  __device__ void add(int v) { atomicAdd(&value, v); }
  int value, unused;
};
__global__ void run(int* out) {
  __shared__ alignas(Counter) char room[sizeof(Counter)];
  Counter* counter = reinterpret_cast<Counter*>(room);
  if (threadIdx.x == 0) new (room) Counter(100);
  __syncthreads();
  counter->add(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *out = counter->value;
}
PROGRAM(placed) {
  Array<int> out(1);
  run<<<1, 64>>>(out);
  return out.host()[0] == 100 + 63 * 32;
}
}  // namespace placed

/// Managed memory, which host and card write by turns.
namespace managed {
__managed__ int rounds;
__global__ void twice(int* x) {
  x[threadIdx.x] *= 2;
  if (threadIdx.x == 0) ++rounds;
}
PROGRAM(managed) {
  int* x = nullptr;
  CUDA(cudaMallocManaged(&x, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) x[i] = i;
  twice<<<1, 64>>>(x);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) ++x[i];
  twice<<<1, 64>>>(x);
  CUDA(cudaDeviceSynchronize());
  bool right = rounds == 2;
  for (int i = 0; i < 64; ++i) right = right && x[i] == (2 * i + 1) * 2;
  CUDA(cudaFree(x));
  return right;
}
}  // namespace managed

/// Bytes of words, packed and taken apart; a string in which each thread writes its own byte.
namespace bytes_in_words {
__global__ void upper(char* text, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] >= 'a' && text[i] <= 'z') text[i] -= 32;
}
__global__ void mirror(unsigned* words, int n) {
  if (threadIdx.x < n) words[threadIdx.x] = __byte_perm(words[threadIdx.x], 0, 0x0123);
}
PROGRAM(bytes_in_words) {
  std::vector<char> text(101);
  for (int i = 0; i < 101; ++i) text[i] = 'A' + i * 7 % 60;
  Array<char> t(text);
  upper<<<2, 64>>>(t, 101);
  mirror<<<1, 32>>>(reinterpret_cast<unsigned*>(static_cast<char*>(t)), 25);
  const auto got = t.host();
  for (int i = 0; i < 101; ++i) {
    char c = text[i < 100 ? i / 4 * 4 + 3 - i % 4 : i];
    if (c >= 'a' && c <= 'z') c -= 32;
    if (got[i] != c) return false;
  }
  return true;
}
}  // namespace bytes_in_words

/// Local arrays with an index that only the run knows, of which a part is never written.
namespace local_arrays {
__global__ void digits(const int* in, int* out) {
  char text[12];
  int n = 0, v = in[threadIdx.x];
  do text[n++] = v % 10;
  while ((v /= 10) > 0);
  int mirrored = 0;
  for (int k = 0; k < n; ++k) mirrored = mirrored * 10 + text[k];
  out[threadIdx.x] = mirrored;
}
PROGRAM(local_arrays) {
  const auto in = numbers(64, 100000);
  Array<int> a(in), out(64);
  digits<<<1, 64>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i) {
    int wanted = 0;
    for (int v = in[i]; v > 0; v /= 10) wanted = wanted * 10 + v % 10;
    if (got[i] != wanted) return false;
  }
  return true;
}
}  // namespace local_arrays

/// Hints about caches, and loads past them.
namespace cache_hints {
__global__ void copy(const int4* in, int4* out, const int* __restrict__ offset) {
  const int i = threadIdx.x;
  int4 v = __ldcs(&in[i]);
  v.x += __ldg(offset);
  v.y += __ldca(offset);
  v.z += __ldcg(offset + 1);
  __stcs(&out[i], v);
}
PROGRAM(cache_hints) {
  const auto in = numbers(128, 1000);
  Array<int> a(in), out(128), offset(std::vector<int>{5, 7});
  copy<<<1, 32>>>(reinterpret_cast<int4*>(static_cast<int*>(a)), reinterpret_cast<int4*>(static_cast<int*>(out)), offset);
  const int more[] = {5, 5, 7, 0};
  const auto got = out.host();
  for (int i = 0; i < 128; ++i)
    if (got[i] != in[i] + more[i % 4]) return false;
  return true;
}
}  // namespace cache_hints

/// Structures and arrays of their members, changed into each other.
namespace structures_and_arrays {
struct Particle {
  float x, y, z;
  int kind;
};
__global__ void apart(const Particle* in, float* x, float* y, float* z, int* kind) {
  __shared__ Particle s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  const int from = (threadIdx.x + 1) % 32;
  x[from] = s[from].x;
  y[from] = s[from].y;
  z[from] = s[from].z;
  kind[from] = s[from].kind;
}
PROGRAM(structures_and_arrays) {
  std::vector<Particle> in(32);
  for (int i = 0; i < 32; ++i) in[i] = {i * 1.0f, i * 2.0f, i * 3.0f, i};
  Array<Particle> a(in);
  Array<float> x(32), y(32), z(32);
  Array<int> kind(32);
  apart<<<1, 32>>>(a, x, y, z, kind);
  const auto gx = x.host(), gy = y.host(), gz = z.host();
  const auto gk = kind.host();
  for (int i = 0; i < 32; ++i)
    if (gx[i] != i || gy[i] != 2 * i || gz[i] != 3 * i || gk[i] != i) return false;
  return true;
}
}  // namespace structures_and_arrays

/// Parts of a buffer set and copied on the card before a kernel reads all of it.
namespace put_together {
__global__ void sum(const unsigned* in, unsigned* out, int n) {
  unsigned mine = 0;
  for (int i = threadIdx.x; i < n; i += 32) mine += in[i];
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x == 0) *out = mine;
}
PROGRAM(put_together) {
  Array<unsigned> a(90), b(std::vector<unsigned>(30, 3)), out(1);
  const std::vector<unsigned> ones(30, 1);
  CUDA(cudaMemset(a, 1, 30 * sizeof(unsigned)));
  CUDA(cudaMemcpy(a + 30, b, 30 * sizeof(unsigned), cudaMemcpyDeviceToDevice));
  CUDA(cudaMemcpy(a + 60, ones.data(), 30 * sizeof(unsigned), cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(a, out, 90);
  return out.host()[0] == 30 * 0x01010101u + 120;
}
}  // namespace put_together
