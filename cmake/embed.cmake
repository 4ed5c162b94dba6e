# Packs the course and our libcudart into the binary, so that it can be copied alone to another machine.
#
# cudalabs_embed_course() makes the library `cudalabs_embedded_course`, which implements embedded_course() and
# embedded_cuda_headers() of grader/course/embedded_course.h. At build time this file also runs as a script.
# It writes a C++ source that includes the files with .incbin, so compile time does not depend on their size.
# The source contains the hash of their contents, so a changed file changes the source, also for ccache.

function(cudalabs_embed_course)
  set(entries "course.yaml|${CMAKE_SOURCE_DIR}/course.yaml")
  set(files ${CMAKE_SOURCE_DIR}/course.yaml)
  foreach(folder configs labs student_templates reference courses)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/${folder}/*)
    # Files that editors and tools leave behind do not belong to the course.
    list(FILTER found EXCLUDE REGEX "(^|/)\\.|~$|\\.orig$|\\.swp$")
    foreach(file IN LISTS found)
      list(APPEND entries "${file}|${CMAKE_SOURCE_DIR}/${file}")
      list(APPEND files ${CMAKE_SOURCE_DIR}/${file})
    endforeach()
  endforeach()
  list(APPEND entries "lib/libcudalabs_cudart.a|$<TARGET_FILE:cudalabs_cudart>")
  list(APPEND entries "cuda/libcudalabs_preload.so|$<TARGET_FILE:cudalabs_preload>")
  # Our CUDA headers are in a separate folder: a submission's compiler sees them, but nothing of the course.
  set(headers ${CMAKE_SOURCE_DIR}/grader/cudart/include)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${headers} ${headers}/*)
  list(FILTER found EXCLUDE REGEX "(^|/)\\.|~$|\\.orig$|\\.swp$")
  foreach(file IN LISTS found)
    list(APPEND entries "cuda/${file}|${headers}/${file}")
    list(APPEND files ${headers}/${file})
  endforeach()
  list(SORT entries)

  set(list_file ${CMAKE_CURRENT_BINARY_DIR}/embedded_course.txt)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_course_data.cpp)
  list(JOIN entries "\n" lines)
  file(GENERATE OUTPUT ${list_file} CONTENT "${lines}\n")
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list_file} -DOUTPUT=${source} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${list_file} ${files} cudalabs_cudart cudalabs_preload ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    COMMENT "Packing the course into the binary"
    VERBATIM)
  add_library(cudalabs_embedded_course STATIC ${source})
  target_include_directories(cudalabs_embedded_course PRIVATE ${CMAKE_SOURCE_DIR})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

file(STRINGS ${LIST} entries ENCODING UTF-8)
set(data "")
set(declarations "")
set(manifest_course "")
set(table_course "")
set(manifest_cuda "")
set(table_cuda "")
set(index 0)
foreach(entry IN LISTS entries)
  string(REPLACE "|" ";" pair "${entry}")
  list(GET pair 0 name)
  list(GET pair 1 file)
  if(file MATCHES "[\"\\\\]" OR name MATCHES "[\"\\\\]")
    message(FATAL_ERROR "a quote or backslash in the name of a course file: ${file}")
  endif()
  file(SHA256 "${file}" digest)
  file(SIZE "${file}" size)
  set(part course)
  if(name MATCHES "^cuda/(.*)$")
    set(part cuda)
    set(name "${CMAKE_MATCH_1}")
  endif()
  string(APPEND manifest_${part} "${name} ${digest}\n")
  string(APPEND data "asm(\".pushsection .rodata.cudalabs_course,\\\"a\\\",@progbits\\n\"\n"
                     "    \".balign 16\\n.globl cudalabs_course_${index}\\n.hidden cudalabs_course_${index}\\n\"\n"
                     "    \"cudalabs_course_${index}:\\n.incbin \\\"${file}\\\"\\n.byte 0\\n.popsection\\n\");  // ${digest}\n")
  string(APPEND declarations "extern \"C\" const char cudalabs_course_${index}[];\n")
  string(APPEND table_${part} "    {\"${name}\", {cudalabs_course_${index}, ${size}}},\n")
  math(EXPR index "${index} + 1")
endforeach()
foreach(part course cuda)
  string(SHA256 hash_${part} "${manifest_${part}}")
  string(SUBSTRING ${hash_${part}} 0 16 hash_${part})
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed.cmake.\n#include \"grader/course/embedded_course.h\"\n\n${data}\n${declarations}
namespace cudalabs {

std::span<const EmbeddedFile> embedded_course() {
  static const EmbeddedFile files[] = {
${table_course}  };
  return files;
}

std::string_view embedded_course_hash() { return \"${hash_course}\"; }

std::span<const EmbeddedFile> embedded_cuda_headers() {
  static const EmbeddedFile files[] = {
${table_cuda}  };
  return files;
}

std::string_view embedded_cuda_headers_hash() { return \"${hash_cuda}\"; }

}  // namespace cudalabs
")
