#!/usr/bin/env bash
# Builds the cases for this machine's GPU and prints their times as CSV: bench/estimate/measure.sh
# >truth/CARD.csv
# Only some families: bench/estimate/measure.sh FAMILY...
# Needs nvcc on the PATH; ARCH=sm_90 by default. Takes seconds on an H200.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -std=c++17 -O3 -arch="${ARCH:-sm_90}" -o "$work/estimate" "$here/estimate.cu"
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1) || true
echo "# driver ${driver:-unknown}, $(date -u +%Y-%m-%d)"
"$work/estimate" measure "$@"
