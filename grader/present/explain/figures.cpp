#include "grader/present/explain/figures.h"

#include <algorithm>
#include <utility>

namespace cudalabs::explain {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Heat heat(double value, double mild, double high, double severe) {
  if (value >= severe) return Heat::Severe;
  if (value >= high) return Heat::High;
  return value >= mild ? Heat::Mild : Heat::None;
}

Heat above_ideal(double value, double ideal) {
  return ideal > 0 ? heat(value / ideal, 1.25, 2, 4) : Heat::None;
}

/// "<32>" of "tile_kernel<32>"; "" for a plain kernel.
std::string template_arguments(const std::string& kernel) {
  if (kernel.empty() || kernel.back() != '>') return {};
  int depth = 0;
  for (std::size_t i = kernel.size(); i-- > 0;) {
    if (kernel[i] == '>') ++depth;
    if (kernel[i] == '<' && --depth == 0) return kernel.substr(i);
  }
  return {};
}

/// Bytes between neighbouring lanes, added over the lanes.
std::uint64_t spread(const sim::SharedExample& access) {
  std::uint64_t sum = 0;
  const std::uint32_t* before = nullptr;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    const std::uint32_t& here = access.offsets[lane];
    if (before != nullptr) sum += here > *before ? here - *before : *before - here;
    before = &here;
  }
  return sum;
}

bool worse(const sim::SharedExample& a, const sim::SharedExample& b) {
  return std::pair(a.degree, spread(a)) > std::pair(b.degree, spread(b));
}

void add_shape(KernelFigures& kernel, const LaunchRecord& launch) {
  const std::uint32_t shared = launch.static_shared_bytes + launch.dynamic_shared_bytes;
  auto shape = std::find_if(kernel.shapes.begin(), kernel.shapes.end(), [&](const LaunchShape& s) {
    return s.grid == launch.grid && s.block == launch.block && s.shared_bytes == shared;
  });
  if (shape == kernel.shapes.end())
    shape = kernel.shapes.insert(kernel.shapes.end(), {launch.grid, launch.block, shared, 0});
  ++shape->times;
}

FileFigures& file_of(KernelFigures& kernel, const std::string& name) {
  const auto file = std::find_if(kernel.files.begin(), kernel.files.end(),
                                 [&](const FileFigures& f) { return f.file == name; });
  return file != kernel.files.end() ? *file : kernel.files.emplace_back(FileFigures{name, {}});
}

void add_launch(KernelFigures& kernel, const LaunchRecord& launch) {
  ++kernel.launches;
  kernel.estimated += launch.bounds;
  kernel.total.counters += launch.counters;
  add_shape(kernel, launch);
  if (launch.lines.empty() && launch.counters.warp_instructions > 0) {
    ++kernel.launches_without_lines;
    return;
  }
  std::uint64_t with_line = 0;
  for (const sim::LineCounters& line : launch.lines) {
    file_of(kernel, line.file).lines[line.line] += LineFigures{line.counters, {}, 0};
    with_line += line.counters.warp_instructions;
  }
  for (const sim::LineAccesses& line : launch.accesses) {
    file_of(kernel, line.file).lines[line.line] += LineFigures{{}, line, 0};
    kernel.total += LineFigures{{}, line, 0};
  }
  for (const sim::LineTime& line : launch.line_times)
    file_of(kernel, line.file).lines[line.line] += LineFigures{{}, {}, line.ns};
  kernel.total.ns += launch.bounds.total() - launch.bounds.launch;
  kernel.without_line +=
      launch.counters.warp_instructions - std::min(with_line, launch.counters.warp_instructions);
}

std::uint64_t executed(const FileFigures& file) {
  std::uint64_t sum = 0;
  for (const auto& [number, line] : file.lines) sum += line.executed();
  return sum;
}

}  // namespace

double LineFigures::idle_share() const {
  const std::uint64_t lanes = counters.warp_instructions * 32;
  return 1 - (lanes == 0 ? 1 : std::min(1.0, ratio(counters.thread_instructions, lanes)));
}
std::uint64_t LineFigures::requests() const {
  return counters.global_load_requests + counters.global_store_requests + counters.global_atomic_requests;
}
std::uint64_t LineFigures::sectors() const {
  return counters.global_load_sectors + counters.global_store_sectors + counters.global_atomic_sectors;
}
double LineFigures::sectors_per_request() const { return ratio(sectors(), requests()); }
double LineFigures::ideal_sectors_per_request() const {
  return ratio(accesses.global_ideal_sectors, requests());
}
std::uint64_t LineFigures::shared_accesses() const {
  if (accesses.shared_accesses > 0) return accesses.shared_accesses;
  return counters.source_shared_load_instructions + counters.source_shared_store_instructions +
         counters.shared_atomic_instructions;
}
std::uint64_t LineFigures::wavefronts() const {
  return counters.source_shared_load_wavefronts + counters.source_shared_store_wavefronts +
         counters.shared_atomic_wavefronts;
}
double LineFigures::wavefronts_per_access() const { return ratio(wavefronts(), shared_accesses()); }
double LineFigures::ideal_wavefronts_per_access() const {
  return ratio(accesses.shared_ideal_wavefronts, shared_accesses());
}

LineFigures& LineFigures::operator+=(const LineFigures& other) {
  counters += other.counters;
  accesses.shared_accesses += other.accesses.shared_accesses;
  accesses.shared_ideal_wavefronts += other.accesses.shared_ideal_wavefronts;
  accesses.global_ideal_sectors += other.accesses.global_ideal_sectors;
  ns += other.ns;
  if (worse(other.accesses.worst, accesses.worst)) accesses.worst = other.accesses.worst;
  return *this;
}

Heat idle_heat(const LineFigures& line) { return heat(line.idle_share(), 0.25, 0.5, 0.75); }
Heat global_heat(const LineFigures& line) {
  return above_ideal(line.sectors_per_request(), line.ideal_sectors_per_request());
}
Heat shared_heat(const LineFigures& line) {
  return above_ideal(line.wavefronts_per_access(), line.ideal_wavefronts_per_access());
}

bool KernelFigures::worst_shared(std::size_t& file, std::uint32_t& line) const {
  const sim::SharedExample* worst = nullptr;
  for (std::size_t f = 0; f < files.size(); ++f) {
    for (const auto& [number, figures] : files[f].lines) {
      const sim::SharedExample& here = figures.accesses.worst;
      if (here.mask == 0 || (worst != nullptr && !worse(here, *worst))) continue;
      worst = &here;
      file = f;
      line = number;
    }
  }
  return worst != nullptr;
}

std::vector<KernelFigures> figures_of(std::span<const LaunchRecord> launches) {
  std::vector<KernelFigures> kernels;
  for (const LaunchRecord& launch : launches) {
    const std::string arguments = template_arguments(launch.kernel);
    const std::string name = launch.kernel.substr(0, launch.kernel.size() - arguments.size());
    auto kernel =
        std::find_if(kernels.begin(), kernels.end(), [&](const KernelFigures& k) { return k.name == name; });
    if (kernel == kernels.end()) {
      kernel = kernels.emplace(kernels.end());
      kernel->name = name;
    }
    auto& instances = kernel->instances;
    if (!arguments.empty() && std::find(instances.begin(), instances.end(), arguments) == instances.end())
      instances.push_back(arguments);
    add_launch(*kernel, launch);
  }
  for (KernelFigures& kernel : kernels) {
    std::stable_sort(kernel.files.begin(), kernel.files.end(),
                     [](const FileFigures& a, const FileFigures& b) { return executed(a) > executed(b); });
  }
  return kernels;
}

}  // namespace cudalabs::explain
