// Textures read by PTX: cases that depend on one bit, and invalid textures.
// tests/programs/runtime/textures.cu checks the formulas as a whole; it also runs on GPUs.

#include "grader/sim/ops/memory/texture_ops.h"

#include <bit>
#include <limits>

#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/text_kernel.h"

namespace cudalabs::sim {
namespace {

/// Reads at 32 coordinates from its argument: the object, then the coordinates, then space for the results.
struct Reader {
  explicit Reader(const std::string& instruction)
      : kernel(kTextHead +
               kernel_with("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1;\n"
                           "ld.global.u64 %rd3, [%rd1]; ld.global.f32 %f1, [%rd2+8];\n"
                           "ld.global.b32 %r2, [%rd2+8];\n" +
                           instruction + "\nst.global.f32 [%rd2+136], %f1;")) {}
  Texture row(const std::vector<float>& texels) {
    Texture t;
    t.memory = Texture::Memory::Array;
    t.width = static_cast<std::uint32_t>(texels.size());
    t.pitch = texels.size() * 4;
    t.address = kernel.zeros(t.pitch);
    t.addressing.fill(AddressMode::Clamp);
    std::memcpy(kernel.simulator.bytes(t.address, t.pitch).data(), texels.data(), t.pitch);
    return t;
  }
  std::uint64_t object(const Texture& t) {
    const auto made = kernel.simulator.add_texture(t);
    REQUIRE(made);
    return *made;
  }
  /// Reads at up to 32 coordinates (or integers, as their bits).
  std::vector<float> at(std::uint64_t object, std::vector<float> coordinates) {
    const std::size_t count = coordinates.size();
    const DevicePtr memory = kernel.zeros(8 + 256);
    std::memcpy(kernel.simulator.bytes(memory, 8).data(), &object, 8);
    std::memcpy(kernel.simulator.bytes(memory + 8, count * 4).data(), coordinates.data(), count * 4);
    last = kernel.launch(memory, 1, 32, options);
    return kernel.values<float>(memory + 136, count);
  }
  TextKernel kernel;
  LaunchOptions options;
  LaunchResult last;
};

const char* const kRow = "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f1}];";
const char* const kElement = "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r2}];";

}  // namespace

TEST_CASE("a fraction has 8 bits, to nearest, and 256 of them are the next texel", "[texture]") {
  for (const Engine engine : {Engine::Interpreter, Engine::Native}) {
    Reader reader(kRow);
    reader.options.engine = engine;
    Texture t = reader.row({0, 256, 512});
    t.linear_filter = true;
    const std::uint64_t object = reader.object(t);
    const auto of = [](float part) { return 0.5f + part / 256; };
    CHECK(reader.at(object, {of(0), of(0.25f), of(0.5f), of(1.25f), of(128), of(255.25f), of(255.5f),
                             of(256)}) == std::vector<float>{0, 0, 1, 1, 128, 255, 256, 256});
    CHECK(reader.at(object, {-1e30f, 1e30f, -std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN()}) == std::vector<float>{0, 512, 0, 0});
  }
}

TEST_CASE("a row is filtered as the first of rows, and its weights are whole 256ths", "[texture]") {
  Reader reader(kRow);
  Texture t = reader.row({-100, -92, -84});
  t.linear_filter = true;
  t.addressing.fill(AddressMode::Border);
  t.border.fill(7);
  // The first texel has the weights 41 and 115 of 256. The previous row belongs to the border and has half
  // the weight.
  const std::vector<float> at = {-0.33984375f, -0.05078125f, 0.5f};
  CHECK(reader.at(reader.object(t), at) ==
        std::vector<float>{7 - 107 * 21 / 256.0f, 7 - 107 * 58 / 256.0f, (7 - 100) / 2.0f});
  t.addressing[1] = AddressMode::Clamp;
  CHECK(reader.at(reader.object(t), at) ==
        std::vector<float>{7 - 107 * 41 / 256.0f, 7 - 107 * 115 / 256.0f, -100});
}

TEST_CASE("of three fractions no texel weighs less than nothing, and all together one", "[texture]") {
  for (std::size_t corner = 0; corner < 8; ++corner) {
    // The products of the first two and of the first and third are 1/512. Rounded up to 1/256 they exceed the
    // sum by a factor of two.
    Reader reader(
        "mov.f32 %f3, 0f3F800000;\n"
        "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd3, {%f1, %f3, %f3, %f3}];");
    std::vector<float> texels(8);
    texels[corner] = 256;
    Texture t = reader.row(texels);
    t.width = t.height = t.depth = 2;
    t.pitch = 8;
    t.linear_filter = true;
    const float weights[8] = {64, 0, 63, 1, 63, 1, 64, 0};
    CHECK(reader.at(reader.object(t), {0.5f + 1 / 256.0f}) == std::vector<float>{weights[corner]});
  }
}

TEST_CASE("channels that there are not are zero, the fourth one too", "[texture]") {
  Reader reader("tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f1}, [%rd3, {%f1}];");
  CHECK(reader.at(reader.object(reader.row({5, 6})), {1.5f}) == std::vector<float>{0});
}

TEST_CASE("what has no part in a result is not read", "[texture]") {
  Reader reader(kRow);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Texture t = reader.row({nan, 7, nan});
  t.linear_filter = true;
  CHECK(reader.at(reader.object(t), {1.5f}) == std::vector<float>{7});
  CHECK(reader.last.counters.global_load_requests ==
        3 + 2);  // lanes with 0 get the first texel, lanes with 1 the second
}

TEST_CASE("a texel that is a float keeps its bits", "[texture]") {
  const std::uint32_t signalling = 0x7F800001;
  Reader reader(kElement);
  Texture t = reader.row({std::bit_cast<float>(signalling), 2});
  t.memory = Texture::Memory::Linear;
  const std::vector<float> got = reader.at(
      reader.object(t),
      {std::bit_cast<float>(0), std::bit_cast<float>(1), std::bit_cast<float>(2), std::bit_cast<float>(-1)});
  CHECK(std::bit_cast<std::uint32_t>(got[0]) == signalling);
  CHECK(std::vector<float>(got.begin() + 1, got.end()) == std::vector<float>{2, 0, 0});
}

TEST_CASE("what is no texture of the kind is a fault that says so", "[texture]") {
  Reader reader(kRow);
  const auto fault = [&](std::uint64_t object) {
    reader.at(object, {0.5f});
    CHECK((reader.last.fault.kind == FaultKind::OutOfBounds || reader.last.fault.kind == FaultKind::None));
    return reader.last.fault.message.english();
  };
  CHECK(fault(0) == "tex1D() of a texture object that was never created");
  CHECK(fault(77) == "tex1D() of a texture object that was never created");
  const Texture row = reader.row({1, 2});
  const std::uint64_t first = reader.object(row);
  CHECK(fault(first).empty());
  CHECK(reader.kernel.simulator.remove_texture(first));
  CHECK_FALSE(reader.kernel.simulator.remove_texture(first));
  CHECK(fault(first) == "tex1D() of a texture object that was destroyed");
  Texture t = row;
  t.surface = true;
  CHECK(fault(reader.object(t)) == "tex1D() needs a texture object, but this is a surface object");
  t = row;
  t.memory = Texture::Memory::Linear;
  CHECK(fault(reader.object(t)) == "tex1D() does not support linear memory");
  CHECK(reader.last.fault.advice.english() == "Read a texture of linear memory with tex1Dfetch().");
  t = row;
  t.layered = true;
  t.depth = 1;
  CHECK(fault(reader.object(t)) == "tex1D() does not support a layered 1-dimensional array");
  const std::uint64_t freed = reader.object(row);
  REQUIRE(reader.kernel.simulator.free(row.address));
  CHECK(fault(freed).find("is inside memory that was freed") != std::string::npos);
  Reader fetch(kElement);
  fetch.at(fetch.object(fetch.row({1})), {0});
  CHECK(fetch.last.fault.message.english() == "tex1Dfetch() does not support a 1-dimensional array");
}

TEST_CASE("a texture shows nothing but live memory", "[texture]") {
  Reader reader(kRow);
  Texture t = reader.row({1, 2});
  t.width = 3;
  t.pitch = 12;
  CHECK_FALSE(reader.kernel.simulator.add_texture(t));
  t.width = 1u << 30;
  CHECK_FALSE(reader.kernel.simulator.add_texture(t));
}

}  // namespace cudalabs::sim
