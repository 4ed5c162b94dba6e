#pragma once

namespace cudalabs {

/// Large arrays that were freed stay with the process, for the next ones, up to so many MiB: glibc gives each
/// back to the kernel, which then clears every page of the next anew. For processes that make test case after
/// test case, or run launch after launch.
void keep_freed_memory(int mebibytes);

}  // namespace cudalabs
