#!/usr/bin/env bash
# Checks that the tracked C++ sources are formatted as .clang-format says.
#   CI/check_style.sh          report differences (status 1 if there are any)
#   CI/check_style.sh --fix    rewrite the files
#   CI/check_style.sh --tidy   run clang-tidy as well (minutes; needs a configured build/release)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Submissions of the tests and students' files stay as people write them; only our own sources are held to the style.
mapfile -t sources < <(git ls-files -- 'grader/*.cpp' 'grader/*.h' 'tests/*.cpp' 'tests/*.h' 'labs/*.cpp' 'bench/*.cpp' 'fuzz/*.cpp')

case ${1:-} in
  --fix) clang-format -i "${sources[@]}" ;;
  '' | --tidy) clang-format --dry-run -Werror "${sources[@]}" ;;
  *) echo "usage: CI/check_style.sh [--fix | --tidy]" >&2; exit 2 ;;
esac

if [ "${1:-}" = --tidy ]; then
  [ -f build/release/compile_commands.json ] || { echo "build/release is not configured: run CI/test.sh first" >&2; exit 2; }
  mapfile -t units < <(printf '%s\n' "${sources[@]}" | grep '\.cpp$')
  printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p build/release
fi
