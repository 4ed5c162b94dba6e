#include "grader/base/process/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "grader/diagnostics/messages/base.h"

namespace cudalabs {
namespace {

// The kernel's constants. Debian 12's headers have only those of the first version.
struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;  ///< since version 4
  std::uint64_t scoped = 0;              ///< since version 6
};
struct __attribute__((packed)) PathRule {
  std::uint64_t allowed_access = 0;
  std::int32_t parent_fd = -1;
};
constexpr std::uint64_t kExecute = 1 << 0, kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadFolder = 1 << 3;
constexpr std::uint64_t kAllOfVersion1 = (1 << 13) - 1, kRefer = 1 << 13, kTruncate = 1 << 14,
                        kDeviceIoctl = 1 << 15;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDeviceIoctl;
constexpr std::uint64_t kAllOfNetwork = (1 << 2) - 1, kAbstractSockets = 1 << 0, kSignals = 1 << 1;
constexpr int kRulePathBeneath = 1;
constexpr unsigned kAskVersion = 1;

/// All access rights that this kernel's Landlock can restrict. The kernel accepts a longer struct than it
/// knows if the rest is 0.
RulesetAttributes landlock_attributes() {
  const auto version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  RulesetAttributes attributes;
  std::uint64_t& rights = attributes.handled_access_fs;
  if (version >= 1) rights |= kAllOfVersion1;
  if (version >= 2) rights |= kRefer;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kDeviceIoctl;
  if (version >= 4) attributes.handled_access_net = kAllOfNetwork;
  if (version >= 6) attributes.scoped = kAbstractSockets | kSignals;
  return attributes;
}

std::uint64_t bits(LandlockRights rights) {
  switch (rights) {
    case LandlockRights::ReadAndRun: return kExecute | kReadFile | kReadFolder;
    case LandlockRights::ReadAndWrite: return kReadFile | kWriteFile | kTruncate | kDeviceIoctl | kReadFolder;
    case LandlockRights::All: break;
  }
  return ~std::uint64_t{0};
}

Result<void> allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
  const UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place) return {};
  struct stat what {};
  ::fstat(place.get(), &what);
  if (!S_ISDIR(what.st_mode)) rights &= kOfFiles;
  const PathRule rule{rights, place.get()};
  if (::syscall(SYS_landlock_add_rule, ruleset, kRulePathBeneath, &rule, 0U) != 0) {
    return error(msg::landlock_rule_refused(path.string(), std::strerror(errno)));
  }
  return {};
}

}  // namespace

Result<UniqueFd> landlock_ruleset(std::span<const LandlockRule> rules) {
  const RulesetAttributes attributes = landlock_attributes();
  if (!attributes.handled_access_fs) return error(msg::no_landlock());
  UniqueFd ruleset(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0U)));
  if (!ruleset) return error(msg::no_landlock_ruleset(std::strerror(errno)));
  for (const auto& [path, rights] : rules) {
    auto done = allow(ruleset.get(), path, bits(rights) & attributes.handled_access_fs);
    if (!done) return done.problem();
  }
  return ruleset;
}

int landlock_restrict_self(int ruleset) {
  return ::syscall(SYS_landlock_restrict_self, ruleset, 0U) == 0 ? 0 : errno;
}

}  // namespace cudalabs
