#pragma once
// The part of NVIDIA's samples' helper_string.h that programs use: words of the command line such as -n=3.

#include <strings.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, bytes, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == nullptr)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

/// The word without its dashes; its name ends before '='.
static inline const char* cudalabs_word(const char* word, const char* name) {
  while (*word == '-') ++word;
  size_t length = std::strlen(name);
  if (length > 0 && name[length - 1] == '=') --length;
  if (strncasecmp(word, name, length) != 0) return nullptr;
  return word[length] == '\0' || word[length] == '=' ? word + length : nullptr;
}

static inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-' && cudalabs_word(argv[i], name) != nullptr) return true;
  }
  return false;
}

static inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name,
                                            char** value) {
  for (int i = 1; i < argc; ++i) {
    const char* end = argv[i][0] == '-' ? cudalabs_word(argv[i], name) : nullptr;
    if (end == nullptr) continue;
    *value = const_cast<char*>(*end == '=' ? end + 1 : end);
    return true;
  }
  *value = nullptr;
  return false;
}

static inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
  char* value = nullptr;
  return getCmdLineArgumentString(argc, argv, name, &value) ? std::atoi(value) : 0;
}
static inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
  char* value = nullptr;
  return getCmdLineArgumentString(argc, argv, name, &value) ? static_cast<float>(std::atof(value)) : 0.0f;
}
template <class T>
bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name, T* value) {
  char* text = nullptr;
  if (!getCmdLineArgumentString(argc, argv, name, &text)) return false;
  *value = static_cast<T>(std::atof(text));
  return true;
}

/// The file's path: as it is named, or in the folder data beside the program.
static inline char* sdkFindFilePath(const char* name, const char* program) {
  const char* slash = program == nullptr ? nullptr : std::strrchr(program, '/');
  const int folder = slash == nullptr ? 0 : static_cast<int>(slash - program + 1);
  const char* places[] = {"", "data/", "./data/", "../data/"};
  for (int beside = 0; beside < 2; ++beside) {
    for (const char* place : places) {
      char path[4096];
      std::snprintf(path, sizeof path, "%.*s%s%s", beside ? folder : 0, program == nullptr ? "" : program,
                    place, name);
      if (std::FILE* file = std::fopen(path, "rb")) {
        std::fclose(file);
        return strdup(path);
      }
    }
  }
  return nullptr;
}
