// Any text is rejected with a message, or its first kernel ends or faults, in both engines, with and without
// checkers. Build with clang -fsanitize=fuzzer,address and run on fuzz/corpus/ptx_run; the tests run the
// corpus and simple mutations of it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "grader/sim/checkers/checkers.h"
#include "grader/sim/simulator.h"

using namespace cudalabs::sim;

namespace {

constexpr std::uint64_t kBufferBytes = 4096;
constexpr std::int64_t kMaxInstructions = 20'000;

/// Objects 1 to 3, all in one buffer: a filtered texture, a texture of linear memory, and a layered surface.
void add_textures(Simulator& simulator, DevicePtr buffer) {
  Texture filtered;
  filtered.memory = Texture::Memory::Array;
  filtered.address = buffer;
  filtered.width = 16;
  filtered.height = 8;
  filtered.pitch = 64;
  filtered.linear_filter = filtered.normalized_coordinates = true;
  filtered.addressing = {AddressMode::Wrap, AddressMode::Mirror, AddressMode::Border};
  Texture bytes;
  bytes.address = buffer;
  bytes.kind = TexelKind::Signed;
  bytes.bits = 8;
  bytes.channels = 4;
  bytes.width = 64;
  bytes.pitch = 256;
  Texture layers = filtered;
  layers.surface = layers.layered = true;
  layers.depth = 3;
  for (const Texture& texture : {filtered, bytes, layers})
    if (!simulator.add_texture(texture)) __builtin_trap();
}

void run(std::string_view text, Engine engine, bool watched) {
  Limits limits;
  limits.global_bytes = std::uint64_t{64} << 20;
  Simulator simulator(limits);
  const auto module = simulator.load(text, "fuzz.ptx");
  if (!module) {
    if (module.problem().message.empty()) __builtin_trap();
    return;
  }
  if ((*module)->kernels().empty()) return;
  const KernelInfo& kernel = (*module)->kernels().front();
  Checkers checkers(watched ? *parse_checkers("all") : CheckerSet{0});
  std::vector<std::byte> parameters(kernel.parameter_bytes);
  std::uint32_t buffers = 0;
  for (std::size_t p = 0; p < kernel.parameter_sizes.size(); ++p) {
    std::uint64_t value = 64;  // a size, or a number
    if (kernel.parameter_sizes[p] == 8 && buffers < 4) {
      const auto buffer = simulator.allocate(kBufferBytes);
      if (!buffer) __builtin_trap();
      ++buffers;
      value = *buffer;
      checkers.allocated(value, kBufferBytes);
      std::ranges::fill(simulator.bytes(value, kBufferBytes), std::byte{1});
      checkers.written(value, kBufferBytes);
      if (buffers == 1) add_textures(simulator, value);
    }
    const std::size_t bytes = std::min<std::size_t>(kernel.parameter_sizes[p], sizeof value);
    std::memcpy(parameters.data() + kernel.parameter_offsets[p], &value, bytes);
  }
  LaunchOptions options;
  options.max_warp_instructions = kMaxInstructions;
  options.threads = 1;
  options.engine = engine;
  options.observers = checkers.observers();
  options.print = [](std::string_view) {};
  LaunchConfig config{{2, 1, 1}, {40, 1, 1}, 0, false};
  const auto done = simulator.launch(**module, kernel.name, config, parameters, options);
  if (done && !done->ok() && done->fault.message.empty()) __builtin_trap();
  (void)checkers.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool watched = size % 2 == 1;
  run(text, Engine::Interpreter, watched);
  run(text, Engine::Native, watched);
  return 0;
}
