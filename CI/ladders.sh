#!/usr/bin/env bash
# Generates a part of docs/ladders.md: every ladder, as `grader ladder` shows it with nvcc's code.
#   CI/ladders.sh [GRADER]            write it
#   CI/ladders.sh --check [GRADER]    status 1, with the differences, if it would change
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

check=false
if [ "${1:-}" = --check ]; then check=true; shift; fi
grader=${1:-build/release/bin/grader}
page=docs/ladders.md
begin='<!-- From here on written by CI/ladders.sh. -->'
end='<!-- To here. -->'

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
{
  sed "\|^$begin\$|q" "$page"
  echo
  "$grader" ladder --course . | while read -r name _; do
    "$grader" ladder "$name" --course . --compiler nvcc --device simulator --format markdown --no-cpu --every-card
  done
  sed -n "\|^$end\$|,\$p" "$page"
} > "$fresh"

if $check; then
  diff -u "$page" "$fresh"
else
  cp "$fresh" "$page"
fi
