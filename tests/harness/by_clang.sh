#!/bin/sh
# Runs a test with clang as the compiler of submissions, if it is installed and $CUDA_LABS_COMPILER names no
# other. Grading then takes a third of the time. CUDA_LABS_COMPILER=nvcc grades the same with nvcc.
if command -v clang++ >/dev/null; then
  : "${CUDA_LABS_COMPILER:=clang}"
  export CUDA_LABS_COMPILER
fi
exec "$@"
