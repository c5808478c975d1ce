//===- StreamOrder.h - What orders kernels and copies -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels and copies in different streams are ordered by events, by the legacy stream and by the host's waiting. Every
// stream and the host have a vector clock; work that touches bytes which unordered work has touched before, one of the
// two writing, is reported with the instructions of both.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_STREAMORDER_H
#define TILEIRAS_DEVICE_STREAMORDER_H

#include "tileiras/Emulator/Machine/Observer.h"

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace tileiras::device {

/// Up to which number the work of each stream is known to precede.
struct StreamClock {
  std::vector<uint32_t> known;
  void join(const StreamClock &o);
  uint32_t of(uint32_t agent) const { return agent < known.size() ? known[agent] : 0; }
};

/// Bytes of global memory that a piece of work reads and writes, with an instruction for each line of 64 bytes.
class AccessSet {
public:
  struct Line {
    uint64_t read = 0, written = 0, atomic = 0; ///< bit per byte
    uint32_t reader = 0, writer = 0;            ///< 1 + index in `places`
  };
  void add(uint64_t address, uint64_t bytes, emu::AccessKind kind, uint32_t place);
  uint32_t place(const std::string &text);
  const std::string &placeText(uint32_t place) const;
  std::unordered_map<uint64_t, Line> lines; ///< by address / 64
  std::vector<std::string> places;
};

class StreamOrder {
public:
  /// Agent 0 is the host, 1 the legacy stream.
  StreamOrder() { clocks.resize(2); }
  uint32_t addStream();
  void removeStream(uint32_t agent);
  /// Nobody but the legacy stream: there is nothing to look for.
  bool several() const { return live != 0; }

  /// Work begins in a stream; `blocking` streams are ordered with the legacy stream.
  void begin(uint32_t agent, bool blocking);
  /// Checks what it touched against unordered work, and keeps it. Returns a report's text, or "".
  std::string end(uint32_t agent, std::string name, std::shared_ptr<AccessSet> touched);
  void hostWaits(uint32_t agent);
  void hostWaitsForAll();
  StreamClock record(uint32_t agent, bool blocking);
  void wait(uint32_t agent, const StreamClock &clock);
  void hostWaits(const StreamClock &clock) { clocks[0].join(clock); }

private:
  struct Piece {
    uint32_t agent, number;
    std::string name;
    std::shared_ptr<AccessSet> touched;
  };
  void forget();
  std::vector<StreamClock> clocks;
  std::vector<bool> blockingStream;
  std::vector<uint32_t> unused;
  std::deque<Piece> pieces;
  unsigned live = 0;
};

/// Collects what the blocks of one launch touch. Made by each host thread.
std::unique_ptr<emu::Observer> makeAccessCollector(std::shared_ptr<AccessSet> set, std::shared_ptr<std::mutex> mutex);

} // namespace tileiras::device

#endif // TILEIRAS_DEVICE_STREAMORDER_H
