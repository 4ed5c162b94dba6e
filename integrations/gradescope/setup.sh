#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds an assignment's image: installs what grading needs.
# pack.sh adds it to the zip.
set -euo pipefail
source=${AUTOGRADER:-/autograder}/source
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends bubblewrap clang >/dev/null
chmod +x "$source/grader" "$source/run_autograder"
"$source/grader" --version
