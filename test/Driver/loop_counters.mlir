// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tileiras-run %s --entry=constants --engine=reference --max-steps=100000 | FileCheck %s --check-prefix=CONSTANTS
// RUN: tileiras-run %s --entry=constants --engine=emulator --max-steps=100000 | FileCheck %s --check-prefix=CONSTANTS
// RUN: tileiras-run %s --entry=constants --engine=emulator --opt-level=0 --max-steps=100000 | FileCheck %s --check-prefix=CONSTANTS
// RUN: tileiras-run %s --entry=dynamic --engine=reference --max-steps=100000 i8=-6 i8=-1 i8=2 i64=9223372036854775800 i64=9223372036854775807 i64=4 | FileCheck %s --check-prefix=DYNAMIC
// RUN: tileiras-run %s --entry=dynamic --engine=emulator --max-steps=100000 i8=-6 i8=-1 i8=2 i64=9223372036854775800 i64=9223372036854775807 i64=4 | FileCheck %s --check-prefix=DYNAMIC

// Counters are numbers: loops end where the next one would leave the type.

cuda_tile.module @m {
  // CONSTANTS: i8 250 252 254 .
  // CONSTANTS-NEXT: i8 0 once .
  // CONSTANTS-NEXT: i8 -128 -57 14 85 .
  // CONSTANTS-NEXT: i16 -32768 -12768 7232 27232 .
  // CONSTANTS-NEXT: i32 4294967292 .
  entry @constants() {
    %a = constant <i8: -6> : tile<i8>
    %b = constant <i8: -1> : tile<i8>
    %two = constant <i8: 2> : tile<i8>
    %p0 = print_tko "i8 " -> token
    for unsigned %i in (%a to %b, step %two) : tile<i8> {
      %p = print_tko "%u ", %i : tile<i8> -> token
    }
    %p1 = print_tko ".\ni8 " -> token
    %zero = constant <i8: 0> : tile<i8>
    for unsigned %i in (%zero to %b, step %b) : tile<i8> {
      %p = print_tko "%u once ", %i : tile<i8> -> token
    }
    %p2 = print_tko ".\ni8 " -> token
    %least = constant <i8: -128> : tile<i8>
    %most = constant <i8: 127> : tile<i8>
    %step = constant <i8: 71> : tile<i8>
    for %i in (%least to %most, step %step) : tile<i8> {
      %p = print_tko "%d ", %i : tile<i8> -> token
    }
    %p3 = print_tko ".\ni16 " -> token
    // Bounds that only folding makes constants.
    %one = constant <i16: 1> : tile<i16>
    %highest = constant <i16: 32767> : tile<i16>
    %lowest = addi %highest, %one : tile<i16>
    %far = constant <i16: 20000> : tile<i16>
    for %i in (%lowest to %highest, step %far) : tile<i16> {
      %p = print_tko "%d ", %i : tile<i16> -> token
    }
    %p5 = print_tko ".\ni32 " -> token
    %c = constant <i32: -4> : tile<i32>
    %d = constant <i32: -1> : tile<i32>
    for unsigned %i in (%c to %d, step %d) : tile<i32> {
      %p = print_tko "%u ", %i : tile<i32> -> token
    }
    %p4 = print_tko ".\n" -> token
    return
  }

  // DYNAMIC: 250 252 254 .
  // DYNAMIC-NEXT: 9223372036854775800 9223372036854775804 .
  entry @dynamic(%a: tile<i8>, %b: tile<i8>, %step: tile<i8>, %c: tile<i64>, %d: tile<i64>, %stride: tile<i64>) {
    for unsigned %i in (%a to %b, step %step) : tile<i8> {
      %p = print_tko "%u ", %i : tile<i8> -> token
    }
    %p0 = print_tko ".\n" -> token
    for %i in (%c to %d, step %stride) : tile<i64> {
      %p = print_tko "%d ", %i : tile<i64> -> token
    }
    %p1 = print_tko ".\n" -> token
    return
  }
}
