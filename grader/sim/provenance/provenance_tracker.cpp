#include "grader/sim/provenance/provenance_tracker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/sim/provenance/provenance_memory.h"
#include "grader/sim/provenance/provenance_worker.h"

namespace cudalabs::sim {
namespace {

using u64 = std::uint64_t;
using Node = ProvenanceGraph::Node;

}  // namespace

ProvenanceTracker::ProvenanceTracker(std::size_t most_nodes)
    : memory_(std::make_unique<Memory>(most_nodes)) {}
ProvenanceTracker::~ProvenanceTracker() = default;

std::unique_ptr<WorkerObserver> ProvenanceTracker::worker(const LaunchInfo& launch) {
  memory_->graph.begin_launch();
  return make_origin_worker(launch, *memory_);
}
void ProvenanceTracker::merge(WorkerObserver& /*worker*/) {}

void ProvenanceTracker::written(DevicePtr pointer, u64 bytes, bool set) {
  memory_->words.fill(pointer, pointer + bytes, !set);
}

void ProvenanceTracker::handed_over(DevicePtr from, std::span<const std::byte> bytes) {
  memory_->reads.add(from, bytes, [&](DevicePtr at) {
    const ProvenanceWords::Word* const word = memory_->words.find(at);
    return word == nullptr ? ProvenanceGraph::kUnknown : word->value;
  });
}

void ProvenanceTracker::given_back(DevicePtr to, std::span<const std::byte> bytes) {
  written(to, bytes.size(), false);
  if (to % kProvenanceWord != 0) return;
  memory_->reads.find(bytes, [&](std::size_t at, std::size_t read, std::size_t offset) {
    const DevicePtr from = memory_->reads.all()[read].from + offset;
    Node value = memory_->reads.all()[read].values[offset / kProvenanceWord];
    if (value == ProvenanceGraph::kUnknown) value = memory_->load(from, 0, ProvenanceGraph::Memory::Global);
    memory_->store(to + at, value, false);
  });
}

void ProvenanceTracker::copied(DevicePtr to, DevicePtr from, u64 bytes, bool keeps_maker) {
  std::vector<Node> values;
  std::vector<bool> by_kernel;
  for (u64 at = 0; at < bytes && !memory_->graph.full(); at += kProvenanceWord) {
    const ProvenanceWords::Word* const word = memory_->words.find(from + at);
    by_kernel.push_back(keeps_maker && word != nullptr && word->by_kernel);
    values.push_back(memory_->load(from + at, 0, ProvenanceGraph::Memory::Global));
  }
  constexpr u64 kElement = 8;
  for (std::size_t k = 0; k < values.size(); ++k)
    memory_->store(to + k * kProvenanceWord, bytes <= kElement ? memory_->graph.moved(values[k]) : values[k],
                   by_kernel[k]);
}

std::vector<Node> ProvenanceTracker::results_in(std::span<const DeviceRange> outputs) const {
  std::vector<Node> results;
  for (const DeviceRange& output : outputs) {
    for (u64 at = 0; at < output.bytes; at += kProvenanceWord) {
      const ProvenanceWords::Word* const word = memory_->words.find(output.begin + at);
      if (word != nullptr && word->value > ProvenanceGraph::kNothing) results.push_back(word->value);
    }
  }
  return results;
}

std::vector<std::vector<std::uint16_t>> ProvenanceTracker::uses(std::span<const DeviceRange> inputs,
                                                                std::span<const Node> results,
                                                                const ProvenanceSlices& slices) const {
  const std::vector<std::uint16_t> of_elements =
      memory_->graph.uses(results, memory_->elements, slices.element_met());
  std::vector<std::vector<std::uint16_t>> uses;
  for (const DeviceRange& input : inputs) {
    std::vector<std::uint16_t>& of_words = uses.emplace_back(input.bytes / kProvenanceWord);
    for (u64 k = 0; k < of_words.size(); ++k) {
      const ProvenanceWords::Word* const word = memory_->words.find(input.begin + k * kProvenanceWord);
      if (word != nullptr && word->element != 0)
        of_words[k] = static_cast<std::uint16_t>(1 + of_elements[word->element - 1]);
    }
  }
  return uses;
}

void ProvenanceTracker::add_distances(std::span<const Node> results, Provenance& origins) const {
  const ProvenanceGraph::Distances distances = memory_->graph.distances(results);
  origins.growing_distances = distances.growing;
  origins.shrinking_distances = distances.shrinking;
}

bool ProvenanceTracker::add_host_reads(std::vector<ProvenanceSlices::Array> arrays, double parts, u64 most,
                                       u64 most_visits, Provenance& origins) const {
  std::vector<Node> values;
  for (const HostReads::Read& read : memory_->reads.all())
    std::ranges::copy_if(read.values, std::back_inserter(values),
                         [](Node value) { return value > ProvenanceGraph::kNothing; });
  add_distances(values, origins);
  const u64 looked_at = std::min<u64>(values.size(), most);
  const double more = static_cast<double>(std::max<u64>(values.size(), 1)) /
                      static_cast<double>(std::max<u64>(origins.words, 1));
  ProvenanceSlices slices(memory_->graph, std::move(arrays), parts / more, most_visits);
  Provenance of_reads;
  for (u64 k = 0; k < looked_at && !slices.exhausted(); ++k)
    slices.add(values[k * values.size() / looked_at], of_reads);
  if (slices.exhausted()) return false;
  origins.elements = of_reads.elements;
  origins.past_shared = of_reads.past_shared;
  origins.constants = of_reads.constants;
  origins.made_by_host = of_reads.made_by_host;
  origins.from_table = of_reads.from_table;
  origins.from_shared = of_reads.from_shared;
  origins.from_lanes = of_reads.from_lanes;
  origins.by_atomics = of_reads.by_atomics;
  origins.kernels = kernels_of(slices.sites());
  return true;
}

std::vector<std::string> ProvenanceTracker::kernels_of(std::span<const u64> by_site) const {
  std::vector<u64> loaded(memory_->kernels.size());
  for (std::size_t site = 0; site < by_site.size(); ++site)
    loaded[memory_->sites[site].kernel] += by_site[site];
  loaded[0] = 0;  // copies
  const u64 most = std::ranges::max(loaded);
  std::vector<std::string> names;
  for (std::size_t k = 1; k < loaded.size(); ++k)
    if (most > 0 && loaded[k] * 2 >= most) names.push_back(memory_->kernels[k]);
  return names;
}

Provenance ProvenanceTracker::origins(std::span<const DeviceRange> inputs,
                                      std::span<const DeviceRange> outputs, const DeviceRange& table,
                                      double parts) const {
  constexpr u64 kMaxResults = 512;
  constexpr u64 kMaxVisits = u64{1} << 27;
  using Array = ProvenanceSlices::Array;
  Provenance origins;
  using Unknown = Provenance::Unknown;
  origins.why = memory_->graph.out_of_memory() ? Unknown::Memory : Unknown::Steps;
  if (memory_->graph.full()) return origins;
  std::vector<Array> arrays(memory_->elements);
  const auto mark = [&](const DeviceRange& range, Array array) {
    for (u64 at = 0; at < range.bytes; at += kProvenanceWord) {
      const ProvenanceWords::Word* const word = memory_->words.find(range.begin + at);
      if (word != nullptr && word->element != 0) arrays[word->element - 1] = array;
    }
  };
  for (const DeviceRange& input : inputs) mark(input, Array::Input);
  mark(table, Array::Table);
  ProvenanceSlices slices(memory_->graph, arrays, parts, kMaxVisits);
  for (const DeviceRange& output : outputs) {
    const u64 words = output.bytes / kProvenanceWord, looked_at = std::min(words, kMaxResults);
    // Steps of the golden ratio spread the sample over the whole buffer, for any row length.
    const u64 step =
        words <= kMaxResults ? 1 : static_cast<u64>(static_cast<double>(words) * 0.6180339887) | 1;
    for (u64 k = 0, word = 0; k < looked_at; ++k, word = (word + step) % words) {
      const ProvenanceWords::Word* const found = memory_->words.find(output.begin + word * kProvenanceWord);
      ++origins.words;
      if (found != nullptr) {
        origins.by_kernels += found->by_kernel ? 1 : 0;
        origins.atomic_words += found->by_atomic ? 1 : 0;
        slices.add(found->value, origins);
      }
      if (slices.exhausted()) return origins;
    }
  }
  const std::vector<Node> results = results_in(outputs);
  if (origins.results > 0 || origins.by_kernels > 0) {
    add_distances(results, origins);
  } else {
    if (!add_host_reads(std::move(arrays), parts, kMaxResults, kMaxVisits, origins)) return origins;
  }
  origins.known = true;
  origins.own_reads = memory_->own_reads;
  origins.others_reads = memory_->others_reads;
  origins.table = table.bytes / kProvenanceWord;
  if (origins.kernels.empty()) origins.kernels = kernels_of(slices.sites());
  origins.uses = uses(inputs, results, slices);
  const std::vector<u64>& sites = slices.past_sites();
  const auto worst = std::ranges::max_element(sites);
  if (worst != sites.end() && *worst > 0) {
    const SourcePlace& place = memory_->sites[static_cast<std::size_t>(worst - sites.begin())].place;
    origins.file = place.file;
    origins.line = place.line;
  }
  return origins;
}

}  // namespace cudalabs::sim
