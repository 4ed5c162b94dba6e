#pragma once
// What others would write: kernels of course books and of application programmers. They test what was fitted
// to the rest. A launch must not take longer or shorter for those before it: what decides anything is read
// only, or written again with the same.
#include "fresh/grids.cuh"
#include "fresh/inputs.cuh"
#include "fresh/matrices.cuh"
#include "fresh/numbers.cuh"
#include "fresh/scans.cuh"
#include "fresh/sparse.cuh"
#include "fresh/vectors.cuh"

namespace fresh_kernels {

inline dim3 over(int width, int height, dim3 block) { return dim3(blocks_for(width, block.x), blocks_for(height, block.y)); }

inline void fresh(Cases& cases) {
  const Pool& p = cases.pool;
  int* const out = (int*)p.b;
  float* const unit = made<float>(1 << 21, Between{0, 0, 1});
  float* const price = made<float>(1 << 19, Between{1u << 24, 5, 30});
  float* const strike = made<float>(1 << 19, Between{2u << 24, 1, 100});
  float* const years = made<float>(1 << 19, Between{3u << 24, 0.25f, 10});
  float* const moving = made<float>(1 << 21, Between{4u << 24, 0, 1});
  float* const distance = made<float>(1 << 20, Between{5u << 24, 1, 100});
  int* const lengths = made<int>(1 << 18, Between{6u << 24, 1, 100});
  double* const wide = made<double>(1 << 19, Between{7u << 24, 0, 1});
  __half2* const half_x = made<__half2>(1 << 20, Pair{0});
  __half2* const half_y = made<__half2>(1 << 20, Pair{1u << 24});
  unsigned char* const text = made<unsigned char>(1 << 22, Letters{});
  unsigned char* const cells = made<unsigned char>(1 << 20, OneIn{3});
  int* const keys = made<int>(1 << 20, Below{0, 1u << 30});
  int* const sorted = made<int>(1 << 20, Ascending{});
  int* const start = made<int>(kRows + 1, RowStart{});
  int* const anywhere = made<int>(kRows * kPerRow, Below{8u << 24, kRows});
  int* const near_diagonal = made<int>(kRows * kPerRow, NearDiagonal{});
  unsigned char* const few = made<unsigned char>(kRows, OneIn{16});
  unsigned char* const many = made<unsigned char>(kRows, OneIn{2});  // all of the few are of the many
  unsigned char* const found = made<unsigned char>(kRows, Zero{});
  int* const cost = made<int>(kRows, Zero{});
  CHECKED(cudaDeviceSynchronize());

  cases.family = "fresh_saxpy";
  cases.add("1000000", 256, 256, 0, saxpy<float>, 1000000, 2.0f, p.a, p.b);
  cases.add("3000000", 1024, 192, 0, saxpy<float>, 3000000, 2.0f, p.a, p.b);
  cases.add("double_300000", 512, 128, 0, saxpy<double>, 300000, 2.0, wide, (double*)p.c);
  cases.add("half2_1048576", 1024, 1024, 0, axpy_half2, 1 << 20, 0.001f, half_x, half_y);
  cases.family = "fresh_dot";
  cases.add("thread_atomics_100000", blocks_for(100000, 256), 256, 0, dot_thread_atomics, p.a, unit, p.c, 100000);
  cases.add("tree_32x256_33792", 32, 256, 1024, dot_tree, p.a, unit, p.c, 33 * 1024);
  cases.add("tree_256x512_2000000", 256, 512, 2048, dot_tree, p.a, unit, p.c, 2000000);
  cases.add("shuffles_500000", 264, 192, 0, dot_shuffles, p.a, unit, p.c, 500000);
  cases.add("shuffles_2097152", 512, 1024, 0, dot_shuffles, p.a, unit, p.c, 1 << 21);
  cases.family = "fresh_matvec";
  cases.add("row_thread_1024x1024", 16, 64, 0, matvec_row_thread, p.a, unit, p.c, 1024, 1024);
  cases.add("row_thread_20000x100", blocks_for(20000, 256), 256, 0, matvec_row_thread, p.a, unit, p.c, 20000, 100);
  cases.add("column_thread_4000x500", blocks_for(4000, 192), 192, 0, matvec_column_thread, p.a, unit, p.c, 4000, 500);
  cases.add("column_thread_16384x128", 64, 256, 0, matvec_column_thread, p.a, unit, p.c, 16384, 128);
  cases.add("row_warp_2000x1000", 500, 128, 0, matvec_row_warp, p.a, unit, p.c, 2000, 1000);
  cases.add("row_warp_8192x512", 512, 512, 0, matvec_row_warp, p.a, unit, p.c, 8192, 512);
  cases.add("row_block_500x4000", 500, 128, 0, matvec_row_block, p.a, unit, p.c, 4000);
  cases.add("row_block_1500x1500", 1500, 192, 0, matvec_row_block, p.a, unit, p.c, 1500);
  cases.family = "fresh_matmul";
  for (const int n : {100, 300})
    cases.add("16x16_" + std::to_string(n), over(n, n, dim3(16, 16)), dim3(16, 16), 0, matmul, p.a, unit, p.c, n, n, n);
  cases.add("32x32_400", over(400, 400, dim3(32, 32)), dim3(32, 32), 0, matmul, p.a, unit, p.c, 400, 400, 400);
  cases.add("64x1000x500", over(1000, 64, dim3(64, 2)), dim3(64, 2), 0, matmul, p.a, unit, p.c, 64, 1000, 500);
  cases.add("swapped_200", over(200, 200, dim3(16, 16)), dim3(16, 16), 0, matmul_swapped, p.a, unit, p.c, 200);
  cases.add("swapped_32x32_256", over(256, 256, dim3(32, 32)), dim3(32, 32), 0, matmul_swapped, p.a, unit, p.c, 256);
  cases.family = "fresh_matmul_tile";
  cases.add("8_200", over(200, 200, dim3(8, 8)), dim3(8, 8), 0, matmul_tile<float, 8>, p.a, unit, p.c, 200);
  cases.add("16_400", over(400, 400, dim3(16, 16)), dim3(16, 16), 0, matmul_tile<float, 16>, p.a, unit, p.c, 400);
  cases.add("24_300", over(300, 300, dim3(24, 24)), dim3(24, 24), 0, matmul_tile<float, 24>, p.a, unit, p.c, 300);
  cases.add("32_500", over(500, 500, dim3(32, 32)), dim3(32, 32), 0, matmul_tile<float, 32>, p.a, unit, p.c, 500);
  cases.add("double_16_256", over(256, 256, dim3(16, 16)), dim3(16, 16), 0, matmul_tile<double, 16>, wide, wide + (1 << 16), (double*)p.c,
            256);
  cases.family = "fresh_matmul_coarse";
  cases.add("16_by_2_512", dim3(16, 32), dim3(16, 16), 0, matmul_coarse<16, 2>, p.a, unit, p.c, 512);
  cases.add("16_by_4_512", dim3(8, 32), dim3(16, 16), 0, matmul_coarse<16, 4>, p.a, unit, p.c, 512);
  cases.add("32_by_2_512", dim3(8, 16), dim3(32, 32), 0, matmul_coarse<32, 2>, p.a, unit, p.c, 512);
  cases.add("32_by_4_384", dim3(3, 12), dim3(32, 32), 0, matmul_coarse<32, 4>, p.a, unit, p.c, 384);
  cases.add("2x2_512", dim3(16, 16), dim3(16, 16), 0, matmul_four, p.a, unit, p.c, 512);
  cases.family = "fresh_transpose";
  cases.add("writes_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, transpose_writes, p.a, p.c, 1000, 1000);
  cases.add("writes_2000x500", over(500, 2000, dim3(64, 4)), dim3(64, 4), 0, transpose_writes, p.a, p.c, 2000, 500);
  cases.add("tile_16_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, transpose_tile<float, 16, 0>, p.a, p.c, 1000, 1000);
  cases.add("tile_32_padded_1500x700", over(1500, 700, dim3(32, 32)), dim3(32, 32), 0, transpose_tile<float, 32, 1>, p.a, p.c, 1500, 700);
  cases.add("tile_32_2048", dim3(64, 64), dim3(32, 32), 0, transpose_tile<float, 32, 0>, p.a, p.c, 2048, 2048);
  cases.add("double_16_padded_512", dim3(32, 32), dim3(16, 16), 0, transpose_tile<double, 16, 1>, wide, (double*)p.c, 512, 512);
  cases.family = "fresh_matrix_add";
  cases.add("good_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, matrix_add<true>, p.a, unit, p.c, 1000);
  cases.add("good_32x32_1400", over(1400, 1400, dim3(32, 32)), dim3(32, 32), 0, matrix_add<true>, p.a, unit, p.c, 1400);
  cases.add("bad_1000", over(1000, 1000, dim3(32, 8)), dim3(32, 8), 0, matrix_add<false>, p.a, unit, p.c, 1000);
  cases.add("row_thread_1024", 16, 64, 0, matrix_add_row, p.a, unit, p.c, 1024);
  cases.add("column_thread_1024", 8, 128, 0, matrix_add_column, p.a, unit, p.c, 1024);
  cases.family = "fresh_softmax";
  cases.add("block_512x1000", 512, 256, 0, softmax_block<256>, unit, p.c, 1000);
  cases.add("block_128x8192", 128, 512, 0, softmax_block<512>, unit, p.c, 8192);
  cases.add("thread_8192x64", 64, 128, 0, softmax_thread, unit, p.c, 8192, 64);
  cases.add("warp_4096x128", 1024, 128, 0, softmax_warp<4>, unit, p.c, 4096, 128);
  cases.add("warp_2000x500", 250, 256, 0, softmax_warp<16>, unit, p.c, 2000, 500);
  cases.family = "fresh_layer_norm";
  cases.add("1024x768", 1024, 192, 0, layer_norm, unit, p.a, price, p.c, 768);
  cases.add("256x1024", 256, 1024, 0, layer_norm, unit, p.a, price, p.c, 1024);
  cases.add("4096x256", 4096, 64, 0, layer_norm, unit, p.a, price, p.c, 256);
  cases.family = "fresh_conv2d";
  cases.add("3x3_1024", over(1024, 1024, dim3(32, 8)), dim3(32, 8), 0, conv2d<1>, p.a, p.c, 1024, 1024);
  cases.add("5x5_800x600", over(800, 600, dim3(16, 16)), dim3(16, 16), 0, conv2d<2>, p.a, p.c, 800, 600);
  cases.add("7x7_512", over(512, 512, dim3(32, 32)), dim3(32, 32), 0, conv2d<3>, p.a, p.c, 512, 512);
  cases.add("shared_3x3_1000", over(1000, 1000, dim3(14, 14)), dim3(16, 16), 0, conv2d_shared<1, 16>, p.a, p.c, 1000, 1000);
  cases.add("shared_5x5_1024", over(1024, 1024, dim3(28, 28)), dim3(32, 32), 0, conv2d_shared<2, 32>, p.a, p.c, 1024, 1024);
  cases.family = "fresh_conv1d";
  cases.add("9_1048576", 2048, 512, 0, conv1d, p.a, p.c, 1 << 20, 9);
  cases.add("31_250000", blocks_for(250000, 128), 128, 0, conv1d, p.a, p.c, 250000, 31);
  cases.add("plain_32_500000", blocks_for(500000, 256), 256, 0, conv1d_plain, p.a, unit, p.c, 500000, 32);
  cases.add("shared_9_1048576", 4096, 256, 0, conv1d_shared<256, 4>, p.a, p.c, 1 << 20);
  cases.family = "fresh_jacobi";
  for (const int n : {500, 1400})
    cases.add(std::to_string(n), over(n - 2, n - 2, dim3(16, 16)), dim3(16, 16), 0, jacobi, p.a, unit, p.c, n, 0.01f);
  cases.add("64x2_1024", over(1022, 1022, dim3(64, 2)), dim3(64, 2), 0, jacobi, p.a, unit, p.c, 1024, 0.01f);
  cases.add("residual_1000", over(998, 998, dim3(32, 8)), 256, 0, jacobi_residual, p.a, unit, p.c, (float*)p.counters, 1000, 0.01f);
  cases.family = "fresh_heat";
  cases.add("8x8x8_64", dim3(8, 8, 8), dim3(8, 8, 8), 0, heat<float>, unit, p.c, 64, 0.1f);
  cases.add("32x4x2_100", dim3(4, 25, 50), dim3(32, 4, 2), 0, heat<float>, unit, p.c, 100, 0.1f);
  cases.add("16x8x8_128", dim3(8, 16, 16), dim3(16, 8, 8), 0, heat<float>, unit, p.c, 128, 0.1f);
  cases.add("double_8x8x8_80", dim3(10, 10, 10), dim3(8, 8, 8), 0, heat<double>, wide, (double*)p.c, 80, 0.1);
  cases.family = "fresh_life";
  cases.add("1024", over(1024, 1024, dim3(16, 16)), dim3(16, 16), 0, life, cells, (unsigned char*)p.c, 1024, 1024);
  cases.add("600x400", over(600, 400, dim3(32, 16)), dim3(32, 16), 0, life, cells, (unsigned char*)p.c, 600, 400);
  cases.add("shared_1024", dim3(32, 64), dim3(32, 16), 0, life_shared, cells, (unsigned char*)p.c, 1024, 1024);
  cases.family = "fresh_image";
  cases.add("gray_1024", over(1024, 1024, dim3(16, 16)), dim3(16, 16), 0, gray, (uchar4*)text, (unsigned char*)p.c, 1024, 1024);
  cases.add("gray_packed_1000000", blocks_for(1000000, 512), 512, 0, gray_packed, text, (unsigned char*)p.c, 1000000);
  cases.add("blur_1_1024", over(1024, 1024, dim3(32, 32)), dim3(32, 32), 0, blur, (uchar4*)text, (uchar4*)p.c, 1024, 1024, 1);
  cases.add("blur_3_640x480", over(640, 480, dim3(16, 16)), dim3(16, 16), 0, blur, (uchar4*)text, (uchar4*)p.c, 640, 480, 3);
  cases.add("sobel_1920x1080", over(1918, 1078, dim3(32, 4)), dim3(32, 4), 0, sobel, text, (unsigned char*)p.c, 1920, 1080);
  cases.family = "fresh_julia";
  cases.add("256", over(256, 256, dim3(16, 16)), dim3(16, 16), 0, julia, (uchar4*)p.c, 256, 256, 200);
  cases.add("800x600", over(800, 600, dim3(8, 8)), dim3(8, 8), 0, julia, (uchar4*)p.c, 800, 600, 100);
  cases.add("1024x256_rows", over(1024, 256, dim3(1024, 1)), dim3(1024, 1), 0, julia, (uchar4*)p.c, 1024, 256, 200);
  cases.family = "fresh_scan";
  cases.add("hillis_steele_256_1000000", blocks_for(1000000, 256), 256, 0, hillis_steele<256>, p.a, p.c, 1000000);
  cases.add("hillis_steele_1024_300000", blocks_for(300000, 1024), 1024, 0, hillis_steele<1024>, p.a, p.c, 300000);
  cases.add("blelloch_128_524288", 2048, 128, 0, blelloch<128>, p.a, p.c);
  cases.add("blelloch_512_1048576", 1024, 512, 0, blelloch<512>, p.a, p.c);
  cases.add("shuffles_1000000", blocks_for(1000000, 512), 512, 0, scan_shuffles, p.index, out, p.counters, 1000000);
  cases.family = "fresh_bitonic";
  cases.add("step_1_of_2", 1024, 1024, 0, bitonic_step, keys, 1, 2);
  cases.add("step_64_of_256", 4096, 256, 0, bitonic_step, keys, 64, 256);
  cases.add("step_32768_of_131072", 2048, 512, 0, bitonic_step, keys, 32768, 131072);
  cases.add("shared_128_32768", 128, 128, 0, bitonic_shared<128>, unit, p.c);
  cases.add("shared_512_524288", 512, 512, 0, bitonic_shared<512>, unit, p.c);
  cases.family = "fresh_letters";
  cases.add("global_200000", blocks_for(200000, 256), 256, 0, letters_global, text, p.counters, 200000);
  cases.add("shared_1048576", 264, 256, 0, letters_shared<false>, text, p.counters, 1 << 20, 0);
  cases.add("shared_3000000", 512, 512, 0, letters_shared<false>, text, p.counters, 3000000, 0);
  cases.add("stretches_of_32_1048576", 256, 128, 0, letters_shared<true>, text, p.counters, 1 << 20, 32);
  cases.family = "fresh_bytes";
  cases.add("count_1000000", blocks_for(1000000, 192), 192, 0, count_byte, text, p.counters, 1000000, 'e');
  cases.add("words_4194304", 1024, 256, 0, count_words, text, p.counters, 1 << 22);
  cases.add("upper_4000000", blocks_for(4000000, 512), 512, 0, to_upper, text, (unsigned char*)p.c, 4000000);
  cases.family = "fresh_reverse";
  cases.add("to_1000000", blocks_for(1000000, 256), 256, 0, reverse_to, p.index, out, 1000000);
  cases.add("in_place_2000000", blocks_for(1000000, 1024), 1024, 0, reverse_in_place, out, 2000000);
  cases.add("shared_500000", blocks_for(500000, 512), 512, 0, reverse_shared, p.index, out, 500000);
  cases.family = "fresh_max";
  cases.add("atomic_100000", blocks_for(100000, 256), 256, 0, max_atomic, p.index, p.counters, 100000);
  cases.add("atomic_1000000", blocks_for(1000000, 1024), 1024, 0, max_atomic, p.index, p.counters, 1000000);
  cases.add("by_block_2000000", 528, 256, 0, max_by_block, p.index, p.counters, 2000000);
  cases.family = "fresh_elementwise";
  cases.add("relu_1000000", blocks_for(1000000, 128), 128, 0, relu, unit, p.c, 1000000);
  cases.add("sigmoid_2000000", blocks_for(2000000, 256), 256, 0, sigmoid, unit, p.c, 2000000);
  cases.add("gelu_float4_1048576", 512, 512, 0, gelu, (float4*)unit, (float4*)p.c, 1 << 18);
  cases.family = "fresh_horner";
  cases.add("float_15_1000000", blocks_for(1000000, 256), 256, 0, horner<float>, unit, p.a, p.c, 1000000, 15);
  cases.add("float_100_100000", blocks_for(100000, 64), 64, 0, horner<float>, unit, p.a, p.c, 100000, 100);
  cases.add("double_20_400000", blocks_for(400000, 192), 192, 0, horner<double>, wide, wide + (1 << 18), (double*)p.c, 400000, 20);
  cases.family = "fresh_search";
  cases.add("in_10000", 1024, 256, 0, lower_bound, sorted, 10000, keys, out, 1 << 18);
  cases.add("in_1048576", 512, 512, 0, lower_bound, sorted, 1 << 20, p.index, out, 1 << 18);
  cases.add("merge_250000", blocks_for(250000, 128), 128, 0, merge_by_rank, sorted, sorted + 1000, out, 250000);
  cases.family = "fresh_numbers";
  cases.add("primes_30000", blocks_for(15000, 256), 256, 0, count_primes, p.counters, 30000);
  cases.add("primes_200000", blocks_for(100000, 64), 64, 0, count_primes, p.counters, 200000);
  cases.add("collatz_100000", blocks_for(100000, 128), 128, 0, collatz, out, 100000);
  cases.family = "fresh_bodies";
  cases.add("tile_64_1024", 16, 64, 64 * 16, bodies, (float4*)unit, (float4*)p.c, 1024);
  cases.add("tile_256_4096", 16, 256, 256 * 16, bodies, (float4*)unit, (float4*)p.c, 4096);
  cases.add("plain_2000", blocks_for(2000, 128), 128, 0, bodies_plain, unit, unit + 4096, unit + 8192, p.c, p.c + 4096, p.c + 8192, 2000);
  cases.family = "fresh_kmeans";
  const float* const centres = unit + 2000000;
  cases.add("2_dims_8_100000", blocks_for(100000, 256), 256, 0, assign, unit, centres, out, 100000, 8, 2);
  cases.add("16_dims_20_50000", blocks_for(50000, 128), 128, 0, assign, unit, centres, out, 50000, 20, 16);
  cases.add("shared_3_dims_32_200000", blocks_for(200000, 512), 512, 32 * 3 * 4, assign_shared<3>, unit, centres, out, 200000, 32);
  cases.add("shared_8_dims_64_65536", 512, 128, 64 * 8 * 4, assign_shared<8>, unit, centres, out, 65536, 64);
  cases.family = "fresh_random";
  cases.add("pi_64x128_1000", 64, 128, 0, pi_thread, p.counters, 1000);
  cases.add("pi_264x256_200", 264, 256, 0, pi_thread, p.counters, 200);
  cases.add("pi_block_100x512_300", 100, 512, 0, pi_block, (double*)p.c, 300);
  cases.add("xorshift_100000x16", blocks_for(100000, 192), 192, 0, xorshift, (unsigned*)p.c, 16, 100000);
  cases.add("normal_100000", blocks_for(100000, 256), 256, 0, xorshift_normal, (const unsigned*)p.index, p.c, 100000);
  cases.family = "fresh_black_scholes";
  cases.add("float_65536", 512, 128, 0, black_scholes<float>, price, strike, years, p.b, p.c, 1 << 16, 0.02f, 0.3f);
  cases.add("float_500000", blocks_for(500000, 256), 256, 0, black_scholes<float>, price, strike, years, p.b, p.c, 500000, 0.02f, 0.3f);
  cases.add("double_50000", blocks_for(50000, 192), 192, 0, black_scholes<double>, price, strike, years, (double*)p.b, (double*)p.c,
            50000, 0.02, 0.3);
  cases.family = "fresh_particles";
  const int n = 1 << 18;
  for (const int some : {50000, n}) {
    cases.add("structs_" + std::to_string(some), blocks_for(some, 256), 256, 0, move_structs, (Particle*)moving, some, 0.001f);
    cases.add("arrays_" + std::to_string(some), blocks_for(some, 256), 256, 0, move_arrays, moving, moving + n, moving + 2 * n,
        moving + 3 * n,
              moving + 4 * n, moving + 5 * n, some, 0.001f);
  }
  cases.family = "fresh_fft";
  cases.add("stage_1_1048576", 2048, 256, 0, fft_stage, (float2*)p.a, (float2*)p.c, 1 << 19, 1);
  cases.add("stage_512_262144", 1024, 128, 0, fft_stage, (float2*)p.a, (float2*)p.c, 1 << 17, 512);
  cases.add("stage_131072_1048576", 512, 1024, 0, fft_stage, (float2*)p.a, (float2*)p.c, 1 << 19, 1 << 17);
  cases.add("blocks_64", 64, 512, 0, fft_block, (float2*)unit, (float2*)p.c);
  cases.add("blocks_512", 512, 512, 0, fft_block, (float2*)unit, (float2*)p.c);
  cases.family = "fresh_spmv";
  cases.add("scalar_banded_65536", 256, 256, 0, spmv_scalar, start, near_diagonal, unit, p.a, p.c, kRows);
  cases.add("scalar_random_65536", 512, 128, 0, spmv_scalar, start, anywhere, unit, p.a, p.c, kRows);
  cases.add("vector_banded_20000", blocks_for(20000 * 32, 128), 128, 0, spmv_vector, start, near_diagonal, unit, p.a, p.c, 20000);
  cases.add("vector_random_65536", kRows / 8, 256, 0, spmv_vector, start, anywhere, unit, p.a, p.c, kRows);
  cases.add("ell_random_65536", 128, 512, 0, spmv_ell, anywhere, unit, p.a, p.c, kRows, kPerRow);
  cases.family = "fresh_bfs";
  cases.add("few_65536", 128, 512, 0, bfs_step, start, anywhere, few, many, found, cost, kRows);
  cases.add("many_65536", 256, 256, 0, bfs_step, start, anywhere, many, many, found, cost, kRows);
  cases.add("pull_50000", blocks_for(50000, 192), 192, 0, bfs_pull, start, anywhere, few, many, found, cost, 50000);
  cases.family = "fresh_floyd_warshall";
  cases.add("int_500", over(500, 500, dim3(32, 8)), dim3(32, 8), 0, floyd_warshall<int>, lengths, 500, 250);
  cases.add("float_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, floyd_warshall<float>, distance, 1000, 500);
  cases.add("float_64x1_1000", over(1000, 1000, dim3(64, 1)), dim3(64, 1), 0, floyd_warshall<float>, distance, 1000, 7);
}

}  // namespace fresh_kernels

using fresh_kernels::fresh;
