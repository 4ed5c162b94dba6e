#pragma once
// Tracks the data provenance of all launches of a call, from the memory that values come from to the outputs:
// through registers, shuffles, shared, local and global memory. Control dependences and address dependences
// are not tracked: a result depends on the data that its arithmetic used.
//
// For small calls: each value that is computed from several others needs a node.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/sim/executable/observer.h"
#include "grader/sim/provenance/provenance_graph.h"

namespace cudalabs::sim {

class ProvenanceTracker : public Observer {
 public:
  /// `most_nodes` bounds memory, about 16 bytes each. If a call needs more, its provenance is unknown.
  explicit ProvenanceTracker(std::size_t most_nodes);
  ~ProvenanceTracker() override;

  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// A value may come from any block that ran before.
  [[nodiscard]] bool ordered() const override { return true; }

  /// The host wrote these bytes, or set them; `set`: they hold no data.
  void written(DevicePtr pointer, std::uint64_t bytes, bool set);
  /// `keeps_maker`: what a kernel stored still counts as stored by it: no element has changed its place.
  void copied(DevicePtr to, DevicePtr from, std::uint64_t bytes, bool keeps_maker);
  /// The host read these bytes.
  void handed_over(DevicePtr from, std::span<const std::byte> bytes);
  /// The host wrote these bytes: copies of data that it had read have the provenance of that data.
  void given_back(DevicePtr to, std::span<const std::byte> bytes);

  /// The provenance of `outputs` now. `table`: the input that constant memory should hold, or empty; `parts`:
  /// see ProvenanceSlices. Of large outputs a sample of words is used, spread evenly.
  [[nodiscard]] Provenance origins(std::span<const DeviceRange> inputs, std::span<const DeviceRange> outputs,
                                   const DeviceRange& table, double parts) const;

  struct Memory;

 private:
  /// The nodes of the outputs' words that depend on anything.
  [[nodiscard]] std::vector<ProvenanceGraph::Node> results_in(std::span<const DeviceRange> outputs) const;
  /// Computes Provenance::uses. `slices`: of some of the results.
  [[nodiscard]] std::vector<std::vector<std::uint16_t>> uses(std::span<const DeviceRange> inputs,
                                                             std::span<const ProvenanceGraph::Node> results,
                                                             const ProvenanceSlices& slices) const;
  void add_distances(std::span<const ProvenanceGraph::Node> results, Provenance& origins) const;

  /// If the host assembles the results, they depend on the kernel results that it had read. False: there is
  /// too much data.
  bool add_host_reads(std::vector<ProvenanceSlices::Array> arrays, double parts, std::uint64_t most,
                      std::uint64_t most_visits, Provenance& origins) const;
  [[nodiscard]] std::vector<std::string> kernels_of(std::span<const std::uint64_t> by_site) const;

  std::unique_ptr<Memory> memory_;
};

}  // namespace cudalabs::sim
