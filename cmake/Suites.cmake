# Suites of tests, as ctest knows them. Each runs through scripts/run_suite.py, which counts its cases and leaves a report for
# `make test` in <build>/test-reports.
#
#   ctest --test-dir build -N                  what there is
#   ctest --test-dir build -L emulator -j2     by label; -L quick is the daily loop, -L long is what only `make test-all` runs
#   ctest --test-dir build -R '^hints$' -V     one suite

include(ProcessorCount)
ProcessorCount(cores)
# A suite that works on several cases at a time takes so many cores, and ctest counts them, so that suites side by side do not ask for
# more than there are.
set(TILEIRAS_SUITE_JOBS 4)
if(cores LESS TILEIRAS_SUITE_JOBS)
  set(TILEIRAS_SUITE_JOBS ${cores})
endif()

# tileiras_suite(NAME KIND COMMAND... LABELS ...): KIND as in scripts/run_suite.py.
#   PARALLEL     takes several cores; the command gets `--jobs N`
#   COST         seconds on one core, roughly: long suites begin first
#   TIMEOUT      seconds, 1200 by default
#   REQUIRES     fixtures, see FIXTURES_REQUIRED of CMake
function(tileiras_suite name kind)
  cmake_parse_arguments(A "PARALLEL" "COST;TIMEOUT" "COMMAND;LABELS;REQUIRES" ${ARGN})
  set(jobs 1)
  if(A_PARALLEL)
    set(jobs ${TILEIRAS_SUITE_JOBS})
  endif()
  set(options)
  if("${kind}" STREQUAL "lit")
    set(options --jobs ${jobs})
  elseif(A_PARALLEL)
    list(APPEND A_COMMAND --jobs ${jobs})
  endif()
  add_test(NAME ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/run_suite.py ${options} ${CMAKE_BINARY_DIR} ${name} ${kind} ${A_COMMAND})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 1200)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${A_LABELS}" PROCESSORS ${jobs} TIMEOUT ${A_TIMEOUT})
  if(A_COST)
    set_tests_properties(${name} PROPERTIES COST ${A_COST})
  endif()
  if(A_REQUIRES)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED "${A_REQUIRES}")
  endif()
endfunction()

# tileiras_script(NAME path/of/script.py [ARGUMENTS ...] LABELS ... [QUICK] [PARALLEL] ...): a script that counts its cases itself.
function(tileiras_script name script)
  cmake_parse_arguments(A "" "" "ARGUMENTS" ${ARGN})
  tileiras_suite(${name} script COMMAND ${CMAKE_SOURCE_DIR}/${script} ${CMAKE_BINARY_DIR} ${A_ARGUMENTS} ${A_UNPARSED_ARGUMENTS})
endfunction()

# The suite of a unit test's binary, labelled with the name of its room.
function(tileiras_unit_suite name)
  cmake_parse_arguments(A "TRUE" "" "" ${ARGN}) # TRUE: the caller's SLOW
  set(cost 1)
  get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  string(TOLOWER ${room} room)
  set(labels unit ${room})
  if(A_TRUE)
    set(cost 10)
  else()
    list(APPEND labels quick)
  endif()
  tileiras_suite(${name} gtest COMMAND $<TARGET_FILE:${name}> LABELS ${labels} COST ${cost})
  if(room STREQUAL emulator)
    # They note which PTX instructions they execute; scripts/ptx_coverage.py reads it.
    set_tests_properties(${name} PROPERTIES FIXTURES_SETUP ptx-rows
      ENVIRONMENT TILEIRAS_EMULATOR_COVERAGE=${CMAKE_BINARY_DIR}/test-reports/${name}.ptx-rows)
  endif()
endfunction()
