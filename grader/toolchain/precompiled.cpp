#include "grader/toolchain/precompiled.h"

#include <chrono>
#include <vector>

#include "grader/base/hash/sha256.h"
#include "grader/base/process/process.h"
#include "grader/course/cache.h"
#include "grader/toolchain/build_sandbox.h"
#include "grader/toolchain/options/cuda_compiler.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 64;  // every other file has some megabytes
constexpr std::size_t kMaxBytes = std::size_t{128} << 20;
constexpr std::size_t kDigestBytes = 16;

/// Instantiates templates once, here, and not again in each file that uses the header: half of a file's cost.
const std::vector<std::string> kMaking{"-Xclang", "-emit-pch", "-Xclang", "-fpch-instantiate-templates",
                                       kWithoutSpecialFunctions};

/// Removes the oldest files.
void prune(const fs::path& folder) {
  auto files = by_age(folder);
  if (files.size() <= kMaxFiles) return;
  files.resize(files.size() - kMaxFiles);
  std::error_code problem;
  for (const auto& [when, path] : files) fs::remove(path, problem);
}

}  // namespace

Result<Precompiled> Precompiled::open(const fs::path& clang, const std::string& version,
                                      const fs::path& headers) {
  auto cache = cache_folder();
  if (!cache) return cache.problem();
  const fs::path folder = *cache / "precompiled";
  if (auto made = make_private_folder(folder); !made) return made.problem();
  std::error_code ignored;
  Sha256 hash;
  hash.add_part(clang.string())
      .add_part(version)
      .add_part(std::to_string(fs::file_size(clang, ignored)))
      .add_part(std::to_string(fs::last_write_time(clang, ignored).time_since_epoch().count()))
      .add_part(headers.string());  // its name contains the hash of its contents
  for (const Half half : {Half::Device, Half::Host}) {
    for (const auto& flag : clang_flags(half, version)) hash.add_part(flag);
  }
  for (const auto& flag : kMaking) hash.add_part(flag);
  return Precompiled(clang, version, headers, folder, hash.hex());
}

fs::path Precompiled::file(Half half, const std::string& standard) const {
  return folder_ / (key_ + (half == Half::Device ? "-device" : "-host") + standard);
}

std::optional<fs::path> Precompiled::header(Half half, const std::string& standard) const {
  const fs::path wanted = file(half, standard);
  // Making a header costs as much as reading its sources, so it pays from the second file on. The first
  // compilation leaves this file; the process that makes the header writes the header's digest into it.
  const fs::path asked_before = wanted.string() + "-wanted";
  const auto digest = read_file(asked_before, kDigestBytes);
  if (!digest) {
    (void)write_file_atomically(asked_before, "");
    return std::nullopt;
  }
  // clang crashes on a damaged header, or reads other declarations than were written.
  if (const auto found = damage_digest_of(wanted); found && *found == *digest) return wanted;
  if (*hopeless_) return std::nullopt;
  const auto folder = TemporaryFolder::make();
  if (!folder) return std::nullopt;
  const fs::path fresh = (*folder)->path() / "header";
  Command command;
  command.argv = {clang_.string()};
  const auto add = [&command](const std::vector<std::string>& more) {
    command.argv.insert(command.argv.end(), more.begin(), more.end());
  };
  add(clang_flags(half, version_));
  command.argv.push_back(standard);
  add(kMaking);
  add({"-isystem", headers_.string(), half == Half::Device ? "-S" : "-c", (headers_ / kPrefix).string(), "-o",
       fresh.string()});
  command.env = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + (*folder)->path().string()};
  command.cwd = "/";
  command.limits.wall = std::chrono::seconds(30);  // it takes two
  const auto end = run(std::move(command));
  if (!end || !end->success()) {
    *hopeless_ = true;
    return std::nullopt;
  }
  const auto bytes = read_file(fresh, kMaxBytes);
  if (!bytes || !write_file_atomically(asked_before, damage_digest(*bytes)) ||
      !write_file_atomically(wanted, *bytes))
    return std::nullopt;
  prune(folder_);
  return wanted;
}

bool Precompiled::refused(std::string_view said) {
  return said.find("PCH file") != std::string_view::npos ||
         said.find("precompiled header") != std::string_view::npos ||
         said.find("AST file") != std::string_view::npos;
}

void Precompiled::forget(Half half, const std::string& standard) const {
  std::error_code ignored;
  fs::remove(file(half, standard), ignored);
}

}  // namespace cudalabs
