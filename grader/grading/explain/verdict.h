#pragma once
// Derives a verdict and sentences for the student from how a call ended.

#include <compare>
#include <string>
#include <vector>

#include "grader/device/protocol/outcome.h"
#include "grader/grading/explain/answer.h"
#include "grader/grading/score/evidence.h"
#include "grader/submission/locate.h"
#include "grader/submission/submission_process.h"

namespace cudalabs {

struct EndVerdict {
  Verdict verdict = Verdict::RuntimeError;
  Messages message, advice;
  Location where;
  std::string refused_kernel{}, failed_call{};  ///< as in CaseEvidence
};

/// How the submission process ended. `timed_out`: it was still running at the end of its time, and the grader
/// killed it. If it hit another limit before, that limit says more than the time.
EndVerdict verdict_of_end(const SubmissionEnd& end, bool timed_out);

Verdict verdict_of_start(const FailedStart& start);

/// Replaces or completes the process's message by the device's. A program that checks for errors exits
/// because a kernel faulted or a call failed, and the student must learn about that.
void explain_by_device(const CallOutcome& outcome, EndVerdict& verdict);

/// A failed CUDA call causes the wrong answer that follows it: sets a runtime error that names the first one.
void explain_wrong_answer(const CallOutcome& outcome, CaseEvidence& evidence);

/// Applies the checkers' findings. An error fails an answer that is right by luck, and explains a wrong one.
/// A finding replaces the guess from the values at the end of the message, because it is certain. An
/// exception is an uninitialized read after a copy or set that was too short: the copy explains it.
void explain_findings(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence);

/// Adds a location to a wrong answer that has none: the line with the most stores in the last launch that
/// stores anything. If there was no launch, the message says so.
void place_wrong_answer(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence);

/// Explains outputs that no kernel wrote although kernels ran: names where the kernels stored instead.
void explain_untouched(const CallOutcome& outcome, const CaseAnswer& answer, CaseEvidence& evidence);

/// Adds what the submission's text tells: the names of the arrays that kernels access, and the lines of
/// failed calls. A refused launch gets the line that launches that kernel, another call its own line, if
/// there is one, or one in the function `entry`.
/// Of several outputs, the line that stores the wrong one is shown.
void consult_source(const Submission& submission, const Lab& lab, const std::string& entry,
                    VersionEvidence& version);

/// Merges a second run of the same cases on the GPU: where it differs from the simulator, the GPU's result is
/// used.
void overrule(VersionEvidence& simulated, VersionEvidence on_card);

/// A fault's message and the thread that it happened in.
Messages messages_of(const sim::Fault& fault);

/// What a note is about: a line of a file or a call, and what is wrong there.
struct NoteKey {
  std::string subject;     ///< the file, or the CUDA call
  std::uint32_t line = 0;  ///< of the file
  std::string what;        ///< advice as packed(), the error that a call returned, or a message's id
  auto operator<=>(const NoteKey&) const = default;
};

/// Calls that failed or are not supported although the answer may be right, and the checkers' findings in a
/// line. Two notes with the same `about` are the same, whichever element or thread they name.
struct Note {
  NoteKey about;
  Messages text;
  Messages advice;  ///< the part of the text that says what to do
};
/// Returns whether the failure of a case already says what the note says.
bool says(const CaseEvidence& test, const Note& note);
/// `shown`: the line that the case's verdict names.
std::vector<Note> notes_of(const CallOutcome& outcome, const Location& shown);

}  // namespace cudalabs
