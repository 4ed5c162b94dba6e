# Our libcudart. Submissions link it as one file, so the archive also contains the protocol's objects, without
# the grader's sanitizers. It is position independent, because nvcc's host compiler may build a PIE.
file(GLOB cudart_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cudart/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/cudart/*/*.cpp)
add_library(cudalabs_cudart STATIC ${cudart_sources} device/protocol/protocol.cpp device/protocol/cuda_error.cpp
            base/message.cpp base/message_template.cpp base/human.cpp diagnostics/message_table.cpp)
target_include_directories(cudalabs_cudart PRIVATE ${CMAKE_SOURCE_DIR})
target_include_directories(cudalabs_cudart SYSTEM PRIVATE ${CUDALABS_CUDA_INCLUDE})
target_compile_options(cudalabs_cudart PRIVATE -O2 -fPIC -fno-exceptions -fvisibility=hidden -Wall -Wextra -Wconversion
                                               -Wno-sign-conversion -Werror)
if(CUDALABS_PRECOMPILE)
  target_precompile_headers(cudalabs_cudart PRIVATE <algorithm> <array> <map> <memory> <mutex> <optional> <string> <string_view>
                                                    <vector> ${CMAKE_SOURCE_DIR}/grader/device/protocol/protocol.h)
  target_compile_options(cudalabs_cudart PRIVATE ${precompiled_options})
endif()
