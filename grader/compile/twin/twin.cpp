// Loaded into clang before all others (LD_PRELOAD): runs its main twice, with two lists of words, in one
// start. Both halves of a CUDA file are made by one program whose libraries hold 580,000 addresses that are
// set anew each time it starts; that is a third of what a small file takes. The lists are parted by kAnd;
// without it main runs as ever.
// What both print comes in their order. Any failure is one of the whole.

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "grader/compile/twin.h"

namespace {

using Main = int(int, char**, char**);

Main* program_main;
constexpr int kBroken = 71;  // neither half said so

/// Runs main with these words in a process of its own.
pid_t start(int count, char** words, char** environment, int output) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (output >= 0 && (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)) _exit(kBroken);
  exit(program_main(count, words, environment));
}

/// 0, or why the process failed.
int status_of(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return kBroken;
  return WEXITSTATUS(status);
}

bool copied(int from, int to) {
  if (lseek(from, 0, SEEK_SET) != 0) return false;
  char chunk[4096];
  for (;;) {
    const ssize_t count = read(from, chunk, sizeof chunk);
    if (count <= 0) return count == 0;
    if (write(to, chunk, static_cast<size_t>(count)) != count) return false;
  }
}

/// A file without a name, in the folder for such.
int nameless_file() {
  const char* folder = std::getenv("TMPDIR");
  char path[4096];
  const int length = std::snprintf(path, sizeof path, "%s/twin-XXXXXX", folder ? folder : "/tmp");
  if (length < 0 || length >= static_cast<int>(sizeof path)) return -1;
  const int file = mkstemp(path);
  if (file >= 0) unlink(path);
  return file;
}

int twin_main(int count, char** words, char** environment) {
  unsetenv("LD_PRELOAD");  // what it starts is not ours to double
  for (int at = 1; at < count; ++at) {
    if (std::strcmp(words[at], cudalabs::kAnd) != 0) continue;
    const int later = nameless_file();
    if (later < 0) return kBroken;
    words[at] = nullptr;
    const pid_t first = start(at, words, environment, -1);
    words[at] = words[0];
    const pid_t second = start(count - at, words + at, environment, later);
    const int one = status_of(first), other = status_of(second);
    if (!copied(later, STDERR_FILENO)) return kBroken;
    return one != 0 ? one : other;
  }
  return program_main(count, words, environment);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int __libc_start_main(  // NOLINT: its name is the point
    Main* main, int count, char** words, void (*init)(), void (*finish)(), void (*loader_finish)(),
    void* stack) {
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto* real = reinterpret_cast<Start*>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (!real) _exit(kBroken);
  program_main = main;
  return real(twin_main, count, words, init, finish, loader_finish, stack);
}
