//===- ExecCompare.cpp - Comparison and selection handlers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, section Comparison and Selection: of integers and of floats. Compiled once per TILEIRAS_ISA.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/ExecCommon.h"

TILEIRAS_ISA_BEGIN

enum Compare { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_ };

/// What `a[l]` means as a number.
template <typename T, bool Ftz> struct Plain {
  using Storage = T;
  static T get(T v) {
    if constexpr (Ftz && std::is_same_v<T, float>)
      return flush(v);
    return v;
  }
};
template <class H, bool Ftz> struct HalfNumber {
  using Storage = uint16_t;
  static float get(uint16_t v) { return H::to(Ftz ? flushHalf<H>(v) : v); }
};

template <Compare C, typename T> static inline bool compare(T a, T b) {
  switch (C) {
  case EQ:
    return a == b;
  case NE:
    return a < b || a > b; // ordered
  case LT:
    return a < b;
  case LE:
    return a <= b;
  case GT:
    return a > b;
  case GE:
    return a >= b;
  case EQU:
    return !(a < b || a > b);
  case NEU:
    return a != b;
  case LTU:
    return !(a >= b);
  case LEU:
    return !(a > b);
  case GTU:
    return !(a <= b);
  case GEU:
    return !(a < b);
  case NUM:
    return a == a && b == b;
  case NAN_:
    return a != a || b != b;
  }
  return false;
}
template <Compare C, typename T> static inline bool compareAny(T a, T b) {
  if constexpr (std::is_integral_v<T> && C == NE)
    return a != b;
  else
    return compare<C>(a, b);
}

template <class N, Compare C> static inline uint32_t compareRow(const Warp &w, const Inst &i) {
  using S = typename N::Storage;
  const S *a = w.row<S>(i.a), *b = w.row<S>(i.b);
  uint32_t r = 0;
  for (unsigned l = 0; l != 32; ++l)
    r |= uint32_t(compareAny<C>(N::get(a[l]), N::get(b[l]))) << l;
  return r;
}

/// Boolean combination with the source predicate. flags: bits 1:0 none/and/or/xor, bit 2 the predicate is negated;
/// predicate number in c.
static inline uint32_t combine(const Warp &w, const Inst &i, uint32_t r, uint32_t p) {
  if (i.flags & 4)
    p = ~p;
  switch (i.flags & 3) {
  case 1:
    return r & p;
  case 2:
    return r | p;
  case 3:
    return r ^ p;
  }
  return r;
}

template <class N, Compare C> static void setp(Warp &w, const Inst &i, uint32_t m) {
  uint32_t r = compareRow<N, C>(w, i);
  uint32_t p = i.flags & 3 ? w.preds[i.c] : 0;
  // d and e may be the scratch predicate 1 (`_`).
  if (i.count) // p|q
    w.setPred(i.e, combine(w, i, ~r, p), m);
  w.setPred(i.d, combine(w, i, r, p), m);
}

/// Packed halves: p takes the low half's result, q the high half's.
template <class H, bool Ftz, Compare C> static void setpX2(Warp &w, const Inst &i, uint32_t m) {
  const uint16_t *a = w.row<uint16_t>(i.a), *b = w.row<uint16_t>(i.b);
  uint32_t lo = 0, hi = 0;
  using N = HalfNumber<H, Ftz>;
  for (unsigned l = 0; l != 32; ++l) {
    lo |= uint32_t(compareAny<C>(N::get(a[2 * l]), N::get(b[2 * l]))) << l;
    hi |= uint32_t(compareAny<C>(N::get(a[2 * l + 1]), N::get(b[2 * l + 1]))) << l;
  }
  uint32_t p = i.flags & 3 ? w.preds[i.c] : 0;
  if (i.count)
    w.setPred(i.e, combine(w, i, hi, p), m);
  w.setPred(i.d, combine(w, i, lo, p), m);
}

/// set: like setp, but the result is 1.0, or all ones for integer types; imm holds the true value, `e` nothing.
template <class N, Compare C, typename D> static void set(Warp &w, const Inst &i, uint32_t m) {
  uint32_t r = combine(w, i, compareRow<N, C>(w, i), i.flags & 3 ? w.preds[i.c] : 0);
  D *d = w.row<D>(i.d), yes = D(i.imm);
  for (unsigned l = 0; l != 32; ++l)
    if (m >> l & 1)
      d[l] = r >> l & 1 ? yes : D(0);
}
template <class H, bool Ftz, Compare C> static void setX2(Warp &w, const Inst &i, uint32_t m) {
  const uint16_t *a = w.row<uint16_t>(i.a), *b = w.row<uint16_t>(i.b);
  uint16_t *d = w.row<uint16_t>(i.d);
  using N = HalfNumber<H, Ftz>;
  uint32_t p = i.flags & 3 ? w.preds[i.c] : 0;
  for (unsigned e = 0; e != 64; ++e) {
    unsigned l = e / 2;
    if (!(m >> l & 1))
      continue;
    bool r = combine(w, i, uint32_t(compareAny<C>(N::get(a[e]), N::get(b[e]))), p >> l & 1) & 1;
    d[e] = r ? uint16_t(i.imm) : uint16_t(0);
  }
}

template <typename T> static void selp(Warp &w, const Inst &i, uint32_t m) {
  T *d = w.row<T>(i.d);
  const T *a = w.row<T>(i.a), *b = w.row<T>(i.b);
  uint32_t p = w.preds[i.c] ^ (i.flags ? ~0u : 0u);
  TILEIRAS_LANES(l, 32) {
    T r = (p >> l) & 1 ? a[l] : b[l];
    d[l] = (m >> l) & 1 ? r : d[l];
  }
}

template <typename T, typename C> struct Slct {
  static T op(T a, T b, C c) { return c >= 0 ? a : b; }
};

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

/// Calls pick<Compare>() for the comparison word.
template <class Pick> static Handler withCompare(const Instruction &inst, Type t) {
  bool u = !isFloat(t); // for integers and bit types, unordered words do not occur
  for (std::string_view m : inst.mods) {
    if (m == "eq")
      return Pick::template get<EQ>();
    if (m == "ne")
      return Pick::template get<NE>();
    if (m == "lt" || m == "lo")
      return Pick::template get<LT>();
    if (m == "le" || m == "ls")
      return Pick::template get<LE>();
    if (m == "gt" || m == "hi")
      return Pick::template get<GT>();
    if (m == "ge" || m == "hs")
      return Pick::template get<GE>();
    if (u)
      continue;
    if (m == "equ")
      return Pick::template get<EQU>();
    if (m == "neu")
      return Pick::template get<NEU>();
    if (m == "ltu")
      return Pick::template get<LTU>();
    if (m == "leu")
      return Pick::template get<LEU>();
    if (m == "gtu")
      return Pick::template get<GTU>();
    if (m == "geu")
      return Pick::template get<GEU>();
    if (m == "num")
      return Pick::template get<NUM>();
    if (m == "nan")
      return Pick::template get<NAN_>();
  }
  return nullptr;
}
template <class N> struct PickSetp {
  template <Compare C> static Handler get() { return setp<N, C>; }
};
template <class H, bool Ftz> struct PickSetpX2 {
  template <Compare C> static Handler get() { return setpX2<H, Ftz, C>; }
};
template <class H, bool Ftz> struct PickSetX2 {
  template <Compare C> static Handler get() { return setX2<H, Ftz, C>; }
};
template <class N> struct PickSet16 {
  template <Compare C> static Handler get() { return set<N, C, uint16_t>; }
};
template <class N> struct PickSet32 {
  template <Compare C> static Handler get() { return set<N, C, uint32_t>; }
};

/// Pick is PickSetp, PickSet16 or PickSet32.
template <template <class> class Pick> static Handler compareHandler(const Instruction &inst, Type t) {
  bool ftz = inst.has("ftz");
  switch (t) {
  case Type::B16:
  case Type::U16:
    return withCompare<Pick<Plain<uint16_t, false>>>(inst, t);
  case Type::S16:
    return withCompare<Pick<Plain<int16_t, false>>>(inst, t);
  case Type::B32:
  case Type::U32:
    return withCompare<Pick<Plain<uint32_t, false>>>(inst, t);
  case Type::S32:
    return withCompare<Pick<Plain<int32_t, false>>>(inst, t);
  case Type::B64:
  case Type::U64:
    return withCompare<Pick<Plain<uint64_t, false>>>(inst, t);
  case Type::S64:
    return withCompare<Pick<Plain<int64_t, false>>>(inst, t);
  case Type::F32:
    return ftz ? withCompare<Pick<Plain<float, true>>>(inst, t) : withCompare<Pick<Plain<float, false>>>(inst, t);
  case Type::F64:
    return withCompare<Pick<Plain<double, false>>>(inst, t);
  case Type::F16:
    return ftz ? withCompare<Pick<HalfNumber<F16, true>>>(inst, t) : withCompare<Pick<HalfNumber<F16, false>>>(inst, t);
  case Type::BF16:
    return withCompare<Pick<HalfNumber<BF16, false>>>(inst, t);
  default:
    return nullptr;
  }
}

Handler selectCompare(const Instruction &inst) {
  Type t = inst.type();
  switch (inst.row->op) {
  case Op::Setp:
    return compareHandler<PickSetp>(inst, t);
  case Op::SetpX2:
    if (t == Type::BF16x2)
      return withCompare<PickSetpX2<BF16, false>>(inst, t);
    return inst.has("ftz") ? withCompare<PickSetpX2<F16, true>>(inst, t) : withCompare<PickSetpX2<F16, false>>(inst, t);
  case Op::Set:
    if (Type half = inst.type(1); half == Type::F16x2 || half == Type::BF16x2) {
      if (half == Type::BF16x2)
        return withCompare<PickSetX2<BF16, false>>(inst, half);
      return inst.has("ftz") ? withCompare<PickSetX2<F16, true>>(inst, half)
                             : withCompare<PickSetX2<F16, false>>(inst, half);
    }
    return typeBits(t) == 16 ? compareHandler<PickSet16>(inst, inst.type(1))
                             : compareHandler<PickSet32>(inst, inst.type(1));
  case Op::Selp:
    switch (typeBits(t)) {
    case 16:
      return selp<uint16_t>;
    case 32:
      return selp<uint32_t>;
    case 64:
      return selp<uint64_t>;
    }
    return nullptr;
  case Op::Slct: {
    bool f = inst.type(1) == Type::F32; // NaN -> b, -0 -> a
    switch (typeBits(t)) {
    case 16:
      return f ? ternary<Slct<uint16_t, float>, uint16_t, uint16_t, uint16_t, float>
               : ternary<Slct<uint16_t, int32_t>, uint16_t, uint16_t, uint16_t, int32_t>;
    case 32:
      return f ? ternary<Slct<uint32_t, float>, uint32_t, uint32_t, uint32_t, float>
               : ternary<Slct<uint32_t, int32_t>, uint32_t, uint32_t, uint32_t, int32_t>;
    case 64:
      return f ? ternary<Slct<uint64_t, float>, uint64_t, uint64_t, uint64_t, float>
               : ternary<Slct<uint64_t, int32_t>, uint64_t, uint64_t, uint64_t, int32_t>;
    }
    return nullptr;
  }
  default:
    return nullptr;
  }
}

TILEIRAS_ISA_END
