#!/bin/sh
# Runs a test that needs nvcc or a library of the toolkit, if nvcc is installed.
PATH="${CUDA_HOME:-}/bin:${CUDA_PATH:-}/bin:$PATH:/usr/local/cuda/bin"
command -v nvcc >/dev/null || { echo "skipped: needs nvcc"; exit 0; }
CUDA_LABS_COMPILER=nvcc exec "$@"
