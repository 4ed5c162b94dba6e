#include "grader/present/web/escape.h"

#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"

namespace cudalabs::html {
namespace {

/// A column takes at most four bytes, so only as much of a long text is examined as can be shown.
std::string cut(std::string_view text, std::size_t columns) {
  const bool longer = columns < std::string_view::npos / 4 && text.size() > columns * 4;
  std::string shown = printable(longer ? text.substr(0, columns * 4) : text);
  if (display_width(shown) <= columns && !longer) return shown;
  return cudalabs::columns(shown, 0, columns) + "...";
}

std::string marked_up(std::string_view text, bool code) {
  std::string out;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '`':
        if (code && (open || text.find('`', i + 1) != std::string_view::npos)) {
          out += open ? "</code>" : "<code>";
          open = !open;
        } else {
          code = false;
          out += '`';
        }
        break;
      default: out += text[i];
    }
  }
  return out;
}

}  // namespace

Html escaped(std::string_view text, std::size_t columns) {
  return {Html::Trusted(), marked_up(cut(text, columns), false)};
}
Html prose(std::string_view text, std::size_t columns) {
  return {Html::Trusted(), marked_up(cut(text, columns), true)};
}

Html word(std::string_view words) { return escaped(translated_word(words)); }
Html prose(const Messages& messages, std::size_t columns) {
  return prose(std::string_view(rendered(messages)), columns);
}

}  // namespace cudalabs::html
