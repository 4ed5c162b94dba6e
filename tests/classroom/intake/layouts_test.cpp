#include "grader/classroom/intake/layouts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "grader/base/fd.h"
#include "grader/classroom/intake/utf8_name.h"
#include "tests/classroom/class.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

const std::string kSource = "__global__ void f() {}\n";

std::string read_class(const std::map<std::string, std::string>& files, const std::string& name = "class") {
  const TemporaryFolder folder;
  write_files(folder.path() / name, files);
  return summary(class_of(folder.path() / name), folder.path());
}

std::string read_archived(const std::string& name, const std::map<std::string, std::string>& files) {
  const TemporaryFolder folder;
  write_archive(folder.path() / name, files);
  return summary(class_of(folder.path() / name), folder.path());
}

/// An archive with the same entry of zeros repeated, after its other entries.
void write_zeros(const std::filesystem::path& file, const std::string& name, std::size_t zeros, int times,
                 const std::vector<std::string>& sources = {}) {
  archive* out = archive_write_new();
  const bool zip = file.extension() == ".zip";
  if (zip) archive_write_set_format_zip(out);
  if (!zip) archive_write_set_format_ustar(out);
  if (file.extension() == ".bz2") archive_write_add_filter_bzip2(out);
  if (file.extension() == ".xz") archive_write_add_filter_xz(out);
  if (file.extension() == ".zst") archive_write_add_filter_zstd(out);
  archive_write_set_options(out, "compression-level=1");
  archive_write_open_filename(out, file.c_str());
  const std::string block(std::size_t{1} << 20, '\0');
  for (const std::string& source : sources) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, source.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(kSource.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(out, entry);
    archive_write_data(out, kSource.data(), kSource.size());
    archive_entry_free(entry);
  }
  for (int k = 0; k < times; ++k) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(zeros));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(out, entry);
    for (std::size_t left = zeros; left > 0; left -= std::min(left, block.size()))
      archive_write_data(out, block.data(), std::min(left, block.size()));
    archive_entry_free(entry);
  }
  archive_write_free(out);
}

}  // namespace

TEST_CASE("A folder with one folder a student", "[layouts]") {
  CHECK(read_class({{"alice/row_max.cu", kSource},
                    {"bob/lab3/variant4/row_max.cu", kSource},
                    {"bob/lab3/variant5/row_max.cu", "another variant's"},
                    {"carol/student_templates/lab3/variant4/row_max.cu", kSource},
                    {"dave/report.pdf", "x"},
                    {"erin/", ""},
                    {"frank/solution.cu", kSource},
                    {"grace/a.cu", kSource},
                    {"grace/b.cu", kSource},
                    {"heidi/one/row_max.cu", kSource},
                    {"heidi/two/row_max.cu", "other"},
                    {"ivan/lab3/variant5/row_max.cu", "another variant's alone"},
                    {"roster.csv", "x"},
                    {".git/config", "x"}}) ==
        "folders\n"
        "alice: class: alice/row_max.cu\n"
        "bob: class: bob/lab3/variant4/row_max.cu\n"
        "carol: class: carol/student_templates/lab3/variant4/row_max.cu\n"
        "dave: ! no row_max.cu was handed in, only report.pdf; Hand in the source as row_max.cu.\n"
        "erin: ! nothing was handed in\n"
        "frank: class: frank/solution.cu; solution.cu is used as row_max.cu: it is the only .cu file\n"
        "grace: ! row_max.cu is missing; it may be one of a.cu, b.cu; Keep one of them, as row_max.cu.\n"
        "heidi: ! several files are named row_max.cu: one/row_max.cu, two/row_max.cu; Keep one of them, as "
        "row_max.cu.\n"
        "ivan: ! no row_max.cu was handed in, only lab3/variant5/row_max.cu; Hand in the source as "
        "row_max.cu.\n");
}

TEST_CASE("Hidden folders are nobody's, and that is told", "[layouts]") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& name, const std::map<std::string, std::string>& files) {
    write_files(folder.path() / name, files);
    return class_of(folder.path() / name);
  };
  const ClassSources some = read("some", {{"alice/row_max.cu", kSource},
                                          {"alice/.old/row_max.cu", "alice's"},
                                          {".bob/row_max.cu", kSource},
                                          {".carol/report.pdf", "x"},
                                          {".dave.cu", kSource},
                                          {".git/row_max.cu", "x"},
                                          {"__MACOSX/row_max.cu", "x"},
                                          {".vscode/settings.json", "x"},
                                          {".DS_Store", "x"}});
  CHECK(summary(some, folder.path()) == "folders\nalice: some: alice/row_max.cu\n");
  CHECK(some.left_out == std::vector<std::string>{".bob", ".carol", ".dave.cu"});
  // The hidden folder may also be beside the students' folder and contain a whole class.
  const ClassSources beside = read("beside", {{"all/alice/row_max.cu", kSource},
                                              {"all/bob/.x/row_max.cu", kSource},
                                              {".last_year/carol/row_max.cu", kSource}});
  CHECK(summary(beside, folder.path()) ==
        "folders\nalice: beside: all/alice/row_max.cu\nbob: beside: all/bob/.x/row_max.cu\n");
  CHECK(beside.left_out == std::vector<std::string>{".last_year"});
  // A student who only has a hidden submission still counts as a student.
  const ClassSources all = read("all", {{"alice/.x/row_max.cu", kSource}, {"bob/.x/row_max.cu", kSource}});
  CHECK(summary(all, folder.path()) ==
        "folders\nalice: all: alice/.x/row_max.cu\nbob: all: bob/.x/row_max.cu\n");
  CHECK(all.left_out.empty());
}

TEST_CASE("Files and archives named after students, in a wrapper", "[layouts]") {
  const TemporaryFolder folder;
  write_files(folder.path() / "class/all", {{"alice.cu", kSource}, {"bob/row_max.cu", kSource}});
  write_archive(folder.path() / "class/all/carol.zip", {{"work/row_max.cu", kSource}});
  write_archive(folder.path() / "class/all/dave.tar.gz", {{"row_max.cu", kSource}, {"mine.cuh", "x"}});
  write_files(folder.path() / "class/all", {{"erin.zip", "no archive at all"}});
  CHECK(summary(class_of(folder.path() / "class"), folder.path()) ==
        "folders\n"
        "alice: class: all/alice.cu; alice.cu is used as row_max.cu: it is the only .cu file\n"
        "bob: class: all/bob/row_max.cu\n"
        "carol: class: all/carol/work/row_max.cu\n"
        "dave: class: all/dave/row_max.cu\n"
        "erin: ! erin.zip cannot be unpacked: Unrecognized archive format\n");
}

TEST_CASE("One submission by itself", "[layouts]") {
  const TemporaryFolder folder;
  write_files(
      folder.path(),
      {{"alice/row_max.cu", kSource}, {"bob/lab3/variant4/row_max.cu", kSource}, {"carol.cu", kSource}});
  CHECK(summary(class_of(folder.path() / "alice"), folder.path()) ==
        "one submission\nalice: alice: row_max.cu\n");
  CHECK(summary(class_of(folder.path() / "bob/"), folder.path()) ==
        "one submission\nbob: bob/: lab3/variant4/row_max.cu\n");
  CHECK(summary(class_of(folder.path() / "carol.cu"), folder.path()) ==
        "one submission\ncarol: carol.cu: carol.cu; carol.cu is used as row_max.cu: it is the only .cu "
        "file\n");
}

TEST_CASE("Canvas", "[layouts]") {
  CHECK(read_archived("submissions.zip", {{"smithjo_4711_90001_row_max-1.cu", kSource},
                                          {"o'neillann_LATE_4712_90002_row_max.cu", kSource},
                                          {"o'neillann_LATE_4712_90002_tile.cuh", "x"},
                                          {"zhouli_4713_90003_report.pdf", "x"}}) ==
        "Canvas\n"
        "4711 (smithjo): submissions.zip: smithjo_4711_90001_row_max-1.cu\n"
        "4712 (o'neillann): submissions.zip: o'neillann_LATE_4712_90002_row_max.cu\n"
        "4713 (zhouli): ! no row_max.cu was handed in, only report.pdf; Hand in the source as row_max.cu.\n");
  // A student's archive, and the download unpacked into a folder.
  const TemporaryFolder folder;
  write_files(folder.path() / "submissions", {{"smithjo_4711_90001_row_max.cu", kSource}});
  write_archive(folder.path() / "submissions/zhouli_4713_90003_work.zip", {{"work/row_max.cu", kSource}});
  CHECK(summary(class_of(folder.path() / "submissions"), folder.path()) ==
        "Canvas\n"
        "4711 (smithjo): submissions: smithjo_4711_90001_row_max.cu\n"
        "4713 (zhouli): submissions: zhouli_4713_90003_work/work/row_max.cu\n");
}

TEST_CASE("Moodle", "[layouts]") {
  CHECK(read_archived("Lab 3.zip", {{"Jo Smith_4711_assignsubmission_file_/row_max.cu", kSource},
                                    {"Анна Петрова_4712_assignsubmission_file_/row_max.cu", kSource},
                                    {"Li Zhou_4713_assignsubmission_onlinetext_/onlinetext.html", "x"}}) ==
        "Moodle\n"
        "4711 (Jo Smith): Lab 3.zip: Jo Smith_4711_assignsubmission_file_/row_max.cu\n"
        "4712 (Анна Петрова): Lab 3.zip: Анна Петрова_4712_assignsubmission_file_/row_max.cu\n"
        "4713 (Li Zhou): ! no row_max.cu was handed in, only onlinetext.html; Hand in the source as "
        "row_max.cu.\n");
  CHECK(read_archived("flat.zip", {{"Jo Smith_4711_assignsubmission_file_row_max.cu", kSource}}) ==
        "Moodle\n4711 (Jo Smith): flat.zip: Jo Smith_4711_assignsubmission_file_row_max.cu\n");
}

TEST_CASE("Gradescope", "[layouts]") {
  const std::string table =
      "submission_1:\n  :submitters:\n  - :name: Jo Smith\n    :sid: '4711'\n    :email: jo@example.org\n"
      "  :created_at: 2026-03-01 12:00:00.5 Z\n  :score: 3\n"
      "submission_2:\n  :submitters:\n  - :name: Ann\n    :sid: ''\n    :email: ann@example.org\n"
      "  - :name: Li\n    :sid: '4713'\n    :email: li@example.org\n  :created_at: 2026-03-02 12:00:00 "
      "+01:00\n"
      "submission_3:\n  :submitters:\n  - :name: Zoe\n    :sid: '4714'\n    :email: z@example.org\n";
  const TemporaryFolder folder;
  write_archive(folder.path() / "export.zip",
                {{"assignment_9_export/submission_metadata.yml", table},
                 {"assignment_9_export/submission_1/row_max.cu", kSource},
                 {"assignment_9_export/submission_2/lab3/variant4/row_max.cu", kSource}});
  const ClassSources sources = class_of(folder.path() / "export.zip");
  CHECK(summary(sources, folder.path()) ==
        "Gradescope\n"
        "4711 (Jo Smith): export.zip: assignment_9_export/submission_1/row_max.cu\n"
        "ann@example.org (Ann): export.zip: assignment_9_export/submission_2/lab3/variant4/row_max.cu\n"
        "4713 (Li): export.zip: assignment_9_export/submission_2/lab3/variant4/row_max.cu\n"
        "4714 (Zoe): ! nothing was handed in\n");
  CHECK(sources.hand_ins[0].time.at == 1772366400);
  CHECK(sources.hand_ins[1].time.at == 1772449200);
  CHECK(sources.hand_ins[3].time.at == 0);
}

TEST_CASE("Classroom 50 and GitHub Classroom", "[layouts]") {
  CHECK(read_class({{"cuda-lab3/.classroom50.yml", "x"},
                    {"cuda-lab3-alice/lab3/variant4/row_max.cu", kSource},
                    {"cuda-lab3-bob-smith/README.md", "x"},
                    {"scores.csv", "x"}},
                   "cuda-lab3_submissions_2026_05_09_T_14_30_45") ==
        "Classroom 50\n"
        "alice: cuda-lab3_submissions_2026_05_09_T_14_30_45: cuda-lab3-alice/lab3/variant4/row_max.cu\n"
        "bob-smith: ! no row_max.cu was handed in, only README.md; Hand in the source as row_max.cu.\n");
  CHECK(read_class({{"lab3-alice/row_max.cu", kSource}}, "lab3-submissions") ==
        "Classroom 50\nalice: lab3-submissions: lab3-alice/row_max.cu\n");
}

TEST_CASE("Headers that the source names come along", "[layouts]") {
  const TemporaryFolder folder;
  write_files(folder.path() / "class", {{"alice/row_max.cu", "#include \"tile.cuh\"\n"},
                                        {"alice/tile.cuh", "#include \"deep.h\"\n"},
                                        {"alice/deep.h", "x"},
                                        {"alice/other.h", "not named"},
                                        {"bob/row_max.cu", kSource}});
  const ClassSources sources = class_of(folder.path() / "class");
  REQUIRE(sources.hand_ins.size() == 2);
  REQUIRE(sources.hand_ins[0].submission.headers.size() == 2);
  CHECK(sources.hand_ins[0].submission.headers[0].name == "deep.h");
  CHECK(sources.hand_ins[0].submission.headers[1].name == "tile.cuh");
}

TEST_CASE("Names that are no text become some, and stay different", "[layouts]") {
  CHECK(read_class({{"J\xfcrgen/row_max.cu", kSource},
                    {"J\xf6rgen/row_max.cu", kSource},
                    {"Jürgen/row_max.cu", kSource},
                    {"\xff\xff/a.cu", kSource},
                    {"\xff\xff/\xfe.cu", kSource}}) ==
        "folders\n"
        "Jürgen: class: Jürgen/row_max.cu\n"
        "J\\xf6rgen: class: J\\xf6rgen/row_max.cu\n"
        "J\\xfcrgen: class: J\\xfcrgen/row_max.cu\n"
        "\\xff\\xff: ! row_max.cu is missing; it may be one of a.cu, \\xfe.cu; Keep one of them, as "
        "row_max.cu.\n");
  CHECK(read_archived("Lab 3.zip", {{"\xc0_4711_assignsubmission_file_/row_max.cu", kSource}}) ==
        "Moodle\n4711 (\\xc0): Lab 3.zip: \\xc0_4711_assignsubmission_file_/row_max.cu\n");
  CHECK(utf8_name("a\\\xff") == "a\\x5c\\xff");
  CHECK(utf8_name("cut \xe2\x80") == "cut \\xe2\\x80");
  CHECK(utf8_name("\u202Eann\\\u200B") == "\\u202eann\\x5c\\u200b");
  for (const std::string_view text : {"", "FACULTY\\jo", "a\\x5c\\xff", "\\u202eann"})
    CHECK(utf8_name(text) == text);
}

TEST_CASE("Names of any letters in an archive that says that they are UTF-8", "[layouts]") {
  const TemporaryFolder folder;
  const std::filesystem::path zip = folder.path() / "class.zip";
  write_archive(zip, {{"Müller_1001_assignsubmission_file_/row_max.cu", kSource},
                      {"Анна_1002_assignsubmission_file_/row_max.cu", kSource}});
  // Sets bit 11 of the flags in the local and central headers (APPNOTE 4.4.4).
  std::string bytes = test::read_file(zip);
  for (const auto& [mark, flags] : {std::pair{"PK\3\4", 7}, {"PK\1\2", 9}}) {
    for (std::size_t at = 0; (at = bytes.find(mark, at)) != std::string::npos; ++at)
      bytes[at + static_cast<std::size_t>(flags)] |= 8;
  }
  std::ofstream(zip, std::ios::binary) << bytes;
  const ClassSources sources = class_of(zip);
  REQUIRE(sources.hand_ins.size() == 2);
  CHECK(sources.hand_ins[0].name == "Müller");
  CHECK(sources.hand_ins[1].name == "Анна");
}

TEST_CASE("A backslash separates only in what Windows packed", "[layouts]") {
  const std::map<std::string, std::string> files = {{"all/a\\b/row_max.cu", kSource},
                                                    {"all/a\\..\\c/row_max.cu", kSource}};
  for (const std::string name : {"class", "c.tar", "c.zip"}) {
    CHECK((name == "class" ? read_class(files) : read_archived(name, files)) ==
          "folders\na\\..\\c: " + name + ": all/a\\..\\c/row_max.cu\na\\b: " + name +
              ": all/a\\b/row_max.cu\n");
  }
  CHECK(read_archived("w.zip", {{"all\\ann\\row_max.cu", kSource}, {"all\\..\\row_max.cu", kSource}}) ==
        "folders\nann: w.zip: all/ann/row_max.cu\n");
}

TEST_CASE("Archives that mean harm", "[layouts]") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& name) {
    return summary(class_of(folder.path() / name), folder.path());
  };
  // Names that lead out of the archive, or are too long, are left out and reported.
  write_archive(folder.path() / "inner.zip", {{"../bob/row_max.cu", "x"}});
  std::map<std::string, std::string> entries = {{"../../etc/row_max.cu", kSource},
                                                {"alice/row_max.cu", kSource},
                                                {"bob/work.zip", read_file(folder.path() / "inner.zip")},
                                                {"carol/" + std::string(1024, 'c') + ".cu", kSource},
                                                {"__MACOSX/x.cu", "x"}};
  write_archive(folder.path() / "out.zip", entries);
  CHECK(read("out.zip") ==
        "folders\nalice: out.zip: alice/row_max.cu\nbob: ! no row_max.cu was handed in, only work.zip; Hand "
        "in the source as row_max.cu.\n");
  const auto out_tree = read_tree(folder.path() / "out.zip");
  REQUIRE(out_tree);
  CHECK(out_tree->left_out.names == std::vector<std::string>{"../../etc/row_max.cu",
                                                             "bob/work/../bob/row_max.cu",
                                                             "carol/" + std::string(54, 'c') + "..."});
  CHECK(out_tree->left_out.more == 0);
  // The same for any number of them.
  entries.clear();
  for (int i = 0; i < 300; ++i) entries["../" + std::to_string(i)] = "x";
  write_archive(folder.path() / "many.zip", entries);
  const auto many = read_tree(folder.path() / "many.zip");
  REQUIRE(many);
  CHECK(many->left_out.names.size() == 100);
  CHECK(many->left_out.more == 200);
  // A student who packed a link instead of a file still gets a row.
  {
    archive* out = archive_write_new();
    archive_write_set_format_zip(out);
    archive_write_open_filename(out, (folder.path() / "link.zip").c_str());
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, "alice/row_max.cu");
    archive_entry_set_filetype(entry, AE_IFLNK);
    archive_entry_set_symlink(entry, "../bob/row_max.cu");
    archive_write_header(out, entry);
    archive_entry_set_pathname(entry, "bob/row_max.cu");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_symlink(entry, nullptr);
    archive_entry_set_size(entry, static_cast<la_int64_t>(kSource.size()));
    archive_write_header(out, entry);
    archive_write_data(out, kSource.data(), kSource.size());
    archive_entry_free(entry);
    archive_write_free(out);
  }
  CHECK(read("link.zip") ==
        "folders\nalice: ! row_max.cu is a link or a device, not a file\nbob: link.zip: bob/row_max.cu\n");
  std::filesystem::create_directories(folder.path() / "links/alice");
  std::filesystem::create_symlink("../bob/row_max.cu", folder.path() / "links/alice/row_max.cu");
  write_files(folder.path() / "links", {{"bob/row_max.cu", kSource}});
  CHECK(read("links") ==
        "folders\nalice: ! row_max.cu is a link or a device, not a file\nbob: links: bob/row_max.cu\n");
  // A source of 2 MiB is reported and does not affect other students.
  write_archive(folder.path() / "large.zip",
                {{"alice/row_max.cu", std::string(2 << 20, 'x')}, {"bob/row_max.cu", kSource}});
  CHECK(read("large.zip") ==
        "folders\nalice: ! row_max.cu is larger than 1024 KiB\nbob: large.zip: bob/row_max.cu\n");
  // A truncated archive may be incomplete, so it is not used.
  write_archive(folder.path() / "cut.tar",
                {{"alice/row_max.cu", kSource}, {"bob/row_max.cu", std::string(5000, 'y')}});
  std::filesystem::resize_file(folder.path() / "cut.tar", 3000);
  const auto cut = read_tree(folder.path() / "cut.tar");
  REQUIRE(!cut);
  CHECK(cut.problem().text() ==
        (folder.path() / "cut.tar").string() +
            ": cannot be unpacked: " + (folder.path() / "cut.tar").string() +
            ": Truncated input file (needed 3656 bytes, only 0 available)\n  hint: download it again");
  // 3 GiB of zeros in a few kilobytes.
  {
    archive* out = archive_write_new();
    archive_write_set_format_pax_restricted(out);
    archive_write_add_filter_gzip(out);
    archive_write_open_filename(out, (folder.path() / "bomb.tar.gz").c_str());
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, "alice/data.bin");
    archive_entry_set_size(entry, 3LL << 30);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(out, entry);
    archive_entry_free(entry);
    archive_write_free(out);
  }
  const auto bomb = read_tree(folder.path() / "bomb.tar.gz");
  REQUIRE(!bomb);
  CHECK(bomb.problem().message.english().ends_with("unpacks to more than 2 GiB"));
}

TEST_CASE("An archive that has a file more than once", "[layouts]") {
  using Files = std::vector<std::pair<std::string, std::string>>;
  const TemporaryFolder folder;
  const std::string source = "#include \"a.cuh\"\n#include \"b.cuh\"\n";
  const Files files = {{"alice/row_max.cu", "first"}, {"alice/row_max.cu", source}, {"alice/a.cuh", "1"},
                       {"alice/a.cuh", "2"},          {"alice/b.cuh", "1"},         {"alice/b.cuh", "1"},
                       {"alice/c.cuh", "1"},          {"alice/c.cuh", "2"},         {"bob/row_max.cu", "x"},
                       {"bob/row_max.cu", "y"},       {"bob/row_max.cu", "y"},      {"carol/row_max.cu", "z"},
                       {"carol/row_max.cu", "z"}};
  for (const std::string name : {"w.zip", "w.tar"}) {
    write_archive(folder.path() / name, files);
    const ClassSources sources = class_of(folder.path() / name);
    CHECK(summary(sources, folder.path()) ==
          "folders\n"
          "alice: " +
              name +
              ": alice/row_max.cu; the archive holds a file more than once with different contents; the last "
              "one is used: a.cuh, row_max.cu\n"
              "bob: " +
              name +
              ": bob/row_max.cu; the archive holds a file more than once with different contents; the last "
              "one is used: row_max.cu\n"
              "carol: " +
              name + ": carol/row_max.cu\n");
    CHECK(sources.hand_ins[0].submission.source.content == source);
    CHECK(sources.hand_ins[1].submission.source.content == "y");
  }
}

TEST_CASE("Names of any length", "[layouts]") {
  const TemporaryFolder folder;
  const auto root = folder.path() / "class";
  write_files(root, {{"smithjo_4711_90001_row_max.cu", kSource}});
  write_archive(root / "eve_4712_90002_work.tar.gz", {{std::string(60'000, 'a') + "-1.cu", "x"}});
  write_archive(root / "ann_4713_90003_work.tar.gz",
                {{std::string(60'000, 'a') + "-1.cu", "x"}, {"row_max.cu", kSource}});
  CHECK(summary(class_of(root), folder.path()) ==
        "Canvas\n"
        "4711 (smithjo): class: smithjo_4711_90001_row_max.cu\n"
        "4712 (eve): ! no row_max.cu was handed in, only work.tar.gz; Hand in the source as row_max.cu.\n"
        "4713 (ann): class: ann_4713_90003_work/row_max.cu\n");
  // Nested folders, each of which would be open at the same time.
  const TemporaryFolder deep;
  write_files(deep.path() / "class", {{"alice/row_max.cu", kSource}, {"bob/row_max.cu", kSource}});
  std::string nested = "bob";
  for (int k = 0; k < 200; ++k) nested += "/aaaaaa";
  std::filesystem::create_directories(deep.path() / "class" / nested);
  CHECK(summary(class_of(deep.path() / "class"), deep.path()) ==
        "folders\nalice: class: alice/row_max.cu\nbob: class: bob/row_max.cu\n");
  // Long names in the places that each service's layout reads.
  for (const std::string name :
       {"_submissions", "-submissions", "_4711_assignsubmission_file_", "_1_2_-1.cu"}) {
    const std::string entry = std::string(1000 - name.size(), 'b') + name;
    write_archive(folder.path() / "one.zip", {{entry + "/row_max.cu", kSource}, {entry + "/x.cu", kSource}});
    CHECK(class_of(folder.path() / "one.zip").hand_ins.size() == 1);
  }
}

TEST_CASE("Archives that become much stop their own student alone", "[layouts]") {
  const TemporaryFolder folder;
  const auto root = folder.path() / "class";
  write_files(root, {{"alice/row_max.cu", kSource}});
  // Left out and counted: names that lead out of the archive, and files that are not sources.
  write_zeros(root / "bob.tar.zst", "../x", 0, 200'001);
  write_zeros(root / "carol.tar.zst", "data.bin", std::size_t{300} << 20, 1);
  write_zeros(root / "dave.zip", "row_max.cu", (std::size_t{1} << 20) + 1, 260);
  write_zeros(root / "erin.tar.zst", "row_max.cu", 10, 20'001);
  // Two entries that are each small enough, in one archive.
  write_zeros(folder.path() / "half.tar.zst", "data.bin", std::size_t{150} << 20, 1);
  const std::string half = read_file(folder.path() / "half.tar.zst");
  write_archive(root / "frank.tar", {{"1.tar.zst", half}, {"2.tar.zst", half}, {"row_max.cu", kSource}});
  write_archive(root / "grace.tar", {{"1.tar.zst", half}, {"row_max.cu", kSource}});
  const std::string at = ": ! ", cannot = " cannot be unpacked: " + root.string() + ": ";
  CHECK(summary(class_of(root), folder.path()) ==
        "folders\nalice: class: alice/row_max.cu\n"
        "bob: ! bob.tar.zst" +
            cannot +
            "bob.tar.zst holds more than 200000 files\n"
            "carol: ! carol.tar.zst" +
            cannot +
            "carol.tar.zst unpacks to more than 256 MiB\n"
            "dave: ! dave.zip" +
            cannot +
            "dave.zip unpacks to more than 256 MiB\n"
            "erin: ! erin.tar.zst" +
            cannot +
            "erin.tar.zst holds more than 20000 files\n"
            "frank: ! frank.tar" +
            cannot +
            "frank.tar unpacks to more than 256 MiB\n"
            "grace: class: grace/row_max.cu\n");
}

TEST_CASE("A folder that makes a class too large stops its own student alone", "[layouts]") {
  // In memory, where there is such a place: a disk takes a hundred times as long for so many files.
  const std::filesystem::path memory = "/dev/shm";
  const TemporaryFolder folder(::access(memory.c_str(), W_OK) == 0 ? memory
                                                                   : std::filesystem::temp_directory_path());
  const auto root = folder.path() / "class";
  write_files(root, {{"all/alice/row_max.cu", kSource},
                     {"all/bob/deep/er/row_max.cu", kSource},
                     {"all/carol/row_max.cu", kSource},
                     {"all/zoe.cu", kSource},
                     {"roster.csv", "x"}});
  for (int k = 0; k < 200'001; ++k) {
    const auto file = root / "all/bob/deep" / (k % 2 == 0 ? "" : "er") / std::to_string(k);
    const UniqueFd made(::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    if (!made) FAIL(file);
  }
  const std::string others = "carol: class: all/carol/row_max.cu\n";
  CHECK(summary(class_of(root), folder.path()) ==
        "folders\nalice: class: all/alice/row_max.cu\nbob: ! the submission holds more than 20000 files\n" +
            others + "zoe: class: all/zoe.cu; zoe.cu is used as row_max.cu: it is the only .cu file\n");
}

TEST_CASE("So does one in an archive of a class", "[layouts]") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& name) {
    return summary(class_of(folder.path() / name), folder.path());
  };
  const std::vector<std::string> sources = {"alice/row_max.cu", "bob/row_max.cu", "carol/row_max.cu"};
  write_zeros(folder.path() / "files.tar.zst", "bob/data", 0, 200'001, sources);
  const std::string alice = ": alice/row_max.cu\n", carol = ": carol/row_max.cu\n";
  CHECK(read("files.tar.zst") ==
        "folders\nalice: files.tar.zst" + alice +
            "bob: ! the submission holds more than 20000 files\ncarol: files.tar.zst" + carol);
  write_zeros(folder.path() / "bytes.tar.zst", "bob/data.cuh", std::size_t{1} << 20, 520, sources);
  CHECK(read("bytes.tar.zst") ==
        "folders\nalice: bytes.tar.zst" + alice +
            "bob: ! the submission holds more than 64 MiB of sources\ncarol: bytes.tar.zst" + carol);
  write_zeros(folder.path() / "moodle.tar.zst", "Bo_2_assignsubmission_file_/data", 0, 200'001,
              {"Al_1_assignsubmission_file_/row_max.cu", "Bo_2_assignsubmission_file_/row_max.cu"});
  CHECK(read("moodle.tar.zst") ==
        "Moodle\n1 (Al): moodle.tar.zst: Al_1_assignsubmission_file_/row_max.cu\n"
        "2 (Bo): ! the submission holds more than 20000 files\n");
  // If no student's folder is the cause, the whole class is rejected as before.
  write_zeros(folder.path() / "flat.tar.zst", "data", 0, 200'001, sources);
  const auto flat = read_tree(folder.path() / "flat.tar.zst");
  REQUIRE(!flat);
  CHECK(flat.problem().message.english().ends_with("holds more than 200000 files"));
}

TEST_CASE("So do the archives of one student of a service", "[layouts]") {
  const TemporaryFolder folder;
  // Each of them is small enough.
  write_zeros(folder.path() / "w.tar.zst", "data", 0, 19'999);
  write_zeros(folder.path() / "small.tar.zst", "row_max.cu", 10, 1);
  const std::string much = read_file(folder.path() / "w.tar.zst");
  const std::string small = read_file(folder.path() / "small.tar.zst");
  const auto write = [&](const std::filesystem::path& place, const std::string& ann, const std::string& eve,
                         const std::string& zoe) {
    std::map<std::string, std::string> files = {{"all/" + ann + "row_max.cu", kSource},
                                                {"all/" + zoe + "w.tar.zst", small}};
    for (int k = 10; k < 22; ++k) files[fmt::format("all/{}{}{}.tar.zst", eve, k, "_w")] = much;
    place.has_extension() ? write_archive(place, files) : write_files(place, files);
    return summary(class_of(place), folder.path());
  };
  const std::string much_too_many = "! the submission holds more than 20000 files\n";
  const std::string canvas =
      "Canvas\n4711 (ann): c: all/ann_4711_1_row_max.cu\n4712 (eve): " + much_too_many +
      "4713 (zoe): c: all/zoe_4713_3_w/row_max.cu\n";
  CHECK(write(folder.path() / "c", "ann_4711_1_", "eve_4712_2", "zoe_4713_3_") == canvas);
  CHECK(write(folder.path() / "moodle.tar", "Ann_1_assignsubmission_file_", "Eve_2_assignsubmission_file_",
              "Zoe_3_assignsubmission_file_") ==
        "Moodle\n1 (Ann): moodle.tar: all/Ann_1_assignsubmission_file_row_max.cu\n2 (Eve): " + much_too_many +
            "3 (Zoe): moodle.tar: all/Zoe_3_assignsubmission_file_w/row_max.cu\n");
  // An archive with an empty name does not change the other entries.
  CHECK(read_archived("one.zip", {{"ann_1_2_.zip", "x"}, {"bob_3_4_row_max.cu", kSource}}) ==
        "Canvas\n1 (ann): ! .zip cannot be unpacked: Unrecognized archive format\n"
        "3 (bob): one.zip: bob_3_4_row_max.cu\n");
}

TEST_CASE("What cannot be read says why", "[layouts]") {
  const TemporaryFolder folder;
  write_files(folder.path(), {{"notes.pdf", "x"}});
  CHECK(read_tree(folder.path() / "gone").problem().message.english() == "no such file or folder");
  CHECK(read_tree(folder.path() / "notes.pdf").problem().message.english() ==
        "is neither a folder, a source, a notebook nor an archive");
  CHECK(class_of(folder.path()).hand_ins.empty());
}
