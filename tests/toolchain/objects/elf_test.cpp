#include "grader/toolchain/objects/elf.h"
#include "grader/base/demangle.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

using namespace cudalabs;

TEST_CASE("a damaged object is refused or read in part, never beyond its end") {
  CHECK_FALSE(read_elf("").ok());
  CHECK_FALSE(
      read_elf("not an object at all, but longer than a header would be, so that only the magic tells").ok());
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(self)), {});
  const auto object = read_elf(whole);
  REQUIRE(object.ok());
  CHECK(object->static_bytes > 0);
  for (std::size_t size = 0; size < 4096; size += 37)
    CHECK_FALSE(read_elf(std::string_view(whole).substr(0, size)).ok());
  // Inverts every byte of the header; any result is fine if it does not crash.
  for (std::size_t at = 0; at < 64; ++at) {
    std::string broken =
        whole.substr(0, 1 << 16) + whole.substr(whole.size() - std::min<std::size_t>(whole.size(), 1 << 16));
    broken[at] = static_cast<char>(~broken[at]);
    (void)read_elf(broken).ok();
  }
}

TEST_CASE("one symbol's name does not fill the memory") {
  const test::TemporaryFolder folder;
  const std::string source = folder.path() / "long.s", object = folder.path() / "long.o";
  std::ofstream(source) << ".globl " << std::string(5'000'000, 'x') << "\n"
                        << std::string(5'000'000, 'x') << ": nop\n";
  test::output_of({{"g++", "-c", source, "-o", object}});
  const auto read = read_elf(test::read_file(object));
  REQUIRE(read.ok());
  REQUIRE_FALSE(read->symbols.empty());
  for (const auto& symbol : read->symbols) CHECK(symbol.name.size() <= 4097);
  CHECK(shortened_name(std::string(5000, 'x')) == std::string(1000, 'x') + "...");
}

TEST_CASE("a section's bytes are replaced, in whatever object") {
  const test::TemporaryFolder folder;
  const std::string source = folder.path() / "a.cpp", object = folder.path() / "a.o";
  std::ofstream(source) << "__attribute__((section(\"ours\"))) int placed[] = {1, 2, 3};\n";
  test::output_of({{"g++", "-c", source, "-o", object}});
  const std::string before = test::read_file(object);
  const std::string bytes(1000, 'x');
  const auto after = with_section(before, "ours", bytes);
  REQUIRE(after.ok());
  CHECK(after->ends_with(bytes));
  CHECK(read_elf(*after)->static_bytes == read_elf(before)->static_bytes + bytes.size() - 12);
  CHECK(read_elf(*after)->symbols.size() == read_elf(before)->symbols.size());
  CHECK_FALSE(with_section(before, "theirs", bytes).ok());
  for (std::size_t size = 0; size < before.size(); ++size)
    (void)with_section(before.substr(0, size), "ours", bytes);
  std::ofstream(object) << *after;
  CHECK(test::output_of({{"objdump", "-s", "-j", "ours", object}}).find("78787878 78787878") !=
        std::string::npos);
}

TEST_CASE("names are demangled, made-up ones are left alone") {
  CHECK(demangled("_Z7row_maxPKfi") == "row_max(float const*, int)");
  CHECK(demangled("row_max") == "row_max");
  CHECK(demangled("_Zgarbage") == "_Zgarbage");
  const std::string endless = "_Z" + std::string(100000, 'P');
  CHECK(demangled(endless) == endless);
}
