#!/usr/bin/env bash
# Checks whether a score depends on the seed. Grades every variant's reference, and each further .cu file,
# with several seeds and prints the different scores.
#   bench/seeds.sh GRADER [LAB/VARIANT=FILE.cu ...]     environment: SEEDS=20, the number of seeds; ONLY=lab3,
# a lab
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
grader=$1
shift
jobs=("$@")
for file in reference/lab*/variant*/*.cu; do
  slug=${file#reference/}
  jobs+=("${slug%/*}=$file")
done
for job in "${jobs[@]}"; do
  slug=${job%%=*}
  [[ $slug == "${ONLY:-lab}"* ]] || continue
  for ((seed = 1; seed <= ${SEEDS:-20}; ++seed)); do
    "$grader" "${slug%/*}" "${slug#*/}" --submission "${job#*=}" --device simulator --seed $((seed * 7919)) --quiet 2>/dev/null || true
  done | sed 's/.*: //; s/ of .*//' | sort | uniq -c | awk -v job="$job" '{printf "%s%s x %s", NR == 1 ? job ": " : ", ", $2, $1} END {print ""}'
done
