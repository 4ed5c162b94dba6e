#pragma once
// A table of submissions and the verdicts that they must get: expected.yaml beside the submissions' files.
//
//   last_column_ignored:                            # the submission last_column_ignored.cu
//     verdicts: [wrong_answer, accepted, accepted]  # global, shared, padded; one word stands for all three
//     points: [less, all, all]                      # optional, see Points
//     loses: structure.bank_conflict_free           # optional: this part must be among what was lost
//     says: [expected, "64 x 33"]                   # optional: the result must contain each of these texts
//     hides: ["root:x:"]                            # optional: and none of these, nor may the grader print them
//     with: [helper.cuh]                            # optional: files that lie beside it
//     landlock: {verdicts: accepted}                # optional: what differs in that sandbox; likewise
//     limits only: {stopped: false}                 # docs/trust.md says so: only the grader itself must come through
//     gpu: {verdicts: runtime_error}                # and what differs on a card
//     clang: {line: 5}                              # or with that compiler: another line than the marked one
//
// A line of the source that ends with "<-- here" must be named as the place of the trouble.

#include <filesystem>
#include <string>
#include <vector>

namespace e2e {

/// What must be true of a version's points.
enum class Points {
  None,     ///< "none": 0 points
  Less,     ///< "less": the points for correctness are incomplete. The default for any verdict but accepted.
  Correct,  ///< "correct": all points for correctness. The default for accepted.
  Flawed,   ///< "flawed": all points for correctness, but points for structure or speed are lost
  All,      ///< "all": every point
};

struct Expected {
  std::string name;
  std::filesystem::path source;
  std::vector<std::string> verdicts;  ///< three
  std::vector<Points> points;         ///< three
  std::vector<std::string> loses, says, hides;
  std::vector<std::filesystem::path> with;
  bool stopped = true;
  int line = 0;  ///< that must be named; 0: the marked one
};

/// Reads `folder`/expected.yaml, as it holds in `places`: the spellings of a SandboxKind, of a device and of
/// a compiler. Throws std::runtime_error for a table that does not fit its folder: a submission without an
/// entry, an entry without a submission, an unknown key.
std::vector<Expected> read_manifest(const std::filesystem::path& folder,
                                    const std::vector<std::string>& places);

}  // namespace e2e
