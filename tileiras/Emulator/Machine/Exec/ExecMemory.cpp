//===- ExecMemory.cpp - Load, store, move and shuffle handlers --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled once per TILEIRAS_ISA. The fast path wants all lanes in one region of host memory and aligned, which one
// check of the smallest and largest address decides for the whole warp; everything else, faults included, goes lane
// by lane through Warp::gather and Warp::scatter.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/ExecCommon.h"

TILEIRAS_ISA_BEGIN

/// Addresses of the active lanes: lo + rel[l]. Inactive lanes have rel 0. If the lanes are more than 4 GiB apart,
/// `far` is set and rel is meaningless.
struct Addresses {
  alignas(64) uint32_t rel[32];
  uint64_t lo, hi, ored;
  bool contiguous; ///< full warp, rel[l] = l * bytes
  bool far;
};

static inline uint64_t baseOffset(const Warp &w, const Inst &i, const MemAux &x) {
  uint64_t offset = i.imm;
  if (x.frameRelative)
    offset += w.frame->localBase;
  if (x.ownShared)
    offset += uint64_t(w.cta->rank) << 24;
  return offset;
}

template <bool Full>
static inline void computeAddressesOf(const Warp &w, const Inst &i, const MemAux &x, uint32_t m, unsigned bytes,
                                      Addresses &o) {
  uint64_t offset = baseOffset(w, i, x);
  o.far = false;
  if (x.uniform) {
    TILEIRAS_LANES(l, 32) o.rel[l] = 0;
    o.lo = o.hi = o.ored = offset;
    o.contiguous = false;
    return;
  }
  if (x.wideAddress) {
    const uint64_t *a = w.row<uint64_t>(i.a);
    uint64_t lo = ~uint64_t(0), hi = 0, ored = 0;
    for (unsigned l = 0; l != 32; ++l) {
      uint64_t v = a[l] + offset;
      bool on = Full || (m >> l) & 1;
      uint64_t low = on ? v : ~uint64_t(0), high = on ? v : 0;
      lo = low < lo ? low : lo;
      hi = high > hi ? high : hi;
      ored |= high;
    }
    uint64_t back = offset - lo;
    TILEIRAS_LANES(l, 32) o.rel[l] = Full || (m >> l) & 1 ? uint32_t(a[l] + back) : 0;
    o.lo = lo;
    o.hi = hi;
    o.ored = ored;
    o.far = hi - lo > 0x7fffffffu;
  } else {
    const uint32_t *a = w.row<uint32_t>(i.a);
    uint32_t lo = ~0u, hi = 0, ored = 0, offset32 = uint32_t(offset);
    for (unsigned l = 0; l != 32; ++l) {
      uint32_t v = a[l] + offset32;
      bool on = Full || (m >> l) & 1;
      uint32_t low = on ? v : ~0u, high = on ? v : 0;
      lo = low < lo ? low : lo;
      hi = high > hi ? high : hi;
      ored |= high;
    }
    uint32_t back = offset32 - lo;
    TILEIRAS_LANES(l, 32) o.rel[l] = Full || (m >> l) & 1 ? a[l] + back : 0;
    o.lo = lo;
    o.hi = hi;
    o.ored = ored;
    o.far = hi - lo > 0x7fffffffu;
  }
  uint32_t apart = 0;
  for (unsigned l = 0; l != 32; ++l)
    apart |= o.rel[l] ^ (l * bytes);
  o.contiguous = m == ~0u && apart == 0;
}

static inline void computeAddresses(const Warp &w, const Inst &i, const MemAux &x, uint32_t m, unsigned bytes,
                                    Addresses &o) {
  if (FullMaskApart && m == ~0u)
    computeAddressesOf<true>(w, i, x, m, bytes, o);
  else
    computeAddressesOf<false>(w, i, x, m, bytes, o);
}

__attribute__((noinline)) static void tellObserver(Warp &w, const Inst &i, const MemAux &x, const Region &r, uint32_t m,
                                                   const Addresses &ad, unsigned bytes, bool write) {
  uint64_t at[32];
  for (unsigned l = 0; l != 32; ++l)
    at[l] = ad.lo + ad.rel[l];
  observeAccess(w, i, x.space, r.space, m, at, bytes, write ? AccessKind::Write : AccessKind::Read, accessOrder(x));
}

/// Full addresses, for the slow paths.
__attribute__((noinline)) static void fullAddresses(const Warp &w, const Inst &i, const MemAux &x, uint64_t *at) {
  uint64_t offset = baseOffset(w, i, x);
  for (unsigned l = 0; l != 32; ++l)
    at[l] = x.uniform       ? offset
            : x.wideAddress ? w.row<uint64_t>(i.a)[l] + offset
                            : uint32_t(w.row<uint32_t>(i.a)[l] + uint32_t(offset));
}

template <typename M> static inline M readAt(const uint8_t *p) {
  M v;
  __builtin_memcpy(&v, p, sizeof(M));
  return v;
}

template <typename M, typename R, bool Signed> static inline R widen(M v) {
  if constexpr (Signed)
    return R(std::make_signed_t<R>(std::make_signed_t<M>(v)));
  else
    return R(v);
}

/// All bytes of all lanes written?
template <typename M> static inline bool allWritten(const Region &r, const Addresses &ad, unsigned count) {
  M all = M(~M(0));
  for (unsigned l = 0; l != 32; ++l) {
    const uint8_t *s = r.shadow + ad.rel[l] + l * r.laneStride;
    for (unsigned k = 0; k != count; ++k)
      all &= readAt<M>(s + k * sizeof(M));
  }
  return all == M(~M(0));
}
static inline bool allWrittenContiguous(const uint8_t *s, unsigned bytes) {
  uint64_t all = ~uint64_t(0);
  for (unsigned b = 0; b != bytes; b += 8)
    all &= readAt<uint64_t>(s + b);
  return all == ~uint64_t(0);
}

template <typename M, typename R, bool Signed, unsigned N>
static inline void loadContiguous(Warp &w, const MemAux &x, const uint8_t *p) {
  R *d[N];
  for (unsigned k = 0; k != N; ++k)
    d[k] = w.row<R>(x.rows[k]);
  TILEIRAS_LANES(l, 32) {
    for (unsigned k = 0; k != N; ++k)
      d[k][l] = widen<M, R, Signed>(readAt<M>(p + (l * N + k) * sizeof(M)));
  }
}

template <typename M, typename R, bool Signed>
__attribute__((noinline)) static void loadSlow(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  uint64_t at[32];
  fullAddresses(w, i, x, at);
  alignas(64) uint8_t buffer[32 * 64];
  w.gather(i, x.space, m, at, unsigned(sizeof(M)) * x.count, buffer);
  for (unsigned k = 0; k != x.count; ++k) {
    R *d = w.row<R>(x.rows[k]);
    for (unsigned l = 0; l != 32; ++l)
      if (m >> l & 1)
        d[l] = widen<M, R, Signed>(readAt<M>(buffer + 64 * l + k * sizeof(M)));
  }
}

template <typename M, typename R, bool Signed> static void load(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  const unsigned bytes = unsigned(sizeof(M)) * x.count;
  Addresses ad;
  computeAddresses(w, i, x, m, bytes, ad);
  Region r;
  r.space = x.space == Space::Generic ? Space::Global : x.space;
  if ((ad.ored & (bytes - 1)) || ad.far || !w.region(x.space, ad.lo, ad.hi + bytes, false, r)) [[unlikely]]
    return loadSlow<M, R, Signed>(w, i, m);
  if (w.observer) [[unlikely]]
    tellObserver(w, i, x, r, m, ad, bytes, false);
  if (w.memoryStats && r.space != Space::Param)
    w.countAccess(r.space, m, ad.lo, ad.rel, bytes, false, ad.contiguous);
  if (r.shadow && w.checkInit) {
    bool good =
        ad.contiguous && !r.laneStride ? allWrittenContiguous(r.shadow, 32 * bytes) : allWritten<M>(r, ad, x.count);
    if (!good) [[unlikely]]
      w.findUninitialized(i, r, ad.lo, m, ad.rel, bytes);
  }
  if (ad.contiguous && !r.laneStride) {
    switch (x.count) {
    case 1:
      return loadContiguous<M, R, Signed, 1>(w, x, r.host);
    case 2:
      return loadContiguous<M, R, Signed, 2>(w, x, r.host);
    case 4:
      return loadContiguous<M, R, Signed, 4>(w, x, r.host);
    }
  }
  if (ad.lo == ad.hi && !r.laneStride) {
    // The same address in all lanes: parameters, constants, broadcasts.
    for (unsigned k = 0; k != x.count; ++k) {
      R *d = w.row<R>(x.rows[k]);
      R v = widen<M, R, Signed>(readAt<M>(r.host + k * sizeof(M)));
      TILEIRAS_LANES(l, 32) d[l] = (m >> l) & 1 ? v : d[l];
    }
    return;
  }
  if (!r.laneStride) {
    for (unsigned k = 0; k != x.count; ++k) {
      R *d = w.row<R>(x.rows[k]);
      const uint8_t *p = r.host + k * sizeof(M);
      TILEIRAS_LANES(l, 32) {
        R v = widen<M, R, Signed>(readAt<M>(p + ad.rel[l]));
        d[l] = (m >> l) & 1 ? v : d[l];
      }
    }
    return;
  }
  for (unsigned k = 0; k != x.count; ++k) {
    R *d = w.row<R>(x.rows[k]);
    const uint8_t *p = r.host + k * sizeof(M);
    for (unsigned l = 0; l != 32; ++l) {
      R v = widen<M, R, Signed>(readAt<M>(p + ad.rel[l] + l * r.laneStride));
      d[l] = (m >> l) & 1 ? v : d[l];
    }
  }
}

template <typename M, typename R, unsigned N> static inline void storeContiguous(Warp &w, const MemAux &x, uint8_t *p) {
  const R *s[N];
  for (unsigned k = 0; k != N; ++k)
    s[k] = w.row<R>(x.rows[k]);
  TILEIRAS_LANES(l, 32) {
    for (unsigned k = 0; k != N; ++k) {
      M v = M(s[k][l]);
      __builtin_memcpy(p + (l * N + k) * sizeof(M), &v, sizeof(M));
    }
  }
}

template <typename M, typename R> __attribute__((noinline)) static void storeSlow(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  uint64_t at[32];
  fullAddresses(w, i, x, at);
  alignas(64) uint8_t buffer[32 * 64];
  for (unsigned k = 0; k != x.count; ++k) {
    const R *s = w.row<R>(x.rows[k]);
    for (unsigned l = 0; l != 32; ++l) {
      M v = M(s[l]);
      __builtin_memcpy(buffer + 64 * l + k * sizeof(M), &v, sizeof(M));
    }
  }
  w.scatter(i, x.space, m, at, unsigned(sizeof(M)) * x.count, buffer);
}

template <typename M, typename R> static void store(Warp &w, const Inst &i, uint32_t m) {
  const MemAux &x = *static_cast<const MemAux *>(i.aux);
  const unsigned bytes = unsigned(sizeof(M)) * x.count;
  Addresses ad;
  computeAddresses(w, i, x, m, bytes, ad);
  Region r;
  r.space = x.space == Space::Generic ? Space::Global : x.space;
  if ((ad.ored & (bytes - 1)) || ad.far || !w.region(x.space, ad.lo, ad.hi + bytes, true, r)) [[unlikely]]
    return storeSlow<M, R>(w, i, m);
  if (w.observer) [[unlikely]]
    tellObserver(w, i, x, r, m, ad, bytes, true);
  if (w.memoryStats)
    w.countAccess(r.space, m, ad.lo, ad.rel, bytes, true, ad.contiguous);
  if (ad.contiguous && !r.laneStride) {
    if (r.shadow)
      __builtin_memset(r.shadow, 0xff, 32 * bytes);
    switch (x.count) {
    case 1:
      return storeContiguous<M, R, 1>(w, x, r.host);
    case 2:
      return storeContiguous<M, R, 2>(w, x, r.host);
    case 4:
      return storeContiguous<M, R, 4>(w, x, r.host);
    }
  }
  for (uint32_t rest = m; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctz(rest));
    uint64_t at = ad.rel[l] + l * r.laneStride;
    for (unsigned k = 0; k != x.count; ++k) {
      M v = M(w.row<R>(x.rows[k])[l]);
      __builtin_memcpy(r.host + at + k * sizeof(M), &v, sizeof(M));
    }
    if (r.shadow) {
      M ones = M(~M(0));
      for (unsigned k = 0; k != x.count; ++k)
        __builtin_memcpy(r.shadow + at + k * sizeof(M), &ones, sizeof(M));
    }
  }
}

template <typename M, typename R> static Handler pickMemory(bool isStore, bool isSigned) {
  if constexpr (sizeof(M) > sizeof(R)) {
    return nullptr;
  } else {
    if (isStore)
      return store<M, R>;
    if constexpr (sizeof(M) < sizeof(R))
      if (isSigned)
        return load<M, R, true>;
    return load<M, R, false>;
  }
}
template <typename M> static Handler pickRegister(bool isStore, unsigned registerBits, bool isSigned) {
  switch (registerBits) {
  case 16:
    return pickMemory<M, uint16_t>(isStore, isSigned);
  case 32:
    return pickMemory<M, uint32_t>(isStore, isSigned);
  default:
    return pickMemory<M, uint64_t>(isStore, isSigned);
  }
}

Handler selectMemory(bool isStore, unsigned bytes, unsigned registerBits, bool isSigned) {
  switch (bytes) {
  case 1:
    return pickRegister<uint8_t>(isStore, registerBits, isSigned);
  case 2:
    return pickRegister<uint16_t>(isStore, registerBits, isSigned);
  case 4:
    return pickRegister<uint32_t>(isStore, registerBits, isSigned);
  case 8:
    return pickRegister<uint64_t>(isStore, registerBits, isSigned);
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// mov
//===----------------------------------------------------------------------===//

template <typename T> struct Copy {
  static T op(T a) { return a; }
};
Handler selectMove(unsigned bytes) {
  switch (bytes) {
  case 2:
    return unary<Copy<uint16_t>, uint16_t, uint16_t>;
  case 4:
    return unary<Copy<uint32_t>, uint32_t, uint32_t>;
  case 8:
    return unary<Copy<uint64_t>, uint64_t, uint64_t>;
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// shfl.sync (PTX ISA, Data Movement, shfl.sync)
//===----------------------------------------------------------------------===//

enum ShuffleMode { Up, Down, Bfly, Idx };

template <ShuffleMode Mode> static void shfl(Warp &w, const Inst &i, uint32_t m) {
  const uint32_t *members = w.row<uint32_t>(i.e);
  m = w.converge(i, m, members);
  if (!m)
    return;
  uint32_t *d = w.row<uint32_t>(i.d);
  const uint32_t *a = w.row<uint32_t>(i.a), *b = w.row<uint32_t>(i.b), *c = w.row<uint32_t>(i.c);
  alignas(64) uint32_t from[32], t[32], r[32];
  uint32_t valid = 0;
  TILEIRAS_LANES(l, 32) t[l] = a[l];
  for (unsigned l = 0; l != 32; ++l) {
    uint32_t bval = b[l] & 31, segmask = c[l] >> 8 & 31, cval = c[l] & 31;
    uint32_t maxLane = (l & segmask) | (cval & ~segmask), minLane = l & segmask;
    uint32_t j = 0;
    bool ok = false;
    switch (Mode) {
    case Up:
      j = l - bval;
      ok = int32_t(j) >= int32_t(maxLane);
      break;
    case Down:
      j = l + bval;
      ok = j <= maxLane;
      break;
    case Bfly:
      j = l ^ bval;
      ok = j <= maxLane;
      break;
    case Idx:
      j = minLane | (bval & ~segmask);
      ok = j <= maxLane;
      break;
    }
    from[l] = ok ? j : l;
    valid |= uint32_t(ok) << l;
  }
  for (unsigned l = 0; l != 32; ++l)
    r[l] = t[from[l] & 31];
  TILEIRAS_LANES(l, 32) d[l] = (m >> l) & 1 ? r[l] : d[l];
  if (i.imm)
    w.setPred(uint32_t(i.imm), valid, m);
}

Handler selectShuffle(const Instruction &inst) {
  if (inst.has("up"))
    return shfl<Up>;
  if (inst.has("down"))
    return shfl<Down>;
  if (inst.has("bfly"))
    return shfl<Bfly>;
  return shfl<Idx>;
}

Handler selectInteger(const Instruction &inst);
Handler selectFloating(const Instruction &inst);
Handler selectConvert(const Instruction &inst, unsigned dstBits, unsigned srcBits);

extern const MatrixKernels matrixKernels;

extern const IsaTable table;
const IsaTable table = {
#if TILEIRAS_ISA == 2
    "avx512",
#elif TILEIRAS_ISA == 1
    "avx2",
#else
    "baseline",
#endif
    selectInteger, selectFloating, selectConvert, selectMemory, selectMove, selectShuffle, &matrixKernels};

TILEIRAS_ISA_END
