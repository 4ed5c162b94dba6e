#pragma once
// The image of introductory books' programs. There is no window: display_and_exit() only ends.

#include <cstddef>

struct CPUBitmap {
  unsigned char* pixels;
  int x, y;
  void* dataBlock;
  void (*bitmapExit)(void*);

  CPUBitmap(int width, int height, void* data = nullptr)
      : pixels(new unsigned char[static_cast<size_t>(width) * static_cast<size_t>(height) * 4]),
        x(width),
        y(height),
        dataBlock(data),
        bitmapExit(nullptr) {}
  ~CPUBitmap() { delete[] pixels; }
  CPUBitmap(const CPUBitmap&) = delete;
  CPUBitmap& operator=(const CPUBitmap&) = delete;

  unsigned char* get_ptr() const { return pixels; }
  long image_size() const { return static_cast<long>(x) * y * 4; }
  void display_and_exit(void (*at_end)(void*) = nullptr) {
    if (at_end != nullptr) at_end(dataBlock);
  }
};
