// add, sub, mul, fma, div, rcp and sqrt of f32 in each rounding, with and without .ftz and .sat, over NaN, infinities,
// zeros of both signs, subnormal and ordinary numbers in each operand. modifiers.cu has what lies at 2^-126.
#include <cfenv>

#include "check.cuh"

static float flushed(float a) { return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a; }

template <class F>
static float rounded(int mode, F f) {
  std::fesetround(mode);
  volatile float r = f();
  std::fesetround(FE_TONEAREST);
  return r;
}

/// The host's answer: operands and result flushed, then between 0 and 1 (NaN becomes +0), as the form asks.
template <class F, class... Operands>
static float model(int mode, bool ftz, bool sat, F f, Operands... operands) {
  volatile float r = rounded(mode, [&] { return f((ftz ? flushed(operands) : operands)...); });
  if (ftz) r = flushed(r);
  return !sat ? float{r} : r > 0 ? (r < 1 ? float{r} : 1.0f) : 0.0f;
}

static float sum(float a, float b) { volatile float x = a, y = b; return x + y; }
static float difference(float a, float b) { volatile float x = a, y = b; return x - y; }
static float product(float a, float b) { volatile float x = a, y = b; return x * y; }
static float quotient(float a, float b) { volatile float x = a, y = b; return x / y; }
static float fused(float a, float b, float c) { volatile float x = a, y = b, z = c; return std::fma(x, y, z); }
static float reciprocal(float a) { volatile float x = a; return 1 / x; }
static float root(float a) { volatile float x = a; return std::sqrt(x); }

#define ONE(text) ({ float r_; asm(text " %0, %1;" : "=f"(r_) : "f"(a)); r_; })
#define TWO(text) ({ float r_; asm(text " %0, %1, %2;" : "=f"(r_) : "f"(a), "f"(b)); r_; })
#define THREE(text) ({ float r_; asm(text " %0, %1, %2, %3;" : "=f"(r_) : "f"(a), "f"(b), "f"(c)); r_; })

#define FORM(name, suffix, mode, ftz, sat)                                                                            \
  OPERATION(add_##name, float, (float a, float b), TWO("add." suffix), model(mode, ftz, sat, sum, a, b))              \
  OPERATION(sub_##name, float, (float a, float b), TWO("sub." suffix), model(mode, ftz, sat, difference, a, b))       \
  OPERATION(mul_##name, float, (float a, float b), TWO("mul." suffix), model(mode, ftz, sat, product, a, b))          \
  OPERATION(fma_##name, float, (float a, float b, float c), THREE("fma." suffix), model(mode, ftz, sat, fused, a, b, c))
#define DIVIDING(name, suffix, mode, ftz)                                                                             \
  OPERATION(div_##name, float, (float a, float b), TWO("div." suffix), model(mode, ftz, false, quotient, a, b))       \
  OPERATION(rcp_##name, float, (float a), ONE("rcp." suffix), model(mode, ftz, false, reciprocal, a))                 \
  OPERATION(sqrt_##name, float, (float a), ONE("sqrt." suffix), model(mode, ftz, false, root, a))
#define ROUNDING(r, mode)                                     \
  FORM(r, #r ".f32", mode, false, false)                      \
  FORM(r##_ftz, #r ".ftz.f32", mode, true, false)             \
  FORM(r##_sat, #r ".sat.f32", mode, false, true)             \
  FORM(r##_ftz_sat, #r ".ftz.sat.f32", mode, true, true)      \
  DIVIDING(r, #r ".f32", mode, false)                         \
  DIVIDING(r##_ftz, #r ".ftz.f32", mode, true)
ROUNDING(rn, FE_TONEAREST)
ROUNDING(rz, FE_TOWARDZERO)
ROUNDING(rm, FE_DOWNWARD)
ROUNDING(rp, FE_UPWARD)

#define CHECK_FORM(name) \
  check<add_##name>(v, v); check<sub_##name>(v, v); check<mul_##name>(v, v); check<fma_##name>(v, v, v);
#define CHECK_DIVIDING(name) check<div_##name>(v, v); check<rcp_##name>(v); check<sqrt_##name>(v);
#define CHECK_ROUNDING(r)                                                                   \
  CHECK_FORM(r) CHECK_FORM(r##_ftz) CHECK_FORM(r##_sat) CHECK_FORM(r##_ftz_sat)             \
  CHECK_DIVIDING(r) CHECK_DIVIDING(r##_ftz)

int main() {
  std::vector<float> v;
  for (const float a : {0.0f, 1.0f, 3.0f, 0.1f, 1.0f / 3, 65519.7f, 1e-20f, 3e38f, 0x1p-126f, 0x1p-127f, 0x1p-149f, INFINITY})
    v.insert(v.end(), {a, -a});
  v.push_back(NAN);
  CHECK_ROUNDING(rn) CHECK_ROUNDING(rz) CHECK_ROUNDING(rm) CHECK_ROUNDING(rp)
  return finish();
}
