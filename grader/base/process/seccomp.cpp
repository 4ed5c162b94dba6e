#include "grader/base/process/seccomp.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <asm/sockios.h>
#include <linux/seccomp.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <span>

#include "grader/base/fd.h"
#include "grader/diagnostics/messages/base.h"

namespace cudalabs {
namespace {

using Names = std::span<const char* const>;

// Names that an architecture or an older libseccomp does not know are skipped.
// clang-format off
constexpr std::array kOthers = {
    // Other processes and their memory.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "migrate_pages", "move_pages"};

constexpr std::array kNetwork = {
    // Network and anything that looks like it.
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
    // Options of a socket that the process was given: one returns a descriptor of the process at the other
    // end.
    "getsockopt", "setsockopt"};

constexpr std::array kMachine = {
    // Namespaces, mounts, the machine, and kernel interfaces with a history.
    "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
    "swapon", "swapoff", "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "create_module", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime",
    "clock_adjtime", "adjtimex", "stime", "sethostname", "setdomainname", "syslog", "vhangup", "iopl",
    "ioperm", "modify_ldt", "personality", "uselib", "nfsservctl", "lookup_dcookie", "name_to_handle_at",
    "open_by_handle_at", "fanotify_init", "fanotify_mark", "mknod", "mknodat", "bpf", "perf_event_open",
    "add_key", "request_key", "keyctl", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "io_setup", "io_submit", "seccomp_unotify", "landlock_create_ruleset", "vmsplice",
    // Notifications about the files that other processes open.
    "inotify_init", "inotify_init1", "inotify_add_watch"};

constexpr std::array kAboutFiles = {
    // A file's metadata and size. Landlock restricts none of these calls, or not in its first versions.
    "truncate", "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
    "lremovexattr", "fremovexattr"};

constexpr std::array kLooks = {
    // Metadata of files that may not be opened. Landlock does not restrict these calls either.
    "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr", "readlink", "readlinkat"};

constexpr std::array kFilesInMemory = {
    // Memory that none of our limits counts.
    "memfd_create", "memfd_secret"};

constexpr std::array kSharedMemory = {
    // Memory that outlives the program.
    "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv",
    "msgctl", "semget", "semop", "semtimedop", "semctl", "mq_open", "mq_unlink", "mq_notify"};

constexpr std::array kProcesses = {
    // Signals, new processes, and scheduling.
    "kill", "tkill", "fork", "vfork", "setsid", "setpgid", "setpriority", "ioprio_set", "sched_setaffinity",
    "sched_setscheduler", "sched_setparam", "sched_setattr"};

constexpr std::array kComputing = {
    // The only calls that remain allowed to the device process, with any arguments.
    // memory
    "munmap", "mremap", "madvise", "brk", "memfd_create", "ftruncate", "fallocate",
    // threads
    "futex", "set_robust_list", "rseq", "exit", "exit_group", "sched_yield", "sched_getaffinity",
    "set_tid_address", "gettid", "getpid", "membarrier",
    // its descriptors
    "read", "write", "readv", "writev", "pread64", "pwrite64", "recvmsg", "sendmsg", "recvfrom", "sendto",
    "poll", "ppoll", "close", "lseek", "fstat", "dup", "eventfd2",
    // time, and the process itself
    "clock_gettime", "clock_nanosleep", "nanosleep", "gettimeofday", "getrandom", "getrusage", "sysinfo",
    "restart_syscall", "sigaltstack", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "uname"};

// clang-format on

// The kernel got calls from this number on after this list was written (fchmodat2 is the first, and a
// libseccomp of 2022 has no name for it). The filter reports that they do not exist, and libc does without
// them.
constexpr int kFirstUnknown = 452, kLastUnknown = 511;

// The kernel reads only the low half of these arguments.
constexpr std::uint64_t kLowHalf = 0xffffffff;

constexpr std::array kSignallingControls = {F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY,
                                            // Locks take kernel memory without a limit.
                                            F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};

constexpr std::array kSignallingRequests = {
    FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSTI, TIOCLINUX,  // keystrokes into a terminal of another process
    TIOCSPGRP};

// Requests that a program may make to its terminal, a pipe or a file have these bits above their number. No
// other requests do: neither network requests, which go to the namespace in which the socket was made, nor
// requests to file systems.
constexpr std::uint64_t kTerminalRequests = 'T';

constexpr std::array kProcessControls = {
    // The signal at the grader's death, and what other processes may do with this one.
    PR_SET_PDEATHSIG,  PR_SET_DUMPABLE, PR_SET_PTRACER, PR_SET_MM, PR_SET_CHILD_SUBREAPER, PR_SET_KEEPCAPS,
    PR_SET_SECUREBITS, PR_CAP_AMBIENT,  PR_MCE_KILL,    62};  // PR_SCHED_CORE, which some headers lack

/// The condition for an argument of a call: some kinds of `how` need the second value.
constexpr scmp_arg_cmp argument(unsigned number, scmp_compare how, std::uint64_t value,
                                std::uint64_t second = 0) {
  return {number, how, value, second};
}

class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise)) {
    if (!context_) problem_ = ENOMEM;
    constexpr std::uint32_t kAsTree = 2;
    if (context_) seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, kAsTree);
    // Calls of another architecture fail as unknown. Killing for them would look like too large a mapping.
    if (context_) seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
  }

  void all(std::uint32_t action, Names names) {
    for (const char* name : names) {
      const int call = seccomp_syscall_resolve_name(name);
      if (call >= 0) when(action, call);
    }
  }
  /// Adds the rule for calls in which the low half of that argument is one of `values`.
  template <class Values>
  void when_one_of(std::uint32_t action, int call, unsigned number, const Values& values) {
    for (const auto value : values)
      when(action, call, argument(number, SCMP_CMP_MASKED_EQ, kLowHalf, static_cast<std::uint32_t>(value)));
  }
  template <class... Comparisons>
  void when(std::uint32_t action, int call, Comparisons... comparisons) {
    if (!context_) return;
    const int outcome =
        seccomp_rule_add(context_.get(), action, call, sizeof...(comparisons), comparisons...);
    if (outcome < 0 && problem_ == 0) problem_ = -outcome;
  }

  [[nodiscard]] Result<std::vector<sock_filter>> program() const {
    const UniqueFd file(problem_ == 0 ? ::memfd_create("filter", MFD_CLOEXEC) : -1);
    const int problem = problem_ == 0 && file ? -seccomp_export_bpf(context_.get(), file.get()) : problem_;
    const off_t bytes = file && problem == 0 ? ::lseek(file.get(), 0, SEEK_END) : -1;
    if (problem != 0 || bytes <= 0) {
      return error(msg::no_syscall_filter(std::strerror(problem ? problem : errno)));
    }
    std::vector<sock_filter> program(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    if (::pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes) {
      return error(msg::no_syscall_filter(std::strerror(errno)));
    }
    return program;
  }

 private:
  struct Release {
    void operator()(void* context) const { seccomp_release(context); }
  };
  std::unique_ptr<void, Release> context_;
  int problem_ = 0;
};

const std::uint32_t kRefuse = SCMP_ACT_ERRNO(EPERM);

/// Refuses calls that no submission, compiler or driver may make.
void refuse_common(Filter& filter) {
  for (const Names names :
       {Names(kOthers), Names(kNetwork), Names(kMachine), Names(kAboutFiles), Names(kSharedMemory)}) {
    filter.all(kRefuse, names);
  }
  filter.when_one_of(kRefuse, SCMP_SYS(ioctl), 1, kSignallingRequests);
  filter.when_one_of(kRefuse, SCMP_SYS(fcntl), 1, kSignallingControls);
  for (int call = kFirstUnknown; call <= kLastUnknown; ++call) filter.when(SCMP_ACT_ERRNO(ENOSYS), call);
  // A process may only read or set its own limits.
  filter.when(kRefuse, SCMP_SYS(prlimit64), argument(0, SCMP_CMP_NE, 0));
}

/// Refuses requests whose bits above the number differ from a terminal's in at least one bit.
void refuse_other_requests(Filter& filter) {
  for (unsigned bit = 8; bit < 32; ++bit) {
    const std::uint64_t mask = std::uint64_t{1} << bit;
    filter.when(kRefuse, SCMP_SYS(ioctl),
                argument(1, SCMP_CMP_MASKED_EQ, mask, mask & ~(kTerminalRequests << 8)));
  }
}

/// Allows clone only for threads, and keeps the process as the grader made it.
void refuse_new_processes(Filter& filter) {
  filter.all(kRefuse, kProcesses);
  filter.when(kRefuse, SCMP_SYS(clone), argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  filter.when_one_of(kRefuse, SCMP_SYS(prctl), 0, kProcessControls);
}

/// Hides clone3, whose flags are in memory: libc falls back to clone when it does not exist.
void hide_clone3(Filter& filter) { filter.when(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3)); }

Result<void> put_under(const Result<std::vector<sock_filter>>& made) {
  if (!made) return made.problem();
  std::vector<sock_filter> program = *made;
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &whole) != 0) {
    return error(msg::device_keeps_its_rights(std::strerror(errno)));
  }
  return {};
}

}  // namespace

Result<std::vector<sock_filter>> submission_filter(std::uint64_t largest_mapping, bool own_pid_only) {
  Filter filter(SCMP_ACT_ALLOW);
  refuse_common(filter);
  filter.all(kRefuse, kFilesInMemory);
  filter.all(kRefuse, kLooks);
  refuse_other_requests(filter);
  refuse_new_processes(filter);
  hide_clone3(filter);
  if (own_pid_only) filter.when(kRefuse, SCMP_SYS(tgkill), argument(0, SCMP_CMP_NE, kPidPlaceholder));
  if (largest_mapping) {
    filter.when(SCMP_ACT_KILL_PROCESS, SCMP_SYS(mmap), argument(1, SCMP_CMP_GT, largest_mapping));
    filter.when(SCMP_ACT_KILL_PROCESS, SCMP_SYS(mremap), argument(2, SCMP_CMP_GT, largest_mapping));
  }
  return filter.program();
}

Result<std::vector<sock_filter>> compiler_filter() {
  Filter filter(SCMP_ACT_ALLOW);
  refuse_common(filter);
  filter.all(kRefuse, kFilesInMemory);
  refuse_other_requests(filter);
  return filter.program();
}

Result<std::vector<sock_filter>> driver_filter() {
  Filter filter(SCMP_ACT_ALLOW);
  refuse_common(filter);
  refuse_new_processes(filter);
  hide_clone3(filter);
  for (const int call : {SCMP_SYS(execve), SCMP_SYS(execveat)}) filter.when(kRefuse, call);
  filter.when(kRefuse, SCMP_SYS(tgkill), argument(0, SCMP_CMP_NE, static_cast<std::uint64_t>(::getpid())));
  return filter.program();
}

Result<std::vector<sock_filter>> device_filter() {
  Filter filter(kRefuse);
  filter.all(SCMP_ACT_ALLOW, kComputing);
  filter.when(SCMP_ACT_ALLOW, SCMP_SYS(clone), argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
  hide_clone3(filter);
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)})
    filter.when(SCMP_ACT_ALLOW, call, argument(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  // The simulator's machine code is sealed: memory is never writable and executable at once.
  filter.when(SCMP_ACT_ALLOW, SCMP_SYS(mprotect), argument(2, SCMP_CMP_EQ, PROT_READ | PROT_EXEC));
  filter.when_one_of(
      SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
      std::array{F_GETFL, F_SETFL, F_GETFD, F_SETFD, F_DUPFD_CLOEXEC, F_ADD_SEALS, F_GET_SEALS});
  filter.when(SCMP_ACT_ALLOW, SCMP_SYS(tgkill),
              argument(0, SCMP_CMP_EQ, static_cast<std::uint64_t>(::getpid())));
  filter.when(SCMP_ACT_ALLOW, SCMP_SYS(prctl), argument(0, SCMP_CMP_EQ, PR_SET_NAME));
#ifdef __SANITIZE_ADDRESS__
  // UBSan uses a pipe to check whether an object's memory is readable.
  for (const int call : {SCMP_SYS(pipe), SCMP_SYS(pipe2)}) filter.when(SCMP_ACT_ALLOW, call);
#endif
  return filter.program();
}

Result<void> confine_to_memory() { return put_under(device_filter()); }

Result<void> confine_to_driver() { return put_under(driver_filter()); }

void fill_pid(std::vector<sock_filter>& filter, std::uint32_t pid) {
  for (auto& instruction : filter) {
    if (instruction.k == kPidPlaceholder) instruction.k = pid;
  }
}

}  // namespace cudalabs
