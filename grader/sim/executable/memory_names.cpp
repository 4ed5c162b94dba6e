#include "grader/sim/executable/memory_names.h"

#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "grader/sim/base/demangle.h"
#include "grader/sim/executable/address_origin.h"

namespace cudalabs::sim {
namespace {

/// The parameter types of "scaled(float const*, Matrix<int, 4>, int)".
std::vector<std::string> parameter_types(const std::string& signature) {
  std::vector<std::string> types;
  if (signature.empty() || signature.back() != ')') return types;
  int depth = 0;
  std::size_t end = signature.size() - 1;
  for (std::size_t i = end; i-- > 0;) {
    const char c = signature[i];
    if (c == ')' || c == '>') ++depth;
    const bool opens = c == '(' && depth == 0;
    if ((c == ',' && depth == 0) || opens) {
      const std::size_t first = signature.find_first_not_of(' ', i + 1);
      types.insert(types.begin(), signature.substr(first, end - first));
      end = i;
    }
    if (opens) return types;
    if (c == '(' || c == '<') --depth;
  }
  return {};
}

/// The pointer at `offset` of parameter p; nothing if the parameters end before it.
std::optional<PointerParameter> pointer_at(const KernelInfo& info, std::span<const std::byte> parameters,
                                           std::size_t p, std::size_t offset) {
  const std::size_t at = info.parameter_offsets[p] + offset;
  PointerParameter pointer{p + 1, 0, {}};
  if (at + sizeof pointer.value > parameters.size()) return std::nullopt;
  std::memcpy(&pointer.value, parameters.data() + at, sizeof pointer.value);
  return pointer;
}

/// Calls `found` with each eight bytes of the parameters that may be a pointer.
template <class Found>
void each_pointer(const KernelInfo& info, std::span<const std::byte> parameters, Found found) {
  for (std::size_t p = 0; p < info.parameter_offsets.size(); ++p) {
    for (std::uint32_t at = 0; at + 8 <= info.parameter_sizes[p]; at += 8)
      if (const auto pointer = pointer_at(info, parameters, p, at)) found(*pointer);
  }
}

void add_type(PointerParameter& pointer, const Program& kernel) {
  const std::vector<std::string> types = parameter_types(kernel.kernel);
  if (types.size() == kernel.info.parameter_offsets.size()) pointer.type = types[pointer.number - 1];
}

}  // namespace

std::string plain_name(const std::string& mangled) {
  std::string name = demangle(mangled, false);
  const std::size_t scope = name.rfind("::");
  if (scope != std::string::npos) name.erase(0, scope + 2);
  constexpr std::string_view kMark = "_non_const_";
  if (const std::size_t at = name.find(kMark); at != std::string::npos) name.erase(0, at + kMark.size());
  return name;
}

std::optional<PointerParameter> pointer_parameter(const Program& kernel,
                                                  std::span<const std::byte> parameters, std::uint64_t begin,
                                                  std::uint64_t end, std::uint64_t address) {
  std::optional<PointerParameter> best;
  const auto is_nearer = [&](std::uint64_t value) {
    if (!best) return true;
    const bool before = value <= address, best_before = best->value <= address;
    return before != best_before ? before : before ? value > best->value : value < best->value;
  };
  each_pointer(kernel.info, parameters, [&](const PointerParameter& pointer) {
    if (pointer.value >= begin && pointer.value < end && is_nearer(pointer.value)) best = pointer;
  });
  if (best) add_type(*best, kernel);
  return best;
}

std::optional<PointerParameter> parameter_of(const Program& kernel, std::span<const std::byte> parameters,
                                             const AddressOrigin& origin) {
  if (origin.kind != ptx::SymbolKind::Parameter || origin.symbol >= kernel.info.parameter_offsets.size())
    return std::nullopt;
  auto pointer = pointer_at(kernel.info, parameters, origin.symbol, origin.offset);
  if (pointer) add_type(*pointer, kernel);
  return pointer;
}

std::optional<PointerParameter> accessed_parameter(const Program& kernel,
                                                   std::span<const std::byte> parameters, std::size_t index) {
  const auto origin = address_origin(*kernel.function, kernel.source[index]);
  return origin ? parameter_of(kernel, parameters, *origin) : std::nullopt;
}

std::optional<PointerParameter> only_pointer(const Program& kernel, std::span<const std::byte> parameters,
                                             const std::function<bool(std::uint64_t)>& is_memory) {
  std::optional<PointerParameter> only;
  bool several = false;
  each_pointer(kernel.info, parameters, [&](const PointerParameter& pointer) {
    if (!is_memory(pointer.value)) return;
    several |= only.has_value();
    only = pointer;
  });
  if (several) return std::nullopt;
  if (only) add_type(*only, kernel);
  return only;
}

std::uint32_t element_bytes(const std::string& pointer_type) {
  if (pointer_type.empty() || pointer_type.back() != '*') return 0;
  static constexpr std::array<std::pair<const char*, std::uint32_t>, 37> kTypes{
      {{"float", 4},         {"double", 8},         {"int", 4},       {"unsigned int", 4},
       {"long", 8},          {"unsigned long", 8},  {"long long", 8}, {"unsigned long long", 8},
       {"short", 2},         {"unsigned short", 2}, {"char", 1},      {"signed char", 1},
       {"unsigned char", 1}, {"bool", 1},           {"__half", 2},    {"__nv_bfloat16", 2},
       {"__half2", 4},       {"char2", 2},          {"uchar2", 2},    {"char4", 4},
       {"uchar3", 3},        {"uchar4", 4},         {"short2", 4},    {"ushort2", 4},
       {"short4", 8},        {"ushort4", 8},        {"int2", 8},      {"uint2", 8},
       {"int3", 12},         {"uint3", 12},         {"int4", 16},     {"uint4", 16},
       {"float2", 8},        {"float3", 12},        {"float4", 16},   {"double2", 16},
       {"double3", 24}}};
  for (const auto& [name, bytes] : kTypes) {
    const std::string plain = name;
    for (const char* qualifier : {"", " const", " volatile", " const volatile"}) {
      if (pointer_type == plain + qualifier + "*") return bytes;
    }
  }
  return 0;
}

}  // namespace cudalabs::sim
