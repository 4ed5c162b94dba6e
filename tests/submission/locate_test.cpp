#include "grader/submission/locate.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/harness/catch.h"

namespace fs = std::filesystem;
using namespace cudalabs;

namespace {

/// The submission in its usual place, which must be there unless there is an error.
Result<Submission> located(const Lab& lab, const fs::path& given = {}) {
  auto found = locate_submission(lab, given);
  if (!found) return found.problem();
  REQUIRE(*found);
  return std::move(**found);
}

Lab row_max() {
  Lab lab;
  lab.slug = "lab3/variant4";
  lab.lab = "lab3";
  lab.variant = "variant4";
  lab.file = "row_max.cu";
  return lab;
}

// A student's folder, removed at the end of the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "cudalabs-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path write(const std::string& name, const std::string& content = "code") const {
    const fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << content;
    return file;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }
  // Removes the folder's path from a message, so that texts can be compared.
  [[nodiscard]] std::string plain(std::string text) const {
    for (std::size_t at; (at = text.find(path_.string())) != std::string::npos;)
      text.replace(at, path_.string().size(), "DIR");
    return text;
  }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("a source beside the submission that has a function is named") {
  const Folder folder;
  folder.write("helper.cpp", "int ceil_div (int a, int b) { return (a + b - 1) / b; }");
  folder.write("helper.h", "int only_declared(int);");
  folder.write("other.cu", "int my_ceil_div2(int);");
  const auto found = located(row_max(), folder.write("row_max.cu", "int ceil_div(int, int);"));
  REQUIRE(found);
  CHECK(source_beside_with(*found, "ceil_div") == "helper.cpp");
  CHECK(source_beside_with(*found, "ceil_div2") == "");
  CHECK(source_beside_with(*found, "only_declared") == "");
}

TEST_CASE("a submission is found in a mirror of the tree, in the variant's folder, or as a file") {
  const Folder folder;
  const auto file = folder.write("repo/lab3/variant4/row_max.cu", "source");
  for (const fs::path& given :
       {folder.path() / "repo", file.parent_path(), file, folder.path() / "repo/lab3"}) {
    const auto found = located(row_max(), given);
    REQUIRE(found.ok());
    CHECK(found->file == file);
    CHECK(found->source.name == "row_max.cu");
    CHECK(found->source.content == "source");
    CHECK(found->headers.empty());
  }
}

TEST_CASE("without a path the current folder is searched") {
  const Folder folder;
  folder.write("lab3/variant4/row_max.cu", "mirror");
  folder.write("row_max.cu", "here");
  const auto before = fs::current_path();
  fs::current_path(folder.path());
  const auto found = located(row_max());
  fs::remove_all(folder.path() / "lab3");
  const auto second = located(row_max());
  fs::current_path(before);
  REQUIRE(found.ok());
  CHECK(found->source.content == "mirror");
  CHECK(found->file == "lab3/variant4/row_max.cu");
  REQUIRE(second.ok());
  CHECK(second->source.content == "here");
}

TEST_CASE("a file given by another name keeps it") {
  const Folder folder;
  const auto found = located(row_max(), folder.write("my_try.cu"));
  REQUIRE(found.ok());
  CHECK(found->source.name == "my_try.cu");
  const auto strange = located(row_max(), folder.write("@flags --x.cu"));
  REQUIRE(strange.ok());
  CHECK(strange->source.name == "row_max.cu");
}

TEST_CASE("headers that the file names come with it, other files do not") {
  const Folder folder;
  folder.write(
      "row_max.cu",
      "#include \"tile.cuh\"\n#include \"-include.h\"\n#include \"sub/other.h\"\n#include \"folder.h\"\n"
      "#include \"pipe.h\"\n#include \"passwd.h\"\n#include \"notes.txt\"\n");
  folder.write("tile.cuh", "#include \"inner.h\"\n#include \"row_max.cu\"\n");
  folder.write("inner.h", "#include \"tile.cuh\"\n#include \"kernels.inl\"\n");
  folder.write("kernels.inl");
  folder.write("unrelated.h");
  folder.write("notes.txt");
  folder.write("-include.h");
  folder.write("sub/other.h");
  fs::create_directory(folder.path() / "folder.h");
  ::mkfifo((folder.path() / "pipe.h").c_str(), 0600);
  fs::create_symlink("/etc/passwd", folder.path() / "passwd.h");
  const auto found = located(row_max(), folder.path());
  REQUIRE(found.ok());
  REQUIRE(found->headers.size() == 3);
  CHECK(found->headers[0].name == "inner.h");
  CHECK(found->headers[1].name == "kernels.inl");
  CHECK(found->headers[2].name == "tile.cuh");
  CHECK(found->headers[2].content == "#include \"inner.h\"\n#include \"row_max.cu\"\n");
}

TEST_CASE("too many or too large files are refused") {
  const Folder folder;
  std::string code;
  for (std::size_t i = 0; i <= kMaxHeaders; ++i) {
    folder.write("h" + std::to_string(i) + ".h");
    code += "#include \"h" + std::to_string(i) + ".h\"\n";
  }
  folder.write("row_max.cu", code);
  const auto many = located(row_max(), folder.path());
  REQUIRE_FALSE(many.ok());
  CHECK(many.problem().message.english() == "includes more than 32 files or 4 MiB of them");

  const Folder other;
  const auto large = located(row_max(), other.write("row_max.cu", std::string(kMaxSourceBytes + 1, ' ')));
  REQUIRE_FALSE(large.ok());
  CHECK(other.plain(large.problem().text()) ==
        "DIR/row_max.cu: has 1048577 bytes; the limit of a source file or header is 1 MiB (1048576 bytes)\n"
        "  hint: hand in source code only: let the program compute its tables, or spread them over several "
        "headers");
}

TEST_CASE("a header that is too large or unreadable is told of, not left out") {
  const Folder folder;
  folder.write("row_max.cu", "#include \"inner.h\"\n");
  folder.write("inner.h", "#include \"table.h\"\n");
  const auto text = [&] {
    const auto found = located(row_max(), folder.path());
    return found.ok() ? "found " + std::to_string(found->headers.size())
                      : folder.plain(found.problem().text());
  };
  folder.write("table.h", std::string(kMaxSourceBytes, ' '));
  folder.write("unrelated.h", std::string(3 * kMaxSourceBytes, ' '));
  folder.write("ner.h", std::string(3 * kMaxSourceBytes, ' '));  // the end of "inner.h"
  CHECK(text() == "found 2");
  const auto table = folder.write("table.h", std::string(2 * kMaxSourceBytes, ' '));
  CHECK(text() ==
        "DIR/table.h: has 2097152 bytes; the limit of a source file or header is 1 MiB (1048576 bytes)\n"
        "  hint: hand in source code only: let the program compute its tables, or spread them over several "
        "headers");
  if (::geteuid() == 0) return;  // root can read everything
  folder.write("table.h");
  fs::permissions(table, fs::perms::none);
  CHECK(text() ==
        "DIR/table.h: cannot be read: Permission denied\n  hint: make it readable: chmod u+r DIR/table.h");
}

TEST_CASE("what references share is for the course's own reference alone") {
  const Folder course, student;
  const std::string source = "#include \"shared.cuh\"\n#include \"own.cuh\"\n";
  Lab lab = row_max();
  lab.reference = course.write("reference/lab3/variant4/row_max.cu", source);
  course.write("reference/lab3/variant4/own.cuh");
  lab.reference_headers = {course.write("reference/lab3/shared.cuh", "#include \"more.cuh\"\n"),
                           course.write("reference/lab3/more.cuh", "// more\n"),
                           course.write("reference/lab3/unrelated.cuh")};
  const auto names = [&](const fs::path& given) {
    const auto found = located(lab, given);
    if (!found) return found.problem().message.english();
    std::string text;
    for (const SourceFile& header : found->headers) text += header.name + " ";
    return text;
  };
  const std::string all = "more.cuh own.cuh shared.cuh ";
  CHECK(names(lab.reference) == all);
  CHECK(names(lab.reference.parent_path()) == all);
  CHECK(names(course.path() / "reference") == all);

  // If a student submits the same text, even in folders with the same names, it gets the files beside it.
  const auto copy = student.write("reference/lab3/variant4/row_max.cu", source);
  CHECK(names(copy).empty());
  student.write("reference/lab3/shared.cuh");
  CHECK(names(student.path() / "reference").empty());
  // A student's header with such a name belongs to the student.
  student.write("reference/lab3/variant4/shared.cuh", "// mine\n");
  CHECK(names(copy) == "shared.cuh ");
  CHECK(located(lab, copy)->headers[0].content == "// mine\n");
  // Links do not turn a submission into a reference.
  fs::remove(copy);
  fs::create_symlink(lab.reference, copy);
  CHECK(names(copy) == "is a link to a file outside the submission");
  fs::create_directories(course.path() / "lab3/variant4");
  fs::create_symlink(lab.reference, course.path() / "lab3/variant4/row_max.cu");
  CHECK(names(course.path()).empty());
}

TEST_CASE("links out of the submission, pipes, devices and folders are refused at once") {
  const Folder folder;
  const auto file = folder.path() / "row_max.cu";
  const auto refused = [&] {
    const auto found = located(row_max(), folder.path());
    REQUIRE_FALSE(found.ok());
    const std::string text = folder.plain(found.problem().text());
    fs::remove_all(file);
    return text;
  };
  fs::create_symlink("/etc/passwd", file);
  CHECK(refused() ==
        "DIR/row_max.cu: is a link to a file outside the submission\n  hint: put the file itself there");
  fs::create_symlink("/dev/zero", file);
  CHECK(refused() ==
        "DIR/row_max.cu: is a link to a file outside the submission\n  hint: put the file itself there");
  ::mkfifo(file.c_str(), 0600);
  CHECK(refused() == "DIR/row_max.cu: is a named pipe, not a file");
  fs::create_directory(file);
  CHECK(refused() == "DIR/row_max.cu: is a folder, not a file");
  fs::create_symlink("nowhere", file);
  CHECK(refused() == "DIR/row_max.cu: cannot be read: No such file or directory");
  fs::create_symlink("row_max.cu", file);
  CHECK(refused() == "DIR/row_max.cu: cannot be read: Too many levels of symbolic links");

  folder.write("real.cu", "inside");
  fs::create_symlink("real.cu", file);
  const auto inside = located(row_max(), folder.path());
  REQUIRE(inside.ok());
  CHECK(inside->source.content == "inside");
}

TEST_CASE("an unreadable file says so") {
  if (::geteuid() == 0) return;  // root can read everything
  const Folder folder;
  const auto file = folder.write("row_max.cu");
  fs::permissions(file, fs::perms::none);
  const auto found = located(row_max(), folder.path());
  REQUIRE_FALSE(found.ok());
  CHECK(folder.plain(found.problem().text()) ==
        "DIR/row_max.cu: cannot be read: Permission denied\n  hint: make it readable: chmod u+r "
        "DIR/row_max.cu");
}

TEST_CASE("What is elsewhere, in an archive or in a notebook is left to the search") {
  const Folder folder;
  const auto is_left = [&](const fs::path& given) {
    const auto found = locate_submission(row_max(), given);
    REQUIRE(found.ok());
    return !found->has_value();
  };
  CHECK(is_left(folder.path()));
  folder.write("deep/er/row_max.cu");
  folder.write("rowmax.cu");
  CHECK(is_left(folder.path()));
  CHECK(is_left(folder.write("hand_in.ipynb")));
  CHECK(is_left(folder.write("work.zip")));
  CHECK(is_left(folder.write("packed.cu", "PK\3\4...")));
  CHECK_FALSE(is_left(folder.write("row_max.cu.txt")));
  CHECK_FALSE(is_left(folder.write("row_max.CU")));
  const auto gone = locate_submission(row_max(), folder.path() / "dep");
  REQUIRE_FALSE(gone.ok());
  CHECK(folder.plain(gone.problem().text()).find("DIR/dep: no such file or folder; did you mean 'deep'?") ==
        0);
}
