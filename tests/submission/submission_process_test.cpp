// Small C programs as submissions, each tried in every sandbox that works on this machine.
#include "grader/submission/submission_process.h"

#include <dirent.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>

#include "grader/base/fd.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

namespace fs = std::filesystem;
using namespace cudalabs;

namespace {

// A folder for the programs, removed at the end of the test run.
const fs::path& workshop() {
  static const test::TemporaryFolder folder;
  return folder.path();
}

fs::path compiled(const std::string& name, const std::string& code) {
  const fs::path program = workshop() / name;
  if (fs::exists(program)) return program;
  const fs::path source = workshop() / (name + ".cpp");
  std::ofstream(source) << "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <unistd.h>\n"
                           "#include <fcntl.h>\n#include <errno.h>\n"
                        << code;
  test::output_of({{"g++", "-std=c++17", "-O0", "-static-pie", "-pthread", source, "-o", program}});
  return program;
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) names.insert(entry.path().filename());
  return names;
}

// Returns whether a process holds the other end, which all children of a submission inherit.
bool anybody_there(const UniqueFd& ours) {
  char byte = 0;
  return ::recv(ours.get(), &byte, 1, MSG_DONTWAIT) != 0;
}

// The kernel closes a dying process's descriptors one by one: stdout, which wait() watches, before the
// socket.
bool anybody_stays(const UniqueFd& ours) {
  for (int turn = 0; turn < 100 && anybody_there(ours); ++turn)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return anybody_there(ours);
}

std::pair<UniqueFd, UniqueFd> socket_pair() {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

struct Tried {
  SubmissionEnd end;
  SandboxKind sandbox;
};

// Runs the program until it ends, or kills it after `patience`; no process may remain.
Tried attempt(const std::string& name, const std::string& code,
              std::chrono::milliseconds patience = std::chrono::seconds(10), SubmissionLimits limits = {}) {
  const fs::path program = compiled(name, code);
  auto [ours, theirs] = socket_pair();
  auto process = SubmissionProcess::start(program, theirs.get(), limits);
  INFO((process.ok() ? std::string() : process.problem().text()));
  REQUIRE(process.ok());
  theirs.reset();
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while ((*process)->running() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if ((*process)->running()) (*process)->kill();
  Tried tried{(*process)->wait(), (*process)->sandbox()};
  CHECK_FALSE(anybody_stays(ours));
  for (const fs::path folder : {"/tmp", "/dev/shm", "/"}) {
    for (const auto& name : names_in(folder)) {
      if (name.rfind("cudalabs-leftover", 0) != 0) continue;
      fs::remove_all(folder / name);
      if (tried.sandbox != SandboxKind::LimitsOnly) FAIL_CHECK("left behind: " << (folder / name));
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("a sandbox stands, and its name is told") {
  const auto kind = usable_sandbox();
  INFO(spelling(kind));
  const char* asked = std::getenv("CUDA_LABS_SANDBOX");
  if (asked && std::string(asked) == "landlock") CHECK(kind != SandboxKind::Bubblewrap);
  if (asked && std::string(asked) == "limits") CHECK(kind == SandboxKind::LimitsOnly);
  CHECK_FALSE(spelling(kind).empty());
}

TEST_CASE("exit code and output come back") {
  const auto [end, kind] =
      attempt("exit7", R"(int main(){ puts("hello"); fputs("oops", stderr); exit(7); })");
  CHECK(end.exit == SubmissionExit::Exited);
  CHECK(end.exit_code == 7);
  CHECK(end.out == "hello\n");
  CHECK(end.err == "oops");
}

TEST_CASE("the device socket is inherited, and is all there is") {
  const auto [end, kind] = attempt("fds", R"(
    #include <sys/stat.h>
    extern char** environ;
    int main(){
      int fd = atoi(getenv("CUDALABS_DEVICE_FD"));
      struct stat what;
      printf("socket %d\n", fstat(fd, &what) == 0 && S_ISSOCK(what.st_mode));
      for (int i = 0; i < 64; ++i) if (fcntl(i, F_GETFD) >= 0) printf("%d ", i);
      int n = 0; for (char** e = environ; *e; ++e) if (strncmp(*e, "PWD=", 4)) ++n;
      printf("env %d\n", n);
      char c; printf("stdin %zd\n", read(0, &c, 1));
    })");
  CHECK(end.out == "socket 1\n0 1 2 3 env 1\nstdin 0\n");
}

TEST_CASE("a crash names its signal") {
  const auto segv = attempt("segv", "int main(){ *(volatile int*)16 = 1; }").end;
  CHECK(segv.exit == SubmissionExit::Crashed);
  CHECK(segv.signal == "SIGSEGV");
  CHECK(segv.message.english().find("CPU code") != std::string::npos);
  const auto abrt = attempt("abrt", "int main(){ abort(); }").end;
  CHECK(abrt.exit == SubmissionExit::Crashed);
  CHECK(abrt.signal == "SIGABRT");
  CHECK_FALSE((segv.perhaps_by_others || abrt.perhaps_by_others));
  const auto term = attempt("term", "#include <signal.h>\nint main(){ raise(SIGTERM); }").end;
  CHECK(term.signal == "SIGTERM");
  CHECK(term.perhaps_by_others);
  CHECK_FALSE(term.by_others);
}

TEST_CASE("a flood of output ends the program and is not stored") {
  const auto end = attempt("flood", R"(int main(){ static char b[65536]; memset(b,'x',sizeof b);
    for(long n=0;n<(1L<<30);n+=sizeof b) write(1+(n/65536)%2,b,sizeof b); })")
                       .end;
  CHECK(end.exit == SubmissionExit::OutputLimit);
  CHECK(end.out.size() + end.err.size() <= SubmissionLimits{}.output_bytes);
}

TEST_CASE("memory above the limit is a memory limit, touched or not, in one piece or many") {
  SubmissionLimits limits;
  limits.memory_bytes = 64 << 20;
  const char* whole =
      "int main(){ volatile char* p=(char*)malloc(16UL<<30); if(!p) return 3; p[0]=1; return 0; }";
  CHECK(attempt("whole", whole).end.exit == SubmissionExit::MemoryLimit);
  const char* pieces = "int main(){ for(;;){ char* p=new char[1<<20]; memset(p,1,1<<20); } }";
  const auto end = attempt("pieces", pieces, std::chrono::seconds(10), limits).end;
  CHECK(end.exit == SubmissionExit::MemoryLimit);
  CHECK(end.message.english() == "the program asked for more than 64 MiB of CPU memory");
  const char* untouched = "int main(){ for(;;) new char[16<<20]; }";
  CHECK(attempt("untouched", untouched, std::chrono::seconds(10), limits).end.exit ==
        SubmissionExit::MemoryLimit);
}

TEST_CASE("within the limit memory is there") {
  const char* code =
      "int main(){ size_t n=200<<20; char* p=(char*)malloc(n); memset(p,1,n); return p[n-1]-1; }";
  const auto end = attempt("modest", code).end;
  CHECK(end.exit == SubmissionExit::Exited);
  CHECK(end.exit_code == 0);
}

TEST_CASE("no processes are started, by fork or otherwise") {
  const auto end = attempt("forks", R"(
    #include <sched.h>
    #include <sys/syscall.h>
    #ifndef SYS_vfork  // arm64 only has clone
    #define SYS_vfork -1
    #endif
    int main(){
      printf("fork %d\n", (int)fork());
      printf("vfork %d\n", (int)syscall(SYS_vfork));
      printf("clone %d\n", (int)syscall(SYS_clone, 17, 0, 0, 0, 0));
      printf("system %d\n", system("true"));
      for (int i = 0; i < 1000; ++i) if (fork() == 0) sleep(1000);
    })")
                       .end;
  CHECK(end.out.find("fork -1\nvfork -1\nclone -1\nsystem ") == 0);
  CHECK(end.exit == SubmissionExit::Exited);
}

TEST_CASE("threads work; a thread bomb is ended") {
  const auto some = attempt("threads", R"(
    #include <thread>
    #include <vector>
    int main(){ std::vector<std::thread> t; int sum[16]={}; for(int i=0;i<16;++i) t.emplace_back([&,i]{sum[i]=i;});
      for(auto& x:t) x.join(); int s=0; for(int x:sum) s+=x; return s==120?0:1; })")
                        .end;
  CHECK(some.exit == SubmissionExit::Exited);
  CHECK(some.exit_code == 0);
  const auto bomb = attempt("threadbomb", R"(
    #include <pthread.h>
    void* nap(void*){ sleep(1000); return 0; }
    int main(){ pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 16384);
      for(int i=0;i<2000;++i){ pthread_t t; pthread_create(&t,&a,nap,0); } sleep(1000); })")
                        .end;
  CHECK(bomb.exit == SubmissionExit::TaskLimit);
}

TEST_CASE("nothing of the machine can be read or written") {
  std::ofstream(workshop() / "secret") << "expected values";
  const auto [end, kind] = attempt("reader", R"(
    static void try_open(const char* path, int flags, const char* label) {
      int fd = open(path, flags, 0600);
      char b[16];
      if (fd >= 0 && read(fd, b, sizeof b) >= 0 && !(flags & O_WRONLY)) printf("read %s\n", label);
      if (fd >= 0 && (flags & O_CREAT)) printf("wrote %s\n", label);
    }
    int main(){
      try_open("/etc/passwd", O_RDONLY, "passwd");
      try_open(")" + (workshop() / "secret").string() +
                                                 R"(", O_RDONLY, "secret");
      try_open(")" + std::string(CUDALABS_SOURCE) +
                                                 R"(/CMakeLists.txt", O_RDONLY, "course");
      try_open("/proc/self/mem", O_RDONLY, "mem");
      try_open("/proc/1/environ", O_RDONLY, "proc");
      char p[64]; sprintf(p, "/proc/%d/maps", (int)getppid()); try_open(p, O_RDONLY, "parent");
      try_open("/dev/shm/cudalabs-leftover", O_RDWR|O_CREAT, "shm");
      try_open("/cudalabs-leftover", O_RDWR|O_CREAT, "root");
      try_open("/tmp/cudalabs-leftover", O_RDWR|O_CREAT, "tmp");
      puts("done");
    })");
  CHECK(end.exit == SubmissionExit::Exited);
  if (kind == SandboxKind::LimitsOnly) return;  // as reported: this sandbox does not protect files
  if (kind == SandboxKind::Bubblewrap)
    CHECK(end.out == "read tmp\nwrote tmp\ndone\n");  // a private folder that is removed with it
  if (kind == SandboxKind::Landlock) CHECK(end.out == "done\n");
}

TEST_CASE("no network, no tracing, no signals to others, no kernel interfaces") {
  const auto end = attempt("calls", R"(
    #include <sys/socket.h>
    #include <sys/ptrace.h>
    #include <sys/syscall.h>
    #include <sys/mman.h>
    #include <sys/resource.h>
    #include <sys/shm.h>
    #include <signal.h>
    #include <sched.h>
    #define refused(x) printf("%s %s\n", #x, (x) == -1 && errno == EPERM ? "refused" : "ALLOWED")
    int main(){
      refused(socket(AF_INET, SOCK_STREAM, 0));
      refused(socket(AF_UNIX, SOCK_STREAM, 0));
      refused(ptrace(PTRACE_TRACEME, 0, 0, 0));
      refused(syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));
      refused(kill(getppid(), SIGKILL));
      refused(kill(-1, SIGKILL));
      refused(unshare(CLONE_NEWUSER));
      refused(syscall(SYS_bpf, 0, 0, 0));
      refused(syscall(SYS_perf_event_open, 0, 0, 0, 0, 0));
      refused(syscall(SYS_keyctl, 0, 0, 0, 0, 0));
      refused(syscall(SYS_userfaultfd, 0));
      refused(syscall(SYS_io_uring_setup, 1, 0));
      refused(syscall(SYS_mount, 0, 0, 0, 0, 0));
      refused(memfd_create("x", 0));
      refused(shmget(1, 4096, IPC_CREAT|0600));
      struct rlimit r; 
      refused(prlimit(getppid(), RLIMIT_CPU, 0, &r));
      fflush(stdout);
      raise(SIGTERM);
    })")
                       .end;
  CHECK(end.out.find("ALLOWED") == std::string::npos);
  CHECK(std::count(end.out.begin(), end.out.end(), '\n') == 16);
  CHECK(end.signal == "SIGTERM");
}

TEST_CASE("nothing is changed about a file, and no descriptor sends signals to others") {
  const auto end = attempt("about", R"(
    #include <sys/ioctl.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <sys/xattr.h>
    #include <signal.h>
    #ifndef SYS_utime  // arm64 only has utimensat
    #define SYS_utime -1
    #endif
    #define refused(x) printf("%s %s\n", #x, (x) == -1 && (errno == EPERM || errno == ENOSYS) ? "refused" : "ALLOWED")
    int main(){
      const int socket = atoi(getenv("CUDALABS_DEVICE_FD"));
      struct f_owner_ex owner = {F_OWNER_PID, getppid()};
      int parent = getppid();
      struct flock lock = {}; 
      refused(fcntl(socket, F_SETOWN, parent));
      refused(fcntl(socket, F_SETOWN_EX, &owner));
      refused(fcntl(socket, F_SETSIG, SIGKILL));
      refused(syscall(SYS_fcntl, socket, (1UL << 32) | F_SETSIG, SIGKILL));
      refused(fcntl(socket, F_SETLK, &lock));
      refused(ioctl(socket, 0x8901 /* FIOSETOWN */, &parent));
      refused(ioctl(socket, 0x8902 /* SIOCSPGRP */, &parent));
      refused(ioctl(socket, FIOASYNC, &parent));
      refused(chmod("/tmp", 0777));
      refused(fchmod(socket, 0777));
      refused(fchmodat(AT_FDCWD, "/tmp", 0777, 0));
      refused(syscall(452 /* fchmodat2 */, AT_FDCWD, "/tmp", 0777, 0));
      refused(chown("/tmp", 65534, 65534));
      refused(lchown("/tmp", 65534, 65534));
      refused(fchown(socket, 65534, 65534));
      refused(fchownat(AT_FDCWD, "/tmp", 65534, 65534, 0));
      refused(utimes("/tmp", 0));
      refused(syscall(SYS_utime, "/tmp", 0));
      refused(utimensat(AT_FDCWD, "/tmp", 0, 0));
      refused(futimens(socket, 0));
      refused(setxattr("/tmp", "user.x", "y", 1, 0));
      refused(fsetxattr(socket, "user.x", "y", 1, 0));
      refused(removexattr("/tmp", "user.x"));
      refused(syscall(463 /* setxattrat */, AT_FDCWD, "/tmp", 0, "user.x", 0, 0));
      refused(syscall(469 /* file_setattr */, AT_FDCWD, "/tmp", 0, 0, 0));
      puts("done");
    })")
                       .end;
  INFO(end.out);
  CHECK(end.out.find("ALLOWED") == std::string::npos);
  CHECK(std::count(end.out.begin(), end.out.end(), '\n') == 26);
  CHECK(end.out.ends_with("done\n"));
}

TEST_CASE("its parent survives signals sent thread by thread") {
  const auto end = attempt("tgkill", R"(
    #include <sys/syscall.h>
    #include <signal.h>
    int main(){ int parent = getppid(); if (parent > 1) syscall(SYS_tgkill, parent, parent, SIGKILL);
      puts("still here"); fflush(stdout); usleep(100000); return 4; })")
                       .end;
  CHECK(end.out == "still here\n");
  CHECK(end.exit == SubmissionExit::Exited);
  CHECK(end.exit_code == 4);
}

TEST_CASE("a program that never ends is killed when we say so") {
  const auto start = std::chrono::steady_clock::now();
  const auto end = attempt("forever", "int main(){ for(;;) pause(); }", std::chrono::milliseconds(100)).end;
  CHECK(end.exit == SubmissionExit::Killed);
  const auto busy =
      attempt("busy", "int main(){ volatile long n=0; for(;;) ++n; }", std::chrono::milliseconds(100)).end;
  CHECK(busy.exit == SubmissionExit::Killed);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a signal to what stands around the program is not the program's doing") {
  auto [ours, theirs] = socket_pair();
  const auto process =
      SubmissionProcess::start(compiled("pause", "int main(){ for(;;) pause(); }"), theirs.get(), {});
  REQUIRE(process.ok());
  if ((*process)->sandbox() != SandboxKind::Bubblewrap) return;  // only bubblewrap has an outer process
  // Waits until bubblewrap's inner half would die with the outer one.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  REQUIRE(::kill((*process)->pid(), SIGTERM) == 0);
  const auto end = (*process)->wait();
  CHECK(end.exit == SubmissionExit::Crashed);
  CHECK(end.by_others);
}

TEST_CASE("the private folder is bounded") {
  const auto [end, kind] = attempt("disk", R"(int main(){ static char b[1<<20]; long total=0;
    for(int f=0;f<40;++f){ char n[64]; sprintf(n,"/tmp/cudalabs-leftover%d",f); int fd=open(n,O_CREAT|O_WRONLY,0600); if(fd<0) break;
      for(int i=0;i<8;++i){ ssize_t w=write(fd,b,sizeof b); if(w>0) total+=w; } close(fd);} printf("%d\n", total <= (16<<20)); })");
  if (kind == SandboxKind::LimitsOnly) return;
  CHECK(end.out == "1\n");
}

TEST_CASE("half a million files are too many") {
  const auto [end, kind] = attempt("files", R"(
    #include <sys/stat.h>
    int main(){ long made=0; mkdir("/tmp/cudalabs-leftover",0700);
      for(int f=0;f<500000;++f){ char n[64]; sprintf(n,"/tmp/cudalabs-leftover/%d",f); int fd=open(n,O_CREAT|O_WRONLY,0600);
        if(fd<0) break; close(fd); ++made; }
      printf("%ld\n", made); })");
  if (kind == SandboxKind::LimitsOnly) return;
  if (kind == SandboxKind::Landlock) {  // no writable folder
    CHECK(end.out == "0\n");
    return;
  }
  CHECK(end.exit == SubmissionExit::FileLimit);
  CHECK(end.message.english() == "the program made more than 4096 files");
}

TEST_CASE("what a program starts is taken before us when memory ends") {
  Command command;
  command.argv = {"/bin/cat", "/proc/self/oom_score_adj"};
  const auto end = run(std::move(command));
  REQUIRE(end.ok());
  CHECK(end->out == "1000\n");
}

TEST_CASE("a destroyed handle leaves no process") {
  const auto program = compiled("forever", "int main(){ for(;;) pause(); }");
  auto [ours, theirs] = socket_pair();
  {
    auto process = SubmissionProcess::start(program, theirs.get(), {});
    theirs.reset();
    REQUIRE(process.ok());
    REQUIRE((*process)->running());
    CHECK(anybody_there(ours));
  }
  CHECK_FALSE(anybody_stays(ours));
}

TEST_CASE("a grader that dies takes the submission along") {
  const auto program = compiled("forever", "int main(){ for(;;) pause(); }");
  auto [ours, theirs] = socket_pair();
  const pid_t grader = ::fork();
  if (grader == 0) {
    const auto process = SubmissionProcess::start(program, theirs.get(), {});
    // Not while bubblewrap is still starting: until it has set its parent-death signal, it can outlive a
    // killed parent (docs/trust.md, "What is not stopped").
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ::kill(::getpid(), process.ok() && (*process)->running() ? SIGKILL : SIGTERM);
  }
  theirs.reset();
  int status = 0;
  REQUIRE(::waitpid(grader, &status, 0) == grader);
  CHECK(WTERMSIG(status) == SIGKILL);
  CHECK_FALSE(anybody_stays(ours));
}

TEST_CASE("a program that is not there is our error, not the student's") {
  const auto process = SubmissionProcess::start(workshop() / "nothing", 0, {});
  REQUIRE_FALSE(process.ok());
  CHECK(process.problem().message.english() ==
        "cannot run " + (workshop() / "nothing").string() + ": No such file or directory");
}
