#!/usr/bin/env bash
# Runs the tests that need a GPU. The binaries may have been built on another machine: copy the checkout and the folder with
# grader and test_gpu here, and name that folder. nvcc and g++ must be installed, cmake need not be.
#   CI/gpu_test.sh [FOLDER [ARGUMENTS OF test_gpu]]      FOLDER is build/release/bin unless given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build/release/bin}
shift $(($# > 0 ? 1 : 0))
if [ ! -x "$folder/test_gpu" ] || [ ! -x "$folder/grader" ]; then
  echo "CI/gpu_test.sh: there is no grader and test_gpu in $folder: cmake --build build/release --target grader test_gpu" >&2
  exit 2
fi
# The course is the checkout's, too: its references share headers, which the grader finds in the course alone.
CUDA_LABS_SOURCE=$PWD CUDA_LABS_COURSE=$PWD exec "$folder/test_gpu" "$@"
