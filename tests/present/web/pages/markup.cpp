#include "tests/present/web/pages/markup.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

#include "grader/base/text.h"
#include "grader/present/web/pages/table_script.h"

namespace cudalabs::test {
namespace {

const std::set<std::string, std::less<>> kElements{
    "html",    "head",    "meta",   "title",      "style", "body",   "header", "main", "nav",
    "section", "article", "h1",     "h2",         "h3",    "p",      "ul",     "li",   "a",
    "b",       "br",      "small",  "span",       "code",  "pre",    "mark",   "div",  "dl",
    "dt",      "dd",      "table",  "caption",    "thead", "tbody",  "tr",     "th",   "td",
    "details", "summary", "figure", "figcaption", "svg",   "desc",   "line",   "rect", "text",
    "polygon", "circle",  "script", "label",      "input", "select", "option"};
const std::set<std::string, std::less<>> kVoid{"meta", "br", "input"};
const std::set<std::string, std::less<>> kAttributes{"lang",
                                                     "for",
                                                     "type",
                                                     "value",
                                                     "autocomplete",
                                                     "charset",
                                                     "http-equiv",
                                                     "content",
                                                     "name",
                                                     "class",
                                                     "id",
                                                     "href",
                                                     "tabindex",
                                                     "role",
                                                     "scope",
                                                     "aria-label",
                                                     "aria-hidden",
                                                     "aria-labelledby",
                                                     "title",
                                                     "viewBox",
                                                     "preserveAspectRatio",
                                                     "width",
                                                     "height",
                                                     "x",
                                                     "y",
                                                     "x1",
                                                     "x2",
                                                     "y1",
                                                     "y2",
                                                     "cx",
                                                     "cy",
                                                     "r",
                                                     "points",
                                                     "transform",
                                                     "text-anchor"};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

/// A page of the same class: a relative address without a way up or to another place.
bool is_sibling(const std::string& address) {
  return (address.starts_with("feedback/") || address.starts_with("similar/")) &&
         std::ranges::all_of(address,
                             [](char c) {
                               return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                                      std::string_view("/-_.%").find(c) != std::string_view::npos;
                             }) &&
         address.find("..") == std::string::npos && address.ends_with(".html");
}

class Reader {
 public:
  explicit Reader(std::string_view page) : page_(page) {}

  std::vector<std::string> read() {
    if (first_invalid_utf8(page_)) fault("not UTF-8");
    for (const char c : page_)
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n') fault("a control character");
    if (!page_.starts_with("<!DOCTYPE html>\n<html lang=\"en\">") &&
        !page_.starts_with("<!DOCTYPE html>\n<html lang=\"ru\">"))
      fault("no doctype or language");
    for (at_ = page_.find("<html"); at_ < page_.size();) step();
    if (!open_.empty()) fault("never closed: " + open_.back());
    for (const std::string& id : referred_)
      if (!ids_.contains(id)) fault("refers to no id: " + id);
    return faults_;
  }

 private:
  void fault(const std::string& what) {
    if (faults_.size() < 20) faults_.push_back(what + " at " + std::to_string(at_));
  }

  void step() {
    const char c = page_[at_];
    if (c == '<') {
      tag();
      return;
    }
    if (c == '>' && (open_.empty() || open_.back() != "style")) fault("a bare >");
    if (c == '&') entity();
    ++at_;
  }

  void entity() {
    for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
      if (page_.substr(at_).starts_with(known)) return;
    fault("a bare &");
  }

  void tag() {
    const std::size_t begin = ++at_;
    const bool closing = page_[at_] == '/';
    if (closing) ++at_;
    std::string name;
    while (at_ < page_.size() && is_name(page_[at_])) name += page_[at_++];
    if (!kElements.contains(name)) {
      fault("element " + name + " of " + std::string(page_.substr(begin, 30)));
      return;
    }
    bool self_closed = false;
    while (at_ < page_.size() && page_[at_] != '>') {
      if (page_[at_] == ' ') {
        ++at_;
      } else if (page_[at_] == '/') {
        self_closed = true;
        ++at_;
      } else if (!attribute(name)) {
        return;
      }
    }
    ++at_;
    if (closing) {
      if (open_.empty() || open_.back() != name) fault("closes " + name);
      if (!open_.empty()) open_.pop_back();
    } else if (!self_closed && !kVoid.contains(name)) {
      open_.push_back(name);
      if (name == "style") at_ = page_.find("</style>", at_);  // ours, held by its hash
      if (name == "script") {
        if (!page_.substr(at_).starts_with(parts::kTableScript.text())) fault("a script that is not ours");
        at_ = page_.find("</script>", at_);
      }
    }
  }

  bool attribute(const std::string& element) {
    std::string name, value;
    while (at_ < page_.size() && is_name(page_[at_])) name += page_[at_++];
    if (name == "hidden" && element == "div" && page_[at_] == '>') return true;  // until the script is there
    if (!kAttributes.contains(name) || page_.substr(at_, 2) != "=\"") {
      fault("attribute " + name + " of " + element);
      at_ = page_.size();
      return false;
    }
    for (at_ += 2; at_ < page_.size() && page_[at_] != '"'; ++at_) {
      if (page_[at_] == '<' || page_[at_] == '>') fault("markup in an attribute");
      if (page_[at_] == '&') entity();
      value += page_[at_];
    }
    ++at_;
    if (name == "id" && !ids_.insert(value).second) fault("id twice: " + value);
    if (name == "href") {
      if (value.starts_with("#"))
        referred_.push_back(value.substr(1));
      else if (!is_sibling(value))
        fault("leaves the class: " + value);
    }
    if (name == "aria-labelledby") {
      const std::size_t blank = value.find(' ');
      referred_.push_back(value.substr(0, blank));
      if (blank != std::string::npos) referred_.push_back(value.substr(blank + 1));
    }
    return true;
  }

  std::string_view page_;
  std::size_t at_ = 0;
  std::vector<std::string> open_, faults_, referred_;
  std::set<std::string> ids_;
};

/// Without markup and with entities resolved; a <br> is a blank.
std::string text_of(std::string_view markup) {
  std::string text;
  for (std::size_t at = 0; at < markup.size();) {
    if (markup[at] == '<') {
      if (markup.substr(at).starts_with("<br>")) text += ' ';
      at = markup.find('>', at) + 1;
      continue;
    }
    if (markup[at] == '&') {
      static const std::map<std::string_view, char> entities{
          {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
      const auto entity = std::ranges::find_if(
          entities, [&](const auto& e) { return markup.substr(at).starts_with(e.first); });
      text += entity->second;
      at += entity->first.size();
      continue;
    }
    text += markup[at++];
  }
  return text;
}

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return {};
  return text.substr(from + begin.size(), text.find(end, from) - from - begin.size());
}

}  // namespace

std::vector<std::string> faults_of(std::string_view page) { return Reader(page).read(); }

std::vector<std::vector<std::string>> table_of(std::string_view page, std::string_view caption) {
  const std::size_t at = page.find("<caption class=\"sr\">" + std::string(caption) + "</caption>");
  if (at == std::string_view::npos) throw std::runtime_error("no table " + std::string(caption));
  std::string_view table = page.substr(at, page.find("</table>", at) - at);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t row = table.find("<tr"); row != std::string_view::npos; row = table.find("<tr", row + 1)) {
    std::string_view cells = table.substr(row, table.find("</tr>", row) - row);
    rows.emplace_back();
    for (std::size_t cell = cells.find("<t", 1); cell != std::string_view::npos;
         cell = cells.find("<t", cell + 1)) {
      const std::string_view kind = cells.substr(cell, 3);
      if (kind != "<th" && kind != "<td") continue;
      const std::size_t begin = cells.find('>', cell) + 1;
      rows.back().push_back(
          text_of(cells.substr(begin, cells.find("</" + std::string(kind.substr(1)) + ">", begin) - begin)));
    }
  }
  return rows;
}

std::vector<std::string> labels_of(std::string_view page, std::string_view id) {
  const std::size_t at = page.find("aria-labelledby=\"" + std::string(id) + "-t ");
  if (at == std::string_view::npos) throw std::runtime_error("no figure " + std::string(id));
  std::string_view figure = page.substr(at, page.find("</svg>", at) - at);
  std::vector<std::string> labels;
  for (std::size_t text = figure.find("<text"); text != std::string_view::npos;
       text = figure.find("<text", text + 1))
    labels.push_back(text_of(between(figure.substr(text), ">", "</text>")));
  return labels;
}

}  // namespace cudalabs::test
