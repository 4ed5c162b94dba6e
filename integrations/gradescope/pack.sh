#!/usr/bin/env bash
# Makes the autograder zip for Gradescope: the grader built here, and the scripts.
#
#   pack.sh [--course COURSE] OUT.zip [LAB VARIANT]
#
# Without a lab, the assignment's title selects it ("lab3/variant4"), so one zip serves all assignments.
# COURSE, or else $CUDA_LABS_COURSE, is a course of your own: a folder, or a file of `grader course pack`. The
# zip's grader then carries it. $GRADER replaces build/release/bin/grader.
set -euo pipefail
usage() { echo "usage: pack.sh [--course COURSE] OUT.zip [LAB VARIANT]" >&2; exit 2; }
course=${CUDA_LABS_COURSE:-}
unset CUDA_LABS_COURSE  # what counts is what the zip holds
if [ "${1:-}" = --course ]; then
  [ $# -ge 2 ] || usage
  course=$2
  shift 2
fi
[ $# -eq 1 ] || [ $# -eq 3 ] || usage
command -v zip >/dev/null || { echo "pack.sh: there is no zip: apt-get install zip" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
grader=${GRADER:-$here/../../build/release/bin/grader}
[ -x "$grader" ] || { echo "pack.sh: $grader is not there: build it, for example by integrations/install_grader.sh FOLDER" >&2; exit 2; }
out=$(realpath -m "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ -n "$course" ]; then
  "$grader" course export --for staff "$folder" --course "$course" >&2
  rm "$folder/README.md"
else
  cp "$grader" "$folder/grader"
fi
chmod 755 "$folder/grader"  # another user grades
if "$folder/grader" course show | grep -q ', for students$'; then
  echo "pack.sh: this is the students' edition, which lacks hidden cases: pack the staff's grader" >&2
  exit 2
fi
if [ $# -eq 3 ] && ! "$folder/grader" list | grep -q "^$2 $3 "; then
  echo "pack.sh: there is no $2 $3: these are the labs:" >&2
  "$folder/grader" list | sed -n 's/^\([A-Za-z0-9_-]\{1,\} [A-Za-z0-9_-]\{1,\}\) .*/  \1/p' >&2
  exit 2
fi
cp "$here/setup.sh" "$here/run_autograder" "$here/../services.sh" "$folder"
[ $# -eq 1 ] || echo "$2 $3" >"$folder/assignment"
chmod +x "$folder/grader" "$folder/setup.sh" "$folder/run_autograder"
rm -f "$out"
(cd "$folder" && zip -q -X "$out" ./*)
ls -l "$out" >&2
