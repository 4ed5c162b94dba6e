#!/usr/bin/env bash
# Installs the grader into a folder, and clang and bubblewrap on the machine. Builds the grader if the folder
# does not have it. The grader is one file that contains the courses of this repository, or a course of your
# own: a folder, or a file that `grader course pack` made. A CI service may cache the folder by commit.
#
#   install_grader.sh FOLDER [COURSE]
# shellcheck source=CI/setup.sh
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: install_grader.sh FOLDER [COURSE]" >&2
  exit 2
fi
course=${2:-}
if [ -n "$course" ]; then
  course=$(realpath "$course") || { echo "install_grader.sh: there is no course at $2" >&2; exit 2; }
fi
# What the course is: another one, or a change of it, needs another grader.
contents() {
  [ -z "$course" ] || find "$course" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum
}
mkdir -p "$1"
folder=$(cd "$1" && pwd)
# The folder may hold the grader of another course.
if [ ! -x "$folder/grader" ] || [ "$(cat "$folder/course" 2>/dev/null)" != "$(contents)" ]; then
  . "$(dirname "${BASH_SOURCE[0]}")/../CI/setup.sh"
  build_grader grader
  if [ -n "$course" ]; then
    made=$(mktemp -d)
    build/release/bin/grader course export --for staff "$made" --course "$course" >&2
    cp "$made/grader" "$folder/grader.part"
    rm -rf "$made"
    chmod 755 "$folder/grader.part"
  else
    cp build/release/bin/grader "$folder/grader.part"
  fi
  mv "$folder/grader.part" "$folder/grader"
  contents >"$folder/course"
elif ! command -v bwrap >/dev/null || ! command -v clang++ >/dev/null; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends bubblewrap clang >/dev/null
fi
