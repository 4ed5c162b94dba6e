#!/usr/bin/env bash
# The entry point of PrairieLearn's external grader: grade.sh LAB VARIANT, from a question's info.json.
# Students' files are in /grade/student. There is always a results.json: if the machine fails, the submission
# is not gradable and costs no attempt. $GRADE replaces /grade in tests; $GRADER replaces the image's grader.
set -euo pipefail
grade=${GRADE:-/grade}
GRADER=${GRADER:-/usr/local/bin/grader}
# shellcheck source=integrations/services.sh
. "${CUDA_LABS_SERVICES:-$(dirname "${BASH_SOURCE[0]}")/services.sh}"

results=$grade/results/results.json
not_gradable() {
  printf '{"gradable": false, "message": "%s", "format_errors": [%s]}\n' "$1" "$2" | write_whole "$results"
}
mkdir -p "$grade/results"
not_gradable "The grading has not come to its end. This says nothing about your submission and costs no attempt." ""
[ $# -eq 2 ] || { not_gradable "The question names no lab: its entrypoint must be grade.sh LAB VARIANT." ""; exit 0; }

status=0
grade_as_other "$1" "$2" "$grade/student" "$grade/results" --prairielearn "$results" || status=$?
case $status in
  0 | 1) ;;
  4) not_gradable "There is nothing to grade. This costs no attempt." "\"$(complaint)\"" ;;
  2) not_gradable "The course's staff must act before this can be graded. It costs no attempt." "" ;;
  *) not_gradable "The grader could not do its work. This says nothing about your submission and costs no attempt." "" ;;
esac
