#!/usr/bin/env python3
"""Writes grader/cudart/include/cudalabs/math/polynomials.h: polynomials.py | clang-format --assume-filename=x.h (needs mpmath).

Each is fitted on Chebyshev nodes by weighted least squares, which are moved towards minimax by weighing a node with
its error (Lawson); coefficients are rounded one by one, and those after the first make up for it. Its comment says how
large the error is that is left, in units of the weight: relative to the function that it serves."""
import sys
from mpmath import (mp, mpf, matrix, lu_solve, cos, pi, sin, tan, exp, expm1, log, log1p, sqrt, atan, atanh, asin, erf,
                    erfc, erfinv, gamma, loggamma, besselj, bessely, besseli, findroot, nstr, frexp, ldexp, nint, atan2)
mp.prec = 400


def rounded(v, bits):
    if v == 0: return v
    m, e = frexp(v)
    return ldexp(nint(ldexp(m, bits)), e - bits)


def literal(v, single):
    text = float(v).hex()
    head, _, exponent = text.partition("p")
    return head.rstrip("0").rstrip(".") + "p" + exponent + ("f" if single else "")


def solve(zs, targets, weights, n):
    a, b = matrix(n, n), matrix(n, 1)
    rows = []
    for z in zs:
        row, p = [], mpf(1)
        for _ in range(n):
            row.append(p)
            p *= z
        rows.append(row)
    for row, t, w in zip(rows, targets, weights):
        w2 = w * w
        for i in range(n):
            wi = w2 * row[i]
            b[i] += wi * t
            for j in range(i, n): a[i, j] += wi * row[j]
    for i in range(n):
        for j in range(i): a[i, j] = a[j, i]
    return list(lu_solve(a, b))


def horner(c, z):
    v = mpf(0)
    for x in reversed(c): v = v * z + x
    return v


def fit(name, *arguments):
    write(name, [coefficients(*arguments)])


def coefficients(f, low, high, n, weight=lambda z: mpf(1), single=False, what=""):
    low, high = mpf(low), mpf(high)
    count = max(3 * n, 24) // 2 * 2
    zs = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    ts = [f(z) for z in zs]
    ws = [weight(z) for z in zs]
    lawson = [mpf(1)] * count
    for _ in range(12):
        c = solve(zs, ts, [w * sqrt(l) for w, l in zip(ws, lawson)], n)
        errors = [abs(horner(c, z) - t) * w for z, t, w in zip(zs, ts, ws)]
        total = sum(l * e for l, e in zip(lawson, errors))
        lawson = [l * e / total * count for l, e in zip(lawson, errors)]
    ws = [w * sqrt(l) for w, l in zip(ws, lawson)]
    done = []
    rest = ts
    for i in range(n):
        if i > 0 and i < 4:
            rest = [(t - horner(done, z)) / z**i for z, t in zip(zs, ts)]
            c[i:] = solve(zs, rest, [w * abs(z)**i for w, z in zip(ws, zs)], n - i)
        done.append(rounded(c[i], 24 if single else 53))
    worst = max(abs(horner(done, z) - t) * weight(z) for z, t in zip(zs, ts))
    print(f"/// {what} Error: 2^{nstr(log(worst, 2), 3)}.")
    return single, [literal(v, single) for v in done]


def write(name, fits):
    """One polynomial, or two of one length of which the function takes the second if it is told so."""
    single = fits[0][0]
    kind = "float" if single else "double"
    if len(fits) == 1:
        text, choice = ", ".join(fits[0][1]), ""
    else:
        text, choice = ", ".join(f"second ? {b} : {a}" for a, b in zip(fits[0][1], fits[1][1])), ", bool second"
    lines, line = [], "  return horner(z, "
    for word in text.replace(" ? ", "~?~").replace(" : ", "~:~").split(" "):
        if len(line) + len(word) > 116:
            lines.append(line.rstrip())
            line = "                   "
        line += word.replace("~", " ") + " "
    lines.append(line.rstrip() + ");")
    print(f"CUDALABS_MATH {kind} {name}({kind} z{choice}) {{")
    print("\n".join(lines))
    print("}")
    sys.stdout.flush()


def odd_part(f):  # f(r) = r + r z P(z)
    return lambda z: (f(sqrt(z)) / sqrt(z) - 1) / z


def z_weight(z): return z


TINY = mpf(2)**-40  # where a formula would divide by zero

print('''#pragma once

// The polynomials of the device's math functions. Written by tests/cuda_math/polynomials.py; change it there.

#include "base.h"

namespace cudalabs_math {
''')

quarter = (pi / 4 * mpf("1.0005"))**2
for single, n_sin, n_cos, n_tan in ((True, 3, 3, 6), (False, 6, 6, 14)):
    s = "f" if single else ""
    write("sin_cos_polynomial" + s, [
        coefficients(odd_part(sin), TINY, quarter, n_sin, z_weight, single, "First: sin(r) = r + r z P(z), z = r^2."),
        coefficients(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, TINY, quarter, n_cos, lambda z: z**2, single,
                     "Second: cos(r) = 1 - z/2 + z^2 P(z).")])
    fit("tan_polynomial" + s, odd_part(tan), TINY, quarter, n_tan, z_weight, single, "tan(r) = r + r z P(z).")
half_log2 = log(2) / 2 * mpf("1.0005")
for single, n in ((True, 5), (False, 10)):
    s = "f" if single else ""
    fit("exp_polynomial" + s, lambda r: (expm1(r) - r) / r**2, -half_log2, half_log2, n, abs, single,
        "exp(r) = 1 + r + r^2 P(r).")
fit("log_polynomialf", lambda f: (log1p(f) - f) / f**2, -mpf(1) / 3, mpf(1) / 3, 9, abs, True, "log(1+f) = f + f^2 P(f).")
largest = ((sqrt(2) - 1) / (sqrt(2) + 1))**2 * mpf("1.0005")
fit("log_polynomial", lambda w: (2 * atanh(sqrt(w)) / sqrt(w) - 2) / w, TINY, largest, 7, z_weight, False,
    "log((1+s)/(1-s)) = 2s + s w P(w), w = s^2.")
fit("log_tail_polynomial", lambda w: (2 * atanh(sqrt(w)) / sqrt(w) - 2 - 2 * w / 3) / w**2, TINY, largest, 7, lambda w: w**2, False,
    "log((1+s)/(1-s)) = 2s + 2/3 s w + s w^2 P(w).")
fit("log_tail_polynomialf", lambda w: (2 * atanh(sqrt(w)) / sqrt(w) - 2) / w, TINY, mpf("0.0401"), 3, z_weight, True,
    "log((1+s)/(1-s)) = 2s + s w P(w).")

for single, n_atan, n_asin in ((True, 8, 5), (False, 20, 12)):
    s = "f" if single else ""
    fit("atan_polynomial" + s, odd_part(atan), TINY, 1, n_atan, z_weight, single, "atan(r) = r + r z P(z).")
    fit("asin_polynomial" + s, odd_part(asin), TINY, mpf(1) / 4, n_asin, z_weight, single, "asin(r) = r + r z P(z).")
    fit("tanh_polynomial" + s, odd_part(mp.tanh), TINY, mpf("0.36"), 5 if single else 11, z_weight, single, "tanh(r) = r + r z P(z).")
    fit("sinh_polynomial" + s, odd_part(mp.sinh), TINY, 1, 4 if single else 8, z_weight, single, "sinh(r) = r + r z P(z).")
    fit("erf_polynomial" + s, lambda z: erf(sqrt(z)) / sqrt(z) - 1, TINY, 1, 7 if single else 13, lambda z: mpf(1), single,
        "erf(x) = x + x P(z).")
fit("erf_log_polynomialf", lambda x: log(erfc(x), 2) / x, 1, 4, 7, lambda x: x * erfc(x) * log(2), True,
    "erf(x) = 1 - 2^(x P(x)), 1 <= x <= 4.")


def erfcx(x): return erfc(x) * exp(x * x)


def from_t(t): return 4 * (1 + t) / (1 - t)  # t = (x-4)/(x+4)


fit("erfcx_polynomial", lambda t: (1 + 2 * from_t(t)) * erfcx(from_t(t)), mpf("-0.79"), 1, 24, lambda t: mpf(1), False,
    "(1 + 2x) exp(x^2) erfc(x) = P(t), t = (x-4)/(x+4), 0.47 <= x.")
fit("erfinv_polynomial", lambda z: erfinv(sqrt(z)) / sqrt(z), TINY, mpf("0.25"), 8, lambda z: mpf(1), False,
    "About erfinv(y) = y P(y^2), y <= 0.5.")


def erfcinv(q):
    x = sqrt(-log(q * sqrt(pi) * sqrt(-log(q)))) if q < 0.1 else mpf("0.5")
    for _ in range(60):
        step = (erfc(x) - q) / (2 / sqrt(pi) * exp(-x * x))
        u = step / (1 - step * x)
        x += u
        if abs(u) < mpf(2)**-150: break
    return x


fit("erfcinv_near_polynomial", lambda s: erfcinv(exp(-s * s / 2)), mpf("1.17"), mpf("4.2"), 9, lambda s: 1 / s, False,
    "About erfcinv(q), s = sqrt(-2 log q) <= 4.2.")
fit("erfcinv_far_polynomial", lambda u: erfcinv(exp(-1 / (u * u) / 2)) * u, mpf("0.0255"), 1 / mpf("4.1"), 9,
    lambda u: mpf(1), False, "About erfcinv(q) = s P(1/s), s > 4.2.")

fit("rgamma_polynomial", lambda t: 1 / gamma(mpf(3) / 2 + t), mpf(-1) / 2, mpf(1) / 2, 17, lambda t: mpf(1), False,
    "1/gamma(1.5 + t).")
fit("lgamma_polynomial", lambda t: loggamma(2 + t) / t, mpf("-0.5"), mpf("0.5"), 19, lambda t: mpf(1), False,
    "lgamma(2 + t) = t P(t).")
fit("stirling_polynomial", lambda w: (loggamma(1 / sqrt(w)) - (1 / sqrt(w) - mpf(1) / 2) * log(1 / sqrt(w)) + 1 / sqrt(w)
                                      - log(2 * pi) / 2) / sqrt(w), mpf(1) / 10**8, mpf(1) / 64, 7, lambda w: mpf(1) / 8, False,
    "lgamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + P(1/x^2)/x, x >= 8.")

# Bessel functions: in steps, each around the zero in it.
for name, f, order, kind, steps in (
    ("j0", lambda x: besselj(0, x), 0, "j", ((1.6, 4, 2.4, 16), (4, 8, 5.5, 19))),
    ("j1", lambda x: besselj(1, x), 1, "j", ((2.5, 5.4, 3.8, 17), (5.4, 8, 7.0, 16))),
    ("y0", lambda x: bessely(0, x), 0, "y", ((0.6, 1.3, 0.89, 22), (2.2, 5.5, 3.96, 25), (5.5, 8, 7.09, 18))),
    ("y1", lambda x: bessely(1, x), 1, "y", ((1.6, 3.6, 2.2, 24), (3.6, 8, 5.43, 25)))):
    for i, (low, high, guess, n) in enumerate(steps):
        zero = findroot(f, mpf(guess))
        hi = rounded(zero, 53)
        lo = rounded(zero - hi, 53)
        print(f"// {name} is zero at {nstr(zero, 20)}: {literal(hi, False)} and {literal(lo, False)}.")
        fit(f"{name}_polynomial{i}", lambda t: f(t + hi) / (t + hi - zero), mpf(low) - hi, mpf(high) - hi, n,
            lambda t: abs((t + hi - zero) / f(t + hi)), False, f"{name}(x) = (x - zero) P(x - zero), {low} <= x <= {high}.")
fit("j0_polynomial", lambda z: (besselj(0, sqrt(z)) - 1) / z, TINY, mpf("5.0"), 11, z_weight, False, "j0(x) = 1 + z P(z), x < 2.2.")
fit("j1_polynomial", lambda z: (besselj(1, sqrt(z)) / sqrt(z) - mpf(1) / 2) / z, TINY, mpf("6.25"), 11, lambda z: 2 * z, False,
    "j1(x) = x/2 + x z P(z), x < 2.5.")
fit("y0_polynomial", lambda z: bessely(0, sqrt(z)) - 2 / pi * log(sqrt(z)) * besselj(0, sqrt(z)), mpf(2)**-60, mpf("5.0"), 11,
    lambda z: mpf(1), False, "y0(x) = 2/pi log(x) j0(x) + P(z), x < 2.2.")
fit("y1_polynomial", lambda z: (bessely(1, sqrt(z)) + 2 / pi / sqrt(z)) / sqrt(z) - 2 / pi * log(sqrt(z)) * besselj(1, sqrt(z)) / sqrt(z),
    mpf(2)**-60, mpf("2.6"), 10, lambda z: mpf(1), False, "y1(x) = 2/pi (log(x) j1(x) - 1/x) + x P(z), x < 1.6.")


def modulus(n, x): return sqrt((besselj(n, x)**2 + bessely(n, x)**2) * pi * x / 2)


def phase(n, x):  # less x - pi/4 (2n + 1), within a turn
    turn = atan2(bessely(n, x), besselj(n, x)) - x + pi / 4 * (2 * n + 1)
    return turn - 2 * pi * nint(turn / (2 * pi))


for n in (0, 1):
    fit(f"bessel_modulus{n}_polynomial", lambda w: modulus(n, 1 / sqrt(w)), mpf(1) / 10**6, mpf(1) / 64, 10, lambda w: mpf(1), False,
        f"sqrt(j{n}^2 + y{n}^2) = sqrt(2/(pi x)) P(1/x^2), x >= 8.")
    fit(f"bessel_phase{n}_polynomial", lambda w: phase(n, 1 / sqrt(w)) / sqrt(w), mpf(1) / 10**6, mpf(1) / 64, 10,
        lambda w: mpf(1) / 8, False, f"atan(y{n}/j{n}) = x - {'pi/4' if n == 0 else '3/4 pi'} + P(1/x^2)/x.")
    half = mpf(1) if n == 0 else mpf(1) / 2
    scaled = (lambda z: besseli(0, sqrt(z))) if n == 0 else (lambda z: besseli(1, sqrt(z)) / sqrt(z))
    fit(f"bessel_i{n}_polynomial", lambda z: (scaled(z) - half) / z, TINY, 64, 18, lambda z: z / scaled(z), False,
        "i0(x) = 1 + z P(z), x <= 8." if n == 0 else "i1(x) = x/2 + x z P(z), x <= 8.")
    fit(f"bessel_i{n}_far_polynomial", lambda u: besseli(n, 1 / u) * exp(-1 / u) / sqrt(u), mpf(1) / 5000, mpf(1) / 8, 22,
        lambda u: mpf(2), False, f"i{n}(x) = exp(x)/sqrt(x) P(1/x), x >= 8.")
print("\n}  // namespace cudalabs_math")
