#include "grader/device/main/device_main.h"

#include <fcntl.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <thread>

#include "grader/base/freed_memory.h"
#include "grader/base/process/seccomp.h"
#include "grader/device/main/bounds.h"
#include "grader/device/main/driver_files.h"
#include "grader/device/server/backends.h"
#include "grader/device/server/server.h"
#include "grader/diagnostics/messages/device.h"

namespace cudalabs {
namespace {

using Made = Result<std::unique_ptr<Device>>;

using Maker = Made (*)(const DeviceSetup&);
constexpr std::array<Maker, kDeviceKinds.size()> kMakers{
#define CUDALABS_DEVICE_KIND(kind, name, ...) make_##name##_device,
#include "grader/device/protocol/device_kinds.def"
#undef CUDALABS_DEVICE_KIND
};

/// Drops the rights that the process no longer needs, before it reads the first byte of a program.
Result<void> give_up_rights(const DeviceKindInfo& kind) {
#ifdef __SANITIZE_ADDRESS__  // LeakSanitizer uses ptrace
  static_cast<void>(kind);
  return {};
#else
  if (kind.needs_driver) return confine_to_driver();
  bound_files();
  return confine_to_memory();
#endif
}

Made make_any(DeviceSetup setup) {
  // Asked for now: the process cannot read the kernel's files later.
  if (setup.threads == 0) setup.threads = std::max(1u, std::thread::hardware_concurrency());
  if (!is_device_kind(setup.kind)) return error(msg::device_kind_unknown());
  const DeviceKindInfo& kind = info_of(setup.kind);
  if (setup.devices.empty() || setup.devices.size() > kind.max_devices)
    return error(msg::too_many_devices(setup.devices.size()));
  if (kind.needs_driver && !setup.watched_by_tool) {
    if (auto kept = keep_driver_files(); !kept) return kept.problem();
  }
  return kMakers[static_cast<std::size_t>(setup.kind)](setup);
}

Made make_device(const DeviceSetup& setup) {
  Made device = make_any(setup);
  if (!device) return device;
  // Not earlier: a device reserves far more memory than it will hold.
  if (auto bounded = bound_memory(setup.process_bytes); !bounded) return bounded.problem();
  if (!setup.watched_by_tool) {
    if (auto given_up = give_up_rights(info_of(setup.kind)); !given_up) return given_up.problem();
  }
  return device;
}

}  // namespace

int device_process_main(int control_fd) {
  // Ctrl-C reaches every process of the terminal. The grader ends us when the program cannot go on.
  std::signal(SIGINT, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  become_expendable();
  keep_freed_memory(128);
  fcntl(control_fd, F_SETFD, FD_CLOEXEC);
  return Server(control_fd, make_device).run();
}

}  // namespace cudalabs
