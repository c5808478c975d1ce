# Build helpers. Two kinds of library:
#   tileiras_library(Name SRC...)       uses MLIR/LLVM (shared precompiled header, MLIR warnings policy); with TILES, the
#                                       headers of the tile dialects are precompiled too
#   tileiras_plain_library(Name SRC...) knows no MLIR (the emulator, plain support code)
# and tileiras_tool / tileiras_unittest, plus tileiras_tablegen for ODS.

find_program(CCACHE ccache)
if(CCACHE)
  # The precompiled header would otherwise defeat ccache: its time stamps differ between two checkouts.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
find_program(LLD NAMES ld.lld-22 ld.lld HINTS /usr/lib/llvm-22/bin)
if(LLD AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_link_options(--ld-path=${LLD})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-exceptions -fno-strict-aliasing)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-fcolor-diagnostics -Wno-deprecated-declarations)
endif()

# ccache may bring a precompiled header from another checkout, whose files have other times. Before those that make one.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

# tileiras_precompiled(NAME HEADER): a precompiled header for others to reuse.
function(tileiras_precompiled name header)
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
  target_include_directories(${name} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE ${LLVM_DEFINITIONS_LIST})
  target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/${header})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set_property(TARGET ${name} PROPERTY PCH_WARN_INVALID ON)
  endif()
endfunction()

# One for everything that sees MLIR, and one for the rooms of the tile dialects (tileiras_library's TILES).
tileiras_precompiled(tileiras_pch pch.h)
tileiras_precompiled(tileiras_tiles_pch tiles_pch.h)
target_include_directories(tileiras_tiles_pch PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
add_dependencies(tileiras_tiles_pch TileirasTileAAIncGen TileirasTileAAInterfacesIncGen TileirasTileASIncGen
  TileirasTileASInterfacesIncGen TileirasAgentLikeOpInterfaceIncGen TileirasAsyncCopyOpInterfaceIncGen)

# tileiras_mlir_settings(NAME [PCH])
function(tileiras_mlir_settings name)
  set(pch tileiras_pch)
  if(ARGC GREATER 1)
    set(pch ${ARGV1})
  endif()
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_precompile_headers(${name} REUSE_FROM ${pch})
  get_target_property(type ${name} TYPE)
  if(type STREQUAL EXECUTABLE)
    # CMake would say -fPIE here, and clang refuses a precompiled header made with -fPIC.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
  endif()
endfunction()

function(tileiras_library name)
  cmake_parse_arguments(A "TILES" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${A_UNPARSED_ARGUMENTS})
  if(A_TILES)
    tileiras_mlir_settings(${name} tileiras_tiles_pch)
  else()
    tileiras_mlir_settings(${name})
  endif()
  # Which MLIR a program gets is the program's choice (see tileiras_tool's STATIC_LLVM).
  target_link_libraries(${name} PUBLIC ${A_LINK}
    $<IF:$<BOOL:$<TARGET_PROPERTY:TILEIRAS_STATIC_LLVM>>,tileiras_static_llvm,MLIR$<SEMICOLON>LLVM>)
  if(A_DEPENDS)
    add_dependencies(${name} ${A_DEPENDS})
  endif()
endfunction()

function(tileiras_plain_library name)
  cmake_parse_arguments(A "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${A_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${A_LINK} Threads::Threads)
  target_compile_options(${name} PRIVATE -O2)
endfunction()

# MLIR and LLVM as static archives, of which only what is used gets in: no other targets than NVPTX, no unused
# dialects. Everything is offered to the linker, which takes the members it needs.
add_library(tileiras_static_llvm INTERFACE)
file(GLOB TILEIRAS_MLIR_ARCHIVES ${LLVM_LIBRARY_DIR}/libMLIR*.a)
list(FILTER TILEIRAS_MLIR_ARCHIVES EXCLUDE REGEX "CAPI|Test|ExecutionEngine|Python")
llvm_map_components_to_libnames(TILEIRAS_LLVM_ARCHIVES NVPTXCodeGen NVPTXDesc NVPTXInfo passes ipo linker bitreader)
target_link_libraries(tileiras_static_llvm INTERFACE
  -Wl,--gc-sections -Wl,--as-needed -Wl,--start-group ${TILEIRAS_MLIR_ARCHIVES} ${TILEIRAS_LLVM_ARCHIVES} -Wl,--end-group)

# A compiler allocates all the time, and does so faster by gperftools' allocator (docs/performance.md). As an archive,
# so that nobody need install a library to run what has been built; libraries leave the choice to their host. Sanitizers
# bring their own.
find_library(TILEIRAS_ALLOCATOR NAMES libtcmalloc_minimal.a DOC "allocator of the compiler; empty: that of the C library")
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(TILEIRAS_ALLOCATOR "" CACHE FILEPATH "" FORCE)
endif()
find_path(TILEIRAS_ALLOCATOR_HEADERS gperftools/malloc_extension.h DOC "headers of the allocator; empty: it gets no large pages")

# tileiras_tool(Name SRC... LINK ...). PLAIN: no MLIR headers. STATIC_LLVM: starts fast, at the price of a larger file.
# ALLOCATOR: allocates by TILEIRAS_ALLOCATOR.
function(tileiras_tool name)
  cmake_parse_arguments(A "PLAIN;STATIC_LLVM;ALLOCATOR" "" "LINK" ${ARGN})
  add_executable(${name} ${A_UNPARSED_ARGUMENTS})
  if(A_PLAIN)
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  else()
    tileiras_mlir_settings(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${A_LINK})
  if(A_STATIC_LLVM)
    set_target_properties(${name} PROPERTIES TILEIRAS_STATIC_LLVM ON)
    # Fixed addresses and few shared libraries: little to relocate at start-up.
    target_link_options(${name} PRIVATE -no-pie -static-libstdc++ -static-libgcc)
  endif()
  if(A_ALLOCATOR AND TILEIRAS_ALLOCATOR)
    if(TILEIRAS_ALLOCATOR_HEADERS)
      target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tools/tileiras/HugePages.cpp)
    endif()
    # Ahead of whatever else defines malloc.
    target_link_options(${name} PRIVATE -Wl,--undefined=malloc)
    target_link_libraries(${name} PRIVATE ${TILEIRAS_ALLOCATOR} Threads::Threads)
  endif()
endfunction()

# A GoogleTest binary and a suite of ctest with the labels `unit`, the room's name, and `quick` unless it is SLOW. PLAIN: no MLIR
# headers.
function(tileiras_unittest name)
  cmake_parse_arguments(A "PLAIN;SLOW" "" "LINK" ${ARGN})
  add_executable(${name} ${A_UNPARSED_ARGUMENTS})
  if(A_PLAIN)
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  else()
    tileiras_mlir_settings(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${A_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  add_dependencies(unittests ${name})
  tileiras_unit_suite(${name} ${A_SLOW})
endfunction()

# tileiras_tablegen(TARGET file.td  out1 -gen-flag... | out2 -gen-flag... )
# Each output is named with its generator flags, separated by "|".
function(tileiras_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(LLVM_MAIN_INCLUDE_DIR ${MLIR_INCLUDE_DIRS})
  list(GET LLVM_MAIN_INCLUDE_DIR 0 LLVM_MAIN_INCLUDE_DIR)
  if(TARGET ${MLIR_TABLEGEN_EXE})
    set(MLIR_TABLEGEN_EXE ${CMAKE_SOURCE_DIR}/cmake/tblgen.sh $<TARGET_FILE:${MLIR_TABLEGEN_EXE}>)
  endif()
  set(flags)
  set(out)
  foreach(arg ${ARGN} "|")
    if(arg STREQUAL "|")
      mlir_tablegen(${out} ${flags} "-I${CMAKE_SOURCE_DIR}" "-I${LLVM_MAIN_INCLUDE_DIR}")
      set(flags)
      set(out)
    elseif(NOT out)
      set(out ${arg})
    else()
      list(APPEND flags ${arg})
    endif()
  endforeach()
  add_public_tablegen_target(${target})
endfunction()

# tileiras_passes(TARGET Name): Passes.td of this folder as Passes.h.inc. Name is that of register<Name>Passes().
function(tileiras_passes target name)
  tileiras_tablegen(${target} Passes.td Passes.h.inc -gen-pass-decls -name=${name})
endfunction()
