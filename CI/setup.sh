#!/usr/bin/env bash
# Prepares a Debian 12 or Ubuntu 24.04 machine to build cuda-labs: checks for nvcc, installs missing packages by apt.
# Safe to run again (it then changes nothing and takes under a second). demo.sh and test.sh source it, because it also
# puts nvcc on the PATH and defines $root and build_grader.
#
# Status 2: something is missing that only a person can add; the text says what and how.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

packages=(g++ cmake ninja-build ccache libyaml-cpp-dev libfmt-dev catch2 libcli11-dev
          nlohmann-json3-dev bubblewrap libseccomp-dev libhwy-dev)

say() { printf '%s\n' "$*" >&2; }
stop() { printf '%s\n' "$@" >&2; exit 2; }

nvcc_missing() {
  local distribution=${ID:-}${VERSION_ID:-} repository
  case $distribution in
    debian12*) repository=debian12 ;;
    ubuntu24.04) repository=ubuntu2404 ;;
    *) repository='DISTRIBUTION   (debian12 or ubuntu2404)' ;;
  esac
  stop \
    "nvcc, the CUDA compiler, is missing (looked in PATH, \$CUDA_HOME/bin and /usr/local/cuda*/bin)." \
    "Neither a GPU nor a driver is needed: only the compiler and its headers. NVIDIA's repository has them:" \
    "" \
    "  distribution=$repository" \
    "  wget https://developer.download.nvidia.com/compute/cuda/repos/\$distribution/x86_64/cuda-keyring_1.1-1_all.deb" \
    "  sudo dpkg -i cuda-keyring_1.1-1_all.deb" \
    "  sudo apt-get update" \
    "  sudo apt-get install cuda-nvcc-13-0 cuda-cudart-dev-13-0" \
    "" \
    "(distribution is debian12 on Debian 12 and ubuntu2404 on Ubuntu 24.04; the package cuda-toolkit-13-0 holds the" \
    "whole toolkit and works as well.) Where nvcc stands elsewhere, set CUDA_HOME to the folder that holds bin/nvcc." \
    "Then run this command again. Nothing has been installed or changed."
}

find_nvcc() {
  local folder
  command -v nvcc >/dev/null && return
  for folder in ${CUDA_HOME:+"$CUDA_HOME/bin"} /usr/local/cuda/bin /usr/local/cuda-*/bin; do
    if [ -x "$folder/nvcc" ]; then
      export PATH="$folder:$PATH"
      return
    fi
  done
  nvcc_missing
}

check_nvcc_version() {
  local release
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
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || stop \
    "This script installs packages with apt, on Debian 12 and Ubuntu 24.04, and this machine has no apt." \
    "Install the equivalents of: $*" \
    "and build with: cmake --preset release && cmake --build --preset release"
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

# build_grader [target...]: configures once, then builds the targets (default: everything). Quiet unless something
# has to be compiled.
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
  say "Building (minutes the first time, seconds afterwards)"
  cmake --build build/release ${1:+--target "$@"} >&2 </dev/null || stop "The build failed: the compiler's message is above."
}

if [ -r /etc/os-release ]; then
  # shellcheck disable=SC1091
  . /etc/os-release
fi
find_nvcc
check_nvcc_version
install_missing "${packages[@]}"
