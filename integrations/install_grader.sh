#!/usr/bin/env bash
# Installs the grader into a folder, and clang and bubblewrap on the machine. Builds the grader if the folder
# does not have it. The grader is one file that contains the course, so a CI service may cache the folder by
# commit.
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
