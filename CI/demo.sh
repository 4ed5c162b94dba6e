#!/usr/bin/env bash
# Demonstrates cuda-labs on a machine without a GPU: builds the grader, then grades lab3 variant4's reference
# solution (a full score card) and its untouched stub (an empty one). Installs everything that it needs.
# shellcheck source=CI/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

# Grades one folder. Succeeds only if the grader could grade: 0 means full marks, 1 lost points, other values
# an error.
grade() {
  local status=0
  "$root/build/release/bin/grader" lab3 variant4 --submission "$1" </dev/null || status=$?
  [ "$status" -le 1 ] || { say "The grader ended with status $status instead of a grade."; exit 3; }
}

build_grader grader

printf '\n== The reference solution of lab3 variant4: a full score card ==\n\n'
grade reference/lab3/variant4
printf '\n== The untouched stub that students start from: an empty score card ==\n\n'
grade student_templates/lab3/variant4

cat <<END

The grader is $root/build/release/bin/grader. Try next:
  alias grader=$root/build/release/bin/grader
  grader list                            every lab and variant
  grader init lab3 variant4 my-lab       a student's folder: the stub to fill in, the task, the contract
  grader lab3 variant4 --submission my-lab
  grader run program.cu                  any self-contained CUDA program, with no GPU
END
