//===- ExecAtomic.cpp - atom and red ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lanes perform their operations one after another, lowest first. Blocks run on different host threads, so every
// operation is a compare-and-swap loop on host memory. PTX ISA, Parallel Synchronization, atom and red.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Exec/LaneRows.h"
#include "tileiras/Emulator/Machine/Warp.h"

#include <bit>
#include <cmath>

using namespace tileiras::emu;

namespace {

enum class Kind : uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor, Exch, Cas };

/// Packed in MemAux::plan.
struct Plan {
  uint8_t kind, type, bytes, elements, packed, pad[3];
};
static_assert(sizeof(Plan) == 8);

float toFloat(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t flushBits(uint32_t b) { return b & 0x7f800000 ? b : b & 0x80000000u; }

uint16_t halfOp(Kind kind, uint16_t a, uint16_t b, const Format &f) {
  Exact x = unpack(a, f), y = unpack(b, f);
  auto value = [&](uint16_t v) {
    return std::bit_cast<double>(pack(unpack(v, f), FormatF64, Rounding::NearestEven, false));
  };
  double p = value(a), q = value(b);
  if (kind == Kind::Add) {
    // A f64 sum of two 16-bit floats, rounded again, is correctly rounded.
    double s = p + q;
    return uint16_t(pack(unpack(std::bit_cast<uint64_t>(s), FormatF64), f, Rounding::NearestEven, false));
  }
  if (x.kind == Exact::NaN || y.kind == Exact::NaN)
    return x.kind == Exact::NaN && y.kind == Exact::NaN ? 0x7fff : x.kind == Exact::NaN ? b : a;
  if (p == q)
    return kind == Kind::Min ? a | b : a & b; // -0 < +0
  return (p < q) == (kind == Kind::Min) ? a : b;
}

/// New value of one element. `global`: f32 addition flushes subnormals there, and keeps them in shared memory.
uint64_t apply(Kind kind, Type t, uint64_t old, uint64_t b, uint64_t c, bool global) {
  switch (kind) {
  case Kind::And:
    return old & b;
  case Kind::Or:
    return old | b;
  case Kind::Xor:
    return old ^ b;
  case Kind::Exch:
    return b;
  case Kind::Cas:
    return old == b ? c : old;
  case Kind::Inc:
    return uint32_t(old) >= uint32_t(b) ? 0 : old + 1;
  case Kind::Dec:
    return uint32_t(old) == 0 || uint32_t(old) > uint32_t(b) ? b : old - 1;
  default:
    break;
  }
  switch (t) {
  case Type::F16:
    return halfOp(kind, uint16_t(old), uint16_t(b), FormatF16);
  case Type::BF16:
    return halfOp(kind, uint16_t(old), uint16_t(b), FormatBF16);
  case Type::F32: {
    uint32_t x = uint32_t(old), y = uint32_t(b);
    if (global) {
      x = flushBits(x);
      y = flushBits(y);
    }
    float s = toFloat(x) + toFloat(y);
    if (s != s)
      return 0x7fffffffu;
    return global ? flushBits(std::bit_cast<uint32_t>(s)) : std::bit_cast<uint32_t>(s);
  }
  case Type::F64:
    return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
  default:
    break;
  }
  if (kind == Kind::Add)
    return old + b;
  bool less;
  switch (t) {
  case Type::S32:
    less = int32_t(old) < int32_t(b);
    break;
  case Type::S64:
    less = int64_t(old) < int64_t(b);
    break;
  case Type::U32:
    less = uint32_t(old) < uint32_t(b);
    break;
  default:
    less = old < b;
    break;
  }
  return less == (kind == Kind::Min) ? old : b;
}

template <typename T>
uint64_t atomically(uint8_t *where, const Plan &p, uint64_t b, uint64_t c, bool global, bool &changed) {
  T *address = reinterpret_cast<T *>(where);
  T old = __atomic_load_n(address, __ATOMIC_RELAXED), next;
  Type t = Type(p.type);
  do {
    if (p.packed) { // two 16-bit elements in 32 bits
      Type half = t == Type::F16x2 ? Type::F16 : Type::BF16;
      next = T(apply(Kind(p.kind), half, old & 0xffff, b & 0xffff, 0, global) |
               apply(Kind(p.kind), half, uint64_t(old) >> 16 & 0xffff, b >> 16 & 0xffff, 0, global) << 16);
    } else {
      next = T(apply(Kind(p.kind), t, old, T(b), T(c), global));
    }
  } while (!__atomic_compare_exchange_n(address, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  changed |= old != next;
  return old;
}

/// 128-bit exch and cas: no two of them run at the same time. Is the new value another one?
bool atomic128(Warp &w, const Inst &i, const Plan &p, unsigned l, uint8_t *where) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t old[2], b[2] = {w.row<uint64_t>(i.b)[l], w.row<uint64_t>(i.b + 256)[l]};
  std::memcpy(old, where, 16);
  bool changed = false;
  if (Kind(p.kind) == Kind::Exch) {
    std::memcpy(where, b, 16);
    changed = old[0] != b[0] || old[1] != b[1];
  } else if (old[0] == b[0] && old[1] == b[1]) {
    uint64_t c[2] = {w.row<uint64_t>(i.c)[l], w.row<uint64_t>(i.c + 256)[l]};
    std::memcpy(where, c, 16);
    changed = old[0] != c[0] || old[1] != c[1];
  }
  if (i.count) {
    w.row<uint64_t>(i.d)[l] = old[0];
    w.row<uint64_t>(i.d + 256)[l] = old[1];
  }
  return changed;
}

/// Bytes [first, end) of a word: all that an operation can change. `red.and` leaves bytes alone where its operand has
/// ones, `red.or` and `red.xor` where it has zeros, and `cas` where the new value is the one it compares with.
///
/// The narrowest atomic operation has 16 bits (PTX ISA, atom), so this is how less than that is merged into memory,
/// next to bytes that other threads own and write in any way. Nothing happens to those bytes, and the checks (of order,
/// of bounds, of initialisation) count bytes. A device's allocations begin at multiples of 256 bytes (CUDA C++
/// Programming Guide, "Size and Alignment Requirement"), so the rest of an aligned word is never out of its reach.
struct Part {
  unsigned first, end;
};

Part partOf(const Plan &p, bool result, uint64_t b, uint64_t c) {
  Part whole{0, unsigned(p.bytes) * p.elements};
  if (p.packed || p.elements > 1 || p.bytes > 8)
    return whole;
  uint64_t changed;
  switch (Kind(p.kind)) {
  case Kind::And:
    changed = ~b;
    break;
  case Kind::Or:
  case Kind::Xor:
    changed = b;
    break;
  case Kind::Cas:
    changed = b ^ c;
    break;
  default:
    return whole;
  }
  changed &= ~uint64_t(0) >> (64 - 8 * p.bytes);
  if (Kind(p.kind) == Kind::Cas ? !changed : result)
    return whole; // what it returns is all that it is for
  if (!changed)
    return {0, 0};
  return {unsigned(std::countr_zero(changed)) / 8, (63 - unsigned(std::countl_zero(changed))) / 8 + 1};
}

/// The region of the word at `address`, if the bytes that count are inside.
bool resolvePart(Warp &w, const Inst &i, Space space, unsigned l, uint64_t address, unsigned bytes, Part part,
                 Region &r) {
  Space named = r.space;
  if (part.end - part.first != bytes && !(address & (bytes - 1)) &&
      !w.region(space, address, address + bytes, true, r)) {
    r.space = named;
    if (w.region(space, address, address + std::max(1u, part.end), true, r) && r.space == Space::Global)
      return true;
    r.space = named;
  }
  return w.resolveLane(i, space, l, address, bytes, true, r);
}

/// The lanes of a warp are one request, whose sectors count once, as those of a store; lanes more than 4 GiB apart are
/// others.
void countGlobal(Warp &w, uint32_t lanes, const uint64_t *places, unsigned bytes) {
  while (lanes) {
    uint64_t lo = ~uint64_t(0);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      lo = std::min(lo, places[std::countr_zero(rest)]);
    uint32_t near = 0, rel[32] = {};
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      if (unsigned l = unsigned(std::countr_zero(rest)); places[l] - lo <= 0xffffffffu) {
        near |= 1u << l;
        rel[l] = uint32_t(places[l] - lo);
      }
    w.countAccess(Space::Global, near, lo, rel, bytes, true, false);
    lanes &= ~near;
  }
}

/// count: results are wanted. Vector sources and results are in MemAux::rows and results.
void atomic(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  Plan p;
  std::memcpy(&p, &x.plan, 8);
  unsigned bytes = unsigned(p.bytes) * p.elements;
  uint32_t inGlobal = 0;
  uint64_t places[32];
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    unsigned l = unsigned(std::countr_zero(rest));
    uint64_t address = i.imm;
    if (x.ownShared)
      address += uint64_t(w.cta->rank) << 24;
    if (!x.uniform)
      address =
          x.wideAddress ? address + w.row<uint64_t>(i.a)[l] : uint32_t(uint32_t(address) + w.row<uint32_t>(i.a)[l]);
    Region r;
    r.space = x.space == Space::Generic ? Space::Global : x.space;
    uint64_t b = p.elements == 1 && p.bytes <= 8 ? readLane(w, i.b, p.bytes, l) : 0;
    uint64_t c = Kind(p.kind) == Kind::Cas && p.bytes <= 8 ? readLane(w, i.c, p.bytes, l) : 0;
    Part part = partOf(p, i.count, b, c);
    unsigned touched = part.end - part.first;
    if (!resolvePart(w, i, x.space, l, address, bytes, part, r)) {
      for (unsigned k = 0; k != p.elements && i.count; ++k)
        if (p.bytes != 16)
          writeLane(w, p.elements > 1 ? x.results[k] : i.d, p.bytes, l, 0);
      continue;
    }
    if (w.observer && touched) {
      uint64_t at[32] = {};
      at[l] = address + part.first;
      MemoryOrder order = accessOrder(x);
      order.before = uint8_t(part.first);
      observeAccess(w, i, x.space, r.space, 1u << l, at, touched, AccessKind::Atomic, order);
    }
    uint8_t *where = r.host + l * r.laneStride;
    if (r.shadow) {
      uint8_t *s = r.shadow + l * r.laneStride;
      bool clears = Kind(p.kind) == Kind::And && !i.count; // bits that become zero are known from now on
      if (w.checkInit && Kind(p.kind) != Kind::Exch && !clears && touched) {
        uint32_t rel[32] = {};
        rel[l] = part.first;
        w.findUninitialized(i, r, address, 1u << l, rel, touched);
      }
      for (unsigned k = part.first; k != part.end; ++k)
        s[k] |= clears ? uint8_t(~(b >> 8 * k)) : 0xff;
    }
    if (w.memoryStats && r.space == Space::Global) {
      inGlobal |= 1u << l;
      places[l] = address;
    } else if (w.memoryStats) {
      uint32_t rel[32] = {};
      w.countAccess(r.space, 1u << l, address, rel, bytes, true, false);
    }
    if (p.bytes == 16) {
      w.cta->cluster->changes += atomic128(w, i, p, l, where);
      continue;
    }
    bool global = r.space == Space::Global, changed = false;
    for (unsigned k = 0; k != p.elements; ++k) {
      if (p.elements > 1)
        b = readLane(w, x.rows[k], p.bytes, l);
      uint64_t old;
      switch (p.bytes) {
      case 2:
        old = atomically<uint16_t>(where + 2 * k, p, b, c, global, changed);
        break;
      case 4:
        old = atomically<uint32_t>(where + 4 * k, p, b, c, global, changed);
        break;
      default:
        old = atomically<uint64_t>(where + 8 * k, p, b, c, global, changed);
        break;
      }
      if (i.count)
        writeLane(w, p.elements > 1 ? x.results[k] : i.d, p.bytes, l, old);
    }
    w.cta->cluster->changes += global && changed;
  }
  if (inGlobal)
    countGlobal(w, inGlobal, places, bytes);
  w.stats->atomics += unsigned(std::popcount(m));
}

} // namespace

Handler tileiras::emu::selectAtomic(const Instruction &inst, uint64_t &plan) {
  Plan p{};
  static const std::pair<std::string_view, Kind> kinds[] = {
      {"add", Kind::Add}, {"min", Kind::Min}, {"max", Kind::Max}, {"inc", Kind::Inc},   {"dec", Kind::Dec},
      {"and", Kind::And}, {"or", Kind::Or},   {"xor", Kind::Xor}, {"exch", Kind::Exch}, {"cas", Kind::Cas}};
  for (auto &[name, kind] : kinds)
    if (inst.has(name))
      p.kind = uint8_t(kind);
  Type t = inst.type();
  p.type = uint8_t(t);
  p.bytes = uint8_t(typeBits(t) / 8);
  p.elements = uint8_t(inst.has("v2") ? 2 : inst.has("v4") ? 4 : inst.has("v8") ? 8 : 1);
  p.packed = t == Type::F16x2 || t == Type::BF16x2;
  std::memcpy(&plan, &p, 8);
  return atomic;
}

void tileiras::emu::atomicReduce(ReduceOp op, Type type, void *where, const void *values, uint64_t bytes, bool global) {
  static constexpr Kind kinds[] = {Kind::Add, Kind::Min, Kind::Max, Kind::Inc,
                                   Kind::Dec, Kind::And, Kind::Or,  Kind::Xor};
  Plan p{};
  p.kind = uint8_t(kinds[unsigned(op)]);
  p.type = uint8_t(type);
  unsigned size = typeBits(type) / 8;
  bool changed = false;
  uint8_t *to = static_cast<uint8_t *>(where);
  const uint8_t *from = static_cast<const uint8_t *>(values);
  for (uint64_t b = 0; b + size <= bytes; b += size) {
    uint64_t v = 0;
    std::memcpy(&v, from + b, size);
    switch (size) {
    case 2:
      atomically<uint16_t>(to + b, p, v, 0, global, changed);
      break;
    case 4:
      atomically<uint32_t>(to + b, p, v, 0, global, changed);
      break;
    default:
      atomically<uint64_t>(to + b, p, v, 0, global, changed);
      break;
    }
  }
}
