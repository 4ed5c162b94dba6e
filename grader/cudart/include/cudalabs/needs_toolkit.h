#pragma once
// The headers that lead here belong to libraries of NVIDIA that are not ours to write. Their names exist so
// that a program that includes one hears what it needs.
#error \
    "this header belongs to NVIDIA's libraries (Thrust, CUB, cuRAND, cuBLAS, cuFFT, ...), which come with the CUDA Toolkit alone: install the toolkit and compile with --compiler nvcc"
