#include "grader/classroom/similarity/groups.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <tuple>

namespace cudalabs {
namespace {

using Numbers = std::vector<std::uint32_t>;

PrintSet without(const PrintSet& prints, const PrintSet& handed_out) {
  PrintSet own;
  std::ranges::set_difference(prints, handed_out, std::back_inserter(own));
  return own;
}

/// The fingerprints of one kind in a class, in the order of the ids: by entry those that count as evidence,
/// and by fingerprint the entries that have it.
class Index {
 public:
  Index(const std::vector<const PrintSet*>& sets, const PrintSet& handed_out) : prints_of_(sets.size()) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> all;  // a fingerprint, and the entry that has it
    std::size_t present = 0;
    for (std::uint32_t entry = 0; entry < sets.size(); ++entry) {
      const PrintSet own = without(*sets[entry], handed_out);
      present += !sets[entry]->empty();
      for (const std::uint64_t print : own) all.emplace_back(print, entry);
    }
    std::ranges::sort(all);
    for (auto begin = all.begin(); begin != all.end();) {
      const auto end =
          std::find_if(begin, all.end(), [&](const auto& one) { return one.first != begin->first; });
      const auto having = static_cast<std::size_t>(end - begin);
      if (present < kSmallestClass || having * 2 <= present) {
        Numbers entries;
        for (auto one = begin; one != end; ++one) {
          prints_of_[one->second].push_back(static_cast<std::uint32_t>(having_.size()));
          entries.push_back(one->second);
        }
        having_.push_back(std::move(entries));
      }
      begin = end;
    }
  }

  [[nodiscard]] std::size_t size(std::size_t entry) const { return prints_of_[entry].size(); }

  /// Counts the fingerprints that `entry` shares with each later entry.
  void count_common(std::size_t entry, Numbers& common) const {
    common.assign(prints_of_.size(), 0);
    for (const std::uint32_t print : prints_of_[entry]) {
      const Numbers& having = having_[print];
      for (auto other = std::ranges::upper_bound(having, entry); other != having.end(); ++other)
        ++common[*other];
    }
  }

 private:
  std::vector<Numbers> prints_of_;  ///< by entry
  std::vector<Numbers> having_;     ///< by print: entries in order
};

/// A disjoint-set forest of the entries.
class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t root(std::size_t of) {
    while (parent_[of] != of) of = parent_[of] = parent_[parent_[of]];
    return of;
  }
  void join(std::size_t a, std::size_t b) {
    parent_[std::max(root(a), root(b))] = std::min(root(a), root(b));
  }

 private:
  std::vector<std::size_t> parent_;
};

bool stronger(const CopyPair& a, const CopyPair& b) {
  return std::tuple(-a.share, a.first, a.second) < std::tuple(-b.share, b.first, b.second);
}

/// Adds the pairs of one kind among the entries that `may` be compared by it, in unspecified order.
template <class May>
void add_pairs(const Index& index, std::size_t count, double threshold, ComparedBy by, const May& may,
               std::vector<CopyPair>& pairs) {
  Numbers common;
  for (std::size_t a = 0; a < count; ++a) {
    if (index.size(a) < kFewestPrints) continue;
    index.count_common(a, common);
    for (std::size_t b = a + 1; b < count; ++b) {
      if (common[b] == 0 || index.size(b) < kFewestPrints || !may(a, b)) continue;
      const auto both = static_cast<double>(common[b]);
      const auto of_a = static_cast<double>(index.size(a)), of_b = static_cast<double>(index.size(b));
      const double share = 2 * both / (of_a + of_b);
      if (share >= threshold) pairs.push_back({a, b, share, both / of_a, both / of_b, common[b], by});
    }
  }
}

/// 0 if one of them has too few.
double share_of(const PrintSet& a, const PrintSet& b) {
  if (a.size() < kFewestPrints || b.size() < kFewestPrints) return 0;
  PrintSet common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return 2 * static_cast<double>(common.size()) / static_cast<double>(a.size() + b.size());
}

}  // namespace

std::vector<Likeness> entries_like(const Fingerprints& one, std::span<const CopyEntry> entries,
                                   const Fingerprints& handed_out, const CopyOptions& options) {
  const PrintSet code = without(one.code, handed_out.code), text = without(one.text, handed_out.text);
  std::vector<Likeness> alike;
  for (std::size_t n = 0; n < entries.size(); ++n) {
    const Fingerprints& prints = entries[n].prints;
    const double share = !one.code.empty() && !prints.code.empty()
                             ? share_of(code, without(prints.code, handed_out.code))
                             : share_of(text, without(prints.text, handed_out.text));
    if (share >= options.threshold) alike.push_back({n, share});
  }
  std::ranges::stable_sort(alike, std::greater<>(), &Likeness::share);
  return alike;
}

CopyGroups groups_of(std::span<const CopyEntry> entries, const Fingerprints& handed_out,
                     const CopyOptions& options) {
  // Sorts by id, so that the order of the input does not matter.
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t n) -> const std::string& { return entries[n].id; });
  std::vector<const PrintSet*> code, text;
  for (const std::size_t n : order) {
    code.push_back(&entries[n].prints.code);
    text.push_back(&entries[n].prints.text);
  }
  const Index by_code(code, handed_out.code), by_text(text, handed_out.text);
  const auto compiles = [&](std::size_t n) { return !code[n]->empty(); };

  std::vector<CopyPair> pairs;
  add_pairs(
      by_code, order.size(), options.threshold, ComparedBy::Code, [](auto, auto) { return true; }, pairs);
  add_pairs(
      by_text, order.size(), options.threshold, ComparedBy::Text,
      [&](std::size_t a, std::size_t b) { return !compiles(a) || !compiles(b); }, pairs);
  std::ranges::sort(pairs, stronger);

  Joined joined(order.size());
  for (const CopyPair& pair : pairs) joined.join(pair.first, pair.second);
  CopyGroups result;
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> group_of_root(order.size(), kNone);
  for (CopyPair pair : pairs) {  // the strongest pair starts a group
    std::size_t& number = group_of_root[joined.root(pair.first)];
    if (number == kNone) {
      number = result.groups.size();
      result.groups.push_back({{}, pair.share, {}, 0});
    }
    CopyGroup& group = result.groups[number];
    pair.first = order[pair.first];
    pair.second = order[pair.second];
    if (group.pairs.size() < kMaxPairsOfGroup)
      group.pairs.push_back(pair);
    else
      ++group.pairs_left_out;
  }
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t group = group_of_root[joined.root(n)];
    if (group != kNone) result.groups[group].members.push_back(order[n]);
    if ((compiles(n) ? by_code : by_text).size(n) < kFewestPrints) result.not_compared.push_back(order[n]);
  }
  return result;
}

}  // namespace cudalabs
