#pragma once
// An operation of a stream with its arguments. It runs at once, or becomes a node of a graph, which can show
// and change its arguments and runs it at each launch.

#include <memory>
#include <optional>
#include <variant>

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {

struct KernelOperation {
  const void* function = nullptr;  ///< stub or handle
  int device = 0;                  ///< the device that runs it; its stream must belong to that device
  dim3 grid, block;
  std::size_t shared = 0;
  bool cooperative = false;
  std::vector<std::byte> parameters;  ///< packed, as the program passed them
  bool by_stub = false;               ///< launched by <<<>>>
};

struct CopyOperation {
  cudaMemcpy3DParms parms{};
};

struct SetOperation {
  cudaMemsetParams parms{};
};

struct HostOperation {
  cudaHostNodeParams parms{};
};

class Graph;
struct ChildOperation {
  std::shared_ptr<Graph> graph;
};

struct EmptyOperation {};

struct WaitOperation {
  cudaEvent_t event = nullptr;
};

struct RecordOperation {
  cudaEvent_t event = nullptr;
};

/// Memory of an allocation node. It has its address from the node's creation on. It can be used from the
/// allocation to the free in stream order; before and after, its use is a use of freed memory.
class GraphMemory {
 public:
  static Status make(Runtime& runtime, std::uint64_t bytes, std::shared_ptr<GraphMemory>& memory);
  /// Null: no graph allocates memory there.
  static GraphMemory* find(const void* pointer);
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  [[nodiscard]] void* pointer() const { return reinterpret_cast<void*>(address_); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool live() const { return live_; }
  Status begin(Runtime& runtime);
  Status end(Runtime& runtime);

 private:
  GraphMemory(std::uint64_t address, std::uint64_t bytes);
  std::uint64_t address_, bytes_;
  bool live_ = false;
};

struct AllocateOperation {
  cudaMemAllocNodeParams parms{};
  std::shared_ptr<GraphMemory> memory;
};

struct FreeOperation {
  void* pointer = nullptr;
};

using Operation =
    std::variant<KernelOperation, CopyOperation, SetOperation, HostOperation, ChildOperation, EmptyOperation,
                 WaitOperation, RecordOperation, AllocateOperation, FreeOperation>;

/// Runs it now, on that stream.
Status run(Runtime& runtime, const Operation& operation, std::uint32_t stream);

/// Makes the operation from a kernel and its arguments, each behind one pointer.
Status make_kernel(Runtime& runtime, const cudaKernelNodeParams& params, KernelOperation& kernel);
/// Applies a launch attribute to the operation.
Status take_attribute(Runtime& runtime, cudaLaunchAttributeID attribute,
                      const cudaLaunchAttributeValue& value, KernelOperation& kernel);
Status run(Runtime& runtime, const KernelOperation& kernel, std::uint32_t stream);
/// Ok iff the card would accept it.
Status check(Runtime& runtime, const KernelOperation& kernel, std::uint32_t stream);
/// A copy of rows as the copy of a volume that is one plane deep.
CopyOperation copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                           std::size_t width, std::size_t rows, cudaMemcpyKind kind);
Status run(Runtime& runtime, const CopyOperation& volume, std::uint32_t stream);
Status run(Runtime& runtime, const SetOperation& rows, std::uint32_t stream);

}  // namespace cudalabs::cudart
