// Compares the model of docs/counters.md with every measured row.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "grader/sim/counters/wavefronts.h"
#include "tests/harness/catch.h"

namespace {

using namespace cudalabs::sim::counting;

struct Row {
  std::string operation;
  int width = 0;
  std::uint32_t mask = 0;
  std::array<std::uint32_t, 32> addresses{};
  std::vector<int> counts;  ///< the columns after the addresses; -1 if the cell is empty
  std::string text;
};

std::vector<Row> read(const std::string& file, bool has_operation) {
  std::ifstream in(std::string(CUDALABS_SOURCE "/tests/sim/calibration/") + file);
  REQUIRE(in);
  std::vector<Row> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    Row row;
    row.text = line;
    std::istringstream cells(line);
    std::string cell;
    if (has_operation) std::getline(cells, row.operation, ',');
    std::getline(cells, cell, ',');
    row.width = std::stoi(cell);
    std::getline(cells, cell, ',');
    row.mask = static_cast<std::uint32_t>(std::stoul(cell, nullptr, 16));
    std::getline(cells, cell, ',');
    std::istringstream addresses(cell);
    for (auto& address : row.addresses) addresses >> address;
    REQUIRE(addresses);
    while (std::getline(cells, cell, ',')) row.counts.push_back(cell.empty() ? -1 : std::stoi(cell));
    rows.push_back(row);
  }
  return rows;
}

SharedAccess kind_of(const std::string& operation) {
  if (operation == "ld") return SharedAccess::Load;
  if (operation == "st") return SharedAccess::Store;
  if (operation == "inc_const") return SharedAccess::AtomicIncrement;
  if (operation.rfind("cas_", 0) == 0) return SharedAccess::AtomicCas;
  if (operation.find("matrix") != std::string::npos) return SharedAccess::Matrix;
  return SharedAccess::Atomic;
}

bool loops(const std::string& operation) {
  return operation.rfind("add_f", 0) == 0 || operation == "add_u64";
}

/// The lanes whose addresses a matrix instruction reads.
std::uint32_t address_lanes(const Row& row) {
  if (row.operation == "ldmatrix_x1") return 0xFF;
  if (row.operation == "ldmatrix_x2") return 0xFFFF;
  return row.mask;
}

}  // namespace

TEST_CASE("shared memory counts as measured", "[wavefronts]") {
  const auto rows = read("shared.csv", true);
  REQUIRE(rows.size() == 2192);
  for (const Row& row : rows) {
    INFO(row.text);
    REQUIRE(row.counts.size() == 6);
    if (loops(row.operation)) {
      const SpinCounts spin = shared_spin(row.width, row.addresses.data(), row.mask);
      CHECK(spin == SpinCounts{row.counts[0], row.counts[1], row.counts[4], row.counts[5]});
      CHECK(row.counts[3] == spin.iterations);
      continue;
    }
    const SharedAccess kind = kind_of(row.operation);
    const std::uint32_t active = address_lanes(row);
    CHECK(shared_wavefronts(row.width, row.addresses.data(), active, kind) == row.counts[1]);
    CHECK(shared_conflicts(row.width, row.addresses.data(), active, kind) == row.counts[2]);
  }
}

TEST_CASE("global memory counts as measured", "[wavefronts]") {
  const auto rows = read("global.csv", true);
  REQUIRE(rows.size() == 762);
  for (const Row& row : rows) {
    INFO(row.text);
    REQUIRE(row.counts.size() == 3);
    std::array<std::uint64_t, 32> addresses{};
    std::copy(row.addresses.begin(), row.addresses.end(), addresses.begin());
    const bool atomic = row.operation.rfind("atom", 0) == 0 || row.operation.rfind("red", 0) == 0;
    CHECK(global_requests(row.mask) == row.counts[1]);
    CHECK((atomic ? global_atomic_sectors(addresses.data(), row.mask)
                  : global_sectors(addresses.data(), row.mask)) == row.counts[2]);
  }
}

TEST_CASE("local memory counts as measured", "[wavefronts]") {
  const auto rows = read("local.csv", false);
  REQUIRE(rows.size() == 45);
  for (const Row& row : rows) {
    INFO(row.text);
    REQUIRE(row.counts.size() == 2);
    std::array<std::uint32_t, 32> offsets{};
    for (std::size_t lane = 0; lane < 32; ++lane)
      offsets[lane] = (row.addresses[lane] & 63) * static_cast<std::uint32_t>(row.width);
    CHECK(local_requests(row.width, row.mask) == row.counts[0]);
    CHECK(local_sectors(row.width, offsets.data(), row.mask) == row.counts[1]);
  }
}

TEST_CASE("bytes that many lanes access count once", "[wavefronts]") {
  std::array<std::uint64_t, 32> same{}, next{}, apart{}, overlapping{}, backwards{};
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    same[lane] = 512;
    next[lane] = 4 * lane;
    apart[lane] = 8 * lane;
    overlapping[lane] = 4 * lane;
    backwards[lane] = 4 * (31 - lane);
  }
  CHECK(distinct_bytes(same.data(), 4, ~0u) == 4);
  CHECK(distinct_bytes(next.data(), 4, ~0u) == 128);
  CHECK(distinct_bytes(apart.data(), 4, ~0u) == 128);
  CHECK(distinct_bytes(backwards.data(), 4, ~0u) == 128);
  CHECK(distinct_bytes(overlapping.data(), 8, 0xF) == 20);
  CHECK(distinct_bytes(next.data(), 4, 0) == 0);
}
