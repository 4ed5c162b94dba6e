#include "grader/classroom/reports/feedback_zip.h"

#include "grader/classroom/reports/class_files.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("Names of feedback files are Moodle's and Canvas's", "[batch]") {
  CHECK(moodle_feedback_path("Ada_L. O'Ve/..", "12", "x.html") ==
        "Ada L. O'Ve .._12_assignfeedback_file_/x.html");
  CHECK(moodle_feedback_path("a<b>:\"|?*\\c", "12", "x.html") ==
        "a b       c_12_assignfeedback_file_/x.html");
  CHECK(moodle_feedback_path("_", "12", "x.html") == "student_12_assignfeedback_file_/x.html");
  FileTree tree;
  for (const char* const path : {"all/smithjo_4711_90001_notes.txt", "all/smithjo_4711_90002_row_max.cu",
                                 "all/smithjo_4711_90003_other.cu", "li_LATE_4712_90004_p.zip/src/row_max.cu",
                                 "x.cu", "zoe_4713_text.html"})
    tree.files.push_back({path, "", 0, {}});
  CHECK(canvas_upload_names(tree) ==
        std::map<std::string, std::string>{{"4711", "smithjo_4711_90002_"}, {"4712", "li_LATE_4712_90004_"}});
  CHECK(address_of("Ü 1%.html") == "%C3%9C%201%25.html");
}
