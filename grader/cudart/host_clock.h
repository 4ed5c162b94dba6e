#pragma once
// The time that a program sees under `grader run --clock estimated`: the machine's, without what it waits for
// the simulator, and with what the simulated card is estimated to take.

#include <time.h>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>

namespace cudalabs::cudart {

class HostClock {
 public:
  /// Never destroyed, as the runtime is not.
  static HostClock& get();
  /// The grader asked for it.
  [[nodiscard]] static bool wanted();

  /// Nanoseconds of one of Linux's clocks as the program is to see it; it never goes back. -1: no such clock.
  std::int64_t now(clockid_t clock);

  // For the runtime. What its calls take of the machine's time, the program does not see: from enter() to
  // leave() its clock stands. They may be nested.
  void enter();
  void leave();

  /// What a card has worked so far, as its process estimates it. What is new began when the call did, or
  /// when the card was done with all before it.
  void worked(int card, double busy_ns);
  /// The host waits until the card is done with all that it was given.
  void wait_for_card(int card);
  /// The card will have got so far when it comes to this event.
  void recorded(int card, std::uint32_t event);
  /// The host waits for that event, or sees that it has come.
  void wait_for_event(std::uint32_t event);

 private:
  [[nodiscard]] std::int64_t program_time() const;
  void wait_until(std::int64_t time);

  std::mutex mutex_;
  int depth_ = 0;                                  ///< of calls of the runtime
  std::int64_t entered_ns_ = 0, entered_cpu_ = 0;  ///< on the machine's clocks
  /// What the program sees more than the machine has: of clocks that always run, and of those that count
  /// what the processor worked. Who waits for a card keeps it busy.
  std::int64_t shift_ns_ = 0, cpu_shift_ns_ = 0;
  struct Card {
    std::int64_t free_ns = 0;  ///< on the program's clock: when it is done
    double busy_ns = 0;        ///< as was told last
  };
  std::map<int, Card> cards_;
  std::map<std::uint32_t, std::int64_t> events_;
  std::array<std::int64_t, 16> shown_{};  ///< the last time that was told, by clock
};

}  // namespace cudalabs::cudart
