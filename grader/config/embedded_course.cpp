#include "grader/config/embedded_course.h"

#include <stdlib.h>  // NOLINT: mkdtemp is POSIX
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "grader/config/cache.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

/// An unpacked course is complete, because it appears by one rename, but somebody may have edited or half
/// deleted it since; comparing a few megabytes is cheaper than grading by the wrong rules.
bool intact(const fs::path& folder) {
  for (const EmbeddedFile& file : embedded_course()) {
    const auto bytes = read_file(folder / file.path, file.bytes.size());
    if (!bytes || *bytes != file.bytes) return false;
  }
  return true;
}

Result<void> unpack_into(const fs::path& folder) {
  for (const EmbeddedFile& file : embedded_course()) {
    const fs::path path = folder / file.path;
    if (auto made = make_private_folder(path.parent_path()); !made) return made;
    if (auto written = write_file_atomically(path, file.bytes); !written) return written;
  }
  return {};
}

}  // namespace

Result<fs::path> unpack_embedded_course() {
  const auto cache = cache_folder();
  if (!cache) return cache.problem();
  const fs::path folder = *cache / ("course-" + std::string(embedded_course_hash()));
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder, ignored))) {
    if (auto safe = make_private_folder(folder); !safe) return safe.problem();
    if (intact(folder)) return folder;
  }

  std::string temporary = folder.string() + ".XXXXXX";
  if (::mkdtemp(temporary.data()) == nullptr) {
    return error("cannot unpack the course into '" + cache->string() + "': " + std::strerror(errno));
  }
  auto unpacked = unpack_into(temporary);
  if (unpacked && std::rename(temporary.c_str(), folder.c_str()) != 0) {
    // Either another grader was first, and its copy is as good as ours, or what is there is damaged.
    if (!intact(folder)) {
      fs::remove_all(folder, ignored);
      if (std::rename(temporary.c_str(), folder.c_str()) != 0) {
        unpacked = error("cannot put the course at '" + folder.string() + "': " + std::strerror(errno));
      }
    }
  }
  fs::remove_all(temporary, ignored);
  if (!unpacked) return unpacked.problem();
  return folder;
}

Result<fs::path> runtime_folder() {
  auto folder = unpack_embedded_course();
  if (!folder) return folder.problem();
  return *folder / "lib";
}

}  // namespace cudalabs
