#!/usr/bin/env bash
# Installs the .deb in a fresh Debian (12 by default). AppArmor's parser checks the profile if it knows the
# rule (13 and later). Grades a lab with clang, as root and as a user, and again without the files that a
# container image omits. Needs root, mmdebstrap and the network; not part of CI/test.sh.
#   CI/package_test.sh [FILE.deb [SUITE [MIRROR]]]    FILE.deb: build/release/cuda-labs_*.deb by default
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
deb=${1:-$(ls build/release/cuda-labs_*.deb)}
suite=${2:-bookworm}
mirror=${3:-http://deb.debian.org/debian}
root=$(mktemp -d)
cleanup() {
  umount "$root/dev" "$root/proc" 2>/dev/null || true
  mountpoint -q "$root/dev" || mountpoint -q "$root/proc" || rm -rf --one-file-system "$root"
}
trap cleanup EXIT
mmdebstrap --quiet --variant=minbase --include=ca-certificates,apparmor "$suite" "$root" "$mirror"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$deb" "$root/tmp/cuda-labs.deb"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="${home:-/root}" LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get -qq update
inside apt-get -qq install -y --no-install-recommends /tmp/cuda-labs.deb clang >/dev/null
du -sh --one-file-system "$root"
profile=/etc/apparmor.d/cuda-labs
if [ -e "$root/etc/apparmor.d/abi/4.0" ]; then
  inside apparmor_parser -Q -T -K "$profile"
  echo "profile: $(inside apparmor_parser --version | head -1)"
else
  [ ! -e "$root$profile" ]
fi
inside useradd -m student
cp -r reference/lab3/variant4 "$root/home/student/solution"
chmod -R a+rX "$root/home/student"
grade() {
  local user home said
  for user in root student; do
    home=$(inside getent passwd "$user" | cut -d: -f6)
    said=$(inside setpriv --reuid "$user" --regid "$user" --init-groups \
      grader lab3 variant4 --submission /home/student/solution --quiet)
    echo "$user: $said"
    [ "$said" = "lab3 variant4: 100 of 100 points" ]
  done
}
grade
# The contents of the image (cmake/package/Containerfile): the same root without files that grading does not
# need.
inside sh /usr/share/cuda-labs/slim.sh
rm -rf "$root/root/.cache" "$root/home/student/.cache"
size=$(du -sm --one-file-system "$root" | cut -f1)
echo "slim: $size MB"
[ "$size" -lt 500 ]
grade
inside apt-get -qq purge -y cuda-labs >/dev/null
rm -f "$root/tmp/cuda-labs.deb"
# Ignores the users' caches and histories.
left=$(find "$root" -xdev \( -path "$root/proc" -o -path "$root/dev" -o -path "$root/home" -o -path "$root/root" \) -prune -o \
  \( -name '*cuda-labs*' -o -name 'grader*' \) -print)
if [ -n "$left" ]; then
  echo "left behind: $left" >&2
  exit 1
fi
echo "package test passed"
