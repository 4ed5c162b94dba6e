// The classes of cuda_fp16.h and cuda_bf16.h: included once by each, after it has defined the parameters
// (CUDALABS_SHORT, ...). Conversions are implicit both ways, like NVIDIA's: code that is ambiguous there is
// ambiguous here.

#define CUDALABS_JOIN3(a, b, c) a##b##c
#define CUDALABS_JOIN3_OF(a, b, c) CUDALABS_JOIN3(a, b, c)
/// __half_raw and similar names.
#define CUDALABS_RAW CUDALABS_JOIN3_OF(CUDALABS_SHORT, _raw, )
#define CUDALABS_PAIR_RAW CUDALABS_JOIN3_OF(CUDALABS_PAIR, _raw, )

typedef struct alignas(2) {
  unsigned short x;
} CUDALABS_RAW;
typedef struct alignas(4) {
  unsigned short x, y;
} CUDALABS_PAIR_RAW;

struct CUDALABS_OTHER;
struct alignas(2) CUDALABS_SHORT {
 protected:
  unsigned short __x;

 public:
  CUDALABS_SHORT() = default;
  CUDALABS_HOST_DEVICE_MEMBER constexpr CUDALABS_SHORT(const CUDALABS_RAW& raw) : __x(raw.x) {}
  CUDALABS_HOST_DEVICE_MEMBER CUDALABS_SHORT& operator=(const CUDALABS_RAW& raw) {
    __x = raw.x;
    return *this;
  }
  CUDALABS_HOST_DEVICE_MEMBER volatile CUDALABS_SHORT& operator=(const CUDALABS_RAW& raw) volatile {
    __x = raw.x;
    return *this;
  }
  CUDALABS_HOST_DEVICE_MEMBER volatile CUDALABS_SHORT& operator=(const volatile CUDALABS_RAW& raw) volatile {
    __x = raw.x;
    return *this;
  }
  CUDALABS_HOST_DEVICE_MEMBER constexpr operator CUDALABS_RAW() const { return {__x}; }
  CUDALABS_HOST_DEVICE_MEMBER operator CUDALABS_RAW() const volatile { return {__x}; }

#ifndef CUDALABS_NO_CONVERSIONS
  explicit CUDALABS_HOST_DEVICE_MEMBER CUDALABS_SHORT(CUDALABS_OTHER value);
#define CUDALABS_CONVERSION(T, As)                                                         \
  CUDALABS_HOST_DEVICE_MEMBER CUDALABS_SHORT(T value)                                      \
      : __x(CUDALABS_FORMAT::from<cudalabs::Rounding::Nearest>(static_cast<As>(value))) {} \
  CUDALABS_HOST_DEVICE_MEMBER CUDALABS_SHORT& operator=(T value) { return *this = CUDALABS_SHORT(value); }
  CUDALABS_CONVERSION(float, float)
  CUDALABS_CONVERSION(double, double)
  CUDALABS_CONVERSION(short, int)
  CUDALABS_CONVERSION(unsigned short, unsigned)
  CUDALABS_CONVERSION(int, int)
  CUDALABS_CONVERSION(unsigned, unsigned)
  CUDALABS_CONVERSION(long, long long)
  CUDALABS_CONVERSION(unsigned long, unsigned long long)
  CUDALABS_CONVERSION(long long, long long)
  CUDALABS_CONVERSION(unsigned long long, unsigned long long)
#undef CUDALABS_CONVERSION
  CUDALABS_HOST_DEVICE_MEMBER operator float() const { return CUDALABS_FORMAT::value(__x); }
#define CUDALABS_CONVERSION(T)                                                             \
  CUDALABS_HOST_DEVICE_MEMBER operator T() const {                                         \
    return cudalabs::rounded_to<T, cudalabs::Rounding::Zero>(CUDALABS_FORMAT::value(__x)); \
  }
  CUDALABS_CONVERSION(signed char)
  CUDALABS_CONVERSION(unsigned char)
  CUDALABS_CONVERSION(char)
  CUDALABS_CONVERSION(short)
  CUDALABS_CONVERSION(unsigned short)
  CUDALABS_CONVERSION(int)
  CUDALABS_CONVERSION(unsigned)
  CUDALABS_CONVERSION(long)
  CUDALABS_CONVERSION(unsigned long)
  CUDALABS_CONVERSION(long long)
  CUDALABS_CONVERSION(unsigned long long)
#undef CUDALABS_CONVERSION
  CUDALABS_HOST_DEVICE_MEMBER constexpr operator bool() const { return (__x & 0x7FFF) != 0; }
#endif
};

/// A pair is copied as one word of four bytes.
struct alignas(4) CUDALABS_PAIR {
  CUDALABS_SHORT x, y;

  CUDALABS_PAIR() = default;
  CUDALABS_HOST_DEVICE_MEMBER constexpr CUDALABS_PAIR(const CUDALABS_SHORT& low, const CUDALABS_SHORT& high)
      : x(low), y(high) {}
  CUDALABS_HOST_DEVICE_MEMBER CUDALABS_PAIR(const CUDALABS_PAIR& other) { __builtin_memcpy(this, &other, 4); }
  CUDALABS_HOST_DEVICE_MEMBER CUDALABS_PAIR(const CUDALABS_PAIR_RAW& raw) { __builtin_memcpy(this, &raw, 4); }
  CUDALABS_HOST_DEVICE_MEMBER CUDALABS_PAIR& operator=(const CUDALABS_PAIR& other) {
    __builtin_memcpy(this, &other, 4);
    return *this;
  }
  CUDALABS_HOST_DEVICE_MEMBER CUDALABS_PAIR& operator=(const CUDALABS_PAIR_RAW& raw) {
    __builtin_memcpy(this, &raw, 4);
    return *this;
  }
  CUDALABS_HOST_DEVICE_MEMBER operator CUDALABS_PAIR_RAW() const {
    return cudalabs::bits_as<CUDALABS_PAIR_RAW>(*this);
  }
};
