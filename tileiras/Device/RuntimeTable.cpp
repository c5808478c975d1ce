//===- RuntimeTable.cpp - The runtime functions that there are not -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// As in DriverTable.cpp: names for the per-thread default stream, and functions that fail by name.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Device/Runtime.h"

#include <cstdio>

using namespace tileiras::device::runtime;

static cudaError_t unsupported(const char *name) {
  std::fprintf(stderr, "tileiras: %s is not supported by this device\n", name);
  return note(801);
}

#define TILEIRAS_UNSUPPORTED(NAME)                                                                                     \
  TILEIRAS_RUNTIME NAME() { return unsupported(#NAME); }
#if defined(__x86_64__)
#define TILEIRAS_ALIAS(NAME, TARGET)                                                                                   \
  asm(".text\n.globl " #NAME "\n.type " #NAME ",@function\n" #NAME ": jmp " #TARGET "@PLT\n.size " #NAME ",.-" #NAME   \
      "\n");
#else
#define TILEIRAS_ALIAS(NAME, TARGET)                                                                                   \
  asm(".text\n.globl " #NAME "\n.type " #NAME ",%function\n" #NAME ": b " #TARGET "\n.size " #NAME ",.-" #NAME "\n");
#endif
#include "tileiras/Device/Runtime.def"
