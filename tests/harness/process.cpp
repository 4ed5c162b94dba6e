#include "tests/harness/process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace cudalabs::test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> settings(const Invocation& invocation) {
  std::map<std::string, std::optional<std::string>> all = invocation.environment;
  all.try_emplace("LANGUAGE", std::nullopt);    // tests expect English, whatever the user's language is
  all.try_emplace("CUDA_LABS_HISTORY", "off");  // tests must not touch the user's history
  for (char** entry = environ; !invocation.bare && *entry != nullptr; ++entry) {
    const std::string setting = *entry;
    const std::size_t equals = setting.find('=');
    all.try_emplace(setting.substr(0, equals), setting.substr(equals + 1));
  }
  std::vector<std::string> texts;
  for (const auto& [name, value] : all)
    if (value) texts.push_back(name + "=" + *value);
  return texts;
}

/// A file rather than a pipe, because a process that a program leaves running may keep a pipe open.
int new_file() {
  const int file = ::memfd_create("output", MFD_CLOEXEC);
  if (file < 0) throw std::runtime_error("memfd_create failed");
  return file;
}

std::string content(int file) {
  std::string text(static_cast<std::size_t>(::lseek(file, 0, SEEK_END)), '\0');
  std::size_t at = 0;
  while (at < text.size()) {
    const auto got = ::pread(file, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got <= 0) break;
    at += static_cast<std::size_t>(got);
  }
  return text;
}

}  // namespace

std::vector<std::string> shell(const std::string& line) { return {"/bin/sh", "-c", line}; }

Child::Child(const Invocation& invocation)
    : out_(new_file()), err_(invocation.together ? out_ : new_file()), seconds_(invocation.seconds) {
  std::vector<std::string> words = invocation.words, texts = settings(invocation);
  const std::vector<char*> argv = pointers(words), envp = pointers(texts);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ != 0) return;
  ::setpgid(0, 0);
  const int in = ::open("/dev/null", O_RDONLY);
  bool ready = ::dup2(in, 0) >= 0 && ::dup2(out_, 1) >= 0 && ::dup2(err_, 2) >= 0;
  if (!invocation.folder.empty()) ready = ready && ::chdir(invocation.folder.c_str()) == 0;
  if (invocation.descriptor >= 0) {
    ready = ready && ::dup2(invocation.descriptor, 3) >= 0;
    ::fcntl(3, F_SETFD, 0);
  }
  if (ready) ::execvpe(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

Child::~Child() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(out_);
  if (err_ != out_) ::close(err_);
}

Ended Child::wait() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds_);
  Ended ended;
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(-pid_, SIGKILL);
      ::waitpid(pid_, &status, 0);
      ended.status = -2;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  if (ended.status == 0) ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ended.out = content(out_);
  if (err_ != out_) ended.err = content(err_);
  return ended;
}

Ended run(const Invocation& invocation) { return Child(invocation).wait(); }

std::string output_of(const Invocation& invocation) {
  const Ended ended = run(invocation);
  if (ended.status == 0) return ended.out;
  std::string line;
  for (const std::string& word : invocation.words) line += word + " ";
  throw std::runtime_error("failed: " + line + "\n" + ended.out + ended.err);
}

}  // namespace cudalabs::test
