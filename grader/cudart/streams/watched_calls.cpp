// Replacements for functions of the C library that pass memory to a system call, which fails with EFAULT on a
// closed page (HostAccessTracker) instead of faulting. Under `grader run --check streamcheck` the linker uses
// these in their place (--wrap, grader/toolchain/program/program.cpp); otherwise nobody calls them.
//
// They also replace functions that free memory: the heap writes into it while it holds a lock that our
// handler would wait for.

#include <malloc.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>

#include "grader/cudart/streams/host_access_tracker.h"

using cudalabs::cudart::HostAccessTracker;

namespace {
void give_back(void* memory) { HostAccessTracker::get().passes(memory, malloc_usable_size(memory), true); }
}  // namespace

extern "C" {

std::size_t __real_fread(void* to, std::size_t size, std::size_t count, std::FILE* file);
std::size_t __real_fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file);
ssize_t __real_read(int file, void* to, std::size_t bytes);
ssize_t __real_write(int file, const void* from, std::size_t bytes);
ssize_t __real_pread(int file, void* to, std::size_t bytes, off_t at);
ssize_t __real_pwrite(int file, const void* from, std::size_t bytes, off_t at);
ssize_t __real_recv(int socket, void* to, std::size_t bytes, int flags);
ssize_t __real_send(int socket, const void* from, std::size_t bytes, int flags);

std::size_t __wrap_fread(void* to, std::size_t size, std::size_t count, std::FILE* file) {
  HostAccessTracker::get().passes(to, size * count, true);
  return __real_fread(to, size, count, file);
}
std::size_t __wrap_fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file) {
  HostAccessTracker::get().passes(from, size * count, false);
  return __real_fwrite(from, size, count, file);
}
ssize_t __wrap_read(int file, void* to, std::size_t bytes) {
  HostAccessTracker::get().passes(to, bytes, true);
  return __real_read(file, to, bytes);
}
ssize_t __wrap_write(int file, const void* from, std::size_t bytes) {
  HostAccessTracker::get().passes(from, bytes, false);
  return __real_write(file, from, bytes);
}
ssize_t __wrap_pread(int file, void* to, std::size_t bytes, off_t at) {
  HostAccessTracker::get().passes(to, bytes, true);
  return __real_pread(file, to, bytes, at);
}
ssize_t __wrap_pwrite(int file, const void* from, std::size_t bytes, off_t at) {
  HostAccessTracker::get().passes(from, bytes, false);
  return __real_pwrite(file, from, bytes, at);
}
ssize_t __wrap_recv(int socket, void* to, std::size_t bytes, int flags) {
  HostAccessTracker::get().passes(to, bytes, true);
  return __real_recv(socket, to, bytes, flags);
}
ssize_t __wrap_send(int socket, const void* from, std::size_t bytes, int flags) {
  HostAccessTracker::get().passes(from, bytes, false);
  return __real_send(socket, from, bytes, flags);
}

void __real_free(void* memory);
void* __real_realloc(void* memory, std::size_t bytes);
void __wrap_free(void* memory) {
  give_back(memory);
  __real_free(memory);
}
void* __wrap_realloc(void* memory, std::size_t bytes) {
  give_back(memory);
  return __real_realloc(memory, bytes);
}

// operator delete and its forms.
#define CUDALABS_DELETE(name, parameters, arguments) \
  void __real_##name parameters;                     \
  void __wrap_##name parameters {                    \
    give_back(memory);                               \
    __real_##name arguments;                         \
  }
CUDALABS_DELETE(_ZdlPv, (void* memory), (memory))
CUDALABS_DELETE(_ZdaPv, (void* memory), (memory))
CUDALABS_DELETE(_ZdlPvm, (void* memory, std::size_t bytes), (memory, bytes))
CUDALABS_DELETE(_ZdaPvm, (void* memory, std::size_t bytes), (memory, bytes))
CUDALABS_DELETE(_ZdlPvSt11align_val_t, (void* memory, std::size_t align), (memory, align))
CUDALABS_DELETE(_ZdlPvmSt11align_val_t, (void* memory, std::size_t bytes, std::size_t align),
                (memory, bytes, align))
}
