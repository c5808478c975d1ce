//===- main.cpp - The program ---------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tools.h"

#ifdef __GLIBC__
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

/// Asks the system for the heap of a whole compilation at once, in huge pages where it has them: three thousand page
/// faults are a tenth of the time that compiling a kernel takes. What is not touched costs nothing.
static void takeHeapAtOnce() {
#ifdef __GLIBC__
  constexpr int kBytes = 96 << 20;
  constexpr uintptr_t kHugePage = 2 << 20;
  mallopt(M_TOP_PAD, kBytes);
  mallopt(M_TRIM_THRESHOLD, 2 * kBytes);
  mallopt(M_MMAP_THRESHOLD, kBytes / 4);
  free(malloc(1 << 20)); // more than there is
  uintptr_t end = reinterpret_cast<uintptr_t>(sbrk(0)) / kHugePage * kHugePage;
  if (end > kBytes)
    madvise(reinterpret_cast<void *>((end - kBytes) / kHugePage * kHugePage), kBytes, MADV_HUGEPAGE);
#endif
}

int main(int argc, char **argv) {
  takeHeapAtOnce();
  return tileiras::TILEIRAS_TOOL(argc, argv);
}
