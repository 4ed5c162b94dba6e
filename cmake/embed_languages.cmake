# Packs the message tables (grader/language/*.po) into the binary: each table is a language that users can
# choose.
#
# cudalabs_embed_languages() makes the library `cudalabs_embedded_languages`, which implements
# embedded_tables() of grader/language/embedded_tables.h. It includes a table with .incbin (see embed.cmake);
# the source contains the table's hash for ccache.

function(cudalabs_embed_languages)
  file(GLOB tables CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/grader/language/*.po)
  list(SORT tables)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tables})
  set(data "")
  set(rows "")
  foreach(table IN LISTS tables)
    get_filename_component(name ${table} NAME_WE)
    file(SHA256 ${table} digest)
    file(SIZE ${table} size)
    string(APPEND data "asm(\".pushsection .rodata.cudalabs_language,\\\"a\\\",@progbits\\n\"\n"
                       "    \".globl cudalabs_language_${name}\\n.hidden cudalabs_language_${name}\\n\"\n"
                       "    \"cudalabs_language_${name}:\\n.incbin \\\"${table}\\\"\\n.byte 0\\n.popsection\\n\");  // ${digest}\n"
                       "extern \"C\" const char cudalabs_language_${name}[];\n")
    string(APPEND rows "    {\"${name}\", {cudalabs_language_${name}, ${size}}},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_languages.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Written by cmake/embed_languages.cmake.
#include \"grader/language/embedded_tables.h\"

@data@
namespace cudalabs {

std::span<const EmbeddedTable> embedded_tables() {
  static const EmbeddedTable tables[] = {
@rows@  };
  return tables;
}

}  // namespace cudalabs
")
  add_library(cudalabs_embedded_languages STATIC ${source})
  target_include_directories(cudalabs_embedded_languages PRIVATE ${CMAKE_SOURCE_DIR})
endfunction()
