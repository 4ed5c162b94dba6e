#pragma once
// Follows the values of all launches of a call from the memory they come from to the outputs that they end
// in: through registers, shuffles, shared, local and global memory. What decides how far a loop runs, or
// which address is accessed, is not followed: a result is made of the data that its arithmetic took in.
//
// For small calls: a node is kept for every value that is computed from several.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/simulator/observers/origin_graph.h"
#include "grader/simulator/program/observer.h"

namespace cudalabs::sim {

class OriginTracker : public Observer {
 public:
  /// `most_nodes` bounds memory, some 16 bytes each. A call that needs more is not known.
  explicit OriginTracker(std::size_t most_nodes);
  ~OriginTracker() override;

  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// A value may come from any block that ran before.
  [[nodiscard]] bool ordered() const override { return true; }

  /// The host wrote these bytes, or set them; `set`: they hold no data.
  void written(DevicePtr pointer, std::uint64_t bytes, bool set);
  void copied(DevicePtr to, DevicePtr from, std::uint64_t bytes);
  /// The host read these bytes.
  void handed_over(DevicePtr from, std::span<const std::byte> bytes);
  /// The host wrote these: what is a copy of something that it had read is made of the same.
  void given_back(DevicePtr to, std::span<const std::byte> bytes);

  /// What `outputs` are made of now. `table`: the input that constant memory should hold, or nothing;
  /// `parts`: see OriginSlices. Of large outputs some words are looked at, spread over them.
  [[nodiscard]] Origins origins(std::span<const DeviceRange> inputs, std::span<const DeviceRange> outputs,
                                const DeviceRange& table, double parts) const;

  struct Memory;

 private:
  /// What the words of the outputs are made of, as far as they are made of anything.
  [[nodiscard]] std::vector<OriginGraph::Node> results_in(std::span<const DeviceRange> outputs) const;
  /// Origins::uses. `slices`: of some of the results.
  [[nodiscard]] std::vector<std::vector<std::uint16_t>> uses(std::span<const DeviceRange> inputs,
                                                             std::span<const OriginGraph::Node> results,
                                                             const OriginSlices& slices) const;
  void add_distances(std::span<const OriginGraph::Node> results, Origins& origins) const;

  /// Where the host puts the results together, they are made of what it had read of the kernels' work.
  /// False: there is too much of it.
  bool add_host_reads(std::vector<OriginSlices::Array> arrays, double parts, std::uint64_t most,
                      std::uint64_t most_visits, Origins& origins) const;
  [[nodiscard]] std::vector<std::string> kernels_of(std::span<const std::uint64_t> by_site) const;

  std::unique_ptr<Memory> memory_;
};

}  // namespace cudalabs::sim
