# Our libcudart. Submissions link it as one file, so the archive also contains the protocol's objects, without
# the grader's sanitizers. It is position independent, because nvcc's host compiler may build a PIE.
file(GLOB cudart_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cudart/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/cudart/*/*.cpp)
add_library(cudalabs_cudart STATIC ${cudart_sources} device/protocol/protocol.cpp device/protocol/cuda_error.cpp
            base/message.cpp base/message_template.cpp base/human.cpp diagnostics/message_table.cpp)
target_include_directories(cudalabs_cudart PRIVATE ${CMAKE_SOURCE_DIR})
target_include_directories(cudalabs_cudart SYSTEM PRIVATE ${CUDALABS_CUDA_INCLUDE})
target_compile_options(cudalabs_cudart PRIVATE -O2 -fPIC -fno-exceptions -fvisibility=hidden -Wall -Wextra -Wconversion
                                               -Wno-sign-conversion -Werror)
set_target_properties(cudalabs_cudart PROPERTIES UNITY_BUILD ${CUDALABS_TOGETHER} UNITY_BUILD_BATCH_SIZE 8)
# A program takes the members of the archive that it needs: those that wrap calls only if its link has the
# options for that. unsupported.cpp declares functions unlike the headers, and message_table.cpp defines every
# section.
set_source_files_properties(cudart/clocks.cpp cudart/streams/watched_calls.cpp cudart/unsupported.cpp
                            base/message_template.cpp diagnostics/message_table.cpp
                            PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
if(CUDALABS_PRECOMPILE)
  target_precompile_headers(cudalabs_cudart PRIVATE <algorithm> <array> <map> <memory> <mutex> <optional> <string> <string_view>
                                                    <vector>)
  target_compile_options(cudalabs_cudart PRIVATE ${precompiled_options})
endif()
