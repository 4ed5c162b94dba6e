#include "grader/cli/lab_checks/copied_lab.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/course/lab_files.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Replaces `from` wherever it is a whole word.
std::string renamed(std::string text, const std::string& from, const std::string& to) {
  if (from == to) return text;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const std::size_t end = at + from.size();
    const bool whole = (at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]));
    if (whole) text.replace(at, from.size(), to);
    at += whole ? to.size() : from.size();
  }
  return text;
}

}  // namespace

std::vector<fs::path> files_to_copy(const Lab& lab) {
  std::vector<fs::path> files = {lab.config_file, lab.contract, lab.oracle};
  std::ranges::move(handouts_of(lab), std::back_inserter(files));
  const fs::path planted = lab.oracle.parent_path() / "planted.yaml";
  std::error_code ignored;
  if (fs::exists(planted, ignored)) files.push_back(planted);
  const fs::path variant = lab.oracle.parent_path();
  for (const fs::path& folder : {variant.parent_path(), variant})
    std::ranges::move(files_in(folder, ".h"), std::back_inserter(files));
  files.push_back(lab.stub);
  files.push_back(lab.reference);
  files.insert(files.end(), lab.reference_headers.begin(), lab.reference_headers.end());
  std::ranges::move(files_in(lab.reference.parent_path() / "right", ".cu"), std::back_inserter(files));
  for (const TestCase& test : lab.cases) {
    for (const CaseFile& file : test.files) {
      if (std::ranges::find(files, variant / file.name) == files.end()) files.push_back(variant / file.name);
    }
  }
  return files;
}

CopiedNames::CopiedNames(const Lab& old, std::string lab, std::string variant, std::string entry)
    : old_lab_(old.lab),
      old_variant_(old.variant),
      old_entry_(old.entry),
      lab_(std::move(lab)),
      variant_(std::move(variant)),
      entry_(entry.empty() ? old.entry : std::move(entry)) {
  for (const Version& version : old.versions) versions_.push_back(version.name);
}

fs::path CopiedNames::place(const fs::path& old) const {
  fs::path place;
  std::size_t depth = 0;
  const std::size_t lab_at = *old.begin() == "configs" ? 2 : 1;  // configs/labs/LAB, labs/LAB
  for (const fs::path& part : old) {
    std::string name = part.string();
    if (depth == lab_at) name = lab_;
    if (depth == lab_at + 1 && part.stem() == old_variant_) name = variant_ + part.extension().string();
    if (part == old_entry_ + ".cu") name = entry_ + ".cu";
    place /= name;
    ++depth;
  }
  return place;
}

std::string CopiedNames::text(std::string old) const {
  // "lab3/variant4", "lab3 variant4" and "lab3, variant4"; a variant's name alone may be any word.
  for (const char* between : {"/", " ", ", "})
    old = renamed(std::move(old), old_lab_ + between + old_variant_, lab_ + between + variant_);
  // The entry's name alone may be a word, too: "sum".
  for (const std::string& version : versions_)
    old = renamed(std::move(old), old_entry_ + "_" + version, entry_ + "_" + version);
  old = renamed(std::move(old), "entry: " + old_entry_, "entry: " + entry_);
  return renamed(std::move(old), old_entry_ + ".cu", entry_ + ".cu");
}

}  // namespace cudalabs::cli
