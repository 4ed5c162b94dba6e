#!/bin/sh
# Removes everything that grading does not need from a root file system, for a small image: docs/packages.md.
# Only for images: apt loses its lists, and clang its sanitizers and other tools.
set -eu
rm -rf /usr/share/doc/* /usr/share/man/* /usr/share/info/* /usr/share/locale/* /usr/share/lintian /usr/share/bug \
  /usr/share/gdb /usr/share/gcc /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/log/* /tmp/*
for llvm in /usr/lib/llvm-*; do
  [ -d "$llvm" ] || continue
  rm -rf "$llvm"/lib/*.a "$llvm"/share "$llvm"/lib/python* "$llvm"/build "$llvm"/lib/cmake
  rm -rf "$llvm"/lib/clang/*/lib "$llvm"/lib/clang/*/share
  # libclang is for editors; the compiler is libclang-cpp.
  rm -f "$llvm"/lib/libclang-[0-9]*.so* "$llvm"/lib/libclang.so*
done
rm -f /usr/lib/*-linux-gnu/libclang-[0-9]*.so*
# Other languages and sanitizers. The static libraries of C and C++ stay, because submissions are linked to
# them.
rm -f /usr/lib/gcc/*/*/lib*san*.a /usr/lib/gcc/*/*/libgfortran* /usr/lib/gcc/*/*/libobjc* /usr/lib/gcc/*/*/*_preinit.o \
  /usr/lib/gcc/*/*/libstdc++_libbacktrace.a /usr/lib/gcc/*/*/libstdc++exp.a
rm -f /usr/lib/*-linux-gnu/lib*san.so.* /usr/lib/*-linux-gnu/libgprofng* /usr/bin/gp-* /usr/bin/gprofng*
