#!/usr/bin/env bash
# Compares the tiled product on our simulator, on PoCL (native code without counters) and on Oclgrind (an
# interpreter). They take turns on the same machine; prints the median of each, and ratios.
# Needs: apt-get install oclgrind pocl-opencl-icd ocl-icd-opencl-dev opencl-headers
# Usage: bench/simulator.sh [ROUNDS], from the repository's root, after CI/demo.sh has built the grader.
set -euo pipefail
rounds=${1:-5}
grader=build/release/bin/grader
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -O2 bench/peers/tile_product_opencl.cpp -o "$work/product" -lOpenCL
cp bench/tile_product.cu "$work/"

seconds() { sed -n 's/.*: \([0-9.]*\) s, checksum \(-\{0,1\}[0-9]*\).*/\1 \2/p' "$1"; }
# measure NAME COMMAND...: appends the seconds that the program printed, and checks that the answers agree.
declare -A sum
measure() {
  local name=$1 n=$2 took answer
  shift 2
  "$@" >"$work/out" 2>/dev/null
  read -r took answer < <(seconds "$work/out")
  if [ "${sum[$n]:=$answer}" != "$answer" ]; then
    echo "$name: checksum $answer, not ${sum[$n]}" >&2
    exit 1
  fi
  echo "$took" >>"$work/$name"
}
median() { sort -g "$work/$1" | awk '{v[NR]=$1} END {print NR % 2 ? v[(NR+1)/2] : (v[NR/2] + v[NR/2+1]) / 2}'; }

for ((round = 0; round < rounds; ++round)); do
  measure ours_1024 1024 "$grader" run "$work/tile_product.cu" -- 1024
  measure pocl_1024 1024 "$work/product" 1024
  measure ours_1024_one_core 1024 taskset -c 0 "$grader" run "$work/tile_product.cu" -- 1024
  measure pocl_1024_one_core 1024 taskset -c 0 "$work/product" 1024
  measure ours_256 256 "$grader" run "$work/tile_product.cu" -- 256
  measure ours_256_checked 256 "$grader" run --check all "$work/tile_product.cu" -- 256
done
measure ours_2048 2048 "$grader" run "$work/tile_product.cu" -- 2048
measure oclgrind_256 256 oclgrind "$work/product" 256 once
measure oclgrind_256_checked 256 oclgrind --data-races --uninitialized "$work/product" 256 once

ratio() { awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN {printf "%.4g", a / b}'; }
printf '%-40s %10s\n' 'seconds' ''
for name in ours_256 oclgrind_256 ours_256_checked oclgrind_256_checked ours_1024 pocl_1024 ours_1024_one_core \
  pocl_1024_one_core ours_2048; do
  printf '%-40s %10s\n' "$name" "$(median "$name")"
done
printf '%-40s %10s\n' 'Oclgrind / ours, 256' "$(ratio oclgrind_256 ours_256)" \
  'Oclgrind / ours, 256, all checks' "$(ratio oclgrind_256_checked ours_256_checked)" \
  'PoCL / ours, 1024' "$(ratio pocl_1024 ours_1024)" \
  'PoCL / ours, 1024, one core' "$(ratio pocl_1024_one_core ours_1024_one_core)"
