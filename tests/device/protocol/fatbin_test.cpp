#include "grader/device/protocol/fatbin.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

struct Entry {
  std::uint16_t kind = 1;
  std::uint32_t architecture = 80;
  std::uint64_t flags = 0;
  std::string payload;
  std::uint32_t header = 64;
};

std::vector<std::byte> image_of(const std::vector<Entry>& entries) {
  std::vector<std::byte> bytes(16);
  for (const Entry& entry : entries) {
    std::vector<std::byte> header(entry.header);
    const std::uint64_t size = entry.payload.size();
    std::memcpy(header.data(), &entry.kind, 2);
    std::memcpy(header.data() + 4, &entry.header, 4);
    std::memcpy(header.data() + 8, &size, 8);
    std::memcpy(header.data() + 28, &entry.architecture, 4);
    std::memcpy(header.data() + 40, &entry.flags, 8);
    bytes.insert(bytes.end(), header.begin(), header.end());
    const auto* text = reinterpret_cast<const std::byte*>(entry.payload.data());
    bytes.insert(bytes.end(), text, text + entry.payload.size());
  }
  const std::uint32_t magic = 0xBA55ED50;
  const std::uint16_t version = 1, header = 16;
  const std::uint64_t size = bytes.size() - 16;
  std::memcpy(bytes.data(), &magic, 4);
  std::memcpy(bytes.data() + 4, &version, 2);
  std::memcpy(bytes.data() + 6, &header, 2);
  std::memcpy(bytes.data() + 8, &size, 8);
  return bytes;
}

void put(std::vector<std::byte>& bytes, std::size_t at, auto value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::string problem(const std::vector<std::byte>& image, int architecture = 80) {
  const auto found = find_ptx(image, architecture);
  return found ? "none" : found.problem().text();
}

}  // namespace

TEST_CASE("the PTX for the highest architecture that the device has is taken", "[fatbin]") {
  const auto image = image_of({{.architecture = 75, .payload = "old"},
                               {.architecture = 80, .payload = std::string("right\0\0\0", 8), .header = 104},
                               {.kind = 2, .architecture = 80, .payload = "machine code"},
                               {.architecture = 90, .payload = "new"}});
  CHECK(*find_ptx(image, 80) == "right");
  CHECK(*find_ptx(image, 86) == "right");
  CHECK(*find_ptx(image, 90) == "new");
  CHECK(*find_ptx(image, 75) == "old");
  CHECK(*find_simulated_ptx(image) == "right");
  CHECK(problem(image, 70).find("compute_75, but the device is compute_70") != std::string::npos);
}

TEST_CASE("what cannot be read is refused with what to do", "[fatbin]") {
  CHECK(problem(image_of({{.flags = 0x8011, .payload = "zstd"}})).find("nvcc -no-compress") !=
        std::string::npos);
  CHECK(problem(image_of({{.flags = 0x2011, .payload = "lz4"}})).find("nvcc -no-compress") !=
        std::string::npos);
  CHECK(problem(image_of({{.kind = 2, .payload = "code"}})).find("no PTX") != std::string::npos);
  CHECK(problem(image_of({})).find("no GPU code") != std::string::npos);
}

TEST_CASE("a section of zeros ends where they begin", "[fatbin]") {
  auto section = image_of({{.architecture = 90, .payload = "abcdefgh"}});
  section.resize((section.size() + 7) / 8 * 8 + 64);
  CHECK(needed_architecture(section) == 90);
  CHECK(images_in(std::vector<std::byte>(64)).empty());
  std::vector<std::byte> damaged(64, std::byte{1});
  std::memset(damaged.data() + 6, 0, 10);
  CHECK(images_in(damaged).size() == 1);
}

TEST_CASE("every length is checked", "[fatbin]") {
  const auto good = image_of({{.payload = "abcdefgh"}, {.payload = "ijklmnop"}});
  REQUIRE(find_ptx(good, 80));
  for (std::size_t size = 0; size < good.size(); ++size) {
    CHECK_FALSE(find_ptx(std::span(good).first(size), 80));
  }
  const auto broken = [&](std::size_t at, auto value) {
    auto image = good;
    put(image, at, value);
    return problem(image).find("damaged") != std::string::npos;
  };
  CHECK(broken(0, std::uint32_t{0x12345678}));
  CHECK(broken(6, std::uint16_t{15}));
  CHECK(broken(6, std::uint16_t{60000}));
  CHECK(broken(8, ~std::uint64_t{0}));
  CHECK(broken(16 + 4, std::uint32_t{63}));
  CHECK(broken(16 + 4, std::uint32_t{0}));
  CHECK(broken(16 + 4, ~std::uint32_t{0}));
  CHECK(broken(16 + 8, ~std::uint64_t{0}));
  CHECK(broken(16 + 8, ~std::uint64_t{0} - 63));
  CHECK(broken(16 + 8, std::uint64_t{1000}));
}

namespace {

/// An ELF file with one section for each name, preceded by the table of names.
std::string elf_of(const std::vector<std::pair<std::string, std::uint32_t>>& sections) {
  std::string names(1, '\0');
  std::vector<std::uint32_t> name_at;
  for (const auto& [name, registers] : sections) {
    name_at.push_back(static_cast<std::uint32_t>(names.size()));
    names += name + '\0';
  }
  const auto put_in = [](std::string& bytes, std::size_t at, auto value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  std::string elf(64, '\0');
  elf.replace(0, 6,
              std::string("\x7f"
                          "ELF\x02\x01",
                          6));
  put_in(elf, 40, std::uint64_t{64});
  put_in(elf, 58, std::uint16_t{64});
  put_in(elf, 60, static_cast<std::uint16_t>(sections.size() + 1));
  put_in(elf, 62, std::uint16_t{0});
  std::string table(64, '\0');
  put_in(table, 24, std::uint64_t{64 + 64 * (sections.size() + 1)});
  for (std::size_t i = 0; i < sections.size(); ++i) {
    std::string header(64, '\0');
    put_in(header, 0, name_at[i]);
    put_in(header, 44, sections[i].second << 24 | 7);
    table += header;
  }
  return elf + table + names;
}

}  // namespace

TEST_CASE("the registers of kernels are read from machine code for the device alone", "[fatbin]") {
  const std::string code =
      elf_of({{".text._Z1fv", 40}, {".text.g", 255}, {".nv.info.g", 9}, {".text.none", 0}});
  const auto image = image_of({{.payload = "ptx"},
                               {.kind = 2, .architecture = 90, .payload = elf_of({{".text.g", 90}})},
                               {.kind = 2, .architecture = 80, .payload = code}});
  CHECK(find_registers(image, 80) == sim::RegisterCounts{{"_Z1fv", 40}, {"g", 255}});
  CHECK(find_registers(image, 90) == sim::RegisterCounts{{"g", 90}});
  CHECK(find_registers(image, 86).empty());
  CHECK(*find_ptx(image, 80) == "ptx");
  const std::vector<Entry> packed = {{.kind = 2, .flags = 0x8000, .payload = code}};
  CHECK(find_registers(image_of(packed), 80).empty());
}

TEST_CASE("since sm_90 the registers of kernels stand in a section of their own", "[fatbin]") {
  std::string code = elf_of({{".text.g", 0}, {".text.h", 0}, {".nv.info", 0}});
  const auto put_in = [](std::string& bytes, std::size_t at, auto value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  };
  std::string info(
      "\x04\x11\x08\0\x07\0\0\0\x63\0\0\0"  // another attribute of symbol 7
      "\x02\x5f\x08\0"                      // one without bytes of its own
      "\x04\x2f\x08\0\x07\0\0\0\x28\0\0\0",
      28);
  put_in(code, 64 + 3 * 64 + 24, std::uint64_t{code.size()});
  put_in(code, 64 + 3 * 64 + 32, std::uint64_t{info.size()});
  put_in(code, 64 + 2 * 64 + 44, std::uint32_t{8});  // a symbol that no entry names
  const auto found = [](const std::string& elf) {
    return find_registers(image_of({{.kind = 2, .architecture = 90, .payload = elf}}), 90);
  };
  CHECK(found(code + info) == sim::RegisterCounts{{"g", 40}});
  for (std::size_t bytes = 0; bytes < info.size(); ++bytes)
    CHECK(found(code + info.substr(0, bytes)).empty());
  put_in(info, 18, std::uint16_t{0xFFFF});
  CHECK(found(code + info).empty());
}

TEST_CASE("machine code that is cut short or changed says nothing wrong", "[fatbin]") {
  const std::string code = elf_of({{".text._Z1fv", 40}, {".text.g", 255}});
  const sim::RegisterCounts whole{{"_Z1fv", 40}, {"g", 255}};
  for (std::size_t bytes = 0; bytes < code.size(); ++bytes) {
    const auto found = find_registers(image_of({{.kind = 2, .payload = code.substr(0, bytes)}}), 80);
    INFO(bytes);
    CHECK(std::includes(whole.begin(), whole.end(), found.begin(), found.end()));
  }
  for (const std::size_t place : {40, 58, 60, 62, 64 + 24, 128, 128 + 44}) {
    std::string changed = code;
    changed.replace(place, 2, "\xff\xff");
    (void)find_registers(image_of({{.kind = 2, .payload = changed}}), 80);  // the sanitizers check the rest
  }
}
