#include "grader/toolchain/objects/device_link.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>

#include "grader/device/protocol/fatbin.h"
#include "grader/sim/ptx/parse/link.h"
#include "grader/toolchain/objects/device_runtime.h"
#include "grader/toolchain/objects/elf.h"
#include "grader/toolchain/objects/fat_binary.h"

namespace cudalabs {
namespace {

constexpr std::string_view kRegisters = "__cudaRegisterLinkedBinary";  // followed by the name of a module
constexpr std::string_view kArchive = "!<arch>\n";
constexpr std::string_view kElf =
    "\x7f"
    "ELF";

/// A number that an archive writes in a field of fixed width, padded with blanks.
std::size_t decimal(std::string_view field) {
  std::size_t value = 0;
  for (const char c : field.substr(0, field.find(' '))) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + static_cast<std::size_t>(c - '0');
  }
  return value;
}

/// The members of an archive in GNU ar's format: a header of 60 bytes before each member; names that are too
/// long for it are in a member called "//".
std::vector<LinkObject> members_of(const std::string& archive, std::string_view bytes) {
  constexpr std::size_t kHeader = 60, kName = 16, kSizeAt = 48, kSize = 10;
  std::vector<LinkObject> objects;
  std::string_view long_names;
  for (std::size_t at = kArchive.size(); at + kHeader <= bytes.size();) {
    const std::string_view header = bytes.substr(at, kHeader);
    const std::string_view body = bytes.substr(at + kHeader, decimal(header.substr(kSizeAt, kSize)));
    std::string_view name = header.substr(0, kName);
    if (name.starts_with("//")) {
      long_names = body;
    } else if (body.starts_with(kElf)) {
      if (name.starts_with('/')) {
        name = long_names.substr(std::min(decimal(name.substr(1)), long_names.size()));
        name = name.substr(0, name.find('\n'));
      }
      name = name.substr(0, name.find_first_of("/ "));
      objects.push_back({archive + "(" + std::string(name) + ")", std::string(body)});
    }
    at += kHeader + body.size() + body.size() % 2;
  }
  return objects;
}

/// The PTX of an object's images.
Result<void> take_ptx(const LinkObject& object, std::string_view images, int highest,
                      std::vector<ptx::LinkPart>& parts) {
  for (const std::span<const std::byte> image : images_in(std::as_bytes(std::span(images)))) {
    const auto text = find_ptx(image, highest);
    if (!text) {
      Diagnostic problem = text.problem();
      problem.where.file = object.name;
      return problem;
    }
    parts.push_back({object.name, *text});
  }
  return {};
}

std::string source_for(const std::set<std::string>& registers, const std::filesystem::path& image) {
  std::string source =
      "__asm__(\".section .nv_fatbin,\\\"a\\\"\\n.balign 8\\ncudalabs_linked_image:\\n.incbin \\\"" +
      image.string() +
      "\\\"\\n.previous\\n\");\n"
      "extern const char cudalabs_linked_image[] __attribute__((visibility(\"hidden\")));\n"
      "extern void cudalabs_register_linked(const void*, void (*)(void**));\n"
      "static const struct { unsigned magic, version; const void *image, *unused; } wrapper = {\n"
      "  0x466243b1, 1, cudalabs_linked_image, 0 };\n";
  for (const std::string& name : registers) {
    source += "void " + name +
              "(void (*all)(void**), void* binary, void* module, void (*unused)(void*)) {\n"
              "  (void)binary, (void)module, (void)unused;\n"
              "  cudalabs_register_linked(&wrapper, all);\n}\n";
  }
  return source;
}

}  // namespace

std::vector<LinkObject> objects_in(const std::string& name, std::string bytes) {
  if (bytes.starts_with(kArchive)) return members_of(name, bytes);
  if (!bytes.starts_with(kElf)) return {};
  std::vector<LinkObject> objects;
  objects.push_back({name, std::move(bytes)});
  return objects;
}

Result<std::optional<LinkedCode>> link_device_code(std::span<const LinkObject> objects, int highest,
                                                   const std::filesystem::path& image) {
  using Linked = std::optional<LinkedCode>;
  std::set<std::string> missing, defined;
  struct Waiting {
    const LinkObject* object;
    std::string_view images;
    std::string registers;
  };
  std::vector<Waiting> waiting;
  for (const LinkObject& object : objects) {
    const std::string_view images = section_of(object.bytes, kRelocatableSection);
    const auto elf = read_elf(object.bytes);
    if (!elf) continue;  // the linker reports this itself
    std::string registers;
    for (const ElfSymbol& symbol : elf->symbols) {
      if (!symbol.name.starts_with(kRegisters)) continue;
      (symbol.defined ? defined : missing).insert(symbol.name);
      if (!symbol.defined) registers = symbol.name;
    }
    if (!images.empty()) waiting.push_back({&object, images, std::move(registers)});
  }
  // An earlier -dlink has already defined these functions.
  std::erase_if(waiting, [&](const Waiting& one) { return defined.contains(one.registers); });
  std::erase_if(missing, [&](const std::string& name) { return defined.contains(name); });
  if (waiting.empty()) return Linked();
  std::vector<ptx::LinkPart> parts;
  for (const Waiting& one : waiting) {
    if (auto taken = take_ptx(*one.object, one.images, highest, parts); !taken) return taken.problem();
  }
  const std::string runtime = device_runtime_ptx([&](std::string_view name) {
    return std::ranges::any_of(
        parts, [&](const ptx::LinkPart& part) { return part.text.find(name) != std::string_view::npos; });
  });
  if (!runtime.empty()) parts.push_back({"cudadevrt", runtime});
  const auto whole = ptx::link(parts);
  if (!whole) return whole.problem();
  return Linked(LinkedCode{source_for(missing, image), fat_binary(whole->text, whole->target_sm)});
}

}  // namespace cudalabs
