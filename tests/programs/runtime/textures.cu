// Texture objects and surface objects, read and compared with the guide's formulas on the host, and where the
// guide leaves something open with what an H100 does (2026-11-26). It runs on any card too (nvcc textures.cu):
// what is WRONG there is told with its values. The coordinates of filtered reads are whole multiples of 1/256 of
// a texel (in three dimensions of 1/16) and the texels small whole numbers: every sum is exact, in any order.
// With the argument `open` it shows what nobody has measured yet, beside what the simulator takes for it; with
// `freed`, `bounds` and `elements` a kernel makes a mistake.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}
#define MUST(call)                                                                                   \
  do {                                                                                               \
    const cudaError_t error = call;                                                                  \
    if (error != cudaSuccess) {                                                                      \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                               \
      std::exit(1);                                                                                  \
    }                                                                                                \
  } while (0)

enum Shape { k1D, k2D, k3D, k1DLayered, k2DLayered, kCube, kCubeLayered, k2DLod, k2DGrad };

template <class T>
__global__ void read(cudaTextureObject_t t, Shape shape, const float4* at, T* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float4 p = at[i];
  switch (shape) {
    case k1D: out[i] = tex1D<T>(t, p.x); break;
    case k2D: out[i] = tex2D<T>(t, p.x, p.y); break;
    case k3D: out[i] = tex3D<T>(t, p.x, p.y, p.z); break;
    case k1DLayered: out[i] = tex1DLayered<T>(t, p.x, int(p.w)); break;
    case k2DLayered: out[i] = tex2DLayered<T>(t, p.x, p.y, int(p.w)); break;
    case kCube: out[i] = texCubemap<T>(t, p.x, p.y, p.z); break;
    case kCubeLayered: out[i] = texCubemapLayered<T>(t, p.x, p.y, p.z, int(p.w)); break;
    case k2DLod: out[i] = tex2DLod<T>(t, p.x, p.y, 0.0f); break;
    case k2DGrad: out[i] = tex2DGrad<T>(t, p.x, p.y, make_float2(0, 0), make_float2(0, 0)); break;
  }
}
template <class T>
__global__ void fetch(cudaTextureObject_t t, const int* at, T* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = tex1Dfetch<T>(t, at[i]);
}
__global__ void gather(cudaTextureObject_t t, float x, float y, float4* out) {
  out[0] = tex2Dgather<float4>(t, x, y, 0);
  out[1] = tex2Dgather<float4>(t, x, y, 1);
}

/// `n` of T that both sides see.
template <class T>
struct Both {
  T* data = nullptr;
  explicit Both(int n) { MUST(cudaMallocManaged(&data, n * sizeof(T))); }
  ~Both() { cudaFree(data); }
};

template <class T>
std::vector<T> read_all(cudaTextureObject_t t, Shape shape, const std::vector<float4>& at) {
  const int n = int(at.size());
  Both<float4> places(n);
  Both<T> out(n);
  std::copy(at.begin(), at.end(), places.data);
  read<T><<<(n + 63) / 64, 64>>>(t, shape, places.data, out.data, n);
  MUST(cudaDeviceSynchronize());
  return std::vector<T>(out.data, out.data + n);
}

static void same(const char* what, const std::vector<float4>& at, const std::vector<float>& got, const std::function<float(float4)>& expected) {
  int bad = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const float want = expected(at[i]);
    if (got[i] == want) continue;
    if (++bad <= 5) std::printf("  %s at (%g, %g, %g, %g): %.9g, expected %.9g\n", what, at[i].x, at[i].y, at[i].z, at[i].w, got[i], want);
  }
  check(what, bad == 0);
}

// ---- the guide's formulas, and what the card makes of their weights ----

static int at_index(int i, int n, cudaTextureAddressMode mode) {  // -1: the border
  if (mode == cudaAddressModeWrap) return ((i % n) + n) % n;
  if (mode == cudaAddressModeMirror) {
    const int place = ((i % (2 * n)) + 2 * n) % (2 * n);
    return place < n ? place : 2 * n - 1 - place;
  }
  if (mode == cudaAddressModeBorder) return i < 0 || i >= n ? -1 : i;
  return std::min(std::max(i, 0), n - 1);
}
/// A texture of `extent` texels, of which texel() gives what they hold.
struct Model {
  int extent[3] = {1, 1, 1}, dimensions = 1;
  cudaTextureAddressMode mode = cudaAddressModeClamp;
  bool linear = false, normalized = false;
  float border = 0;
  std::function<float(int, int, int)> texel;

  float operator()(float4 p) const {
    const float coordinate[3] = {p.x, p.y, p.z};
    // A row is filtered as one of many, at y = 0: half of what is before the first row is in it.
    const int axes = linear ? std::max(dimensions, 2) : dimensions;
    int first[3] = {0, 0, 0}, second[3] = {0, 0, 0};  // second: how much of 256 the second texel weighs
    for (int d = 0; d < axes; ++d) {
      const double x = d >= dimensions ? 0 : normalized ? double(coordinate[d]) * extent[d] : coordinate[d];
      const double from = linear ? x - 0.5 : x;
      first[d] = int(std::floor(from));
      if (linear) second[d] = int((from - std::floor(from)) * 256);
    }
    double sum = 0;
    for (int corner = 0; corner < 1 << axes; ++corner) {
      int place[3] = {0, 0, 0};
      bool outside = false;
      for (int d = 0; d < axes; ++d) {
        place[d] = at_index(first[d] + (corner >> d & 1), extent[d], mode);
        outside = outside || place[d] < 0;
      }
      double weight = 0;  // inclusion and exclusion of the fractions' rounded products
      for (int set = 0; set < 1 << axes; ++set) {
        if ((set & corner) != corner) continue;
        int sign = 1, count = 0;
        double product = 256;
        for (int d = 0; d < axes; ++d) {
          if ((set >> d & 1) == 0) continue;
          product *= second[d] / 256.0;
          ++count;
          if ((corner >> d & 1) == 0) sign = -sign;
        }
        weight += sign * (count == 3 ? std::ceil(product - 0.5) : std::floor(product + 0.5));
      }
      if (weight != 0) sum += weight / 256 * (outside ? border : texel(place[0], place[1], place[2]));
    }
    return float(sum);
  }
};

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalized,
                                      cudaTextureReadMode read_mode = cudaReadModeElementType, float border = 0) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
  how.filterMode = filter;
  how.readMode = read_mode;
  how.normalizedCoords = normalized;
  for (float& channel : how.borderColor) channel = border;
  cudaTextureObject_t object = 0;
  MUST(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  return object;
}

/// Multiples of 1/256 of a texel around and beyond `n` of them, each dimension in steps of its own.
static std::vector<float4> places(const Model& m, int layers = 1) {
  std::vector<float4> result;
  const auto coordinate = [&](int d, int k) {
    const int n = m.extent[d];
    if (m.dimensions == 3) k -= k % 16;  // so that the result has no more digits than a float
    const float texels = float(k % (n * 768) - n * 256) / 256;  // from one width before to one width behind
    // Point reads stay away from the edges of texels, where one bit decides.
    const float inside = m.linear ? texels : std::floor(texels) + 0.25f;
    return m.normalized ? inside / float(n) : inside;
  };
  for (int i = 0; i < 600; ++i) {
    float4 p = make_float4(coordinate(0, i * 37), 0, 0, float(i % layers));
    if (m.dimensions > 1) p.y = coordinate(1, i * 101 + 7);
    if (m.dimensions > 2) p.z = coordinate(2, i * 59 + 3);
    result.push_back(p);
  }
  return result;
}

// ---- linear memory ----

template <class T>
static cudaTextureObject_t texture_of(const T* data, int n, cudaTextureReadMode read_mode) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<T*>(data);
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = n * sizeof(T);
  cudaTextureDesc how{};
  how.readMode = read_mode;
  cudaTextureObject_t object = 0;
  MUST(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  return object;
}
template <class T, class R>
static std::vector<R> fetch_all(const std::vector<T>& data, const std::vector<int>& at, cudaTextureReadMode mode = cudaReadModeElementType) {
  const int n = int(at.size());
  T* device = nullptr;
  MUST(cudaMalloc(&device, data.size() * sizeof(T)));
  MUST(cudaMemcpy(device, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
  const cudaTextureObject_t t = texture_of(device, int(data.size()), mode);
  Both<int> places(n);
  Both<R> out(n);
  std::copy(at.begin(), at.end(), places.data);
  fetch<R><<<1, 64>>>(t, places.data, out.data, n);
  MUST(cudaDeviceSynchronize());
  const std::vector<R> result(out.data, out.data + n);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFree(device));
  return result;
}

static void linear_memory() {
  const std::vector<float> floats = fetch_all<float, float>({1.5f, -2, 3e30f, -0.0f}, {3, 0, 2, 1, 4, -1, 1000});
  check("tex1Dfetch, zero beyond the end", floats == std::vector<float>({-0.0f, 1.5f, 3e30f, -2, 0, 0, 0}));
  const std::vector<int4> fours = fetch_all<int4, int4>({make_int4(1, 2, 3, 4), make_int4(-5, 6, -7, 8)}, {1, 0});
  check("int4", fours[0].x == -5 && fours[0].w == 8 && fours[1].y == 2);
  const std::vector<signed char> bytes = fetch_all<signed char, signed char>({-128, 127, -1}, {0, 1, 2});
  check("signed bytes", bytes[0] == -128 && bytes[1] == 127 && bytes[2] == -1);
  const std::vector<uchar4> colours = fetch_all<uchar4, uchar4>({make_uchar4(1, 200, 3, 255)}, {0});
  check("uchar4", colours[0].y == 200 && colours[0].w == 255);
  const std::vector<short2> pairs = fetch_all<short2, short2>({make_short2(-300, 300)}, {0});
  check("short2", pairs[0].x == -300 && pairs[0].y == 300);
  const std::vector<float> unit = fetch_all<unsigned char, float>({0, 51, 255}, {0, 1, 2}, cudaReadModeNormalizedFloat);
  check("bytes as floats in [0, 1]", unit == std::vector<float>({0, 51 / 255.0f, 1}));
  const std::vector<float> both = fetch_all<short, float>({-32768, -32767, 0, 32767}, {0, 1, 2, 3}, cudaReadModeNormalizedFloat);
  check("shorts as floats in [-1, 1]", both == std::vector<float>({-1, -1, 0, 1}));
}

// ---- arrays of every shape, read by textures ----

static float value_at(int x, int y, int z) { return float(8 * x + 64 * y + 512 * z - 100); }

static cudaArray_t filled(int w, int h, int d, unsigned flags = 0,
                          const std::function<float(int, int, int)>& texel = value_at) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  MUST(cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, h, d), flags));
  const int rows = std::max(h, 1), planes = std::max(d, 1);
  std::vector<float> host;
  for (int z = 0; z < planes; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < w; ++x) host.push_back(texel(x, y, z));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), w * sizeof(float), w, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, rows, planes);
  copy.kind = cudaMemcpyHostToDevice;
  MUST(cudaMemcpy3D(&copy));
  return array;
}

static void modes(const char* name, Shape shape, int w, int h, int d, int dimensions) {
  const char* const words[] = {"wrap", "clamp", "mirror", "border"};
  cudaArray_t array = filled(w, h, d);
  for (int linear = 0; linear < 2; ++linear) {
    for (int normalized = 0; normalized < 2; ++normalized) {
      for (int mode = 0; mode < 4; ++mode) {
        // Without normalized coordinates, wrap and mirror are clamp.
        Model m;
        m.extent[0] = w;
        m.extent[1] = std::max(h, 1);
        m.extent[2] = std::max(d, 1);
        m.dimensions = dimensions;
        m.linear = linear != 0;
        m.normalized = normalized != 0;
        m.border = 7;
        m.mode = !normalized && mode != cudaAddressModeBorder ? cudaAddressModeClamp : cudaTextureAddressMode(mode);
        m.texel = value_at;
        const cudaTextureObject_t t = texture_of(array, cudaTextureAddressMode(mode), linear ? cudaFilterModeLinear : cudaFilterModePoint,
                                                 normalized != 0, cudaReadModeElementType, 7);
        const std::vector<float4> at = places(m);
        char what[100];
        std::snprintf(what, sizeof what, "%s %s %s %s", name, linear ? "linear" : "point", normalized ? "normalized" : "plain", words[mode]);
        same(what, at, read_all<float>(t, shape, at), m);
        MUST(cudaDestroyTextureObject(t));
      }
    }
  }
  MUST(cudaFreeArray(array));
}

static void layers() {
  Model m;
  m.extent[0] = 8;
  m.extent[1] = 4;
  m.linear = true;
  m.texel = value_at;
  for (int dimensions = 1; dimensions < 3; ++dimensions) {
    m.dimensions = dimensions;
    cudaArray_t array = filled(8, dimensions == 1 ? 0 : 4, 5, cudaArrayLayered);
    const cudaTextureObject_t t = texture_of(array, cudaAddressModeClamp, cudaFilterModeLinear, false);
    const std::vector<float4> at = places(m, 5);
    same(dimensions == 1 ? "layers of 1D" : "layers of 2D", at, read_all<float>(t, dimensions == 1 ? k1DLayered : k2DLayered, at), [&](float4 p) {
      Model layer = m;
      layer.texel = [&](int x, int y, int) { return value_at(x, y, int(p.w)); };
      return layer(p);
    });
    MUST(cudaDestroyTextureObject(t));
    MUST(cudaFreeArray(array));
  }
}

static void cubes() {
  // Into the middle of texel (x, y) of each face of 4 x 4: no face's edge is near.
  std::vector<float4> at;
  std::vector<int> faces, xs, ys;
  for (int face = 0; face < 6; ++face) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 4; ++x) {
        const float s = (x - 1.5f) / 2, t = (y - 1.5f) / 2;  // of [-1, 1]
        const float4 table[6] = {make_float4(1, -t, -s, 0),  make_float4(-1, -t, s, 0), make_float4(s, 1, t, 0),
                                 make_float4(s, -1, -t, 0), make_float4(s, -t, 1, 0),  make_float4(-s, -t, -1, 0)};
        float4 p = table[face];
        p.x *= 3, p.y *= 3, p.z *= 3;
        p.w = float((x + y) % 2);
        at.push_back(p);
        faces.push_back(face), xs.push_back(x), ys.push_back(y);
      }
    }
  }
  for (int layered = 0; layered < 2; ++layered) {
    cudaArray_t array = filled(4, 4, layered ? 12 : 6, layered ? cudaArrayCubemap | cudaArrayLayered : cudaArrayCubemap);
    const cudaTextureObject_t t = texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, true);
    std::size_t next = 0;
    same(layered ? "layers of cubemaps" : "cubemap", at, read_all<float>(t, layered ? kCubeLayered : kCube, at), [&](float4 p) {
      const std::size_t i = next++;
      return value_at(xs[i], ys[i], faces[i] + (layered ? 6 * int(p.w) : 0));
    });
    MUST(cudaDestroyTextureObject(t));
    MUST(cudaFreeArray(array));
  }
}

static void other_elements() {
  // Halves are read as floats; bytes are filtered as floats.
  const cudaChannelFormatDesc halves = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array = nullptr;
  MUST(cudaMallocArray(&array, &halves, 2));
  const unsigned short bits[2] = {0x3E00, 0xC500};  // 1.5, -5
  MUST(cudaMemcpy2DToArray(array, 0, 0, bits, sizeof bits, sizeof bits, 1, cudaMemcpyHostToDevice));
  cudaTextureObject_t t = texture_of(array, cudaAddressModeClamp, cudaFilterModeLinear, false);
  const std::vector<float4> at = {make_float4(0.5f, 0, 0, 0), make_float4(1, 0, 0, 0), make_float4(1.5f, 0, 0, 0)};
  check("halves", read_all<float>(t, k1D, at) == std::vector<float>({1.5f, -1.75f, -5}));
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(array));

  const cudaChannelFormatDesc colours = cudaCreateChannelDesc<uchar4>();
  MUST(cudaMallocArray(&array, &colours, 2, 1));
  const uchar4 pixels[2] = {make_uchar4(0, 255, 51, 255), make_uchar4(255, 255, 51, 0)};
  MUST(cudaMemcpy2DToArray(array, 0, 0, pixels, sizeof pixels, sizeof pixels, 1, cudaMemcpyHostToDevice));
  t = texture_of(array, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat);
  const float4 mixed = read_all<float4>(t, k2D, {make_float4(1, 0.5f, 0, 0)})[0];
  // In 16 bits, as on an H100 (2026-11-26).
  const std::vector<float4> channel = {make_float4(0, 0, 0, 0), make_float4(1, 0, 0, 0), make_float4(2, 0, 0, 0), make_float4(3, 0, 0, 0)};
  same("bytes filtered", channel, {mixed.x, mixed.y, mixed.z, mixed.w}, [](float4 c) { return c.x == 1 ? 1 : c.x == 2 ? 51 / 255.0f : 32768 / 65535.0f; });
  MUST(cudaDestroyTextureObject(t));
  t = texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  const float4 unmixed = read_all<float4>(t, k2D, {make_float4(1, 0.5f, 0, 0)})[0];
  check("bytes not filtered", unmixed.x == 1 && unmixed.y == 1 && unmixed.z == 51 / 255.0f && unmixed.w == 0);
  MUST(cudaDestroyTextureObject(t));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  how.filterMode = cudaFilterModePoint;
  MUST(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  const uchar4 plain = read_all<uchar4>(t, k2D, {make_float4(1.5f, 0.5f, 0, 0)})[0];
  check("bytes as they are", plain.x == 255 && plain.y == 255 && plain.z == 51 && plain.w == 0);
  cudaResourceDesc shown{};
  cudaTextureDesc shown_how{};
  MUST(cudaGetTextureObjectResourceDesc(&shown, t));
  MUST(cudaGetTextureObjectTextureDesc(&shown_how, t));
  check("what it was made of", shown.resType == cudaResourceTypeArray && shown.res.array.array == array && shown_how.filterMode == cudaFilterModePoint);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(array));

  // Memory of the program's, with a pitch.
  float* memory = nullptr;
  std::size_t pitch = 0;
  MUST(cudaMallocPitch(&memory, &pitch, 5 * sizeof(float), 3));
  float host[3][5];
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) host[y][x] = value_at(x, y, 0);
  MUST(cudaMemcpy2D(memory, pitch, host, sizeof host[0], sizeof host[0], 3, cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 5;
  resource.res.pitch2D.height = 3;
  resource.res.pitch2D.pitchInBytes = pitch;
  how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  MUST(cudaCreateTextureObject(&t, &resource, &how, nullptr));
  Model m;
  m.extent[0] = 5;
  m.extent[1] = 3;
  m.dimensions = 2;
  m.linear = true;
  m.texel = value_at;
  const std::vector<float4> around = places(m);
  same("pitched memory", around, read_all<float>(t, k2D, around), m);
  same("tex2DLod", around, read_all<float>(t, k2DLod, around), m);
  same("tex2DGrad", around, read_all<float>(t, k2DGrad, around), m);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFree(memory));
}

static void gathers() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float2>();
  cudaArray_t array = nullptr;
  MUST(cudaMallocArray(&array, &desc, 4, 4, cudaArrayTextureGather));
  float2 host[4][4];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) host[y][x] = make_float2(float(10 * y + x), float(-10 * y - x));
  MUST(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], 4, cudaMemcpyHostToDevice));
  const cudaTextureObject_t t = texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, false);
  Both<float4> out(2);
  gather<<<1, 1>>>(t, 2.0f, 3.0f, out.data);  // texels 1, 2 of rows 2, 3
  MUST(cudaDeviceSynchronize());
  const float4 a = out.data[0], b = out.data[1];
  if (a.x != 31 || a.y != 32 || a.z != 22 || a.w != 21) std::printf("  gather: %g %g %g %g, expected 31 32 22 21\n", a.x, a.y, a.z, a.w);
  check("gather", a.x == 31 && a.y == 32 && a.z == 22 && a.w == 21 && b.x == -31 && b.w == -21);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(array));
}

// ---- surfaces ----

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t object = 0;
  MUST(cudaCreateSurfaceObject(&object, &resource));
  return object;
}
__global__ void write_2d(cudaSurfaceObject_t s) {
  const int x = int(threadIdx.x), y = int(blockIdx.x);
  surf2Dwrite(float(100 * y + x), s, x * int(sizeof(float)), y);
}
__global__ void add_2d(cudaSurfaceObject_t s) {
  const int x = int(threadIdx.x), y = int(blockIdx.x);
  surf2Dwrite(surf2Dread<float>(s, x * 4, y) + 0.5f, s, x * 4, y);
  surf2Dwrite(-1.0f, s, -4, y, cudaBoundaryModeZero);  // left out
}
__global__ void read_around(cudaSurfaceObject_t s, float* out) {
  out[0] = surf2Dread<float>(s, -4, 1, cudaBoundaryModeZero);
  out[1] = surf2Dread<float>(s, 4000, 1, cudaBoundaryModeClamp);
  out[2] = surf2Dread<float>(s, -400, -5, cudaBoundaryModeClamp);
  const float2 two = surf2Dread<float2>(s, 8, 2);
  out[3] = two.x;
  out[4] = two.y;
}
__global__ void other_surfaces(cudaSurfaceObject_t row, cudaSurfaceObject_t volume, cudaSurfaceObject_t layers, cudaSurfaceObject_t cube, int* out) {
  surf1Dwrite(uchar4{1, 2, 3, 250}, row, 4);
  surf1Dwrite((unsigned char)(77), row, 1);
  surf3Dwrite(make_int4(1, -2, 3, -4), volume, 16, 1, 2);
  surf2DLayeredwrite(short(-9), layers, 2, 1, 3);
  surfCubemapwrite(5, cube, 4, 1, 4);
  const uchar4 bytes = surf1Dread<uchar4>(row, 4);
  out[0] = bytes.w;
  out[1] = surf1Dread<unsigned char>(row, 1);
  out[2] = surf3Dread<int4>(volume, 16, 1, 2).w;
  out[3] = surf2DLayeredread<short>(layers, 2, 1, 3);
  out[4] = surfCubemapread<int>(cube, 4, 1, 4);
  out[5] = surf2DLayeredread<short>(layers, 2, 1, 40, cudaBoundaryModeZero);
}
template <class T>
static cudaArray_t surface_array(int w, int h, int d, unsigned flags = 0) {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  MUST(cudaMalloc3DArray(&array, &desc, make_cudaExtent(w, h, d), flags | cudaArraySurfaceLoadStore));
  return array;
}

static void surfaces() {
  cudaArray_t array = surface_array<float>(16, 4, 0);
  const cudaSurfaceObject_t s = surface_of(array);
  write_2d<<<4, 16>>>(s);
  add_2d<<<4, 16>>>(s);
  float back[4][16];
  MUST(cudaMemcpy2DFromArray(back, sizeof back[0], array, 0, 0, sizeof back[0], 4, cudaMemcpyDeviceToHost));
  bool good = true;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 16; ++x) good = good && back[y][x] == 100 * y + x + 0.5f;
  check("surface written and read", good);
  const cudaTextureObject_t t = texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, false);
  check("read by a texture", read_all<float>(t, k2D, {make_float4(3.5f, 2.5f, 0, 0)})[0] == 203.5f);
  Both<float> around(5);
  read_around<<<1, 1>>>(s, around.data);
  MUST(cudaDeviceSynchronize());
  check("around a surface", around.data[0] == 0 && around.data[1] == 115.5f && around.data[2] == 0.5f && around.data[3] == 202.5f && around.data[4] == 203.5f);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaDestroySurfaceObject(s));
  MUST(cudaFreeArray(array));

  cudaArray_t of[4] = {surface_array<uchar4>(8, 0, 0), surface_array<int4>(3, 2, 3), surface_array<short>(4, 2, 4, cudaArrayLayered),
                       surface_array<int>(2, 2, 6, cudaArrayCubemap)};
  cudaSurfaceObject_t objects[4];
  for (int i = 0; i < 4; ++i) objects[i] = surface_of(of[i]);
  Both<int> out(6);
  other_surfaces<<<1, 1>>>(objects[0], objects[1], objects[2], objects[3], out.data);
  MUST(cudaDeviceSynchronize());
  check("surfaces of other shapes", out.data[0] == 250 && out.data[1] == 77 && out.data[2] == -4 && out.data[3] == -9 && out.data[4] == 5 && out.data[5] == 0);
  for (int i = 0; i < 4; ++i) {
    MUST(cudaDestroySurfaceObject(objects[i]));
    MUST(cudaFreeArray(of[i]));
  }
}

// ---- what the guide leaves open ----

static void expect(const char* what, float got, float want) {
  if (got != want) std::printf("%s: %.9g, expected %.9g\n", what, got, want);
  check(what, got == want);
}

static float one(cudaTextureObject_t t, Shape shape, float x, float y = 0, float z = 0, float w = 0) {
  return read_all<float>(t, shape, {make_float4(x, y, z, w)})[0];
}
static cudaArray_t array_of(const std::vector<float>& values) {
  return filled(int(values.size()), 0, 0, 0, [&](int x, int, int) { return values[x]; });
}

/// What an H100 does (2026-11-26).
static void edges() {
  cudaArray_t ramp = array_of({0, 256, 512, 768});
  cudaTextureObject_t t = texture_of(ramp, cudaAddressModeClamp, cudaFilterModeLinear, false);
  // Texels 0 and 256: the result is the fraction in 256ths.
  for (const float part : {0.25f, 0.499f, 0.5f, 0.501f, 0.75f, 1.5f, 2.5f, 127.5f, 254.5f, 255.25f, 255.5f, 255.75f}) {
    char what[60];
    std::snprintf(what, sizeof what, "fraction %.3f / 256", part);
    expect(what, one(t, k1D, 0.5f + part / 256), std::floor(part + 0.5f));
  }
  expect("a coordinate that is no number", one(t, k1D, NAN), 0);
  expect("infinity", one(t, k1D, INFINITY), 768);
  MUST(cudaDestroyTextureObject(t));
  t = texture_of(ramp, cudaAddressModeMirror, cudaFilterModePoint, true);
  expect("mirror, point, at exactly 1.25 (texel 3 or 2)", one(t, k1D, 1.25f), 512);
  expect("mirror, point, at exactly -0.25 (texel 0 or 1)", one(t, k1D, -0.25f), 0);
  MUST(cudaDestroyTextureObject(t));
  t = texture_of(ramp, cudaAddressModeWrap, cudaFilterModePoint, true);
  expect("wrap, point, at -1e-9 (texel 3 or 0)", one(t, k1D, -1e-9f), 768);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(ramp));

  // Where weights are rounded, and where a row has another one before it, shows at the border.
  const auto at_border = [](const char* what, Shape shape, int w, int h, int d, const std::vector<float4>& at, const std::vector<float>& card) {
    cudaArray_t array = filled(w, h, d);
    const cudaTextureObject_t plain = texture_of(array, cudaAddressModeBorder, cudaFilterModeLinear, false, cudaReadModeElementType, 7);
    std::size_t next = 0;
    same(what, at, read_all<float>(plain, shape, at), [&](float4) { return card[next++]; });
    MUST(cudaDestroyTextureObject(plain));
    MUST(cudaFreeArray(array));
  };
  const auto p = [](float x, float y = 0, float z = 0) { return make_float4(x, y, z, 0); };
  at_border("numbers of a card, 1D", k1D, 8, 0, 0, {p(-0.484375f), p(-0.33984375f), p(-0.1953125f), p(-0.05078125f), p(0.09375f)},
            {6.1640625f, -1.77734375f, -9.30078125f, -17.2421875f, -24.765625f});
  at_border("numbers of a card, 2D", k2D, 8, 4, 0,
            {p(2.1171875f, -0.35546875f), p(2.26171875f, 0.0390625f), p(2.40625f, 0.43359375f), p(3.5625f, 3.58984375f), p(3.70703125f, 3.984375f)},
            {-6.58984375f, -43.0859375f, -78.64453125f, 106.67578125f, 64.046875f});
  at_border("numbers of a card, 3D", k3D, 4, 8, 2,
            {p(3.625f, 6.375f, 0.4375f), p(4.0625f, 7.5625f, 1.125f), p(4.375f, 8.375f, 1.625f), p(-0.125f, 4.875f, 1.5625f), p(0, 5.3125f, 1.8125f)},
            {247.4140625f, 288.70703125f, 20.703125f, 247.8828125f, 252.21875f});

  cudaArray_t third = array_of({1.0f / 3, 2.0f / 3});
  t = texture_of(third, cudaAddressModeClamp, cudaFilterModeLinear, false);
  for (const int k : {1, 85, 128, 200}) {
    char what[60];
    std::snprintf(what, sizeof what, "blending 1/3 and 2/3 with %d / 256", k);
    expect(what, one(t, k1D, 0.5f + k / 256.0f), float((double(1.0f / 3) * (256 - k) + double(2.0f / 3) * k) / 256));
  }
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(third));
  cudaArray_t odd = array_of({INFINITY, 1, NAN, 1});
  t = texture_of(odd, cudaAddressModeClamp, cudaFilterModeLinear, false);
  expect("a texel of weight 0 that is infinite", one(t, k1D, 1.5f), 1);
  expect("1 and infinity, half each", one(t, k1D, 1.0f), INFINITY);
  MUST(cudaDestroyTextureObject(t));
  const std::vector<float4> spots = {make_float4(1.5f, 0.5f, 0, 0)};
  t = texture_of(odd, cudaAddressModeClamp, cudaFilterModePoint, false);
  const float4 channels = read_all<float4>(t, k1D, spots)[0];
  expect("the second channel of one", channels.y, 0);
  expect("the third channel of one", channels.z, 0);
  expect("the fourth channel of one", channels.w, 0);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(odd));

  std::vector<unsigned char> bytes(256);
  std::vector<unsigned short> shorts(65536);
  std::vector<int> at(65536);
  for (int i = 0; i < 65536; ++i) {
    if (i < 256) bytes[i] = (unsigned char)(i);
    shorts[i] = (unsigned short)(i);
    at[i] = i;
  }
  int differ = 0;
  const std::vector<float> from_bytes = fetch_all<unsigned char, float>(bytes, std::vector<int>(at.begin(), at.begin() + 64), cudaReadModeNormalizedFloat);
  for (int i = 0; i < 64; ++i) differ += from_bytes[i] != i / 255.0f;
  expect("how many of 64 bytes are not their quotient rounded to nearest", float(differ), 0);
  const std::vector<float> from_shorts = fetch_all<unsigned short, float>(shorts, {1, 2, 3, 1000, 12345, 40000, 65534}, cudaReadModeNormalizedFloat);
  for (const int i : {0, 3, 4, 5}) {
    const int values[] = {1, 2, 3, 1000, 12345, 40000, 65534};
    expect("a short as a float", from_shorts[i], float(values[i] / 65535.0));
  }

  cudaArray_t stack = filled(4, 4, 3, cudaArrayLayered);
  t = texture_of(stack, cudaAddressModeClamp, cudaFilterModePoint, false);
  expect("layer -1", one(t, k2DLayered, 0.5f, 0.5f, 0, -1), value_at(0, 0, 2));
  expect("layer 99 of 3", one(t, k2DLayered, 0.5f, 0.5f, 0, 99), value_at(0, 0, 2));
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(stack));
  cudaArray_t cube = filled(4, 4, 6, cudaArrayCubemap);
  t = texture_of(cube, cudaAddressModeClamp, cudaFilterModePoint, true);
  expect("cubemap, direction (1, 1, 0)", one(t, kCube, 1, 1, 0), value_at(3, 2, 2));
  expect("cubemap, direction (1, 0, 1)", one(t, kCube, 1, 0, 1), value_at(3, 2, 4));
  expect("cubemap, direction (0, 1, 1)", one(t, kCube, 0, 1, 1), value_at(2, 0, 4));
  expect("cubemap, direction (0, 0, 0)", one(t, kCube, 0, 0, 0), value_at(2, 2, 4));
  MUST(cudaDestroyTextureObject(t));
  // 129 of 256 are the first texel of a row; the rest is the last one, or the first once more.
  const float begin = (value_at(0, 1, 0) + value_at(0, 2, 0)) / 2, end = (value_at(3, 1, 0) + value_at(3, 2, 0)) / 2;
  t = texture_of(cube, cudaAddressModeWrap, cudaFilterModeLinear, true);
  expect("cubemap filtered at a face's edge, wrap", one(t, kCube, 1, 0, 0.999f), (begin * 129 + end * 127) / 256);
  MUST(cudaDestroyTextureObject(t));
  t = texture_of(cube, cudaAddressModeClamp, cudaFilterModeLinear, true);
  expect("cubemap filtered at a face's edge, clamp", one(t, kCube, 1, 0, 0.999f), begin);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(cube));
}

static void errors() {
  cudaTextureObject_t t = 0;
  cudaArray_t numbers = nullptr;
  const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
  MUST(cudaMallocArray(&numbers, &ints, 4));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = numbers;
  cudaTextureDesc how{};
  how.filterMode = cudaFilterModeLinear;
  expect("linear filter of integers: error", float(cudaCreateTextureObject(&t, &resource, &how, nullptr)), float(cudaErrorInvalidFilterSetting));
  how = {};
  how.readMode = cudaReadModeNormalizedFloat;
  expect("32-bit integers as normalized floats: error", float(cudaCreateTextureObject(&t, &resource, &how, nullptr)), float(cudaErrorInvalidNormSetting));
  cudaSurfaceObject_t s = 0;
  expect("a surface of an array without the flag: error", float(cudaCreateSurfaceObject(&s, &resource)), float(cudaSuccess));
  MUST(cudaDestroySurfaceObject(s));
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  char* memory = nullptr;
  MUST(cudaMalloc(&memory, 4096));
  resource.res.linear.devPtr = memory + 4;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 64;
  how = {};
  expect("linear memory that is not aligned: error", float(cudaCreateTextureObject(&t, &resource, &how, nullptr)), float(cudaErrorInvalidValue));
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  cudaArray_t none = nullptr;
  expect("an array of three channels: error", float(cudaMallocArray(&none, &three, 4)), float(cudaErrorInvalidChannelDescriptor));
  MUST(cudaFree(memory));
  MUST(cudaFreeArray(numbers));
  cudaArray_t freed = numbers;
  expect("an array that was freed: error", float(cudaFreeArray(freed)), float(cudaErrorContextIsDestroyed));
}

// ---- what has not been measured: what is found, and what the simulator has ----

static void show(const char* what, float got, float simulator) {
  std::printf("%-58s %-14.9g simulator %-14.9g%s\n", what, got, simulator, got == simulator ? "" : "  DIFFERS");
}

/// What each texel of 2 x 2 x 2 weighs, of 256, at fractions of as many 256ths.
static void show_weights(int x, int y, int z, const std::vector<float>& simulator) {
  for (int corner = 0; corner < 8; ++corner) {
    cudaArray_t array = filled(2, 2, 2, 0, [&](int i, int j, int k) { return i + 2 * j + 4 * k == corner ? 256.0f : 0.0f; });
    const cudaTextureObject_t t = texture_of(array, cudaAddressModeClamp, cudaFilterModeLinear, false);
    char what[80];
    std::snprintf(what, sizeof what, "fractions %d, %d, %d / 256: weight of texel (%d, %d, %d)", x, y, z, corner & 1, corner >> 1 & 1, corner >> 2);
    show(what, one(t, k3D, 0.5f + x / 256.0f, 0.5f + y / 256.0f, 0.5f + z / 256.0f), simulator[corner]);
    MUST(cudaDestroyTextureObject(t));
    MUST(cudaFreeArray(array));
  }
}

static void open_questions() {
  show_weights(128, 128, 6, {63, 62, 62, 63, 1, 2, 2, 1});
  show_weights(37, 91, 200, {31, 5, 17, 3, 110, 19, 61, 10});
  show_weights(1, 128, 128, {64, 0, 63, 1, 63, 1, 64, 0});

  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t bytes = nullptr;
  MUST(cudaMallocArray(&bytes, &byte, 4));
  const unsigned char levels[4] = {0, 255, 51, 51};
  MUST(cudaMemcpy2DToArray(bytes, 0, 0, levels, 4, 4, 1, cudaMemcpyHostToDevice));
  cudaTextureObject_t t = texture_of(bytes, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat);
  for (const int k : {0, 1, 2, 3, 64, 128, 200, 255, 256}) {
    char what[60];
    std::snprintf(what, sizeof what, "bytes 0 and 255 filtered with %d / 256", k);
    show(what, one(t, k1D, 0.5f + k / 256.0f), float(std::floor(k / 256.0 * 65535 + 0.5) / 65535));
  }
  show("bytes 255 and 51, half each", one(t, k1D, 2), float(153 / 255.0));
  show("bytes 51 and 51, half each", one(t, k1D, 3), float(51 / 255.0));
  MUST(cudaDestroyTextureObject(t));
  t = texture_of(bytes, cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeElementType);
  show("the fourth channel of one byte", float(read_all<uchar4>(t, k1D, {make_float4(1.5f, 0, 0, 0)})[0].w), 0);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(bytes));

  cudaArray_t rows = filled(8, 4, 0);
  t = texture_of(rows, cudaAddressModeWrap, cudaFilterModeLinear, true);
  show("tex1D() of four rows that are wrapped: rows 3 and 0", one(t, k1D, 0.5f / 8), (value_at(0, 0, 0) + value_at(0, 3, 0)) / 2);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(rows));
  cudaArray_t lines = filled(8, 0, 3, cudaArrayLayered);
  t = texture_of(lines, cudaAddressModeBorder, cudaFilterModeLinear, false, cudaReadModeElementType, 7);
  show("layers of 1D, filtered with a border of 7", one(t, k1DLayered, 1.5f, 0, 0, 1), value_at(1, 0, 1));
  show("layers of 1D, layer -1", one(t, k1DLayered, 1.5f, 0, 0, -1), value_at(1, 0, 2));
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(lines));

  cudaArray_t cubes = filled(4, 4, 12, cudaArrayCubemap | cudaArrayLayered);
  t = texture_of(cubes, cudaAddressModeClamp, cudaFilterModePoint, true);
  show("layers of cubemaps, layer -1", one(t, kCubeLayered, 1, 0, 0, -1), value_at(2, 2, 6));
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(cubes));
  cudaArray_t cube = filled(4, 4, 6, cudaArrayCubemap);
  t = texture_of(cube, cudaAddressModeClamp, cudaFilterModePoint, true);
  show("cubemap, direction (1, 1, 1)", one(t, kCube, 1, 1, 1), value_at(3, 0, 4));
  show("cubemap, direction (-1, -1, 0)", one(t, kCube, -1, -1, 0), value_at(0, 2, 3));
  show("cubemap, direction (-1, 0, -1)", one(t, kCube, -1, 0, -1), value_at(3, 2, 5));
  show("cubemap, direction (0, 0, -0)", one(t, kCube, 0, 0, -0.0f), value_at(2, 2, 4));
  show("cubemap, direction (NaN, 0, 0)", one(t, kCube, NAN, 0, 0), value_at(2, 2, 4));
  MUST(cudaDestroyTextureObject(t));
  const float begin = (value_at(0, 1, 0) + value_at(0, 2, 0)) / 2;
  t = texture_of(cube, cudaAddressModeMirror, cudaFilterModeLinear, true);
  show("cubemap filtered at a face's edge, mirror", one(t, kCube, 1, 0, 0.999f), begin);
  MUST(cudaDestroyTextureObject(t));
  t = texture_of(cube, cudaAddressModeBorder, cudaFilterModeLinear, true, cudaReadModeElementType, 7);
  show("cubemap filtered at a face's edge, border of 7", one(t, kCube, 1, 0, 0.999f), (value_at(0, 1, 0) * 64 + value_at(0, 2, 0) * 65 + 7 * 127) / 256);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFreeArray(cube));

  int* numbers = nullptr;
  MUST(cudaMalloc(&numbers, 64));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = numbers;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 64;
  cudaTextureDesc how{};
  how.readMode = cudaReadModeNormalizedFloat;
  show("32-bit integers of linear memory as floats: error", float(cudaCreateTextureObject(&t, &resource, &how, nullptr)),
       float(cudaErrorInvalidNormSetting));
  MUST(cudaFree(numbers));
}

// ---- mistakes ----

__global__ void read_one(cudaTextureObject_t t, float* out) { out[0] = tex2D<float>(t, 0.5f, 0.5f); }
__global__ void write_between(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, int(threadIdx.x), 0); }

static int mistake(const char* which) {
  cudaArray_t array = surface_array<float>(16, 4, 0);
  if (std::strcmp(which, "bounds") == 0) write_2d<<<4, 17>>>(surface_of(array));
  if (std::strcmp(which, "elements") == 0) write_between<<<1, 16>>>(surface_of(array));
  if (std::strcmp(which, "freed") == 0) {
    Both<float> out(1);
    const cudaTextureObject_t t = texture_of(array, cudaAddressModeClamp, cudaFilterModePoint, false);
    MUST(cudaFreeArray(array));
    read_one<<<1, 1>>>(t, out.data);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "open") == 0) {
    open_questions();
    return 0;
  }
  if (argc > 1) return mistake(argv[1]);
  linear_memory();
  modes("1D", k1D, 8, 0, 0, 1);
  modes("2D", k2D, 8, 4, 0, 2);
  modes("3D", k3D, 4, 8, 2, 3);
  layers();
  cubes();
  other_elements();
  gathers();
  surfaces();
  edges();
  errors();
  return wrong;
}
