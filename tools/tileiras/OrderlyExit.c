//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Preloaded while scripts/lay_out_code.py counts which code runs: the compiler leaves by _exit, without destructors,
// and what writes the counts runs at exit.
//
//===----------------------------------------------------------------------===//

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int leaving;

void _exit(int code) {
  if (!leaving) {
    leaving = 1;
    exit(code);
  }
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

void _Exit(int code) { _exit(code); }
