#!/usr/bin/env bash
# Runs CI/check_messages.sh in a small test tree: on each way to use a sentence as data that it refuses, one at a time, and on
# code that it accepts.
set -euo pipefail
command -v git >/dev/null || { echo "skipped: needs git"; exit 0; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
unset "${!GIT_@}"  # set under a git hook, where they name another tree

mkdir -p CI grader/{grading,present,base}
cp "$root/CI/check_messages.sh" CI/
git init -q
failed=0

# check FILE LINE: writes a file whose second line is LINE, and runs the script; its output is in `said`.
check() {
  printf '\n%s\n' "$2" >"$1"
  status=0
  said=$(CI/check_messages.sh 2>&1) || status=$?
  rm "$1"
}
refused() {
  check "$@"
  [[ $status -eq 1 && $said == "$1:2: $3"* ]] ||
    { printf 'not refused: %s\nbut status %s: %s\n' "$2" "$status" "$said"; failed=1; }
}
accepted() {
  check "$@"
  [[ $status -eq 0 && -z $said ]] || { printf 'not accepted: %s\nstatus %s: %s\n' "$2" "$status" "$said"; failed=1; }
}

stage=grader/grading/a.cpp
refused $stage 'if (m.english().find("was never written") != npos) return;' 'reads a rendered message'
refused $stage 'if (rendered(m).starts_with(x)) return;' 'reads a rendered message'
refused $stage 'if (m.english() == "race") return;' 'compares a rendered message'
refused $stage 'if (advice.ends_with("once.")) return;' 'reads a text for people'
refused $stage 'message.resize(message.size() - 2), message.erase("; ");' 'reads a text for people'
refused $stage 'auto text = "in case 2: " + m.english();' 'builds a sentence'
refused $stage 'auto text = found.message.english() + name;' 'builds a sentence'
refused $stage 'return verbatim("the answer is wrong");' 'is a sentence without a row'
refused $stage 'return verbatim(fmt::format("{} is wrong", name));' 'is a sentence without a row'

accepted $stage 'if (m.is(msg::never_written)) return;'
accepted $stage 'return msg::never_written(name);'
accepted $stage 'return verbatim(compiler.err);'
accepted $stage '// not m.english().find("was never written")'
accepted $stage 'if (path.find("x") != npos) return;'
# Where a message becomes text.
accepted grader/present/a.cpp 'out += "problem: " + m.english();'
accepted grader/base/message.cpp 'out += m.english() + "; ";'

exit $failed
