#!/bin/sh
# Runs a test that compiles with nvcc by itself, or with a library of the toolkit, where there is one.
PATH="${CUDA_HOME:-}/bin:$PATH:/usr/local/cuda/bin"
command -v nvcc >/dev/null || { echo "skipped: needs nvcc"; exit 0; }
exec "$@"
