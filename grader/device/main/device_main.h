#pragma once

namespace cudalabs {

/// The body of `grader __device`: serves control and clients
/// until the control socket closes. Returns the exit status.
int device_process_main(int control_fd);

}  // namespace cudalabs
