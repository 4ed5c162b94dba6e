#pragma once
// Headers that include this one belong to NVIDIA's libraries, which we do not provide. The headers exist so
// that a program that includes one gets a message that names the requirement.
#error \
    "this header needs NVIDIA's libraries (Thrust, CUB, cuRAND, cuBLAS, cuFFT, ...), which only the CUDA Toolkit has: install the toolkit and compile with --compiler nvcc"
