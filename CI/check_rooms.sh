#!/usr/bin/env bash
# Checks sizes that clang-format and the compiler do not: a folder of grader/ holds at most 25 files, a source file has at most
# 600 lines, and a function at most 80, from its name to its brace. cudart/include mirrors the toolkit's folders and may hold more.
# Files that git does not ignore count, added or not. The length of a test case is not checked: its sections are
# read one by one.
# CI/check_style.sh runs this. tests/scripts/check_rooms_test.sh tests it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -eq 0 ] || { echo "usage: CI/check_rooms.sh" >&2; exit 2; }

# PATH:LINE: text, for each function that is too long. The sources are formatted by clang-format, so a body's
# brace follows a space, and the brace of an initializer follows a name, "=", "," or "(".
# shellcheck disable=SC2016
functions='
function fail(text) { printf "%s:%d: %s\n", FILENAME, FNR, text }

# The name of the function that a declaration declares: what stands before its parameters.
function name_of(text) {
  sub(/^[ \t]+/, "", text)
  text = without_template(text)
  gsub(/\[\[[^]]*\]\]|(alignas|decltype|noexcept|__attribute__|requires) ?\(+[^()]*\)+/, " ", text)
  sub(/operator ?\(\)/, "operator_call", text)
  if (!match(text, /(operator *[^ \t(A-Za-z]+|[A-Za-z_~][A-Za-z_0-9:~]*(<[^()]*>)?) *\(/)) return ""
  text = substr(text, RSTART, RLENGTH - 1)
  gsub(/[ \t]/, "", text)
  sub(/operator_call/, "operator()", text)
  return text
}

# Without "template <...>" at its beginning; a ">" in parentheses compares.
function without_template(text,   i, c, angles, round) {
  if (text !~ /^template *</) return text
  for (i = index(text, "<"); i <= length(text); ++i) {
    c = substr(text, i, 1)
    if (c == "(") ++round
    else if (c == ")") --round
    else if (!round && c == "<") ++angles
    else if (!round && c == ">" && --angles == 0) break
  }
  text = substr(text, i + 1)
  sub(/^ +(requires +[^ ]+ +)?/, "", text)
  return without_template(text)
}

# What the brace after this text opens: a scope that holds declarations, a function, an initializer, or something else.
function kind_of(text) {
  if (parens > 0 || text !~ /[ \t]$/ && text !~ /^$/ || text ~ /(=|,|\(|return|\[\])[ \t]*$/) return "initializer"
  sub(/^[ \t]+/, "", text)
  text = without_template(text)
  if (text ~ /^(inline )?namespace/ || text ~ /^extern *$/) return "scope"
  if (text ~ /^(typedef |static |inline |constexpr |const |friend )*(class|struct|union|enum)([ \t]|$)/ && text !~ /\)[ \t]*(const|noexcept|override)?[ \t]*$/)
    return "scope"
  if (text ~ /= *\[[^]]*\]/) return "lambda"
  if (text ~ /^(TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE)/) return "test"
  return text ~ /\(/ ? "function" : "initializer"
}

function restart() { head = ""; head_line = 0 }

FNR == 1 { level = parens = branches = dead = comment = 0; raw_end = ""; macro = 0; restart() }

{
  rest = $0
  if (raw_end != "") {
    if (!(at = index(rest, raw_end))) next
    rest = substr(rest, at + length(raw_end))
    raw_end = ""
  }
  if (macro || rest ~ /^[ \t]*#/ && !comment) {
    # Of the branches of an #if the first one counts: braces balance in each of them.
    if (!macro && rest ~ /^[ \t]*# *if/) ++branches
    if (!macro && rest ~ /^[ \t]*# *(else|elif)/ && !dead) dead = branches
    if (!macro && rest ~ /^[ \t]*# *endif/) { if (dead == branches) dead = 0; --branches }
    macro = rest ~ /\\$/
    next
  }
  if (dead) next
  while (rest != "") {
    if (comment) {
      if (!(at = index(rest, "*/"))) next
      rest = substr(rest, at + 2)
      comment = 0
      continue
    }
    if (!match(rest, /["\047\/{}();]/)) { add(rest); break }
    c = substr(rest, RSTART, 1)
    add(substr(rest, 1, RSTART - 1))
    before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : ""
    rest = substr(rest, RSTART + 1)
    if (c == "/") {
      if (rest ~ /^\//) break
      if (rest ~ /^\*/) { comment = 1; rest = substr(rest, 2) } else add(c)
    } else if (c == "\"") {
      if (before == "R" && match(rest, /^[^(]*\(/)) {
        raw_end = ")" substr(rest, 1, RLENGTH - 1) "\""
        rest = substr(rest, RLENGTH + 1)
        if (!(at = index(rest, raw_end))) break
        rest = substr(rest, at + length(raw_end))
        raw_end = ""
      } else if (match(rest, /^([^"\\]|\\.)*"/)) rest = substr(rest, RLENGTH + 1)
    } else if (c == "\047") {
      # One inside of a number separates its digits.
      if (!(before ~ /[0-9a-fA-F]/ && rest ~ /^[0-9a-fA-F]/ && rest !~ /^[^\\]\047/) && match(rest, /^([^\047\\]|\\.)+\047/))
        rest = substr(rest, RLENGTH + 1)
    } else if (c == "(") { ++parens; add(c)
    } else if (c == ")") { --parens; add(c)
    } else if (c == ";") { if (parens == 0) restart(); else add(c)
    } else if (c == "{") {
      ++level
      kind[level] = inside[level - 1] ? "inner" : kind_of(head)
      inside[level] = kind[level] != "scope"
      saved_parens[level] = parens
      saved_head[level] = head
      saved_line[level] = head_line
      parens = 0
      restart()
    } else {
      if (level == 0) { fail("its braces do not match"); nextfile }
      parens = saved_parens[level]
      length_ = FNR - saved_line[level] + 1
      if (kind[level] == "function" && length_ > most) {
        name = name_of(saved_head[level])
        printf "%s:%d: function %s has %d lines; %d is the limit\n", FILENAME, saved_line[level], name, length_, most
      }
      if (kind[level] == "initializer") { head = saved_head[level] "{}"; head_line = saved_line[level] }
      else restart()
      --level
    }
  }
  if (head != "") head = head " "
  # Labels, and calls of macros that stand by themselves.
  if (!inside[level] && parens == 0 && head ~ /^[ \t]*((public|private|protected):|[A-Z][A-Z0-9_]+\(.*\)) *$/) restart()
}

function add(text) {
  if (inside[level]) return
  if (head == "") { if (text !~ /[^ \t]/) return; head_line = FNR }
  head = head text
}
'

# The same for folders and files.
folders() {
  awk -v most=25 '!/^grader\/cudart\/include\// { sub(/\/[^\/]*$/, ""); ++files[$0] }
    END { for (f in files) if (files[f] > most) printf "%s: folder holds %d files; %d is the limit\n", f, files[f], most }' | sort
}
lines() { awk -v most=600 'FNR == most + 1 { long[FILENAME] = 1 } { count[FILENAME] = FNR }
  END { for (f in long) printf "%s:1: file has %d lines; %d is the limit\n", f, count[f], most }' "$@" | sort; }

tracked() { git ls-files -co --exclude-standard -- "$@" | while read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done; }

# The sources that CI/check_style.sh formats.
mapfile -t sources < <(tracked 'grader/*.cpp' 'grader/*.h' 'tests/*.cpp' 'tests/*.h' 'labs/*.cpp' 'bench/*.cpp' 'fuzz/*.cpp')
found=$(
  tracked 'grader/*' | folders
  [ ${#sources[@]} -eq 0 ] || { lines "${sources[@]}"; awk -v most=80 "$functions" "${sources[@]}"; }
)
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
