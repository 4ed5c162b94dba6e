#include "grader/grading/reference_figures.h"

#include "grader/base/hash/sha256.h"
#include "grader/course/cache.h"
#include "grader/device/protocol/control.h"
#include "grader/grading/cached_run.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMaxFile = std::size_t{64} << 20;

}  // namespace

Result<KeptFigures> KeptFigures::open(const std::filesystem::path& reference, const Lab& lab,
                                      const sim::DeviceProfile& profile) {
  auto folder = default_build_cache();
  if (!folder) return folder.problem();
  auto cache = BuildCache::open(*folder);
  if (!cache) return cache.problem();
  const auto rules = read_file(lab.config_file, kMaxFile);
  if (!rules) return rules.problem();
  const auto oracle = read_file(lab.oracle, kMaxFile);
  if (!oracle) return oracle.problem();
  // The name of the reference's cache entry is a hash of everything that its build depends on.
  return KeptFigures(std::move(*cache), Sha256()
                                            .add_part(this_binary())
                                            .add_part(reference.parent_path().filename().string())
                                            .add_part(*rules)
                                            .add_part(*oracle)
                                            .add_part(protocol::packed(profile))
                                            .hex());
}

std::optional<ReferenceFigures> KeptFigures::find(std::size_t version) const {
  const auto bytes = cache_.find_part(key_ + "." + std::to_string(version));
  if (!bytes) return std::nullopt;
  protocol::Reader reader(std::as_bytes(std::span(*bytes)));
  ReferenceFigures figures;
  reader(figures.launches, figures.copies_ns, figures.cpu_ms);
  return reader.finished() ? std::optional(std::move(figures)) : std::nullopt;
}

void KeptFigures::keep(std::size_t version, ReferenceFigures figures) const {
  (void)cache_.keep_part(key_ + "." + std::to_string(version),
                         protocol::packed(std::move(figures.launches), figures.copies_ns, figures.cpu_ms));
}

}  // namespace cudalabs
