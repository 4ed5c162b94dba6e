# Packs the translations into the binary: a language that has a table can be chosen.
#
# cudalabs_embed_languages() makes the library `cudalabs_embedded_languages`, which implements grader/diagnostics/embedded_tables.h:
# the texts of the interface (grader/diagnostics/<language>.po) and the templates of messages
# (grader/diagnostics/messages/<language>/<section>.po). A file is taken in with .incbin (see embed.cmake); its hash stands in
# the source for ccache.

# Appends the data and the rows of `tables` to `data` and to the variable `rows_name` of the caller.
macro(cudalabs_embed_tables rows_name symbol_prefix tables)
  foreach(table IN LISTS ${tables})
    get_filename_component(name ${table} NAME_WE)
    get_filename_component(folder ${table} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    if("${symbol_prefix}" STREQUAL "language")
      set(language ${name})
    else()
      set(language ${folder})
    endif()
    set(symbol cudalabs_${symbol_prefix}_${language}_${name})
    file(SHA256 ${table} digest)
    file(SIZE ${table} size)
    string(APPEND data "asm(\".pushsection .rodata.cudalabs_diagnostics,\\\"a\\\",@progbits\\n\"\n"
                       "    \".globl ${symbol}\\n.hidden ${symbol}\\n\"\n"
                       "    \"${symbol}:\\n.incbin \\\"${table}\\\"\\n.byte 0\\n.popsection\\n\");  // ${digest}\n"
                       "extern \"C\" const char ${symbol}[];\n")
    string(APPEND ${rows_name} "    {\"${language}\", \"${name}.po\", {${symbol}, ${size}}},\n")
  endforeach()
endmacro()

function(cudalabs_embed_languages)
  file(GLOB texts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/grader/diagnostics/*.po)
  file(GLOB messages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/grader/diagnostics/messages/*/*.po)
  list(SORT texts)
  list(SORT messages)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${texts} ${messages})
  set(data "")
  set(text_rows "")
  set(message_rows "")
  cudalabs_embed_tables(text_rows language texts)
  cudalabs_embed_tables(message_rows messages messages)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_languages.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Written by cmake/embed_languages.cmake.
#include \"grader/diagnostics/embedded_tables.h\"

@data@
namespace cudalabs {

std::span<const EmbeddedTable> embedded_tables() {
  static const EmbeddedTable tables[] = {
@text_rows@  };
  return tables;
}

std::span<const EmbeddedTable> embedded_messages() {
  static const EmbeddedTable tables[] = {
@message_rows@  };
  return tables;
}

}  // namespace cudalabs
")
  add_library(cudalabs_embedded_languages STATIC ${source})
  target_include_directories(cudalabs_embedded_languages PRIVATE ${CMAKE_SOURCE_DIR})
endfunction()
