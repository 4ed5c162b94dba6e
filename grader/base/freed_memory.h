#pragma once

namespace cudalabs {

/// Keeps freed large arrays in the process for the next ones, up to `mebibytes` MiB. By default glibc returns
/// each to the kernel, which then clears every page of the next one. For processes that make test case after
/// test case, or run launch after launch.
void keep_freed_memory(int mebibytes);

}  // namespace cudalabs
