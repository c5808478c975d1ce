//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Process.h"

#include "tileiras/Compiler/Compiler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <ctime>
#include <link.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tileiras {

double processMilliseconds() {
  timespec used;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1e3 + used.tv_nsec * 1e-6;
}

//===----------------------------------------------------------------------===//
// Crashes
//===----------------------------------------------------------------------===//

static void say(const char *text) { (void)!::write(2, text, std::strlen(text)); }

/// Only async-signal-safe calls from here.
static void onSignal(int signal) {
  say("error: internal compiler error: ");
  switch (signal) {
  case SIGSEGV:
    say("invalid memory access, or the input is nested too deeply");
    break;
  case SIGABRT:
    say("aborted");
    break;
  default:
    say("illegal operation");
    break;
  }
  say("\nerror: failed to compile Tile IR program\n");
  ::_exit(static_cast<int>(Status::CompilationFailure));
}

static void onFatalError(void *, const char *reason, bool) {
  say("error: ");
  say(reason);
  say("\nerror: failed to compile Tile IR program\n");
  ::_exit(static_cast<int>(Status::CompilationFailure));
}

static void onOutOfMemory(void *, const char *, bool) {
  say("error: out of memory\n");
  ::_exit(static_cast<int>(Status::AllocationFailure));
}

void installCrashHandlers() {
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onOutOfMemory);

  // The parser and the printer recurse over nested regions and types. The main thread's stack grows on demand up to
  // this limit.
  rlimit limit;
  constexpr rlim_t wanted = 100 << 20;
  if (::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted) {
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(limit.rlim_max, wanted);
    ::setrlimit(RLIMIT_STACK, &limit);
  }
  // A handler for an exhausted stack needs a stack of its own.
  static char alternate[64 << 10];
  stack_t stack = {};
  stack.ss_sp = alternate;
  stack.ss_size = sizeof alternate;
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE})
    ::sigaction(signal, &action, nullptr);
}

//===----------------------------------------------------------------------===//
// Version
//===----------------------------------------------------------------------===//

/// The linker's hash over the contents of the program, or of the library that this is in (its GNU build id), in
/// hexadecimal.
static std::string buildId() {
  std::string id;
  ::dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *result) -> int {
        auto here = reinterpret_cast<uintptr_t>(&buildId);
        bool contains = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto &segment = info->dlpi_phdr[i];
          contains |= segment.p_type == PT_LOAD && here - (info->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
        }
        if (!contains)
          return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto &segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_NOTE)
            continue;
          const char *at = reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr);
          const char *end = at + segment.p_memsz;
          while (at + sizeof(ElfW(Nhdr)) <= end) {
            auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
            const char *name = at + sizeof(*note);
            const char *description = name + llvm::alignTo(note->n_namesz, 4);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
              *static_cast<std::string *>(result) =
                  llvm::toHex(llvm::StringRef(description, note->n_descsz), /*LowerCase=*/true);
            at = description + llvm::alignTo(note->n_descsz, 4);
          }
        }
        return 1;
      },
      &id);
  return id;
}

void printVersion(llvm::raw_ostream &os, llvm::StringRef tool, llvm::StringRef what) {
  os << tool << ": open-tileiras " << TILEIRAS_VERSION << ", an independent open " << what << " for CUDA Tile IR; LLVM "
     << LLVM_VERSION_STRING
     << "\n"
     // What front ends parse: one of these releases, and V<major>.<minor>.<patch>.
     << "Takes the command lines of release 13.1, release 13.2, release 13.3, V13.3.0\n"
     << "Build " << buildId() << "\n";
}

} // namespace tileiras
