#pragma once
// What a command does, on the terminal behind stderr, once nothing has happened for two seconds:
// "compiling the submission: 5 s". Without a terminal there is none.

#include "grader/base/message.h"

namespace cudalabs::cli::busy_line {

/// The command does this from now on.
void show(const Message& what);
/// The command waits for nobody but its user, or hands the terminal to a program.
void stop();
/// Removes the line, before something else is written to the terminal. It comes back below that.
void make_room();

}  // namespace cudalabs::cli::busy_line
