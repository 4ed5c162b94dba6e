#!/usr/bin/env bash
# Runs CI/check_includes.sh in a small test tree: on each kind of include that it refuses, one at a time, and on includes that
# it accepts.
set -euo pipefail
command -v git >/dev/null || { echo "skipped: needs git"; exit 0; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
unset "${!GIT_@}"  # set under a git hook, where they name another tree

mkdir -p CI grader/{low,high,beside,new,cudart/include/crt} tests/low labs/lab1 build
cp "$root/CI/check_includes.sh" CI/
printf '/build/\n' >.gitignore
cat >grader/CMakeLists.txt <<'END'
cudalabs_library(low LINK cudalabs_fmt)  # nothing of ours
cudalabs_library(high
                 LINK cudalabs_low)
cudalabs_library(beside LINK cudalabs_low OPTIONS -O1)
END
git init -q
failed=0

# write FILE LINE: writes a file whose second line is LINE.
write() { printf '\n%s\n' "$2" >"$1"; }
# reported TEXT: checks that the script exits with status 1 and that its output contains TEXT.
reported() {
  local said status=0
  said=$(CI/check_includes.sh 2>&1) || status=$?
  [[ $status -eq 1 && $said == *"$1"* ]] || { printf 'not reported: %s\nbut status %s: %s\n' "$1" "$status" "$said"; failed=1; }
}
# silent WHAT: checks that the script accepts the tree WHAT and prints nothing.
silent() {
  local said status=0
  said=$(CI/check_includes.sh 2>&1) || status=$?
  [[ $status -eq 0 && -z $said ]] || { printf '%s: status %s: %s\n' "$1" "$status" "$said"; failed=1; }
}
# refused FILE LINE TEXT: checks that the script reports TEXT for a file with this line, untracked and tracked.
refused() {
  write "$1" "$2"
  reported "$1:2: $3"
  git add "$1"
  reported "$1:2: $3"
  git rm -q --cached "$1"
  rm "$1"
}

write grader/low/low.h '#include <vector>'
write grader/high/high.cpp '#include "grader/low/low.h"'
write grader/cudart/include/crt/host.h '#include "../runtime.h"'
write tests/low/low_test.cpp '#include "grader/low/low.h"'
write labs/lab1/oracle.cpp '#include "../oracle.h"'
write build/generated.h '#include <grader/low/low.h>'
silent "a sound tree"
git add .
silent "a sound tree that git tracks"

refused grader/low/up.cpp '#include "grader/high/high.h"' 'includes grader/high/high.h, but grader/low does not link cudalabs_high'
refused grader/high/side.h '  #  include "grader/beside/beside.h"' 'includes grader/beside/beside.h'
refused grader/new/new.h '#include "grader/low/low.h"' 'grader/new is no library'
for file in grader/high/angle.cpp tests/low/angle.h labs/lab1/angle.h; do
  refused "$file" '#include <grader/low/low.h>' 'angle brackets'
done
for path in ../low/low.h ./low.h grader/high/../low/low.h; do
  refused grader/high/dots.def "#include \"$path\"" 'a path with a dot'
  refused tests/low/dots.cpp "#include \"$path\"" 'a path with a dot'
done
for file in grader/low/test.cpp labs/lab1/test.cuh; do
  refused "$file" '#include "tests/low/low.h"' 'tests/ looks at the rest'
  refused "$file" '#include <tests/low/low.h>' 'tests/ looks at the rest'
done

echo 'cudalabs_library(low LINK cudalabs_high)' >>grader/CMakeLists.txt
reported 'grader/CMakeLists.txt: low links itself through other libraries'
exit "$failed"
