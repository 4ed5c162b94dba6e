#!/usr/bin/env bash
# Grades the variants that a push changed. Any CI service runs it in the student's checkout. A changed file in
# LAB/VARIANT, the layout of `grader init`, selects that variant. The grader is the teacher's: the submission
# is the only code of the checkout that runs, and it runs in the sandbox.
#
#   grade_push.sh [--base COMMIT] [--head COMMIT] [--out FOLDER] [--all] [--strict] [--any-sandbox] [-- OPTIONS OF THE GRADER]
#
# Grades every existing variant with --all, or if the checkout does not know the base (a first or forced
# push). A source outside the labs' folders, and one that is graded under another name or from another place, is
# reported in the summary, and the job fails. Writes to the folder (cuda-labs-results) .json, .xml (JUnit) and .md for each variant, and
# summary.md, annotations.txt and gl-code-quality-report.json for all together. Writes GitHub's step summary,
# outputs and annotations if its variables are set.
# $GRADER is the grader [grader]. It requires bubblewrap, unless --any-sandbox allows weaker sandboxes
# (docs/trust.md).
#
# Status: 0 graded (with --strict: and everything passed), 1 a submission cannot be graded or has a wrong place or
# name (with --strict: or lost points), 2 wrong usage, 3 the machine failed.
set -euo pipefail

grader=${GRADER:-grader}
base='' head=HEAD out=cuda-labs-results all=no strict=no sandbox=(--require-sandbox)
say() { printf '%s\n' "$*" >&2; }
while [ $# -gt 0 ]; do
  case $1 in
    --base | --head | --out) [ $# -ge 2 ] || { say "$1 wants a value"; exit 2; } ;;&
    --base) base=$2; shift 2 ;;
    --head) head=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --all) all=yes; shift ;;
    --strict) strict=yes; shift ;;
    --any-sandbox) sandbox=(); shift ;;
    --) shift; break ;;
    *) say "grade_push.sh: $1 is no option of it; those of the grader stand after --"; exit 2 ;;
  esac
done
command -v "$grader" >/dev/null || { say "grade_push.sh: there is no grader: set GRADER to its path"; exit 2; }
mkdir -p "$out"
out=$(cd "$out" && pwd)

# A line that names a variant starts with a lab, and spaces align its title; its continuation lines are indented, and
# the heading of a course has single spaces.
mapfile -t slugs < <("$grader" list | sed -n 's|^\([A-Za-z0-9_-]\{1,\}\) \{1,\}\([A-Za-z0-9_-]\{1,\}\)  .*|\1/\2|p')
[ ${#slugs[@]} -gt 0 ] || { say "grade_push.sh: the grader lists no labs"; exit 3; }

# The repository's git configuration must not run anything. In a container another user often owns the
# checkout.
in_checkout() { git -c safe.directory='*' -c core.quotePath=false -c core.fsmonitor=false "$@"; }

# The variants of the changed files, in the order of the list.
touched() {
  local slug
  for slug in "${slugs[@]}"; do
    case $'\n'$changed in *$'\n'"$slug/"*) printf '%s\n' "$slug" ;; esac
  done
}
present() {
  local slug
  for slug in "${slugs[@]}"; do [ ! -d "$slug" ] || printf '%s\n' "$slug"; done
}
if [ "$all" = no ] && [ -n "$base" ] && in_checkout rev-parse -q --verify "$base^{commit}" >/dev/null 2>&1; then
  list_changed() { in_checkout diff --no-ext-diff --no-textconv --no-renames --name-only "$@" "$base" "$head"; }
  changed=$(list_changed)
  mapfile -t wanted < <(touched)
  pushed=$(list_changed --diff-filter=d)
else
  mapfile -t wanted < <(present)
  pushed=$(in_checkout ls-tree -r --name-only "$head" 2>/dev/null || true)
fi

# "FILE<tab>PLACE" for a pushed source that nobody grades: it is in no lab's folder, or beside the lab's file, which
# does not include it. Outside of labs' folders a name or a folder must be like a lab's, unless the push touched no lab.
declare -A files=()
folded() { local text=${1,,}; printf '%s' "${text//[^a-z0-9\/]/}"; }
misplaced() {
  local path slug words name of like own stem found=0
  while IFS= read -r path; do
    [ "$found" -lt 50 ] || break
    own='' of='' like=''
    words=/$(folded "$path")
    name=${words##*/}
    for slug in "${slugs[@]}"; do
      stem=$(folded "${files[$slug]%.cu}")
      case $path in "$slug"/*) own=$slug ;; esac
      case ${words%/*}/ in */"$(folded "${slug%/*}")"/*) like=yes ;; esac
      case $name in *"${stem:-/}"*) of+="${of:+ or }$slug/${files[$slug]}" like=yes ;; esac
    done
    if [ -n "$own" ]; then
      case $of in *"$own/${files[$own]}"*) ;; *) continue ;; esac
      of=$own/${files[$own]}
      if [ "$path" = "$of" ] || [ ! -f "$of" ] || grep -qF -- "${path##*/}" "$of"; then continue; fi
    elif [ -z "$like" ] && [ ${#wanted[@]} -gt 0 ]; then
      continue
    fi
    found=$((found + 1))
    printf '%s\t%s\n' "$path" "${of:-LAB/VARIANT/FILE, as \`grader init\` makes it}"
  done
}
sources=$(grep -iE '\.(cu|cu\.txt|ipynb|c|cc|cpp|cxx|zip|tar|tgz|tar\.gz|7z|rar)"?$' <<<"$pushed" || true)
strays=''
if [ -n "$sources" ]; then
  for slug in "${slugs[@]}"; do
    files[$slug]=$("$grader" list "${slug%/*}" "${slug#*/}" --files | sed -n 's|^stub  *.*/||p')
  done
  strays=$(misplaced <<<"$sources" | tr -d '\000-\010\013-\037~')
fi

# GitHub's runner must not interpret a submission's output or name as a command, so it obeys only this random
# word.
if [ "${GITHUB_ACTIONS:-}" = true ]; then
  word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$word"
fi
: >"$out/annotations.txt"
: >"$out/summary.md"
issues='' lines=''
status=0
points=0 max_points=0
worse() { [ "$status" -ge "$1" ] || status=$1; }
for slug in ${wanted[@]+"${wanted[@]}"}; do
  lab=${slug%/*} variant=${slug#*/}
  file=$out/$lab-$variant
  rm -f "$file".*
  result=0
  # Paths start at the top of the checkout; links that lead out of it are rejected.
  "$grader" "$lab" "$variant" --submission . ${sandbox[@]+"${sandbox[@]}"} --device simulator \
    --json "$file.json" --junit "$file.xml" --markdown "$file.md" --annotations "$file.txt" \
    --codequality "$file.cq" "$@" </dev/null 2>"$file.err" || result=$?
  cat "$file.err" >&2
  case $result in
    0) ;;
    1) [ "$strict" = no ] || worse 1 ;;
    2 | 4)
      # The file is missing or there are several: reported to its author, in a fence that no line of the
      # message can close. Status 2 is the staff's.
      if [ "$result" -eq 4 ]; then worse 1; else worse 2; echo "The course's staff must act." >"$file.md"; fi
      printf '### %s %s: not graded\n\n~~~~~~~~~~text\n%s\n~~~~~~~~~~\n' "$lab" "$variant" \
        "$(sed -n '/^grader: /,$p' "$file.err" | head -n 20 | cut -c 1-400 | tr -d '~')" >>"$file.md"
      ;;
    *) worse 3 ;;
  esac
  if [ -f "$file.json" ]; then
    # Graded, but the file has another name or place.
    ! grep -qE '"id": "(file_used_as|found_elsewhere)"' "$file.json" || worse 1
    read -r got of < <(sed -n '/^  "score": {/,/^  }/s/.*points": \([0-9.]*\).*/\1/p' "$file.json" | paste -s -d ' ')
    lines+=$(awk -v a="$got" -v b="$of" -v c="$lab $variant" 'BEGIN { printf "%s: %.10g of %.10g points", c, a, b }')$'\n'
    read -r points max_points < <(awk -v a="$points" -v b="$got" -v c="$max_points" -v d="$of" 'BEGIN { printf "%.10g %.10g\n", a + b, c + d }')
  fi
  if [ -f "$file.md" ]; then cat "$file.md" >>"$out/summary.md"; echo >>"$out/summary.md"; fi
  [ ! -f "$file.txt" ] || cat "$file.txt" >>"$out/annotations.txt"
  # Each list of issues is between the lines "[" and "]"; an empty one is "[]".
  if [ -f "$file.cq" ]; then
    list=$(sed '1d;$d' "$file.cq")
    [ -z "$list" ] || issues+="${issues:+,$'\n'}$list"
  fi
  rm -f "$file.err" "$file.txt" "$file.cq"
done
# Sources that nobody grades: in the summary, at the file on GitHub, and in GitLab's test report.
in_xml() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }
rm -f "$out/misplaced.xml"
if [ -n "$strays" ]; then
  worse 1
  said="Not graded: these files are not in their place. Move them there and push again."
  {
    printf '### Files in a wrong place\n\n%s\n\n~~~~~~~~~~text\n' "$said"
    printf '%s\n' "${strays//$'\t'/  ->  }" | cut -c 1-400
    printf '~~~~~~~~~~\n'
  } | tee /dev/stderr >>"$out/summary.md"
  {
    printf '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="files in a wrong place">\n'
    while IFS=$'\t' read -r stray place; do
      printf '<testcase name="%s"><failure message="belongs to %s"/></testcase>\n' "$(in_xml <<<"$stray")" "$(in_xml <<<"$place")"
      printf '::error file=%s,title=Not graded::This file is not in its place: %s\n' \
        "$(sed 's/%/%25/g; s/:/%3A/g; s/,/%2C/g' <<<"$stray")" "${place//%/%25}" >>"$out/annotations.txt"
    done <<<"$strays"
    printf '</testsuite></testsuites>\n'
  } >"$out/misplaced.xml"
fi
printf '[\n%s\n]\n' "$issues" >"$out/gl-code-quality-report.json"
printf '%s' "$lines"
[ ${#wanted[@]} -gt 0 ] || [ -n "$strays" ] || { say "No lab was touched."; echo "No lab was touched." >"$out/summary.md"; }

if [ "${GITHUB_ACTIONS:-}" = true ]; then
  echo "::$word::"
  # The runner shows ten annotations of a step.
  head -n 10 "$out/annotations.txt"
  # GitHub drops a summary above 1024 KiB.
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || head -c 1000000 "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"
  [ -z "${GITHUB_OUTPUT:-}" ] || printf 'points=%s\nmax-points=%s\n' "$points" "$max_points" >>"$GITHUB_OUTPUT"
fi
exit "$status"
