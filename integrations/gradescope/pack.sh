#!/usr/bin/env bash
# Makes the autograder zip for Gradescope: the grader built here, and the scripts.
#
#   pack.sh OUT.zip [LAB VARIANT]
#
# Without a lab, the assignment's title selects it ("lab3/variant4"), so one zip serves all assignments.
# $GRADER replaces build/release/bin/grader.
set -euo pipefail
usage() { echo "usage: pack.sh OUT.zip [LAB VARIANT]" >&2; exit 2; }
[ $# -eq 1 ] || [ $# -eq 3 ] || usage
command -v zip >/dev/null || { echo "pack.sh: there is no zip: apt-get install zip" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
grader=${GRADER:-$here/../../build/release/bin/grader}
[ -x "$grader" ] || { echo "pack.sh: $grader is not there: build it, for example by integrations/install_grader.sh FOLDER" >&2; exit 2; }
if [ $# -eq 3 ] && ! "$grader" list | grep -q "^$2 $3 "; then
  echo "pack.sh: there is no $2 $3: \`grader list\` shows the labs" >&2
  exit 2
fi
out=$(realpath -m "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$grader" "$folder/grader"
cp "$here/setup.sh" "$here/run_autograder" "$here/../services.sh" "$folder"
[ $# -eq 1 ] || echo "$2 $3" >"$folder/assignment"
chmod +x "$folder/grader" "$folder/setup.sh" "$folder/run_autograder"
rm -f "$out"
(cd "$folder" && zip -q -X "$out" ./*)
ls -l "$out" >&2
