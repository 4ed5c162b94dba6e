#include "grader/sim/base/types.h"

#include "grader/diagnostics/messages/sim.h"

namespace cudalabs::sim {

std::optional<Engine> engine_named(std::string_view name) {
  if (name == "auto") return Engine::Auto;
  if (name == "interpreter") return Engine::Interpreter;
  if (name == "native") return Engine::Native;
  return std::nullopt;
}

Counters& Counters::operator+=(const Counters& other) {
#define CUDALABS_COUNTER(field, shown) field += other.field;
#include "grader/sim/base/counters.def"
#undef CUDALABS_COUNTER
  return *this;
}

std::string Dim3::text() const {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

Messages Fault::statement() const {
  const auto triple = [](const std::array<std::uint32_t, 3>& t) { return Dim3{t[0], t[1], t[2]}.text(); };
  Messages all = message;
  all.add(placed ? msg::fault_place(kernel, triple(block), triple(thread)) : msg::fault_kernel(kernel));
  return all;
}

std::string Fault::text() const {
  const std::string place = file.empty() ? "" : file + ":" + std::to_string(line) + ": ";
  return place + statement().english();
}

Limits limits_of(int capability) {
  Limits limits;
  if (capability < 90) return limits;
  limits.compute_major = 9;
  limits.max_shared_bytes = 227 * 1024;
  limits.shared_bytes_per_multiprocessor = 228 * 1024;
  limits.multiprocessors = 132;
  return limits;
}

}  // namespace cudalabs::sim
