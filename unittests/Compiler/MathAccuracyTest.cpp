//===- MathAccuracyTest.cpp - How far functions are from the exact values ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every function of the dialect on every type that it takes, with libdevice and with our own library: compiled, the PTX
// run on the emulator, the largest error in units in the last place measured against long double (64 bits of precision;
// its library functions are within about one of its own units, 1/2048 of a unit of f64). f16 and bf16 are measured on
// all their values, f32 and f64 on dense samples: all exponents, the interesting intervals, neighbours of the places
// where functions are hard, special values.
//
// Each row has limits; a row that gets worse fails. Two variables of the environment:
//   TILEIRAS_MATH_SAMPLES=N   samples of f32 and f64 (default 8192)
//   TILEIRAS_MATH_TABLE=FILE  where DISABLED_Table writes the table of docs/math-accuracy.md
//
// The approximate instructions of PTX (ex2.approx and the like) are correctly rounded on the emulator. Where one is
// used the error on a GPU is larger by what the PTX ISA allows it; the table names the instruction.
//
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/PTXEmission.h"
#include "tileiras/CodeGen/Toolchain.h"
#include "tileiras/Compiler/Compiler.h"
#include "tileiras/Compiler/Register.h"
#include "tileiras/Runtime/EmulatorEngine.h"
#include "tileiras/Runtime/ReferenceEngine.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <numbers>

using namespace tileiras;

namespace {

using Exact = long double;
using Oracle = Exact (*)(Exact, Exact);

enum class Domain { Any, Power, IntegerPower, Divisor };

/// Limits in units in the last place.
struct Limits {
  double libdevice, own;
};

struct Row {
  const char *op; ///< mnemonic and what follows the operands
  const char *suffix;
  DType type;
  Oracle oracle;
  Limits limits;
  const char *instruction = ""; ///< of PTX, if an approximate one is used, with its error there
  Domain domain = Domain::Any;
  bool binary = false;
  bool flushes = false;
  double guide = 0; ///< what the CUDA programming guide has, 0 for correct rounding; -1: nothing to compare with
};

template <Exact (*function)(Exact)> Exact unary(Exact x, Exact) { return function(x); }
Exact rsqrtExact(Exact x) { return 1 / std::sqrt(x); }
Exact divide(Exact x, Exact y) { return x / y; }
Exact power(Exact x, Exact y) { return std::pow(x, y); }
Exact atan2Exact(Exact x, Exact y) { return std::atan2(x, y); }

std::vector<Row> allRows();

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

uint64_t sampleCount() {
  const char *text = std::getenv("TILEIRAS_MATH_SAMPLES");
  return text ? std::max<uint64_t>(1024, std::strtoull(text, nullptr, 10)) : 8192;
}

uint64_t nearest(DType type, double value) { return encodeFloat(type, value); }

/// One number; `i` chooses what kind of.
uint64_t sample(DType type, uint64_t i, RandomSource &random) {
  const FloatFormat &format = floatFormat(type);
  unsigned width = bitWidth(type);
  uint64_t sign = random.next() & 1 ? format.signBit() : 0;
  auto uniform = [&](double lo, double hi) { return lo + (hi - lo) * double(random.next() >> 11) * 0x1p-53; };
  auto neighbour = [&](uint64_t bits) { return bits + random.next() % 5 - 2; };
  switch (i % 8) {
  case 0:
  case 1:
    return maskBits(random.next(), width); // all exponents alike
  case 2:
    return nearest(type, uniform(-10, 10));
  case 3: // around 1: logarithms, powers
    return nearest(type, 1 + uniform(-1, 1) * std::ldexp(1, -int(random.next() % 24)));
  case 4: // around multiples of pi/2: zeros and poles
    return neighbour(nearest(type, double(int64_t(random.next() % 2001) - 1000) * std::numbers::pi / 2));
  case 5:
    return nearest(type, uniform(-1, 1) * std::ldexp(1, -int(random.next() % 30)));
  case 6: // large arguments, and where exponentials overflow and vanish
    return nearest(type, uniform(-1, 1) * (random.next() & 1 ? 800.0 : 1e6));
  default: {
    // Powers of two and their neighbours, the ends of the format.
    uint64_t exponent = random.next() % (uint64_t(1) << format.exponentBits);
    return maskBits(neighbour(exponent << format.mantissaBits), width - 1) | sign;
  }
  }
}

struct Samples {
  std::vector<uint64_t> a, b;
};

Samples samplesFor(const Row &row) {
  Samples s;
  RandomSource random(17);
  uint64_t count = sampleCount();
  bool all = bitWidth(row.type) == 16 && !row.binary && row.domain != Domain::IntegerPower;
  count = all ? 65536 : count;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t a = all ? i : sample(row.type, i, random), b = sample(row.type, random.next(), random);
    if (row.domain == Domain::IntegerPower) {
      // Small exponents, and such that leave the result in range.
      double magnitude = std::fabs(decodeFloat(row.type, a)), reach = std::fabs(std::log2(magnitude));
      int64_t n = int64_t(random.next() % 65) - 32;
      if (i % 2 && reach > 0 && std::isfinite(reach))
        n = int64_t(std::clamp((double(random.next() >> 11) * 0x1p-52 - 1) *
                                   std::ldexp(1, int(floatFormat(row.type).exponentBits) - 1) / reach,
                               -2147483648.0, 2147483647.0));
      b = maskBits(uint64_t(n), 32);
    }
    if (row.domain == Domain::Power && i % 4) {
      a &= ~floatFormat(row.type).signBit();
      double reach = std::fabs(std::log2(decodeFloat(row.type, a)));
      if (i % 4 > 1 && reach > 0 && std::isfinite(reach))
        b = nearest(row.type, (double(random.next() >> 11) * 0x1p-52 - 1) *
                                  std::ldexp(1, int(floatFormat(row.type).exponentBits) - 1) / reach);
    }
    if (row.domain == Domain::Divisor) // div.approx is specified for 2^-126 <= |b| <= 2^126
      b = (b & 0x807FFFFF) | (1 + (b >> 23 & 0xFF) % 252) << 23;
    s.a.push_back(a);
    s.b.push_back(b);
  }
  for (double value : {0.0, -0.0, 1.0, -1.0, 0.5, 2.0, double(INFINITY), -double(INFINITY), double(NAN)})
    for (uint64_t k = 0; k < s.a.size() && k < 8; ++k) {
      s.a.push_back(nearest(row.type, value));
      s.b.push_back(row.domain == Domain::IntegerPower ? maskBits(k - 4, 32) : s.b[k]);
    }
  while (s.a.size() % 1024) {
    s.a.push_back(s.a[s.a.size() % 7]);
    s.b.push_back(s.b[s.b.size() % 7]);
  }
  return s;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

std::string kernelText(const Row &row) {
  std::string t(dtypeName(row.type)), u = row.domain == Domain::IntegerPower ? "i32" : t, text;
  llvm::raw_string_ostream os(text);
  auto tile = [](const std::string &element) { return "tile<1024x" + element + ">"; };
  os << "cuda_tile.module @m {\n  entry @k(%a: tile<ptr<" << t << ">>, %b: tile<ptr<" << u << ">>, %o: tile<ptr<" << t
     << ">>) {\n"
     << "    %x, %y, %z = get_tile_block_id : tile<i32>\n    %n = constant <i32: 1024> : tile<i32>\n"
     << "    %s = muli %x, %n : tile<i32>\n    %s1 = reshape %s : tile<i32> -> tile<1xi32>\n"
     << "    %s2 = broadcast %s1 : tile<1xi32> -> tile<1024xi32>\n    %l = iota : tile<1024xi32>\n"
     << "    %i = addi %s2, %l : tile<1024xi32>\n";
  for (auto [name, element] : {std::pair<std::string, std::string>("a", t), {"b", u}, {"o", t}}) {
    std::string p = "ptr<" + element + ">";
    os << "    %" << name << "1 = reshape %" << name << " : tile<" << p << "> -> tile<1x" << p << ">\n"
       << "    %" << name << "2 = broadcast %" << name << "1 : tile<1x" << p << "> -> " << tile(p) << "\n"
       << "    %" << name << "p = offset %" << name << "2, %i : " << tile(p) << ", tile<1024xi32> -> " << tile(p)
       << "\n";
    if (name != "o")
      os << "    %" << name << "v, %" << name << "t = load_ptr_tko weak %" << name << "p : " << tile(p) << " -> "
         << tile(element) << ", token\n";
  }
  os << "    %r = " << row.op << " %av" << (row.binary ? ", %bv" : "") << row.suffix << " : " << tile(t);
  if (row.domain == Domain::IntegerPower)
    os << ", " << tile(u);
  os << "\n    %w = store_ptr_tko weak %op, %r : " << tile("ptr<" + t + ">") << ", " << tile(t)
     << " -> token\n    return\n  }\n}\n";
  return text;
}

LaunchRequest requestFor(const Row &row, const Samples &samples) {
  LaunchRequest request;
  request.grid.x = uint32_t(samples.a.size() / 1024);
  DType second = row.domain == Domain::IntegerPower ? DType::I32 : row.type;
  for (auto [name, type, values] : {std::tuple("a", row.type, &samples.a),
                                    {"b", second, &samples.b},
                                    {"o", row.type, (const std::vector<uint64_t> *)nullptr}}) {
    Buffer buffer;
    buffer.name = name;
    buffer.array = Array::dense(type, {int64_t(samples.a.size())});
    buffer.poison = !values;
    for (size_t i = 0; values && i < values->size(); ++i)
      buffer.array.setAtOffset(int64_t(i), (*values)[i]);
    KernelArg arg;
    arg.buffer = int(request.buffers.size());
    request.args.push_back(arg);
    request.buffers.push_back(std::move(buffer));
  }
  return request;
}

/// Errors of one run.
struct Measured {
  double worst = 0, sum = 0;
  uint64_t count = 0, special = 0; ///< special: NaN or infinity where there is none, or none where there is one
  uint64_t at = 0, atSecond = 0, got = 0;
  std::string failure;
};

/// Half of the distance between numbers of the type around `exact`, times two.
Exact unitAt(DType type, Exact exact) {
  const FloatFormat &format = floatFormat(type);
  int exponent = exact == 0 || !std::isfinite(exact) ? INT_MIN : std::ilogb(exact);
  exponent = std::clamp(exponent, 1 - format.bias, format.bias);
  return std::ldexp(Exact(1), exponent - int(format.mantissaBits));
}

void compareWith(const Row &row, const Array &result, const Samples &samples, Measured &m) {
  Exact largest = decodeFloat(row.type, floatFormat(row.type).maxFinite());
  Exact smallest = std::ldexp(Exact(1), 1 - floatFormat(row.type).bias);
  for (size_t i = 0; i < samples.a.size(); ++i) {
    uint64_t a = samples.a[i];
    if (row.flushes)
      a = flushSubnormal(row.type, a);
    Exact y = row.domain == Domain::IntegerPower ? Exact(signExtend(samples.b[i], 32))
                                                 : Exact(decodeFloat(row.type, samples.b[i]));
    if (row.flushes && row.binary)
      y = decodeFloat(row.type, flushSubnormal(row.type, samples.b[i]));
    Exact exact = row.oracle(decodeFloat(row.type, a), y);
    uint64_t bits = result.getAtOffset(int64_t(i));
    Exact got = decodeFloat(row.type, bits);
    Exact unit = unitAt(row.type, exact);
    bool overflows = std::fabs(exact) >= largest + unit / 2;
    if (std::isnan(exact) || std::isnan(got)) {
      m.special += std::isnan(exact) != std::isnan(got);
      continue;
    }
    if (row.flushes && got == 0 && std::fabs(exact) < smallest)
      continue;
    Exact error;
    if (overflows && std::isinf(got))
      error = std::signbit(exact) == std::signbit(got) ? 0 : INFINITY;
    else if (std::isinf(got) && !std::isinf(exact)) // as if the next number were there
      error = std::fabs(std::copysign(largest + unit, got) - exact) / unit;
    else if (std::isinf(exact))
      error = INFINITY;
    else
      error = std::fabs(got - exact) / unit;
    if (error > 1e6) {
      m.special += std::isinf(error);
      error = std::min(error, Exact(1e30));
    }
    ++m.count;
    m.sum += double(error);
    if (double(error) > m.worst) {
      m.worst = double(error);
      m.at = a;
      m.atSecond = samples.b[i];
      m.got = bits;
    }
  }
}

struct Session {
  mlir::MLIRContext context;
  Session() {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    context.appendDialectRegistry(registry);
  }
};

Measured measure(Session &session, const Row &row, bool libdevice, bool reference) {
  Measured m;
  std::string said;
  mlir::ScopedDiagnosticHandler handler(&session.context, [&](mlir::Diagnostic &d) {
    if (d.getSeverity() == mlir::DiagnosticSeverity::Error)
      said += d.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kernelText(row), &session.context, "kernel.mlir");
  if (!module) {
    m.failure = said;
    return m;
  }
  Samples samples = samplesFor(row);
  LaunchRequest request = requestFor(row, samples);
  std::unique_ptr<Engine> engine;
  std::string ptx, error;
  if (reference) {
    engine = makeReferenceEngine(*module, uint64_t(1) << 32);
  } else {
    CompileOptions options;
    options.gpuName = "sm_90";
    options.emit = "ptx";
    if (!libdevice)
      options.pipelineOptions = "libdevice=false";
    if (checkOptions(options, error) != Status::Success || failed(compileToPTX(*module, options, ptx))) {
      m.failure = said + error;
      return m;
    }
    engine = makeEmulatorEngine(ptx, "kernel.ptx", {}, error);
  }
  if (!engine) {
    m.failure = error;
    return m;
  }
  RunOutcome outcome = engine->run(request);
  if (!outcome.ok) {
    m.failure = outcome.reports.empty() ? "the run failed" : outcome.reports.front();
    return m;
  }
  compareWith(row, request.buffers[2].array, samples, m);
  return m;
}

bool hasLibdevice() {
  static const bool found = !findLibdevice("").empty();
  return found;
}

std::string nameOf(const Row &row) { return std::string(row.op) + row.suffix + " " + std::string(dtypeName(row.type)); }

std::string place(const Row &row, const Measured &m) {
  std::string text = "at " + formatElement(row.type, m.at);
  if (row.binary)
    text += ", " + formatElement(row.domain == Domain::IntegerPower ? DType::I32 : row.type, m.atSecond);
  return text + ": got " + formatElement(row.type, m.got);
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

void check(Session &session, const Row &row, bool libdevice) {
  double limit = libdevice ? row.limits.libdevice : row.limits.own;
  Measured m = measure(session, row, libdevice, false);
  std::string name = nameOf(row) + (libdevice ? "" : " without libdevice");
  ASSERT_EQ(m.failure, "") << name;
  EXPECT_LE(m.worst, limit) << name << " " << place(row, m);
  EXPECT_EQ(m.special, 0u) << name << ": NaN or infinity in the wrong place";
}

TEST(MathAccuracyTest, WithLibdevice) {
  if (!hasLibdevice())
    GTEST_SKIP() << "no libdevice here";
  Session session;
  for (const Row &row : allRows())
    check(session, row, true);
}

TEST(MathAccuracyTest, WithoutLibdevice) {
  Session session;
  for (const Row &row : allRows())
    check(session, row, false);
}

/// The evaluator rounds once: half a unit, and what long double itself is off.
TEST(MathAccuracyTest, Reference) {
  Session session;
  for (const Row &row : allRows()) {
    if (row.suffix[0])
      continue;
    Measured m = measure(session, row, true, true);
    ASSERT_EQ(m.failure, "") << nameOf(row);
    EXPECT_LE(m.worst, 0.501) << nameOf(row) << " " << place(row, m);
    EXPECT_EQ(m.special, 0u) << nameOf(row);
  }
}

/// A limit that is passed must be noticed.
TEST(MathAccuracyTest, NoticesAWrongFunction) {
  Session session;
  Row row{"sin", "", DType::F32, unary<std::cos>, {2, 2}};
  EXPECT_GT(measure(session, row, hasLibdevice(), false).worst, 1000);
  Row off{"exp2", "", DType::F32, [](Exact x, Exact) { return std::exp2(x) * (1 + 0x1p-21L); }, {2, 2}};
  EXPECT_GT(measure(session, off, hasLibdevice(), false).worst, 3);
}

/// Not a test: writes the page.
TEST(MathAccuracyTest, DISABLED_Table) {
  const char *path = std::getenv("TILEIRAS_MATH_TABLE");
  ASSERT_TRUE(path) << "TILEIRAS_MATH_TABLE names no file";
  ASSERT_TRUE(hasLibdevice());
  Session session;
  std::error_code ec;
  llvm::raw_fd_ostream os(path, ec);
  ASSERT_FALSE(ec) << ec.message();
  os << "# Accuracy of functions: the table\n\ndocs/math-accuracy.md explains it. Limits in brackets. " << sampleCount()
     << R"( samples.

| function | type | with libdevice | mean | guide | our own | mean | approximate instruction |
|---|---|---|---|---|---|---|---|
)";
  for (const Row &row : allRows()) {
    std::string suffix = row.suffix;
    os << "| `" << row.op << suffix << "` | " << dtypeName(row.type) << " |";
    for (bool libdevice : {true, false}) {
      Measured m = measure(session, row, libdevice, false);
      double limit = libdevice ? row.limits.libdevice : row.limits.own;
      if (!m.failure.empty())
        os << " failed: " << m.failure << " | |";
      else
        os << llvm::format(" %.3f (%g) | %.3f |", m.worst, limit, m.sum / double(std::max<uint64_t>(1, m.count)))
           << (m.special ? " **special values wrong: " + std::to_string(m.special) + "**" : "");
      if (libdevice)
        os << (row.guide > 0 ? llvm::formatv(" {0:f0} |", row.guide).str() : " |");
    }
    os << " " << row.instruction << " |\n";
  }
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

std::vector<Row> allRows() {
  std::vector<Row> rows;
  // In the order f16, bf16, f32, f64.
  auto add = [&](const char *op, Oracle oracle, std::initializer_list<Limits> limits, double guide32, double guide64,
                 const char *instruction = "", Domain domain = Domain::Any, bool binary = false) {
    DType types[] = {DType::F16, DType::BF16, DType::F32, DType::F64};
    double guides[] = {-1, -1, guide32, guide64};
    size_t i = 0;
    for (Limits limit : limits) {
      rows.push_back({op, "", types[i], oracle, limit, types[i] == DType::F64 ? "" : instruction, domain, binary, false,
                      guides[i]});
      ++i;
    }
  };
  auto mode = [&](const char *op, const char *suffix, Oracle oracle, double limit, const char *instruction,
                  Domain domain = Domain::Any, bool binary = false) {
    bool flushes = llvm::StringRef(suffix).contains("flush_to_zero");
    rows.push_back({op, suffix, DType::F32, oracle, {limit, limit}, instruction, domain, binary, flushes});
  };
#include "MathLimits.def"
  return rows;
}

} // namespace
