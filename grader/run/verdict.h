#pragma once
// From how a call ended to a verdict and the sentences for the student.

#include <string>
#include <vector>

#include "grader/device/wire/outcome.h"
#include "grader/run/case_buffers.h"
#include "grader/score/evidence.h"
#include "grader/submission/locate.h"
#include "grader/submission/submission_process.h"

namespace cudalabs {

struct EndVerdict {
  Verdict verdict = Verdict::RuntimeError;
  Messages message, advice;
  Location where;
  std::string refused_kernel{}, failed_call{};  ///< as CaseEvidence's
};

/// How the submission process ended. `timed_out`: it was still running when its time was over and we killed
/// it; a limit that it had hit before tells more than the time.
EndVerdict verdict_of_end(const SubmissionEnd& end, bool timed_out);

/// Lets the device's story replace or complete the process's: a program that checks for errors exits because
/// a kernel faulted or a call failed, and that is what the student must hear.
void explain_by_device(const CallOutcome& outcome, EndVerdict& verdict);

/// A wrong answer after a failed CUDA call is that call's doing: a runtime error that names the first one.
void explain_wrong_answer(const CallOutcome& outcome, CaseEvidence& evidence);

/// What the checkers found: an error spoils an answer that is right by luck, and explains one that is wrong.
/// What the values suggested, at the end of the message, it replaces, since it knows better; but what was
/// read unset where a copy or a set was too short is that one's doing.
void explain_findings(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence);

/// A wrong answer that has no place yet gets the line that stores it: of the last launch that stores
/// anything, the one that does most of it. Without a launch it is told that there was none.
void place_wrong_answer(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence);

/// Of outputs that nobody wrote to, after kernels that ran: where these have stored instead.
void explain_untouched(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence);

/// Launches that were refused get the line of the submission's text that launches that kernel, and other
/// calls that failed theirs, if there is one, or one in the function `entry`.
void place_failed_calls(const Submission& submission, const std::string& entry, VersionEvidence& version);

/// The same cases once more on the card: where it says otherwise than the simulator, it has the last word.
void overrule(VersionEvidence& simulated, VersionEvidence on_card);

/// Calls that failed or are not supported, although the answer may be right, and what the checkers found in a
/// line. Two notes are about one thing if they agree in `about`, whichever element or thread they name.
struct Note {
  std::string about;
  Messages text;
};
/// Does the failure of a case say what the note does?
bool says(const CaseEvidence& test, const Note& note);
/// `told`: the line that the case's verdict names.
std::vector<Note> notes_of(const CallOutcome& outcome, const Location& told);

}  // namespace cudalabs
