//===- Access.cpp - Address resolution and its faults -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Check/Idioms.h"
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

/// The state space behind a generic address; `address` becomes the address in it.
static Space classify(uint64_t &address) {
  if (address < SharedWindow)
    return Space::Global;
  if (address - SharedWindow < WindowSize) {
    address -= SharedWindow;
    return Space::Shared;
  }
  if (address - LocalWindow < WindowSize) {
    address -= LocalWindow;
    return Space::Local;
  }
  if (address - ParamWindow < WindowSize) {
    address -= ParamWindow;
    return Space::Param;
  }
  if (address - ConstWindow < WindowSize) {
    address -= ConstWindow;
    return Space::Const;
  }
  return Space::Global;
}

bool Warp::regionSlow(Space space, uint64_t lo, uint64_t end, bool write, Region &out) {
  if (space == Space::Generic) {
    uint64_t last = end - 1;
    space = classify(lo);
    if (classify(last) != space)
      return false;
    end = last + 1;
  }
  if (end <= lo)
    return false;
  out.space = space;
  out.laneStride = 0;
  switch (space) {
  case Space::Global: {
    Allocation *a = launch->memory->find(lo);
    if (!a || end - a->base > a->size || (write && a->readOnly))
      return false;
    cache = {a->base, a->base + a->size, a->data, a->shadow.get(), a->readOnly};
    out.host = a->data + (lo - a->base);
    out.shadow = a->shadow ? a->shadow.get() + (lo - a->base) : nullptr;
    return true;
  }
  case Space::Shared: {
    // Bits 31:24 are the rank of the CTA in its cluster, also in a CTA's addresses of its own variables.
    uint64_t rank = lo >> 24;
    if ((end - 1) >> 24 != rank || rank >= cta->cluster->ctas.size())
      return false;
    Cta *owner = cta->cluster->ctas[rank].get();
    lo &= 0xffffff;
    end = ((end - 1) & 0xffffff) + 1;
    if (lo < launch->program->sharedBase || end > owner->shared.size())
      return false;
    out.host = owner->shared.data() + lo;
    out.shadow = owner->sharedShadow.data() + lo;
    return true;
  }
  case Space::Local:
    if (end > frame->stackTop)
      return false;
    out.host = local.data() + lo;
    out.shadow = localShadow.data() + lo;
    out.laneStride = localStride;
    return true;
  case Space::Param:
    if (write || end > launch->params.size())
      return false;
    out.host = launch->params.data() + lo;
    out.shadow = nullptr;
    return true;
  case Space::Const:
    if (write || end > launch->program->constImage.size())
      return false;
    out.host = const_cast<uint8_t *>(launch->program->constImage.data()) + lo;
    out.shadow = nullptr;
    return true;
  default:
    return false;
  }
}

std::string Warp::describe(Space space, uint64_t address) const {
  const Program &program = *launch->program;
  auto nearest = [&](uint64_t wanted, Space wantedSpace) -> std::string {
    const Variable *best = nullptr;
    uint64_t distance = ~uint64_t(0);
    auto look = [&](const Variable &v) {
      if (v.space != wantedSpace)
        return;
      uint64_t d = wanted < v.offset ? v.offset - wanted : wanted - v.offset < v.size ? 0 : wanted - v.offset - v.size;
      if (d < distance) {
        distance = d;
        best = &v;
      }
    };
    if (wantedSpace == Space::Shared)
      for (const Variable *v : launch->kernel->shared)
        look(*v);
    for (const Variable &v : program.ast->variables)
      if (v.space != Space::Shared)
        look(v);
    for (const Function &f : program.ast->functions) {
      if (wantedSpace == Space::Shared)
        break;
      for (const Variable &v : f.variables)
        if (wantedSpace != Space::Local || &f == frame->fn->ast)
          look(v);
      if (wantedSpace == Space::Param && &f == launch->kernel->ast)
        for (const Variable &v : f.params)
          look(v);
    }
    if (!best)
      return "";
    std::string name = "'" + best->name + "' (" + std::to_string(best->size) + " bytes)";
    if (wanted >= best->offset && wanted - best->offset < best->size)
      return ", at byte " + std::to_string(wanted - best->offset) + " of " + name;
    return ", " + std::to_string(distance) + (wanted < best->offset ? " bytes before " : " bytes past the end of ") +
           name;
  };
  switch (space) {
  case Space::Global:
    return launch->memory->describe(address);
  case Space::Shared:
    return "shared memory has bytes " + std::to_string(program.sharedBase) + " to " +
           std::to_string(cta->shared.size()) + nearest(address & 0xffffff, Space::Shared);
  case Space::Local:
    return "the thread's local memory has " + std::to_string(frame->stackTop) + " bytes" +
           nearest(address - frame->localBase, Space::Local);
  case Space::Param:
    return "the kernel has " + std::to_string(launch->params.size()) + " parameter bytes" + nearest(address, space);
  case Space::Const:
    return "constant memory has " + std::to_string(program.constImage.size()) + " bytes" + nearest(address, space);
  default:
    return "";
  }
}

void Warp::badAccess(const Inst &inst, Space space, uint32_t lane, uint64_t address, unsigned bytes, bool write) {
  uint64_t inSpace = address;
  if (space == Space::Generic)
    space = classify(inSpace);
  bool readOnly = write && (space == Space::Param || space == Space::Const);
  if (write && space == Space::Global) {
    const Allocation *a = launch->memory->find(address);
    readOnly = a && a->readOnly;
  }
  char buffer[128];
  std::snprintf(buffer, sizeof buffer, "%s of %u bytes at %s address 0x%llx: ", write ? "store" : "load", bytes,
                spaceName(space), static_cast<unsigned long long>(inSpace));
  report(readOnly ? ReportKind::ReadOnlyWrite : ReportKind::OutOfBounds, inst, lane, buffer + describe(space, inSpace),
         address);
}

bool Warp::resolveLane(const Inst &inst, Space space, uint32_t lane, uint64_t address, unsigned bytes, bool write,
                       Region &out) {
  if (address & (bytes - 1)) {
    uint64_t inSpace = address;
    Space real = space == Space::Generic ? classify(inSpace) : space;
    char buffer[128];
    std::snprintf(buffer, sizeof buffer,
                  "%s of %u bytes at %s address 0x%llx, which is not a multiple of %u: ", write ? "store" : "load",
                  bytes, spaceName(real), static_cast<unsigned long long>(inSpace), bytes);
    report(ReportKind::Misaligned, inst, lane, buffer + describe(real, inSpace), address);
    return false;
  }
  if (!region(space, address, address + bytes, write, out)) {
    badAccess(inst, space, lane, address, bytes, write);
    return false;
  }
  return true;
}

void Warp::observeLane(const Inst &inst, Space named, Space space, uint32_t lane, uint64_t address, unsigned bytes,
                       bool write) {
  uint64_t at[32] = {};
  at[lane] = address;
  Op op = frame->fn->ast->body[inst.source].row->op;
  MemoryOrder order;
  if (op == Op::Ld || op == Op::St)
    order = accessOrder(*static_cast<const MemAux *>(inst.aux));
  observeAccess(*this, inst, named, space, 1u << lane, at, bytes, write ? AccessKind::Write : AccessKind::Read, order);
}

uint32_t Warp::gather(const Inst &inst, Space space, uint32_t mask, const uint64_t *address, unsigned bytes,
                      uint8_t *buffer) {
  uint32_t good = 0;
  for (uint32_t m = mask; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    Region r;
    r.space = space == Space::Generic ? Space::Global : space;
    if (!resolveLane(inst, space, l, address[l], bytes, false, r)) {
      std::memset(buffer + 64 * l, 0, bytes);
      continue;
    }
    good |= 1u << l;
    if (observer) [[unlikely]]
      observeLane(inst, space, r.space, l, address[l], bytes, false);
    std::memcpy(buffer + 64 * l, r.host + l * r.laneStride, bytes);
    if (checkInit && r.shadow) {
      uint32_t rel[32] = {};
      findUninitialized(inst, r, address[l], 1u << l, rel, bytes);
    }
  }
  return good;
}

uint32_t Warp::scatter(const Inst &inst, Space space, uint32_t mask, const uint64_t *address, unsigned bytes,
                       const uint8_t *buffer) {
  uint32_t good = 0;
  for (uint32_t m = mask; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    Region r;
    r.space = space == Space::Generic ? Space::Global : space;
    if (!resolveLane(inst, space, l, address[l], bytes, true, r))
      continue;
    good |= 1u << l;
    if (observer) [[unlikely]]
      observeLane(inst, space, r.space, l, address[l], bytes, true);
    std::memcpy(r.host + l * r.laneStride, buffer + 64 * l, bytes);
    if (r.shadow)
      std::memset(r.shadow + l * r.laneStride, 0xff, bytes);
  }
  return good;
}

void Warp::findUninitialized(const Inst &inst, const Region &region, uint64_t lo, uint32_t mask, const uint32_t *rel,
                             unsigned bytes) {
  for (uint32_t m = mask; m; m &= m - 1) {
    uint32_t l = uint32_t(std::countr_zero(m));
    const uint8_t *s = region.shadow + rel[l] + l * region.laneStride;
    for (unsigned b = 0; b != bytes; ++b) {
      if (s[b])
        continue;
      uint64_t inSpace = lo + rel[l] + b;
      classify(inSpace);
      char buffer[160];
      std::snprintf(buffer, sizeof buffer,
                    "load of %u bytes at %s address 0x%llx reads a byte nobody has written: ", bytes,
                    spaceName(region.space), static_cast<unsigned long long>(inSpace));
      const bool idiom = region.space == Space::Shared && launch->options->rules == Rules::Hardware &&
                         isSpeculativeLoad(*frame->fn->ast, inst.source);
      report(idiom ? ReportKind::Idiom : ReportKind::Uninitialized, inst, l, buffer + describe(region.space, inSpace),
             lo + rel[l] + b);
      break;
    }
  }
}

void Warp::countAccess(Space space, uint32_t mask, uint64_t lo, const uint32_t *rel, unsigned bytes, bool write,
                       bool contiguous) {
  unsigned lanes = unsigned(std::popcount(mask));
  if (space == Space::Local) {
    stats->localBytes += uint64_t(lanes) * bytes;
    return;
  }
  if (space == Space::Global) {
    (write ? stats->globalStoreBytes : stats->globalLoadBytes) += uint64_t(lanes) * bytes;
    ++stats->globalRequests;
    if (contiguous) {
      stats->globalSectors += ((lo + 32 * bytes - 1) >> 5) - (lo >> 5) + 1;
      return;
    }
    // Different sectors: a bit mask if they are close together, else a small hash set.
    uint32_t most = 0;
    for (unsigned l = 0; l != 32; ++l)
      most = std::max(most, rel[l]);
    if ((lo & 31) + most + bytes <= 2048 && bytes <= 32) {
      uint64_t seen = 0;
      for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t a = (lo & 31) + rel[std::countr_zero(m)];
        seen |= uint64_t(1) << (a >> 5) | uint64_t(1) << ((a + bytes - 1) >> 5);
      }
      stats->globalSectors += unsigned(std::popcount(seen));
      return;
    }
    uint64_t table[128];
    std::memset(table, 0xff, sizeof table);
    unsigned count = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
      uint64_t a = lo + rel[std::countr_zero(m)];
      for (uint64_t s = a >> 5, e = (a + bytes - 1) >> 5; s <= e; ++s) {
        unsigned h = unsigned((s * 0x9e3779b97f4a7c15ull) >> 57);
        while (table[h] != ~uint64_t(0) && table[h] != s)
          h = (h + 1) & 127;
        if (table[h] != s) {
          table[h] = s;
          ++count;
        }
      }
    }
    stats->globalSectors += count;
    return;
  }
  if (space != Space::Shared)
    return;
  (write ? stats->sharedStoreBytes : stats->sharedLoadBytes) += uint64_t(lanes) * bytes;
  ++stats->sharedRequests;
  if (contiguous)
    return;
  // 32 banks of 4 bytes. Accesses of 8 and 16 bytes are served in halves and quarters of the warp; within one pass
  // every bank can deliver one word, to any number of lanes.
  unsigned group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  uint32_t most = 0;
  for (unsigned l = 0; l != 32; ++l)
    most = std::max(most, rel[l]);
  if ((lo & 3) + most + bytes <= 128)
    return; // 32 words in a row are in 32 banks
  unsigned words = (bytes + 3) / 4;
  for (unsigned g = 0; g != 32; g += group) {
    uint64_t seen[32][8];
    uint8_t count[32] = {};
    unsigned most = 0;
    for (unsigned l = g; l != g + group; ++l) {
      if (!(mask >> l & 1))
        continue;
      for (unsigned w = 0; w != words; ++w) {
        uint64_t word = ((lo + rel[l]) >> 2) + w;
        unsigned bank = word & 31;
        bool known = false;
        for (unsigned k = 0; k != std::min<unsigned>(count[bank], 8); ++k)
          known |= seen[bank][k] == word;
        if (known)
          continue;
        if (count[bank] < 8)
          seen[bank][count[bank]] = word;
        most = std::max<unsigned>(most, ++count[bank]);
      }
    }
    if (most > 1)
      stats->sharedBankConflicts += most - 1;
  }
}
