#pragma once
// A class to take in, for the tests: a folder of its own, archives, and the lab that everybody solves.

#include <archive.h>
#include <archive_entry.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "grader/classroom/intake/layouts.h"
#include "grader/course/course.h"
#include "tests/harness/files.h"

namespace cudalabs::test {

inline Lab row_max() {
  auto lab = load_lab({CUDALABS_SOURCE}, "lab3", "variant4");
  if (!lab) throw std::runtime_error(lab.problem().text());
  return *lab;
}

inline const std::vector<std::string>& slugs() {
  static const std::vector<std::string> all = {"lab3/variant4", "lab3/variant5", "lab4/variant1"};
  return all;
}

/// With the folders above them; a name that ends with '/' is a folder.
inline void write_files(const std::filesystem::path& folder,
                        const std::map<std::string, std::string>& files) {
  for (const auto& [name, content] : files) {
    std::filesystem::create_directories((folder / name).parent_path());
    if (name.ends_with('/')) continue;
    std::ofstream(folder / name, std::ios::binary) << content;
  }
}

/// An archive of these files, whatever their names are; its kind follows from the file's name.
template <class Files = std::map<std::string, std::string>>
void write_archive(const std::filesystem::path& file, const Files& files) {
  archive* out = archive_write_new();
  if (file.extension() == ".zip")
    archive_write_set_format_zip(out);
  else
    archive_write_set_format_pax_restricted(out);
  if (file.extension() == ".gz") archive_write_add_filter_gzip(out);
  archive_write_open_filename(out, file.c_str());
  for (const auto& [name, content] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_write_header(out, entry);
    archive_write_data(out, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

/// The hand-ins of a source, which must be readable.
inline ClassSources class_of(const std::filesystem::path& source) {
  auto tree = read_tree(source);
  if (!tree) throw std::runtime_error(tree.problem().text());
  return hand_ins_of(row_max(), slugs(), *tree);
}

/// "alice: class: alice/row_max.cu", a line each; with what was noted, or why there is nothing to grade.
inline std::string summary(const ClassSources& sources, const std::filesystem::path& root) {
  std::string text = sources.layout + "\n";
  for (const HandIn& one : sources.hand_ins) {
    std::string place = one.place;
    if (place.starts_with(root.string() + "/")) place.erase(0, root.string().size() + 1);
    text += one.student + (one.name == one.student ? "" : " (" + one.name + ")") + ": " +
            (one.problem.empty() ? place : "! " + one.problem.english()) +
            (one.note.empty() ? "" : "; " + one.note.english()) + "\n";
  }
  return text;
}

}  // namespace cudalabs::test
