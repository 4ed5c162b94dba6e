#!/usr/bin/env bash
# Builds everything and runs every test that needs no GPU. Everything that is needed is installed first.
# Arguments go to ctest, for instance: CI/test.sh -R hostile. The last line of the output reads "N passed, M failed".
# shellcheck source=CI/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# What checks the style. Versions of it differ in what they say; Debian 12's is the one that counts.
(install_missing clang-format-14 clang-tidy-14) || say "Going on without what could not be installed."

build_grader

style=0
if ! command -v clang-format-14 >/dev/null || ! command -v clang-tidy-14 >/dev/null; then
  say "clang-format 14 or clang-tidy 14 is not installed: the style is not checked."
elif git rev-parse -q --verify HEAD~1 >/dev/null; then
  TIDY_SECONDS=60 CI/check_style.sh --tidy HEAD~1 || style=1
else
  CI/check_style.sh || style=1
fi

# One more than there are cores: some tests wait for the clock, to see that what never ends is stopped.
jobs=$(($(nproc) + 1))
log=$(mktemp)
trap 'rm -f "$log"' EXIT
set +e
ctest --test-dir build/release --output-on-failure --label-exclude '^gpu$' --parallel "$jobs" --no-tests=error "$@" \
  </dev/null 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
set -e

# ctest's own summary reads "97% tests passed, 1 tests failed out of 40".
read -r failed total < <(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$log" | tail -n 1) || true
if [ -z "${total:-}" ]; then
  failed=1 total=1
fi
if [ "$style" -ne 0 ]; then
  say "CI/check_style.sh has found something: it stands above the tests."
  failed=$((failed + 1)) total=$((total + 1)) status=1
fi
printf '%d passed, %d failed\n' $((total - failed)) "$failed"
exit "$status"
