#include "grader/classroom/reports/feedback_zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "grader/classroom/intake/service_names.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

/// Little-endian numbers, as zip has them.
void put(std::string& out, std::uint32_t value, int bytes) {
  for (int n = 0; n < bytes; ++n) out += static_cast<char>(value >> 8 * n & 0xff);
}

/// Nothing if zlib has no memory.
std::optional<std::string> deflated(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return std::nullopt;
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (!done) return std::nullopt;
  return out;
}

/// The fields that an entry's local header and its row of the directory share.
std::string entry_fields(const FeedbackFile& file, std::size_t packed) {
  constexpr std::uint32_t kVersion = 20, kUtf8 = 1 << 11, kDeflate = 8;
  constexpr std::uint32_t kDate = 1 << 5 | 1;  // the first day that a zip can name: equal files, equal bytes
  std::string fields;
  put(fields, kVersion, 2);
  put(fields, kUtf8, 2);
  put(fields, kDeflate, 2);
  put(fields, 0, 2);
  put(fields, kDate, 2);
  put(fields,
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(file.content.data()),
                                       static_cast<uInt>(file.content.size()))),
      4);
  put(fields, static_cast<std::uint32_t>(packed), 4);
  put(fields, static_cast<std::uint32_t>(file.content.size()), 4);
  put(fields, static_cast<std::uint32_t>(file.path.size()), 2);
  put(fields, 0, 2);  // no extra field
  return fields;
}

/// A part of a file name of Moodle's: '_' divides its parts. Some systems unpack no file with the others.
std::string moodle_part(const std::string& text) {
  std::string part;
  for (const char c : text)
    part += std::string_view("_/\\<>:\"|?*").find(c) != std::string_view::npos ||
                    static_cast<unsigned char>(c) < 0x20
                ? ' '
                : c;
  while (part.starts_with(' ') || part.starts_with('.') || part.starts_with('~')) part.erase(0, 1);
  return part.empty() ? "student" : part;
}

}  // namespace

Result<std::string> zip_of(const std::vector<FeedbackFile>& files) {
  constexpr std::size_t kMaxEntries = 65'535, kMaxBytes = std::size_t{2} << 30;
  std::string bytes, directory;
  for (const FeedbackFile& file : files) {
    const auto packed = deflated(file.content);
    if (!packed || files.size() > kMaxEntries || bytes.size() + packed->size() > kMaxBytes)
      return error(msg::cannot_be_packed());
    const std::string fields = entry_fields(file, packed->size());
    put(directory, 0x02014b50, 4);
    put(directory, 20 | 3 << 8, 2);  // made by Unix: the attributes are a mode
    directory += fields;
    for (int n = 0; n < 3; ++n) put(directory, 0, 2);  // no comment, the first disk, a binary file
    put(directory, 0100644U << 16, 4);
    put(directory, static_cast<std::uint32_t>(bytes.size()), 4);
    directory += file.path;
    put(bytes, 0x04034b50, 4);
    bytes += fields + file.path + *packed;
  }
  const auto start = static_cast<std::uint32_t>(bytes.size());
  bytes += directory;
  put(bytes, 0x06054b50, 4);
  put(bytes, 0, 4);  // one disk
  for (int n = 0; n < 2; ++n) put(bytes, static_cast<std::uint32_t>(files.size()), 2);
  put(bytes, static_cast<std::uint32_t>(directory.size()), 4);
  put(bytes, start, 4);
  put(bytes, 0, 2);
  return bytes;
}

std::string moodle_feedback_path(const std::string& name, const std::string& number,
                                 const std::string& file) {
  return moodle_part(name) + "_" + number + "_assignfeedback_file_/" + file;
}

std::map<std::string, std::string> canvas_upload_names(const FileTree& download) {
  std::map<std::string, std::string> names;
  std::map<std::string, bool> is_source;
  for (const TreeFile& file : download.files) {
    // A download may have been unpacked into a folder, and an uploaded archive counts as one entry.
    std::string_view path = file.path;
    std::optional<EntryName> entry;
    std::string_view part;
    while (!path.empty() && !entry) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      part = path.substr(0, slash);
      path.remove_prefix(std::min(slash + 1, path.size()));
      entry = canvas_entry(part);
    }
    if (!entry) continue;
    const std::string number(entry->number);
    const bool source = part.ends_with(".cu");
    if (names.contains(number) && (is_source[number] || !source)) continue;
    names[number] = std::string(part.substr(0, part.size() - entry->own.size()));
    is_source[number] = source;
  }
  return names;
}

}  // namespace cudalabs
