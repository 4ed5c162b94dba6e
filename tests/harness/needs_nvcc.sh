#!/bin/sh
# Runs a test of what nvcc makes, or of a library of the toolkit, where there is one.
PATH="${CUDA_HOME:-}/bin:${CUDA_PATH:-}/bin:$PATH:/usr/local/cuda/bin"
command -v nvcc >/dev/null || { echo "skipped: needs nvcc"; exit 0; }
CUDA_LABS_COMPILER=nvcc exec "$@"
