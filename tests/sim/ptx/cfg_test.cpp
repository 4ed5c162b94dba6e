#include "grader/sim/ptx/cfg.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs::ptx;

namespace {

Function function_of(const std::string& body) {
  const auto module = parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{ .reg .pred %p<9>; .reg .b32 "
      "%r<9>;\n" +
          body + "\n}\n",
      "cfg.ptx");
  if (!module) FAIL(module.problem().text());
  return module->functions[0];
}

/// The definition: b post-dominates a iff no path from a reaches the exit without b.
std::uint32_t slow_ipdom(const Cfg& cfg, std::uint32_t block) {
  const auto reaches_exit_without = [&](std::uint32_t from, std::uint32_t without) {
    std::set<std::uint32_t> seen{from};
    std::vector<std::uint32_t> stack{from};
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      stack.pop_back();
      if (at == cfg.exit()) return true;
      for (const std::uint32_t next : cfg.blocks[at].successors) {
        if (next != without && seen.insert(next).second) stack.push_back(next);
      }
    }
    return false;
  };
  std::vector<std::uint32_t> post;
  for (std::uint32_t other = 0; other < cfg.exit(); ++other) {
    if (other != block && !reaches_exit_without(block, other)) post.push_back(other);
  }
  // All other post-dominators post-dominate the immediate one.
  for (const std::uint32_t candidate : post) {
    const bool nearest = std::all_of(post.begin(), post.end(), [&](std::uint32_t other) {
      return other == candidate || !reaches_exit_without(candidate, other);
    });
    if (nearest) return candidate;
  }
  return cfg.exit();
}

}  // namespace

TEST_CASE("if-else meets behind both branches") {
  const Cfg cfg = build_cfg(function_of(R"(
    @%p1 bra ELSE;
    mov.u32 %r1, 1;
    bra JOIN;
ELSE: mov.u32 %r1, 2;
JOIN: mov.u32 %r2, 3;
    ret;)"));
  REQUIRE(cfg.blocks.size() == 4);
  CHECK(cfg.blocks[0].successors == std::vector<std::uint32_t>{1, 2});
  CHECK(cfg.blocks[3].successors == std::vector<std::uint32_t>{cfg.exit()});
  CHECK(cfg.ipdom == std::vector<std::uint32_t>{3, 3, 3, 4});
  CHECK(cfg.block_of_instruction == std::vector<std::uint32_t>{0, 1, 1, 2, 3, 3, cfg.exit()});
}

TEST_CASE("a loop meets behind itself, a guarded return at the exit") {
  const Cfg cfg = build_cfg(function_of(R"(
LOOP: add.u32 %r1, %r1, 1;
    @%p1 bra LOOP;
    @%p2 ret;
    mov.u32 %r1, 1;)"));
  REQUIRE(cfg.blocks.size() == 3);
  CHECK(cfg.ipdom == std::vector<std::uint32_t>{1, 3, 3});
}

TEST_CASE("branches inside an endless loop still meet in it") {
  const Cfg cfg = build_cfg(function_of(R"(
LOOP: @%p1 bra OTHER;
    mov.u32 %r1, 1;
    bra NEXT;
OTHER: mov.u32 %r1, 2;
NEXT: bra LOOP;)"));
  REQUIRE(cfg.blocks.size() == 4);
  CHECK(cfg.ipdom == std::vector<std::uint32_t>{3, 3, 3, 4});
}

TEST_CASE("an indirect branch goes to each of its targets, a label may stand at the end") {
  const Cfg cfg = build_cfg(function_of(R"(
    T: .branchtargets A, B, END, A;
    brx.idx %r1, T;
A:  mov.u32 %r1, 1;
    bra END;
B:  mov.u32 %r1, 2;
END:)"));
  REQUIRE(cfg.blocks.size() == 3);
  CHECK(cfg.blocks[0].successors == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(cfg.ipdom == std::vector<std::uint32_t>{3, 3, 3});
}

TEST_CASE("post-dominators agree with their definition on random graphs") {
  std::mt19937 random(7);
  int compared = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t blocks = 2 + random() % 12;
    std::string body;
    for (std::size_t i = 0; i < blocks; ++i) {
      body += "L" + std::to_string(i) + ": mov.u32 %r1, 1;\n";
      const std::string target = std::to_string(random() % (blocks + 1));
      const std::size_t kind = random() % 5;
      if (kind < 3) body += "@%p1 bra L" + target + ";\n";
      if (kind == 3) body += "bra L" + target + ";\n";
    }
    body += "L" + std::to_string(blocks) + ": ret;\n";
    const Cfg cfg = build_cfg(function_of(body));
    // Endless loops get an edge to the exit that is not part of the definition.
    std::set<std::uint32_t> leaves{cfg.exit()};
    for (bool grew = true; grew;) {
      grew = false;
      for (std::uint32_t b = 0; b < cfg.exit(); ++b) {
        const auto& next = cfg.blocks[b].successors;
        const bool out =
            std::any_of(next.begin(), next.end(), [&](std::uint32_t n) { return leaves.count(n) != 0; });
        grew |= out && leaves.insert(b).second;
      }
    }
    if (leaves.size() != cfg.blocks.size() + 1) continue;
    ++compared;
    for (std::uint32_t b = 0; b < cfg.exit(); ++b) {
      INFO(body);
      REQUIRE(cfg.ipdom[b] == slow_ipdom(cfg, b));
    }
  }
  CHECK(compared > 50);
}

TEST_CASE("a long chain of branches neither overflows the stack nor takes long") {
  std::string body;
  for (int i = 0; i < 50000; ++i)
    body += "L" + std::to_string(i) + ": @%p1 bra L" + std::to_string(i / 2) + ";\n";
  const Cfg cfg = build_cfg(function_of(body));
  CHECK(cfg.blocks.size() == 50000);
  CHECK(cfg.ipdom[0] == 1);
}
