//===- StreamOrder.cpp - What orders kernels and copies ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Device/StreamOrder.h"

#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/Cta.h"

#include <algorithm>
#include <bit>

using namespace tileiras;
using namespace tileiras::device;

void StreamClock::join(const StreamClock &o) {
  if (o.known.size() > known.size())
    known.resize(o.known.size());
  for (size_t k = 0; k != o.known.size(); ++k)
    known[k] = std::max(known[k], o.known[k]);
}

//===----------------------------------------------------------------------===//
// AccessSet
//===----------------------------------------------------------------------===//

void AccessSet::add(uint64_t address, uint64_t bytes, emu::AccessKind kind, uint32_t where) {
  while (bytes) {
    const unsigned first = unsigned(address & 63), count = unsigned(std::min<uint64_t>(bytes, 64 - first));
    const uint64_t mask = (count == 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1) << first;
    Line &line = lines[address / 64];
    if (kind == emu::AccessKind::Read) {
      line.read |= mask;
      line.reader = line.reader ? line.reader : where;
    } else {
      (kind == emu::AccessKind::Write ? line.written : line.atomic) |= mask;
      line.writer = line.writer ? line.writer : where;
    }
    address += count;
    bytes -= count;
  }
}

uint32_t AccessSet::place(const std::string &text) {
  auto found = std::find(places.begin(), places.end(), text);
  if (found == places.end())
    found = places.insert(found, text);
  return uint32_t(found - places.begin()) + 1;
}

const std::string &AccessSet::placeText(uint32_t where) const {
  static const std::string none;
  return where ? places[where - 1] : none;
}

namespace {

class AccessCollector final : public emu::Observer {
public:
  AccessCollector(std::shared_ptr<AccessSet> set, std::shared_ptr<std::mutex> mutex)
      : set(std::move(set)), mutex(std::move(mutex)) {}

  void threadAccess(emu::Warp &w, const emu::Inst &i, emu::Space space, uint32_t mask, const uint64_t *address,
                    unsigned bytes, emu::AccessKind kind, emu::MemoryOrder) override {
    if (space != emu::Space::Global)
      return;
    std::lock_guard<std::mutex> lock(*mutex);
    const uint32_t place = placeOf(*w.frame->fn->ast, i);
    for (; mask; mask &= mask - 1)
      set->add(address[std::countr_zero(mask)], bytes, kind, place);
  }
  void copyIssued(emu::Warp &w, const emu::Inst &i, uint32_t, const emu::AsyncCopy &copy) override {
    if (copy.sourceSpace != emu::Space::Global || !copy.sourceBytes)
      return;
    std::lock_guard<std::mutex> lock(*mutex);
    set->add(copy.source, copy.sourceBytes, emu::AccessKind::Read, placeOf(*w.frame->fn->ast, i));
  }
  void asyncAccess(emu::AsyncOp &op, emu::Space space, uint64_t address, uint64_t bytes,
                   emu::AccessKind kind) override {
    if (space != emu::Space::Global)
      return;
    std::lock_guard<std::mutex> lock(*mutex);
    set->add(address, bytes, kind, placeOf(*op.function, *op.inst));
  }

private:
  uint32_t placeOf(const emu::Function &function, const emu::Inst &inst) {
    uint32_t &known = places[&inst];
    if (known)
      return known;
    const emu::Instruction &i = function.body[inst.source];
    std::string text = "PTX line " + std::to_string(i.loc.line) + " (" + std::string(i.text) + ")";
    if (i.sourceLine) {
      const auto &files = program ? program->ast->files : emptyFiles;
      auto file = files.find(i.sourceFile);
      text = (file == files.end() ? std::string("source line ") : file->second + ":") + std::to_string(i.sourceLine);
      if (auto call = files.find(i.callFile); i.callLine && call != files.end())
        text += ", called at " + call->second + ":" + std::to_string(i.callLine);
      text += " (" + std::string(i.text) + ")";
    }
    return known = set->place(text);
  }
  void clusterBegin(emu::Cluster &c) override { program = c.launch->program; }

  std::shared_ptr<AccessSet> set;
  std::shared_ptr<std::mutex> mutex;
  std::unordered_map<const emu::Inst *, uint32_t> places;
  const emu::Program *program = nullptr;
  const std::map<uint32_t, std::string> emptyFiles;
};

} // namespace

std::unique_ptr<emu::Observer> tileiras::device::makeAccessCollector(std::shared_ptr<AccessSet> set,
                                                                     std::shared_ptr<std::mutex> mutex) {
  return std::make_unique<AccessCollector>(std::move(set), std::move(mutex));
}

//===----------------------------------------------------------------------===//
// StreamOrder
//===----------------------------------------------------------------------===//

constexpr uint32_t Host = 0, Legacy = 1;

uint32_t StreamOrder::addStream() {
  ++live;
  uint32_t agent = uint32_t(clocks.size());
  if (unused.empty()) {
    clocks.emplace_back();
  } else {
    // The number goes on counting, so that nobody takes the new stream's work for the old one's.
    agent = unused.back();
    unused.pop_back();
  }
  blockingStream.resize(clocks.size());
  blockingStream[agent] = true;
  return agent;
}

void StreamOrder::removeStream(uint32_t agent) {
  --live;
  unused.push_back(agent);
}

void StreamOrder::begin(uint32_t agent, bool blocking) {
  StreamClock &mine = clocks[agent];
  blockingStream.resize(clocks.size());
  blockingStream[agent] = blocking;
  mine.join(clocks[Host]);
  // CUDA C++ Programming Guide, "Default Stream": work of the legacy stream waits for what is before it in blocking
  // streams, and is waited for by what comes after.
  if (agent == Legacy) {
    for (uint32_t k = 2; k < clocks.size(); ++k)
      if (blockingStream[k])
        mine.join(clocks[k]);
  } else if (blocking) {
    mine.join(clocks[Legacy]);
  }
  if (mine.known.size() <= agent)
    mine.known.resize(agent + 1);
  ++mine.known[agent];
}

std::string StreamOrder::end(uint32_t agent, std::string name, std::shared_ptr<AccessSet> touched) {
  const StreamClock &mine = clocks[agent];
  std::string text;
  for (const Piece &p : pieces) {
    if (mine.of(p.agent) >= p.number)
      continue;
    const bool small = touched->lines.size() < p.touched->lines.size();
    const AccessSet &few = small ? *touched : *p.touched, &many = small ? *p.touched : *touched;
    for (auto &[address, a] : few.lines) {
      auto found = many.lines.find(address);
      if (found == many.lines.end())
        continue;
      const AccessSet::Line &b = found->second, &now = small ? a : b, &then = small ? b : a;
      // Two atomic operations do not disturb each other.
      const uint64_t nowAll = now.read | now.atomic | now.written, thenAll = then.read | then.atomic | then.written;
      const uint64_t bytes =
          (now.written & thenAll) | (nowAll & then.written) | (now.atomic & then.read) | (now.read & then.atomic);
      if (!bytes)
        continue;
      const bool nowWrites = (now.written | now.atomic) & bytes, thenWrites = (then.written | then.atomic) & bytes;
      char where[40];
      std::snprintf(where, sizeof where, "0x%llx",
                    static_cast<unsigned long long>(address * 64 + unsigned(std::countr_zero(bytes))));
      auto side = [](const std::string &who, bool writes, const std::string &place) {
        return who + (writes ? " writes" : " reads") + (place.empty() ? "" : " at " + place);
      };
      text = side(name, nowWrites, touched->placeText(nowWrites ? now.writer : now.reader)) + " global address " +
             where + ", which " +
             side(p.name, thenWrites, p.touched->placeText(thenWrites ? then.writer : then.reader)) +
             ": the two are in different streams, and no event, wait of the host or default stream orders them";
      break;
    }
    if (!text.empty())
      break;
  }
  pieces.push_back({agent, mine.of(agent), std::move(name), std::move(touched)});
  forget();
  return text;
}

/// Work that the host knows of precedes everything that comes.
void StreamOrder::forget() {
  while (!pieces.empty() && (clocks[Host].of(pieces.front().agent) >= pieces.front().number || pieces.size() > 1024))
    pieces.pop_front();
}

void StreamOrder::hostWaits(uint32_t agent) {
  clocks[Host].join(clocks[agent]);
  forget();
}

void StreamOrder::hostWaitsForAll() {
  for (const StreamClock &c : clocks)
    clocks[Host].join(StreamClock(c));
  pieces.clear();
}

StreamClock StreamOrder::record(uint32_t agent, bool blocking) {
  begin(agent, blocking);
  return clocks[agent];
}

void StreamOrder::wait(uint32_t agent, const StreamClock &clock) { clocks[agent].join(clock); }
