#include "grader/present/terminal/explained.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"

namespace cudalabs::explain {
namespace {

constexpr std::size_t kBetween = 2;     // between columns
constexpr std::size_t kMarks = 3;       // the width of "!!!"
constexpr std::size_t kMinSource = 38;  // columns are dropped before the source gets less

Paint paint_of(Heat heat) {
  switch (heat) {
    case Heat::None: return Paint::None;
    case Heat::Mild:
    case Heat::High: return Paint::Warn;
    case Heat::Severe: break;
  }
  return Paint::Bad;
}

class TerminalPage : TerminalText {
 public:
  TerminalPage(const Document& document, const ConsoleStyle& style)
      : TerminalText(style, 60, 200), document_(document) {}

  std::string write() {
    paragraph(document_.title, 0, Paint::Bold);
    paragraph(document_.subtitle, 0, Paint::Dim);
    for (const Section& section : document_.sections) {
      if (!section.title.empty()) {
        line();
        line(painted(repeat(ascii_or("═", "="), width_), Paint::Dim));
        paragraph(section.title, 0, Paint::Bold);
      }
      for (const std::string& remark : section.remarks) paragraph(remark, 0, Paint::Warn);
      for (const KernelFigures& kernel : section.kernels) write_kernel(kernel);
    }
    write_legend();
    return std::move(out_);
  }

 private:
  void paragraph(std::string_view text, std::size_t indent, Paint paint = Paint::None) {
    for (const std::string& piece : wrap(printable(text), width_ - indent))
      line(std::string(indent, ' ') + painted(cut(piece, width_ - indent), paint));
  }
  /// At most `width` columns. The last one is a mark if text was cut off.
  [[nodiscard]] std::string cut(const std::string& text, std::size_t width) const {
    if (display_width(text) <= width) return text;
    const std::string_view more = ascii_or("…", "...");
    std::size_t bytes = 0, columns = display_width(more);
    if (columns > width) return {};
    for (; bytes < text.size(); ++bytes) {
      const bool begins = (static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80;
      if (begins && columns++ == width) break;
    }
    return text.substr(0, bytes) + std::string(more);
  }

  void write_kernel(const KernelFigures& kernel) {
    line();
    paragraph(tr("kernel {}", kernel_title(kernel)), 0, Paint::Bold);
    for (const std::string& text : launch_lines(kernel)) paragraph(text, 2);
    for (const std::string& text : total_lines(kernel)) paragraph(text, 2);
    const Layout layout = layout_of(kernel);
    for (const FileFigures& file : kernel.files) write_file(kernel, file, layout);
    write_bank_map(kernel);
  }

  /// The columns of a kernel; all its files use the same.
  struct Layout {
    std::size_t number = 4;
    std::array<std::size_t, kColumns> widths{};  ///< 0: left out
  };

  [[nodiscard]] Layout layout_of(const KernelFigures& kernel) const {
    Layout layout;
    const auto used = used_columns(kernel);
    for (const FileFigures& file : kernel.files) {
      for (const auto& [number, figures] : file.lines) {
        layout.number = std::max(layout.number, std::to_string(number).size());
        const auto cells = cells_of(figures, kernel.total);
        for (std::size_t c = 0; c < kColumns; ++c)
          if (used[c])
            layout.widths[c] = std::max(
                {layout.widths[c], display_width(translated_word(columns()[c].name)), cells[c].text.size()});
      }
    }
    const auto total = [&] {
      std::size_t sum = layout.number + kBetween + kMarks + 1;
      for (const std::size_t width : layout.widths) sum += width == 0 ? 0 : width + kBetween;
      return sum;
    };
    int priority = std::ranges::max(columns(), {}, &Column::priority).priority;
    for (; priority > 0 && total() + kMinSource > width_; --priority) {
      for (std::size_t c = 0; c < kColumns; ++c)
        if (columns()[c].priority == priority) layout.widths[c] = 0;
    }
    return layout;
  }

  [[nodiscard]] std::string shown_name(const std::string& file) const {
    const auto source = document_.sources.find(file);
    return source == document_.sources.end() ? file : source->second.name;
  }

  void write_file(const KernelFigures& kernel, const FileFigures& file, const Layout& layout) {
    const auto source = document_.sources.find(file.file);
    const SourceText* text = source == document_.sources.end() ? nullptr : &source->second;
    line();
    paragraph(shown_name(file.file), 0, Paint::Bold);
    if (text != nullptr && !text->problem.empty()) paragraph(text->problem, 2);

    const std::vector<Row> rows = rows_of(file, text);
    const auto left = [&] {
      std::size_t sum = layout.number + kBetween + kMarks + 1;
      for (const std::size_t width : layout.widths) sum += width == 0 ? 0 : width + kBetween;
      return sum;
    }();
    const std::size_t source_width = width_ - std::min(width_ - 1, left);

    std::string head = pad_left(tr("line"), layout.number);
    for (std::size_t c = 0; c < kColumns; ++c)
      if (layout.widths[c] > 0)
        head += std::string(kBetween, ' ') + pad_left(translated_word(columns()[c].name), layout.widths[c]);
    head += std::string(kBetween + kMarks + 1, ' ') + tr("source");
    line(painted(cut(head, width_), Paint::Dim));
    line(painted(repeat(ascii_or("─", "-"), width_), Paint::Dim));
    for (const Row& row : rows) {
      if (row.line == 0) {
        line(painted(pad_left(ascii_or("⋮", ":"), layout.number), Paint::Dim));
        continue;
      }
      std::string text_line = painted(pad_left(std::to_string(row.line), layout.number), Paint::Dim);
      const auto cells =
          row.figures != nullptr ? cells_of(*row.figures, kernel.total) : std::array<Cell, kColumns>{};
      for (std::size_t c = 0; c < kColumns; ++c) {
        if (layout.widths[c] == 0) continue;
        const Cell& cell = cells[c];
        text_line += std::string(kBetween + layout.widths[c] - cell.text.size(), ' ') +
                     painted(cell.text, paint_of(cell.heat));
      }
      const Heat heat = worst_heat(cells);
      const std::string marks(mark(heat));
      text_line += std::string(kBetween, ' ') + painted(marks, paint_of(heat)) +
                   std::string(kMarks + 1 - marks.size(), ' ');
      text_line += painted(cut(row.text, source_width), row.figures == nullptr ? Paint::Dim : Paint::None);
      line(text_line);
      for (const std::string& one : document_.code_at(kernel, file.file, row.line))
        line(std::string(std::min(width_ - 1, left), ' ') +
             painted(cut("    " + one, source_width), Paint::Dim));
    }
  }

  void write_bank_map(const KernelFigures& kernel) {
    std::size_t file = 0;
    std::uint32_t number = 0;
    if (!kernel.worst_shared(file, number)) return;
    const BankMap map = bank_map_of(kernel.files[file].lines.at(number).accesses.worst);
    line();
    paragraph(tr("Banks of the worst shared access: {}:{}", shown_name(kernel.files[file].file), number), 0,
              Paint::Bold);
    paragraph(map.heading, 2);
    for (const std::string& sentence : map.sentences) paragraph(sentence, 2);
    line();

    // "bank 31  62:1984, 63:2016": as many next to each other as fit.
    std::vector<std::string> entries;
    std::size_t widest = 0;
    for (std::uint32_t bank = 0; bank < 32; ++bank) {
      if (map.banks[bank].empty()) continue;
      std::string text = tr("bank {:>2} {}", bank, ascii_or("│", "|"));
      for (const sim::BankWord& word : map.banks[bank])
        text += fmt::format(" {}:{}", lane_list(word.lanes),
                            static_cast<std::int64_t>(word.word) - map.first_word);
      widest = std::max(widest, display_width(text));
      entries.push_back(std::move(text));
    }
    const std::size_t room = width_ - 2;
    const std::size_t across = std::clamp<std::size_t>((room + 3) / (widest + 3), 1, 4);
    const std::size_t down = (entries.size() + across - 1) / across;
    for (std::size_t row = 0; row < down; ++row) {
      std::string text;
      for (std::size_t column = 0; column < across && column * down + row < entries.size(); ++column) {
        if (column > 0) text += "   ";
        text += pad_right(entries[column * down + row], across > 1 ? widest : 0);
      }
      hanging(text, 2, 10);
    }
    if (const std::string unused = bank_ranges(map.banks); !unused.empty())
      paragraph(
          tr("no lane: {} {}",
             translated_word(unused.find_first_of(",-") == std::string::npos ? "bank" : "banks"), unused),
          2);
    paragraph(tr("lane:word, the word counted in 4 bytes from the beginning of the array"), 2, Paint::Dim);
  }

  /// "0-3+8": without spaces, so that a line breaks only between words.
  static std::string lane_list(std::uint32_t lanes) {
    std::string text = lane_set(lanes);
    for (std::size_t at = text.find(", "); at != std::string::npos; at = text.find(", "))
      text.replace(at, 2, "+");
    return text;
  }

  void hanging(const std::string& text, std::size_t indent, std::size_t hang) {
    if (indent + display_width(text) <= width_) return line(std::string(indent, ' ') + text);
    bool first = true;
    // The first line has as much room as the others: its head is removed before wrapping and then restored.
    const std::size_t head = text.find(style_.utf8 ? "│" : "|") + (style_.utf8 ? 3 : 1);
    for (const std::string& piece : wrap(text.substr(head + 1), width_ - indent - hang)) {
      line(std::string(indent, ' ') +
           (first ? pad_right(text.substr(0, head), hang) : std::string(hang, ' ')) + piece);
      first = false;
    }
  }

  void write_legend() {
    line();
    line(painted(tr("What the numbers say"), Paint::Bold));
    std::size_t name = 0;
    for (const Term& term : legend())
      name = std::max(name, display_width(translated_word(term.name)) + kBetween);
    for (const Term& term : legend()) {
      bool first = true;
      for (const std::string& piece : wrap(translated_word(term.meaning), width_ - 2 - name)) {
        line("  " + painted(pad_right(first ? translated_word(term.name) : "", name), Paint::Bold) + piece);
        first = false;
      }
    }
  }

  const Document& document_;
};

}  // namespace

std::string text_page(const Document& document, const ConsoleStyle& style) {
  return TerminalPage(document, style).write();
}

}  // namespace cudalabs::explain
