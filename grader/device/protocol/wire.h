#pragma once
// How the fields of a message become bytes, and how they are read from bytes of an untrusted sender.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "grader/base/message.h"
#include "grader/diagnostics/message_table.h"

namespace cudalabs::protocol {

/// Appends fields to a buffer. Integers, floats and enums as their bytes (both ends are one machine), strings
/// and vectors as a 32-bit count and their elements, other structs through their fields().
class Writer {
 public:
  template <class... T>
  void operator()(T&... fields) {
    (put(fields), ...);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(T& field) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(&field, sizeof field);
    } else if constexpr (std::is_same_v<T, std::string>) {
      count(field.size());
      raw(field.data(), field.size());
    } else if constexpr (std::is_same_v<T, Message>) {
      std::string bytes = cudalabs::packed(field);
      put(bytes);
    } else if constexpr (std::is_same_v<T, Messages>) {
      count(field.size());
      for (Message message : field) put(message);
    } else if constexpr (requires { field.push_back(field.front()); }) {
      count(field.size());
      if constexpr (std::is_arithmetic_v<typename T::value_type> ||
                    std::is_same_v<typename T::value_type, std::byte>) {
        raw(field.data(), field.size() * sizeof(typename T::value_type));
      } else {
        for (auto& element : field) put(element);
      }
    } else if constexpr (requires { field.fields(*this); }) {
      field.fields(*this);
    } else {
      fields_of(*this, field);
    }
  }
  void count(std::size_t size) {
    auto n = static_cast<std::uint32_t>(size);
    raw(&n, sizeof n);
  }
  void raw(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t end = bytes_.size();
    bytes_.resize(end + size);
    std::memcpy(bytes_.data() + end, data, size);
  }
  std::vector<std::byte> bytes_;
};

/// The fields in Writer's format, for a file or a digest.
template <class... T>
std::string packed(T... fields) {
  Writer writer;
  writer(fields...);
  const std::vector<std::byte> bytes = writer.take();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads fields from untrusted bytes. Once a field does not fit, the reader has failed for good and leaves
/// the fields as they were; finished() says whether everything fitted and nothing is left over. Allocates no
/// more than the message is long.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... fields) {
    (get(fields), ...);
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool finished() const { return !failed_ && bytes_.empty(); }

 private:
  template <class T>
  void get(T& field) {
    if (failed_) return;
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      raw(&byte, 1);
      if (byte > 1) failed_ = true;
      field = byte == 1;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(&field, sizeof field);
    } else if constexpr (std::is_same_v<T, std::string>) {
      const std::size_t n = count(1);
      field.assign(reinterpret_cast<const char*>(bytes_.data()), n);
      bytes_ = bytes_.subspan(n);
    } else if constexpr (std::is_same_v<T, Message>) {
      std::string bytes;
      get(bytes);
      auto message = unpacked(bytes, find_row);
      failed_ = failed_ || !message;
      if (!failed_) field = std::move(*message);
    } else if constexpr (std::is_same_v<T, Messages>) {
      const std::size_t n = count(1);
      field.clear();
      for (std::size_t i = 0; i < n && !failed_; ++i) {
        Message message;
        get(message);
        field.add(std::move(message));
      }
    } else if constexpr (requires { field.push_back(field.front()); }) {
      using Element = typename T::value_type;
      if constexpr (std::is_arithmetic_v<Element> || std::is_same_v<Element, std::byte>) {
        field.resize(count(sizeof(Element)));
        raw(field.data(), field.size() * sizeof(Element));
      } else {
        const std::size_t n = count(1);  // every element takes at least one byte
        field.clear();
        for (std::size_t i = 0; i < n && !failed_; ++i) {
          field.emplace_back();
          get(field.back());
        }
      }
    } else if constexpr (requires { field.fields(*this); }) {
      field.fields(*this);
    } else {
      fields_of(*this, field);
    }
  }
  /// Reads a count and checks that so many elements of `element_size` can still follow; otherwise 0 and
  /// failed.
  std::size_t count(std::size_t element_size) {
    std::uint32_t n = 0;
    raw(&n, sizeof n);
    if (failed_ || n > bytes_.size() / element_size) {
      failed_ = true;
      return 0;
    }
    return n;
  }
  void raw(void* data, std::size_t size) {
    if (failed_ || size > bytes_.size()) {
      failed_ = true;
      return;
    }
    if (size != 0) std::memcpy(data, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

}  // namespace cudalabs::protocol
