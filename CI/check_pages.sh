#!/usr/bin/env bash
# Checks the pages of tests/present/web/pages in a headless Chromium, in light and dark mode: no console messages, no
# policy violations, no serious finding of axe-core, nothing wider than a phone, no empty first page in print, and the table
# of students can be searched, filtered and sorted by the keyboard. Installs missing tools:
# Chromium by apt (some 300 MB), axe-core and puppeteer-core by npm into build/. Not part of CI/test.sh.
#
#   CI/check_pages.sh            # the samples of the tests
#   CI/check_pages.sh FILE...    # these pages
#   SHOTS=folder CI/check_pages.sh FILE...   # also saves screenshots
#
# The last line reads "N pages, M findings"; status 1 if there are findings.
# shellcheck source=CI/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

files=()
for file in "$@"; do files+=("$(realpath -e "$file")"); done
command -v chromium >/dev/null || install_missing chromium
{ command -v node && command -v npm; } >/dev/null || install_missing nodejs npm  # wherever they come from

if [ -n "${SHOTS:-}" ]; then
  mkdir -p "$SHOTS"
fi
tools=$root/build/check_pages
mkdir -p "$tools"
if [ ! -e "$tools/node_modules/axe-core" ] || [ ! -e "$tools/node_modules/puppeteer-core" ]; then
  say "Installing axe-core and puppeteer-core with npm, into $tools"
  (cd "$tools" && echo '{"private": true}' >package.json &&
    npm install --silent --no-audit --no-fund --ignore-scripts --save-exact axe-core@4.14.1 puppeteer-core@24.43.1 >&2)
fi

if [ ${#files[@]} -eq 0 ]; then
  build_grader test_pages
  samples=$(mktemp -d)
  trap 'rm -rf "$samples"' EXIT
  PAGES_OUT=$samples build/release/bin/test_pages "[.samples]" >&2
  files=("$samples"/*.html)
fi
NODE_PATH=$tools/node_modules node CI/check_pages.js "${files[@]}"
