// What results are made of, and which of it came through shared or constant memory.

#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>

#include "grader/simulator/observers/origin_tracker.h"
#include "grader/simulator/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint32_t kThreads = 64, kBlocks = 4, kElements = kThreads * kBlocks;
constexpr double kParts = 8;  // a result must come apart into so many in shared memory
constexpr std::size_t kPlenty = 1 << 20;

/// A card with an input and an output, and a tracker of one call.
class Call {
 public:
  explicit Call(std::size_t most_nodes = kPlenty) : tracker_(most_nodes) {
    std::ifstream file(CUDALABS_TEST_DATA "/origins.ptx");
    std::ostringstream ptx;
    ptx << file.rdbuf();
    auto module = simulator_.load(ptx.str(), "origins.ptx");
    REQUIRE(module);
    module_ = *module;
    for (DevicePtr* pointer : {&in_, &out_, &between_}) {
      *pointer = *simulator_.allocate(kElements * 16);
      std::memset(simulator_.bytes(*pointer, kElements * 16).data(), 0, kElements * 16);
    }
  }

  void run(const std::string& kernel, DevicePtr from, DevicePtr to) {
    std::vector<std::byte> parameters(24);
    std::memcpy(parameters.data(), &from, 8);
    std::memcpy(parameters.data() + 8, &to, 8);
    LaunchOptions options;
    options.observers = {&tracker_};
    const auto result =
        simulator_.launch(*module_, kernel, {{kBlocks}, {kThreads}, 0, false}, parameters, options);
    INFO(kernel);
    REQUIRE(result);
    REQUIRE(result->ok());
  }
  Origins origins(std::uint64_t output_bytes, double parts = kParts) const {
    const DeviceRange input{in_, kElements * 16}, output{out_, output_bytes};
    return tracker_.origins(std::vector{input}, std::vector{output}, input, parts);
  }

  Simulator simulator_;
  std::shared_ptr<Module> module_;
  DevicePtr in_ = 0, out_ = 0, between_ = 0;
  OriginTracker tracker_;
};

Origins origins_of(const std::string& kernel, std::uint64_t output_bytes = kElements * 4) {
  Call call;
  call.run(kernel, call.in_, call.out_);
  return call.origins(output_bytes);
}

}  // namespace

TEST_CASE("a copy through a tile comes through shared memory, one beside it does not") {
  const Origins through = origins_of("through_tile");
  CHECK(through.known);
  CHECK(through.results == kElements);
  CHECK(through.elements == kElements);
  CHECK(through.past_shared == 0);
  CHECK(through.file.empty());

  const Origins beside = origins_of("beside_tile");
  CHECK(beside.results == kElements);
  CHECK(beside.elements == kElements);
  CHECK(beside.past_shared == kElements);
  CHECK(beside.file == "origins.cu");
  std::ifstream source(CUDALABS_TEST_DATA "/origins.cu");
  std::uint32_t line = 1;
  for (std::string text; std::getline(source, text) && text.find("<-- past") == std::string::npos;) ++line;
  CHECK(beside.line == line);
}

TEST_CASE("a sum comes through shared memory if its parts do, not if it was finished before") {
  for (const char* kernel : {"tree", "shared_atomics"}) {
    INFO(kernel);
    const Origins parts = origins_of(kernel, kBlocks * 4);
    CHECK(parts.results == kBlocks);
    CHECK(parts.elements == kElements);
    CHECK(parts.past_shared == 0);
  }
  for (const char* kernel : {"finished_before", "finished_often"}) {
    INFO(kernel);
    const Origins finished = origins_of(kernel, kBlocks * 4);
    CHECK(finished.elements == kElements);
    CHECK(finished.past_shared == kElements);
  }
}

TEST_CASE("values of other threads are told by how they came") {
  const Origins tree = origins_of("tree", kBlocks * 4);
  CHECK(tree.from_shared == kBlocks * (kThreads - 1));
  CHECK(tree.from_lanes + tree.by_atomics == 0);
  const Origins atomics = origins_of("shared_atomics", kBlocks * 4);
  CHECK(atomics.by_atomics == kBlocks * (kThreads - 1));
  CHECK(atomics.from_shared + atomics.from_lanes == 0);
  const Origins shuffles = origins_of("shuffles", kBlocks * 2 * 4);
  CHECK(shuffles.from_lanes == kBlocks * 2 * 31);
  CHECK(shuffles.from_shared + shuffles.by_atomics == 0);
  const Origins own = origins_of("through_tile");
  CHECK(own.from_shared + own.from_lanes + own.by_atomics == 0);
}

TEST_CASE("shuffles carry the value of the lane that they read") {
  const Origins sums = origins_of("shuffles", kBlocks * 2 * 4);
  CHECK(sums.results == kBlocks * 2);
  CHECK(sums.elements == kElements);
  CHECK(sums.past_shared == kElements);
  const Origins neighbours = origins_of("shuffled");
  CHECK(neighbours.results == kElements);
  CHECK(neighbours.elements == kElements);  // one each
}

TEST_CASE("elements of constant memory are told apart from those of global memory") {
  const Origins constants = origins_of("constants");
  CHECK(constants.results == kElements);
  CHECK(constants.constants == 4 * kElements);
  CHECK(constants.from_table == kElements);  // in[i]
}

TEST_CASE("values are followed through calls, local arrays and asynchronous copies") {
  const Origins called = origins_of("called", kElements * 8);
  CHECK(called.results == 2 * kElements);       // words
  CHECK(called.elements == 2 * 2 * kElements);  // an element of 8 bytes is one
  const Origins local = origins_of("local_array");
  CHECK(local.results == kElements);
  CHECK(local.elements == kElements);
  const Origins copied = origins_of("copied_async");
  CHECK(copied.results == kElements);
  CHECK(copied.elements == kElements);
  CHECK(copied.past_shared == 0);
}

TEST_CASE("what decides a place is no part of the value") {
  const Origins addressed = origins_of("addressed");
  CHECK(addressed.known);
  CHECK(addressed.results == 0);
}

TEST_CASE("values are followed from launch to launch, and through copies on the card") {
  Call call;
  call.run("doubled", call.in_, call.between_);
  call.run("tree", call.between_, call.out_);
  Origins origins = call.origins(kBlocks * 4);
  CHECK(origins.elements == kElements);
  CHECK(origins.from_inputs == kElements);
  CHECK(origins.past_shared == 0);

  call.run("doubled", call.in_, call.out_);  // over what the tree left
  origins = call.origins(kBlocks * 4);
  CHECK(origins.elements == kBlocks);
  CHECK(origins.past_shared == kBlocks);

  Call elsewhere;  // what the host has left on the card is no input
  elsewhere.run("tree", elsewhere.between_, elsewhere.out_);
  CHECK(elsewhere.origins(kBlocks * 4).elements == kElements);
  CHECK(elsewhere.origins(kBlocks * 4).from_inputs == 0);

  Call copying;
  copying.tracker_.copied(copying.between_, copying.in_, kElements * 4);
  copying.run("through_tile", copying.between_, copying.out_);
  CHECK(copying.origins(kElements * 4).past_shared == 0);
  copying.tracker_.written(copying.out_, kElements * 4, true);  // cudaMemset
  CHECK(copying.origins(kElements * 4).results == 0);
}

TEST_CASE("a call with more values than can be kept is not known") {
  Call call(100);
  call.run("tree", call.in_, call.out_);
  CHECK_FALSE(call.origins(kBlocks * 4).known);
}

}  // namespace cudalabs::sim
