#include "grader/present/web/explained.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "grader/diagnostics/language.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/explained_style.h"
#include "grader/present/web/page.h"

namespace cudalabs::explain {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;
using html::prose;

constexpr std::size_t kMoreMaps = 8;  // for each kernel, besides its worst

/// Words for readers who see neither colours nor marks.
std::string_view spoken(Heat heat) {
  switch (heat) {
    case Heat::None: return "";
    case Heat::Mild: return "above the ideal";
    case Heat::High: return "far above the ideal";
    case Heat::Severe: break;
  }
  return "very far above the ideal";
}

/// A class for each width of a bar, because the page's policy does not allow `style` attributes.
Html bar_widths() {
  Html rules;
  for (int percent = 0; percent <= 100; ++percent) rules += html::format(".p{0} {{ --p: {0}%; }}\n", percent);
  return rules;
}

class HtmlPage {
 public:
  explicit HtmlPage(const Document& document) : document_(document) {}

  std::string write() {
    out_ = html::format("<header>\n<h1>{}</h1>\n<p class=\"sub\">{}</p>\n", escaped(document_.title),
                        escaped(document_.subtitle));
    contents();
    out_ += "</header>\n<main>\n";
    for (std::size_t s = 0; s < document_.sections.size(); ++s) section(document_.sections[s], s);
    legend_list();
    out_ += "</main>\n";
    return html::document(document_.title, html::format("\n{}{}{}", html::base_style(), kStyle, bar_widths()),
                          out_)
        .text();
  }

 private:
  static Html anchor(std::size_t section, std::size_t kernel) {
    return html::format("k{}-{}", section, kernel);
  }

  void contents() {
    out_ += markup("<nav aria-label=\"Kernels\"><ul>\n");
    for (std::size_t s = 0; s < document_.sections.size(); ++s) {
      const Section& section = document_.sections[s];
      for (std::size_t k = 0; k < section.kernels.size(); ++k) {
        out_ += html::format("<li><a href=\"#{}\">{}<code>{}</code></a></li>\n", anchor(s, k),
                             section.title.empty() ? Html() : escaped(section.title) + ": ",
                             escaped(section.kernels[k].name));
      }
    }
    out_ += markup("<li><a href=\"#legend\">What the numbers say</a></li>\n</ul></nav>\n");
  }

  void section(const Section& section, std::size_t index) {
    out_ += "<section>\n";
    if (!section.title.empty()) out_ += html::format("<h2>{}</h2>\n", escaped(section.title));
    for (const std::string& remark : section.remarks)
      out_ += html::format("<p class=\"remark\">{}</p>\n", prose(remark));
    for (std::size_t k = 0; k < section.kernels.size(); ++k) kernel(section.kernels[k], anchor(index, k));
    out_ += "</section>\n";
  }

  void kernel(const KernelFigures& kernel, const Html& id) {
    out_ += markup("<article id=\"{}\">\n<h3>kernel <code>{}</code></h3>\n<ul class=\"facts\">\n", id,
                   escaped(kernel_title(kernel)));
    for (const std::string& text : launch_lines(kernel)) out_ += html::format("<li>{}</li>\n", escaped(text));
    for (const std::string& text : total_lines(kernel)) out_ += html::format("<li>{}</li>\n", escaped(text));
    out_ += "</ul>\n";
    for (std::size_t f = 0; f < kernel.files.size(); ++f) file_table(kernel, f, id);
    bank_maps(kernel, id);
    out_ += "</article>\n";
  }

  [[nodiscard]] const SourceText* source_of(const std::string& file) const {
    const auto source = document_.sources.find(file);
    return source == document_.sources.end() ? nullptr : &source->second;
  }
  [[nodiscard]] std::string shown_name(const std::string& file) const {
    const SourceText* source = source_of(file);
    return source == nullptr ? file : source->name;
  }

  static Html map_anchor(const Html& id, std::size_t file, std::uint32_t line) {
    return html::format("{}-f{}-l{}", id, file, line);
  }

  void file_table(const KernelFigures& kernel, std::size_t index, const Html& id) {
    const FileFigures& file = kernel.files[index];
    const SourceText* source = source_of(file.file);
    if (source != nullptr && !source->problem.empty())
      out_ +=
          html::format("<p class=\"remark\">{}: {}</p>\n", escaped(source->name), escaped(source->problem));
    const auto used = used_columns(kernel);
    const auto maps = mapped_lines(kernel);
    const auto among = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
    out_ += markup(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n<table "
        "class=\"src\">\n<caption>{0}</caption>\n"
        "<thead><tr><th scope=\"col\">line</th>",
        escaped(shown_name(file.file)));
    for (std::size_t c = 0; c < kColumns; ++c)
      if (used[c]) out_ += html::format("<th scope=\"col\">{}</th>", html::word(columns()[c].name));
    out_ += markup("<th scope=\"col\" class=\"code\">source</th></tr></thead>\n<tbody>\n");
    for (const Row& row : rows_of(file, source)) {
      if (row.line == 0) {
        out_ += html::format("<tr class=\"gap\"><td colspan=\"{}\">⋮</td></tr>\n", among + 2);
        continue;
      }
      out_ += html::format("<tr{}><th scope=\"row\">{}</th>",
                           row.figures == nullptr ? Piece(" class=\"idle\"") : Piece(""), row.line);
      const auto cells =
          row.figures != nullptr ? cells_of(*row.figures, kernel.total) : std::array<Cell, kColumns>{};
      for (std::size_t c = 0; c < kColumns; ++c)
        if (used[c]) cell(c, cells[c], row, kernel, map_link(maps, id, index, row.line));
      out_ += html::format("<td class=\"code\"><code>{}</code>{}</td></tr>\n", escaped(row.text),
                           folded(document_.code_at(kernel, file.file, row.line)));
    }
    out_ += "</tbody>\n</table>\n</div>\n";
  }

  /// The line's instructions, which a click shows.
  static Html folded(const std::vector<std::string>& code) {
    if (code.empty()) return {};
    Html text;
    for (const std::string& one : code) text += html::format("{}\n", escaped(one));
    return html::format("<details class=\"ptx\"><summary>{} PTX</summary><pre>{}</pre></details>",
                        code.size(), text);
  }

  void cell(std::size_t column, const Cell& cell, const Row& row, const KernelFigures& kernel,
            const Html& link) {
    if (cell.text.empty()) {
      out_ += "<td></td>";
      return;
    }
    const std::string_view name = columns()[column].name;
    Html text = escaped(cell.text);
    if (name == "ways" && !link.empty())
      text = markup("<a href=\"#{}\" title=\"its bank map\">{}</a>", link, text);
    if (name == "time") {  // a bar behind the number
      const double share = row.figures->ns / std::max(kernel.total.ns, row.figures->ns);
      out_ += html::format("<td data-n=\"{}\" class=\"bar p{}\">{}</td>", escaped(name),
                           std::lround(100 * share), text);
      return;
    }
    if (cell.heat == Heat::None) {
      out_ += html::format("<td data-n=\"{}\">{}</td>", escaped(name), text);
      return;
    }
    out_ += html::format(
        "<td data-n=\"{}\" class=\"h{}\" title=\"{}\">{} <b aria-hidden=\"true\">{}</b><span "
        "class=\"sr\">{}</span></td>",
        escaped(name), static_cast<int>(cell.heat), html::word(spoken(cell.heat)), text,
        escaped(mark(cell.heat)), html::word(spoken(cell.heat)));
  }

  using Place = std::pair<std::size_t, std::uint32_t>;  // file, line

  /// The lines that get a bank map: the worst first, then the others with conflicts in the order of the
  /// source.
  static std::vector<Place> mapped_lines(const KernelFigures& kernel) {
    Place worst;
    if (!kernel.worst_shared(worst.first, worst.second)) return {};
    std::vector<Place> places{worst};
    for (std::size_t f = 0; f < kernel.files.size(); ++f) {
      for (const auto& [number, line] : kernel.files[f].lines) {
        if (line.accesses.worst.degree > 1 && Place{f, number} != worst && places.size() <= kMoreMaps)
          places.emplace_back(f, number);
      }
    }
    return places;
  }

  static Html map_link(const std::vector<Place>& maps, const Html& id, std::size_t file, std::uint32_t line) {
    const bool there = std::find(maps.begin(), maps.end(), Place{file, line}) != maps.end();
    return there ? map_anchor(id, file, line) : Html();
  }

  void bank_maps(const KernelFigures& kernel, const Html& id) {
    const auto maps = mapped_lines(kernel);
    for (std::size_t m = 0; m < maps.size(); ++m) {
      const auto& [file, number] = maps[m];
      out_ +=
          html::format("<details id=\"{}\"{}>\n<summary>{}: {}:{}</summary>\n", map_anchor(id, file, number),
                       m == 0 ? Piece(" open") : Piece(""),
                       m == 0 ? markup("Banks of the worst shared access") : markup("Banks of another line"),
                       escaped(shown_name(kernel.files[file].file)), number);
      bank_map(bank_map_of(kernel.files[file].lines.at(number).accesses.worst));
      out_ += "</details>\n";
    }
  }

  void bank_map(const BankMap& map) {
    out_ += html::format("<p>{}.", prose(map.heading));
    for (const std::string& sentence : map.sentences) out_ += Piece(" ") + prose(sentence);
    out_ += Piece("</p>\n") + bank_table(map, tr("Bank map"));
  }

  void legend_list() {
    out_ += markup("<section id=\"legend\">\n<h2>What the numbers say</h2>\n<dl>\n");
    for (const Term& term : legend())
      out_ += html::format("<dt>{}</dt><dd>{}</dd>\n", escaped(translated_word(term.name)),
                           escaped(translated_word(term.meaning)));
    out_ += "</dl>\n</section>\n";
  }

  const Document& document_;
  Html out_;
};

}  // namespace

int turn_heat(std::size_t turn) { return turn == 0 ? 0 : turn == 1 ? 1 : turn < 4 ? 2 : 3; }

std::string short_lanes(std::uint32_t lanes) {
  return fmt::format("{}{}", std::countr_zero(lanes), std::has_single_bit(lanes) ? "" : "+");
}

Html bank_table(const BankMap& map, std::string_view label) {
  Html out = markup(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table class=\"banks\">\n"
      "<thead><tr><th scope=\"col\">bank</th>",
      escaped(label));
  std::size_t deep = 0;
  for (std::size_t bank = 0; bank < 32; ++bank) {
    out += html::format("<th scope=\"col\">{}</th>", bank);
    deep = std::max(deep, map.banks[bank].size());
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t turn = 0; turn < deep; ++turn) {
    out += markup("<tr><th scope=\"row\">turn {}</th>", turn + 1);
    for (const auto& words : map.banks) {
      if (turn >= words.size()) {
        out += "<td></td>";
        continue;
      }
      const sim::BankWord& word = words[turn];
      out += markup("<td class=\"h{}\" title=\"lane {}, word {}\">{}</td>", turn_heat(turn),
                    escaped(lane_set(word.lanes)), static_cast<std::int64_t>(word.word) - map.first_word,
                    escaped(short_lanes(word.lanes)));
    }
    out += "</tr>\n";
  }
  out += markup(
      "</tbody>\n</table>\n</div>\n<p class=\"note\">Each cell is one word that the bank serves in that "
      "turn: the number is the lane that requested it (the first of several, with a +). ");
  if (const std::string unused = bank_ranges(map.banks); !unused.empty())
    out += markup("Without work: {} {}.",
                  html::word(unused.find_first_of(",-") == std::string::npos ? "bank" : "banks"),
                  escaped(unused));
  return out + "</p>\n";
}

std::string html_page(const Document& document) { return HtmlPage(document).write(); }

}  // namespace cudalabs::explain
