// Remarks derived from the counters: structure, work done on the CPU, and reasons for slow code.

#include "grader/grading/score/remarks.h"

#include <utility>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

constexpr std::uint64_t kElements = 1000 * 1000;

/// The timed case of 1000 x 1000 floats, with the right answer of one launch that has these counters on line
/// 12.
CaseEvidence timed_case(const sim::Counters& counters) {
  CaseEvidence evidence;
  evidence.name = "rows=1000 cols=1000 uniform";
  evidence.timed = true;
  evidence.verdict = Verdict::Accepted;
  evidence.input_bytes = kElements * 4;
  evidence.output_bytes = 4000;
  LaunchRecord launch;
  launch.kernel = "kernel";
  launch.kernel_full = "kernel(float const*)";
  launch.counters = counters;
  launch.lines = {{"/build/row_max.cu", 12, counters}};
  evidence.launches.push_back(launch);
  return evidence;
}

/// A tile kernel: every element goes through shared memory once, all lanes busy.
sim::Counters tile_counters() {
  sim::Counters c;
  c.warp_instructions = 1000000;
  c.thread_instructions = 32000000;
  c.global_load_requests = kElements / 32;
  c.global_load_sectors = c.global_load_ideal_sectors = kElements / 8;
  c.global_load_bytes = kElements * 4;
  c.global_store_requests = 32;
  c.global_store_sectors = 125;
  c.global_store_bytes = 4000;
  c.global_store_ideal_sectors = 128;
  c.source_shared_store_instructions = c.source_shared_store_wavefronts = kElements / 32;
  c.source_shared_load_instructions = c.source_shared_load_wavefronts = kElements / 32;
  c.shared_store_bytes = c.shared_load_bytes = kElements * 4;
  return c;
}

StructureRemark judge(Requirement requirement, const sim::Counters& counters, double limit) {
  return judge_structure({requirement, 10, limit}, timed_case(counters), {});
}

/// Uses the limit of a lab that does not set one.
StructureRemark judge(Requirement requirement, const sim::Counters& counters) {
  return judge(requirement, counters, requirement == Requirement::UsesSharedMemory ? 1.0 / 16 : 1.25);
}

}  // namespace

TEST_CASE("shared memory counts when the data goes through it") {
  CHECK(judge(Requirement::UsesSharedMemory, tile_counters()).satisfied);

  SECTION("none at all") {
    sim::Counters c = tile_counters();
    c.source_shared_store_instructions = c.source_shared_store_wavefronts = c.shared_store_bytes = 0;
    c.source_shared_load_instructions = c.source_shared_load_wavefronts = c.shared_load_bytes = 0;
    const StructureRemark remark = judge(Requirement::UsesSharedMemory, c);
    CHECK_FALSE(remark.satisfied);
    CHECK(remark.problem.reason.english() == "the compiled kernels never access shared memory");
  }
  SECTION("a token access") {
    sim::Counters c = tile_counters();
    c.shared_store_bytes = 32 * 128;
    const StructureRemark remark = judge(Requirement::UsesSharedMemory, c);
    CHECK_FALSE(remark.satisfied);
    CHECK(remark.problem.where == Location{"row_max.cu", 12, 0});
  }
  SECTION("partial sums pass where the lab asks for no more") {
    sim::Counters c = tile_counters();
    c.shared_store_bytes = kElements * 4 / 32;
    CHECK_FALSE(judge(Requirement::UsesSharedMemory, c).satisfied);
    CHECK(judge(Requirement::UsesSharedMemory, c, 1.0 / 64).satisfied);
  }
  SECTION("stored but never read again") {
    sim::Counters c = tile_counters();
    c.shared_load_bytes = 128;
    CHECK_FALSE(judge(Requirement::UsesSharedMemory, c).satisfied);
  }
  SECTION("what is added there by atomics is both stored and loaded") {
    sim::Counters c = tile_counters();
    c.shared_atomic_bytes = std::exchange(c.shared_store_bytes, 0);
    c.shared_load_bytes = 0;
    CHECK(judge(Requirement::UsesSharedMemory, c).satisfied);
  }
  SECTION("one thread that stores over and over") {
    sim::Counters c = tile_counters();  // the same number of instructions, each by one lane of its warp
    c.shared_store_bytes /= 32;
    CHECK_FALSE(judge(Requirement::UsesSharedMemory, c).satisfied);
  }
  SECTION("what is copied there without passing registers counts") {
    sim::Counters c = tile_counters();
    c.shared_copied_bytes = c.shared_store_bytes;
    c.shared_store_bytes = c.source_shared_store_instructions = c.source_shared_store_wavefronts = 0;
    CHECK(judge(Requirement::UsesSharedMemory, c).satisfied);
  }
}

TEST_CASE("lanes that come in turn have the conflicts that they would have together") {
  sim::Counters c = tile_counters();
  CHECK(judge(Requirement::BankConflictFree, c).satisfied);
  c.shared_serial_conflicts = c.source_shared_load_instructions / 8;  // the last rounds of a reduction
  CHECK(judge(Requirement::BankConflictFree, c).satisfied);
  c.shared_serial_conflicts = c.source_shared_load_instructions;
  const StructureRemark remark = judge(Requirement::BankConflictFree, c);
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.problem.reason.english() ==
        "lanes access shared memory one after the other, which takes as long as the 31,250 bank conflicts of "
        "one access by all");
}

TEST_CASE("a tile that the results do not come from has no merit") {
  const CaseEvidence evidence = timed_case(tile_counters());
  sim::Provenance origins;
  origins.results = 10;
  origins.elements = 1000;
  origins.file = "/home/me/row_max.cu";
  origins.line = 12;
  for (const Requirement requirement : {Requirement::UsesSharedMemory, Requirement::BankConflictFree}) {
    const StructurePoints wanted{requirement, 10, 1.0 / 16};
    origins.known = true;
    origins.past_shared = 500;  // one of two matrices
    CHECK(judge_structure(wanted, evidence, origins).satisfied);
    origins.past_shared = 700;
    const StructureRemark remark = judge_structure(wanted, evidence, origins);
    CHECK_FALSE(remark.satisfied);
    CHECK(remark.problem.reason.english() ==
          "shared memory is used, but results bypass it: 70 % of the input elements that a result depends on "
          "do not go through it");
    CHECK(remark.problem.where == Location{"row_max.cu", 12, 0});
    origins.own_reads = 1000;
    CHECK(judge_structure(wanted, evidence, origins).problem.reason.english() ==
          "shared memory is used, but each thread reads only what it stored itself, which a register could "
          "hold");
    origins.own_reads = 0;
    origins.known = false;
    CHECK(judge_structure(wanted, evidence, origins).satisfied);  // not requested
  }
}

TEST_CASE("structure that rests on what results are made of is not given where that cannot be told") {
  using Unknown = sim::Provenance::Unknown;
  const CaseEvidence evidence = timed_case(tile_counters());
  const StructurePoints wanted{Requirement::UsesSharedMemory, 10, 1.0 / 16};
  const auto why = [&](Unknown unknown) {
    sim::Provenance origins;
    origins.why = unknown;
    const StructureRemark remark = judge_structure(wanted, evidence, origins);
    return remark.satisfied ? "" : remark.problem.reason.english();
  };
  CHECK(why(Unknown::NotAsked).empty());
  CHECK(why(Unknown::Memory) ==
        "data provenance is unknown: the small case that is traced accesses too much memory");
  CHECK(why(Unknown::Steps) ==
        "data provenance is unknown: the small case that is traced takes too many steps");
  sim::Provenance nothing;  // for example a canary: no element contributes to the results
  nothing.known = true;
  CHECK(judge_structure(wanted, evidence, nothing)
            .problem.reason.english()
            .starts_with("shared memory is used, but no result depends on it"));
}

TEST_CASE("what the timed case moves through shared memory may not be far from what it must") {
  sim::Provenance origins;
  origins.known = true;
  origins.results = 10;
  origins.elements = 1000;
  const StructurePoints wanted{Requirement::UsesSharedMemory, 10, 1.0 / 16};
  sim::Counters c = tile_counters();
  CHECK(judge_structure(wanted, timed_case(c), origins).satisfied);
  c.shared_load_bytes = 128;
  const StructureRemark remark = judge_structure(wanted, timed_case(c), origins);
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.problem.reason.english().starts_with("shared memory is used, but most data bypasses it"));
}

TEST_CASE("constant memory that the results do not come from has no merit") {
  sim::Counters c;
  c.constant_load_instructions = 100;
  const CaseEvidence evidence = timed_case(c);
  const StructurePoints wanted{Requirement::UsesConstantMemory, 10, 0};
  sim::Provenance origins;
  CHECK(judge_structure(wanted, evidence, origins).satisfied);  // no provenance was tracked
  // Parameters are in constant memory too, and every kernel reads them.
  CHECK(judge_structure(wanted, timed_case({}), origins).problem.reason.english() ==
        "the kernels never read a __constant__ array");
  origins.known = true;
  origins.results = 10;
  origins.constants = 40;
  CHECK(judge_structure(wanted, evidence, origins).satisfied);
  origins.from_table = 40;  // and the same from global memory
  const StructureRemark remark = judge_structure(wanted, evidence, origins);
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.problem.reason.english() ==
        "results bypass constant memory: a result depends on 4 elements from there and on 4 in global "
        "memory, of the same array or written by the host");
  std::swap(origins.from_table, origins.made_by_host);
  CHECK_FALSE(judge_structure(wanted, evidence, origins).satisfied);
  origins.made_by_host = 10;  // one each, for example a factor
  CHECK(judge_structure(wanted, evidence, origins).satisfied);
  origins.made_by_host = 0;
  origins.from_table = 40;
  origins.constants = 0;
  CHECK(judge_structure(wanted, evidence, origins).problem.reason.english() ==
        "constant memory is read, but the results do not depend on it");
  // A few of the first elements may be read in place, for example to check a degree. Constants may be read
  // once and kept in shared memory for many results.
  CaseEvidence kept = timed_case(c);
  kept.launches.front().counters.global_load_requests = 1000;
  origins.from_table = 0;
  origins.constants = 40;
  CHECK(judge_structure(wanted, kept, origins).satisfied);
  CHECK_FALSE(judge_structure(wanted, kept, {}).satisfied);  // no provenance was tracked
  origins.table = 16;
  origins.constants = 160;
  origins.from_table = 160;
  CHECK_FALSE(judge_structure(wanted, evidence, origins).satisfied);
  origins.from_table = 40;
  CHECK(judge_structure(wanted, evidence, origins).satisfied);
}

TEST_CASE("bank conflicts are counted, and their line is named") {
  CHECK(judge(Requirement::BankConflictFree, tile_counters()).satisfied);

  sim::Counters c = tile_counters();
  c.source_shared_load_wavefronts *= 32;
  c.source_shared_load_bank_conflicts = c.source_shared_load_wavefronts / 32 * 31;
  const StructureRemark remark = judge(Requirement::BankConflictFree, c);
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.observed.english() == "968,750 bank conflicts in 62,500 shared-memory accesses by a warp");
  CHECK(remark.problem.where == Location{"row_max.cu", 12, 0});

  SECTION("no shared memory is not conflict-free shared memory") {
    CHECK_FALSE(judge(Requirement::BankConflictFree, sim::Counters{}).satisfied);
  }
}

TEST_CASE("coalescing compares sectors with what the access needs") {
  CHECK(judge(Requirement::Coalesced, tile_counters()).satisfied);

  SECTION("a row for each thread") {
    sim::Counters c = tile_counters();
    c.global_load_sectors = c.global_load_requests * 32;
    const StructureRemark remark = judge(Requirement::Coalesced, c);
    CHECK_FALSE(remark.satisfied);
    CHECK(remark.problem.reason.english() ==
          "global loads are not coalesced: one warp access touches 32.0 sectors of 32 bytes, the ideal is 4");
    CHECK(remark.problem.where == Location{"row_max.cu", 12, 0});
  }
  SECTION("vectors of four need sixteen sectors and are perfect, however often they are read") {
    sim::Counters c = tile_counters();
    c.global_load_sectors = c.global_load_ideal_sectors = c.global_load_requests * 16;
    c.global_load_bytes *= 4;
    const StructureRemark remark = judge(Requirement::Coalesced, c);
    CHECK(remark.satisfied);
    CHECK(remark.observed.english() ==
          "loads: 16.0 sectors a warp access (16 is ideal), stores: 3.91 sectors a warp access (4 is ideal)");
  }
  SECTION("every second element, once, is no more traffic than the data") {
    sim::Counters c = tile_counters();
    c.global_load_requests /= 2;
    c.global_load_ideal_sectors /= 2;
    CHECK(judge(Requirement::Coalesced, c).satisfied);
  }
  SECTION("scattered stores") {
    sim::Counters c = tile_counters();
    c.global_store_requests = kElements / 32;
    c.global_store_ideal_sectors = kElements / 8;
    c.global_store_sectors = kElements;
    CHECK_FALSE(judge(Requirement::Coalesced, c).satisfied);
  }
  SECTION("reading the input several times, each time coalesced, is still coalesced") {
    sim::Counters c = tile_counters();
    c.global_load_requests *= 8;
    c.global_load_sectors *= 8;
    c.global_load_ideal_sectors *= 8;
    c.global_load_bytes *= 8;
    CHECK(judge(Requirement::Coalesced, c).satisfied);
  }
  SECTION("one lane at a time is a sector for each element") {
    sim::Counters c = tile_counters();
    c.global_load_requests = c.global_load_sectors = c.global_load_ideal_sectors = kElements;
    const StructureRemark remark = judge(Requirement::Coalesced, c);
    CHECK_FALSE(remark.satisfied);
    CHECK(remark.problem.reason.english().starts_with("global loads are not coalesced: they move "));
    CHECK(remark.problem.where == Location{"row_max.cu", 12, 0});
  }
  SECTION("one lane of each block stores its sum") {
    sim::Counters c = tile_counters();
    c.global_store_requests = c.global_store_sectors = c.global_store_ideal_sectors = kElements / 256;
    c.global_store_bytes = kElements / 64;
    CHECK(judge(Requirement::Coalesced, c).satisfied);
  }
}

TEST_CASE("atomics that collide in a bank are conflicts, and the advice is theirs") {
  sim::Counters c = tile_counters();
  c.shared_atomic_instructions = 10;
  c.shared_atomic_wavefronts = 10;
  CHECK(judge(Requirement::BankConflictFree, c).satisfied);
  c.shared_atomic_wavefronts = 320;
  c.shared_atomic_bank_conflicts = 310;
  const StructureRemark remark = judge(Requirement::BankConflictFree, c);
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.observed.english().starts_with("310 bank conflicts in "));
  CHECK(remark.problem.advice.english().starts_with("Combine the warp's values with shuffles"));
}

TEST_CASE("strided atomics are not coalesced, those on one element are no stride") {
  sim::Counters c = tile_counters();
  c.global_atomic_requests = kElements / 32;
  c.global_atomic_ideal_sectors = kElements / 8;
  c.global_atomic_sectors = kElements;
  c.global_atomic_distinct_sectors = kElements / 32;  // one each
  CHECK(judge(Requirement::Coalesced, c).satisfied);
  c.global_atomic_distinct_sectors = kElements;
  const StructureRemark remark = judge(Requirement::Coalesced, c);
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.problem.reason.english().starts_with(
      "global atomics are not coalesced: one warp access touches 32.0 sectors"));
}

TEST_CASE("good accesses elsewhere do not hide a line of bad ones") {
  CaseEvidence evidence = timed_case(tile_counters());
  sim::Counters good, bad;
  good.global_load_requests = 9 * kElements / 32;
  good.global_load_sectors = good.global_load_ideal_sectors = 9 * kElements / 8;
  bad.global_load_requests = kElements / 320;
  bad.global_load_sectors = kElements / 10;
  bad.global_load_ideal_sectors = kElements / 80;
  LaunchRecord& launch = evidence.launches.front();
  launch.lines = {{"row_max.cu", 20, good}, {"row_max.cu", 21, bad}};
  launch.counters = good;
  launch.counters += bad;
  const StructureRemark remark = judge_structure({Requirement::Coalesced, 10, 1.25}, evidence, {});
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.problem.reason.english().starts_with(
      "global loads are not coalesced: one warp access touches 32.0 sectors"));
  CHECK(remark.problem.where == Location{"row_max.cu", 21, 0});
}

TEST_CASE("good accesses on the same line do not hide scattered ones") {
  sim::Counters c = tile_counters();
  const StructurePoints coalesced{Requirement::Coalesced, 5, 1.25};
  // The same number of requests with 32 sectors each, among thirty times as many with one.
  c.global_load_scattered_sectors = kElements / 32 * 28;
  c.global_load_requests = kElements / 32 * 31;
  c.global_load_sectors = kElements / 32 * (32 + 30 * 4);
  c.global_load_ideal_sectors = kElements / 32 * (4 + 30 * 4);
  const StructureRemark remark = judge_structure(coalesced, timed_case(c), {});
  CHECK_FALSE(remark.satisfied);
  CHECK(remark.problem.reason.english() ==
        "global loads are not coalesced: accesses that touch at least twice the sectors they need move 26.7 "
        "MiB for nothing");
  CHECK(remark.problem.where == Location{"row_max.cu", 12, 0});
  c.global_load_scattered_sectors = kElements / 8 / 5;  // at the edges of a tile
  c.global_load_sectors = c.global_load_ideal_sectors + c.global_load_scattered_sectors;
  c.global_load_bytes = c.global_load_ideal_sectors * 32;
  CHECK(judge_structure(coalesced, timed_case(c), {}).satisfied);
}

TEST_CASE("an answer from the CPU is noticed") {
  using Repeated = CaseEvidence::Repeated;
  CaseEvidence evidence = timed_case(tile_counters());
  CHECK_FALSE(not_done_by_kernels(evidence));
  const WorkAllowed copies{.by_copies = true}, repeated{.repeated_right = true};
  const auto reason = [&](const WorkAllowed& allowed) {
    const auto remark = not_done_by_kernels(evidence, allowed);
    return remark ? remark->reason.english() : "";
  };

  SECTION("no launch") {
    evidence.launches.clear();
    evidence.bytes_to_host = evidence.input_bytes;
    evidence.bytes_to_device = evidence.output_bytes;
    CHECK(reason({}).find("no kernel was launched") != std::string::npos);
  }
  SECTION("copies within the device") {
    evidence.launches.clear();
    CHECK(reason({}).starts_with("assembled by copies"));
    CHECK(reason(copies).empty());  // the lab allows it
    evidence.bytes_to_host = evidence.input_bytes;
    CHECK_FALSE(reason(copies).empty());
    evidence.bytes_to_host = 0;
    evidence.input_bytes = 4;  // one element is its own sum
    CHECK(reason({}).empty());
  }
  SECTION("an output that the kernels did not store") {
    evidence.output_bytes = 1 << 20;
    evidence.launches.front().counters.global_store_sectors = (1 << 20) / 32 / 4;
    CHECK(reason({}).find("they stored 256.0 KiB of the 1.0 MiB of output") != std::string::npos);
    CHECK(reason(copies).empty());
    evidence.launches.front().counters.global_store_sectors = (1 << 20) / 32;
    CHECK(reason({}).empty());
  }
  SECTION("a token launch") {
    evidence.launches.front().counters = {};
    evidence.bytes_to_host = evidence.input_bytes;
    CHECK(reason(repeated) ==
          "computed on the CPU: in rows=1000 cols=1000 uniform, 3.8 MiB were copied to the host; of the "
          "3.8 MiB of input the kernels read 0 bytes");
  }
  SECTION("a kernel that reads everything for show, and results that come back on any way") {
    evidence.bytes_to_host = evidence.input_bytes;
    CHECK_FALSE(reason({}).empty());
    evidence.bytes_to_host = evidence.input_bytes / 7;
    CHECK_FALSE(reason({}).empty());
    evidence.bytes_to_host = evidence.input_bytes / 9;
    CHECK(reason({}).empty());
  }
  SECTION("all but a few elements, and in every sizeable case") {
    evidence.timed = false;
    evidence.bytes_to_host = evidence.input_bytes - 32;
    CHECK_FALSE(reason({}).empty());
  }
  SECTION("partial results of short rows") {
    evidence.timed = false;
    evidence.output_bytes = evidence.input_bytes / 3;
    evidence.launches.front().counters.global_store_sectors = evidence.input_bytes / 32;
    evidence.bytes_to_host = evidence.input_bytes;
    CHECK(reason({}).empty());
    evidence.timed = true;
    CHECK_FALSE(reason({}).empty());
  }
  SECTION("results that come back as numbers of a launch") {
    evidence.timed = false;
    evidence.output_bytes = evidence.input_bytes / 4;
    evidence.launches.front().counters.global_store_sectors = evidence.input_bytes / 32;
    evidence.bytes_to_host = evidence.input_bytes / 2;
    CHECK(reason({}).empty());
    evidence.repeated = Repeated::Wrong;
    CHECK(reason({}) ==
          "computed on the CPU: in rows=1000 cols=1000 uniform, 1.9 MiB were copied to the host, and without "
          "the host the device computes wrong results for another input");
    evidence.repeated = Repeated::Unknown;
    CHECK(reason({}).ends_with("and the call does too much to replay it without the host"));
    evidence.repeated = Repeated::Right;
    CHECK(reason({}).empty());
  }
  SECTION("copies of a program's own through the host, and a look at the data there") {
    evidence.bytes_to_host = evidence.input_bytes + evidence.output_bytes;
    CHECK_FALSE(reason({}).empty());
    CHECK(reason(repeated).empty());  // as the tracked case shows
  }
  SECTION("finishing on the CPU what the kernels left over") {
    evidence.bytes_to_host = evidence.input_bytes / 32;
    CHECK(reason({}).empty());
    // The same number of partial results is too many for a smaller input.
    const WorkAllowed partial{.partial_results = partial_result_bytes(evidence)};
    CHECK(partial.partial_results == evidence.bytes_to_host);
    evidence.timed = false;
    evidence.input_bytes /= 32;
    CHECK_FALSE(reason({}).empty());
    CHECK(reason(partial).empty());
    evidence.bytes_to_host *= 8;
    CHECK(partial_result_bytes(evidence) == 0);  // too many for its input
  }
  SECTION("a wrong answer is a wrong answer") {
    evidence.launches.clear();
    evidence.bytes_to_device = 1;
    evidence.verdict = Verdict::WrongAnswer;
    CHECK(reason({}).empty());
  }
  SECTION("elements that copies move to their places, one by one") {
    evidence.origins.known = true;
    evidence.origins.words = evidence.origins.results = evidence.origins.moved = 512;
    evidence.origins.by_kernels = 512;
    CHECK(reason({}) ==
          "assembled by copies: in rows=1000 cols=1000 uniform copies moved the elements of the results one "
          "by one");
    CHECK(reason(copies).empty());
    evidence.origins.words = 1;  // a single result is allowed
    CHECK(reason({}).empty());
  }
  SECTION("an output of many elements that copies leave last") {
    evidence.output_bytes = evidence.input_bytes;
    evidence.launches.front().counters.global_store_sectors = evidence.output_bytes / 32;
    CHECK(reason({}).empty());
    evidence.bytes_put_last = evidence.output_bytes;
    CHECK(reason({}) ==
          "not computed by kernels: in rows=1000 cols=1000 uniform copies or sets wrote most of the output "
          "last");
    CHECK(reason(copies).empty());
  }
}

TEST_CASE("the host could compute what it has seen half of, and given back") {
  CaseEvidence evidence;
  evidence.input_bytes = 8000;
  evidence.output_bytes = 4000;
  evidence.bytes_to_host = 3999;
  CHECK_FALSE(host_could_compute(evidence, 0));
  evidence.bytes_to_host = 4000;
  CHECK(host_could_compute(evidence, 0));
  CHECK_FALSE(host_could_compute(evidence, 4000));  // partial results, as in the timed case
  evidence.input_bytes = 8;                         // two parameters of a table: the host may know them
  CHECK_FALSE(host_could_compute(evidence, 0));
  evidence.bytes_to_device = 1000;
  evidence.argument_bytes = 1000;
  CHECK(host_could_compute(evidence, 0));
}

TEST_CASE("what CUDA's own tables are read for is not the student's access") {
  sim::Counters c = tile_counters();
  c.constant_load_instructions = c.global_load_requests;
  // The sine of a double: four times as many additional loads of one sector each, on the student's line.
  c.table_load_requests = 4 * c.global_load_requests;
  c.table_load_sectors = c.table_load_requests;
  c.table_load_ideal_sectors = 4 * c.table_load_requests;
  c.global_load_requests += c.table_load_requests;
  c.global_load_sectors += c.table_load_sectors;
  c.global_load_ideal_sectors += c.table_load_ideal_sectors;
  CHECK(judge_structure({Requirement::UsesConstantMemory, 5, 0}, timed_case(c), {}).satisfied);
  const StructurePoints coalesced{Requirement::Coalesced, 5, 1.25};
  CHECK(judge_structure(coalesced, timed_case(c), {}).satisfied);
  // Now each lane loads its own sector.
  c.global_load_sectors += 28 * (c.global_load_requests - c.table_load_requests);
  const StructureRemark scattered = judge_structure(coalesced, timed_case(c), {});
  CHECK_FALSE(scattered.satisfied);
  CHECK(scattered.observed.english().starts_with("loads: 32.0 sectors a warp access (4 is ideal)"));
}

TEST_CASE("a block narrower than a warp is told that padding will not help") {
  sim::Counters c = tile_counters();
  c.source_shared_load_bank_conflicts = 100;
  CaseEvidence evidence = timed_case(c);
  evidence.launches.front().block = {16, 16, 1};
  const StructurePoints requirement{Requirement::BankConflictFree, 5, 0};
  CHECK(judge_structure(requirement, evidence, {}).problem.advice.english() ==
        "Use blocks 32 threads wide, and a tile[32][33]: a warp of a block that is 16 threads wide covers 2 "
        "of its rows, which conflict even when rows are padded by one element.");
  // 16 doubles pass at once: as[16][17] has no conflicts.
  evidence.launches.front().counters.shared_load_bytes *= 2;
  evidence.launches.front().counters.shared_store_bytes *= 2;
  CHECK(judge_structure(requirement, evidence, {}).problem.advice.english() ==
        "Pad each row of the tile by one element (tile[32][33] instead of tile[32][32]), or let neighbouring "
        "threads access neighbouring elements: lanes of one warp access different rows of the same bank.");
  evidence.launches.front().block = {8, 8, 1};
  CHECK(judge_structure(requirement, evidence, {}).problem.advice.english() ==
        "Use blocks 32 threads wide, and a tile[32][33]: a warp of a block that is 8 threads wide covers 4 "
        "of its rows, which conflict even when rows are padded by one element.");
  evidence.launches.front().block = {32, 8, 1};
  CHECK(judge_structure(requirement, evidence, {})
            .problem.advice.english()
            .starts_with("Pad each row of the tile by one element"));
}

}  // namespace cudalabs
