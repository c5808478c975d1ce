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

# Man pages and completions, from what the tools say with --help.
set(man ${CMAKE_BINARY_DIR}/package/manual)
add_custom_command(OUTPUT ${man}/man1/tileiras.1
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/make_man.py ${CMAKE_BINARY_DIR}/bin ${man}
  DEPENDS ${CMAKE_SOURCE_DIR}/scripts/make_man.py tileiras tileiras-run tileirdisasm tileiras-layout tileiras-emu)
add_custom_target(manual ALL DEPENDS ${man}/man1/tileiras.1)
# The licence of what is linked in as an archive asks to go with it.
if(TILEIRAS_ALLOCATOR)
  find_file(TILEIRAS_ALLOCATOR_LICENCE copyright PATHS /usr/share/doc/libgoogle-perftools-dev NO_DEFAULT_PATH)
  if(TILEIRAS_ALLOCATOR_LICENCE)
    install(FILES ${TILEIRAS_ALLOCATOR_LICENCE} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/open-tileiras RENAME copyright.gperftools COMPONENT Tools)
  endif()
endif()
install(DIRECTORY ${man}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT Tools)
install(DIRECTORY ${man}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT Tools)
install(DIRECTORY ${man}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT Tools)
install(DIRECTORY ${man}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT Tools)

install(TARGETS libtileiras EXPORT OpenTileiras LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Library)
install(FILES tileiras/Compiler/tileiras.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tileiras/Compiler COMPONENT Library)
install(FILES tileiras/CAPI/open_tileiras.h tileiras/CAPI/cuda_tile.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tileiras/CAPI COMPONENT Library)
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

# In a folder that no loader searches: only tileiras-emu points programs there.
set(TILEIRAS_DEVICE_INSTALL open-tileiras/device)
set_target_properties(tileiras_cudart PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS tileiras_cuda tileiras_cudart tileiras_nvjitlink
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${TILEIRAS_DEVICE_INSTALL} NAMELINK_SKIP COMPONENT Device)
install(PROGRAMS tools/tileiras-emu/tileiras-emu tools/tileiras-emu/tileiras-emu-ptxas DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Device)

install(TARGETS package-tileiras package-tileiras-run package-tileirdisasm
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Package EXCLUDE_FROM_ALL)

# `cpack` in the build folder: one package with everything but the component Package. Its dependencies are what the programs are linked with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME open-tileiras)
set(CPACK_PACKAGE_VERSION ${TILEIRAS_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Open compiler for CUDA Tile IR, with an emulator that checks CUDA kernels")
set(CPACK_PACKAGE_CONTACT "the open-tileiras maintainers <maintainers@open-tileiras.invalid>")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL Tools Library Device)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS python3)
set(CPACK_OUTPUT_FILE_PREFIX ${CMAKE_BINARY_DIR}/package)
# The device's libraries have the names of NVIDIA's: nobody else shall find them, or be asked for them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib ${CMAKE_BINARY_DIR}/lib/device)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
include(CPack)
