#pragma once
// The cards' clocks: the estimated time of each card's work, one operation after the other. Cards work side
// by side; a card waits for another if a stream waits for its event, or if the host has waited.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cudalabs {

class CardClocks {
 public:
  explicit CardClocks(std::size_t cards) : cards_(cards) {}

  /// The card works for `ns`.
  void pass(std::uint32_t card, double ns) {
    cards_[card].now_ns = now_ns(card) + ns;
    cards_[card].busy_ns += ns;
  }
  [[nodiscard]] double now_ns(std::uint32_t card) const { return std::max(cards_[card].now_ns, host_ns_); }
  [[nodiscard]] double busy_ns(std::uint32_t card) const { return cards_[card].busy_ns; }
  /// The card starts no further work before that time.
  void wait_until(std::uint32_t card, double ns) { cards_[card].now_ns = std::max(now_ns(card), ns); }
  /// The host waits until that time: work that it issues afterwards begins later.
  void host_waits_until(double ns) { host_ns_ = std::max(host_ns_, ns); }

 private:
  struct Card {
    double now_ns = 0, busy_ns = 0;
  };
  std::vector<Card> cards_;
  double host_ns_ = 0;
};

}  // namespace cudalabs
