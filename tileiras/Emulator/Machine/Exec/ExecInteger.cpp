//===- ExecInteger.cpp - Integer and logic handlers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, sections Integer Arithmetic, Logic and Shift. Compiled once per TILEIRAS_ISA.
//
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Exec/ExecCommon.h"

TILEIRAS_ISA_BEGIN

template <typename T> struct WideOf;
template <> struct WideOf<uint16_t> {
  using type = uint32_t;
};
template <> struct WideOf<int16_t> {
  using type = int32_t;
};
template <> struct WideOf<uint32_t> {
  using type = uint64_t;
};
template <> struct WideOf<int32_t> {
  using type = int64_t;
};
template <> struct WideOf<uint64_t> {
  using type = unsigned __int128;
};
template <> struct WideOf<int64_t> {
  using type = __int128;
};
template <typename T> using Wide = typename WideOf<T>::type;
template <typename T> using U = std::make_unsigned_t<T>;

template <typename T> struct IAdd {
  static T op(T a, T b) { return T(U<T>(a) + U<T>(b)); }
};
template <typename T> struct ISub {
  static T op(T a, T b) { return T(U<T>(a) - U<T>(b)); }
};
struct IAddSat {
  static int32_t op(int32_t a, int32_t b) {
    int64_t r = int64_t(a) + b;
    r = r > INT32_MAX ? INT32_MAX : r;
    return int32_t(r < INT32_MIN ? INT32_MIN : r);
  }
};
struct ISubSat {
  static int32_t op(int32_t a, int32_t b) {
    int64_t r = int64_t(a) - b;
    r = r > INT32_MAX ? INT32_MAX : r;
    return int32_t(r < INT32_MIN ? INT32_MIN : r);
  }
};
// 16-bit products are formed in 32-bit unsigned arithmetic: promoted to int they could overflow.
template <typename T> struct IMulLo {
  static T op(T a, T b) {
    if constexpr (sizeof(T) == 2)
      return T(uint32_t(a) * uint32_t(b));
    else
      return T(U<T>(a) * U<T>(b));
  }
};
template <typename T> struct IMulHi {
  static T op(T a, T b) { return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T))); }
};
template <typename T> struct IMulWide {
  static Wide<T> op(T a, T b) { return Wide<T>(a) * Wide<T>(b); }
};
template <typename T> struct IMadLo {
  static T op(T a, T b, T c) { return IAdd<T>::op(IMulLo<T>::op(a, b), c); }
};
template <typename T> struct IMadHi {
  static T op(T a, T b, T c) { return IAdd<T>::op(IMulHi<T>::op(a, b), c); }
};
struct IMadHiSat {
  static int32_t op(int32_t a, int32_t b, int32_t c) { return IAddSat::op(IMulHi<int32_t>::op(a, b), c); }
};
template <typename T> struct IMadWide {
  static Wide<T> op(T a, T b, Wide<T> c) { return IAdd<Wide<T>>::op(Wide<T>(a) * Wide<T>(b), c); }
};
// mul24: the operands' low 24 bits, signed or not; .hi is bits 47:16 of the product.
template <typename T> static inline int64_t low24(T v) {
  if constexpr (std::is_signed_v<T>)
    return int32_t(uint32_t(v) << 8) >> 8;
  return v & 0xffffff;
}
template <typename T, bool Hi> struct IMul24 {
  static T op(T a, T b) {
    int64_t p = low24(a) * low24(b);
    return T(Hi ? p >> 16 : p);
  }
};
template <typename T, bool Hi> struct IMad24 {
  static T op(T a, T b, T c) { return IAdd<T>::op(IMul24<T, Hi>::op(a, b), c); }
};
struct IMad24HiSat {
  static int32_t op(int32_t a, int32_t b, int32_t c) { return IAddSat::op(IMul24<int32_t, true>::op(a, b), c); }
};
template <typename T> struct ISad {
  static T op(T a, T b, T c) { return T(U<T>(c) + (a < b ? U<T>(U<T>(b) - U<T>(a)) : U<T>(U<T>(a) - U<T>(b)))); }
};
// Division by zero gives all ones, INT_MIN / -1 gives INT_MIN: unspecified by the ISA, and must not trap the host.
template <typename T> struct IDiv {
  static T op(T a, T b) {
    if (b == 0)
      return T(~T(0));
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return T(0 - U<T>(a));
    return T(a / b);
  }
};
template <typename T> struct IRem {
  static T op(T a, T b) {
    if (b == 0)
      return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1)
        return 0;
    return T(a % b);
  }
};
template <typename T> struct IAbs {
  static T op(T a) { return T(a < 0 ? 0 - U<T>(a) : U<T>(a)); }
};
template <typename T> struct INeg {
  static T op(T a) { return T(0 - U<T>(a)); }
};
template <typename T> struct IMin {
  static T op(T a, T b) { return a < b ? a : b; }
};
template <typename T> struct IMax {
  static T op(T a, T b) { return a > b ? a : b; }
};
template <typename T> struct IMinRelu {
  static T op(T a, T b) {
    T r = a < b ? a : b;
    return r < 0 ? T(0) : r;
  }
};
template <typename T> struct IMaxRelu {
  static T op(T a, T b) {
    T r = a > b ? a : b;
    return r < 0 ? T(0) : r;
  }
};
template <typename T> struct IPopc {
  static uint32_t op(T a) {
    return uint32_t(sizeof(T) == 8 ? __builtin_popcountll(a) : __builtin_popcount(uint32_t(a)));
  }
};
template <typename T> struct IClz {
  static uint32_t op(T a) {
    return a == 0 ? 8 * sizeof(T) : uint32_t(sizeof(T) == 8 ? __builtin_clzll(a) : __builtin_clz(uint32_t(a)));
  }
};
template <typename T, bool Shift> struct IBfind {
  static uint32_t op(T a) {
    U<T> v = U<T>(a);
    if constexpr (std::is_signed_v<T>)
      v = a < 0 ? U<T>(~v) : v;
    uint32_t none = IClz<U<T>>::op(v), top = 8 * sizeof(T) - 1;
    return none > top ? 0xffffffffu : Shift ? none : top - none;
  }
};
template <typename T> struct IBrev {
  static T op(T a) {
    uint64_t v = a;
    v = (v >> 1 & 0x5555555555555555ull) | (v & 0x5555555555555555ull) << 1;
    v = (v >> 2 & 0x3333333333333333ull) | (v & 0x3333333333333333ull) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0full) | (v & 0x0f0f0f0f0f0f0f0full) << 4;
    v = __builtin_bswap64(v);
    return T(v >> (64 - 8 * sizeof(T)));
  }
};
// bfe, bfi: position and length are the low 8 bits of their operands.
template <typename T> struct IBfe {
  static T op(T a, uint32_t b, uint32_t c) {
    constexpr uint32_t msb = 8 * sizeof(T) - 1;
    uint32_t pos = b & 0xff, len = c & 0xff;
    U<T> v = pos > msb ? U<T>(0) : U<T>(U<T>(a) >> pos);
    U<T> keep = len > msb ? U<T>(~U<T>(0)) : U<T>((U<T>(1) << len) - 1);
    v &= keep;
    if constexpr (std::is_signed_v<T>) {
      uint32_t signAt = pos + len - 1 < msb ? pos + len - 1 : msb;
      bool sign = len != 0 && (U<T>(a) >> (signAt > msb ? msb : signAt) & 1);
      // Everything above the bits taken out of `a` is sign.
      uint32_t have = pos > msb ? 0 : (msb - pos + 1 < len ? msb - pos + 1 : len);
      U<T> low = have > msb ? U<T>(~U<T>(0)) : U<T>((U<T>(1) << have) - 1);
      v = sign ? U<T>(v | U<T>(~low)) : v;
    }
    return T(v);
  }
};
template <typename T> struct IBfi {
  static T op(T a, T b, uint32_t c, uint32_t d) {
    constexpr uint32_t width = 8 * sizeof(T);
    uint32_t pos = c & 0xff, len = d & 0xff;
    T ones = len >= width ? T(~T(0)) : T((T(1) << len) - 1);
    T mask = pos >= width ? T(0) : T(ones << pos);
    T value = pos >= width ? T(0) : T(a << pos);
    return T((b & ~mask) | (value & mask));
  }
};
template <bool Wrap> struct IBmsk {
  static uint32_t op(uint32_t a, uint32_t b) {
    uint32_t pos = Wrap ? a & 31 : (a > 32 ? 32 : a), len = Wrap ? b & 31 : (b > 32 ? 32 : b);
    uint64_t ones = (uint64_t(1) << len) - 1;
    return uint32_t(ones << pos);
  }
};
template <typename T, bool Wrap> struct ISzext {
  static T op(T a, uint32_t b) {
    uint32_t n = Wrap ? b & 31 : b;
    if (!Wrap && n >= 32)
      return a;
    if (n == 0)
      return 0;
    uint32_t up = uint32_t(a) << (32 - n);
    return std::is_signed_v<T> ? T(int32_t(up) >> (32 - n)) : T(up >> (32 - n));
  }
};
struct IFns {
  static uint32_t op(uint32_t mask, uint32_t base, int32_t offset) {
    base &= 31;
    if (offset == 0)
      return mask >> base & 1 ? base : 0xffffffffu;
    int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : (offset == INT32_MIN ? INT32_MAX : -offset);
    for (int b = int(base); b >= 0 && b < 32; b += step)
      if (mask >> b & 1 && --left == 0)
        return uint32_t(b);
    return 0xffffffffu;
  }
};
template <bool SA, bool SB> struct IDp4a {
  static uint32_t op(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned k = 0; k != 4; ++k) {
      int32_t x = SA ? int8_t(a >> 8 * k) : int32_t(uint8_t(a >> 8 * k));
      int32_t y = SB ? int8_t(b >> 8 * k) : int32_t(uint8_t(b >> 8 * k));
      c += uint32_t(x * y);
    }
    return c;
  }
};
template <bool SA, bool SB, bool Hi> struct IDp2a {
  static uint32_t op(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned k = 0; k != 2; ++k) {
      int32_t x = SA ? int16_t(a >> 16 * k) : int32_t(uint16_t(a >> 16 * k));
      unsigned at = 8 * k + (Hi ? 16 : 0);
      int32_t y = SB ? int8_t(b >> at) : int32_t(uint8_t(b >> at));
      c += uint32_t(x * y);
    }
    return c;
  }
};
template <typename T> struct LAnd {
  static T op(T a, T b) { return T(a & b); }
};
template <typename T> struct LOr {
  static T op(T a, T b) { return T(a | b); }
};
template <typename T> struct LXor {
  static T op(T a, T b) { return T(a ^ b); }
};
template <typename T> struct LNot {
  static T op(T a) { return T(~a); }
};
template <typename T> struct LCnot {
  static T op(T a) { return T(a == 0); }
};
// Shift amounts are not masked: the width or more shifts everything out.
template <typename T> struct LShl {
  static T op(T a, uint32_t b) { return b >= 8 * sizeof(T) ? T(0) : T(a << b); }
};
template <typename T> struct LShr {
  static T op(T a, uint32_t b) {
    uint32_t n = b >= 8 * sizeof(T) ? 8 * sizeof(T) - 1 : b;
    if constexpr (std::is_signed_v<T>)
      return T(a >> n);
    return b >= 8 * sizeof(T) ? T(0) : T(a >> n);
  }
};
template <bool Left, bool Wrap> struct LShf {
  static uint32_t op(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t n = Wrap ? c & 31 : (c > 32 ? 32 : c);
    uint64_t v = uint64_t(b) << 32 | a;
    return Left ? uint32_t((v << n) >> 32) : uint32_t(v >> n);
  }
};
struct LPrmt {
  static uint32_t op(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t pool = uint64_t(b) << 32 | a;
    uint32_t r = 0;
    for (unsigned k = 0; k != 4; ++k) {
      uint32_t s = c >> 4 * k;
      uint32_t byte = uint32_t(pool >> 8 * (s & 7)) & 0xff;
      uint32_t sign = (byte & 0x80 ? 0xffu : 0u);
      r |= (s & 8 ? sign : byte) << 8 * k;
    }
    return r;
  }
};
/// prmt modes as selectors (PTX ISA, prmt, table of modes); s = c & 3.
static constexpr uint16_t prmtModes[5][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
    {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
    {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
    {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
    {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
};
template <unsigned Mode> struct LPrmtMode {
  static uint32_t op(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t selector;
    if constexpr (Mode == 5)
      selector = c & 1 ? 0x3232 : 0x1010; // rc16
    else
      selector = prmtModes[Mode][c & 3];
    return LPrmt::op(a, b, selector);
  }
};

static void lop3(Warp &w, const Inst &i, uint32_t m) {
  uint32_t *d = w.row<uint32_t>(i.d);
  const uint32_t *a = w.row<uint32_t>(i.a), *b = w.row<uint32_t>(i.b), *c = w.row<uint32_t>(i.c);
  // Bit a*4 + b*2 + c of the table. Select by c first, then by b, then by a.
  uint32_t t[8];
  for (unsigned k = 0; k != 8; ++k)
    t[k] = i.imm >> k & 1 ? ~0u : 0u;
  uint32_t t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3], t4 = t[4], t5 = t[5], t6 = t[6], t7 = t[7];
  TILEIRAS_LANES(l, 32) {
    uint32_t A = a[l], B = b[l], C = c[l];
    uint32_t lo = (B & ((C & t3) | (~C & t2))) | (~B & ((C & t1) | (~C & t0)));
    uint32_t hi = (B & ((C & t7) | (~C & t6))) | (~B & ((C & t5) | (~C & t4)));
    uint32_t r = (A & hi) | (~A & lo);
    d[l] = (m >> l) & 1 ? r : d[l];
  }
}

/// lop3.or / lop3.and: d = lop3, p = (d != 0) op q. The predicate destination is in `e`, q in `target`-free imm bits.
template <bool IsOr> static void lop3Bool(Warp &w, const Inst &i, uint32_t m) {
  uint32_t nonzero = 0;
  const uint32_t *a = w.row<uint32_t>(i.a), *b = w.row<uint32_t>(i.b), *c = w.row<uint32_t>(i.c);
  uint32_t *d = i.count ? w.row<uint32_t>(i.d) : nullptr;
  for (unsigned l = 0; l != 32; ++l) {
    uint32_t r = 0;
    for (unsigned k = 0; k != 8; ++k)
      if (i.imm >> k & 1)
        r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? c[l] : ~c[l]);
    nonzero |= uint32_t(r != 0) << l;
    if (d && (m >> l & 1))
      d[l] = r;
  }
  uint32_t q = w.preds[(i.imm >> 8) & 0xffff] ^ (i.imm >> 24 & 1 ? ~0u : 0u);
  w.setPred(i.e, IsOr ? nonzero | q : nonzero & q, m);
}

//===----------------------------------------------------------------------===//
// Carry chains: the condition code is a predicate of the frame, `e`
//===----------------------------------------------------------------------===//

/// flags: 1 carry in, 2 carry out, 4 subtract, 8 multiply first, 16 high half.
template <typename T> static void carry(Warp &w, const Inst &i, uint32_t m) {
  T *d = w.row<T>(i.d);
  const T *a = w.row<T>(i.a), *b = w.row<T>(i.b);
  const T *c = i.flags & 8 ? w.row<T>(i.c) : nullptr;
  uint32_t cc = w.preds[i.e], outBits = 0;
  for (unsigned l = 0; l != 32; ++l) {
    if (!(m >> l & 1))
      continue;
    using W = std::conditional_t<sizeof(T) == 4, uint64_t, unsigned __int128>;
    W x = a[l], y = b[l];
    if (i.flags & 8) {
      if (i.flags & 32) { // signed operands; only the high half differs
        using SW = std::conditional_t<sizeof(T) == 4, int64_t, __int128>;
        W p = W(SW(std::make_signed_t<T>(a[l])) * SW(std::make_signed_t<T>(b[l])));
        x = i.flags & 16 ? T(p >> (8 * sizeof(T))) : T(p);
      } else {
        W p = x * y;
        x = i.flags & 16 ? T(p >> (8 * sizeof(T))) : T(p);
      }
      y = c[l];
    }
    uint32_t carryIn = i.flags & 1 ? cc >> l & 1 : 0;
    W r;
    uint32_t carryOut;
    if (i.flags & 4) {
      // Borrow: the carry flag of sub.cc is the borrow out.
      r = x - y - carryIn;
      carryOut = x < y + carryIn;
    } else {
      r = x + y + carryIn;
      carryOut = uint32_t(r >> (8 * sizeof(T))) & 1;
    }
    d[l] = T(r);
    outBits |= carryOut << l;
  }
  if (i.flags & 2)
    w.setPred(i.e, outBits, m);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

template <template <typename> class F> static Handler binaryInt(Type t) {
  switch (t) {
  case Type::U16:
    return binary<F<uint16_t>, uint16_t, uint16_t>;
  case Type::S16:
    return binary<F<int16_t>, int16_t, int16_t>;
  case Type::U32:
    return binary<F<uint32_t>, uint32_t, uint32_t>;
  case Type::S32:
    return binary<F<int32_t>, int32_t, int32_t>;
  case Type::U64:
    return binary<F<uint64_t>, uint64_t, uint64_t>;
  case Type::S64:
    return binary<F<int64_t>, int64_t, int64_t>;
  case Type::U16x2:
    return binary<F<uint16_t>, uint16_t, uint16_t, uint16_t, 2>;
  case Type::S16x2:
    return binary<F<int16_t>, int16_t, int16_t, int16_t, 2>;
  default:
    return nullptr;
  }
}
/// Operations that do not depend on the sign.
template <template <typename> class F> static Handler binaryBits(Type t) {
  switch (typeBits(t)) {
  case 16:
    return binary<F<uint16_t>, uint16_t, uint16_t>;
  case 32:
    if (t == Type::U16x2 || t == Type::S16x2)
      return binary<F<uint16_t>, uint16_t, uint16_t, uint16_t, 2>;
    return binary<F<uint32_t>, uint32_t, uint32_t>;
  case 64:
    return binary<F<uint64_t>, uint64_t, uint64_t>;
  default:
    return nullptr;
  }
}
template <template <typename> class F> static Handler unaryBits(Type t) {
  switch (typeBits(t)) {
  case 16:
    return unary<F<uint16_t>, uint16_t, uint16_t>;
  case 32:
    return unary<F<uint32_t>, uint32_t, uint32_t>;
  case 64:
    return unary<F<uint64_t>, uint64_t, uint64_t>;
  default:
    return nullptr;
  }
}
template <template <typename> class F> static Handler ternaryBits(Type t) {
  switch (typeBits(t)) {
  case 16:
    return ternary<F<uint16_t>, uint16_t, uint16_t>;
  case 32:
    return ternary<F<uint32_t>, uint32_t, uint32_t>;
  case 64:
    return ternary<F<uint64_t>, uint64_t, uint64_t>;
  default:
    return nullptr;
  }
}
template <template <typename> class F> static Handler ternaryInt(Type t) {
  switch (t) {
  case Type::U16:
    return ternary<F<uint16_t>, uint16_t, uint16_t>;
  case Type::S16:
    return ternary<F<int16_t>, int16_t, int16_t>;
  case Type::U32:
    return ternary<F<uint32_t>, uint32_t, uint32_t>;
  case Type::S32:
    return ternary<F<int32_t>, int32_t, int32_t>;
  case Type::U64:
    return ternary<F<uint64_t>, uint64_t, uint64_t>;
  case Type::S64:
    return ternary<F<int64_t>, int64_t, int64_t>;
  default:
    return nullptr;
  }
}

/// ExecCompare.cpp
Handler selectCompare(const Instruction &inst);

Handler selectInteger(const Instruction &inst) {
  Type t = inst.type();
  bool sat = inst.has("sat"), hi = inst.has("hi"), wrap = inst.has("wrap");
  switch (inst.row->op) {
  case Op::Add:
    return isFloat(t) ? nullptr : sat ? binary<IAddSat, int32_t, int32_t> : binaryBits<IAdd>(t);
  case Op::Sub:
    return isFloat(t) ? nullptr : sat ? binary<ISubSat, int32_t, int32_t> : binaryBits<ISub>(t);
  case Op::Mul:
    return isFloat(t) ? nullptr : hi ? binaryInt<IMulHi>(t) : binaryBits<IMulLo>(t);
  case Op::MulWide:
    switch (t) {
    case Type::U16:
      return binary<IMulWide<uint16_t>, uint32_t, uint16_t>;
    case Type::S16:
      return binary<IMulWide<int16_t>, int32_t, int16_t>;
    case Type::U32:
      return binary<IMulWide<uint32_t>, uint64_t, uint32_t>;
    case Type::S32:
      return binary<IMulWide<int32_t>, int64_t, int32_t>;
    default:
      return nullptr;
    }
  case Op::Mad:
    return sat ? ternary<IMadHiSat, int32_t, int32_t> : hi ? ternaryInt<IMadHi>(t) : ternaryBits<IMadLo>(t);
  case Op::MadWide:
    switch (t) {
    case Type::U16:
      return ternary<IMadWide<uint16_t>, uint32_t, uint16_t, uint16_t, uint32_t>;
    case Type::S16:
      return ternary<IMadWide<int16_t>, int32_t, int16_t, int16_t, int32_t>;
    case Type::U32:
      return ternary<IMadWide<uint32_t>, uint64_t, uint32_t, uint32_t, uint64_t>;
    case Type::S32:
      return ternary<IMadWide<int32_t>, int64_t, int32_t, int32_t, int64_t>;
    default:
      return nullptr;
    }
  case Op::AddCC:
  case Op::SubCC:
  case Op::MadCC:
    return typeBits(t) == 64 ? carry<uint64_t> : carry<uint32_t>;
  case Op::Mul24:
    if (t == Type::U32)
      return hi ? binary<IMul24<uint32_t, true>, uint32_t, uint32_t>
                : binary<IMul24<uint32_t, false>, uint32_t, uint32_t>;
    return hi ? binary<IMul24<int32_t, true>, int32_t, int32_t> : binary<IMul24<int32_t, false>, int32_t, int32_t>;
  case Op::Mad24:
    if (sat)
      return ternary<IMad24HiSat, int32_t, int32_t>;
    if (t == Type::U32)
      return hi ? ternary<IMad24<uint32_t, true>, uint32_t, uint32_t>
                : ternary<IMad24<uint32_t, false>, uint32_t, uint32_t>;
    return hi ? ternary<IMad24<int32_t, true>, int32_t, int32_t> : ternary<IMad24<int32_t, false>, int32_t, int32_t>;
  case Op::Sad:
    return ternaryInt<ISad>(t);
  case Op::Div:
    return isFloat(t) ? nullptr : binaryInt<IDiv>(t);
  case Op::Rem:
    return binaryInt<IRem>(t);
  case Op::Abs:
    switch (t) {
    case Type::S16:
      return unary<IAbs<int16_t>, int16_t, int16_t>;
    case Type::S32:
      return unary<IAbs<int32_t>, int32_t, int32_t>;
    case Type::S64:
      return unary<IAbs<int64_t>, int64_t, int64_t>;
    default:
      return nullptr;
    }
  case Op::Neg:
    return isFloat(t) ? nullptr : unaryBits<INeg>(t);
  case Op::Min:
    if (isFloat(t))
      return nullptr;
    if (inst.has("relu"))
      return t == Type::S32 ? binary<IMinRelu<int32_t>, int32_t, int32_t>
                            : binary<IMinRelu<int16_t>, int16_t, int16_t, int16_t, 2>;
    return binaryInt<IMin>(t);
  case Op::Max:
    if (isFloat(t))
      return nullptr;
    if (inst.has("relu"))
      return t == Type::S32 ? binary<IMaxRelu<int32_t>, int32_t, int32_t>
                            : binary<IMaxRelu<int16_t>, int16_t, int16_t, int16_t, 2>;
    return binaryInt<IMax>(t);
  case Op::Popc:
    return t == Type::B64 ? unary<IPopc<uint64_t>, uint32_t, uint64_t> : unary<IPopc<uint32_t>, uint32_t, uint32_t>;
  case Op::Clz:
    return t == Type::B64 ? unary<IClz<uint64_t>, uint32_t, uint64_t> : unary<IClz<uint32_t>, uint32_t, uint32_t>;
  case Op::Bfind: {
    bool shift = inst.has("shiftamt");
    switch (t) {
    case Type::U32:
      return shift ? unary<IBfind<uint32_t, true>, uint32_t, uint32_t>
                   : unary<IBfind<uint32_t, false>, uint32_t, uint32_t>;
    case Type::S32:
      return shift ? unary<IBfind<int32_t, true>, uint32_t, int32_t> : unary<IBfind<int32_t, false>, uint32_t, int32_t>;
    case Type::U64:
      return shift ? unary<IBfind<uint64_t, true>, uint32_t, uint64_t>
                   : unary<IBfind<uint64_t, false>, uint32_t, uint64_t>;
    case Type::S64:
      return shift ? unary<IBfind<int64_t, true>, uint32_t, int64_t> : unary<IBfind<int64_t, false>, uint32_t, int64_t>;
    default:
      return nullptr;
    }
  }
  case Op::Brev:
    return unaryBits<IBrev>(t);
  case Op::Bfe:
    switch (t) {
    case Type::U32:
      return ternary<IBfe<uint32_t>, uint32_t, uint32_t, uint32_t, uint32_t>;
    case Type::S32:
      return ternary<IBfe<int32_t>, int32_t, int32_t, uint32_t, uint32_t>;
    case Type::U64:
      return ternary<IBfe<uint64_t>, uint64_t, uint64_t, uint32_t, uint32_t>;
    case Type::S64:
      return ternary<IBfe<int64_t>, int64_t, int64_t, uint32_t, uint32_t>;
    default:
      return nullptr;
    }
  case Op::Bfi:
    return t == Type::B64 ? quaternary<IBfi<uint64_t>, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>
                          : quaternary<IBfi<uint32_t>, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  case Op::Bmsk:
    return wrap ? binary<IBmsk<true>, uint32_t, uint32_t> : binary<IBmsk<false>, uint32_t, uint32_t>;
  case Op::Szext:
    if (t == Type::U32)
      return wrap ? binary<ISzext<uint32_t, true>, uint32_t, uint32_t>
                  : binary<ISzext<uint32_t, false>, uint32_t, uint32_t>;
    return wrap ? binary<ISzext<int32_t, true>, int32_t, int32_t, uint32_t>
                : binary<ISzext<int32_t, false>, int32_t, int32_t, uint32_t>;
  case Op::Fns:
    return ternary<IFns, uint32_t, uint32_t, uint32_t, int32_t>;
  case Op::Dp4a: {
    bool sa = inst.type(0) == Type::S32, sb = inst.type(1) == Type::S32;
    return sa ? (sb ? ternary<IDp4a<true, true>, uint32_t, uint32_t> : ternary<IDp4a<true, false>, uint32_t, uint32_t>)
              : (sb ? ternary<IDp4a<false, true>, uint32_t, uint32_t>
                    : ternary<IDp4a<false, false>, uint32_t, uint32_t>);
  }
  case Op::Dp2a: {
    bool sa = inst.type(0) == Type::S32, sb = inst.type(1) == Type::S32;
    if (hi)
      return sa ? (sb ? ternary<IDp2a<true, true, true>, uint32_t, uint32_t>
                      : ternary<IDp2a<true, false, true>, uint32_t, uint32_t>)
                : (sb ? ternary<IDp2a<false, true, true>, uint32_t, uint32_t>
                      : ternary<IDp2a<false, false, true>, uint32_t, uint32_t>);
    return sa ? (sb ? ternary<IDp2a<true, true, false>, uint32_t, uint32_t>
                    : ternary<IDp2a<true, false, false>, uint32_t, uint32_t>)
              : (sb ? ternary<IDp2a<false, true, false>, uint32_t, uint32_t>
                    : ternary<IDp2a<false, false, false>, uint32_t, uint32_t>);
  }
  case Op::And:
    return binaryBits<LAnd>(t);
  case Op::Or:
    return binaryBits<LOr>(t);
  case Op::Xor:
    return binaryBits<LXor>(t);
  case Op::Not:
    return unaryBits<LNot>(t);
  case Op::Cnot:
    return unaryBits<LCnot>(t);
  case Op::Lop3:
    return lop3;
  case Op::Lop3Bool:
    return inst.has("or") ? lop3Bool<true> : lop3Bool<false>;
  case Op::Shf: {
    bool left = inst.has("l");
    return left
               ? (wrap ? ternary<LShf<true, true>, uint32_t, uint32_t> : ternary<LShf<true, false>, uint32_t, uint32_t>)
               : (wrap ? ternary<LShf<false, true>, uint32_t, uint32_t>
                       : ternary<LShf<false, false>, uint32_t, uint32_t>);
  }
  case Op::Shl:
    switch (typeBits(t)) {
    case 16:
      return binary<LShl<uint16_t>, uint16_t, uint16_t, uint32_t>;
    case 32:
      return binary<LShl<uint32_t>, uint32_t, uint32_t, uint32_t>;
    case 64:
      return binary<LShl<uint64_t>, uint64_t, uint64_t, uint32_t>;
    }
    return nullptr;
  case Op::Shr:
    switch (t) {
    case Type::B16:
    case Type::U16:
      return binary<LShr<uint16_t>, uint16_t, uint16_t, uint32_t>;
    case Type::S16:
      return binary<LShr<int16_t>, int16_t, int16_t, uint32_t>;
    case Type::B32:
    case Type::U32:
      return binary<LShr<uint32_t>, uint32_t, uint32_t, uint32_t>;
    case Type::S32:
      return binary<LShr<int32_t>, int32_t, int32_t, uint32_t>;
    case Type::B64:
    case Type::U64:
      return binary<LShr<uint64_t>, uint64_t, uint64_t, uint32_t>;
    case Type::S64:
      return binary<LShr<int64_t>, int64_t, int64_t, uint32_t>;
    default:
      return nullptr;
    }
  case Op::Prmt:
    if (inst.has("f4e"))
      return ternary<LPrmtMode<0>, uint32_t, uint32_t>;
    if (inst.has("b4e"))
      return ternary<LPrmtMode<1>, uint32_t, uint32_t>;
    if (inst.has("rc8"))
      return ternary<LPrmtMode<2>, uint32_t, uint32_t>;
    if (inst.has("ecl"))
      return ternary<LPrmtMode<3>, uint32_t, uint32_t>;
    if (inst.has("ecr"))
      return ternary<LPrmtMode<4>, uint32_t, uint32_t>;
    if (inst.has("rc16"))
      return ternary<LPrmtMode<5>, uint32_t, uint32_t>;
    return ternary<LPrmt, uint32_t, uint32_t>;
  default:
    return selectCompare(inst);
  }
}

TILEIRAS_ISA_END
