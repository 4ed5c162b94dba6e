#pragma once

namespace cudalabs {

/// Large arrays that were freed stay with the process, for the next ones: glibc gives each back to the
/// kernel, which then clears every page of the next anew. For processes that make test case after test case;
/// not for those whose memory is limited.
void keep_freed_memory();

}  // namespace cudalabs
