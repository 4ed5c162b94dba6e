#pragma once
// How the samples of CUDA 4 told that they had passed.

#include <cstdio>
#include <cstdlib>

enum eQAstatus { QA_FAILED = 0, QA_PASSED, QA_WAIVED };

static inline int cudalabs_qa(const char* program, int status) {
  const char* words[] = {"FAILED", "PASSED", "WAIVED"};
  std::printf("[%s] test results...\n%s\n", program, words[status]);
  return status == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS;
}
#define shrQAStart(argc, argv) std::printf("[%s] starting...\n", (argv)[0])
#define shrQAFinish(argc, argv, status) cudalabs_qa((argv)[0], status)
#define shrQAFinishExit(argc, argv, status) std::exit(cudalabs_qa((argv)[0], status))
#define shrQAFinishExit2(quick, argc, argv, status) std::exit(cudalabs_qa((argv)[0], status))
