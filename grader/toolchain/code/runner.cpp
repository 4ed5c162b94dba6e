#include "grader/toolchain/code/runner.h"

#include <algorithm>

namespace cudalabs {
namespace {

std::string type_of(const Parameter& parameter) {
  const std::string element = spelling(parameter.contract_type());
  if (!parameter.is_array()) return element;
  return (parameter.role == ParameterRole::Input ? "const " : "") + element + "*";
}

std::string types_of(const Lab& lab) {
  std::string types;
  for (const auto& parameter : lab.parameters) types += (types.empty() ? "" : ", ") + type_of(parameter);
  return types;
}

constexpr const char* kHead = R"(#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

extern "C" {
struct CudalabsEntry {
  const char* name;
  void (*call)(const std::uint64_t* args);
};
int cudalabs_serve(const CudalabsEntry* entries, int count);
}

namespace {
template <class T>
T argument(std::uint64_t slot) {
  static_assert(sizeof(T) <= sizeof slot);
  T value;
  std::memcpy(&value, &slot, sizeof value);
  return value;
}
template <class... P, std::size_t... I>
void unpack(void (*entry)(P...), const std::uint64_t* args, std::index_sequence<I...>) {
  entry(argument<P>(args[I])...);
}
template <class... P>
void call(void (*entry)(P...), const std::uint64_t* args) {
  unpack(entry, args, std::index_sequence_for<P...>{});
}
}  // namespace

)";

}  // namespace

std::string signature(const Lab& lab, const std::string& entry) { return entry + "(" + types_of(lab) + ")"; }

std::string runner_source(const Lab& lab) {
  std::string text = kHead;
  // A student's file is CUDA, which knows these types; the runner is C++.
  const auto needs = [&](const auto& type) { return std::ranges::any_of(lab.parameters, type); };
  if (needs([](const Parameter& p) { return p.components > 1; })) text += "#include <cuda_runtime.h>\n";
  if (needs([](const Parameter& p) { return p.type == ElementType::Half; }))
    text += "#include <cuda_fp16.h>\n";
  if (needs([](const Parameter& p) { return p.type == ElementType::BFloat16; }))
    text += "#include <cuda_bf16.h>\n";
  text += "#include \"" + lab.contract.filename().string() + "\"\n\n";
  std::string table;
  for (const auto& version : lab.versions) {
    const std::string& entry = version.entry;
    text += "static_assert(std::is_same_v<decltype(" + entry + "), void(" + types_of(lab) +
            ")>, \"the contract and the lab's configuration disagree about " + entry + "\");\n";
    // Weak: a version that the student left out is a null pointer, not a link error.
    text += "extern __attribute__((weak)) decltype(" + entry + ") " + entry + ";\n";
    text += "static void call_" + entry + "(const std::uint64_t* args) { call(" + entry + ", args); }\n\n";
    table += "      {\"" + entry + "\", " + entry + " ? call_" + entry + " : nullptr},\n";
  }
  text += "int main() {\n  const CudalabsEntry entries[] = {\n" + table +
          "  };\n  return cudalabs_serve(entries, " + std::to_string(lab.versions.size()) + ");\n}\n";
  return text;
}

}  // namespace cudalabs
