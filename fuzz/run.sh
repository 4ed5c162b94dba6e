#!/usr/bin/env bash
# Runs every fuzzer for a number of seconds, and prints one line for each: executions, coverage (edges),
# crashes. New inputs remain in build/fuzz/corpus, and inputs that crash in build/fuzz/crashes; the status is
# then 1.
#   fuzz/run.sh [SECONDS [NAME...]]      default: all, 20 minutes each
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-1200}
shift || true
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(ptx_parse ptx_run protocol fatbin yaml messages names submission archive)
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target "${names[@]/%/_fuzz}" >/dev/null
mkdir -p build/fuzz/crashes build/fuzz/logs
status=0
for name in "${names[@]}"; do
  found=build/fuzz/corpus/$name
  log=build/fuzz/logs/$name.log
  mkdir -p "$found"
  given=fuzz/corpus/${name%_parse}
  if build/fuzz/bin/"$name"_fuzz -max_total_time="$seconds" -max_len=20000 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
      -artifact_prefix=build/fuzz/crashes/"$name"- "$found" "$given" >"$log" 2>&1; then
    verdict='no crash'
  else
    verdict="CRASHED, see $log"
    status=1
  fi
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1)
  printf '%-12s %12s executions, %s, %s\n' "$name" "${executions:-0}" "${edges:-cov: ?}" "$verdict"
done
exit $status
