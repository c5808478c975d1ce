# What `cmake --install` puts where, by component:
#
#   Tools      the programs, man pages, completions
#   Library    libtileiras.so, headers, the CMake package OpenTileiras, tileiras.pc
#   Device     libcuda.so.1 and its kin on the emulator, and tileiras-emu
#   Package    programs as small as a call of libtileiras.so, for the Python wheel (scripts/make_wheel.py); not part of a whole installation
#
# `cpack` in the build folder makes a .deb of the first three (docs/install.md).
include(CMakePackageConfigHelpers)

set(tools tileiras tileiras-run tileirdisasm tileiras-opt tileiras-translate tileiras-layout cuda-tile-optimize tileiras-lsp-server)
# Programs that link MLIR's shared library find it where Debian has it.
set_target_properties(${tools} PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Tools)
install(CODE "
  foreach(pair cuda-tile-opt|tileiras-opt cuda-tile-translate|tileiras-translate)
    string(REPLACE \"|\" \";\" pair \${pair})
    list(GET pair 0 link)
    list(GET pair 1 target)
    file(CREATE_LINK \${target} \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/\${link} SYMBOLIC)
  endforeach()" COMPONENT Tools)

install(TARGETS libtileiras EXPORT OpenTileiras LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Library)
install(FILES tileiras/Compiler/tileiras.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tileiras/Compiler COMPONENT Library)
install(FILES tileiras/CAPI/open_tileiras.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tileiras/CAPI COMPONENT Library)
install(FILES tileiras/Emulator/CAPI/tileiras_emu.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tileiras/Emulator/CAPI COMPONENT Library)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/OpenTileiras)
install(EXPORT OpenTileiras NAMESPACE OpenTileiras:: FILE OpenTileirasConfig.cmake DESTINATION ${package} COMPONENT Library)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/OpenTileirasConfigVersion.cmake VERSION ${TILEIRAS_VERSION}
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/OpenTileirasConfigVersion.cmake DESTINATION ${package} COMPONENT Library)
# Relative to itself, so that the tree may be moved.
file(WRITE ${CMAKE_BINARY_DIR}/package/tileiras.pc "prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: tileiras
Description: Open compiler for CUDA Tile IR, and an emulator for PTX
Version: ${TILEIRAS_VERSION}
Libs: -L\${libdir} -ltileiras
Cflags: -I\${includedir}
")
install(FILES ${CMAKE_BINARY_DIR}/package/tileiras.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT Library)

set_target_properties(tileiras_cudart PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS tileiras_cuda tileiras_cudart tileiras_nvjitlink
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/device NAMELINK_SKIP COMPONENT Device)
install(PROGRAMS tools/tileiras-emu/tileiras-emu tools/tileiras-emu/tileiras-emu-ptxas DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Device)

install(TARGETS package-tileiras package-tileiras-run package-tileirdisasm
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Package EXCLUDE_FROM_ALL)
