#!/usr/bin/env bash
# A class of N different submissions of lab3 variant4 (the reference with different comments, so that no build
# is cached): gradings per minute, duration of a regrade, and the size of the journal and of the processes.
#   bench/batch.sh [N] [nvcc|clang]      N: 300
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
grader=$root/build/release/bin/grader
count=${1:-300} compiler=${2:-nvcc}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export XDG_CACHE_HOME=$place/cache
cd "$place"
for i in $(seq "$count"); do
  mkdir -p "class/s$i"
  { cat "$root/reference/lab3/variant4/row_max.cu"; printf '// %d %d\n' "$i" $RANDOM; } >"class/s$i/row_max.cu"
done
# Prepares the reference and the oracle, which all submissions share, as a cache from last week would.
"$grader" lab3 variant4 --submission "$root/reference/lab3/variant4/row_max.cu" --compiler "$compiler" -q >/dev/null 2>&1

# measure WHAT COMMAND...: prints wall-clock seconds, processor seconds and the size of the largest process
measure() {
  local what=$1
  shift
  /usr/bin/time -f "%e %U %S %M" -o figures "$@" >/dev/null 2>said || { [ $? -eq 1 ] || { cat said >&2; exit 1; }; }
  awk -v what="$what" -v n="$count" '{ printf "%-28s %7.1f s by the clock, %7.1f s of processor, %5.0f a minute, largest process %4.0f MiB\n",
    what, $1, $2 + $3, 60 * n / $1, $4 / 1024 }' figures
}
measure "first pass" "$grader" batch lab3 variant4 class --out out --compiler "$compiler" --device simulator
measure "the same again, nothing new" "$grader" batch lab3 variant4 class --out out --compiler "$compiler" --device simulator
measure "regrade, all" "$grader" regrade out --all
du -h out/journal.sqlite | awk '{ print "journal " $1 }'
