#!/usr/bin/env bash
# Checks that no stage of the grader reads what is written for people: a message is a value (grader/base/message.h), and
# only reports render it. Refused in grader/:
#   - searching, cutting or comparing a rendered message: .english().find("..."), rendered(m) == "...", advice.starts_with(...)
#   - building a sentence of rendered messages: "..." + m.english()
#   - a sentence of ours passed off as a text by somebody else: verbatim("...") or verbatim(fmt::format(...))
# CI/check_style.sh runs this; status 1 if something is found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Where a message becomes text: the value itself, and what writes texts for programs, logs or other processes.
edges='^grader/(base/(message|message_template|result)\.|present/|program/problems\.|diagnostics/|cudart/|sim/tools/|.*/log[a-z_]*\.)'

status=0
# refuse REGULAR_EXPRESSION WHY [EXCEPT]: EXCEPT is a regular expression of FILE:LINE:TEXT
refuse() {
  local found
  found=$(git grep --untracked -nP "$1" -- 'grader/*.cpp' 'grader/*.h' | grep -vE '^[^:]*:[0-9]*: *//' | grep -vE "${3:-^$}" || true)
  [ -z "$found" ] || { printf '%s\n' "$found" | sed -E "s|^([^:]*:[^:]*):.*|\1: $2|"; status=1; }
}

reads='(find|rfind|find_first_of|find_last_of|starts_with|ends_with|contains|substr|resize|compare|erase|replace)\('
texts='(message|messages|advice|reason|hint|detail|observed|statements|guess|why|what)'
refuse "(english|rendered)\([^()]*\)\s*\.$reads" \
  'reads a rendered message: ask for its row, message.is(msg::row), or for its arguments' "$edges"
refuse "(english|rendered)\([^()]*\)\s*[!=]=\s*[\"\w]" \
  'compares a rendered message: compare messages, or ask for the row' "$edges"
refuse "\b$texts\.$reads\s*\"" \
  'reads a text for people: make it a message, and ask for its row'
refuse '"\s*\+\s*[\w.>()\[\]-]*\benglish\(\)|\benglish\(\)\s*\+' \
  'builds a sentence of a rendered message: make it an argument of a row' "$edges"
refuse '\bverbatim\((std::string\()?"|\bverbatim\(fmt::format' \
  'is a sentence without a row: add one to grader/diagnostics/messages/'
exit "$status"
