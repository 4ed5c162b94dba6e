// Loaded into the grader by LD_PRELOAD: counts what it asks of the system, and lets one of these requests
// fail. Which one stands in $CUDALABS_FAULT: "write 17 28" is the 17th write, with errno 28. "count FILE"
// only counts, and leaves the numbers in FILE, a kind a line. In the device process, which has the same
// environment, nothing is counted, except for the kinds that begin with "device_".
//
// Kinds: write (a write fails), short (it writes one byte), full (it and all later ones fail: the disk is
// full), open (a file to write), mkdir, rename, read, pipe (also sockets and memfds), fork (no process can
// be made), and killed (the n-th child gets SIGKILL after so many milliseconds as the errno says, as from a
// machine without memory); device_killed: the first device process that gets so far dies at its n-th
// message; that it did stands in the file $CUDALABS_FAULT_DONE.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace {

enum Kind {
  kWrite,
  kShort,
  kFull,
  kOpen,
  kMkdir,
  kRename,
  kRead,
  kPipe,
  kFork,
  kKilled,
  kDeviceKilled,
  kKinds
};
constexpr const char* kNames[kKinds] = {"write", "short", "full", "open",   "mkdir",        "rename",
                                        "read",  "pipe",  "fork", "killed", "device_killed"};

struct Plan {
  bool active = false, device = false;
  char count_file[4096] = {};
  int kind = -1, error = 0, counts = -1, done = -1;
  long when = 0;
  std::atomic<long> seen[kKinds] = {};

  Plan() {
    char words[4096] = {};
    const int fd = static_cast<int>(::syscall(257 /* openat */, AT_FDCWD, "/proc/self/cmdline", O_RDONLY, 0));
    const long got = ::syscall(0 /* read */, fd, words, sizeof words - 1);
    ::syscall(3 /* close */, fd);
    const char* name = strrchr(words, '/') ? strrchr(words, '/') + 1 : words;
    if (got <= 0 || strcmp(name, "grader") != 0) return;
    device = strcmp(words + strlen(words) + 1, "__device") == 0;
    const char* what = getenv("CUDALABS_FAULT");
    if (what == nullptr) return;
    char kind_name[32] = {};
    if (sscanf(what, "count %4095s", count_file) == 1) {
      active = true;
    } else if (sscanf(what, "%31s %ld %d", kind_name, &when, &error) >= 2) {
      for (int k = 0; k < kKinds; ++k)
        if (strcmp(kind_name, kNames[k]) == 0) kind = k;
      active = kind >= 0;
    }
    if (device != (kind == kDeviceKilled) && count_file[0] == 0) active = false;
    if (device && count_file[0] != 0) strcat(count_file, ".device");
    // Opened now: the device process opens nothing once it is confined.
    if (const char* mark = getenv("CUDALABS_FAULT_DONE"); active && device && mark != nullptr) {
      done =
          static_cast<int>(::syscall(257 /* openat */, AT_FDCWD, mark, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
      char before = 0;
      if (::syscall(0 /* read */, done, &before, 1) == 1) active = false;
    }
    if (active && count_file[0] != 0)
      counts = static_cast<int>(
          ::syscall(257 /* openat */, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  }
  ~Plan() {
    if (active && !device) save();
  }
  void save() {
    if (counts < 0) return;
    char text[1024] = {};
    int size = 0;
    for (int k = 0; k < kKinds; ++k)
      size += snprintf(text + size, sizeof text - static_cast<std::size_t>(size), "%s %ld\n", kNames[k],
                       seen[k].load());
    ::syscall(18 /* pwrite64: the numbers never get shorter */, counts, text, size, 0);
  }
};

Plan& plan() {
  static Plan instance;
  return instance;
}

/// Whether this request of that kind is the one that fails.
bool fails(Kind kind) {
  Plan& p = plan();
  if (!p.active) return false;
  const long now = ++p.seen[kind];
  if (p.kind != kind) return false;
  if (kind == kFull ? now < p.when : now != p.when) return false;
  errno = p.error;
  return true;
}

template <class F>
F next(F, const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}
#define NEXT(name) next(&::name, #name)

bool is_file(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

void kill_later(pid_t pid) {
  if (pid <= 0 || !fails(kKilled)) return;
  std::thread([pid] {
    usleep(static_cast<useconds_t>(plan().error) * 1000);
    kill(pid, SIGKILL);
  }).detach();
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t size) {
  static auto real = NEXT(write);
  if (is_file(fd)) {
    if (fails(kWrite) || fails(kFull)) return -1;
    if (size > 1 && fails(kShort)) size = 1;
  }
  return real(fd, bytes, size);
}
ssize_t writev(int fd, const struct iovec* parts, int count) {
  static auto real = reinterpret_cast<ssize_t (*)(int, const struct iovec*, int)>(dlsym(RTLD_NEXT, "writev"));
  if (is_file(fd) && (fails(kWrite) || fails(kFull))) return -1;
  return real(fd, parts, count);
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  static auto real = NEXT(pwrite);
  if (fails(kWrite)) return -1;
  if (size > 1 && fails(kShort)) size = 1;
  return real(fd, bytes, size, at);
}
ssize_t read(int fd, void* bytes, size_t size) {
  static auto real = NEXT(read);
  if (is_file(fd) && fails(kRead)) return -1;
  return real(fd, bytes, size);
}
int open(const char* path, int flags, ...) {
  static auto real = reinterpret_cast<int (*)(const char*, int, ...)>(dlsym(RTLD_NEXT, "open"));
  va_list rest;
  va_start(rest, flags);
  const int mode = va_arg(rest, int);
  va_end(rest);
  if ((flags & (O_WRONLY | O_RDWR)) != 0 && strncmp(path, "/dev/", 5) != 0 && (fails(kOpen) || fails(kFull)))
    return -1;
  return real(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  static auto real = NEXT(fopen);
  if (strchr(mode, 'w') != nullptr && (fails(kOpen) || fails(kFull))) return nullptr;
  return real(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  static auto real = reinterpret_cast<FILE* (*)(const char*, const char*)>(dlsym(RTLD_NEXT, "fopen64"));
  if (strchr(mode, 'w') != nullptr && (fails(kOpen) || fails(kFull))) return nullptr;
  return real(path, mode);
}
int mkstemp(char* pattern) {
  static auto real = NEXT(mkstemp);
  if (fails(kOpen) || fails(kFull)) return -1;
  return real(pattern);
}
char* mkdtemp(char* pattern) {
  static auto real = NEXT(mkdtemp);
  if (fails(kMkdir) || fails(kFull)) return nullptr;
  return real(pattern);
}
int mkdir(const char* path, mode_t mode) {
  static auto real = NEXT(mkdir);
  if (fails(kMkdir)) return -1;
  return real(path, mode);
}
int rename(const char* from, const char* to) {
  static auto real = NEXT(rename);
  if (fails(kRename)) return -1;
  return real(from, to);
}
int pipe2(int ends[2], int flags) {
  static auto real = NEXT(pipe2);
  if (fails(kPipe)) return -1;
  return real(ends, flags);
}
int socketpair(int domain, int type, int protocol, int ends[2]) {
  static auto real = NEXT(socketpair);
  if (fails(kPipe)) return -1;
  return real(domain, type, protocol, ends);
}
int memfd_create(const char* name, unsigned flags) {
  static auto real = NEXT(memfd_create);
  if (fails(kPipe)) return -1;
  return real(name, flags);
}
ssize_t recvmsg(int fd, struct msghdr* message, int flags) {
  static auto real = NEXT(recvmsg);
  if (plan().device) {
    if (fails(kDeviceKilled)) {
      ::syscall(18 /* pwrite64 */, plan().done, "x", 1, 0);
      raise(SIGKILL);
    }
    plan().save();  // it will not end by itself
  }
  return real(fd, message, flags);
}
pid_t fork() {
  static auto real = NEXT(fork);
  if (fails(kFork)) return -1;
  const pid_t pid = real();
  kill_later(pid);
  return pid;
}
// A function that calls vfork must not return in the child: fork keeps what it promises, but for the time.
pid_t vfork() { return fork(); }
int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  static auto real = NEXT(posix_spawn);
  if (fails(kFork)) return errno;
  const int problem = real(pid, path, actions, attributes, words, environment);
  if (problem == 0) kill_later(*pid);
  return problem;
}

}  // extern "C"
