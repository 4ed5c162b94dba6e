#!/usr/bin/env bash
# Checks that a folder of grader/ includes only headers of libraries that it links, directly or indirectly.
# The table in grader/CMakeLists.txt defines the architecture, but the compiler does not know it. Also checks
# that the table has no cycle and that no include bypasses it: <grader/...>, a path with "..", a header of
# tests/. Covers tracked files and untracked ones that git does not ignore.
# CI/check_style.sh runs this; status 1 if it reports something. tests/scripts/check_includes_test.sh tests
# it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck disable=SC2016
program='
function fail(text) { print text; failed = 1 }

# Reads the calls of a CMake command, each as one line of words, without parentheses and comments.
function read_table(file,   line, call, words, n, i, folder, linking) {
  while ((getline line < file) > 0) {
    sub(/#.*/, "", line)
    call = call " " line
    if (call !~ /\(.*\)/) { if (call !~ /\(/) call = ""; continue }
    gsub(/[()]/, " ", call)
    n = split(call, words, " ")
    call = ""
    folder = ""
    if (words[1] == "cudalabs_library") folder = words[2]
    if (words[1] == "target_link_libraries") folder = program_folder[words[2]]
    if (folder == "") continue
    known[folder] = 1
    linking = words[1] == "target_link_libraries"
    for (i = 3; i <= n; ++i) {
      if (words[i] == "LINK") linking = 1
      else if (words[i] == "OPTIONS") linking = 0
      else if (linking && sub(/^cudalabs_/, "", words[i])) links[folder, words[i]] = 1
    }
  }
  close(file)
}

# Libraries are named after their folders, "/" as "_".
function name_of(folder) { gsub("/", "_", folder); return folder }

# The folders below cli, cudart and diagnostics belong to one program, archive or library each.
function folder_of(path) {
  sub(/^grader\//, "", path)
  # The rows of messages are constants over base/message.h alone, which every folder may name, base itself too.
  if (path ~ /^diagnostics\/(rows\.h|messages\/.*\.(h|def))$/) return "base"
  if (path ~ /^(cli|cudart|diagnostics)\//) return substr(path, 1, index(path, "/") - 1)
  return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "."
}

BEGIN {
  # Programs that are not libraries: the command line and the standalone simulator.
  program_folder["grader"] = "cli"
  program_folder["ptx-run"] = "sim/tools"
  # A plugin that clang loads: it shares a header with the library that starts clang and links nothing else.
  program_folder["cudalabs_preload"] = "toolchain/preload"
  read_table(table)
  # Submissions link our libcudart, which contains the protocol as objects (cmake/cudart.cmake).
  known["cudart"] = 1
  links["cudart", "device_protocol"] = 1
  links["toolchain", "toolchain_preload"] = 1

  for (folder in known) folder_named[name_of(folder)] = folder
  for (pair in links) {
    split(pair, ends, SUBSEP)
    if (ends[2] in folder_named) reach[ends[1], folder_named[ends[2]]] = 1
  }
  for (via in known)
    for (from in known)
      if ((from, via) in reach)
        for (to in known)
          if ((via, to) in reach) reach[from, to] = 1
  for (folder in known)
    if ((folder, folder) in reach)
      fail(table ": " folder " links itself through other libraries: turn one of the arrows around, or move what is shared below both")
}

# FILE:LINE:#include "grader/..."
{
  split($0, place, ":")
  split($0, parts, "\"")
  from = folder_of(place[1]); to = folder_of(parts[2])
  if (!(from in known)) {
    if (!told[from]++)
      fail(place[1] ":" place[2] ": grader/" from " is no library of " table ": add a line cudalabs_library(" from " LINK ...)")
  }
  else if (from != to && !((from, to) in reach))
    fail(place[1] ":" place[2] ": includes " parts[2] ", but grader/" from " does not link cudalabs_" name_of(to) \
         ": if it may look there, add that to its LINK in " table "; if not, move what is needed to a folder below both")
}

END { exit failed }
'
# Prints FILE:LINE:TEXT for each #include whose argument matches an extended regular expression.
including() {
  local what=$1
  shift
  git grep --untracked -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*$what" -- "$@" || [ $? -eq 1 ]
}

status=0
# refuse WHAT WHY FILES...
refuse() {
  local found
  found=$(including "$1" "${@:3}" | sed -E "s|^([^:]*:[^:]*):.*|\\1: $2|")
  [ -z "$found" ] || { printf '%s\n' "$found"; status=1; }
}

all=('*.h' '*.cpp' '*.def' '*.cu' '*.cuh')
grader=('grader/*.h' 'grader/*.cpp' 'grader/*.def')
# Replacements of the toolkit headers include each other as the toolkit does: relative to their folder.
toolkit=':!grader/cudart/include/*'
refuse '<grader/' 'angle brackets are for what is not ours: write "grader/..."' "${all[@]}"
refuse '[<"]([^">]*/)?[.][.]?/' 'a path with a dot hides which folder it leads to: write it from the root of the repository' \
  "${grader[@]}" 'tests/*.h' 'tests/*.cpp' 'fuzz/*.cpp' "$toolkit"
refuse '[<"]tests/' 'tests/ looks at the rest, and the rest not at tests/: move what is needed out of there' "${grader[@]}" 'labs/*'
including '"grader/' "${grader[@]}" | awk -v table=grader/CMakeLists.txt "$program" || status=1
exit "$status"
