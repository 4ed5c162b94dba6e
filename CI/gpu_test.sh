#!/usr/bin/env bash
# Runs the tests that need a GPU. The binaries may come from another machine: copy the checkout and the folder
# with grader and test_gpu here, and pass that folder. nvcc and g++ must be installed; cmake is not needed.
#   CI/gpu_test.sh [FOLDER [ARGUMENTS OF test_gpu]]      FOLDER: build/release/bin by default
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/release/bin}
shift $(($# > 0 ? 1 : 0))
if [ ! -x "$folder/test_gpu" ] || [ ! -x "$folder/grader" ]; then
  echo "CI/gpu_test.sh: there is no grader and test_gpu in $folder: cmake --build build/release --target grader test_gpu" >&2
  exit 2
fi
# Uses the course of the checkout too: its references share headers, which the grader finds only in the
# course.
CUDA_LABS_SOURCE=$PWD CUDA_LABS_COURSE=$PWD exec "$folder/test_gpu" "$@"
