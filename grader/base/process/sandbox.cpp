#include "grader/base/process/sandbox.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <linux/seccomp.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "grader/base/fd.h"
#include "grader/base/paths.h"
#include "grader/base/process/landlock.h"
#include "grader/base/process/seccomp.h"
#include "grader/diagnostics/messages/base.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgramInside = "/program";
constexpr const char* kWorkInside = "/submission";
constexpr unsigned kNobody = 65534;

// Passes the command a descriptor for its start, and returns its number in the child.
int bring(Command& command, std::shared_ptr<UniqueFd> fd) {
  int number = 3;
  for (const auto& other : command.fds) number = std::max(number, other.theirs + 1);
  command.fds.push_back({fd->get(), number});
  command.owned.push_back(std::move(fd));
  return number;
}

Result<std::vector<sock_filter>> filter_for(const SandboxSpec& spec, bool own_pid_only) {
  return spec.untrusted_program ? submission_filter(spec.largest_mapping, own_pid_only) : compiler_filter();
}

// --- bubblewrap

fs::path find_bubblewrap() {
  for (const char* path : {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"}) {
    if (::access(path, X_OK) == 0) return path;
  }
  return {};
}

// The filter in bwrap's form: a descriptor to read it from.
Result<std::shared_ptr<UniqueFd>> filter_file(const std::vector<sock_filter>& filter) {
  auto file = std::make_shared<UniqueFd>(::memfd_create("filter", MFD_CLOEXEC));
  const auto bytes = static_cast<ssize_t>(filter.size() * sizeof(sock_filter));
  if (!*file || ::write(file->get(), filter.data(), static_cast<std::size_t>(bytes)) != bytes ||
      ::lseek(file->get(), 0, SEEK_SET) != 0) {
    return error(msg::syscall_filter_not_passed_on(std::strerror(errno)));
  }
  return file;
}

Result<Command> in_bubblewrap(Command command, const SandboxSpec& spec) {
  const fs::path bubblewrap = find_bubblewrap();
  if (bubblewrap.empty()) return error(msg::no_bubblewrap());
  std::vector<std::string> argv{bubblewrap.string(),
                                "--unshare-all",
                                "--unshare-user",
                                "--die-with-parent",
                                "--new-session",
                                "--cap-drop",
                                "ALL",
                                "--uid",
                                std::to_string(kNobody),
                                "--gid",
                                std::to_string(kNobody),
                                "--hostname",
                                "sandbox"};
  const auto add = [&argv](std::initializer_list<std::string> words) { argv.insert(argv.end(), words); };
  // Our own mounts come first: a path of the caller may lie below them.
  add({"--size", std::to_string(spec.tmp_bytes), "--tmpfs", "/tmp", "--dir", "/dev"});
  for (const auto& path : spec.read_only) {
    std::error_code problem;
    if (fs::is_symlink(fs::symlink_status(path, problem))) {
      add({"--symlink", fs::read_symlink(path, problem).string(), path.string()});
    } else if (fs::exists(path, problem)) {
      add({"--ro-bind", path.string(), path.string()});
    }
  }
  for (const auto& hidden : spec.hidden) {
    std::error_code problem;
    const fs::path real = fs::canonical(hidden, problem);
    if (problem) continue;
    const bool shown = std::any_of(spec.read_only.begin(), spec.read_only.end(),
                                   [&](const fs::path& folder) { return is_below(real, folder); });
    if (shown) add({"--tmpfs", real.string(), "--remount-ro", real.string()});
  }
  command.limits.tmp_bytes = spec.tmp_bytes;  // these bound the file system's memory, which bubblewrap cannot
  command.limits.tmp_files = spec.tmp_files;
  if (spec.work.empty()) {
    add({"--chdir", "/tmp"});
  } else {
    add({"--dev-bind", "/dev/null", "/dev/null", "--bind", spec.work.string(), kWorkInside, "--chdir",
         kWorkInside});
  }
  auto filter = filter_for(spec, false);
  if (!filter) return filter.problem();
  auto file = filter_file(*filter);
  if (!file) return file.problem();
  add({"--seccomp", std::to_string(bring(command, std::move(*file)))});
  if (spec.untrusted_program) {
    add({"--ro-bind", command.argv[0], kProgramInside});
    command.argv[0] = kProgramInside;
  }
  add({"--remount-ro", "/"});  // the empty root itself is a tmpfs without a bound
  argv.emplace_back("--");
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  command.argv = std::move(argv);
  command.cwd = "/";
  command.wrapped = true;
  if (command.limits.tasks) command.limits.tasks += 2;  // bwrap itself, outside and inside
  return command;
}

// --- Landlock, and no sandbox at all

// Everything below runs between fork and exec.
int give_up_privileges(bool untrusted) {
  if (untrusted && ::geteuid() == 0) {
    // A container's root may not be able to change its user; then only Landlock and the filter protect.
    for (const long outcome :
         {::syscall(SYS_setgroups, 0, nullptr), ::syscall(SYS_setresgid, kNobody, kNobody, kNobody),
          ::syscall(SYS_setresuid, kNobody, kNobody, kNobody)}) {
      if (outcome != 0 && errno != EPERM && errno != EINVAL) return errno;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // changing the user has cleared it
  }
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

int install_filter(std::vector<sock_filter>& filter) {
  fill_pid(filter, static_cast<std::uint32_t>(::getpid()));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

Result<std::shared_ptr<UniqueFd>> make_ruleset(const Command& command, const SandboxSpec& spec) {
  for (const auto& hidden : spec.hidden) {
    std::error_code problem;
    const fs::path real = fs::weakly_canonical(hidden, problem);
    for (const auto& folder : spec.read_only) {
      if (is_below(real, folder)) {
        return error(msg::hidden_folder_inside(real.string(), folder.string()), msg::keep_course_outside());
      }
    }
  }
  std::vector<LandlockRule> rules;
  for (const auto& path : spec.read_only) rules.push_back({path, LandlockRights::ReadAndRun});
  if (spec.untrusted_program) rules.push_back({command.argv[0], LandlockRights::ReadAndRun});
  if (!spec.work.empty()) {
    rules.push_back({spec.work, LandlockRights::All});
    rules.push_back({"/dev/null", LandlockRights::ReadAndWrite});
  }
  auto ruleset = landlock_ruleset(rules);
  if (!ruleset) return ruleset.problem();
  return std::make_shared<UniqueFd>(std::move(*ruleset));
}

// Applies Landlock if `ruleset` is set, and always the filter.
Result<Command> restricted(Command command, const SandboxSpec& spec, std::shared_ptr<UniqueFd> ruleset) {
  auto filter = filter_for(spec, true);
  if (!filter) return filter.problem();
  if (spec.untrusted_program) {
    // By descriptor: the path may not be accessible to the user that the child becomes.
    auto program = std::make_shared<UniqueFd>(::open(command.argv[0].c_str(), O_PATH | O_CLOEXEC));
    if (!*program) return error(msg::program_does_not_open(command.argv[0], std::strerror(errno)));
    command.exec_fd = bring(command, std::move(program));
    command.argv[0] = kProgramInside;
    command.cwd = "/";
  }
  if (!spec.work.empty()) command.cwd = spec.work;
  const int rules = ruleset ? bring(command, std::move(ruleset)) : -1;
  command.before_exec = [rules, program = command.exec_fd, filter = std::move(*filter),
                         untrusted = spec.untrusted_program]() mutable {
    for (const int ours : {rules, program}) ::fcntl(ours, F_SETFD, FD_CLOEXEC);
    if (const int problem = give_up_privileges(untrusted)) return problem;
    if (const int problem = rules >= 0 ? landlock_restrict_self(rules) : 0) return problem;
    return install_filter(filter);
  };
  return command;
}

Result<Command> in_landlock(Command command, const SandboxSpec& spec) {
  auto ruleset = make_ruleset(command, spec);
  if (!ruleset) return ruleset.problem();
  return restricted(std::move(command), spec, std::move(*ruleset));
}

// --- which sandbox works

bool works(SandboxKind kind) {
  SandboxSpec spec;
  spec.read_only = {"/usr", "/bin", "/lib", "/lib64"};
  spec.untrusted_program = true;  // the filter has to work too
  Command command;
  command.argv = {"/bin/true"};
  command.limits.wall = std::chrono::seconds(10);
  // Try more than once: a chance failure of the machine must not weaken the sandbox.
  constexpr int kTries = 3;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    auto inside = sandboxed(command, spec, kind);
    if (!inside) return false;
    const auto end = run(std::move(*inside));
    if (end && end->success()) return true;
    if (end && end->exited) return false;  // it does not work
  }
  return false;
}

SandboxKind strongest() {
  const auto asked = sandbox_asked();
  const SandboxKind most = asked ? *asked : SandboxKind::Bubblewrap;
  for (const SandboxKind candidate : {SandboxKind::Bubblewrap, SandboxKind::Landlock})
    if (candidate >= most && works(candidate)) return candidate;
  return SandboxKind::LimitsOnly;
}

}  // namespace

std::string_view spelling(SandboxKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"bubblewrap", "landlock", "limits only"};
  return kNames[static_cast<std::size_t>(kind)];
}

Result<SandboxKind> sandbox_asked() {
  const char* const asked = std::getenv("CUDA_LABS_SANDBOX");
  const std::string_view name = asked ? asked : "";
  if (name.empty() || name == "bubblewrap") return SandboxKind::Bubblewrap;
  if (name == "landlock") return SandboxKind::Landlock;
  if (name == "limits") return SandboxKind::LimitsOnly;
  return error(msg::unknown_sandbox(name), msg::possible_sandboxes());
}

SandboxKind usable_sandbox() {
  static const SandboxKind kind = strongest();
  return kind;
}

fs::path work_path_inside(SandboxKind kind, const SandboxSpec& spec) {
  return kind == SandboxKind::Bubblewrap ? fs::path(kWorkInside) : spec.work;
}

Result<Command> sandboxed(Command command, const SandboxSpec& spec, SandboxKind kind) {
  if (spec.untrusted_program && ::access(command.argv[0].c_str(), R_OK | X_OK) != 0) {
    return error(msg::program_does_not_run(command.argv[0], std::strerror(errno)));
  }
  switch (kind) {
    case SandboxKind::Bubblewrap: return in_bubblewrap(std::move(command), spec);
    case SandboxKind::Landlock: return in_landlock(std::move(command), spec);
    case SandboxKind::LimitsOnly: break;
  }
  return restricted(std::move(command), spec, nullptr);
}

}  // namespace cudalabs
