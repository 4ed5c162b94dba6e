#!/usr/bin/env bash
# Builds everything and runs every test that needs no GPU. Everything that is needed is installed first.
# Arguments go to ctest, for instance: CI/test.sh -R hostile. The last line of the output reads "N passed, M failed".
# shellcheck source=CI/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

style=0
# Versions of clang-format lay code out differently; Debian 12's is the one that counts.
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
  CI/check_style.sh || style=1
else
  say "clang-format 14 is not installed: formatting is not checked."
fi

build_grader

log=$(mktemp)
trap 'rm -f "$log"' EXIT
set +e
ctest --test-dir build/release --output-on-failure --label-exclude '^gpu$' --parallel "$(nproc)" --no-tests=error "$@" \
  </dev/null 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
set -e

# ctest's own summary reads "97% tests passed, 1 tests failed out of 40".
read -r failed total < <(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$log" | tail -n 1) || true
if [ -z "${total:-}" ]; then
  failed=1 total=1
fi
if [ "$style" -ne 0 ]; then
  say "Formatting differs from .clang-format: CI/check_style.sh --fix repairs it."
  failed=$((failed + 1)) total=$((total + 1)) status=1
fi
printf '%d passed, %d failed\n' $((total - failed)) "$failed"
exit "$status"
