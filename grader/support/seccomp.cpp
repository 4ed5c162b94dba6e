#include "grader/support/seccomp.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "grader/support/fd.h"

namespace cudalabs {
namespace {

// Refused whatever the arguments. Names that an architecture
// or an older libseccomp does not know are skipped.
constexpr std::array kRefused = {
    // other processes and their memory
    "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "kcmp", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr",
    "setpriority", "ioprio_set", "migrate_pages", "move_pages", "setsid", "setpgid",
    // network and anything that looks like it
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
    // namespaces, mounts, the machine
    "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree",
    "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "statmount", "listmount",
    "swapon", "swapoff", "reboot", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "create_module", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime",
    "clock_adjtime", "adjtimex", "stime", "sethostname", "setdomainname", "syslog", "vhangup", "iopl",
    "ioperm", "modify_ldt", "personality", "uselib", "nfsservctl", "lookup_dcookie", "name_to_handle_at",
    "open_by_handle_at", "fanotify_init", "fanotify_mark", "mknod", "mknodat",
    // kernel interfaces with a history
    "bpf", "perf_event_open", "add_key", "request_key", "keyctl", "userfaultfd", "io_uring_setup",
    "io_uring_enter", "io_uring_register", "io_setup", "io_submit", "seccomp_unotify",
    "landlock_create_ruleset", "vmsplice",
    // memory that no limit of ours counts, or that outlives the program
    "memfd_create", "memfd_secret", "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv",
    "msgctl", "semget", "semop", "semtimedop", "semctl", "mq_open", "mq_unlink"};

struct Release {
  void operator()(void* context) const { seccomp_release(context); }
};

}  // namespace

Result<std::vector<sock_filter>> submission_filter(std::uint64_t largest_mapping, bool own_pid_only) {
  const std::unique_ptr<void, Release> filter(seccomp_init(SCMP_ACT_ALLOW));
  if (!filter) return error("no system-call filter: libseccomp cannot make one for this processor");
  const auto refuse = SCMP_ACT_ERRNO(EPERM);
  int problem = 0;
  const auto keep = [&problem](int outcome) {
    if (outcome < 0 && problem == 0) problem = -outcome;
  };
  for (const char* name : kRefused) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call >= 0) keep(seccomp_rule_add(filter.get(), refuse, call, 0));
  }
  // Threads, not processes. clone3 hides its flags in
  // memory: libc falls back to clone when it does not exist.
  keep(seccomp_rule_add(filter.get(), refuse, SCMP_SYS(clone), 1,
                        SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)));
  keep(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0));
  // Limits of its own only.
  keep(seccomp_rule_add(filter.get(), refuse, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_NE, 0)));
  // Keystrokes into a terminal that is not its own.
  keep(seccomp_rule_add(filter.get(), refuse, SCMP_SYS(ioctl), 1,
                        SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, 0x5412)));
  if (own_pid_only) {
    keep(seccomp_rule_add(filter.get(), refuse, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_NE, kPidPlaceholder)));
  }
  if (largest_mapping) {
    keep(seccomp_rule_add(filter.get(), SCMP_ACT_KILL_PROCESS, SCMP_SYS(mmap), 1,
                          SCMP_A1(SCMP_CMP_GT, largest_mapping)));
    keep(seccomp_rule_add(filter.get(), SCMP_ACT_KILL_PROCESS, SCMP_SYS(mremap), 1,
                          SCMP_A2(SCMP_CMP_GT, largest_mapping)));
  }
  const UniqueFd file(::memfd_create("filter", MFD_CLOEXEC));
  if (problem == 0 && file) problem = -seccomp_export_bpf(filter.get(), file.get());
  const off_t bytes = file ? ::lseek(file.get(), 0, SEEK_END) : -1;
  if (problem != 0 || bytes <= 0) {
    return error(std::string("no system-call filter: ") + std::strerror(problem ? problem : errno));
  }
  std::vector<sock_filter> program(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
  if (::pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes) {
    return error(std::string("no system-call filter: ") + std::strerror(errno));
  }
  return program;
}

void fill_pid(std::vector<sock_filter>& filter, std::uint32_t pid) {
  for (auto& instruction : filter) {
    if (instruction.k == kPidPlaceholder) instruction.k = pid;
  }
}

}  // namespace cudalabs
