#!/usr/bin/env bash
# Gradescope runs this once, as root, when it makes the image of an assignment: what grading needs. pack.sh puts it into the zip.
set -euo pipefail
source=${AUTOGRADER:-/autograder}/source
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends bubblewrap clang >/dev/null
chmod +x "$source/grader" "$source/run_autograder"
"$source/grader" --version
