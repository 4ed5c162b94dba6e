#include "grader/sim/analysis/cuda_tables.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cudalabs::sim {
namespace {

struct Table {
  std::string_view name;
  std::uint64_t bytes;
};
/// Tables of libdevice, and that of our own headers (cudart/include/cudalabs/math/trig.h).
constexpr std::array kTables{Table{"__cudart_i2opi_f", 24}, Table{"__cudart_i2opi_d", 144},
                             Table{"__cudart_sin_cos_coeffs", 128}, Table{"__cudart_two_over_pi", 160}};

/// If several functions contain a table, clang appends a number to its name: "__cudart_two_over_pi_$_2".
bool is_named(std::string_view name, std::string_view table) {
  if (!name.starts_with(table)) return false;
  name.remove_prefix(table.size());
  return name.find_first_not_of("_$.0123456789") == std::string_view::npos;
}

bool is_table(const ptx::Variable& variable) {
  return !variable.initial.empty() && std::ranges::any_of(kTables, [&](const Table& table) {
    return is_named(variable.name, table.name) && variable.size == table.bytes;
  });
}

}  // namespace

std::vector<std::uint32_t> cuda_tables(const ptx::Module& module) {
  std::vector<std::uint32_t> tables;
  for (std::size_t i = 0; i < module.variables.size(); ++i)
    if (is_table(module.variables[i])) tables.push_back(static_cast<std::uint32_t>(i));
  return tables;
}

}  // namespace cudalabs::sim
