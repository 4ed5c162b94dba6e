#include "grader/present/web/pages/class_copies.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "grader/base/human.h"
#include "grader/present/web/escape.h"
#include "grader/present/web/pages/parts.h"

namespace cudalabs {
namespace {

using html::escaped;
using html::Html;
using html::markup;
using html::Piece;
using parts::Mood;

class CopiesWriter {
  static constexpr std::size_t kName = 50, kAddress = 400, kGroups = 100, kMembers = 60, kPairs = 10;

 public:
  explicit CopiesWriter(const ClassPage& page) : page_(page) {
    for (const ClassStudent& student : page_.students) by_id_.emplace(student.id, &student);
  }

  Html write() && {
    out_ = markup("<section id=\"copies\">\n<h2>Similar files</h2>\n");
    identical();
    if (!page_.copies_compared) {
      out_ += markup("<p>The submissions were not compared for copies.</p>\n");
    } else if (page_.copies.empty() && page_.like_reference.empty()) {
      out_ += markup("<p>No two files have half of their code in common.</p>\n");
    } else {
      out_ += markup(
          "<p class=\"note\">Code in common, without the code of the course. It is no proof: compare both "
          "before you talk to the students.</p>\n");
      like_reference();
      groups();
    }
    return std::move(out_) + "</section>\n";
  }

 private:
  /// The name, or the id if there is no name.
  [[nodiscard]] Html called(const std::string& id) const {
    const auto student = by_id_.find(id);
    return escaped(student == by_id_.end() || student->second->name.empty() ? id : student->second->name,
                   kName);
  }

  [[nodiscard]] Html members(const std::vector<std::string>& ids) const {
    Html names;
    for (std::size_t m = 0; m < std::min(ids.size(), kMembers); ++m)
      names += (m == 0 ? Piece("") : Piece(", ")) + called(ids[m]);
    if (ids.size() > kMembers) names += markup(" and {} more", ids.size() - kMembers);
    return html::format("<span class=\"wordy\">{}</span>", names);
  }

  static Html share(double share) {
    // A share below 1 is never rounded up to 100 %.
    return html::format("{:.0f} %", share >= 1 ? 100.0 : std::min(99.0, 100 * share));
  }

  static Html linked(const Html& text, const std::string& address) {
    return address.empty() ? text : html::format("<a href=\"{}\">{}</a>", escaped(address, kAddress), text);
  }

  void identical() {
    if (page_.identical.empty()) return;
    out_ += markup("<h3>Identical files</h3>\n");
    parts::Table table("Identical files", {{"students"}, {"who", true}, {"note", true}});
    for (std::size_t g = 0; g < std::min(page_.identical.size(), kGroups); ++g) {
      const ClassIdentical& group = page_.identical[g];
      table.row({escaped(human_count(group.members.size())), members(group.members),
                 group.handed_out ? markup("the file that was handed out") : Html()});
    }
    out_ += std::move(table).write();
    if (page_.identical.size() > kGroups)
      out_ += markup("<p class=\"note\">And {} other groups.</p>\n", page_.identical.size() - kGroups);
  }

  void like_reference() {
    if (page_.like_reference.empty()) return;
    out_ += markup("<h3>Like the reference solution</h3>\n");
    if (2 * page_.like_reference.size() > page_.students.size())
      out_ += markup(
          "<p class=\"note\">More than half of the class: the lab may have one natural solution, or the "
          "reference "
          "solution is known.</p>\n");
    parts::Table table("Like the reference solution", {{"in common"}, {"who", true}, {"side by side", true}});
    for (std::size_t p = 0; p < std::min(page_.like_reference.size(), kGroups); ++p) {
      const ClassPair& pair = page_.like_reference[p];
      table.row({share(pair.share) + parts::bar(pair.share, Mood::Bad), called(pair.first),
                 pair.page.empty() ? Html("–")
                                   : linked(called(pair.first) + markup(" and the reference"), pair.page)});
    }
    out_ += std::move(table).write();
    if (page_.like_reference.size() > kGroups)
      out_ += markup("<p class=\"note\">And {} with less in common.</p>\n",
                     page_.like_reference.size() - kGroups);
  }

  void groups() {
    if (page_.copies.empty()) return;
    std::vector<const ClassCopies*> groups;
    for (const ClassCopies& group : page_.copies) groups.push_back(&group);
    std::ranges::stable_sort(groups, std::greater<>(), &ClassCopies::share);
    out_ += markup("<h3>Groups of copies</h3>\n");
    parts::Table table("Groups of copies",
                       {{"in common"}, {"students"}, {"who", true}, {"side by side", true}});
    for (std::size_t g = 0; g < std::min(groups.size(), kGroups); ++g) {
      const ClassCopies& group = *groups[g];
      table.row({share(group.share) + parts::bar(group.share, Mood::Bad),
                 escaped(human_count(group.members.size())), members(group.members), pairs(group)});
    }
    out_ += std::move(table).write();
    if (groups.size() > kGroups)
      out_ += markup("<p class=\"note\">And {} with less in common.</p>\n", groups.size() - kGroups);
  }

  [[nodiscard]] Html pairs(const ClassCopies& group) const {
    Html list;
    for (std::size_t p = 0; p < std::min(group.pairs.size(), kPairs); ++p) {
      const ClassPair& pair = group.pairs[p];
      list += (p == 0 ? Html() : Html("<br>")) +
              linked(called(pair.first) + Piece(" · ") + called(pair.second), pair.page) + " " +
              share(pair.share);
    }
    if (group.pairs.size() > kPairs) list += markup("<br>and {} more", group.pairs.size() - kPairs);
    return html::format("<span class=\"wordy\">{}</span>", list);
  }

  const ClassPage& page_;
  std::map<std::string_view, const ClassStudent*> by_id_;
  Html out_;
};

}  // namespace

html::Html copies_section(const ClassPage& page) { return CopiesWriter(page).write(); }

}  // namespace cudalabs
