#!/usr/bin/env bash
# Puts the grader into a folder, built if it is not there yet, and installs what grading needs: clang and bubblewrap. The grader is one
# file that carries the course, so a CI service may keep the folder from one run to the next, by the commit.
#
#   install_grader.sh FOLDER
# shellcheck source=CI/setup.sh
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: install_grader.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
if [ ! -x "$folder/grader" ]; then
  . "$(dirname "${BASH_SOURCE[0]}")/../CI/setup.sh"
  build_grader grader
  cp build/release/bin/grader "$folder/grader.part"
  mv "$folder/grader.part" "$folder/grader"
elif ! command -v bwrap >/dev/null || ! command -v clang++ >/dev/null; then
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends bubblewrap clang >/dev/null
fi
