#!/usr/bin/env bash
# Prepares a Debian 12 or Ubuntu 24.04 machine to build cuda-labs: finds nvcc and installs missing packages by
# apt. It may be run again (it then changes nothing and takes less than a second). demo.sh and test.sh source
# it, because it also puts nvcc on the PATH, if it exists, and defines $root and build_grader.
#
#   CI/setup.sh                install what the build needs
#   CI/setup.sh --developer    install the tools that check and debug the sources as well: .devcontainer/Containerfile runs this
#
# Status 2: something is missing that only a person can install; the message says what and how.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

packages=(g++ clang cmake ninja-build ccache libasmjit-dev libyaml-cpp-dev libfmt-dev libspdlog-dev catch2 libcli11-dev
          nlohmann-json3-dev bubblewrap libseccomp-dev libhwy-dev libsqlite3-dev libarchive-dev nettle-dev libxxhash-dev libbz2-dev
          liblzma-dev libzstd-dev zlib1g-dev libxlsxwriter-dev)
# What checks the style, JUnit files and scripts, and a linker that makes the tests' many programs sooner. Versions of clang-format differ in what they say; Debian 12's is the one that counts.
check_packages=(clang-format-14 clang-tidy-14 lld libxml2-utils shellcheck zip unzip python3
                python3-jsonschema python3-yaml)
developer_packages=(git ca-certificates openssh-client pre-commit gdb)

say() { printf '%s\n' "$*" >&2; }
stop() { printf '%s\n' "$@" >&2; exit 2; }

find_nvcc() {
  local folder
  command -v nvcc >/dev/null && return
  for folder in ${CUDA_HOME:+"$CUDA_HOME/bin"} /usr/local/cuda/bin /usr/local/cuda-*/bin; do
    if [ -x "$folder/nvcc" ]; then
      export PATH="$folder:$PATH"
      return
    fi
  done
  say "nvcc is not here, and is not needed: clang compiles the submissions. NVIDIA's toolkit is for CUB, Thrust and code as nvcc makes it."
}

check_nvcc_version() {
  local release
  command -v nvcc >/dev/null || return 0
  release=$(nvcc --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  if [ "${release:-0}" -lt 13 ]; then
    say "warning: $(command -v nvcc) is CUDA ${release:-of an unknown release}; cuda-labs is made for CUDA 13 and is tested with nothing older."
  fi
}

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
  done
}

# install_missing package...
install_missing() {
  local missing=() as_root=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    stop \
      "This script installs packages with apt, on Debian 12 and Ubuntu 24.04, and this machine has no apt." \
      "Install the equivalents of: $*" \
      "and build with: cmake --preset release && cmake --build --preset release"
  fi
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0

  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || stop \
      "Missing packages, and neither root nor sudo to install them. Ask an administrator to run:" \
      "  apt-get install ${missing[*]}"
    as_root=(sudo)
    [ -t 0 ] || sudo -n true 2>/dev/null || stop \
      "Missing packages, and sudo asks for a password where nobody can type it. Run this first:" \
      "  sudo apt-get install ${missing[*]}"
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
  say "Installing with apt: ${missing[*]}"
  "${as_root[@]}" update >&2 || say "warning: apt-get update had trouble (see above); going on with the lists that are there."
  "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" >&2 || stop \
    "" \
    "apt could not install: ${missing[*]}" \
    "Its own message is above. Is the network there, and is no other apt running? cuda-labs supports Debian 12 and" \
    "Ubuntu 24.04 (with the universe repository enabled). Once apt works, run this command again."
}

# build_grader [target...]: configures once, then builds the targets (default: everything). Prints something
# only if it has to compile.
build_grader() {
  local log
  if [ ! -f build/release/build.ninja ]; then
    say "Configuring build/release"
    log=$(mktemp)
    cmake --preset release >"$log" 2>&1 </dev/null || {
      cat "$log" >&2
      rm -f "$log" build/release/CMakeCache.txt
      stop "Configuring failed: CMake's message is above."
    }
    rm -f "$log"
  fi
  say "Building (minutes the first time and after large changes)"
  cmake --build build/release ${1:+--target "$@"} >&2 </dev/null || stop "The build failed: the compiler's message is above."
}

if [ -r /etc/os-release ]; then
  # shellcheck disable=SC1091
  . /etc/os-release
fi
# Scripts that source this file have arguments of their own.
if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  case $* in
    '') ;;
    --developer) packages+=("${check_packages[@]}" "${developer_packages[@]}") ;;
    *) stop "usage: CI/setup.sh [--developer]" ;;
  esac
fi
find_nvcc
check_nvcc_version
install_missing "${packages[@]}"
