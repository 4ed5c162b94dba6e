#include "grader/present/profile_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "grader/diagnostics/language.h"
#include "grader/present/csv.h"
#include "grader/present/layout.h"

namespace cudalabs {
namespace {

/// No value: the kernel does nothing of the kind.
using Value = std::variant<std::monostate, std::uint64_t, double, std::string, sim::Dim3>;

enum class Source : std::uint8_t {
  Counted,
  Estimated,
  Registers,  ///< follows from the number of registers, which only ptxas knows
};

struct Column {
  const char* title;
  const char* unit;    ///< null: the target of the machine code
  const char* metric;  ///< of ncu; of nvprof if ncu has none
  Source source;
  Value (*value)(const ProfiledKernel& k);
};

double real(std::uint64_t value) { return static_cast<double>(value); }

Value ratio(double part, double whole) { return whole > 0 ? Value(part / whole) : Value(); }
Value percent(double part, double whole) { return ratio(100 * part, whole); }
Value used(double part) { return 100 * part; }
Value number(std::uint64_t value) { return value; }

/// Of 32 bytes each.
double bytes_of_sectors(std::uint64_t sectors) { return 32 * real(sectors); }

/// In GB/s.
Value throughput(std::uint64_t bytes, const ProfiledKernel& k) {
  return bytes > 0 ? ratio(real(bytes), k.bounds.total()) : Value();
}

Value shared_efficiency(const sim::Counters& c, double wavefront_bytes) {
  return percent(real(c.shared_distinct_bytes + c.shared_atomic_bytes),
                 wavefront_bytes *
                     real(c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts));
}

// clang-format off
constexpr Column kColumns[] = {
    {"calls", "", "Calls", Source::Counted, [](const ProfiledKernel& k) { return number(k.launches); }},
    {"time", "us", "gpu__time_duration.sum", Source::Estimated,
     [](const ProfiledKernel& k) { return ratio(k.bounds.total() / 1e3, real(k.launches)); }},
    {"grid", "", "Grid Size", Source::Counted, [](const ProfiledKernel& k) { return Value(k.grid); }},
    {"block", "", "Block Size", Source::Counted, [](const ProfiledKernel& k) { return Value(k.block); }},
    {"registers", nullptr, "launch__registers_per_thread", Source::Registers,
     [](const ProfiledKernel& k) { return number(k.use.registers); }},
    {"static shared", "B", "launch__shared_mem_per_block_static", Source::Counted,
     [](const ProfiledKernel& k) { return number(k.static_shared_bytes); }},
    {"dyn. shared", "B", "launch__shared_mem_per_block_dynamic", Source::Counted,
     [](const ProfiledKernel& k) { return number(k.dynamic_shared_bytes); }},
    {"max occupancy", "%", "sm__maximum_warps_per_active_cycle_pct", Source::Registers,
     [](const ProfiledKernel& k) { return used(k.use.occupancy); }},
    {"occupancy", "%", "sm__warps_active.avg.pct_of_peak_sustained_active", Source::Estimated,
     [](const ProfiledKernel& k) { return used(k.use.achieved_occupancy); }},
    {"load eff.", "%", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", Source::Counted,
     [](const ProfiledKernel& k) {
       return percent(real(k.counters.global_load_distinct_bytes), bytes_of_sectors(k.counters.global_load_sectors));
     }},
    {"store eff.", "%", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", Source::Counted,
     [](const ProfiledKernel& k) {
       return percent(real(k.counters.global_store_distinct_bytes), bytes_of_sectors(k.counters.global_store_sectors));
     }},
    {"loads", "GB/s", "gld_requested_throughput", Source::Estimated,
     [](const ProfiledKernel& k) { return throughput(k.counters.global_load_bytes, k); }},
    {"stores", "GB/s", "gst_requested_throughput", Source::Estimated,
     [](const ProfiledKernel& k) { return throughput(k.counters.global_store_bytes, k); }},
    {"sectors/load", "", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", Source::Counted,
     [](const ProfiledKernel& k) {
       return ratio(real(k.counters.global_load_sectors), real(k.counters.global_load_requests));
     }},
    {"sectors/store", "", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", Source::Counted,
     [](const ProfiledKernel& k) {
       return ratio(real(k.counters.global_store_sectors), real(k.counters.global_store_requests));
     }},
    {"shared eff.", "%", "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", Source::Counted,
     [](const ProfiledKernel& k) { return shared_efficiency(k.counters, k.use.wavefront_bytes); }},
    {"warp eff.", "%", "smsp__thread_inst_executed_pred_on_per_inst_executed.pct", Source::Estimated,
     [](const ProfiledKernel& k) {
       return percent(real(k.counters.thread_instructions), 32 * real(k.counters.warp_instructions));
     }},
    {"branch eff.", "%", "smsp__sass_average_branch_targets_threads_uniform.pct", Source::Estimated,
     [](const ProfiledKernel& k) {
       return percent(real(k.counters.uniform_branches), real(k.counters.branches));
     }},
    {"DRAM", "%", "dram__throughput.avg.pct_of_peak_sustained_elapsed", Source::Estimated,
     [](const ProfiledKernel& k) { return used(k.use.memory); }},
    {"L2", "%", "lts__t_sectors.avg.pct_of_peak_sustained_elapsed", Source::Estimated,
     [](const ProfiledKernel& k) { return used(k.use.l2); }},
    {"limited by", "", "limited by", Source::Estimated,
     [](const ProfiledKernel& k) { return Value(std::string(sim::largest_part(k.bounds).name)); }},
};
// clang-format on

/// Only if kernels ran on several devices.
constexpr Column kDevice{"device", "", "Device", Source::Counted,
                         [](const ProfiledKernel& k) { return number(k.device); }};

std::vector<const Column*> columns_for(std::span<const ProfiledKernel> kernels) {
  std::vector<const Column*> columns;
  if (std::ranges::any_of(kernels, [](const ProfiledKernel& k) { return k.device != 0; }))
    columns.push_back(&kDevice);
  for (const Column& column : kColumns) columns.push_back(&column);
  return columns;
}

bool is_estimated(const Column& column, std::span<const ProfiledKernel> kernels) {
  return column.source == Source::Estimated ||
         (column.source == Source::Registers &&
          std::ranges::any_of(kernels, [](const ProfiledKernel& k) { return !k.use.registers_known; }));
}

std::string unit_of(const Column& column, std::span<const ProfiledKernel> kernels) {
  if (column.unit != nullptr) return column.unit;
  if (is_estimated(column, kernels) || kernels.empty()) return "";
  return fmt::format("sm_{}", kernels.front().machine_code);
}

std::string title_of(const Column& column, const std::string& unit, bool estimated) {
  return (estimated ? "~" : "") + translated_word(column.title) +
         (unit.empty() ? "" : ", " + translated_word(unit));
}

/// At least four digits, but no more than four after the point.
std::string short_number(double value) {
  const int digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : value >= 1 ? 3 : 4;
  return fmt::format("{:.{}f}", value, digits);
}

/// "64x2": without dimensions of 1 at the end.
std::string short_size(const sim::Dim3& size) {
  if (size.z != 1) return fmt::format("{}x{}x{}", size.x, size.y, size.z);
  return size.y != 1 ? fmt::format("{}x{}", size.x, size.y) : fmt::format("{}", size.x);
}

std::string cell_of_table(const Value& value) {
  if (const auto* const count = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* const real = std::get_if<double>(&value)) return short_number(*real);
  if (const auto* const size = std::get_if<sim::Dim3>(&value)) return short_size(*size);
  if (const auto* const words = std::get_if<std::string>(&value)) return translated_word(*words);
  return "-";
}

std::string cell_of_csv(const Value& value) {
  if (const auto* const count = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* const real = std::get_if<double>(&value)) return fmt::format("{:.3f}", *real);
  if (const auto* const size = std::get_if<sim::Dim3>(&value)) return size->text();
  if (const auto* const words = std::get_if<std::string>(&value)) return *words;
  return "";
}

using Cells = std::vector<std::string>;

std::size_t width_of(const Cells& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, display_width(cell));
  return width;
}

/// The columns [first, end), behind the titles.
std::string lines_of(const Cells& titles, const std::vector<Cells>& columns, std::size_t first,
                     std::size_t end) {
  const std::size_t width = width_of(titles);
  std::string text;
  for (std::size_t row = 0; row < titles.size(); ++row) {
    text += pad_right(titles[row], width);
    for (std::size_t i = first; i < end; ++i) text += " " + pad_left(columns[i][row], width_of(columns[i]));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<ProfiledKernel> profile_of(std::span<const LaunchRecord> launches, const std::string& version) {
  std::vector<ProfiledKernel> kernels;
  for (const LaunchRecord& launch : launches) {
    auto kernel = std::ranges::find_if(kernels, [&](const ProfiledKernel& k) {
      return k.kernel_full == launch.kernel_full && k.code == launch.code && k.grid == launch.grid &&
             k.block == launch.block && k.device == launch.device &&
             k.dynamic_shared_bytes == launch.dynamic_shared_bytes;
    });
    if (kernel == kernels.end()) {
      kernel = kernels.insert(kernel, ProfiledKernel{});
      kernel->version = version;
      kernel->kernel = launch.kernel;
      kernel->kernel_full = launch.kernel_full;
      kernel->grid = launch.grid;
      kernel->block = launch.block;
      kernel->code = launch.code;
      kernel->device = launch.device;
      kernel->static_shared_bytes = launch.static_shared_bytes;
      kernel->dynamic_shared_bytes = launch.dynamic_shared_bytes;
      kernel->use = launch.use;
      kernel->machine_code = launch.machine_code;
    }
    ++kernel->launches;
    kernel->counters += launch.counters;
    kernel->bounds += launch.bounds;
    const double share = kernel->bounds.total() > 0 ? launch.estimated_ns() / kernel->bounds.total() : 0;
    using Use = sim::Utilization;
    for (const auto part : {&Use::achieved_occupancy, &Use::memory, &Use::l2})
      kernel->use.*part += share * (launch.use.*part - kernel->use.*part);
  }
  return kernels;
}

std::string profile_table(std::span<const ProfiledKernel> kernels) {
  constexpr std::size_t kWidth = 80, kLongName = 8;
  const std::vector<const Column*> metrics = columns_for(kernels);
  Cells titles{""};
  for (const Column* const metric : metrics)
    titles.push_back(title_of(*metric, unit_of(*metric, kernels), is_estimated(*metric, kernels)));
  std::string names;
  std::vector<Cells> columns;
  for (const ProfiledKernel& kernel : kernels) {
    const std::string name = printable(kernel.kernel);
    const bool is_long = display_width(name) > kLongName;
    Cells& column = columns.emplace_back();
    column.push_back(is_long ? fmt::format("({})", columns.size()) : name);
    if (is_long) names += fmt::format("{} {}\n", column.front(), name);
    for (const Column* const metric : metrics) column.push_back(cell_of_table(metric->value(kernel)));
  }
  std::string tables;
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t end = first, width = width_of(titles);
    do width += 1 + width_of(columns[end++]);
    while (end < columns.size() && width + 1 + width_of(columns[end]) <= kWidth);
    if (!tables.empty() || !names.empty()) tables += '\n';
    tables += lines_of(titles, columns, first, end);
    first = end;
  }
  return names + tables;
}

std::string profile_csv(std::span<const ProfiledKernel> kernels) {
  const std::vector<const Column*> metrics = columns_for(kernels);
  CsvTable table;
  const bool versions = std::ranges::any_of(kernels, [](const auto& k) { return !k.version.empty(); });
  if (versions) table.header.emplace_back("Version");
  table.header.emplace_back("Kernel Name");
  CsvRow& units = table.rows.emplace_back(table.header.size());
  for (const Column* const metric : metrics) {
    table.header.emplace_back(metric->metric);
    const std::string unit = unit_of(*metric, kernels), mark = unit.empty() ? "estimated" : ", estimated";
    units.push_back(unit + (is_estimated(*metric, kernels) ? mark : ""));
  }
  for (const ProfiledKernel& kernel : kernels) {
    CsvRow row;
    if (versions) row.push_back(kernel.version);
    row.push_back(harmless_cell(kernel.kernel_full));
    for (const Column* const metric : metrics) row.push_back(cell_of_csv(metric->value(kernel)));
    table.rows.push_back(std::move(row));
  }
  return csv_text(table);
}

std::vector<ProfileMetric> profile_metrics() {
  std::vector<ProfileMetric> metrics;
  for (const Column& column : kColumns) {
    const bool estimated = column.source == Source::Estimated;
    const char* const source = estimated                          ? "estimated"
                               : column.source == Source::Counted ? "counted"
                                                                  : "by ptxas, else estimated";
    metrics.push_back({title_of(column, unit_of(column, {}), estimated), column.metric, source});
  }
  return metrics;
}

}  // namespace cudalabs
