// Neighbours: stencils, automata, images, convolutions.
#include "silent.cuh"

using Grid = std::vector<float>;
using Bytes = std::vector<unsigned char>;

/// A halo beside the block's own elements; what lies outside of the array is 0.
namespace line_with_halo {
__global__ void smooth(const float* in, float* out, int n) {
  __shared__ float s[64 + 4];
  const int i = blockIdx.x * 64 + threadIdx.x, at = threadIdx.x + 2;
  s[at] = i < n ? in[i] : 0;
  if (threadIdx.x < 2) {
    s[at - 2] = i >= 2 ? in[i - 2] : 0;
    s[at + 64] = i + 64 < n ? in[i + 64] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int d = -2; d <= 2; ++d) sum += s[at + d];
  out[i] = sum;
}
PROGRAM(line_with_halo) {
  const auto in = numbers<float>(200, 100);
  Grid wanted(200);
  for (int i = 0; i < 200; ++i)
    for (int d = -2; d <= 2; ++d) wanted[i] += i + d >= 0 && i + d < 200 ? in[i + d] : 0;
  Array<float> a(in), out(200);
  smooth<<<4, 64>>>(a, out, 200);
  return out.host() == wanted;
}
}  // namespace line_with_halo

/// In place within a block: all have read their neighbours before anyone writes.
namespace in_place_line {
__global__ void diffuse(int* x, int steps) {
  const int i = threadIdx.x, n = blockDim.x;
  for (int s = 0; s < steps; ++s) {
    const int left = x[(i + n - 1) % n], right = x[(i + 1) % n];
    __syncthreads();
    x[i] = (x[i] + left + right) % 1000;
    __syncthreads();
  }
}
PROGRAM(in_place_line) {
  auto wanted = numbers(96, 1000);
  Array<int> x(wanted);
  diffuse<<<1, 96>>>(x, 5);
  for (int s = 0; s < 5; ++s) {
    const auto old = wanted;
    for (int i = 0; i < 96; ++i) wanted[i] = (old[i] + old[(i + 95) % 96] + old[(i + 1) % 96]) % 1000;
  }
  return x.host() == wanted;
}
}  // namespace in_place_line

static Grid heat(Grid g, int w, int h, int steps) {
  for (int s = 0; s < steps; ++s) {
    const Grid old = g;
    for (int y = 1; y + 1 < h; ++y)
      for (int x = 1; x + 1 < w; ++x)
        g[y * w + x] = 0.25f * (old[y * w + x - 1] + old[y * w + x + 1] + old[(y - 1) * w + x] + old[(y + 1) * w + x]);
  }
  return g;
}

/// Two grids by turns; the border is never written, and so copied before.
namespace heat_two_grids {
__global__ void step(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * w + x;
  if (x > 0 && x + 1 < w && y > 0 && y + 1 < h) out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}
PROGRAM(heat_two_grids) {
  const auto in = numbers<float>(40 * 30, 100);
  Array<float> a(in), b(in);
  for (int s = 0; s < 3; ++s) {
    step<<<dim3(3, 4), dim3(16, 8)>>>(a, b, 40, 30);
    step<<<dim3(3, 4), dim3(16, 8)>>>(b, a, 40, 30);
  }
  return near(a.host(), heat(in, 40, 30, 6), 1e-5);
}
}  // namespace heat_two_grids

/// Tiles with their halo, several points a thread.
namespace heat_tiles {
__global__ void step(const float* in, float* out, int w, int h) {
  __shared__ float s[10][18];
  const int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 8 - 1, t = threadIdx.y * 16 + threadIdx.x;
  for (int k = t; k < 180; k += 128) {
    const int x = x0 + k % 18, y = y0 + k / 18;
    if (x >= 0 && x < w && y >= 0 && y < h) s[k / 18][k % 18] = in[y * w + x];
  }
  __syncthreads();
  const int sx = threadIdx.x + 1, sy = threadIdx.y + 1, x = x0 + sx, y = y0 + sy;
  if (x > 0 && x + 1 < w && y > 0 && y + 1 < h)
    out[y * w + x] = 0.25f * (s[sy][sx - 1] + s[sy][sx + 1] + s[sy - 1][sx] + s[sy + 1][sx]);
  else if (x < w && y < h)
    out[y * w + x] = s[sy][sx];
}
PROGRAM(heat_tiles) {
  const auto in = numbers<float>(40 * 30, 100);
  Array<float> a(in), b(40 * 30);
  step<<<dim3(3, 4), dim3(16, 8)>>>(a, b, 40, 30);
  step<<<dim3(3, 4), dim3(16, 8)>>>(b, a, 40, 30);
  return near(a.host(), heat(in, 40, 30, 2), 1e-5);
}
}  // namespace heat_tiles

/// Red points from black ones, then black from red, in one array: neighbours have the other colour.
namespace red_and_black {
__global__ void relax(float* g, int w, int h, int colour) {
  const int x = threadIdx.x, y = threadIdx.y, i = y * w + x;
  if (x == 0 || x + 1 >= w || y == 0 || y + 1 >= h || (x + y) % 2 != colour) return;
  g[i] = 0.25f * (g[i - 1] + g[i + 1] + g[i - w] + g[i + w]);
}
PROGRAM(red_and_black) {
  Grid wanted = numbers<float>(20 * 14, 100);
  Array<float> g(wanted);
  for (int s = 0; s < 8; ++s) {
    relax<<<1, dim3(20, 14)>>>(g, 20, 14, s % 2);
    for (int y = 1; y < 13; ++y)
      for (int x = 1; x < 19; ++x)
        if ((x + y) % 2 == s % 2)
          wanted[y * 20 + x] = 0.25f * (wanted[y * 20 + x - 1] + wanted[y * 20 + x + 1] + wanted[(y - 1) * 20 + x] + wanted[(y + 1) * 20 + x]);
  }
  return near(g.host(), wanted, 1e-5);
}
}  // namespace red_and_black

/// Three dimensions, plane after plane: the column lies in registers, its plane in shared memory.
namespace planes {
__global__ void step(const float* in, float* out, int n, int depth) {
  __shared__ float s[16][16];
  const int x = threadIdx.x, y = threadIdx.y, plane = n * n;
  const float* at = in + y * n + x;
  float behind = at[0], here = at[plane];
  for (int z = 1; z + 1 < depth; ++z) {
    const float front = at[(z + 1) * plane];
    __syncthreads();
    s[y][x] = here;
    __syncthreads();
    if (x > 0 && x + 1 < n && y > 0 && y + 1 < n)
      out[z * plane + y * n + x] = behind + front + s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x] - 6 * here;
    behind = here;
    here = front;
  }
}
PROGRAM(planes) {
  const auto in = numbers<float>(16 * 16 * 6, 50);
  Array<float> a(in), out(16 * 16 * 6);
  step<<<1, dim3(16, 16)>>>(a, out.zero(), 16, 6);
  Grid wanted(in.size());
  for (int z = 1; z < 5; ++z)
    for (int y = 1; y < 15; ++y)
      for (int x = 1; x < 15; ++x) {
        const int i = (z * 16 + y) * 16 + x;
        wanted[i] = in[i - 256] + in[i + 256] + in[i - 1] + in[i + 1] + in[i - 16] + in[i + 16] - 6 * in[i];
      }
  return out.host() == wanted;
}
}  // namespace planes

/// Several steps within a block: each step the part that is right shrinks by one on both sides.
namespace several_steps {
__global__ void run(const int* in, int* out, int n) {
  __shared__ int s[2][64];
  const int t = threadIdx.x, i = blockIdx.x * 56 + t - 4;
  s[0][t] = in[(i + n) % n];
  for (int step = 0; step < 4; ++step) {
    __syncthreads();
    if (t > step && t < 63 - step) s[step % 2 ^ 1][t] = (s[step % 2][t - 1] + s[step % 2][t] + s[step % 2][t + 1]) % 97;
  }
  if (t >= 4 && t < 60 && i < n) out[i] = s[0][t];
}
PROGRAM(several_steps) {
  auto wanted = numbers(112, 97);
  Array<int> a(wanted), out(112);
  run<<<2, 64>>>(a, out, 112);
  for (int s = 0; s < 4; ++s) {
    const auto old = wanted;
    for (int i = 0; i < 112; ++i) wanted[i] = (old[i] + old[(i + 111) % 112] + old[(i + 1) % 112]) % 97;
  }
  return out.host() == wanted;
}
}  // namespace several_steps

static int neighbours(const Bytes& g, int w, int h, int x, int y) {
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) n += (dx != 0 || dy != 0) && g[(y + dy + h) % h * w + (x + dx + w) % w];
  return n;
}
static Bytes life(Bytes g, int w, int h, int steps) {
  for (int s = 0; s < steps; ++s) {
    const Bytes old = g;
    for (int i = 0; i < w * h; ++i) {
      const int n = neighbours(old, w, h, i % w, i / w);
      g[i] = n == 3 || (n == 2 && old[i]);
    }
  }
  return g;
}

/// Life on a torus of bytes.
namespace life_on_torus {
__global__ void step(const unsigned char* in, unsigned char* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w) return;
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) n += in[(y + dy + h) % h * w + (x + dx + w) % w];
  out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}
PROGRAM(life_on_torus) {
  const auto in = numbers<unsigned char>(37 * 20, 2);
  Array<unsigned char> a(in), b(37 * 20);
  step<<<dim3(2, 20), 32>>>(a, b, 37, 20);
  step<<<dim3(2, 20), 32>>>(b, a, 37, 20);
  return a.host() == life(in, 37, 20, 2);
}
}  // namespace life_on_torus

/// 32 cells a word: a thread has a row, and asks its warp for the rows beside.
namespace life_in_words {
__device__ void add(unsigned& ones, unsigned& twos, unsigned& fours, unsigned v) {
  const unsigned carry = ones & v;
  ones ^= v;
  fours |= twos & carry;
  twos ^= carry;
}
__global__ void run(unsigned* rows, int steps) {
  const int y = threadIdx.x;
  unsigned here = rows[y];
  for (int s = 0; s < steps; ++s) {
    const unsigned up = __shfl_sync(~0u, here, (y + 31) % 32), down = __shfl_sync(~0u, here, (y + 1) % 32);
    unsigned ones = 0, twos = 0, fours = 0;
    for (const unsigned r : {up, here, down}) {
      add(ones, twos, fours, __funnelshift_l(r, r, 1));
      add(ones, twos, fours, __funnelshift_r(r, r, 1));
    }
    add(ones, twos, fours, up);
    add(ones, twos, fours, down);
    here = twos & ~fours & (ones | here);
  }
  rows[y] = here;
}
PROGRAM(life_in_words) {
  const auto cells = numbers<unsigned char>(1024, 2);
  std::vector<unsigned> words(32), wanted(32);
  const auto later = life(cells, 32, 32, 6);
  for (int i = 0; i < 1024; ++i) {
    words[i / 32] |= unsigned(cells[i]) << i % 32;
    wanted[i / 32] |= unsigned(later[i]) << i % 32;
  }
  Array<unsigned> rows(words);
  run<<<1, 32>>>(rows, 6);
  return rows.host() == wanted;
}
}  // namespace life_in_words

/// An elementary automaton; each generation is a row, which the next one reads behind a barrier.
namespace rule_of_three {
__global__ void grow(unsigned char* rows, int w, int generations, int rule) {
  for (int g = 1; g < generations; ++g) {
    const unsigned char* above = rows + (g - 1) * w;
    for (int x = threadIdx.x; x < w; x += blockDim.x)
      rows[g * w + x] = rule >> (above[(x + w - 1) % w] * 4 + above[x] * 2 + above[(x + 1) % w]) & 1;
    __syncthreads();
  }
}
PROGRAM(rule_of_three) {
  Bytes wanted(100 * 20);
  wanted[50] = 1;
  Array<unsigned char> rows(wanted);
  grow<<<1, 64>>>(rows, 100, 20, 110);
  for (int g = 1; g < 20; ++g)
    for (int x = 0; x < 100; ++x) {
      const unsigned char* a = &wanted[(g - 1) * 100];
      wanted[g * 100 + x] = 110 >> (a[(x + 99) % 100] * 4 + a[x] * 2 + a[(x + 1) % 100]) & 1;
    }
  return rows.host() == wanted;
}
}  // namespace rule_of_three

/// Sand that topples onto neighbours by atomics; a cell takes away its own four by one, too.
namespace sandpile {
__global__ void topple(const int* in, int* out, int* moved, int w, int h) {
  const int x = threadIdx.x, y = threadIdx.y, i = y * w + x;
  if (in[i] < 4) return;
  *moved = 1;
  atomicSub(&out[i], 4);
  if (x > 0) atomicAdd(&out[i - 1], 1);
  if (x + 1 < w) atomicAdd(&out[i + 1], 1);
  if (y > 0) atomicAdd(&out[i - w], 1);
  if (y + 1 < h) atomicAdd(&out[i + w], 1);
}
PROGRAM(sandpile) {
  auto wanted = numbers(12 * 9, 7);
  Array<int> a(wanted), b(12 * 9), moved(1);
  for (int more = 1; more;) {
    CUDA(cudaMemcpy(b, a, 12 * 9 * sizeof(int), cudaMemcpyDeviceToDevice));
    topple<<<1, dim3(12, 9)>>>(b, a, moved.zero(), 12, 9);
    more = moved.host()[0];
  }
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < 108; ++i) {
      if (wanted[i] < 4) continue;
      more = true;
      wanted[i] -= 4;
      if (i % 12 > 0) ++wanted[i - 1];
      if (i % 12 < 11) ++wanted[i + 1];
      if (i >= 12) ++wanted[i - 12];
      if (i < 96) ++wanted[i + 12];
    }
  }
  return a.host() == wanted;
}
}  // namespace sandpile

/// The mask lies in constant memory.
namespace constant_mask {
__constant__ float mask[5];
__global__ void convolve(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 5; ++k)
    if (i + k - 2 >= 0 && i + k - 2 < n) sum += mask[k] * in[i + k - 2];
  if (i < n) out[i] = sum;
}
PROGRAM(constant_mask) {
  const float m[] = {1, 4, 6, 4, 1};
  CUDA(cudaMemcpyToSymbol(mask, m, sizeof m));
  const auto in = numbers<float>(150, 100);
  Grid wanted(150);
  for (int i = 0; i < 150; ++i)
    for (int k = 0; k < 5; ++k) wanted[i] += i + k - 2 >= 0 && i + k - 2 < 150 ? m[k] * in[i + k - 2] : 0;
  Array<float> a(in), out(150);
  convolve<<<3, 64>>>(a, out, 150);
  return out.host() == wanted;
}
}  // namespace constant_mask

/// Rows, then columns, with a buffer between them of which the second reads all.
namespace separable_blur {
template <bool Rows>
__global__ void blur(const int* in, int* out, int w, int h, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0;
  for (int d = -radius; d <= radius; ++d) {
    const int sx = Rows ? min(max(x + d, 0), w - 1) : x, sy = Rows ? y : min(max(y + d, 0), h - 1);
    sum += in[sy * w + sx];
  }
  out[y * w + x] = sum;
}
PROGRAM(separable_blur) {
  const auto in = numbers(45 * 33, 256);
  Array<int> a(in), b(45 * 33), c(45 * 33);
  blur<true><<<dim3(3, 5), dim3(16, 8)>>>(a, b, 45, 33, 3);
  blur<false><<<dim3(3, 5), dim3(16, 8)>>>(b, c, 45, 33, 3);
  std::vector<int> wanted(45 * 33);
  for (int i = 0; i < 45 * 33; ++i)
    for (int dy = -3; dy <= 3; ++dy)
      for (int dx = -3; dx <= 3; ++dx)
        wanted[i] += in[std::clamp(i / 45 + dy, 0, 32) * 45 + std::clamp(i % 45 + dx, 0, 44)];
  return c.host() == wanted;
}
}  // namespace separable_blur

/// A window that slides along a row: what comes in is added, what goes out taken away.
namespace sliding_sum {
__global__ void sums(const int* in, int* out, int w, int window) {
  const int* row = in + threadIdx.x * w;
  int sum = 0;
  for (int x = 0; x < w; ++x) {
    sum += row[x];
    if (x >= window) sum -= row[x - window];
    out[threadIdx.x * w + x] = sum;
  }
}
PROGRAM(sliding_sum) {
  const auto in = numbers(20 * 50, 100);
  Array<int> a(in), out(20 * 50);
  sums<<<1, 20>>>(a, out, 50, 7);
  std::vector<int> wanted(20 * 50);
  for (int i = 0; i < 1000; ++i)
    for (int d = 0; d < 7 && d <= i % 50; ++d) wanted[i] += in[i - d];
  return out.host() == wanted;
}
}  // namespace sliding_sum

/// The median of nine, sorted in registers.
namespace median {
__global__ void filter(const unsigned char* in, unsigned char* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned char v[9];
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h) v[n++] = in[(y + dy) * w + x + dx];
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0 && v[j - 1] > v[j]; --j) {
      const unsigned char held = v[j];
      v[j] = v[j - 1];
      v[j - 1] = held;
    }
  out[y * w + x] = v[n / 2];
}
PROGRAM(median) {
  const auto in = numbers<unsigned char>(30 * 20, 256);
  Array<unsigned char> a(in), out(30 * 20);
  filter<<<dim3(2, 3), dim3(16, 8)>>>(a, out, 30, 20);
  Bytes wanted(600);
  for (int i = 0; i < 600; ++i) {
    Bytes v;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int x = i % 30 + dx, y = i / 30 + dy;
        if (x >= 0 && x < 30 && y >= 0 && y < 20) v.push_back(in[y * 30 + x]);
      }
    std::sort(v.begin(), v.end());
    wanted[i] = v[v.size() / 2];
  }
  return out.host() == wanted;
}
}  // namespace median

/// Grey, edges and a threshold: three kernels over buffers of bytes.
namespace edges {
__global__ void grey(const uchar3* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (in[i].x * 77 + in[i].y * 150 + in[i].z * 29) >> 8;
}
__global__ void sobel(const unsigned char* in, unsigned char* out, int w, int h, int threshold) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x >= w) return;
  int across = 0, along = 0;
  if (x > 0 && x + 1 < w && y > 0 && y + 1 < h) {
    const unsigned char *a = in + (y - 1) * w + x, *b = a + w, *c = b + w;
    across = a[1] + 2 * b[1] + c[1] - a[-1] - 2 * b[-1] - c[-1];
    along = c[-1] + 2 * c[0] + c[1] - a[-1] - 2 * a[0] - a[1];
  }
  out[y * w + x] = abs(across) + abs(along) > threshold;
}
PROGRAM(edges) {
  constexpr int w = 50, h = 24;
  std::vector<uchar3> in(w * h);
  Bytes g(w * h), wanted(w * h);
  for (int i = 0; i < w * h; ++i) {
    in[i] = make_uchar3(i % w * 5, i / w * 10, (i * i) % 256);
    g[i] = (in[i].x * 77 + in[i].y * 150 + in[i].z * 29) >> 8;
  }
  for (int y = 1; y + 1 < h; ++y)
    for (int x = 1; x + 1 < w; ++x) {
      const unsigned char *a = &g[(y - 1) * w + x], *b = a + w, *c = b + w;
      wanted[y * w + x] = std::abs(a[1] + 2 * b[1] + c[1] - a[-1] - 2 * b[-1] - c[-1]) +
                              std::abs(c[-1] + 2 * c[0] + c[1] - a[-1] - 2 * a[0] - a[1]) > 100;
    }
  Array<uchar3> colours(in);
  Array<unsigned char> a(w * h), b(w * h);
  grey<<<10, 128>>>(colours, a, w * h);
  sobel<<<h, 64>>>(a, b, w, h, 100);
  return b.host() == wanted;
}
}  // namespace edges

/// Mirrored in place: each thread of the left half swaps two.
namespace mirrored {
__global__ void mirror(unsigned char* image, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w / 2) return;
  unsigned char *a = image + y * w + x, *b = image + y * w + w - 1 - x;
  const unsigned char held = *a;
  *a = *b;
  *b = held;
}
PROGRAM(mirrored) {
  auto in = numbers<unsigned char>(45 * 10, 256);
  Array<unsigned char> image(in);
  mirror<<<dim3(1, 10), 32>>>(image, 45, 10);
  for (int y = 0; y < 10; ++y) std::reverse(in.begin() + 45 * y, in.begin() + 45 * y + 45);
  return image.host() == in;
}
}  // namespace mirrored

/// Equalised: a histogram, its sum so far, and a table, in one block.
namespace equalised {
__global__ void equalise(unsigned char* image, int n) {
  __shared__ int bins[256], sums[256];
  const int t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  for (int i = t; i < n; i += 256) atomicAdd(&bins[image[i]], 1);
  __syncthreads();
  int sum = 0;
  for (int b = 0; b <= t; ++b) sum += bins[b];
  sums[t] = sum * 255 / n;
  __syncthreads();
  for (int i = t; i < n; i += 256) image[i] = sums[image[i]];
}
PROGRAM(equalised) {
  auto in = numbers<unsigned char>(1500, 90);
  Array<unsigned char> image(in);
  equalise<<<1, 256>>>(image, 1500);
  const auto old = in;
  for (auto& v : in) v = std::count_if(old.begin(), old.end(), [&](unsigned char o) { return o <= v; }) * 255 / 1500;
  return image.host() == in;
}
}  // namespace equalised
