#pragma once
// The program's time under `grader run --clock estimated`: the machine's time, less the time that the program
// waits for the simulator, plus the estimated time of the simulated card.

#include <time.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace cudalabs::cudart {

class HostClock {
 public:
  /// Never destroyed, as the runtime is not.
  static HostClock& get();
  /// True iff the grader asked for it.
  [[nodiscard]] static bool wanted();

  /// The program's view of one of Linux's clocks, in nanoseconds; it never goes back. -1: no such clock.
  enum class Use { Timing, Other };
  std::int64_t now(clockid_t clock, Use use = Use::Timing);

  // For the runtime. The program's clock stops from enter() to leave(), so that the runtime's own time does
  // not show. Calls may be nested.
  void enter();
  void leave();

  /// Sets how long the card has worked so far, as estimated by its process. The new part began with this
  /// call, or when the card had finished its earlier work.
  void worked(int card, double busy_ns);
  /// The host waits until the card has finished all its work.
  void wait_for_card(int card);
  /// Records the time at which the card will reach this event.
  void recorded(int card, std::uint32_t event);
  /// The host waits for that event, or sees that it is complete.
  void wait_for_event(std::uint32_t event);

 private:
  [[nodiscard]] std::int64_t program_time() const;
  void wait_until(std::int64_t time);

  std::mutex mutex_;
  int depth_ = 0;                                  ///< nesting of the runtime's calls
  std::int64_t entered_ns_ = 0, entered_cpu_ = 0;  ///< on the machine's clocks
  /// How far the program's clocks are ahead of the machine's: those that always run, and those of processor
  /// time. A host that waits for a card keeps its processor busy.
  std::int64_t shift_ns_ = 0, cpu_shift_ns_ = 0;
  struct Card {
    std::int64_t free_ns = 0;  ///< on the program's clock: when it finishes its work
    double busy_ns = 0;        ///< as reported last
  };
  std::map<int, Card> cards_;
  std::map<std::uint32_t, std::int64_t> events_;
  std::array<std::int64_t, 16> shown_{};  ///< the times returned last, by clock
};

/// Under the machine's clocks: whether the program reads one of them before and after a launch. It measures
/// the simulator then.
class ClockUse {
 public:
  static ClockUse& get();
  void launched() { ++launches_; }
  /// The program reads this one of Linux's clocks.
  void read(clockid_t clock);
  /// True once, after the first reading behind a launch of a clock that was read before it.
  bool is_news() { return news_.exchange(false); }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  ClockUse() {
    for (auto& one : at_) one = kNever;
  }
  std::atomic<std::uint64_t> launches_{0};
  std::atomic<bool> news_{false}, told_{false};
  std::array<std::atomic<std::uint64_t>, 16> at_;  ///< by clock: the launches before it was read last
};

}  // namespace cudalabs::cudart
