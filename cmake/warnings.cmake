# One interface target sets the warnings and the optional sanitizers, so that no library forgets them.
add_library(cudalabs_warnings INTERFACE)
target_compile_options(cudalabs_warnings INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion
  # False alarms of GCC 12 on std::string: overlapping copies in operator+ (GCC bug 105651), and members of an
  # aggregate returned through a converting constructor, such as a Diagnostic through Result.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>)
if(CUDALABS_SANITIZE)
  target_compile_options(cudalabs_warnings INTERFACE -fsanitize=${CUDALABS_SANITIZE} -fno-sanitize-recover=undefined
                                                     -fno-omit-frame-pointer)
  target_link_options(cudalabs_warnings INTERFACE -fsanitize=${CUDALABS_SANITIZE})
endif()
if(CUDALABS_FUZZ)
  target_compile_options(cudalabs_warnings INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
  target_link_options(cudalabs_warnings INTERFACE -fsanitize=address,undefined)
endif()
# Newer compilers have more warnings. We are strict with our own compiler, and a warning never stops another's
# build.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(cudalabs_warnings INTERFACE -Werror)
endif()
