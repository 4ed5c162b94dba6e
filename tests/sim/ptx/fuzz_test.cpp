// The fuzzer's corpus and simple, repeatable mutations of it, so that every build runs them.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/harness/catch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::string> seeds() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {CUDALABS_SOURCE "/fuzz/corpus/ptx", CUDALABS_TEST_DATA "/golden"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

int feed(const std::string& text) {
  return LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

/// A word and the blank before it: roughly a token.
std::string piece(const std::string& text, std::size_t at) {
  const std::size_t end = text.find_first_of(" \t\n,;", at + 1);
  return text.substr(at, std::min<std::size_t>(end - at, 40));
}

}  // namespace

TEST_CASE("the corpus passes through the front end") {
  const auto texts = seeds();
  REQUIRE(texts.size() > 30);
  for (const std::string& text : texts) CHECK(feed(text) == 0);
}

TEST_CASE("mutations of the corpus pass through the front end") {
  const auto texts = seeds();
  std::mt19937 random(20240607);
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  int fed = 0;
  for (const std::string& seed : texts) {
    for (int round = 0; round < 60; ++round) {
      std::string text = seed;
      for (std::size_t change = below(4) + 1; change > 0 && !text.empty(); --change) {
        const std::size_t at = below(text.size());
        switch (below(7)) {
          case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
          case 1: text.resize(at); break;
          case 2: text.insert(at, piece(text, below(text.size()))); break;
          case 3: text.erase(at, below(12)); break;
          case 4: text.insert(at, piece(texts[below(texts.size())], 0)); break;
          case 5: text[at] = "(){}[]<>;,:.@!|%-+0$_\"\\/*\n"[below(26)]; break;
          default: text.insert(at, std::to_string(random() * 4294967297ULL)); break;
        }
      }
      feed(text);
      ++fed;
    }
  }
  CHECK(fed > 2000);
}

TEST_CASE("every beginning of a text passes through the front end") {
  for (const std::string& text : seeds()) {
    const std::size_t step = text.size() / 40 + 1;
    for (std::size_t length = 0; length < text.size(); length += step)
      CHECK(feed(text.substr(0, length)) == 0);
  }
}
