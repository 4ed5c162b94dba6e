# `cmake --build build/release --target grader && (cd build/release && cpack)` makes cuda-labs_VERSION_ARCH.deb: docs/packages.md.
include(GNUInstallDirs)
set(package ${CMAKE_SOURCE_DIR}/cmake/package)
# A grader that carries another course, or the students' edition: `grader course export` makes it.
set(CUDALABS_EDITION "" CACHE FILEPATH "The grader to package instead of the one built here")
if(CUDALABS_EDITION)
  install(PROGRAMS ${CUDALABS_EDITION} DESTINATION bin COMPONENT grader RENAME grader)
else()
  install(TARGETS grader RUNTIME DESTINATION bin COMPONENT grader)
endif()
install(FILES README.md CHANGELOG.md DESTINATION share/doc/cuda-labs COMPONENT grader)
install(FILES LICENSE DESTINATION share/doc/cuda-labs RENAME copyright COMPONENT grader)
install(DIRECTORY docs DESTINATION share/doc/cuda-labs COMPONENT grader)
install(PROGRAMS ${package}/slim.sh DESTINATION share/cuda-labs COMPONENT grader)
install(FILES ${package}/cuda-labs.apparmor DESTINATION share/cuda-labs RENAME apparmor COMPONENT grader)
find_program(GZIP_PROGRAM gzip REQUIRED)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/grader.1.gz
                   COMMAND ${GZIP_PROGRAM} -9nc ${package}/grader.1 > ${CMAKE_BINARY_DIR}/grader.1.gz
                   DEPENDS ${package}/grader.1 VERBATIM)
add_custom_target(manual ALL DEPENDS ${CMAKE_BINARY_DIR}/grader.1.gz)
install(FILES ${CMAKE_BINARY_DIR}/grader.1.gz DESTINATION share/man/man1 COMPONENT grader)

set(CPACK_GENERATOR DEB)
# only the grader, even if other parts get install rules later
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};${PROJECT_NAME};grader;/")
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_PACKAGE_NAME cuda-labs)
set(CPACK_PACKAGE_CONTACT "cuda-labs <root@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "grader of CUDA lab submissions that needs no GPU")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Compiles a student's .cu file with clang or nvcc, runs it sandboxed on a simulator of a GPU, and says whether it works, how fast it is, and if not, which line and why.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
if(NOT CUDALABS_EDITION)  # what follows the program in its file would be lost
  set(CPACK_STRIP_FILES ON)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS bubblewrap)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang (>= 1:14) | nvidia-cuda-toolkit, g++ | c++-compiler")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${package}/postinst;${package}/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
