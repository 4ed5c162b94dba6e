#!/usr/bin/env bash
# Processor time for grading every variant's reference on the simulator: cold (nothing cached, so nvcc and g++
# run) and warm (again, with both results cached). For comparisons, a second grader takes turns with the
# first. Counts user and system time of the grader and of all its child processes.
# Usage: bench/grading.sh [GRADER [SECOND_GRADER]], from the repository's root. ROUNDS=3 takes the median of
# three warm gradings; ONLY=lab4 selects variants whose name starts with that.
# shellcheck disable=SC2059,SC2086  # a row's words are split, and its format is a variable
set -euo pipefail
graders=("$@")
[ $# -gt 0 ] || graders=(build/release/bin/grader)
rounds=${ROUNDS:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Appends to $2 the processor seconds of one grading by $1 of $3 $4.
grading() {
  local grader=$1 times=$2 lab=$3 variant=$4 TIMEFORMAT='%U %S' status=0
  { time XDG_CACHE_HOME="$work/cache" "$grader" "$lab" "$variant" --submission "reference/$lab/$variant" \
    --device simulator --seed 1 --quiet >"$work/out" 2>"$work/err" || status=$?; } 2>"$work/time"
  # 1: graded with lost points. An estimate that differs between two rounds is not an error of this benchmark.
  if [ "$status" -gt 1 ]; then
    echo "$grader $lab $variant: exit status $status" >&2
    cat "$work/err" >&2
    exit 1
  fi
  awk '{printf "%.3f\n", $1 + $2}' "$work/time" >>"$times"
}
median() { sort -g "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

row='%-14s'
printf "$row" 'processor s'
for grader in "${graders[@]}"; do printf ' %10s %10s' cold warm; done
echo
: >"$work/rows"
for name in $("${graders[0]}" list | awk '/^lab/ {print $1 "/" $2}'); do
  [[ $name == "${ONLY:-}"* ]] || continue
  lab=${name%/*} variant=${name#*/}
  printf "$row" "$lab $variant"
  line=
  for grader in "${graders[@]}"; do
    rm -rf "$work/cache" "$work/cold" "$work/warm"
    mkdir -m 700 "$work/cache"
    grading "$grader" "$work/cold" "$lab" "$variant"
    for ((round = 0; round < rounds; ++round)); do grading "$grader" "$work/warm" "$lab" "$variant"; done
    line+=" $(median "$work/cold") $(median "$work/warm")"
  done
  printf ' %10.2f' $line
  echo
  echo "$line" >>"$work/rows"
done
printf "$row" 'all'
awk '{for (i = 1; i <= NF; ++i) sum[i] += $i} END {for (i = 1; i <= NF; ++i) printf " %10.2f", sum[i]; print ""}' \
  "$work/rows"
