#!/usr/bin/env bash
# Runs CI/check_rooms.sh in a small test tree: on folders, files and functions at the limit and past it, and on code
# that only looks like a long function.
set -euo pipefail
command -v git >/dev/null || { echo "skipped: needs git"; exit 0; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
unset "${!GIT_@}"  # set under a git hook, where they name another tree

mkdir -p CI grader/{full,one,cudart/include} tests/one build
cp "$root/CI/check_rooms.sh" CI/
printf '/build/\n' >.gitignore
git init -q
failed=0

# lines N [TEXT]: prints N lines of TEXT.
lines() { awk -v n="$1" -v text="${2:-  ++x;}" 'BEGIN { for (i = 0; i < n; ++i) print text }'; }
# reported TEXT: checks that the script exits with status 1 and prints only TEXT.
reported() {
  local said status=0
  said=$(CI/check_rooms.sh 2>&1) || status=$?
  [[ $status -eq 1 && $said == "$1" ]] || { printf 'expected: %s\nbut status %s: %s\n' "$1" "$status" "$said"; failed=1; }
}
# silent WHAT: checks that the script accepts WHAT and prints nothing.
silent() {
  local said status=0
  said=$(CI/check_rooms.sh 2>&1) || status=$?
  [[ $status -eq 0 && -z $said ]] || { printf '%s: status %s: %s\n' "$1" "$status" "$said"; failed=1; }
}
# body HEAD N [END]: prints a file whose second line is HEAD, with N lines from there to the end of its braces.
body() { printf '\n%s\n' "$1"; lines $(($2 - 2)); printf '%s\n' "${3:-\}}"; }
source=grader/one/one.cpp
# long NAME HEAD [END]: checks that the script accepts the function with 80 lines and reports it with 81.
long() {
  body "$2" 80 "${3:-}" >$source
  silent "$1 of 80 lines"
  body "$2" 81 "${3:-}" >$source
  reported "$source:2: function $1 has 81 lines; 80 is the limit"
  rm $source
}
# no_function TEXT...: checks that the script accepts long code that is not a function.
no_function() {
  body "$1" 90 "${2:-}" >$source
  silent "$1"
  rm $source
}

# Folders.
for i in $(seq 25); do : >"grader/full/$i.h"; done
for i in $(seq 30); do : >"grader/cudart/include/$i.h"; : >"tests/one/$i.h"; : >"build/$i.h"; done
silent "a folder of 25 files, and others that may hold more"
git add .
: >grader/full/README.md
reported "grader/full: folder holds 26 files; 25 is the limit"
rm grader/full/README.md

# Files.
lines 600 "// x" >tests/one/long.h
silent "a file of 600 lines"
lines 601 "// x" >tests/one/long.h
reported "tests/one/long.h:1: file has 601 lines; 600 is the limit"
rm tests/one/long.h

# Functions.
long f 'void f() {'
long f 'static std::vector<int> f(const int* x, int y = 3) noexcept {'
long f 'template <class T, int N = (1 > 0)> [[nodiscard]] auto f(T x) -> T {'
long Class::f 'int Class::f(std::function<void(int)> x) const {'
long Class::Class 'Class::Class(int x) : x_(x), y_{x}, z_{{1, 2}} {'
long Class::~Class 'Class::~Class() {'
long 'operator==' 'bool operator==(const X& a, const X& b) {'
long 'Class::operator()' 'int Class::operator()(int x) {'
long f 'struct X f(int x) {'
long f 'int f(int x) try {' '} catch (...) {}'
long Class::inside 'void Class::inside() { auto x = [&](int y) { return y; };'
long f 'void f() { const char* text = "}"; const char letter = '\''}'\''; int n = 1'\''000;  // }'
long f 'void f() { /* } */ const char* text = R"x(}")x";'
{ printf 'namespace a {\nclass B : public C {\n public:\n  void g();\n\n  void f() const override {\n'; lines 79; printf '  }\n};\n}\n'; } >$source
reported "$source:6: function f has 81 lines; 80 is the limit"
{ printf '#define X(a) { a\nvoid f(int a,\n       int b)\n#if A\n{\n#else\n {\n#endif\n'; lines 76; printf '}\nvoid g() {\n}\n'; } >$source
reported "$source:2: function f has 84 lines; 80 is the limit"
rm $source

no_function 'namespace {'
no_function 'struct alignas(16) X {' '};'
no_function 'enum class X : int {' '};'
no_function 'constexpr Row kRows[] = {' '};'
no_function 'const std::vector<X> rows{' '};'
no_function 'const auto x = [](int y) {' '};'
no_function 'const X x = make(3, {' '});'
no_function 'extern "C" {'
no_function 'TEST_CASE("x", "[x]") {'
no_function 'void f(); constexpr const char* kText = R"(' ')";'

printf 'void f() {\n}\n}\n' >$source
reported "$source:3: its braces do not match"
exit "$failed"
