#!/usr/bin/env bash
# Builds everything and runs every test that needs no GPU. Installs everything that it needs. Arguments go to
# ctest, for instance: CI/test.sh -R hostile. The last line of the output reads "N passed, M failed".
# shellcheck source=CI/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

(install_missing "${check_packages[@]}") || say "Going on without what could not be installed."

# shellcheck disable=SC2119  # the arguments are ctest's
build_grader

# shellcheck disable=SC2317  # in the background
check_style() {
  if ! command -v clang-format-14 >/dev/null || ! command -v clang-tidy-14 >/dev/null; then
    say "clang-format 14 or clang-tidy 14 is not installed: the style is not checked."
  else
    TIDY_SECONDS=120 nice CI/check_style.sh --tidy
  fi
}

# Runs in parallel with the tests, some of which wait. Its output follows theirs.
log=$(mktemp) style_log=$(mktemp)
set -m  # a process group of its own, which ends with this script
check_style >"$style_log" 2>&1 </dev/null &
style_job=$!
set +m
trap 'kill -- "-$style_job" 2>/dev/null || true; rm -f "$log" "$style_log"' EXIT

# Three more jobs than cores: tests spend a fifth of their time waiting for time limits.
jobs=$(($(nproc) + 3))
set +e
ctest --test-dir build/release --output-on-failure --label-exclude '^gpu$' --parallel "$jobs" --no-tests=error "$@" \
  </dev/null 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
wait "$style_job"
style=$?
set -e
cat "$style_log" >&2

# ctest's own summary reads "97% tests passed, 1 tests failed out of 40".
read -r failed total < <(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$log" | tail -n 1) || true
if [ -z "${total:-}" ]; then
  failed=1 total=1
fi
if [ "$style" -ne 0 ]; then
  say "CI/check_style.sh has found something: it stands above."
  failed=$((failed + 1)) total=$((total + 1)) status=1
fi
printf '%d passed, %d failed\n' $((total - failed)) "$failed"
exit "$status"
