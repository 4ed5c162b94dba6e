#!/usr/bin/env bash
# Checks what the compiler does not: the tracked C++ sources are formatted by .clang-format, comments fit its
# columns, folders include only headers of libraries that they link (CI/check_includes.sh), folders,
# files and functions stay small (CI/check_rooms.sh), the tables of translations have no row that nothing uses
# (CI/unused_texts.py), and commit subjects are shorter than 73 characters.
#   CI/check_style.sh                  report the problems (status 1 if there are any)
#   CI/check_style.sh --fix            format the files
#   CI/check_style.sh --tidy [BASE]    also run clang-tidy on the changes since BASE, a commit
# It prints the range of commits that it checks: all since BASE if given, otherwise since HEAD left
# origin/main (main if there is no origin). On main itself it checks the subjects of the last 20 commits, and
# clang-tidy checks the last commit. clang-tidy needs a configured build/release and takes some ten seconds
# for each file. With TIDY_SECONDS=n it starts no file after n seconds and lists the remaining ones.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
usage() { echo "usage: CI/check_style.sh [--fix | --tidy [BASE]]" >&2; exit 2; }

# Versions of the tools give different results; Debian 12's decides.
tool() { if command -v "$1-14" >/dev/null; then echo "$1-14"; else echo "$1"; fi; }

# The commit where HEAD left origin/main, or main if there is no origin; fails if it did not.
left_at() {
  local branch=origin/main base
  git rev-parse -q --verify "$branch^{commit}" >/dev/null || branch=main
  base=$(git merge-base "$branch" HEAD 2>/dev/null) || return 1
  [ "$base" != "$(git rev-parse HEAD)" ] || return 1
  printf '%s\n' "$base"
}

# find_range [BASE]: sets the range of commits to check, as arguments of git log, and the base commit for
# clang-tidy, which is empty if the history is too short. Prints a line about both.
find_range() {
  local base=${1:-}
  if [ -n "$base" ]; then
    git rev-parse -q --verify "$base^{commit}" >/dev/null || { echo "CI/check_style.sh: there is no commit $base" >&2; exit 2; }
    base=$(git merge-base "$base" HEAD)
  else
    base=$(left_at) || true
  fi
  if [ -n "$base" ]; then
    subjects=("$base..HEAD")
    changes_from=$base
  else
    subjects=(-n 20 HEAD)
    changes_from=$(git rev-parse -q --verify HEAD~1) || true
  fi
  local -a checked
  mapfile -t checked < <(git log --no-merges --format=%h "${subjects[@]}")
  range="checked: the subjects of ${#checked[@]} commits${checked:+ (${checked[-1]} to ${checked[0]})}"
  [ "$tidy" = 0 ] || range+=", by clang-tidy what differs from $(git log -1 --format=%h "${changes_from:-HEAD}")"
}

# The style applies only to our own sources, not to the submissions of the tests and of students.
ours=('grader/*.cpp' 'grader/*.h' 'tests/*.cpp' 'tests/*.h' 'labs/*.cpp' 'bench/*.cpp' 'fuzz/*.cpp')

# clang-format does not wrap long comments, and breaks a declaration that does not fit in front of its
# comment. Counts characters, not bytes; lines with an address, rulers and aligned lists may be wider.
# shellcheck disable=SC2016
comments='
function tell(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; failed = 1 }
FNR == 1 { last = "" }
/^ *\/\/|\/\/\/</ && !/:\/\/|----|[^ \/<].*[^ ]  +[^ \/]/ {
  letters = $0
  gsub(/[\200-\277]/, "", letters)
  if (length(letters) > 110) tell("a comment of " length(letters) " columns; 110 is the limit")
}
/^ *\/\// { next }
{
  code = $0
  trails = sub(/;  +\/\/.*/, ";", code)
  rest = code
  sub(/^ +/, "", rest)
  if (trails && length(last) + length(rest) < 110 &&
      (last ~ / =$/ || /\/\/\/</ && rest ~ /^[^ ]+;$/ && last !~ /^$|^ *#|[;,}(:]$|(^|[ )]){$/) || /^ *};  \/\/\/</)
    tell("a declaration that its comment tore: it belongs above")
  last = code
}
END { exit failed }'

check_comments() {
  git ls-files -z -- {grader,tests}/'*.'{h,cpp,def} ':!*golden*' ':!*/programs/*' ':!*/hostile/*' |
    LC_ALL=C xargs -0 awk "$comments" >&2
}

check_subjects() {
  local long
  long=$(git log --no-merges --format='%h %s' "${subjects[@]}" | awk 'length($0) - index($0, " ") > 72')
  [ -z "$long" ] && return
  printf '%s\n' "these subjects have more than 72 letters; git commit --amend or git rebase -i shortens them:" "$long" >&2
  return 1
}

# Every changed .cpp of grader/, and the matching .cpp of a changed header. Not the tests: the macros of Catch
# cause too many warnings.
changed_units() {
  git diff --name-only --diff-filter=d "$1" -- 'grader/*.cpp' 'grader/*.h' | sed 's/\.h$/.cpp/' | sort -u |
    while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

# shellcheck disable=SC2317  # by xargs
tidy_one() {
  if [ "$TIDY_UNTIL" -gt 0 ] && [ "$(date +%s)" -ge "$TIDY_UNTIL" ]; then
    echo "not looked at by clang-tidy, the time is used up: $1" >&2
    return
  fi
  # Counts findings of checks, but not the errors of clang 14 in the <ranges> of GCC. The commands of the build are
  # no use: clang cannot read GCC's precompiled headers, and then finds nothing.
  local said
  said=$("$TIDY" --quiet "$1" -- -std=c++20 -I. -DCUDALABS_{SOURCE,BIN,TEST_DATA}='"."' 2>/dev/null) || true
  [[ $said != *,-warnings-as-errors]* ]] || { printf '%s\n' "$said"; return 1; }
}

check_tidy() {
  TIDY=$(tool clang-tidy) TIDY_UNTIL=$((${TIDY_SECONDS:-0} > 0 ? $(date +%s) + TIDY_SECONDS : 0))
  export TIDY TIDY_UNTIL
  export -f tidy_one
  # shellcheck disable=SC2016
  changed_units "$1" | xargs -r -P "$(nproc)" -n 1 bash -c 'tidy_one "$1"' tidy
}

[ $# -le 2 ] || usage
case ${1:-} in
  --fix) git ls-files -z -- "${ours[@]}" | xargs -0 "$(tool clang-format)" -i; exit ;;
  --tidy) tidy=1; find_range "${2:-}" ;;
  '') tidy=0; find_range ;;
  *) usage ;;
esac

status=0
git ls-files -z -- "${ours[@]}" | xargs -0 "$(tool clang-format)" --dry-run -Werror || status=1
CI/check_includes.sh || status=1
CI/check_messages.sh || status=1
CI/check_rooms.sh || status=1
CI/unused_texts.py || status=1
check_comments || status=1
check_subjects || status=1
[ "$tidy" = 0 ] || [ -z "$changes_from" ] || check_tidy "$changes_from" || status=1
echo "$range" >&2
exit "$status"
