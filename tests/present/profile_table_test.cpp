#include "grader/present/profile_table.h"

#include <fmt/format.h>

#include "tests/harness/catch.h"
#include "tests/harness/csv.h"
#include "tests/harness/golden.h"

using namespace cudalabs;

namespace {

LaunchRecord launch(const std::string& kernel, double us) {
  LaunchRecord record;
  record.kernel = kernel;
  record.kernel_full = kernel + "(int*)";
  record.grid = {4, 2, 1};
  record.block = {64, 1, 1};
  record.static_shared_bytes = 512;
  record.bounds.memory = us * 1e3;
  record.machine_code = 80;
  record.use = {20, true, 1, 0.5, 0.25, 0.125};
  record.counters.global_load_requests = 16;
  record.counters.global_load_sectors = 128;
  record.counters.global_load_bytes = record.counters.global_load_distinct_bytes = 2048;  // 16 of a sector
  record.counters.shared_distinct_bytes = 2560;
  record.counters.shared_load_wavefronts = 10;
  record.counters.shared_store_wavefronts = 30;
  record.counters.warp_instructions = 100;
  record.counters.thread_instructions = 800;
  record.counters.branches = 8;
  record.counters.uniform_branches = 6;
  return record;
}

/// The cells of a CSV text by line and metric.
std::vector<std::map<std::string, std::string>> cells_of(const std::string& csv) {
  std::istringstream stream(csv);
  return csv_rows(stream);
}

}  // namespace

TEST_CASE("a row a kernel, its launches added up", "[profile]") {
  LaunchRecord slow = launch("twice", 3), other = launch("twice", 1), shape = launch("twice", 1);
  slow.use.achieved_occupancy = 0.9;
  shape.grid = {1, 1, 1};
  const std::vector<ProfiledKernel> kernels = profile_of(std::vector{other, slow, shape});
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].launches == 2);
  CHECK(kernels[0].bounds.total() == 4000);
  CHECK(kernels[0].counters.global_load_requests == 32);
  CHECK(kernels[0].use.achieved_occupancy == Approx(0.25 * 0.5 + 0.75 * 0.9));
  CHECK(kernels[0].use.memory == Approx(0.25));
  CHECK(kernels[1].launches == 1);
}

TEST_CASE("values under the profilers' names", "[profile]") {
  const auto rows = cells_of(profile_csv(profile_of(std::vector{launch("twice", 3), launch("twice", 1)})));
  REQUIRE(rows.size() == 2);
  const auto& units = rows[0];
  const auto& row = rows[1];
  CHECK(row.at("Kernel Name") == "twice(int*)");
  CHECK(row.at("Calls") == "2");
  CHECK(row.at("Grid Size") == "(4, 2, 1)");
  CHECK(row.at("Block Size") == "(64, 1, 1)");
  CHECK(row.at("gpu__time_duration.sum") == "2.000");
  CHECK(units.at("gpu__time_duration.sum") == "us, estimated");
  CHECK(row.at("launch__registers_per_thread") == "20");
  CHECK(units.at("launch__registers_per_thread") == "sm_80");
  CHECK(row.at("launch__shared_mem_per_block_static") == "512");
  CHECK(row.at("launch__shared_mem_per_block_dynamic") == "0");
  CHECK(units.at("launch__shared_mem_per_block_static") == "B");
  CHECK(row.at("sm__maximum_warps_per_active_cycle_pct") == "100.000");
  CHECK(units.at("sm__maximum_warps_per_active_cycle_pct") == "%");
  CHECK(row.at("sm__warps_active.avg.pct_of_peak_sustained_active") == "50.000");
  CHECK(row.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct") == "50.000");
  CHECK(row.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct") == "");
  CHECK(row.at("gld_requested_throughput") == "1.024");  // 4096 bytes in 4 us
  CHECK(row.at("gst_requested_throughput") == "");
  CHECK(row.at("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio") == "8.000");
  CHECK(row.at("smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct") == "50.000");
  CHECK(row.at("smsp__thread_inst_executed_pred_on_per_inst_executed.pct") == "25.000");
  CHECK(units.at("smsp__thread_inst_executed_pred_on_per_inst_executed.pct") == "%, estimated");
  CHECK(row.at("smsp__sass_average_branch_targets_threads_uniform.pct") == "75.000");
  CHECK(row.at("dram__throughput.avg.pct_of_peak_sustained_elapsed") == "25.000");
  CHECK(row.at("lts__t_sectors.avg.pct_of_peak_sustained_elapsed") == "12.500");
  CHECK(row.at("limited by") == "memory");
  CHECK(row.count("Device") == 0);
}

TEST_CASE("registers that nobody knows are an estimate", "[profile]") {
  LaunchRecord predicted = launch("other", 1);
  predicted.use.registers_known = false;
  const std::vector<ProfiledKernel> kernels = profile_of(std::vector{launch("twice", 1), predicted});
  const auto rows = cells_of(profile_csv(kernels));
  CHECK(rows[0].at("launch__registers_per_thread") == "estimated");
  CHECK(rows[0].at("sm__maximum_warps_per_active_cycle_pct") == "%, estimated");
  CHECK(profile_table(kernels).find("\n~registers") != std::string::npos);
}

TEST_CASE("kernels of several devices", "[profile]") {
  LaunchRecord second = launch("twice", 1);
  second.device = 1;
  const auto rows = cells_of(profile_csv(profile_of(std::vector{launch("twice", 1), second})));
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].at("Device") == "0");
  CHECK(rows[2].at("Device") == "1");
}

TEST_CASE("the table: metrics down, kernels across", "[profile]") {
  LaunchRecord second = launch("sum_of_rows<float, 32>", 12345.6);
  second.dynamic_shared_bytes = 1 << 16;
  second.counters = {};
  CHECK(profile_table(profile_of(std::vector{launch("twice", 3), second})) ==
        "(2) sum_of_rows<float, 32>\n"
        "\n"
        "                  twice    (2)\n"
        "calls                 1      1\n"
        "~time, us         3.000  12346\n"
        "grid                4x2    4x2\n"
        "block                64     64\n"
        "registers, sm_80     20     20\n"
        "static shared, B    512    512\n"
        "dyn. shared, B        0  65536\n"
        "max occupancy, %  100.0  100.0\n"
        "~occupancy, %     50.00  50.00\n"
        "load eff., %      50.00      -\n"
        "store eff., %         -      -\n"
        "~loads, GB/s     0.6827      -\n"
        "~stores, GB/s         -      -\n"
        "sectors/load      8.000      -\n"
        "sectors/store         -      -\n"
        "shared eff., %    50.00      -\n"
        "~warp eff., %     25.00      -\n"
        "~branch eff., %   75.00      -\n"
        "~DRAM, %          25.00  25.00\n"
        "~L2, %            12.50  12.50\n"
        "~limited by      memory memory\n");
}

TEST_CASE("more kernels than a line holds are in several tables", "[profile]") {
  std::vector<LaunchRecord> launches;
  for (int i = 0; i < 20; ++i) launches.push_back(launch("kernel" + std::to_string(10 + i), 1));
  const std::string table = profile_table(profile_of(launches));
  std::istringstream lines(table);
  int tables = 0;
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
    tables += line.starts_with("calls");
  }
  CHECK(tables == 3);
  for (int i = 0; i < 20; ++i) CHECK(table.find("kernel" + std::to_string(10 + i)) != std::string::npos);
}

TEST_CASE("no kernel, no table", "[profile]") { CHECK(profile_table({}).empty()); }

TEST_CASE("the documentation lists the metrics as the table does", "[profile]") {
  std::string rows;
  for (const ProfileMetric& metric : profile_metrics())
    rows += fmt::format("| {} | `{}` | {} |\n", metric.title, metric.metric, metric.source);
  const std::filesystem::path page = std::filesystem::path(CUDALABS_SOURCE) / "docs" / "profile.md";
  const std::string text = test::read_file(page), before = "|---|---|---|\n";
  const std::size_t begin = text.find(before) + before.size(), end = text.find("\n\n", begin);
  REQUIRE(end < text.size());
  test::check_file(page, text.substr(0, begin) + rows + text.substr(end + 1));
}
