#pragma once
// The part of NVIDIA's samples' helper_image.h that programs use: PGM and PPM files, comparisons of arrays.

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "helper_string.h"

/// A number of a header, after blanks and comments.
static inline bool cudalabs_header_number(std::FILE* file, unsigned* number) {
  int c = std::fgetc(file);
  while (c == '#' || std::isspace(c)) {
    if (c == '#') {
      while (c != '\n' && c != EOF) c = std::fgetc(file);
    }
    c = std::fgetc(file);
  }
  if (!std::isdigit(c)) return false;
  *number = 0;
  for (; std::isdigit(c); c = std::fgetc(file)) *number = *number * 10 + static_cast<unsigned>(c - '0');
  return true;
}

/// Reads a binary PGM (one channel) or PPM (three). Memory that the caller passes is used, else allocated.
static inline bool __loadPPM(const char* name, unsigned char** data, unsigned* width, unsigned* height,
                             unsigned* channels) {
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr) return false;
  char kind[3] = {};
  unsigned most = 0;
  bool good = std::fread(kind, 1, 2, file) == 2 && kind[0] == 'P' && (kind[1] == '5' || kind[1] == '6') &&
              cudalabs_header_number(file, width) && cudalabs_header_number(file, height) &&
              cudalabs_header_number(file, &most) && most < 256 && *width < (1u << 16) &&
              *height < (1u << 16);
  if (good) {
    *channels = kind[1] == '5' ? 1 : 3;
    const size_t bytes = size_t(*width) * *height * *channels;
    if (*data == nullptr) *data = static_cast<unsigned char*>(std::malloc(bytes));
    good = *data != nullptr && std::fread(*data, 1, bytes, file) == bytes;
  }
  std::fclose(file);
  return good;
}
static inline bool __savePPM(const char* name, const unsigned char* data, unsigned width, unsigned height,
                             unsigned channels) {
  std::FILE* file = std::fopen(name, "wb");
  if (file == nullptr) return false;
  std::fprintf(file, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', width, height);
  const size_t bytes = size_t(width) * height * channels;
  const bool good = std::fwrite(data, 1, bytes, file) == bytes;
  return std::fclose(file) == 0 && good;
}

template <class T>
bool sdkLoadPGM(const char* name, T** data, unsigned* width, unsigned* height) {
  unsigned char* bytes = nullptr;
  unsigned channels = 0;
  if (!__loadPPM(name, &bytes, width, height, &channels)) return false;
  const size_t count = size_t(*width) * *height;
  if (*data == nullptr) *data = static_cast<T*>(std::malloc(count * sizeof(T)));
  for (size_t i = 0; i < count; ++i) {
    (*data)[i] = static_cast<T>(sizeof(T) == 1 ? bytes[i * channels] : bytes[i * channels] / 255.0f);
  }
  std::free(bytes);
  return true;
}
template <class T>
bool sdkSavePGM(const char* name, T* data, unsigned width, unsigned height) {
  const size_t count = size_t(width) * height;
  unsigned char* bytes = static_cast<unsigned char*>(std::malloc(count));
  for (size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<unsigned char>(sizeof(T) == 1 ? float(data[i]) : float(data[i]) * 255.0f);
  const bool good = __savePPM(name, bytes, width, height, 1);
  std::free(bytes);
  return good;
}
/// An image of four bytes a pixel; the fourth is 0.
static inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned* width, unsigned* height) {
  unsigned char* bytes = nullptr;
  unsigned channels = 0;
  if (!__loadPPM(name, &bytes, width, height, &channels)) return false;
  const size_t count = size_t(*width) * *height;
  if (*data == nullptr) *data = static_cast<unsigned char*>(std::malloc(count * 4));
  for (size_t i = 0; i < count; ++i) {
    for (unsigned c = 0; c < 4; ++c)
      (*data)[i * 4 + c] = c == 3 ? 0 : bytes[i * channels + (channels == 3 ? c : 0)];
  }
  std::free(bytes);
  return true;
}
static inline bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned width, unsigned height) {
  const size_t count = size_t(width) * height;
  unsigned char* bytes = static_cast<unsigned char*>(std::malloc(count * 3));
  for (size_t i = 0; i < count; ++i) std::memcpy(bytes + i * 3, data + i * 4, 3);
  const bool good = __savePPM(name, bytes, width, height, 3);
  std::free(bytes);
  return good;
}

/// Reads a file of numbers in text. Memory that the caller passes is used, else allocated.
template <class T>
bool sdkReadFile(const char* name, T** data, unsigned* count, bool) {
  std::FILE* file = std::fopen(name, "r");
  if (file == nullptr) return false;
  size_t read = 0, room = 0;
  double value = 0;
  T* numbers = nullptr;
  if (std::fscanf(file, "#%*[^\n]") == EOF) read = 0;  // the line that sdkWriteFile() begins with
  while (std::fscanf(file, "%lf", &value) == 1) {
    if (read == room) {
      room = room == 0 ? 1024 : room * 2;
      numbers = static_cast<T*>(std::realloc(numbers, room * sizeof(T)));
    }
    numbers[read++] = static_cast<T>(value);
  }
  std::fclose(file);
  if (*data == nullptr) {
    *data = numbers;
    *count = static_cast<unsigned>(read);
    return true;
  }
  const bool good = *count == read;
  if (good && read != 0) std::memcpy(*data, numbers, read * sizeof(T));
  std::free(numbers);
  return good;
}
template <class T, class S>
bool sdkWriteFile(const char* name, const T* data, unsigned count, S epsilon, bool, bool append = false) {
  std::FILE* file = std::fopen(name, append ? "a" : "w");
  if (file == nullptr) return false;
  std::fprintf(file, "# %g\n", static_cast<double>(epsilon));
  for (unsigned i = 0; i < count; ++i) std::fprintf(file, "%.9g ", static_cast<double>(data[i]));
  return std::fclose(file) == 0;
}

template <class T, class S>
bool compareData(const T* reference, const T* data, unsigned length, S epsilon, float threshold) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < length; ++i) {
    const float difference = float(reference[i]) - float(data[i]);
    if (!(std::fabs(difference) <= float(epsilon))) ++wrong;
  }
  return threshold == 0.0f ? wrong == 0 : float(wrong) < float(length) * threshold;
}
template <class T>
bool sdkCompareL2fe(const T* reference, const T* data, unsigned length, float epsilon) {
  double error = 0, size = 0;
  for (unsigned i = 0; i < length; ++i) {
    const double difference = double(reference[i]) - double(data[i]);
    error += difference * difference;
    size += double(reference[i]) * double(reference[i]);
  }
  return size != 0 && std::sqrt(error) / std::sqrt(size) < epsilon;
}
template <class T>
bool compareDataAsFloatThreshold(const T* reference, const T* data, unsigned length, float epsilon,
                                 float threshold) {
  return compareData(reference, data, length, epsilon, threshold);
}
#define sdkLoadPPM4 sdkLoadPPM4ub
#define sdkSavePPM4 sdkSavePPM4ub
