// The data provenance of results: which of their inputs came through shared or constant memory.

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>

#include "grader/sim/provenance/provenance_tracker.h"
#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint32_t kThreads = 64, kBlocks = 4, kElements = kThreads * kBlocks;
constexpr double kParts = 8;  // a result must have at least this many parts in shared memory
constexpr std::size_t kPlenty = 1 << 20;

/// A device with an input and an output, and a tracker of one call.
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
  DevicePtr variable(const std::string& name) const {
    const auto found = std::ranges::find(module_->variables(), name, &VariableInfo::name);
    REQUIRE(found != module_->variables().end());
    return found->address;
  }
  Provenance origins(std::uint64_t output_bytes, double parts = kParts) const {
    const DeviceRange input{in_, kElements * 16}, output{out_, output_bytes};
    return tracker_.origins(std::vector{input}, std::vector{output}, input, parts);
  }

  Simulator simulator_;
  std::shared_ptr<Module> module_;
  DevicePtr in_ = 0, out_ = 0, between_ = 0;
  ProvenanceTracker tracker_;
};

Provenance origins_of(const std::string& kernel, std::uint64_t output_bytes = kElements * 4) {
  Call call;
  call.run(kernel, call.in_, call.out_);
  return call.origins(output_bytes);
}

}  // namespace

TEST_CASE("a copy through a tile comes through shared memory, one beside it does not") {
  const Provenance through = origins_of("through_tile");
  CHECK(through.known);
  CHECK(through.results == kElements);
  CHECK(through.elements == kElements);
  CHECK(through.past_shared == 0);
  CHECK(through.file.empty());

  const Provenance beside = origins_of("beside_tile");
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
    const Provenance parts = origins_of(kernel, kBlocks * 4);
    CHECK(parts.results == kBlocks);
    CHECK(parts.elements == kElements);
    // The first element of the tree's last two threads never belonged to another thread.
    CHECK(parts.past_shared == (std::string(kernel) == "tree" ? kBlocks * 2 : 0));
  }
  for (const char* kernel : {"finished_before", "finished_often"}) {
    INFO(kernel);
    const Provenance finished = origins_of(kernel, kBlocks * 4);
    CHECK(finished.elements == kElements);
    CHECK(finished.past_shared == kElements);
  }
}

TEST_CASE("values of other threads are told by how they came") {
  const Provenance tree = origins_of("tree", kBlocks * 4);
  CHECK(tree.from_shared == kBlocks * (kThreads - 1));
  CHECK(tree.from_lanes + tree.by_atomics == 0);
  const Provenance atomics = origins_of("shared_atomics", kBlocks * 4);
  CHECK(atomics.by_atomics == kBlocks * (kThreads - 1));
  CHECK(atomics.from_shared + atomics.from_lanes == 0);
  const Provenance shuffles = origins_of("shuffles", kBlocks * 2 * 4);
  CHECK(shuffles.from_lanes == kBlocks * 2 * 31);
  CHECK(shuffles.from_shared + shuffles.by_atomics == 0);
  const Provenance own = origins_of("through_tile");
  CHECK(own.from_shared + own.from_lanes + own.by_atomics == 0);
}

TEST_CASE("texels are elements, all those of a filter, and surfaces are memory") {
  const auto of = [](const std::string& kernel, bool linear, bool surface) {
    Call call;
    Texture t;
    t.memory = kernel == "fetched" ? Texture::Memory::Linear : Texture::Memory::Array;
    t.surface = surface;
    t.address = call.in_;
    t.width = surface ? 2 * kElements : kElements;
    t.pitch = t.width * 4;
    t.addressing.fill(AddressMode::Clamp);
    t.linear_filter = linear;
    call.run(kernel, *call.simulator_.add_texture(t), call.out_);
    return call.origins(kElements * 4);
  };
  const Provenance fetched = of("fetched", false, false);
  CHECK(fetched.results == kElements);
  CHECK(fetched.elements == kElements * 2);
  CHECK(of("filtered", false, false).elements == kElements);
  CHECK(of("filtered", true, false).elements == kElements * 2 - 1);  // there is no element after the last one
  const Provenance surface = of("through_surface", false, true);
  CHECK(surface.results == kElements);
  CHECK(surface.elements == kElements);
  CHECK(surface.from_inputs == kElements);
}

TEST_CASE("shuffles carry the value of the lane that they read") {
  const Provenance sums = origins_of("shuffles", kBlocks * 2 * 4);
  CHECK(sums.results == kBlocks * 2);
  CHECK(sums.elements == kElements);
  CHECK(sums.past_shared == kElements);
  const Provenance neighbours = origins_of("shuffled");
  CHECK(neighbours.results == kElements);
  CHECK(neighbours.elements == kElements);  // one each
}

TEST_CASE("elements of constant memory are told apart from those of global memory") {
  const Provenance unset = origins_of("constants");
  CHECK(unset.results == kElements);
  CHECK(unset.constants == 0);           // nothing was stored there
  CHECK(unset.from_table == kElements);  // in[i]

  Call by_host;
  by_host.tracker_.given_back(by_host.variable("factors"), std::vector<std::byte>(16));
  by_host.run("constants", by_host.in_, by_host.out_);
  CHECK(by_host.origins(kElements * 4).constants == 4 * kElements);
  CHECK(by_host.origins(kElements * 4).from_inputs == kElements);

  // Data that the host computes from an array are not a copy of it, wherever it stores them.
  Call changed;
  changed.tracker_.given_back(changed.in_, std::vector<std::byte>(kElements * 4, std::byte{7}));
  changed.run("constants", changed.in_, changed.out_);
  CHECK(changed.origins(kElements * 4).made_by_host == kElements);
  CHECK(by_host.origins(kElements * 4).made_by_host == 0);

  Call by_copy;
  by_copy.tracker_.copied(by_copy.variable("factors"), by_copy.in_, 16, false);
  by_copy.run("constants", by_copy.in_, by_copy.out_);
  CHECK(by_copy.origins(kElements * 4).constants == 4 * kElements);
  CHECK(by_copy.origins(kElements * 4).from_inputs == 5 * kElements);
}

TEST_CASE("elements that copies have put elsewhere one by one are told, rows that they moved are not") {
  for (const std::uint64_t bytes : {4, 256}) {
    Call call;
    for (std::uint64_t at = 0; at < kElements * 4; at += bytes)
      call.tracker_.copied(call.between_ + at, call.in_ + at, bytes, false);
    call.run("through_tile", call.between_, call.out_);
    CHECK(call.origins(kElements * 4).moved == (bytes == 4 ? kElements : 0));
  }
}

TEST_CASE("what a thread reads back of its own has not passed shared memory") {
  const Provenance own = origins_of("own_word");
  CHECK(own.results == kElements);
  CHECK(own.elements == kElements);
  CHECK(own.past_shared == kElements);
  CHECK(own.own_reads == kElements);
  CHECK(own.others_reads == 0);
  CHECK(origins_of("through_tile").own_reads == 0);
  CHECK(origins_of("through_tile").others_reads == kElements);
}

TEST_CASE("of a word that all read one thread may be the owner") {
  static constexpr const char* kOne = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry one(.param .u64 from, .param .u64 to)
{
  .reg .b64 %rd<8>;
  .reg .b32 %r<8>;
  .reg .f32 %f<4>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.s32 %r3, %r2, 64, %r1;
  mul.wide.u32 %rd3, %r3, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  shl.b32 %r4, %r1, 2;
  mov.u32 %r5, tile;
  add.s32 %r6, %r5, %r4;
  st.shared.f32 [%r6], %f1;
  bar.sync 0;
  ld.shared.f32 %f2, [tile+148];
  st.global.f32 [%rd5], %f2;
  ret;
})";
  Call call;
  auto module = call.simulator_.load(kOne, "one.ptx");
  REQUIRE(module);
  call.module_ = *module;
  call.run("one", call.in_, call.out_);
  const Provenance one = call.origins(kElements * 4);
  CHECK(one.results == kElements);
  CHECK(one.own_reads == kBlocks);
  CHECK(one.others_reads == kElements - kBlocks);
  CHECK(one.past_shared == kBlocks);  // the owner's
}

TEST_CASE("words far from each other are told apart") {
  // Addresses far enough apart to expose a wrong reuse of a cached lookup.
  ProvenanceTracker tracker(1 << 10);
  const DevicePtr in = DevicePtr{1} << 40, out = in + (DevicePtr{1} << 30);
  constexpr std::uint64_t kFar = 64 * 4096, kBytes = 2 * kFar;
  tracker.written(in, kBytes, false);
  for (std::uint64_t at = 0; at < 2; ++at) tracker.copied(out + at * kFar, in + at * kFar, 4, false);
  tracker.copied(out + 4, in + 4, 4, false);
  const Provenance copies =
      tracker.origins(std::vector{DeviceRange{in, kBytes}},
                      std::vector{DeviceRange{out, 8}, DeviceRange{out + kFar, 4}}, {}, kParts);
  CHECK(copies.results == 3);
  CHECK(copies.from_inputs == 3);
  REQUIRE(copies.uses.size() == 1);
  CHECK(copies.uses[0][0] == 2);
  CHECK(copies.uses[0][1] == 2);
  CHECK(copies.uses[0][kFar / 4] == 2);
  CHECK(copies.uses[0][kFar / 4 + 1] == 0);
}

TEST_CASE("an element of eight bytes comes in once through shared memory") {
  for (const char* kernel : {"wide_tree", "wide_atomics"}) {
    INFO(kernel);
    const Provenance wide = origins_of(kernel, 8);  // from the first block
    REQUIRE(wide.uses.size() == 1);
    CHECK(std::ranges::count(wide.uses[0], std::uint16_t{2}) == kThreads);  // 1 + once
    CHECK(std::ranges::max(wide.uses[0]) == 2);
  }
}

TEST_CASE("what the host gives back is a copy of what it had read, or its own work") {
  const auto pattern = [](std::size_t words, std::uint32_t factor) {
    std::vector<std::byte> bytes(words * 4);
    for (std::uint32_t k = 0; k < words; ++k) {
      const std::uint32_t word = (k + 1) * factor;
      std::memcpy(bytes.data() + std::size_t{4} * k, &word, 4);
    }
    return bytes;
  };
  Call call;
  const std::vector<std::byte> input = pattern(kElements, 2654435761u);
  call.tracker_.handed_over(call.in_, input);
  call.tracker_.given_back(call.between_, input);
  call.run("through_tile", call.between_, call.out_);
  CHECK(call.origins(kElements * 4).from_inputs == kElements);

  call.tracker_.given_back(call.between_, pattern(kElements, 40503));
  call.run("through_tile", call.between_, call.out_);
  CHECK(call.origins(kElements * 4).from_inputs == 0);
}

TEST_CASE("results that the host puts together are told by what it had read") {
  Call call;
  call.run("tree", call.in_, call.between_);
  call.tracker_.handed_over(call.between_, std::vector<std::byte>(kBlocks * 4));
  call.tracker_.given_back(call.out_, std::vector<std::byte>(4, std::byte{7}));
  const Provenance origins = call.origins(4);
  CHECK(origins.known);
  CHECK(origins.results == 0);
  CHECK(origins.elements == kElements);
  CHECK(origins.from_shared == kBlocks * (kThreads - 1));
  CHECK(origins.kernels == std::vector<std::string>{"tree"});
}

TEST_CASE("kernels that results are made by are named, those for show are not") {
  Call call;
  call.run("doubled", call.in_, call.between_);
  call.run("tree", call.in_, call.out_);
  CHECK(call.origins(kBlocks * 4).kernels == std::vector<std::string>{"tree"});
}

TEST_CASE("values are followed through calls, local arrays and asynchronous copies") {
  const Provenance called = origins_of("called", kElements * 8);
  CHECK(called.results == 2 * kElements);       // words
  CHECK(called.elements == 2 * 2 * kElements);  // an element of 8 bytes counts once
  const Provenance local = origins_of("local_array");
  CHECK(local.results == kElements);
  CHECK(local.elements == kElements);
  const Provenance copied = origins_of("copied_async");
  CHECK(copied.results == kElements);
  CHECK(copied.elements == kElements);
  CHECK(copied.past_shared == 0);
}

TEST_CASE("what decides a place is no part of the value") {
  const Provenance addressed = origins_of("addressed");
  CHECK(addressed.known);
  CHECK(addressed.results == 0);
  // An element that selects another one counts too: both are used.
  CHECK(origins_of("looked_up").from_inputs == 2 * kElements);
}

TEST_CASE("values are followed from launch to launch, and through copies on the card") {
  Call call;
  call.run("doubled", call.in_, call.between_);
  call.run("tree", call.between_, call.out_);
  Provenance origins = call.origins(kBlocks * 4);
  CHECK(origins.elements == kElements);
  CHECK(origins.from_inputs == kElements);
  CHECK(origins.past_shared == kBlocks * 2);

  call.run("doubled", call.in_, call.out_);  // overwrites the tree's results
  origins = call.origins(kBlocks * 4);
  CHECK(origins.elements == kBlocks);
  CHECK(origins.past_shared == kBlocks);

  Call elsewhere;  // memory that the host wrote earlier is not an input
  elsewhere.run("tree", elsewhere.between_, elsewhere.out_);
  CHECK(elsewhere.origins(kBlocks * 4).elements == kElements);
  CHECK(elsewhere.origins(kBlocks * 4).from_inputs == 0);

  Call copying;
  copying.tracker_.copied(copying.between_, copying.in_, kElements * 4, false);
  copying.run("through_tile", copying.between_, copying.out_);
  CHECK(copying.origins(kElements * 4).past_shared == 0);
  CHECK(copying.origins(kElements * 4).by_kernels == kElements);
  copying.tracker_.copied(copying.between_, copying.out_, kElements * 4, false);
  copying.tracker_.copied(copying.out_, copying.between_, kElements * 4, true);
  CHECK(copying.origins(kElements * 4).by_kernels == 0);  // what was copied before is no kernel's
  copying.run("through_tile", copying.in_, copying.between_);
  copying.tracker_.copied(copying.out_, copying.between_, kElements * 4, true);
  CHECK(copying.origins(kElements * 4).by_kernels == kElements);
  copying.tracker_.written(copying.out_, kElements * 4, true);  // cudaMemset
  CHECK(copying.origins(kElements * 4).results == 0);
}

TEST_CASE("a call with more values than can be kept is not known") {
  Call call(100);
  call.run("tree", call.in_, call.out_);
  CHECK_FALSE(call.origins(kBlocks * 4).known);
  CHECK(call.origins(kBlocks * 4).why == Provenance::Unknown::Steps);
}

}  // namespace cudalabs::sim
