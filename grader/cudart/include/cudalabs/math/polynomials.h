#pragma once

// The polynomials of the device's math functions. Written by tests/cuda_math/polynomials.py; change it there.

#include "base.h"

namespace cudalabs_math {

/// First: sin(r) = r + r z P(z), z = r^2. Error: 2^-28.0.
/// Second: cos(r) = 1 - z/2 + z^2 P(z). Error: 2^-33.1.
CUDALABS_MATH float sin_cos_polynomialf(float z, bool second) {
  return horner(z, second ? 0x1.55554ap-5f : -0x1.555546p-3f, second ? -0x1.6c0c2ep-10f : 0x1.11077cp-7f,
                second ? 0x1.99eac2p-16f : -0x1.9955bp-13f);
}
/// tan(r) = r + r z P(z). Error: 2^-25.6.
CUDALABS_MATH float tan_polynomialf(float z) {
  return horner(z, 0x1.5554dp-2f, 0x1.113054p-3f, 0x1.b53f1p-5f, 0x1.923206p-6f, 0x1.822674p-9f,
                0x1.36ac24p-7f);
}
/// First: sin(r) = r + r z P(z), z = r^2. Error: 2^-58.0.
/// Second: cos(r) = 1 - z/2 + z^2 P(z). Error: 2^-64.2.
CUDALABS_MATH double sin_cos_polynomial(double z, bool second) {
  return horner(z, second ? 0x1.555555555554cp-5 : -0x1.5555555555549p-3,
                second ? -0x1.6c16c16c1522ep-10 : 0x1.111111110f8b7p-7,
                second ? 0x1.a01a019cc1d1cp-16 : -0x1.a01a019c1854bp-13,
                second ? -0x1.27e4f814efdc1p-22 : 0x1.71de357cd10c7p-19,
                second ? 0x1.1ee9f30aee373p-29 : -0x1.ae5e69b73fa8p-26,
                second ? -0x1.8fb2269123e35p-37 : 0x1.5d93e2e121d23p-33);
}
/// tan(r) = r + r z P(z). Error: 2^-56.1.
CUDALABS_MATH double tan_polynomial(double z) {
  return horner(z, 0x1.55555555554eap-2, 0x1.1111111118b69p-3, 0x1.ba1ba1b403614p-5, 0x1.664f49bc1bcbcp-6,
                0x1.226e102f2f12ep-7, 0x1.d6d9817865218p-9, 0x1.7d57b7d1eeba3p-10, 0x1.3818b2448fc54p-11,
                0x1.d113d4362921ep-13, 0x1.20e99767d09cp-13, -0x1.d75e551aa6effp-16, 0x1.7da40dad76abdp-14,
                -0x1.7f44c5022a41bp-15, 0x1.613cbd0ba265cp-16);
}
/// exp(r) = 1 + r + r^2 P(r). Error: 2^-26.1.
CUDALABS_MATH float exp_polynomialf(float z) {
  return horner(z, 0x1p-1f, 0x1.5554bp-3f, 0x1.5554e4p-5f, 0x1.1227ap-7f, 0x1.6d524ep-10f);
}
/// exp(r) = 1 + r + r^2 P(r). Error: 2^-55.7.
CUDALABS_MATH double exp_polynomial(double z) {
  return horner(z, 0x1.0000000000005p-1, 0x1.555555555555bp-3, 0x1.5555555552058p-5, 0x1.111111110ed76p-7,
                0x1.6c16c17f66ce9p-10, 0x1.a01a01b36c624p-13, 0x1.a019a5fd0f39fp-16, 0x1.71ddef8dc5f0fp-19,
                0x1.28a326382f334p-22, 0x1.af6de55c2a5ddp-26);
}
/// log(1+f) = f + f^2 P(f). Error: 2^-27.5.
CUDALABS_MATH float log_polynomialf(float z) {
  return horner(z, -0x1.000002p-1f, 0x1.555502p-2f, -0x1.fffc02p-3f, 0x1.99d1dcp-3f, -0x1.55f16p-3f,
                0x1.1ebf6ap-3f, -0x1.ebcabap-4f, 0x1.1ecb3ap-3f, -0x1.15e81ep-3f);
}
/// log((1+s)/(1-s)) = 2s + s w P(w), w = s^2. Error: 2^-58.6.
CUDALABS_MATH double log_polynomial(double z) {
  return horner(z, 0x1.555555555558fp-1, 0x1.9999999980cb8p-2, 0x1.249249413770ap-2, 0x1.c71c52906431fp-3,
                0x1.746625bd50ebdp-3, 0x1.39a40f270b56p-3, 0x1.2eefa74a7c93dp-3);
}
/// log((1+s)/(1-s)) = 2s + 2/3 s w + s w^2 P(w). Error: 2^-65.3.
CUDALABS_MATH double log_tail_polynomial(double z) {
  return horner(z, 0x1.9999999999b2cp-2, 0x1.249249245858bp-2, 0x1.c71c722cb95efp-3, 0x1.745cea17f4534p-3,
                0x1.3b1ee3e42d2e4p-3, 0x1.0f808a657bf53p-3, 0x1.0e3dc6338bb98p-3);
}
/// log((1+s)/(1-s)) = 2s + s w P(w). Error: 2^-27.4.
CUDALABS_MATH float log_tail_polynomialf(float z) {
  return horner(z, 0x1.5555b4p-1f, 0x1.992a9cp-2f, 0x1.36ee56p-2f);
}
/// atan(r) = r + r z P(z). Error: 2^-26.0.
CUDALABS_MATH float atan_polynomialf(float z) {
  return horner(z, -0x1.5554e6p-2f, 0x1.997abp-3f, -0x1.23197ep-3f, 0x1.b5591p-4f, -0x1.365e78p-4f,
                0x1.647b7ep-5f, -0x1.0f4a7cp-6f, 0x1.852556p-9f);
}
/// asin(r) = r + r z P(z). Error: 2^-27.6.
CUDALABS_MATH float asin_polynomialf(float z) {
  return horner(z, 0x1.5555c8p-3f, 0x1.3301f6p-4f, 0x1.747dc8p-5f, 0x1.8c264ap-6f, 0x1.59727ep-5f);
}
/// tanh(r) = r + r z P(z). Error: 2^-28.5.
CUDALABS_MATH float tanh_polynomialf(float z) {
  return horner(z, -0x1.55553ep-2f, 0x1.1109c8p-3f, -0x1.b89ccp-5f, 0x1.54d41ap-6f, -0x1.82db4cp-8f);
}
/// sinh(r) = r + r z P(z). Error: 2^-31.3.
CUDALABS_MATH float sinh_polynomialf(float z) {
  return horner(z, 0x1.555556p-3f, 0x1.1110ecp-7f, 0x1.a01acep-13f, 0x1.76ad12p-19f);
}
/// erf(x) = x + x P(z). Error: 2^-29.5.
CUDALABS_MATH float erf_polynomialf(float z) {
  return horner(z, 0x1.06eba8p-3f, -0x1.81274p-2f, 0x1.ce2d52p-4f, -0x1.b7fec4p-6f, 0x1.542ff8p-8f,
                -0x1.a51a38p-11f, 0x1.4c5fc8p-14f);
}
/// atan(r) = r + r z P(z). Error: 2^-55.7.
CUDALABS_MATH double atan_polynomial(double z) {
  return horner(z, -0x1.555555555552cp-2, 0x1.9999999995d1fp-3, -0x1.2492492398e2ep-3, 0x1.c71c71856db3ap-4,
                -0x1.745d120e1f484p-4, 0x1.3b136ad455742p-4, -0x1.110e72d3dfd74p-4, 0x1.e1bd2f2b20967p-5,
                -0x1.ae652c092b8dep-5, 0x1.82f163ca8eed3p-5, -0x1.59de84bc9052ap-5, 0x1.2ca4a3535436dp-5,
                -0x1.eb6eae4a96aeep-6, 0x1.6a044163208f2p-6, -0x1.cae658acc1075p-7, 0x1.dc6f73699d4bbp-8,
                -0x1.7f1080e618716p-9, 0x1.bacd9d573e635p-11, -0x1.451d9c7b358e4p-13, 0x1.c560b4b72d677p-17);
}
/// asin(r) = r + r z P(z). Error: 2^-55.9.
CUDALABS_MATH double asin_polynomial(double z) {
  return horner(z, 0x1.555555555539dp-3, 0x1.333333336d62fp-4, 0x1.6db6db42f63fap-5, 0x1.f1c72c209841p-6,
                0x1.6e89f575d5f34p-6, 0x1.1c6bdafee40f6p-6, 0x1.c6fda2a53075ep-7, 0x1.8ec6c0347123ap-7,
                0x1.ab9c54b20e774p-8, 0x1.4020cab412a56p-6, -0x1.0a2316d1d11fcp-6, 0x1.058b8ddc0cb1ap-5);
}
/// tanh(r) = r + r z P(z). Error: 2^-57.9.
CUDALABS_MATH double tanh_polynomial(double z) {
  return horner(z, -0x1.5555555555532p-2, 0x1.111111110e392p-3, -0x1.ba1ba1b794bf8p-5, 0x1.664f47f39677bp-6,
                -0x1.226e22ee749eap-7, 0x1.d6d0d1d79c601p-9, -0x1.7d7a54293dc7bp-10, 0x1.33de4fed5a8aap-11,
                -0x1.e3482d9d0966cp-13, 0x1.4ce9d9186be12p-14, -0x1.20b64867f18cap-16);
}
/// sinh(r) = r + r z P(z). Error: 2^-62.6.
CUDALABS_MATH double sinh_polynomial(double z) {
  return horner(z, 0x1.5555555555555p-3, 0x1.111111111117ap-7, 0x1.a01a01a00df49p-13, 0x1.71de3a6075064p-19,
                0x1.ae644b6092b2ep-26, 0x1.612aa80086b6dp-33, 0x1.aac57e6d4766ep-41, 0x1.3f3f2fe691b7bp-48);
}
/// erf(x) = x + x P(z). Error: 2^-56.2.
CUDALABS_MATH double erf_polynomial(double z) {
  return horner(z, 0x1.06eba8214db69p-3, -0x1.812746b037ap-2, 0x1.ce2f21a0438a5p-4, -0x1.b82ce312b781ap-6,
                0x1.565bcd144fad5p-8, -0x1.c02db4e74127fp-11, 0x1.f9a33d9c29b5p-14, -0x1.f4d3cf3fa335ep-17,
                0x1.b9f62026167ecp-20, -0x1.5fd6021438f72p-23, 0x1.fefd0fd71ba62p-27, -0x1.4e039d7b57ac8p-30,
                0x1.3d4328b3a4a8dp-34);
}
/// erf(x) = 1 - 2^(x P(x)), 1 <= x <= 4. Error: 2^-30.9.
CUDALABS_MATH float erf_log_polynomialf(float z) {
  return horner(z, -0x1.a0dd0cp+0f, -0x1.d501p-1f, -0x1.3ae7ep-3f, 0x1.1c40b6p-5f, -0x1.651128p-8f,
                0x1.0ca7bap-11f, -0x1.5cd82cp-16f);
}
/// (1 + 2x) exp(x^2) erfc(x) = P(t), t = (x-4)/(x+4), 0.47 <= x. Error: 2^-54.3.
CUDALABS_MATH double erfcx_polynomial(double z) {
  return horner(z, 0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a28cp-3, 0x1.f7f5df66fce23p-7, 0x1.16ecefcfa519dp-4,
                -0x1.9ddb23c3e739fp-4, 0x1.7fee004e16969p-4, -0x1.0fb06dfe58f01p-4, 0x1.3079edf5f263ep-5,
                -0x1.09623884febbp-6, 0x1.49c672b312fc5p-8, -0x1.8d4a9854eb651p-11, -0x1.a1df4933fc913p-13,
                0x1.3be00cbc2e558p-13, -0x1.99548a0506942p-16, -0x1.7879255cedc3fp-17, 0x1.7ef342c28cf97p-18,
                0x1.365a7e091050ap-22, -0x1.b7f7917e70927p-21, 0x1.5ab2051b09351p-24, 0x1.bc2b5d25e00c8p-24,
                -0x1.7e172bc67d15bp-26, -0x1.532fe9722b607p-27, 0x1.b177c35dc9e9dp-29, 0x1.b983b2b1418b9p-34);
}
/// About erfinv(y) = y P(y^2), y <= 0.5. Error: 2^-34.5.
CUDALABS_MATH double erfinv_polynomial(double z) {
  return horner(z, 0x1.c5bf891aee39fp-1, 0x1.db29fe1f6d0f7p-3, 0x1.053b3ccc9006cp-3, 0x1.62be4ce072f9fp-4,
                0x1.06ac17c16b6fbp-4, 0x1.de90ad7ce2a65p-5, 0x1.ca9a78b5812bcp-7, 0x1.885e2450ede43p-4);
}
/// About erfcinv(q), s = sqrt(-2 log q) <= 4.2. Error: 2^-23.1.
CUDALABS_MATH double erfcinv_near_polynomial(double z) {
  return horner(z, 0x1.03104df35af18p-5, -0x1.5139cf4f2c54fp-3, 0x1.9da8613b05f83p-1, -0x1.b989d26eb64abp-2,
                0x1.34b713b51fef5p-3, -0x1.1f2194374b49fp-5, 0x1.5711d7ccbda36p-8, -0x1.dd16f14f261ap-12,
                0x1.259b4028cffe6p-16);
}
/// About erfcinv(q) = s P(1/s), s > 4.2. Error: 2^-23.1.
CUDALABS_MATH double erfcinv_far_polynomial(double z) {
  return horner(z, 0x1.6a155285ccec7p-1, -0x1.1f871f74f0cb3p-6, -0x1.438f2ccac4402p+1, 0x1.dbaa193157cbep+3,
                -0x1.71331249af8d8p+6, 0x1.c4f073d88a4edp+8, -0x1.6ee2ce4ef56dp+10, 0x1.56b9e57955208p+11,
                -0x1.161b01824f486p+11);
}
/// 1/gamma(1.5 + t). Error: 2^-55.9.
CUDALABS_MATH double rgamma_polynomial(double z) {
  return horner(z, 0x1.20dd750429b6dp+0, -0x1.514d3d90584b3p-5, -0x1.0da5a671c046fp-1, 0x1.669be41a93884p-3,
                0x1.a18540be2cc9dp-5, -0x1.5955cc397195ep-5, 0x1.b16203eaa7ef7p-8, 0x1.15f7f0600d825p-9,
                -0x1.232bd97986a66p-10, 0x1.3f8460a716ec5p-13, 0x1.a965af0928b39p-16, -0x1.d24cf47229a5cp-17,
                0x1.21248246006afp-19, 0x1.f2efb73d53b7bp-25, -0x1.6bea498e556eep-24, 0x1.209f01bed75b7p-26,
                -0x1.5b2bf9567cfc3p-28);
}
/// lgamma(2 + t) = t P(t). Error: 2^-57.4.
CUDALABS_MATH double lgamma_polynomial(double z) {
  return horner(z, 0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa7p-2, -0x1.13e001a5575b5p-4, 0x1.51322ac7d7c99p-6,
                -0x1.e404fc21a4ad6p-8, 0x1.7add6eaea0ed8p-9, -0x1.38ac5c21ef7c3p-10, 0x1.0b36af1d7b4f2p-11,
                -0x1.d3fd517f99993p-13, 0x1.a127e55ab1acap-14, -0x1.78dda429c5b6ap-15, 0x1.5805f8b9ac4bep-16,
                -0x1.3ccb54444c973p-17, 0x1.264e5abcf5a48p-18, -0x1.111f43777ca5ep-19, 0x1.ed0a95082a5f4p-21,
                -0x1.e380b376d8709p-22, 0x1.2ce63a407e85ap-22, -0x1.f82106641f229p-24);
}
/// lgamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + P(1/x^2)/x, x >= 8. Error: 2^-60.6.
CUDALABS_MATH double stirling_polynomial(double z) {
  return horner(z, 0x1.5555555555555p-4, -0x1.6c16c16c10a51p-9, 0x1.a01a015ddba93p-11, -0x1.381331db0385ap-11,
                0x1.b920c11914fe6p-11, -0x1.ee6862eabb675p-10, 0x1.465db5143c124p-8);
}
// j0 is zero at 2.4048255576957727686: 0x1.33d152e971b4p+1 and -0x1.0f539d7da258ep-53.
/// j0(x) = (x - zero) P(x - zero), 1.6 <= x <= 4. Error: 2^-53.8.
CUDALABS_MATH double j0_polynomial0(double z) {
  return horner(z, -0x1.09cdb3655128p-1, 0x1.ba1deea029495p-4, 0x1.cfae864368cdbp-5, -0x1.1bb1cbe1a4029p-7,
                -0x1.1f992590cbf3fp-9, 0x1.15382ba05aec4p-12, 0x1.6ed3b9eb6da6fp-15, -0x1.232c77b461091p-18,
                -0x1.1cce2ddc3d20bp-21, 0x1.7ff968ef70d76p-25, 0x1.2950f7f79d74bp-28, -0x1.5c1438420ccebp-32,
                -0x1.be028f9a4356ep-36, 0x1.c3ee5e5591b42p-40, 0x1.2c95da746e244p-43, -0x1.9b812fff8bd68p-47);
}
// j0 is zero at 5.5200781102863106496: 0x1.6148f5b2c2e45p+2 and 0x1.75054cd60a517p-54.
/// j0(x) = (x - zero) P(x - zero), 4 <= x <= 8. Error: 2^-53.5.
CUDALABS_MATH double j0_polynomial1(double z) {
  return horner(z, 0x1.5c6e60a097823p-2, -0x1.f8f72e7a848dep-6, -0x1.b2150cb41e8d3p-5, 0x1.2f7ffe90256dfp-8,
                0x1.27e31fe9a9c09p-9, -0x1.6f641f41972a2p-13, -0x1.863f481a6441fp-15, 0x1.ad77d749ac649p-19,
                0x1.32e6d9a43ccd8p-21, -0x1.2da37e891ef3p-25, -0x1.41d72f7c91dc5p-28, 0x1.1d044e3b46abcp-32,
                0x1.e2f39c58096adp-36, -0x1.84a24b0e4152ep-40, -0x1.1043f23fdd217p-43, 0x1.92b1dc683ece2p-48,
                0x1.d8759d7b530f3p-52, -0x1.5a6058b8c9d66p-56, -0x1.5da552e7ee35bp-61);
}
// j1 is zero at 3.8317059702075123156: 0x1.ea75575af6f09p+1 and -0x1.60155a9d1b256p-53.
/// j1(x) = (x - zero) P(x - zero), 2.5 <= x <= 5.4. Error: 2^-54.5.
CUDALABS_MATH double j1_polynomial0(double z) {
  return horner(z, -0x1.9c6cf582cbf7fp-2, 0x1.ae8a39f51ad06p-5, 0x1.b589d1da13931p-5, -0x1.537544c331dbfp-8,
                -0x1.24b3409959ff6p-9, 0x1.6e4c2d5355dffp-13, 0x1.83a06e315cf5p-15, -0x1.9799d4cb648d1p-19,
                -0x1.33825d029c151p-21, 0x1.170692bdf7de9p-25, 0x1.4569c1ab3cc8bp-28, -0x1.03ba18f0a709cp-32,
                -0x1.ec66d361d1d71p-36, 0x1.5ed34a25e0987p-40, 0x1.17c18ed8317acp-43, -0x1.6550b415c747fp-48,
                -0x1.cf2ce27beb754p-52);
}
// j1 is zero at 7.0155866698156187535: 0x1.c0ff5f3b4725p+2 and -0x1.b226d9d243827p-54.
/// j1(x) = (x - zero) P(x - zero), 5.4 <= x <= 8. Error: 2^-53.7.
CUDALABS_MATH double j1_polynomial1(double z) {
  return horner(z, 0x1.33518b3874e8ap-2, -0x1.5e70dc60362c7p-6, -0x1.80c83bdeee56ep-5, 0x1.9a4b292e3e34bp-9,
                0x1.13fbc7d6969d8p-9, -0x1.07358bbde8b07p-13, -0x1.796a751ec564ap-15, 0x1.4255b0371b24dp-19,
                0x1.3026e0cee478dp-21, -0x1.d48de63c1e4afp-26, -0x1.4463da631fb21p-28, 0x1.c6338206a2793p-33,
                0x1.ecf627024dc71p-36, -0x1.3b334afa63875p-40, -0x1.23ddc7afb146dp-43, 0x1.fcb9c252feadcp-50);
}
// y0 is zero at 0.89357696627916752158: 0x1.c982eb8d417eap-1 and 0x1.ea9d270347f83p-56.
/// y0(x) = (x - zero) P(x - zero), 0.6 <= x <= 1.3. Error: 2^-56.0.
CUDALABS_MATH double y0_polynomial0(double z) {
  return horner(z, 0x1.c24371844b88ap-1, -0x1.f7e38a46d7105p-2, 0x1.c3b1338af402bp-3, -0x1.cf18e6a4b2b99p-3,
                0x1.c068086bfdebdp-3, -0x1.a396a80612bc1p-3, 0x1.9424b9499b49ap-3, -0x1.8d35b471ce9a1p-3,
                0x1.8c08c9705b05p-3, -0x1.8f7e2f493ef01p-3, 0x1.96dfab1e29225p-3, -0x1.a1b86672e4341p-3,
                0x1.afaa5c06cecc4p-3, -0x1.c0a74f2f4ed6bp-3, 0x1.d6512aa9b5eap-3, -0x1.f06b035c267cfp-3,
                0x1.fdc6ea2c34da3p-3, -0x1.f8ed5381cebc4p-3, 0x1.26eb7a2817424p-2, -0x1.a289a8d61f824p-2,
                0x1.b7475ef9c9d81p-2, -0x1.986dd082591fdp-3);
}
// y0 is zero at 3.9576784193148578684: 0x1.fa9534d98569cp+1 and -0x1.f06ae7804384ep-54.
/// y0(x) = (x - zero) P(x - zero), 2.2 <= x <= 5.5. Error: 2^-56.5.
CUDALABS_MATH double y0_polynomial1(double z) {
  return horner(z, -0x1.9c34256a12a0cp-2, 0x1.a09c9290367fp-5, 0x1.df6d59bf50eb1p-5, -0x1.c116fdc597ff9p-8,
                -0x1.1e32bc4ef7b1ap-9, 0x1.99827651575e3p-13, 0x1.ab2c1feb0edd3p-15, -0x1.486371dd11826p-18,
                -0x1.3b2164c003d2dp-22, -0x1.777072f56f73dp-26, 0x1.452e1ffa90019p-26, -0x1.f6922f116d592p-29,
                0x1.a5b938dfc83fp-31, -0x1.9963f83ba2ecep-33, 0x1.8747dd941e8a8p-35, -0x1.7461a1f3de3c8p-37,
                0x1.72bf7a5ccc4e8p-39, -0x1.59ab5df60c206p-41, 0x1.c69f93dcd52dp-44, -0x1.33ed2a3f13f0ap-45,
                0x1.7850af557a947p-46, -0x1.f4c1af879dbbp-50, -0x1.c1f96245a5f23p-50, -0x1.01b3f9ed38eb3p-52,
                0x1.b742de4c14c78p-53);
}
// y0 is zero at 7.0860510603017726976: 0x1.c581dc4e72103p+2 and -0x1.9774a495f56cfp-54.
/// y0(x) = (x - zero) P(x - zero), 5.5 <= x <= 8. Error: 2^-53.5.
CUDALABS_MATH double y0_polynomial2(double z) {
  return horner(z, 0x1.334cca0697a5bp-2, -0x1.5aef611fc4d5ap-6, -0x1.8969c64cbf4ccp-5, 0x1.b2f14a955264fp-9,
                0x1.1d35e85fe331ep-9, -0x1.26dd71e36f367p-13, -0x1.8177e50435573p-15, 0x1.6a9226f6955cep-19,
                0x1.34aa78ebd5876p-21, -0x1.0a27e187a4561p-25, -0x1.442c3d4369eb5p-28, 0x1.fa1825bfb82f4p-33,
                0x1.f20bc15e92f6ap-36, -0x1.5024207200f05p-40, -0x1.960885a9f91bap-44, -0x1.f70c468017d48p-46,
                -0x1.5bbad0646affcp-46, -0x1.e5de4b0768545p-49);
}
// y1 is zero at 2.1971413260310170351: 0x1.193bed4dff243p+1 and -0x1.bd1e50d219bfdp-55.
/// y1(x) = (x - zero) P(x - zero), 1.6 <= x <= 3.6. Error: 2^-54.3.
CUDALABS_MATH double y1_polynomial0(double z) {
  return horner(z, 0x1.0aa48442f014bp-1, -0x1.e56f82217b8efp-4, -0x1.0d2af4e932579p-5, -0x1.3a6dec3729bb9p-8,
                0x1.e671c7d142a3cp-8, -0x1.5429dc5a49174p-9, 0x1.17ab4aee8eb43p-10, -0x1.0b2d876bb54aep-11,
                0x1.eea7bf7dd053cp-13, -0x1.c3faee105df12p-14, 0x1.9d16fd94be6d5p-15, -0x1.7955548a625ffp-16,
                0x1.586897266d64fp-17, -0x1.3a3ef98cdc92cp-18, 0x1.1e7ebd547ab8ep-19, -0x1.045e8cdc260bap-20,
                0x1.d88cfbf6ae9d7p-22, -0x1.b489e4e368b26p-23, 0x1.a1a3f63fd081ap-24, -0x1.8752497c3c535p-25,
                0x1.3975d269f8c38p-26, -0x1.7105615134b9ap-28, 0x1.0eff485f0b198p-30, -0x1.6e1a67f95142ep-34);
}
// y1 is zero at 5.4296810407941351328: 0x1.5b7fe4e87b02ep+2 and 0x1.dfe7bac228e8cp-52.
/// y1(x) = (x - zero) P(x - zero), 3.6 <= x <= 8. Error: 2^-54.8.
CUDALABS_MATH double y1_polynomial1(double z) {
  return horner(z, -0x1.5c7c556f0c19ap-2, 0x1.00b9f8571ca18p-5, 0x1.a15d92dfe3e45p-5, -0x1.10a329e2c23bp-8,
                -0x1.1be6db992456p-9, 0x1.337c7e138d3c3p-13, 0x1.85b940ebd0a16p-15, -0x1.80619146ea1fap-19,
                -0x1.255e6d20de966p-21, 0x1.b62ccfddab05ap-26, 0x1.80b1be13b16bfp-28, -0x1.a7ee0691d12fbp-32,
                0x1.40081f394d918p-39, -0x1.3845583b83a1dp-38, 0x1.49cd9195df797p-40, -0x1.c03dba681453dp-43,
                0x1.3d6f50bf93b4dp-45, -0x1.dca0921dcc6b2p-48, 0x1.753791bd761d3p-50, -0x1.100d4356f4174p-52,
                0x1.360a06528eb3fp-55, -0x1.c9b9ace9ff585p-58, 0x1.38b6b767784ecp-59, -0x1.0f5a532b5e0afp-61,
                0x1.663d864c47893p-65);
}
/// j0(x) = 1 + z P(z), x < 2.2. Error: 2^-61.9.
CUDALABS_MATH double j0_polynomial(double z) {
  return horner(z, -0x1p-2, 0x1p-6, -0x1.c71c71c71c71cp-12, 0x1.c71c71c71c6bfp-18, -0x1.23456789a9cdcp-24,
                0x1.02e85c07d98e7p-31, -0x1.522a439fe002p-39, 0x1.522a2b5c6bdacp-47, -0x1.0b2ccdbf4489cp-55,
                0x1.55104c3a95c7ep-64, -0x1.4e18197242faap-73);
}
/// j1(x) = x/2 + x z P(z), x < 2.5. Error: 2^-62.8.
CUDALABS_MATH double j1_polynomial(double z) {
  return horner(z, -0x1p-4, 0x1.5555555555555p-9, -0x1.c71c71c71c6ccp-15, 0x1.6c16c16c14de1p-21,
                -0x1.845c8a0c2273bp-28, 0x1.27e4fb4874211p-35, -0x1.522a3596ed7efp-43, 0x1.2c948d98994ddp-51,
                -0x1.aad5bce8724d6p-60, 0x1.d9f42f0fc238ep-69, -0x1.d93de3625d549p-80);
}
/// y0(x) = 2/pi log(x) j0(x) + P(z), x < 2.2. Error: 2^-57.2.
CUDALABS_MATH double y0_polynomial(double z) {
  return horner(z, -0x1.2e4d699cbd01fp-4, 0x1.6bbcb4103428ap-3, -0x1.075b1bbf413e3p-6, 0x1.1a6206b7bb7b4p-11,
                -0x1.3e99794294759p-17, 0x1.bce4a630f9a07p-24, -0x1.a6ee8365b67b6p-31, 0x1.2395241ce71d5p-38,
                -0x1.313cbdeea01ddp-46, 0x1.fdfb8020ca943p-55, -0x1.9a2f6b1bf575ap-63);
}
/// y1(x) = 2/pi (log(x) j1(x) - 1/x) + x P(z), x < 1.6. Error: 2^-56.9.
CUDALABS_MATH double y1_polynomial(double z) {
  return horner(z, -0x1.91866143cbc8ap-3, 0x1.bd3975c75b48dp-5, -0x1.835b97894b33bp-9, 0x1.2c7dbffc99e12p-14,
                -0x1.0a780aaac31d6p-20, 0x1.32e596ca6b245p-27, -0x1.f0c5dd558c1f7p-35, 0x1.28d61d1fbd73p-42,
                -0x1.98127ccc39442p-51, -0x1.4574012bd7d2dp-56);
}
/// sqrt(j0^2 + y0^2) = sqrt(2/(pi x)) P(1/x^2), x >= 8. Error: 2^-50.4.
CUDALABS_MATH double bessel_modulus0_polynomial(double z) {
  return horner(z, 0x1.ffffffffffff9p-1, -0x1.fffffffea07b1p-5, 0x1.a7fffa0ee2696p-4, -0x1.15ed7417153c5p-1,
                0x1.75bfad1e20549p+2, -0x1.a1e0eb4ade053p+6, 0x1.3da662e17f28dp+11, -0x1.f45fcddf53a98p+15,
                0x1.2bb57955d31aap+20, -0x1.6b83e181d77d5p+23);
}
/// atan(y0/j0) = x - pi/4 + P(1/x^2)/x. Error: 2^-50.6.
CUDALABS_MATH double bessel_phase0_polynomial(double z) {
  return horner(z, -0x1.ffffffffffe77p-4, 0x1.0aaaaaa5b6bd6p-4, -0x1.ad331d8ab1856p-3, 0x1.a34eeb0c60c5ap+0,
                -0x1.768be01d28397p+4, 0x1.02b696203da61p+9, -0x1.c6d9f33fefa54p+13, 0x1.86b9eec20d52bp+18,
                -0x1.eb3206e56fad6p+22, 0x1.3226c90394a9p+26);
}
/// i0(x) = 1 + z P(z), x <= 8. Error: 2^-56.3.
CUDALABS_MATH double bessel_i0_polynomial(double z) {
  return horner(z, 0x1p-2, 0x1p-6, 0x1.c71c71c71c71cp-12, 0x1.c71c71c71c736p-18, 0x1.23456789aba87p-24,
                0x1.02e85c089ca61p-31, 0x1.522a43f5cd60ap-39, 0x1.522a4402bee9bp-47, 0x1.0b3131b982472p-55,
                0x1.56019c52a81fp-64, 0x1.69c931e62255p-73, 0x1.41aae35b72194p-82, 0x1.e5a21c17ad0edp-92,
                0x1.49477bfacce1ap-101, 0x1.ea9ce9d35d036p-112, 0x1.27f1c3a95e4fap-119,
                -0x1.8cb5d82361aaap-128, 0x1.b8f88e1910316p-137);
}
/// i0(x) = exp(x)/sqrt(x) P(1/x), x >= 8. Error: 2^-53.3.
CUDALABS_MATH double bessel_i0_far_polynomial(double z) {
  return horner(z, 0x1.9884533d4364ep-2, 0x1.9884533d571d9p-5, 0x1.cb94dd055fb48p-6, 0x1.debc2b9295d09p-6,
                0x1.6dfe92d70588dp-5, 0x1.9c404ff7090fap-4, -0x1.9f72ee3ea8c47p-1, 0x1.333ffc4ac77c6p+6,
                -0x1.fe29d97be975p+11, 0x1.4176c8c70321dp+17, -0x1.356006df7d7adp+22, 0x1.cc3032ef7e8ddp+26,
                -0x1.0a157c86b46cdp+31, 0x1.df2b1cc231aap+34, -0x1.4eeda4e985017p+38, 0x1.689ab79c98d71p+41,
                -0x1.26df5dfeb8079p+44, 0x1.66297fa55ac9bp+46, -0x1.37bee98ca9fap+48, 0x1.6e17df843ab78p+49,
                -0x1.028536a852b82p+50, 0x1.499ab6e2a4b9p+49);
}
/// sqrt(j1^2 + y1^2) = sqrt(2/(pi x)) P(1/x^2), x >= 8. Error: 2^-50.2.
CUDALABS_MATH double bessel_modulus1_polynomial(double z) {
  return horner(z, 0x1.0000000000004p+0, 0x1.7fffffff9b253p-3, -0x1.8bfffc96cd0a7p-3, 0x1.9c4d13d065543p-1,
                -0x1.eeb4a7abddac2p+2, 0x1.03fcea223bc3fp+7, -0x1.7df0d6d0cb4c9p+11, 0x1.278179718a193p+16,
                -0x1.5ed4d7977605cp+20, 0x1.a7839efb9e5ffp+23);
}
/// atan(y1/j1) = x - 3/4 pi + P(1/x^2)/x. Error: 2^-50.4.
CUDALABS_MATH double bessel_phase1_polynomial(double z) {
  return horner(z, 0x1.7ffffffffff8fp-2, -0x1.4ffffffd27873p-3, 0x1.7bccc05ddb112p-2, -0x1.2f430e60ee67dp+1,
                0x1.e8c65cd36caep+4, -0x1.3f2d91efe6bfcp+9, 0x1.10136d98d3583p+14, -0x1.cc114b4575c3cp+18,
                0x1.1ed995abb2aa5p+23, -0x1.64043f0f4f3c3p+26);
}
/// i1(x) = x/2 + x z P(z), x <= 8. Error: 2^-56.8.
CUDALABS_MATH double bessel_i1_polynomial(double z) {
  return horner(z, 0x1p-4, 0x1.5555555555555p-9, 0x1.c71c71c71c736p-15, 0x1.6c16c16c168fap-21,
                0x1.845c8a0cebc34p-28, 0x1.27e4fb76f90cdp-35, 0x1.522a4406f18a1p-43, 0x1.2c97578138a08p-51,
                0x1.ab82138102c2cp-60, 0x1.f172f854739d5p-69, 0x1.e2a0f469d6c15p-78, 0x1.88bdae561051ap-87,
                0x1.33a0af991c4cfp-96, -0x1.1f00c75894cc5p-108, 0x1.1853857a3afebp-112,
                -0x1.aef8e943c41fbp-120, 0x1.bfd6428cacc4cp-128, -0x1.a1469b262072bp-137);
}
/// i1(x) = exp(x)/sqrt(x) P(1/x), x >= 8. Error: 2^-53.0.
CUDALABS_MATH double bessel_i1_far_polynomial(double z) {
  return horner(z, 0x1.9884533d43653p-2, -0x1.32633e6df76cap-3, -0x1.7efc0db97abebp-5, -0x1.4f1d1a820f3eap-5,
                -0x1.d6b5def9fd5cbp-5, -0x1.ef4673ca64761p-4, 0x1.91ac392d8cc52p-1, -0x1.37e803e61e455p+6,
                0x1.026c99e79087cp+12, -0x1.45501bd1930ffp+17, 0x1.388fe8ae66a02p+22, -0x1.cff2cf168c33p+26,
                0x1.0b8e20c28f369p+31, -0x1.e0459a7f91c9dp+34, 0x1.4e62d599a5ae4p+38, -0x1.664cee53fd62fp+41,
                0x1.23455ef6e4cp+44, -0x1.5f38de6e42eedp+46, 0x1.2eee2a6bbcc14p+48, -0x1.5fa058c641354p+49,
                0x1.e918d82f92727p+49, -0x1.3163fdc736c37p+49);
}

}  // namespace cudalabs_math
