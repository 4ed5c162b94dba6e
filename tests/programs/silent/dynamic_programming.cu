// Tables that are filled in an order, and strings.
#include "silent.cuh"

static std::vector<char> text_of(int n, int letters, unsigned seed) {
  auto t = numbers<char>(n, letters, seed);
  for (char& c : t) c += 'a';
  return t;
}

/// Diagonal after diagonal, a launch each.
namespace common_subsequence {
__global__ void diagonal(const char* a, const char* b, int* table, int m, int n, int d) {
  const int i = max(1, d - n) + blockIdx.x * blockDim.x + threadIdx.x, j = d - i;
  if (i > m || j < 1) return;
  const int w = n + 1;
  table[i * w + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * w + j - 1] + 1 : max(table[(i - 1) * w + j], table[i * w + j - 1]);
}
PROGRAM(common_subsequence) {
  const int m = 45, n = 60;
  const auto a = text_of(m, 4, 1), b = text_of(n, 4, 2);
  Array<char> da(a), db(b);
  Array<int> table((m + 1) * (n + 1));
  table.zero();
  for (int d = 2; d <= m + n; ++d) diagonal<<<2, 32>>>(da, db, table, m, n, d);
  std::vector<int> wanted((m + 1) * (n + 1));
  for (int i = 1; i <= m; ++i)
    for (int j = 1; j <= n; ++j)
      wanted[i * (n + 1) + j] = a[i - 1] == b[j - 1] ? wanted[(i - 1) * (n + 1) + j - 1] + 1
                                                     : std::max(wanted[(i - 1) * (n + 1) + j], wanted[i * (n + 1) + j - 1]);
  return table.host() == wanted;
}
}  // namespace common_subsequence

/// Three diagonals in shared memory, one of which is always the next.
namespace edit_distance {
__global__ void distance(const char* a, const char* b, int* out, int m, int n) {
  __shared__ int line[3][64];
  const int i = threadIdx.x;
  for (int d = 0; d <= m + n; ++d) {
    const int j = d - i;
    if (i <= m && j >= 0 && j <= n) {
      const int *before = line[(d + 2) % 3], *two = line[(d + 1) % 3];
      int best;
      if (i == 0 || j == 0)
        best = i + j;
      else
        best = min(min(before[i - 1], before[i]) + 1, two[i - 1] + (a[i - 1] != b[j - 1]));
      line[d % 3][i] = best;
      if (i == m && j == n) *out = best;
    }
    __syncthreads();
  }
}
PROGRAM(edit_distance) {
  const int m = 50, n = 41;
  const auto a = text_of(m, 4, 1), b = text_of(n, 4, 5);
  Array<char> da(a), db(b);
  Array<int> out(1);
  distance<<<1, 64>>>(da, db, out, m, n);
  std::vector<std::vector<int>> t(m + 1, std::vector<int>(n + 1));
  for (int i = 0; i <= m; ++i)
    for (int j = 0; j <= n; ++j)
      t[i][j] = i == 0 || j == 0 ? i + j : std::min({t[i - 1][j] + 1, t[i][j - 1] + 1, t[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
  return out.host()[0] == t[m][n];
}
}  // namespace edit_distance

/// Local alignment by a warp: the column of each lane is handed on by shuffles, the best goes to atomicMax.
namespace local_alignment {
__global__ void align(const char* a, const char* b, int* best, int n) {
  const int lane = threadIdx.x;
  const char mine = a[lane];
  int up = 0, here = 0, corner = 0, most = 0;
  for (int step = 0; step < n + 31; ++step) {
    const int j = step - lane;
    const int left = __shfl_up_sync(~0u, here, 1);
    if (j >= 0 && j < n) {
      const int from_left = lane == 0 ? 0 : left;
      here = max(max(0, corner + (mine == b[j] ? 3 : -1)), max(up, from_left) - 2);
      corner = from_left;
      up = here;
      most = max(most, here);
    }
  }
  most = __reduce_max_sync(~0u, most);
  if (lane == 0) atomicMax(best, most);
}
PROGRAM(local_alignment) {
  const int n = 70;
  const auto a = text_of(32, 4, 3), b = text_of(n, 4, 9);
  Array<char> da(a), db(b);
  Array<int> best(1);
  align<<<1, 32>>>(da, db, best.zero(), n);
  std::vector<std::vector<int>> t(33, std::vector<int>(n + 1));
  int wanted = 0;
  for (int i = 1; i <= 32; ++i)
    for (int j = 1; j <= n; ++j) {
      t[i][j] = std::max({0, t[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3 : -1), t[i - 1][j] - 2, t[i][j - 1] - 2});
      wanted = std::max(wanted, t[i][j]);
    }
  return best.host()[0] == wanted;
}
}  // namespace local_alignment

/// One row a thing, from row to row.
namespace knapsack {
__global__ void take(const int* before, int* after, int weight, int value, int room) {
  for (int w = threadIdx.x; w <= room; w += blockDim.x)
    after[w] = w >= weight ? max(before[w], before[w - weight] + value) : before[w];
}
PROGRAM(knapsack) {
  const auto weights = numbers(15, 20), values = numbers(15, 50, 3);
  Array<int> a(101), b(101);
  std::vector<int> wanted(101);
  int *from = a.zero(), *to = b;
  for (int k = 0; k < 15; ++k, std::swap(from, to)) {
    take<<<1, 64>>>(from, to, weights[k] + 1, values[k], 100);
    for (int w = 100; w > weights[k]; --w) wanted[w] = std::max(wanted[w], wanted[w - weights[k] - 1] + values[k]);
  }
  std::vector<int> got(101);
  CUDA(cudaMemcpy(got.data(), from, 404, cudaMemcpyDeviceToHost));
  return got == wanted;
}
}  // namespace knapsack

/// In place in shared memory: all read, meet, write, meet.
namespace coins {
__global__ void fewest(const int* coins, int kinds, int* out, int most) {
  extern __shared__ int best[];
  const int t = threadIdx.x;
  for (int v = t; v <= most; v += blockDim.x) best[v] = v == 0 ? 0 : 1 << 20;
  for (int round = 0; round < 12; ++round) {
    __syncthreads();
    int mine[4], n = 0;
    for (int v = t; v <= most; v += blockDim.x) {
      int b = best[v];
      for (int k = 0; k < kinds; ++k)
        if (v >= coins[k]) b = min(b, best[v - coins[k]] + 1);
      mine[n++] = b;
    }
    __syncthreads();
    n = 0;
    for (int v = t; v <= most; v += blockDim.x) best[v] = mine[n++];
  }
  for (int v = t; v <= most; v += blockDim.x) out[v] = best[v];  // its own ones: nobody else wrote them
}
PROGRAM(coins) {
  Array<int> kinds(std::vector<int>{1, 7, 10, 25}), out(101);
  fewest<<<1, 32, 101 * sizeof(int)>>>(kinds, 4, out, 100);
  std::vector<int> wanted(101, 1 << 20);
  wanted[0] = 0;
  for (int v = 1; v <= 100; ++v)
    for (int c : {1, 7, 10, 25})
      if (v >= c) wanted[v] = std::min(wanted[v], wanted[v - c] + 1);
  return out.host() == wanted;
}
}  // namespace coins

/// By length of the chain; the lower triangle of the table is never touched.
namespace matrix_chain {
__global__ void length(const long long* sizes, long long* cost, int n, int length) {
  const int i = threadIdx.x, j = i + length;
  if (j >= n) return;
  long long best = 1ll << 60;
  for (int k = i; k < j; ++k) best = min(best, cost[i * n + k] + cost[(k + 1) * n + j] + sizes[i] * sizes[k + 1] * sizes[j + 1]);
  cost[i * n + j] = best;
}
__global__ void diagonal(long long* cost, int n) { cost[threadIdx.x * (n + 1)] = 0; }
PROGRAM(matrix_chain) {
  constexpr int n = 20;
  auto sizes = numbers<long long>(n + 1, 50);
  for (auto& s : sizes) ++s;
  Array<long long> s(sizes), cost(n * n);
  diagonal<<<1, n>>>(cost, n);
  for (int l = 1; l < n; ++l) length<<<1, n>>>(s, cost, n, l);
  long long got = 0;
  CUDA(cudaMemcpy(&got, cost + n - 1, sizeof got, cudaMemcpyDeviceToHost));
  std::vector<std::vector<long long>> t(n, std::vector<long long>(n));
  for (int l = 1; l < n; ++l)
    for (int i = 0; i + l < n; ++i) {
      t[i][i + l] = 1ll << 60;
      for (int k = i; k < i + l; ++k) t[i][i + l] = std::min(t[i][i + l], t[i][k] + t[k + 1][i + l] + sizes[i] * sizes[k + 1] * sizes[i + l + 1]);
    }
  return got == t[0][n - 1];
}
}  // namespace matrix_chain

/// The likeliest way through hidden states: a block a step would do, here one block and a barrier a step.
namespace viterbi {
__global__ void decode(const float* emit, const float* change, const int* seen, unsigned char* back, int* path, int steps) {
  __shared__ float score[2][16];
  const int s = threadIdx.x;
  score[0][s] = emit[s * 4 + seen[0]];
  for (int t = 1; t < steps; ++t) {
    __syncthreads();
    const float* before = score[(t + 1) % 2];
    int best = 0;
    for (int p = 1; p < 16; ++p)
      if (before[p] + change[p * 16 + s] > before[best] + change[best * 16 + s]) best = p;
    score[t % 2][s] = before[best] + change[best * 16 + s] + emit[s * 4 + seen[t]];
    back[t * 16 + s] = best;
  }
  __syncthreads();
  if (s != 0) return;
  int at = 0;
  for (int p = 1; p < 16; ++p)
    if (score[(steps + 1) % 2][p] > score[(steps + 1) % 2][at]) at = p;
  for (int t = steps - 1; t >= 0; --t) {
    path[t] = at;
    if (t > 0) at = back[t * 16 + at];
  }
}
PROGRAM(viterbi) {
  const int steps = 30;
  const auto emit = numbers<float>(64, 1000), change = numbers<float>(256, 1000, 3);
  const auto seen = numbers(steps, 4, 5);
  Array<float> e(emit), c(change);
  Array<int> o(seen), path(steps);
  Array<unsigned char> back(steps * 16);
  decode<<<1, 16>>>(e, c, o, back, path, steps);
  std::vector<float> score(16);
  std::vector<std::vector<int>> from(steps, std::vector<int>(16));
  for (int s = 0; s < 16; ++s) score[s] = emit[s * 4 + seen[0]];
  for (int t = 1; t < steps; ++t) {
    std::vector<float> next(16);
    for (int s = 0; s < 16; ++s) {
      int best = 0;
      for (int p = 1; p < 16; ++p)
        if (score[p] + change[p * 16 + s] > score[best] + change[best * 16 + s]) best = p;
      next[s] = score[best] + change[best * 16 + s] + emit[s * 4 + seen[t]];
      from[t][s] = best;
    }
    score = next;
  }
  int at = std::max_element(score.begin(), score.end()) - score.begin();
  const auto got = path.host();
  for (int t = steps - 1; t >= 0; at = from[t][at], --t)
    if (got[t] != at) return false;
  return true;
}
}  // namespace viterbi

/// Every place at once.
namespace search_everywhere {
__global__ void find(const char* text, int n, const char* word, int m, int* count, int* first) {
  extern __shared__ char w[];
  for (int k = threadIdx.x; k < m; k += blockDim.x) w[k] = word[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + m > n) return;
  for (int k = 0; k < m; ++k)
    if (text[i + k] != w[k]) return;
  atomicAdd(count, 1);
  atomicMin(first, i);
}
PROGRAM(search_everywhere) {
  const auto text = text_of(500, 3, 1);
  Array<char> t(text), w(std::vector<char>(text.begin() + 200, text.begin() + 204));
  Array<int> count(1), first(std::vector<int>{1 << 20});
  find<<<4, 128, 4>>>(t, 500, w, 4, count.zero(), first);
  int many = 0, least = 1 << 20;
  for (int i = 0; i + 4 <= 500; ++i)
    if (std::equal(text.begin() + i, text.begin() + i + 4, text.begin() + 200)) ++many, least = std::min(least, i);
  return count.host()[0] == many && first.host()[0] == least;
}
}  // namespace search_everywhere

/// Knuth, Morris and Pratt, a piece of the text each, with an overlap that two read.
namespace search_in_pieces {
__global__ void find(const char* text, int n, const char* word, const int* fail, int m, int piece, unsigned char* hits) {
  const int first = threadIdx.x * piece, end = min(n, first + piece + m - 1);
  for (int i = first, k = 0; i < end; ++i) {
    while (k > 0 && text[i] != word[k]) k = fail[k - 1];
    if (text[i] == word[k]) ++k;
    if (k == m) {
      hits[i - m + 1] = 1;
      k = fail[k - 1];
    }
  }
}
PROGRAM(search_in_pieces) {
  const auto text = text_of(600, 2, 4);
  const std::vector<char> word(text.begin() + 100, text.begin() + 106);
  std::vector<int> fail(6);
  for (int i = 1, k = 0; i < 6; ++i) {
    while (k > 0 && word[i] != word[k]) k = fail[k - 1];
    fail[i] = k += word[i] == word[k];
  }
  Array<char> t(text), w(word);
  Array<int> f(fail);
  Array<unsigned char> hits(600);
  find<<<1, 32>>>(t, 600, w, f, 6, 19, hits.zero());
  const auto got = hits.host();
  for (int i = 0; i < 600; ++i)
    if (got[i] != (i + 6 <= 600 && std::equal(word.begin(), word.end(), text.begin() + i))) return false;
  return true;
}
}  // namespace search_in_pieces

/// Rolling sums of hashes, compared before the letters are.
namespace search_by_hash {
__global__ void find(const char* text, const char* word, int n, int m, int* count) {
  __shared__ unsigned wanted;
  if (threadIdx.x == 0) {
    unsigned h = 0;
    for (int k = 0; k < m; ++k) h = h * 31 + word[k];
    wanted = h;
  }
  __syncthreads();
  const int from = threadIdx.x * 16;
  unsigned h = 0, high = 1;
  for (int k = 0; k < m; ++k) {
    h = from + k < n ? h * 31 + text[from + k] : h;
    high *= k > 0 ? 31 : 1;
  }
  for (int i = from; i < from + 16 && i + m <= n; ++i) {
    if (h == wanted) {
      bool same = true;
      for (int k = 0; k < m; ++k) same = same && text[i + k] == word[k];
      if (same) atomicAdd(count, 1);
    }
    if (i + m < n) h = (h - text[i] * high) * 31 + text[i + m];
  }
}
PROGRAM(search_by_hash) {
  const auto text = text_of(500, 3, 8);
  Array<char> t(text), w(std::vector<char>(text.begin() + 77, text.begin() + 81));
  Array<int> count(1);
  find<<<1, 32>>>(t, w, 500, 4, count.zero());
  int many = 0;
  for (int i = 0; i + 4 <= 500; ++i) many += std::equal(text.begin() + i, text.begin() + i + 4, text.begin() + 77);
  return count.host()[0] == many;
}
}  // namespace search_by_hash

/// Words counted at their beginnings; the letter before the text is none.
namespace words {
__global__ void count(const char* text, int n, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool begins = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  const int many = __syncthreads_count(begins);
  if (threadIdx.x == 0) atomicAdd(total, many);
}
PROGRAM(words) {
  auto text = text_of(1000, 5, 2);
  for (char& c : text) c = c == 'a' ? ' ' : c;
  Array<char> t(text);
  Array<int> total(1);
  count<<<8, 128>>>(t, 1000, total.zero());
  int wanted = 0;
  for (int i = 0; i < 1000; ++i) wanted += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  return total.host()[0] == wanted;
}
}  // namespace words

/// A cipher, there and back, by a table in constant memory.
namespace cipher {
__constant__ unsigned char box[2][256];
__global__ void apply(unsigned char* text, int n, int way, unsigned char key) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (way == 0)
    text[i] = box[0][text[i] ^ static_cast<unsigned char>(key + i)];
  else
    text[i] = box[1][text[i]] ^ static_cast<unsigned char>(key + i);
}
PROGRAM(cipher) {
  unsigned char both[2][256];
  for (int i = 0; i < 256; ++i) {
    both[0][i] = i * 167 + 13;
    both[1][both[0][i]] = i;
  }
  CUDA(cudaMemcpyToSymbol(box, both, sizeof both));
  const auto in = numbers<unsigned char>(300, 256);
  Array<unsigned char> text(in);
  apply<<<3, 128>>>(text, 300, 0, 42);
  const bool changed = text.host() != in;
  apply<<<3, 128>>>(text, 300, 1, 42);
  return changed && text.host() == in;
}
}  // namespace cipher

/// Check sums of rows, each by a thread with a table that the block has made.
namespace check_sums {
__global__ void crc(const unsigned char* rows, unsigned* out, int n) {
  __shared__ unsigned table[256];
  for (int v = threadIdx.x; v < 256; v += blockDim.x) {
    unsigned c = v;
    for (int k = 0; k < 8; ++k) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[v] = c;
  }
  __syncthreads();
  unsigned c = ~0u;
  for (int i = 0; i < n; ++i) c = table[(c ^ rows[threadIdx.x * n + i]) & 255] ^ c >> 8;
  out[threadIdx.x] = ~c;
}
PROGRAM(check_sums) {
  std::vector<unsigned char> rows(48 * 9);
  for (int r = 0; r < 48; ++r)
    for (int i = 0; i < 9; ++i) rows[r * 9 + i] = '1' + i;
  rows[9] = 'x';
  Array<unsigned char> in(rows);
  Array<unsigned> out(48);
  crc<<<1, 48>>>(in, out, 9);
  const auto got = out.host();
  return got[0] == 0xcbf43926u && got[47] == 0xcbf43926u && got[1] != 0xcbf43926u;
}
}  // namespace check_sums

/// Three bytes become four letters; the last group is filled.
namespace base64 {
__global__ void encode(const unsigned char* in, char* out, int n) {
  const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const int g = threadIdx.x;
  if (g * 3 >= n) return;
  unsigned v = 0;
  for (int k = 0; k < 3; ++k) v = v << 8 | (g * 3 + k < n ? in[g * 3 + k] : 0);
  for (int k = 0; k < 4; ++k) out[g * 4 + k] = g * 3 + k > n ? '=' : letters[v >> (18 - 6 * k) & 63];
}
PROGRAM(base64) {
  const char *text = "silent control", *wanted = "c2lsZW50IGNvbnRyb2w=";
  Array<unsigned char> in(std::vector<unsigned char>(text, text + 14));
  Array<char> out(20);
  encode<<<1, 32>>>(in, out, 14);
  return out.host() == std::vector<char>(wanted, wanted + 20);
}
}  // namespace base64
