#include "grader/device/process/main/device_main.h"

#include <fcntl.h>
#include <sys/prctl.h>

#include <csignal>

#include "grader/device/process/gpu/gpu_device.h"
#include "grader/device/process/server.h"
#include "grader/device/process/simulator/simulator_device.h"

namespace cudalabs {
namespace {

Result<std::unique_ptr<Device>> make_device(const DeviceSetup& setup) {
  switch (setup.kind) {
    case DeviceKind::Simulator: return make_simulator_device(setup);
    case DeviceKind::Gpu: return make_gpu_device(setup);
  }
  return error("the grader asked for a device that there is not");
}

}  // namespace

int device_process_main(int control_fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);  // no core files of ours, and no ptrace by a submission of the same user
  fcntl(control_fd, F_SETFD, FD_CLOEXEC);
  return Server(control_fd, make_device).run();
}

}  // namespace cudalabs
