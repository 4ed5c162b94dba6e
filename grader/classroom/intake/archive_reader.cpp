#include "grader/classroom/intake/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>

#include <algorithm>
#include <cerrno>

#include "grader/classroom/intake/unpacker.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

/// Sets a UTF-8 locale for this thread. In the C locale, libarchive returns no name for an entry whose
/// non-ASCII name is marked as UTF-8.
class NamesOfAnyLetters {
 public:
  NamesOfAnyLetters() : before_(locale() != nullptr ? ::uselocale(locale()) : nullptr) {}
  ~NamesOfAnyLetters() {
    if (before_ != nullptr) ::uselocale(before_);
  }
  NamesOfAnyLetters(const NamesOfAnyLetters&) = delete;
  NamesOfAnyLetters& operator=(const NamesOfAnyLetters&) = delete;

 private:
  static locale_t locale() {
    static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return utf8;
  }

  locale_t before_;
};

ArchiveEntry::Kind kind_of(archive_entry* entry) {
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG: return ArchiveEntry::Kind::File;
    case AE_IFDIR: return ArchiveEntry::Kind::Folder;
    default: return ArchiveEntry::Kind::Other;
  }
}

}  // namespace

class ArchiveReader::Libarchive {
 public:
  Libarchive(std::string where, std::uint64_t most, Room room)
      : where_(std::move(where)), most_(most), room_(std::move(room)) {}

  Result<void> open(std::string_view bytes) {
    archive_read_support_format_zip(files_.get());
    archive_read_support_format_tar(files_.get());
    packed_ = Unpacker::of(bytes);
    const int status = packed_ ? archive_read_open(files_.get(), this, nullptr, next_bytes, nullptr)
                               : archive_read_open_memory(files_.get(), bytes.data(), bytes.size());
    if (status != ARCHIVE_OK) return problem();
    return {};
  }

  Result<std::optional<ArchiveEntry>> next() {
    const NamesOfAnyLetters locale;
    const int status = archive_read_next_header(files_.get(), &entry_);
    if (status == ARCHIVE_EOF) return std::optional<ArchiveEntry>();
    if (status < ARCHIVE_WARN) return located();
    if (auto room = room_(0, 1); !room) return room.problem();
    if (!is_zip() && archive_entry_size(entry_) > static_cast<la_int64_t>(most_))
      return unpacks_to_more(where_, most_);
    const char* raw = archive_entry_pathname(entry_);
    if (raw == nullptr) raw = archive_entry_pathname_utf8(entry_);
    if (raw == nullptr) return error(msg::archive_unreadable_name(where_), msg::unpack_it_yourself());
    ArchiveEntry entry{raw, kind_of(entry_), 0};
    // A Linux name may contain a backslash. Windows programs that use it as the separator write zip files
    // without any '/'.
    if (is_zip() && entry.path.find('/') == std::string::npos) std::ranges::replace(entry.path, '\\', '/');
    if (archive_entry_mtime_is_set(entry_) != 0) entry.modified = archive_entry_mtime(entry_);
    return std::optional(std::move(entry));
  }

  Result<std::string> read(std::uint64_t limit) {
    std::string content;
    char buffer[65536];
    for (;;) {
      const la_ssize_t got = archive_read_data(files_.get(), buffer, sizeof buffer);
      if (got == 0) return content;
      // libarchive unpacks a zip file entry by entry, so its bytes are counted here.
      if (got > 0 && is_zip()) count(static_cast<std::uint64_t>(got));
      if (got > 0) content.append(buffer, static_cast<std::size_t>(got));
      if (content.size() > limit) return error(msg::entry_too_large(limit >> 10));
      if (got < 0 || refused_) return error(msg::cannot_be_unpacked(located().message));
    }
  }

  Result<void> pass_over() {
    if (!is_zip() || archive_entry_size_is_set(entry_) != 0) return {};
    char buffer[65536];
    for (;;) {
      const la_ssize_t got = archive_read_data(files_.get(), buffer, sizeof buffer);
      if (got <= 0) return {};  // the next header reports the damage
      count(static_cast<std::uint64_t>(got));
      if (refused_) return *refused_;
    }
  }

  [[nodiscard]] const std::optional<Diagnostic>& refused() const { return refused_; }

 private:
  [[nodiscard]] bool is_zip() const {
    return (archive_format(files_.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
  }
  /// The diagnostic for a failed libarchive call.
  [[nodiscard]] Diagnostic problem() const {
    if (refused_) return *refused_;
    const char* text = archive_error_string(files_.get());
    return error(text != nullptr ? verbatim(text) : msg::archive_damaged());
  }
  [[nodiscard]] Diagnostic located() const {
    return refused_ ? *refused_ : error(msg::archive_problem(where_, problem().message));
  }
  void count(std::uint64_t bytes) {
    if (auto room = room_(bytes, 0); !room) refused_ = room.problem();
  }

  static la_ssize_t next_bytes(archive* files, void* self, const void** bytes) {
    auto& reader = *static_cast<Libarchive*>(self);
    const auto size = reader.packed_->next(reader.piece_);
    if (size) reader.count(*size);
    *bytes = reader.piece_.data();
    if (size && !reader.refused_) return static_cast<la_ssize_t>(*size);
    archive_set_error(files, EINVAL, "it is damaged or cut off");
    return ARCHIVE_FATAL;
  }

  struct Closer {
    void operator()(archive* a) const { archive_read_free(a); }
  };

  std::string where_;
  std::uint64_t most_;
  Room room_;
  std::optional<Diagnostic> refused_;
  std::unique_ptr<Unpacker> packed_;
  std::string piece_ = std::string(std::size_t{128} << 10, '\0');
  archive_entry* entry_ = nullptr;
  std::unique_ptr<archive, Closer> files_{archive_read_new()};  // destroyed first: it reads from the others
};

ArchiveReader::ArchiveReader(std::string where, std::uint64_t most, Room room)
    : it_(std::make_unique<Libarchive>(std::move(where), most, std::move(room))) {}
ArchiveReader::~ArchiveReader() = default;
Result<void> ArchiveReader::open(std::string_view bytes) { return it_->open(bytes); }
Result<std::optional<ArchiveEntry>> ArchiveReader::next() { return it_->next(); }
Result<std::string> ArchiveReader::read(std::uint64_t limit) { return it_->read(limit); }
Result<void> ArchiveReader::pass_over() { return it_->pass_over(); }
const std::optional<Diagnostic>& ArchiveReader::refused() const { return it_->refused(); }

Diagnostic unpacks_to_more(const std::string& where, std::uint64_t bytes) {
  return error(bytes % (1ULL << 30) == 0 ? msg::unpacks_to_more_gib(where, bytes >> 30)
                                         : msg::unpacks_to_more_mib(where, bytes >> 20));
}

}  // namespace cudalabs
