# One interface target carries the warnings and the optional sanitizers, so that no library forgets them.
add_library(cudalabs_warnings INTERFACE)
target_compile_options(cudalabs_warnings INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion -Werror
  # GCC 12 sees overlapping copies in std::string's operator+ that are not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(CUDALABS_SANITIZE)
  target_compile_options(cudalabs_warnings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                     -fno-omit-frame-pointer)
  target_link_options(cudalabs_warnings INTERFACE -fsanitize=address,undefined)
endif()
