//===- ReferenceTest.cpp - The reference evaluator against plain loops --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ReferenceKernel.h"
#include "tileiras/Support/FloatArithmetic.h"

#include <cfenv>
#include <cmath>

using namespace tileiras;

namespace {

/// Loads or prepares n elements through pointers: `%NAME` of type tile<n x TYPE> from `%pNAME`.
std::string pointersTo(const std::string &name, const std::string &type, const std::string &n) {
  std::string scalar = "tile<ptr<" + type + ">>", one = "tile<1xptr<" + type + ">>",
              many = "tile<" + n + "xptr<" + type + ">>";
  return "%r" + name + " = reshape %p" + name + " : " + scalar + " -> " + one + "\n" + "%b" + name + " = broadcast %r" +
         name + " : " + one + " -> " + many + "\n" + "%q" + name + " = offset %b" + name + ", %i : " + many +
         ", tile<" + n + "xi32> -> " + many + "\n";
}

constexpr int N = 256;

/// A kernel that applies `op` ("addf %a, %b : ...") to arrays a, b, c and stores %out.
std::string elementwise(const std::string &op, std::vector<std::string> inputs, const std::string &output) {
  std::string n = std::to_string(N), signature, body = "%i = iota : tile<" + n + "xi32>\n";
  const char *names[] = {"a", "b", "c"};
  for (size_t k = 0; k < inputs.size(); ++k) {
    std::string name = names[k], tile = "tile<" + n + "x" + inputs[k] + ">";
    signature += "%p" + name + ": tile<ptr<" + inputs[k] + ">>, ";
    body += pointersTo(name, inputs[k], n) + "%" + name + ", %t" + name + " = load_ptr_tko weak %q" + name +
            " : tile<" + n + "xptr<" + inputs[k] + ">> -> " + tile + ", token\n";
  }
  body += "%out = " + op + "\n" + pointersTo("out", output, n) + "%ts = store_ptr_tko weak %qout, %out : tile<" + n +
          "xptr<" + output + ">>, tile<" + n + "x" + output + "> -> token\nreturn\n";
  return inModule("entry @k(" + signature + "%pout: tile<ptr<" + output + ">>) {\n" + body + "}");
}

/// Runs an element-wise kernel on inputs of kind `fill`; results land in the last buffer.
std::unique_ptr<Kernel> runElementwise(const std::string &op, std::vector<std::string> inputs,
                                       const std::string &output, const char *fill = "special") {
  auto kernel = std::make_unique<Kernel>(elementwise(op, inputs, output));
  const char *names[] = {"a", "b", "c"};
  for (size_t k = 0; k < inputs.size(); ++k)
    kernel->arg(std::string(names[k]) + ":" + inputs[k] + "[256]=" + fill);
  kernel->arg("out:out:" + output + "[256]");
  kernel->run();
  return kernel;
}

std::string tile(const char *type) { return " : tile<256x" + std::string(type) + ">"; }

void expectSame(DType type, uint64_t got, uint64_t want, const std::string &what, int i) {
  if (isFloat(type) && isNaNBits(type, got) && isNaNBits(type, want))
    return;
  EXPECT_EQ(got, want) << what << " element " << i;
}

uint64_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

TEST(Reference, FloatArithmeticF32) {
  struct Case {
    const char *op;
    float (*fn)(float, float);
  } cases[] = {
      {"addf %a, %b", [](float a, float b) { return a + b; }},
      {"subf %a, %b", [](float a, float b) { return a - b; }},
      {"mulf %a, %b", [](float a, float b) { return a * b; }},
      {"divf %a, %b", [](float a, float b) { return a / b; }},
      {"remf %a, %b", [](float a, float b) { return std::fmod(a, b); }},
      {"maxf %a, %b",
       [](float a, float b) {
         return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
       }},
      {"minf %a, %b propagate_nan",
       [](float a, float b) {
         return std::isnan(a) ? a : std::isnan(b) ? b : a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
       }},
  };
  for (const Case &c : cases) {
    auto k = runElementwise(c.op + tile("f32"), {"f32", "f32"}, "f32");
    for (int i = 0; i < N; ++i)
      expectSame(DType::F32, k->bits(2, i), bitsOf(c.fn(k->f32(0, i), k->f32(1, i))), c.op, i);
  }
  auto k = runElementwise("fma %a, %b, %c" + tile("f32"), {"f32", "f32", "f32"}, "f32");
  for (int i = 0; i < N; ++i)
    expectSame(DType::F32, k->bits(3, i), bitsOf(std::fma(k->f32(0, i), k->f32(1, i), k->f32(2, i))), "fma", i);
}

TEST(Reference, DirectedRoundingAndFlush) {
  std::pair<const char *, int> modes[] = {
      {"zero", FE_TOWARDZERO}, {"negative_inf", FE_DOWNWARD}, {"positive_inf", FE_UPWARD}};
  for (auto [name, mode] : modes) {
    auto k = runElementwise("mulf %a, %b rounding<" + std::string(name) + ">" + tile("f32"), {"f32", "f32"}, "f32",
                            "random(lo=-3,hi=3)");
    for (int i = 0; i < N; ++i) {
      volatile float a = k->f32(0, i), b = k->f32(1, i);
      std::fesetround(mode);
      volatile float product = a * b;
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(k->bits(2, i), bitsOf(product)) << name << i;
    }
  }
  auto k = runElementwise("addf %a, %b flush_to_zero" + tile("f32"), {"f32", "f32"}, "f32");
  auto flush = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; };
  for (int i = 0; i < N; ++i)
    expectSame(DType::F32, k->bits(2, i), bitsOf(flush(flush(k->f32(0, i)) + flush(k->f32(1, i)))), "ftz", i);
}

TEST(Reference, HalfArithmetic) {
  auto k = runElementwise("addf %a, %b" + tile("f16"), {"f16", "f16"}, "f16");
  auto b = runElementwise("mulf %a, %b" + tile("bf16"), {"bf16", "bf16"}, "bf16");
  for (int i = 0; i < N; ++i) {
    _Float16 x = std::bit_cast<_Float16>(uint16_t(k->bits(0, i)));
    _Float16 y = std::bit_cast<_Float16>(uint16_t(k->bits(1, i)));
    expectSame(DType::F16, k->bits(2, i), std::bit_cast<uint16_t>(_Float16(float(x) + float(y))), "f16", i);
    // A product of two bf16 is exact in binary32; then round to the upper half by hand.
    float p = float(b->value(0, i)) * float(b->value(1, i));
    uint32_t raw = std::bit_cast<uint32_t>(p);
    uint32_t rounded = std::isnan(p) ? 0x7FFF : (raw + 0x7FFF + (raw >> 16 & 1)) >> 16;
    if (std::fpclassify(p) != FP_SUBNORMAL && p != 0) // binary32 itself rounds below 2^-126
      expectSame(DType::BF16, b->bits(2, i), rounded, "bf16", i);
  }
}

TEST(Reference, Functions) {
  struct Case {
    const char *op;
    double (*fn)(double);
  } cases[] = {{"exp", std::exp},
               {"exp2", std::exp2},
               {"log", std::log},
               {"log2", std::log2},
               {"sin", std::sin},
               {"cos", std::cos},
               {"tan", std::tan},
               {"sinh", std::sinh},
               {"cosh", std::cosh},
               {"tanh", std::tanh},
               {"sqrt", std::sqrt},
               {"ceil", std::ceil},
               {"floor", std::floor},
               {"absf", std::fabs},
               {"negf", [](double x) { return -x; }},
               {"rsqrt", [](double x) { return 1 / std::sqrt(x); }}};
  for (const char *type : {"f32", "f16", "bf16", "f64"})
    for (const Case &c : cases) {
      auto k = runElementwise(std::string(c.op) + " %a" + tile(type), {type}, type);
      DType dtype = *parseDType(type);
      for (int i = 0; i < N; ++i) {
        uint64_t want = encodeFloat(dtype, c.fn(k->value(0, i)));
        // The host's own binary64 functions are good to one unit.
        EXPECT_LE(ulpDistance(dtype, k->bits(1, i), want), dtype == DType::F64 ? 1 : 0)
            << c.op << " " << type << " " << k->value(0, i);
      }
    }
  auto p = runElementwise("fpowf %a, %b" + tile("f32"), {"f32", "f32"}, "f32", "random(lo=0.1,hi=4)");
  auto n = runElementwise("fpowi %a, %b : tile<256xf32>, tile<256xi8>", {"f32", "i8"}, "f32", "random(lo=-3,hi=3)");
  auto t = runElementwise("atan2 %a, %b" + tile("f32"), {"f32", "f32"}, "f32");
  for (int i = 0; i < N; ++i) {
    expectSame(DType::F32, p->bits(2, i), bitsOf(float(std::pow(p->value(0, i), p->value(1, i)))), "pow", i);
    expectSame(DType::F32, n->bits(2, i), bitsOf(float(std::pow(n->value(0, i), int8_t(n->bits(1, i))))), "powi", i);
    expectSame(DType::F32, t->bits(2, i), bitsOf(float(std::atan2(t->value(0, i), t->value(1, i)))), "atan2", i);
  }
}

template <typename S> void checkIntegers(const char *type) {
  using U = std::make_unsigned_t<S>;
  constexpr unsigned width = sizeof(S) * 8;
  struct Case {
    const char *op;
    U (*fn)(U, U);
  } cases[] = {
      {"addi %a, %b", [](U a, U b) { return U(a + b); }},
      {"subi %a, %b", [](U a, U b) { return U(a - b); }},
      {"muli %a, %b", [](U a, U b) { return U(uint64_t(a) * b); }},
      {"mulhii %a, %b", [](U a, U b) { return U((unsigned __int128)a * b >> width); }},
      {"andi %a, %b", [](U a, U b) { return U(a & b); }},
      {"ori %a, %b", [](U a, U b) { return U(a | b); }},
      {"xori %a, %b", [](U a, U b) { return U(a ^ b); }},
      {"shli %a, %b", [](U a, U b) { return b < width ? U(a << b) : U(0); }},
      {"shri %a, %b unsigned", [](U a, U b) { return b < width ? U(a >> b) : U(0); }},
      {"shri %a, %b signed", [](U a, U b) { return U(S(a) >> std::min<U>(b, width - 1)); }},
      {"maxi %a, %b signed", [](U a, U b) { return U(std::max(S(a), S(b))); }},
      {"maxi %a, %b unsigned", [](U a, U b) { return std::max(a, b); }},
      {"mini %a, %b signed", [](U a, U b) { return U(std::min(S(a), S(b))); }},
      {"mini %a, %b unsigned", [](U a, U b) { return std::min(a, b); }},
      {"divi %a, %b unsigned", [](U a, U b) { return b ? U(a / b) : U(~U(0)); }},
      {"divi %a, %b signed", [](U a, U b) { return b ? U(__int128(S(a)) / S(b)) : U(~U(0)); }},
      {"divi %a, %b signed rounding<negative_inf>",
       [](U a, U b) { return b ? U(__int128(std::floor((long double)S(a) / S(b)))) : U(~U(0)); }},
      {"divi %a, %b signed rounding<positive_inf>",
       [](U a, U b) { return b ? U(__int128(std::ceil((long double)S(a) / S(b)))) : U(~U(0)); }},
      {"divi %a, %b unsigned rounding<positive_inf>", [](U a, U b) { return b ? U(a / b + (a % b != 0)) : U(~U(0)); }},
      {"remi %a, %b signed", [](U a, U b) { return b ? U(__int128(S(a)) % S(b)) : a; }},
      {"remi %a, %b unsigned", [](U a, U b) { return b ? U(a % b) : a; }},
  };
  for (const Case &c : cases)
    for (const char *fill : {"random", "random(lo=-9,hi=9)"}) {
      auto k = runElementwise(c.op + tile(type), {type, type}, type, fill);
      for (int i = 0; i < N; ++i)
        EXPECT_EQ(U(k->bits(2, i)), c.fn(U(k->bits(0, i)), U(k->bits(1, i))))
            << c.op << " " << type << " " << S(k->bits(0, i)) << " " << S(k->bits(1, i));
    }
  auto absolute = runElementwise("absi %a" + tile(type), {type}, type);
  auto negative = runElementwise("negi %a" + tile(type), {type}, type);
  for (int i = 0; i < N; ++i) {
    U x = U(absolute->bits(0, i));
    EXPECT_EQ(U(absolute->bits(1, i)), S(x) < 0 ? U(0 - x) : x);
    EXPECT_EQ(U(negative->bits(1, i)), U(0 - U(negative->bits(0, i))));
  }
}

TEST(Reference, IntegersI8) { checkIntegers<int8_t>("i8"); }
TEST(Reference, IntegersI16) { checkIntegers<int16_t>("i16"); }
TEST(Reference, IntegersI32) { checkIntegers<int32_t>("i32"); }
TEST(Reference, IntegersI64) { checkIntegers<int64_t>("i64"); }

TEST(Reference, Comparisons) {
  const char *predicates[] = {
      "equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"};
  auto holds = [](int p, auto a, auto b) {
    switch (p) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 2:
      return a < b;
    case 3:
      return a <= b;
    case 4:
      return a > b;
    default:
      return a >= b;
    }
  };
  for (int p = 0; p < 6; ++p) {
    std::string name = predicates[p];
    auto s = runElementwise("cmpi " + name + " %a, %b, signed : tile<256xi8> -> tile<256xi1>", {"i8", "i8"}, "i1",
                            "random(lo=-3,hi=3)");
    auto u = runElementwise("cmpi " + name + " %a, %b, unsigned : tile<256xi8> -> tile<256xi1>", {"i8", "i8"}, "i1",
                            "random(lo=-3,hi=3)");
    auto o = runElementwise("cmpf " + name + " ordered %a, %b : tile<256xf16> -> tile<256xi1>", {"f16", "f16"}, "i1");
    auto n = runElementwise("cmpf " + name + " unordered %a, %b : tile<256xf16> -> tile<256xi1>", {"f16", "f16"}, "i1");
    for (int i = 0; i < N; ++i) {
      EXPECT_EQ(bool(s->bits(2, i)), holds(p, int8_t(s->bits(0, i)), int8_t(s->bits(1, i)))) << name;
      EXPECT_EQ(bool(u->bits(2, i)), holds(p, uint8_t(u->bits(0, i)), uint8_t(u->bits(1, i)))) << name;
      double x = o->value(0, i), y = o->value(1, i);
      bool nan = std::isnan(x) || std::isnan(y);
      EXPECT_EQ(bool(o->bits(2, i)), !nan && holds(p, x, y)) << name;
      EXPECT_EQ(bool(n->bits(2, i)), nan || holds(p, x, y)) << name;
    }
  }
}

TEST(Reference, Select) {
  auto k = runElementwise("select %a, %b, %c : tile<256xi1>, tile<256xbf16>", {"i1", "bf16", "bf16"}, "bf16");
  for (int i = 0; i < N; ++i)
    EXPECT_EQ(k->bits(3, i), k->bits(0, i) ? k->bits(1, i) : k->bits(2, i));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

std::string cast(const std::string &op, const std::string &from, const std::string &to) {
  size_t space = op.find(' ');
  std::string name = op.substr(0, space), rest = space == std::string::npos ? "" : op.substr(space);
  return name + " %a" + rest + " : tile<256x" + from + "> -> tile<256x" + to + ">";
}

TEST(Reference, FloatConversions) {
  auto half = runElementwise(cast("ftof", "f32", "f16"), {"f32"}, "f16");
  auto brain = runElementwise(cast("ftof", "f32", "bf16"), {"f32"}, "bf16", "random(lo=-100,hi=100)");
  auto single = runElementwise(cast("ftof", "f64", "f32"), {"f64"}, "f32");
  auto wide = runElementwise(cast("ftof", "f16", "f64"), {"f16"}, "f64");
  auto e4m3 = runElementwise(cast("ftof", "f32", "f8E4M3FN"), {"f32"}, "f8E4M3FN", "normal(std=300)");
  auto back = runElementwise(cast("ftof", "f8E5M2", "f32"), {"f8E5M2"}, "f32");
  auto scale = runElementwise(cast("ftof rounding<positive_inf>", "f32", "f8E8M0FNU"), {"f32"}, "f8E8M0FNU",
                              "random(lo=0.001,hi=1000)");
  for (int i = 0; i < N; ++i) {
    expectSame(DType::F16, half->bits(1, i), std::bit_cast<uint16_t>(_Float16(half->f32(0, i))), "f16", i);
    uint32_t raw = std::bit_cast<uint32_t>(brain->f32(0, i));
    EXPECT_EQ(brain->bits(1, i), (raw + 0x7FFF + (raw >> 16 & 1)) >> 16);
    expectSame(DType::F32, single->bits(1, i), bitsOf(float(single->value(0, i))), "f32", i);
    if (!std::isnan(wide->value(0, i)))
      EXPECT_EQ(wide->value(1, i), wide->value(0, i));
    // Nearest of the 8-bit values by search; beyond the largest, the largest.
    float x = e4m3->f32(0, i);
    double best = 1e9;
    for (unsigned b = 0; b < 256; ++b)
      if (!isNaNBits(DType::F8E4M3FN, b))
        best = std::min(best, std::fabs(decodeFloat(DType::F8E4M3FN, b) - x));
    EXPECT_EQ(std::fabs(e4m3->value(1, i) - x), best) << x;
    expectSame(DType::F32, back->bits(1, i), bitsOf(float(back->value(0, i))), "e5m2", i);
    EXPECT_EQ(scale->value(1, i), std::exp2(std::ceil(std::log2(scale->value(0, i)))));
  }
}

TEST(Reference, IntegerConversions) {
  auto se = runElementwise(cast("exti signed", "i8", "i32"), {"i8"}, "i32");
  auto ze = runElementwise(cast("exti unsigned", "i8", "i32"), {"i8"}, "i32");
  auto se1 = runElementwise(cast("exti signed", "i1", "i16"), {"i1"}, "i16");
  auto tr = runElementwise(cast("trunci", "i64", "i16"), {"i64"}, "i16");
  auto sf = runElementwise(cast("itof signed", "i32", "f32"), {"i32"}, "f32");
  auto uf = runElementwise(cast("itof unsigned", "i32", "f32"), {"i32"}, "f32");
  auto fs = runElementwise(cast("ftoi signed", "f32", "i32"), {"f32"}, "i32", "random(lo=-1e4,hi=1e4)");
  auto fu = runElementwise(cast("ftoi unsigned", "f64", "i64"), {"f64"}, "i64", "random(lo=0,hi=1e19)");
  auto bc = runElementwise(cast("bitcast", "f32", "i32"), {"f32"}, "i32");
  for (int i = 0; i < N; ++i) {
    EXPECT_EQ(se->i32(1, i), int8_t(se->bits(0, i)));
    EXPECT_EQ(ze->i32(1, i), int32_t(uint8_t(ze->bits(0, i))));
    EXPECT_EQ(se1->bits(1, i), se1->bits(0, i) ? 0xFFFFu : 0u);
    EXPECT_EQ(tr->bits(1, i), tr->bits(0, i) & 0xFFFF);
    EXPECT_EQ(sf->bits(1, i), bitsOf(float(int32_t(sf->bits(0, i)))));
    EXPECT_EQ(uf->bits(1, i), bitsOf(float(uint32_t(uf->bits(0, i)))));
    EXPECT_EQ(fs->i32(1, i), int32_t(fs->f32(0, i)));
    EXPECT_EQ(fu->bits(1, i), uint64_t(fu->value(0, i)));
    EXPECT_EQ(bc->bits(1, i), bc->bits(0, i));
  }
}

} // namespace
