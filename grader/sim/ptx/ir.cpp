#include "grader/sim/ptx/ir.h"

#include <algorithm>
#include <iterator>

namespace cudalabs::ptx {
namespace {

constexpr std::string_view kTypeNames[] = {"",
#define X(e, s, n) s,
                                           CUDALABS_PTX_TYPES(X)
#undef X
};

constexpr int kTypeSizes[] = {0,
#define X(e, s, n) n,
                              CUDALABS_PTX_TYPES(X)
#undef X
};

constexpr std::string_view kSpaceNames[] = {
#define X(e, s) s,
    CUDALABS_PTX_SPACES(X)
#undef X
};

constexpr std::string_view kOpNames[] = {
#define CUDALABS_PTX_OPCODE(e, s, ...) s,
#include "grader/sim/ptx/opcodes.def"
#undef CUDALABS_PTX_OPCODE
};

constexpr std::string_view kModNames[] = {
#define CUDALABS_PTX_MODIFIER(e, s) s,
#include "grader/sim/ptx/modifiers.def"
#undef CUDALABS_PTX_MODIFIER
};

constexpr std::string_view kSpecialNames[] = {
#define X(e, s) s,
    CUDALABS_PTX_SPECIALS(X)
#undef X
};

static_assert(std::size(kOpNames) <= 255 && kMods <= 255, "Op and Mod are one byte");

}  // namespace

int size_of(Type type) { return kTypeSizes[static_cast<std::size_t>(type)]; }
std::string_view spelling(Type type) { return kTypeNames[static_cast<std::size_t>(type)]; }
std::string dotted(Type type) { return "." + std::string(spelling(type)); }
std::string_view spelling(Space space) { return kSpaceNames[static_cast<std::size_t>(space)]; }
std::string_view spelling(Op op) { return kOpNames[static_cast<std::size_t>(op)]; }
std::string_view spelling(Mod mod) { return kModNames[static_cast<std::size_t>(mod)]; }
std::string_view spelling(Special special) { return kSpecialNames[static_cast<std::size_t>(special)]; }

bool is_float(Type type) {
  switch (type) {
    case Type::F16:
    case Type::F16x2:
    case Type::BF16:
    case Type::BF16x2:
    case Type::TF32:
    case Type::F32:
    case Type::F64:
    case Type::F32x2: return true;
    default: return false;
  }
}

bool is_signed(Type type) {
  switch (type) {
    case Type::S8:
    case Type::S16:
    case Type::S32:
    case Type::S64:
    case Type::S16x2: return true;
    default: return false;
  }
}

bool Instruction::has(Mod mod) const { return std::find(mods.begin(), mods.end(), mod) != mods.end(); }

int Instruction::vector_width() const {
  if (has(Mod::V2)) return 2;
  if (has(Mod::V4)) return 4;
  return has(Mod::V8) ? 8 : 1;
}

const Function* Module::find_function(std::string_view wanted) const {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Function& function) { return function.name == wanted; });
  return found == functions.end() ? nullptr : &*found;
}

std::string Module::place(LocId loc) const {
  if (loc == 0 || loc >= locations.size()) return {};
  const SourceLoc& where = locations[loc];
  if (where.line == 0 || where.file >= files.size() || files[where.file].empty()) return {};
  const std::string& path = files[where.file];
  const std::size_t slash = path.find_last_of("/\\");
  return path.substr(slash == std::string::npos ? 0 : slash + 1) + ":" + std::to_string(where.line);
}

}  // namespace cudalabs::ptx
