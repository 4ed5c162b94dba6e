// Checks the filters' decisions without a kernel, by interpreting them as the kernel would. This also tests
// the filters of an emulated architecture, where they cannot be installed.
#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <vector>

#include "grader/base/process/seccomp.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

using Filter = std::vector<sock_filter>;

#ifdef __aarch64__
constexpr std::uint32_t kHere = AUDIT_ARCH_AARCH64, kElsewhere = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kHere = AUDIT_ARCH_X86_64, kElsewhere = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint32_t kAllowed = SECCOMP_RET_ALLOW, kKilled = SECCOMP_RET_KILL_PROCESS,
                        kRefused = SECCOMP_RET_ERRNO | EPERM, kUnknown = SECCOMP_RET_ERRNO | ENOSYS;

bool jumps(const sock_filter& at, std::uint32_t value) {
  switch (BPF_OP(at.code)) {
    case BPF_JEQ: return value == at.k;
    case BPF_JGT: return value > at.k;
    case BPF_JGE: return value >= at.k;
    case BPF_JSET: return (value & at.k) != 0;
    default: throw std::runtime_error("a jump that is not known here");
  }
}

/// The decision of `filter` for a call; an unsigned number for each word of an argument.
std::uint32_t answer(const Filter& filter, long call, std::initializer_list<std::uint64_t> arguments = {},
                     std::uint32_t architecture = kHere) {
  seccomp_data data{static_cast<int>(call), architecture, 0, {}};
  std::copy(arguments.begin(), arguments.end(), data.args);
  std::uint32_t value = 0;
  for (std::size_t pc = 0; pc < filter.size(); ++pc) {
    const sock_filter& at = filter[pc];
    switch (at.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        REQUIRE(at.k + sizeof value <= sizeof data);
        std::memcpy(&value, reinterpret_cast<const char*>(&data) + at.k, sizeof value);
        break;
      case BPF_ALU | BPF_AND | BPF_K: value &= at.k; break;
      case BPF_RET | BPF_K: return at.k;
      case BPF_JMP | BPF_JA | BPF_K: pc += at.k; break;
      default:
        REQUIRE((BPF_CLASS(at.code) == BPF_JMP && BPF_SRC(at.code) == BPF_K));
        pc += jumps(at, value) ? at.jt : at.jf;
    }
  }
  throw std::runtime_error("a filter without an end");
}

/// For a kernel of Linux 4.14 or newer, independent of the running one.
template <class Maker, class... Arguments>
Filter made(Maker maker, Arguments... arguments) {
  REQUIRE(seccomp_api_set(3) == 0);
  auto filter = maker(arguments...);
  REQUIRE(filter.ok());
  return std::move(*filter);
}

void all(const Filter& filter, std::uint32_t expected, std::initializer_list<long> calls) {
  for (const long call : calls) {
    INFO("call " << call);
    CHECK(answer(filter, call) == expected);
  }
}

constexpr std::uint64_t kLargest = 1 << 30, kHighBits = std::uint64_t{1} << 32;
constexpr std::uint64_t kThread =
    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;

}  // namespace

TEST_CASE("filters: what a submission asks for") {
  Filter filter = made(submission_filter, kLargest, true);
  fill_pid(filter, 1234);
  all(filter, kAllowed,
      {SYS_read,         SYS_write,        SYS_openat,          SYS_close, SYS_newfstatat,      SYS_munmap,
       SYS_mprotect,     SYS_brk,          SYS_futex,           SYS_ppoll, SYS_sendmsg,         SYS_recvmsg,
       SYS_execve,       SYS_exit_group,   SYS_set_robust_list, SYS_rseq,  SYS_clock_nanosleep, SYS_getrandom,
       SYS_rt_sigaction, SYS_rt_sigreturn, SYS_set_tid_address});
  // libc uses no other calls for these on any architecture.
  all(filter, kRefused, {SYS_ptrace,          SYS_process_vm_readv, SYS_pidfd_open,   SYS_socket,
                         SYS_socketpair,      SYS_connect,          SYS_unshare,      SYS_setns,
                         SYS_mount,           SYS_chroot,           SYS_mknodat,      SYS_bpf,
                         SYS_perf_event_open, SYS_keyctl,           SYS_userfaultfd,  SYS_io_uring_setup,
                         SYS_fchmod,          SYS_fchmodat,         SYS_fchown,       SYS_fchownat,
                         SYS_utimensat,       SYS_setxattr,         SYS_memfd_create, SYS_shmget,
                         SYS_msgget,          SYS_semget,           SYS_mq_open,      SYS_kill,
                         SYS_tkill,           SYS_setsid,           SYS_setpgid,      SYS_sched_setaffinity});
#ifdef SYS_fork
  all(filter, kRefused, {SYS_fork, SYS_vfork, SYS_truncate, SYS_chmod, SYS_chown, SYS_utime, SYS_mknod});
#endif
  all(filter, kUnknown, {SYS_clone3, 452 /* fchmodat2 */, 463 /* setxattrat */, 511});
  CHECK(answer(filter, SYS_clone, {SIGCHLD}) == kRefused);
  CHECK(answer(filter, SYS_clone, {CLONE_VM | CLONE_VFORK | SIGCHLD}) == kRefused);
  CHECK(answer(filter, SYS_clone, {kThread}) == kAllowed);
  CHECK(answer(filter, SYS_tgkill, {1234, 1235, SIGTERM}) == kAllowed);
  CHECK(answer(filter, SYS_tgkill, {1, 1, SIGTERM}) == kRefused);
  CHECK(answer(filter, SYS_mmap, {0, kLargest}) == kAllowed);
  CHECK(answer(filter, SYS_mmap, {0, kLargest + 1}) == kKilled);
  CHECK(answer(filter, SYS_mremap, {0, 4096, kLargest * 5}) == kKilled);
  CHECK(answer(filter, SYS_prlimit64, {0, 0}) == kAllowed);
  CHECK(answer(filter, SYS_prlimit64, {1, 0}) == kRefused);
  CHECK(answer(filter, SYS_fcntl, {3, F_GETFL}) == kAllowed);
  CHECK(answer(filter, SYS_fcntl, {3, F_SETLK}) == kRefused);
  CHECK(answer(filter, SYS_fcntl, {3, kHighBits | F_SETSIG}) == kRefused);
  for (const std::uint64_t request : {TCGETS, FIONREAD, FIONBIO, FIOCLEX, TIOCGWINSZ})
    CHECK(answer(filter, SYS_ioctl, {0, request}) == kAllowed);
  CHECK(answer(filter, SYS_ioctl, {0, kHighBits | FIOASYNC}) == kRefused);
  // A socket's ioctls affect the network in which it was created, which is the grader's.
  for (const std::uint64_t request : {SIOCGIFCONF, SIOCGIFHWADDR, SIOCSIFFLAGS, 0x9400 /* of file systems */})
    CHECK(answer(filter, SYS_ioctl, {0, request}) == kRefused);
  for (unsigned bit = 8; bit < 32; ++bit)
    CHECK(answer(filter, SYS_ioctl, {0, TCGETS ^ (1U << bit)}) == kRefused);
  all(filter, kRefused,
      {SYS_getsockopt, SYS_setsockopt, SYS_inotify_init1, SYS_inotify_add_watch, SYS_getxattr, SYS_llistxattr,
       SYS_readlinkat});
  for (const std::uint64_t control : {PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_PTRACER, PR_SET_MM})
    CHECK(answer(filter, SYS_prctl, {kHighBits | control}) == kRefused);
  CHECK(answer(filter, SYS_prctl, {PR_SET_NAME}) == kAllowed);
}

TEST_CASE("filters: what a compiler asks for") {
  const Filter filter = made(compiler_filter);
  all(filter, kAllowed,
      {SYS_clone, SYS_clone3, SYS_execve, SYS_wait4, SYS_pipe2, SYS_openat, SYS_unlinkat, SYS_renameat2,
       SYS_kill, SYS_mmap});
  all(filter, kRefused, {SYS_socket, SYS_ptrace, SYS_mount, SYS_fchmodat, SYS_memfd_create});
}

TEST_CASE("filters: what a device process asks for") {
  const Filter filter = made(device_filter);
  all(filter, kAllowed,
      {SYS_read,
       SYS_write,
       SYS_sendmsg,
       SYS_recvmsg,
       SYS_ppoll,
       SYS_close,
       SYS_pread64,
       SYS_munmap,
       SYS_mremap,
       SYS_madvise,
       SYS_brk,
       SYS_memfd_create,
       SYS_ftruncate,
       SYS_futex,
       SYS_set_robust_list,
       SYS_rseq,
       SYS_exit,
       SYS_exit_group,
       SYS_gettid,
       SYS_getpid,
       SYS_sched_yield,
       SYS_sched_getaffinity,
       SYS_clock_gettime,
       SYS_clock_nanosleep,
       SYS_getrandom,
       SYS_rt_sigaction,
       SYS_rt_sigprocmask,
       SYS_rt_sigreturn});
  all(filter, kRefused,
      {SYS_openat, SYS_newfstatat, SYS_readlinkat, SYS_faccessat, SYS_unlinkat, SYS_socket, SYS_connect,
       SYS_execve, SYS_execveat, SYS_ptrace, SYS_kill, SYS_ioctl, SYS_unshare, SYS_io_uring_setup,
       SYS_setuid});
  CHECK(answer(filter, SYS_clone3) == kUnknown);
  CHECK(answer(filter, SYS_clone, {SIGCHLD}) == kRefused);
  CHECK(answer(filter, SYS_clone, {kThread}) == kAllowed);
  CHECK(answer(filter, SYS_mmap, {0, 4096, PROT_READ | PROT_WRITE}) == kAllowed);
  CHECK(answer(filter, SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC}) == kRefused);
  CHECK(answer(filter, SYS_mprotect, {0, 4096, PROT_EXEC}) == kRefused);
  CHECK(answer(filter, SYS_fcntl, {0, F_ADD_SEALS}) == kAllowed);
  CHECK(answer(filter, SYS_fcntl, {0, F_SETOWN}) == kRefused);
  CHECK(answer(filter, SYS_prctl, {PR_SET_NAME}) == kAllowed);
  CHECK(answer(filter, SYS_prctl, {PR_SET_DUMPABLE, 1}) == kRefused);
}

TEST_CASE("filters: what the driver of a card asks for") {
  const Filter filter = made(driver_filter);
  all(filter, kAllowed,
      {SYS_openat, SYS_newfstatat, SYS_readlinkat, SYS_ioctl, SYS_mmap, SYS_mprotect, SYS_memfd_create,
       SYS_futex, SYS_sendmsg, SYS_recvmsg, SYS_ppoll, SYS_eventfd2, SYS_sched_getaffinity, SYS_madvise});
  all(filter, kRefused,
      {SYS_execve, SYS_execveat, SYS_socket, SYS_connect, SYS_bind, SYS_kill, SYS_tkill, SYS_ptrace,
       SYS_process_vm_readv, SYS_pidfd_open, SYS_unshare, SYS_mount, SYS_bpf, SYS_io_uring_setup, SYS_fchmod,
       SYS_fchownat, SYS_utimensat, SYS_shmget, SYS_mq_open});
  CHECK(answer(filter, SYS_clone3) == kUnknown);
  CHECK(answer(filter, SYS_clone, {SIGCHLD}) == kRefused);
  CHECK(answer(filter, SYS_clone, {kThread}) == kAllowed);
  const auto self = static_cast<std::uint64_t>(::getpid());
  CHECK(answer(filter, SYS_tgkill, {self, self, SIGABRT}) == kAllowed);
  CHECK(answer(filter, SYS_tgkill, {1, 1, SIGTERM}) == kRefused);
  CHECK(answer(filter, SYS_ioctl, {0, TIOCSTI}) == kRefused);
  CHECK(answer(filter, SYS_fcntl, {0, F_SETOWN}) == kRefused);
}

TEST_CASE("filters: the numbers of another architecture are no way around them") {
  const std::initializer_list<std::uint64_t> none{};
  for (const Filter& filter : {made(submission_filter, kLargest, false), made(compiler_filter),
                               made(device_filter), made(driver_filter)}) {
    CHECK(answer(filter, SYS_read, none, kElsewhere) == kUnknown);
    CHECK(answer(filter, SYS_read, none, AUDIT_ARCH_I386) == kUnknown);
    CHECK(answer(filter, SYS_read, none, AUDIT_ARCH_ARM) == kUnknown);
#ifdef __x86_64__
    CHECK(answer(filter, 0x40000000 | SYS_read) == kUnknown);  // x32
#endif
  }
}
