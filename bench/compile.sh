#!/usr/bin/env bash
# Processor time from a source file to its module loaded in the simulator, by nvcc and by clang: `grader run`
# of a lab's reference solution with a main that queries a kernel's attributes. clang is measured with
# precompiled headers (warm), and with a cache that has only the unpacked course (cold). The compilers take
# turns, so that ratios come from one run. Counts user and system time of the grader and of all its child
# processes.
# Usage: bench/compile.sh [GRADER], from the repository's root. ROUNDS=9; SOURCE and CONTRACT name another
# file, KERNEL a kernel in it.
set -euo pipefail
grader=${1:-build/release/bin/grader}
rounds=${ROUNDS:-9}
source=${SOURCE:-reference/lab3/variant4/row_max.cu}
contract=${CONTRACT:-labs/lab3/variant4/contract.cuh}
kernel=${KERNEL:-row_max_global_kernel}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work/warm" "$work/cold"

cp "$contract" "$work/"
{
  cat "$source"
  echo "int main() { cudaFuncAttributes a; return cudaFuncGetAttributes(&a, $kernel) != cudaSuccess; }"
} >"$work/program.cu"

# run NAME CACHE WORD...: appends the processor seconds of one run to $work/NAME.
run() {
  local times=$work/$1 cache=$work/$2 TIMEFORMAT='%U %S'
  shift 2
  { time XDG_CACHE_HOME="$cache" "$grader" run "$work/program.cu" --device simulator "$@" >"$work/out" 2>&1 || {
    cat "$work/out" >&2
    exit 1
  }; } 2>"$work/time"
  awk '{printf "%.3f\n", $1 + $2}' "$work/time" >>"$times"
}
median() { sort -g "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

compilers=()
starts() { XDG_CACHE_HOME="$work/$1" "$grader" run "$work/program.cu" --device simulator --compiler "$2" >"$work/out" 2>&1; }
for compiler in nvcc clang; do
  # Twice, because clang's headers are precompiled on their second use.
  if starts warm "$compiler" && starts warm "$compiler" && starts cold "$compiler"; then
    compilers+=("$compiler")
  else
    echo "without $compiler: $(head -1 "$work/out")" >&2
  fi
done
for ((round = 0; round < rounds; ++round)); do
  for compiler in "${compilers[@]}"; do run "$compiler" warm --compiler "$compiler"; done
  if [[ " ${compilers[*]} " == *" clang "* ]]; then
    rm -rf "$work/cold/cuda-labs/"{precompiled,versions}
    run clang_cold cold --compiler clang
  fi
done
echo "processor s, median of $rounds"
for name in "${compilers[@]}" clang_cold; do
  [ -f "$work/$name" ] || continue
  printf '%-12s %6.2f' "${name/_/, }" "$(median "$work/$name")"
  if [ -f "$work/nvcc" ]; then
    awk -v a="$(median "$work/nvcc")" -v b="$(median "$work/$name")" 'BEGIN {printf "   nvcc takes %.1f times as long", a / b}'
  fi
  echo
done
