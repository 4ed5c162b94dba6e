#!/usr/bin/env bash
# Checks that a folder of grader/ includes only what its library links, itself or through another one: the table in
# grader/CMakeLists.txt is the architecture, and the compiler does not know it. And that the table has no circle, and nobody
# goes around it: <grader/...>, a path with "..", something of tests/. What git does not ignore counts, added or not.
# CI/check_style.sh runs this; status 1 if something is told. tests/scripts/check_includes_test.sh tests it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck disable=SC2016
program='
function fail(text) { print text; failed = 1 }

# The call of a CMake command in one line: its words, without parentheses and without comments.
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

function folder_of(path) { sub(/^grader\//, "", path); return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "." }

BEGIN {
  # The programs that are no library: the command line, and the simulator by itself.
  program_folder["grader"] = "cli"
  program_folder["ptx-run"] = "simulator/tools"
  # What is loaded into clang: it shares a header with the library that starts clang, and links nothing of it.
  program_folder["cudalabs_twin"] = "compile/twin"
  read_table(table)
  # Our libcudart is linked by submissions, and takes the protocol in as objects (cmake/cudart.cmake).
  known["cudart"] = 1
  links["cudart", "device_wire"] = 1
  links["compile/twin", "compile"] = 1

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
# An extended expression for what stands behind #include, and files: FILE:LINE:TEXT of each such line.
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
# What stands in place of the toolkit's headers is found as these are: from the folder that it lies in.
toolkit=':!grader/cudart/include/*'
refuse '<grader/' 'angle brackets are for what is not ours: write "grader/..."' "${all[@]}"
refuse '[<"]([^">]*/)?[.][.]?/' 'a path with a dot hides which folder it leads to: write it from the root of the repository' \
  "${grader[@]}" 'tests/*.h' 'tests/*.cpp' 'fuzz/*.cpp' "$toolkit"
refuse '[<"]tests/' 'tests/ looks at the rest, and the rest not at tests/: move what is needed out of there' "${grader[@]}" 'labs/*'
including '"grader/' "${grader[@]}" | awk -v table=grader/CMakeLists.txt "$program" || status=1
exit "$status"
