//===- Progress.h - A progress bar for long runs ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_TOOLS_RUN_PROGRESS_H
#define TILEIRAS_TOOLS_RUN_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unistd.h>

/// Shows "reference [#####     ] 12/27 tile blocks" on a terminal's standard error once a run takes
/// longer than a second; silent everywhere else.
class Progress {
public:
  explicit Progress(std::string label)
      : label(std::move(label)), terminal(isatty(STDERR_FILENO)), start(Clock::now()), last(start) {}
  ~Progress() {
    if (shown)
      std::fprintf(stderr, "\r\033[K");
  }

  void update(uint64_t done, uint64_t total) {
    Clock::time_point now = Clock::now();
    if (!terminal || now - start < std::chrono::seconds(1) || now - last < std::chrono::milliseconds(100))
      return;
    last = now;
    shown = true;
    unsigned filled = total ? unsigned(done * kWidth / total) : 0;
    std::string bar(filled, '#');
    bar.resize(kWidth, ' ');
    std::fprintf(stderr, "\r%s [%s] %llu/%llu tile blocks", label.c_str(), bar.c_str(), (unsigned long long)done,
                 (unsigned long long)total);
    std::fflush(stderr);
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kWidth = 30;
  std::string label;
  bool terminal, shown = false;
  Clock::time_point start, last;
};

#endif // TILEIRAS_TOOLS_RUN_PROGRESS_H
