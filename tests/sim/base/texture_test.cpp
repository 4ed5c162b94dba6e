// Hostile programs supply descriptions of textures.

#include "grader/sim/base/texture.h"

#include <functional>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

Texture plain() {
  Texture t;
  t.memory = Texture::Memory::Array;
  t.address = 0x200000100000;
  t.pitch = 64;
  t.width = 16;
  t.height = 4;
  return t;
}
std::string problem(const std::function<void(Texture&)>& change) {
  Texture t = plain();
  change(t);
  return texture_problem(t).value_or(Message()).english();
}

}  // namespace

TEST_CASE("a texture is what the device has, and its size is a number", "[texture]") {
  CHECK(problem([](Texture&) {}).empty());
  CHECK(plain().bytes() == 256);
  const std::string size = "it is larger than the device allows",
                    pitch = "the pitch is shorter than a row, or longer than the device allows",
                    extents = "an array cannot have such extents",
                    element =
                        "an element must have 1, 2 or 4 channels of 8, 16 or 32 bits (floats: 16 or 32)",
                    kind = "unknown kind of memory, element or addressing";
  CHECK(problem([](Texture& t) { t.memory = Texture::Memory{3}; }) == kind);
  CHECK(problem([](Texture& t) { t.kind = TexelKind{3}; }) == kind);
  CHECK(problem([](Texture& t) { t.addressing[2] = AddressMode{4}; }) == kind);
  CHECK(problem([](Texture& t) { t.bits = 8; }) == element);
  CHECK(problem([](Texture& t) { t.bits = 0; }) == element);
  CHECK(problem([](Texture& t) { t.channels = 3; }) == element);
  CHECK(problem([](Texture& t) { t.channels = 0x40000001; }) == element);
  CHECK(problem([](Texture& t) { t.width = 0; }) == "it has no texels");
  CHECK(problem([](Texture& t) { t.width = 0xFFFFFFFF; }) == size);
  CHECK(problem([](Texture& t) { t.height = 0x80000000; }) == size);
  CHECK(problem([](Texture& t) { t.depth = 0xFFFFFFFF; }) == size);
  CHECK(problem([](Texture& t) { t.pitch = 60; }) == pitch);
  CHECK(problem([](Texture& t) { t.pitch = ~std::uint64_t{0}; }) == pitch);
  CHECK(problem([](Texture& t) { t.pitch = 128; }) == pitch);  // an array's rows have no gaps
  CHECK(problem([](Texture& t) { t.address += 256; }).find("multiple of 512 bytes") != std::string::npos);
  CHECK(problem([](Texture& t) { t.cube = true; }) == extents);
  CHECK(problem([](Texture& t) { t.layered = true; }) == extents);
  CHECK(problem([](Texture& t) { t.height = 0, t.depth = 2; }) == extents);
  CHECK(problem([](Texture& t) { t.height = 0, t.depth = 2, t.layered = true; }).empty());
  CHECK(problem([](Texture& t) { t.height = 16, t.depth = 7, t.cube = true; }) == extents);
  CHECK(problem([](Texture& t) { t.height = 16, t.depth = 6, t.cube = true; }).empty());
  CHECK(problem([](Texture& t) { t.memory = Texture::Memory::Linear; }) == "linear memory has one dimension");
  CHECK(problem([](Texture& t) { t.memory = Texture::Memory::Pitched, t.depth = 2; }) ==
        "pitched memory has two dimensions");
  CHECK(problem([](Texture& t) { t.memory = Texture::Memory::Pitched, t.surface = true; }) ==
        "layers, cubemaps and surfaces need an array");
  CHECK(problem([](Texture& t) { t.memory = Texture::Memory::Pitched, t.pitch = 68; }) ==
        "the pitch is not a multiple of 32 bytes (texturePitchAlignment)");
  CHECK(problem([](Texture& t) { t.linear_filter = true, t.kind = TexelKind::Signed; }) ==
        "linear filtering needs float elements, or a read mode that returns floats");
  CHECK(problem([](Texture& t) { t.normalized_values = true, t.kind = TexelKind::Signed; }) ==
        "32-bit integers cannot be read as normalized floats");
}

TEST_CASE("the largest texture's size does not overflow", "[texture]") {
  Texture t = plain();
  t.width = t.height = t.depth = 131072;
  t.channels = 4;
  t.pitch = 131072 * 16;
  CHECK_FALSE(texture_problem(t));
  CHECK(t.bytes() == std::uint64_t{1} << 55);
}

}  // namespace cudalabs::sim
