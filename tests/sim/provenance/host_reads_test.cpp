// Detects which of the host's written data are copies of data that it read.

#include "grader/sim/provenance/host_reads.h"

#include <algorithm>
#include <span>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

constexpr DevicePtr kFrom = 4096;

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::byte> bytes(words.size() * 4);
  std::ranges::copy(std::as_bytes(std::span(words)), bytes.begin());
  return bytes;
}

/// For each word of `written`: the word of `read` that it is a copy of, or -1.
std::vector<int> copies(const std::vector<std::uint32_t>& read, const std::vector<std::uint32_t>& written) {
  HostReads reads;
  reads.add(kFrom, bytes_of(read), [](DevicePtr) { return ProvenanceGraph::kUnknown; });
  std::vector<int> found(written.size(), -1);
  reads.find(bytes_of(written), [&](std::size_t at, std::size_t read_number, std::size_t offset) {
    CHECK(read_number == 0);
    found[at / 4] = static_cast<int>(offset / 4);
  });
  return found;
}

}  // namespace

TEST_CASE("a copy is known as a whole, from its middle, and between padding") {
  const std::vector<std::uint32_t> read{11, 12, 13, 14, 15, 16, 17, 18};
  CHECK(copies(read, read) == std::vector{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(copies(read, {15, 16, 17, 18}) == std::vector{4, 5, 6, 7});
  CHECK(copies(read, {11, 12, 13, 14, 0, 0, 15, 16, 17, 18}) == std::vector{0, 1, 2, 3, -1, -1, 4, 5, 6, 7});
}

TEST_CASE("numbers of the host's own, and words in another order, are no copies") {
  const std::vector<std::uint32_t> read{11, 12, 13, 14, 15, 16, 17, 18};
  CHECK(copies(read, {21, 22, 23, 24, 25}) == std::vector{-1, -1, -1, -1, -1});
  CHECK(copies(read, {18, 17, 16, 15, 14, 13}) == std::vector{-1, -1, -1, -1, -1, -1});
  CHECK(copies({}, {1, 2}) == std::vector{-1, -1});
}

TEST_CASE("pieces that are given back one after the other are a copy") {
  const std::vector<std::uint32_t> read{11, 12, 13, 14, 15, 16, 17, 18};
  HostReads reads;
  reads.add(kFrom, bytes_of(read), [](DevicePtr) { return ProvenanceGraph::kUnknown; });
  std::vector<std::size_t> from;
  for (const std::uint32_t word : read)
    reads.find(bytes_of({word}), [&](std::size_t, std::size_t, std::size_t at) { from.push_back(at); });
  REQUIRE(from.size() == read.size());
  CHECK(std::ranges::is_sorted(from));
}

TEST_CASE("what lies at an odd place is not kept") {
  HostReads reads;
  CHECK_FALSE(
      reads.add(kFrom + 1, bytes_of({1, 2, 3, 4}), [](DevicePtr) { return ProvenanceGraph::kUnknown; }));
  CHECK(reads.all().empty());
}

}  // namespace cudalabs::sim
