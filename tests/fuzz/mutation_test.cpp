// The fuzzers' corpora and repeatable mutations of them, so that every build runs them.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>

#include "grader/device/protocol/fatbin.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

extern "C" {
int ptx_run_fuzz(const std::uint8_t* data, std::size_t size);
int protocol_fuzz(const std::uint8_t* data, std::size_t size);
int fatbin_fuzz(const std::uint8_t* data, std::size_t size);
int yaml_fuzz(const std::uint8_t* data, std::size_t size);
int messages_fuzz(const std::uint8_t* data, std::size_t size);
int names_fuzz(const std::uint8_t* data, std::size_t size);
int submission_fuzz(const std::uint8_t* data, std::size_t size);
int archive_fuzz(const std::uint8_t* data, std::size_t size);
}

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<Bytes> corpus(const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(CUDALABS_SOURCE "/fuzz/corpus/" + name)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Bytes> all;
  for (const auto& file : files) all.push_back(read(file));
  return all;
}

/// Flips bits, overwrites with edge values, cuts and repeats: the same mutants in every run.
Bytes mutate(Bytes bytes, std::mt19937& random) {
  static constexpr std::uint64_t edges[] = {0,          1,          0x7f,  0xff,      0xffff,
                                            0x7fffffff, 0xffffffff, ~0ull, ~0ull - 7, 1ull << 63};
  for (unsigned count = 1 + random() % 4; count != 0 && !bytes.empty(); --count) {
    const std::size_t at = random() % bytes.size();
    switch (random() % 5) {
      case 0: bytes[at] ^= static_cast<std::uint8_t>(1u << random() % 8); break;
      case 1: {
        const std::uint64_t edge = edges[random() % std::size(edges)];
        std::memcpy(bytes.data() + at, &edge,
                    std::min<std::size_t>(std::size_t{1} << random() % 4, bytes.size() - at));
        break;
      }
      case 2: bytes.resize(at); break;
      case 3: bytes.insert(bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end()); break;
      default: bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at)); break;
    }
    if (bytes.size() > 20'000) bytes.resize(20'000);
  }
  return bytes;
}

int run_all(const std::string& name, int (*target)(const std::uint8_t*, std::size_t), int mutants) {
  std::mt19937 random(7);
  int runs = 0;
  for (const Bytes& seed : corpus(name)) {
    target(seed.data(), seed.size());
    for (int i = 0; i < mutants; ++i) {
      const Bytes mutant = mutate(seed, random);
      target(mutant.data(), mutant.size());
      ++runs;
    }
  }
  return runs;
}

std::string_view ptx_or_problem(const Bytes& image, std::string& problem) {
  const auto ptx = find_ptx(std::as_bytes(std::span(image)), 80);
  if (ptx) return *ptx;
  return problem = ptx.problem().text();
}

}  // namespace

TEST_CASE("mutated kernels are refused, end or fault", "[mutation]") {
  CHECK(run_all("ptx_run", ptx_run_fuzz, 2000) == 60000);
}

TEST_CASE("mutated client messages are survived", "[mutation]") {
  CHECK(run_all("protocol", protocol_fuzz, 3000) == 18000);
}

TEST_CASE("mutated fat binaries are survived", "[mutation]") {
  CHECK(run_all("fatbin", fatbin_fuzz, 20000) == 60000);
}

TEST_CASE("mutated configurations are survived", "[mutation]") {
  CHECK(run_all("yaml", yaml_fuzz, 1000) == 3000);
}

TEST_CASE("mutated messages of compilers are survived", "[mutation]") {
  CHECK(run_all("messages", messages_fuzz, 1000) == 4000);
}

TEST_CASE("mutated names of kernels are survived", "[mutation]") {
  CHECK(run_all("names", names_fuzz, 20000) == 60000);
}

TEST_CASE("mutated folders of students are survived", "[mutation]") {
  CHECK(run_all("submission", submission_fuzz, 1000) == 2000);
}

TEST_CASE("mutated archives of classes are survived", "[mutation]") {
  CHECK(run_all("archive", archive_fuzz, 1000) == 6000);
}

TEST_CASE("what nvcc made is read", "[mutation]") {
  const std::vector<Bytes> images = corpus("fatbin");
  REQUIRE(images.size() == 3);
  std::string problem;
  CHECK(ptx_or_problem(images[0], problem).find(".visible .entry _Z1kPi(") != std::string_view::npos);
  CHECK(ptx_or_problem(images[1], problem).find("-no-compress") != std::string_view::npos);
  CHECK(ptx_or_problem(images[2], problem).find(".target sm_80") != std::string_view::npos);
}
