#include "grader/sim/ptx/spellings.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace cudalabs::ptx {
namespace {

constexpr std::size_t kOps = static_cast<std::size_t>(0
#define CUDALABS_PTX_OPCODE(e, ...) +1
#include "grader/sim/ptx/opcodes.def"
#undef CUDALABS_PTX_OPCODE
);

constexpr std::size_t kMods = static_cast<std::size_t>(0
#define CUDALABS_PTX_MODIFIER(e, s) +1
#include "grader/sim/ptx/modifiers.def"
#undef CUDALABS_PTX_MODIFIER
);

constexpr Type kTypes[] = {
#define X(e, s, n) Type::e,
    CUDALABS_PTX_TYPES(X)
#undef X
};

constexpr Special kSpecials[] = {
#define X(e, s) Special::e,
    CUDALABS_PTX_SPECIALS(X)
#undef X
};

/// The maximum number of dotted words in a mnemonic: cp.async.mbarrier.arrive.
constexpr std::size_t kLongestMnemonic = 4;

const std::unordered_map<std::string_view, Op>& mnemonics() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Op> names;
    for (std::size_t i = 0; i < kOps; ++i) names.emplace(spelling(static_cast<Op>(i)), static_cast<Op>(i));
    return names;
  }();
  return table;
}

const std::unordered_map<std::string_view, Suffix>& suffixes() {
  static const auto table = [] {
    std::unordered_map<std::string_view, Suffix> names;
    for (std::size_t i = 0; i < kMods; ++i) {
      const Mod mod = static_cast<Mod>(i);
      names[spelling(mod)].mod = mod;
    }
    for (const Type type : kTypes) names[spelling(type)].type = type;
    for (const Space space : {Space::Param, Space::Global, Space::Shared, Space::Const, Space::Local}) {
      names[spelling(space)].space = space;
    }
    names["shared::cta"].space = names["shared::cluster"].space = Space::Shared;
    names["param::entry"].space = names["param::func"].space = Space::Param;
    return names;
  }();
  return table;
}

/// Levenshtein distance of short words; the caller bounds their length.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

template <class Table>
std::string nearest(std::string_view word, const Table& table) {
  if (word.empty() || word.size() > 32) return {};
  std::string_view best;
  std::size_t best_distance = word.size() <= 3 ? 2 : 3;  // one typing error in a short word, else two
  for (const auto& [name, value] : table) {
    const std::size_t d = distance(word, name);
    if (d < best_distance || (d == best_distance && !best.empty() && name < best)) {
      best = name;
      best_distance = d;
    }
  }
  return std::string(best);
}

}  // namespace

Mnemonic find_mnemonic(std::span<const std::string_view> words) {
  std::string joined;
  Mnemonic found;
  for (std::size_t i = 0; i < std::min(words.size(), kLongestMnemonic); ++i) {
    if (i > 0) joined += '.';
    joined += words[i].substr(0, 32);
    if (const auto it = mnemonics().find(joined); it != mnemonics().end()) found = {it->second, i + 1};
  }
  return found;
}

std::optional<Suffix> find_suffix(std::string_view word) {
  const auto it = suffixes().find(word);
  if (it == suffixes().end()) return std::nullopt;
  return it->second;
}

std::optional<Type> find_type(std::string_view word) {
  const auto it = suffixes().find(word);
  if (it == suffixes().end() || it->second.type == Type::None) return std::nullopt;
  return it->second.type;
}

std::optional<Special> find_special(std::string_view name) {
  const auto it = std::find_if(std::begin(kSpecials), std::end(kSpecials),
                               [&](Special special) { return spelling(special) == name; });
  if (it == std::end(kSpecials)) return std::nullopt;
  return *it;
}

std::string nearest_mnemonic(std::string_view word) { return nearest(word, mnemonics()); }
std::string nearest_suffix(std::string_view word) { return nearest(word, suffixes()); }

}  // namespace cudalabs::ptx
