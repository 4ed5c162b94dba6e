# shellcheck shell=bash
# Shared parts of the scripts for Gradescope and PrairieLearn; to be sourced.

# grade_as_other LAB VARIANT SUBMISSION RESULTS OPTION...: if run as root, grades as a user who owns nothing
# else in the container, and lets the grader write only to the folder RESULTS. The grader's messages go to
# stderr and to the file $said. The compiler is the course's unless $GRADER_COMPILER names one; $GRADER_STUDENT is
# the student's id, for a course with a seed for each student. Status: the grader's.
grade_as_other() {
  local lab=$1 variant=$2 submission=$3 results=$4 home other=() status=0
  shift 4
  home=$(mktemp -d)
  said=$home.said
  mkdir -p "$results"
  if [ "$(id -u)" -eq 0 ]; then
    other=(setpriv --reuid 29517 --regid 29517 --clear-groups)
    chown -R 29517:29517 "$home" "$results"
    chmod -R a+rX "$submission"
  fi
  # A clean environment, because a service may keep secrets in its own.
  env -i PATH="$PATH" LC_ALL=C.UTF-8 CUDA_LABS_STAFF=1 HOME="$home" TMPDIR="$home" XDG_CACHE_HOME="$home/cache" ${other[@]+"${other[@]}"} \
    "${GRADER:?}" "$lab" "$variant" --submission "$submission" --device simulator \
    ${GRADER_COMPILER:+--compiler "$GRADER_COMPILER"} ${GRADER_STUDENT:+--student "$GRADER_STUDENT"} --quiet "$@" \
    </dev/null 2>"$said" || status=$?
  cat "$said" >&2
  rm -rf "$home"
  return "$status"
}

# The grader's error message, escaped for a JSON string.
complaint() {
  sed -n '/^grader: /,$p' "$said" | head -c 4000 | { iconv -f UTF-8 -t UTF-8 -c || true; } | tr '\000-\011\013-\037\177' '?' |
    sed 's/[\\"]/\\&/g' | awk '{ printf "%s%s", (NR > 1 ? "\\n" : ""), $0 }'
}

# write_whole FILE: writes stdin to a temporary file and renames it.
write_whole() {
  cat >"$1.part"
  mv -f "$1.part" "$1"
}
