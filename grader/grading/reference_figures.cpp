#include "grader/grading/reference_figures.h"

#include <map>

#include "grader/base/hash/sha256.h"
#include "grader/base/text.h"
#include "grader/course/cache.h"
#include "grader/course/embedded_course.h"
#include "grader/course/lab_files.h"
#include "grader/device/protocol/control.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/grading/cached_run.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMaxFile = std::size_t{64} << 20;

}  // namespace

Result<KeptFigures> KeptFigures::open(const std::string& source, const Lab& lab,
                                      const sim::DeviceProfile& profile) {
  auto folder = default_build_cache();
  if (!folder) return folder.problem();
  auto cache = BuildCache::open(*folder);
  if (!cache) return cache.problem();
  const auto rules = read_file(lab.config_file, kMaxFile);
  if (!rules) return rules.problem();
  const auto oracle = read_file(lab.oracle, kMaxFile);
  if (!oracle) return oracle.problem();
  return KeptFigures(std::move(*cache), Sha256()
                                            .add_part(this_binary())
                                            .add_part(source)
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

namespace {

constexpr std::string_view kEnding = ".figures";

/// Names this build's layout of figures: our library holds the protocol that writes them.
std::string layout() { return std::string(embedded_course_hash()); }

std::string key_of(const NamedProfile& profile) {
  return Sha256().add_part(protocol::packed(profile.numbers)).hex();
}

/// Keeps what a comparison with the reference shows: no line and no name of it.
void drop_source(ReferenceFigures& figures) {
  for (LaunchRecord& launch : figures.launches) {
    launch.kernel = launch.kernel_full = "";
    launch.lines.clear();
    launch.accesses.clear();
    launch.line_times.clear();
    launch.shared_layouts.clear();
    launch.repeated_loads = {};
  }
}

std::optional<GivenFigures> read_versions(std::string_view bytes, const NamedProfile& profile) {
  protocol::Reader reader(std::as_bytes(std::span(bytes)));
  std::string made_by, made_for;
  std::uint64_t count = 0;
  reader(made_by, made_for);
  if (made_by != layout() || made_for != key_of(profile)) return std::nullopt;
  reader(count);
  GivenFigures versions;
  for (std::uint64_t k = 0; k < count; ++k) {
    bool timed = false;
    reader(timed);
    ReferenceFigures figures;
    if (timed) reader(figures.launches, figures.copies_ns);
    versions.push_back(timed ? std::optional(std::move(figures)) : std::nullopt);
  }
  return reader.finished() ? std::optional(std::move(versions)) : std::nullopt;
}

}  // namespace

std::string figures_file(const NamedProfile& profile, const std::string& compiler) {
  return profile.name + "." + compiler + std::string(kEnding);
}

std::string write_figures(GivenFigures versions, const NamedProfile& profile) {
  std::string bytes = protocol::packed(layout(), key_of(profile), std::uint64_t{versions.size()});
  for (auto& version : versions) {
    bytes += protocol::packed(bool{version.has_value()});
    if (!version) continue;
    drop_source(*version);
    bytes += protocol::packed(std::move(version->launches), version->copies_ns);
  }
  return bytes;
}

namespace {

/// The compilers of the figures in the edition, by profile.
std::map<std::string, std::vector<std::string>> compilers_by_profile(const Lab& lab) {
  std::map<std::string, std::vector<std::string>> found;
  for (const std::filesystem::path& file : files_in(lab.figures, std::string(kEnding))) {
    const std::string name = file.stem().string();
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos)
      found[name.substr(0, dot)].push_back(name.substr(dot + 1));
  }
  return found;
}

}  // namespace

Result<void> check_figures(const Lab& lab, const NamedProfile& profile) {
  const auto known = compilers_by_profile(lab);
  if (known.contains(profile.name)) return {};
  std::vector<std::string> names;
  for (const auto& [name, compilers] : known) names.push_back(name);
  return error(msg::no_figures_for_profile(lab.slug, profile.name),
               msg::profiles_with_figures(listed(names)));
}

Result<GivenFigures> given_figures(const Lab& lab, const NamedProfile& profile, const std::string& compiler) {
  if (auto known = check_figures(lab, profile); !known) return known.problem();
  const std::filesystem::path file = lab.figures / figures_file(profile, compiler);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return error(msg::no_figures_for_compiler(lab.slug, compiler),
                 msg::compilers_with_figures(listed(compilers_by_profile(lab).at(profile.name))));
  const auto bytes = read_file(file, kMaxFile);
  if (!bytes) return bytes.problem();
  auto versions = read_versions(*bytes, profile);
  if (!versions || versions->size() != lab.versions.size())
    return error(msg::figures_of_another_build(lab.slug), msg::take_grader_of_edition());
  return *std::move(versions);
}

}  // namespace cudalabs
