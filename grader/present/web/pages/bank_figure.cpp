#include "grader/present/web/pages/bank_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "grader/diagnostics/language.h"
#include "grader/present/explain/document.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/explained.h"
#include "grader/present/web/pages/parts.h"
#include "grader/present/web/svg.h"

namespace cudalabs {

html::Html bank_figure(const sim::SharedExample& access, std::size_t index) {
  using html::Anchor;
  const explain::BankMap map = explain::bank_map_of(access);
  std::size_t turns = 0;
  for (const auto& words : map.banks) turns = std::max(turns, words.size());
  std::string description = map.heading + ".";
  for (const std::string& sentence : map.sentences) description += " " + sentence;

  constexpr double kLeft = 42, kCell = 13.6, kTop = 28, kRow = 13;
  const double height = kTop + kRow * static_cast<double>(turns) + 2;
  html::Svg svg(html::format("banks-{}", index), 480, height, "The banks of this access, turn by turn",
                description);
  svg.text(0, kTop - 5, tr("turn"), Anchor::Start, "tick");
  for (const std::size_t bank : {0, 8, 16, 24, 31})
    svg.text(kLeft + kCell * (static_cast<double>(bank) + 0.5), kTop - 5,
             (bank == 0 ? tr("bank ") : "") + std::to_string(bank), Anchor::Middle, "tick");
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const double y = kTop + kRow * static_cast<double>(turn);
    if (turn % 4 == 0 || turn + 1 == turns)
      svg.text(kLeft - 5, y + 10, std::to_string(turn + 1), Anchor::End, "tick");
    for (std::size_t bank = 0; bank < map.banks.size(); ++bank) {
      const auto& words = map.banks[bank];
      const double x = kLeft + kCell * static_cast<double>(bank);
      if (turn >= words.size()) {
        if (turn == 0) svg.box(x, y, kCell, kRow, "bank empty");
        continue;
      }
      svg.box(x, y, kCell, kRow, html::format("bank b{}", explain::turn_heat(turn)));
      svg.text(x + kCell / 2, y + 9.5, explain::short_lanes(words[turn].lanes), Anchor::Middle, "lane on");
    }
  }
  return parts::figure(std::move(svg).write(), html::prose(std::string_view(description), 600),
                       explain::bank_table(map, tr("Bank map {}", index + 1)));
}

}  // namespace cudalabs
