#include "grader/course/embedded_course.h"

#include <stdlib.h>  // NOLINT: mkdtemp is POSIX
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/base/hash/hash.h"
#include "grader/course/cache.h"
#include "grader/course/pack/carried.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

using Files = std::span<const EmbeddedFile>;

/// True iff the unpacked files are unchanged. They are complete, because one rename creates the folder, but
/// somebody may have edited or deleted some since. Comparing a few megabytes is cheaper than grading by the
/// wrong rules.
bool intact(const fs::path& folder, Files files) {
  for (const EmbeddedFile& file : files) {
    const auto bytes = read_file(folder / file.path, file.bytes.size());
    if (!bytes || *bytes != file.bytes) return false;
  }
  return true;
}

Result<void> unpack_into(const fs::path& folder, Files files) {
  for (const EmbeddedFile& file : files) {
    const fs::path path = folder / file.path;
    if (auto made = make_private_folder(path.parent_path()); !made) return made;
    if (auto written = write_file_atomically(path, file.bytes); !written) return written;
  }
  return {};
}

/// `<cache_folder()>/NAME` that contains these files.
Result<fs::path> unpacked(const std::string& name, Files files) {
  const auto cache = cache_folder();
  if (!cache) return cache.problem();
  const fs::path folder = *cache / name;
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder, ignored))) {
    if (auto safe = make_private_folder(folder); !safe) return safe.problem();
    if (intact(folder, files)) return folder;
  }

  sweep_unfinished(*cache);
  std::string temporary = folder.string() + ".XXXXXX";
  if (::mkdtemp(temporary.data()) == nullptr) {
    const int why = errno;
    return Diagnostic{{},
                      msg::not_unpacked(name, cache->string(), std::strerror(why)),
                      room_hint(why, temporary),
                      is_infrastructure_error(why)};
  }
  auto done = unpack_into(temporary, files);
  if (done && std::rename(temporary.c_str(), folder.c_str()) != 0) {
    // Either another grader was first, and its copy is as good as ours, or the existing folder is damaged.
    if (!intact(folder, files)) {
      fs::remove_all(folder, ignored);
      if (std::rename(temporary.c_str(), folder.c_str()) != 0) {
        const int why = errno;
        done = Diagnostic{
            {}, msg::not_put_at(folder.string(), std::strerror(why)), {}, is_infrastructure_error(why)};
      }
    }
  }
  fs::remove_all(temporary, ignored);
  if (!done) return done.problem();
  return folder;
}

}  // namespace

namespace {

constexpr std::string_view kLibraries = "lib/";

std::vector<EmbeddedFile> embedded(bool of_course) {
  std::vector<EmbeddedFile> files;
  std::ranges::copy_if(embedded_course(), std::back_inserter(files),
                       [&](const EmbeddedFile& file) { return is_of_course(file) == of_course; });
  return files;
}

/// Returns whether the embedded course was replaced by one behind the program.
bool is_blank() {
  return std::ranges::all_of(embedded(true), [](const EmbeddedFile& file) {
    return file.bytes.find_first_not_of('\0') == std::string_view::npos;
  });
}

}  // namespace

bool is_of_course(const EmbeddedFile& file) { return !file.path.starts_with(kLibraries); }

Result<fs::path> unpack_course(const Pack& pack) {
  std::vector<EmbeddedFile> files;
  Fnv1a contents;
  for (const PackedFile& file : pack.files) {
    files.push_back({file.path, file.bytes});
    contents.add_number(file.path.size());
    contents.add_bytes(file.path);
    contents.add_bytes(damage_digest(file.bytes));
  }
  return unpacked(fmt::format("course-{:016x}", contents.value()), files);
}

Result<fs::path> unpack_own_course() {
  const auto carried = carried_pack();
  if (!carried) return carried.problem();
  if (!*carried && is_blank()) return error(msg::grader_lost_its_course(), msg::copy_grader_whole());
  if (!*carried) return unpacked("course-" + std::string(embedded_course_hash()), embedded(true));
  const auto pack = read_pack(**carried);
  if (!pack) return pack.problem();
  return unpack_course(*pack);
}

Result<fs::path> runtime_folder() {
  auto folder = unpacked("runtime-" + std::string(embedded_course_hash()), embedded(false));
  if (!folder) return folder.problem();
  return *folder / "lib";
}

Result<fs::path> cuda_headers_folder() {
  return unpacked("cuda-" + std::string(embedded_cuda_headers_hash()), embedded_cuda_headers());
}

}  // namespace cudalabs
