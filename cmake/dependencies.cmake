# All dependencies are packages of the distribution (CI/setup.sh names them). Static archives and header-only
# modes are preferred, so that the grader binary runs on a machine that has none of the packages.
find_package(Threads REQUIRED)

find_path(YAML_CPP_INCLUDE yaml-cpp/yaml.h REQUIRED)
find_library(YAML_CPP_ARCHIVE libyaml-cpp.a REQUIRED)
add_library(cudalabs_yaml INTERFACE)
target_include_directories(cudalabs_yaml SYSTEM INTERFACE ${YAML_CPP_INCLUDE})
target_link_libraries(cudalabs_yaml INTERFACE ${YAML_CPP_ARCHIVE})

find_library(SECCOMP_ARCHIVE libseccomp.a REQUIRED)
add_library(cudalabs_seccomp INTERFACE)
target_link_libraries(cudalabs_seccomp INTERFACE ${SECCOMP_ARCHIVE})

# A JIT compiler for the simulator on x86-64. Without it the interpreter runs everything.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  find_path(ASMJIT_INCLUDE asmjit/x86.h)
  find_library(ASMJIT_ARCHIVE libasmjit.a)
endif()
if(ASMJIT_INCLUDE AND ASMJIT_ARCHIVE)
  add_library(cudalabs_asmjit INTERFACE)
  target_include_directories(cudalabs_asmjit SYSTEM INTERFACE ${ASMJIT_INCLUDE})
  target_compile_definitions(cudalabs_asmjit INTERFACE ASMJIT_STATIC)
  target_link_libraries(cudalabs_asmjit INTERFACE ${ASMJIT_ARCHIVE} rt)
endif()

# Hashes: nettle's where somebody could gain from a collision, xxHash's for megabytes.
find_path(NETTLE_INCLUDE nettle/sha2.h REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
foreach(name nettle xxhash)
  string(TOUPPER ${name} upper)
  find_library(${upper}_ARCHIVE lib${name}.a REQUIRED)
  add_library(cudalabs_${name} INTERFACE)
  target_include_directories(cudalabs_${name} SYSTEM INTERFACE ${${upper}_INCLUDE})
  target_link_libraries(cudalabs_${name} INTERFACE ${${upper}_ARCHIVE})
endforeach()

# Signatures of courses (nettle's Ed25519 computes by GMP), and their compression.
find_library(HOGWEED_ARCHIVE libhogweed.a REQUIRED)
find_library(GMP_ARCHIVE libgmp.a REQUIRED)
add_library(cudalabs_signature INTERFACE)
target_link_libraries(cudalabs_signature INTERFACE ${HOGWEED_ARCHIVE} cudalabs_nettle ${GMP_ARCHIVE})
find_path(ZSTD_INCLUDE zstd.h REQUIRED)
find_library(ZSTD_ARCHIVE libzstd.a REQUIRED)
add_library(cudalabs_zstd INTERFACE)
target_include_directories(cudalabs_zstd SYSTEM INTERFACE ${ZSTD_INCLUDE})
target_link_libraries(cudalabs_zstd INTERFACE ${ZSTD_ARCHIVE})

# For batch grading: archives, and the journal. Debian builds libarchive with nettle, whose hashes we use,
# too.
find_path(ARCHIVE_INCLUDE archive.h REQUIRED)
find_path(SQLITE_INCLUDE sqlite3.h REQUIRED)
add_library(cudalabs_archive INTERFACE)
target_include_directories(cudalabs_archive SYSTEM INTERFACE ${ARCHIVE_INCLUDE})
foreach(name archive bz2 lzma zstd z)
  string(TOUPPER ${name} upper)
  find_library(${upper}_ARCHIVE lib${name}.a REQUIRED)
  target_link_libraries(cudalabs_archive INTERFACE ${${upper}_ARCHIVE})
endforeach()
target_link_libraries(cudalabs_archive INTERFACE cudalabs_nettle)
add_library(cudalabs_sqlite INTERFACE)
target_include_directories(cudalabs_sqlite SYSTEM INTERFACE ${SQLITE_INCLUDE})
find_library(SQLITE_ARCHIVE libsqlite3.a REQUIRED)
target_link_libraries(cudalabs_sqlite INTERFACE ${SQLITE_ARCHIVE} m ${CMAKE_DL_LIBS})

# For workbooks (.xlsx). Debian has no archive of it: present/xlsx then loads the shared library when it is
# needed, so the grader runs without it.
find_path(XLSXWRITER_INCLUDE xlsxwriter.h REQUIRED)
find_library(XLSXWRITER_ARCHIVE libxlsxwriter.a)
add_library(cudalabs_xlsxwriter INTERFACE)
target_include_directories(cudalabs_xlsxwriter SYSTEM INTERFACE ${XLSXWRITER_INCLUDE})
if(XLSXWRITER_ARCHIVE)
  target_compile_definitions(cudalabs_xlsxwriter INTERFACE CUDALABS_XLSX_ARCHIVE)
  target_link_libraries(cudalabs_xlsxwriter INTERFACE ${XLSXWRITER_ARCHIVE} ${Z_ARCHIVE})
endif()

find_path(FMT_INCLUDE fmt/format.h REQUIRED)
# cmake/fmt_archive.cpp works with fmt 9; with another version, header-only mode is used.
file(STRINGS ${FMT_INCLUDE}/fmt/core.h fmt_version REGEX "define FMT_VERSION 9")
if(fmt_version)
  add_library(cudalabs_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt_archive.cpp)
  target_include_directories(cudalabs_fmt SYSTEM PUBLIC ${FMT_INCLUDE})
else()
  add_library(cudalabs_fmt INTERFACE)
  target_include_directories(cudalabs_fmt SYSTEM INTERFACE ${FMT_INCLUDE})
  target_compile_definitions(cudalabs_fmt INTERFACE FMT_HEADER_ONLY)
endif()

# The log, header-only over the fmt from above: distributions ship its library as a shared one.
find_path(SPDLOG_INCLUDE spdlog/spdlog.h REQUIRED)
add_library(cudalabs_spdlog INTERFACE)
target_include_directories(cudalabs_spdlog SYSTEM INTERFACE ${SPDLOG_INCLUDE})
target_compile_definitions(cudalabs_spdlog INTERFACE SPDLOG_FMT_EXTERNAL SPDLOG_PREVENT_CHILD_FD)
target_link_libraries(cudalabs_spdlog INTERFACE cudalabs_fmt Threads::Threads)

find_path(NLOHMANN_INCLUDE nlohmann/json.hpp REQUIRED)
add_library(cudalabs_json INTERFACE)
target_include_directories(cudalabs_json SYSTEM INTERFACE ${NLOHMANN_INCLUDE})

find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
add_library(cudalabs_cli11 INTERFACE)
target_include_directories(cudalabs_cli11 SYSTEM INTERFACE ${CLI11_INCLUDE})

# Our own headers declare the part of CUDA that we call and implement. If the toolkit is installed, a test
# compares them with its headers.
set(CUDALABS_CUDA_INCLUDE ${CMAKE_SOURCE_DIR}/grader/cudart/include)
find_path(CUDA_TOOLKIT_INCLUDE cuda_runtime_api.h HINTS /usr/local/cuda/include $ENV{CUDA_HOME}/include
          DOC "Headers of the CUDA Toolkit (cuda_runtime_api.h), for tests")
