//===- AxisInfoTest.cpp - Claims of the axis analysis against numbers -----===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random straight-line programs over narrow integers (so that everything wraps) and pointers are built and evaluated
// side by side, for several values of their scalar arguments. Whatever the analysis says of a value must hold for
// its numbers.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/Support/MathExtras.h"
#include <deque>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace mlir::nv_tileaa;

namespace {

constexpr int kRuns = 5;           ///< sets of argument values per program
constexpr unsigned kNarrowest = 8; ///< wrap-around may have happened at this width

/// One value: for every run its elements in row-major order, zero-extended. An empty list: undefined in that run.
struct Tracked {
  Value value;
  std::vector<uint64_t> runs[kRuns];
};

class Program {
public:
  Program(MLIRContext &context, unsigned seed) : random(seed), b(&context), loc(b.getUnknownLoc()) {
    module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    SmallVector<Type> args{b.getIntegerType(8), b.getI32Type(), PtrType::get(&context, b.getF32Type())};
    auto func = FuncOp::create(b, loc, "f", b.getFunctionType(args, {}));
    Block *body = b.createBlock(&func.getBody(), {}, args, {loc, loc, loc});
    for (BlockArgument arg : body->getArguments()) {
      Tracked t{arg, {}};
      for (auto &run : t.runs)
        run = {mask(interesting(), widthOf(arg.getType()))};
      pool.push_back(t);
      promise(t);
    }
    // 256 elements of i8: the range itself wraps when read as signed.
    for (auto [extent, width] : {std::pair<int64_t, unsigned>{16, 8}, {16, 32}, {8, 8}, {8, 32}, {256, 8}})
      add(MakeRangeOp::create(b, loc, RankedTensorType::get({extent}, b.getIntegerType(width)), 0, extent), extent,
          [](int, int64_t i) { return uint64_t(i); });
    for (int step = 0; step < 60; ++step)
      this->step();
    ReturnOp::create(b, loc, ValueRange());
  }

  void check() {
    ASSERT_TRUE(succeeded(verify(*module)));
    AxisInfoAnalysisResult result(*module);
    for (const Tracked &t : pool) {
      const AxisInfo *info = result.get(t.value);
      ASSERT_NE(info, nullptr);
      for (const auto &numbers : t.runs)
        if (!numbers.empty() && !holds(*info, t.value.getType(), numbers)) {
          std::string text;
          llvm::raw_string_ostream os(text);
          os << "claim ";
          info->print(os);
          os << " is wrong for " << t.value << ":";
          for (uint64_t n : numbers)
            os << ' ' << n;
          os << "\n" << *module;
          FAIL() << text;
        }
    }
  }

private:
  static unsigned widthOf(Type type) {
    Type element = nv_tileaa::getElementTypeOrSelf(type);
    return isa<PtrType>(element) ? 64 : element.getIntOrFloatBitWidth();
  }
  static uint64_t mask(uint64_t value, unsigned width) { return value & llvm::maskTrailingOnes<uint64_t>(width); }
  static int64_t toSigned(uint64_t value, unsigned width) {
    return width == 64 ? int64_t(value) : llvm::SignExtend64(value, width);
  }
  static std::vector<int64_t> shapeOf(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? std::vector<int64_t>(tensor.getShape()) : std::vector<int64_t>{1};
  }

  /// The claims of `info`, one by one.
  static bool holds(const AxisInfo &info, Type type, const std::vector<uint64_t> &numbers) {
    unsigned width = widthOf(type);
    std::vector<int64_t> shape = shapeOf(type);
    uint64_t unit = info.unit;
    for (uint64_t n : numbers) {
      if (info.constantValue && toSigned(n, width) != *info.constantValue)
        return false;
      if (info.nonNegative && toSigned(n, width) < 0)
        return false;
    }
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
      int64_t exact = info.getExactContiguity(d);
      for (int64_t i = 0; i < int64_t(numbers.size()); ++i) {
        int64_t pos = i / stride % shape[d];
        auto first = [&](int64_t block) { return numbers[i - pos % block * stride]; };
        // The weak claim survives only at the narrowest width; the exact one is about real numbers.
        if (mask(first(info.contiguity[d]) + (pos % info.contiguity[d]) * unit - numbers[i], kNarrowest) != 0)
          return false;
        if (first(exact) + (pos % exact) * unit != numbers[i])
          return false;
        if (first(info.constancy[d]) != numbers[i])
          return false;
        uint64_t divisor = info.divisibility[d];
        if (pos % info.contiguity[d] == 0 && mask(numbers[i], width) % divisor != 0)
          return false;
      }
    }
    return true;
  }

  uint64_t interesting() {
    switch (pick(4)) {
    case 0:
      return uint64_t(pick(9)) - 4;
    case 1:
      return uint64_t(1) << pick(40);
    case 2:
      return uint64_t(pick(64)) * (uint64_t(1) << pick(12));
    default:
      return random() * uint64_t(2654435761);
    }
  }
  unsigned pick(unsigned n) { return random() % n; }

  template <typename F> void add(Value value, int64_t count, F element) {
    Tracked t{value, {}};
    for (int run = 0; run < kRuns; ++run)
      for (int64_t i = 0; i < count; ++i)
        t.runs[run].push_back(mask(element(run, i), widthOf(value.getType())));
    pool.push_back(t);
  }

  /// Adds what is true of `t` in all runs as a promise (and keeps the promised value).
  void promise(const Tracked &t) {
    int64_t divisor = int64_t(1) << 40;
    for (const auto &run : t.runs)
      for (uint64_t n : run)
        while (n % divisor != 0)
          divisor >>= 1;
    Tracked copy = t;
    copy.value = AssumeOp::create(b, loc, t.value, DivByAttr::get(b.getContext(), divisor, std::nullopt, std::nullopt));
    pool.push_back(copy);
  }

  const Tracked *pickIf(llvm::function_ref<bool(Type)> wanted) {
    for (int tries = 0; tries < 30; ++tries) {
      // Later values more often: long chains.
      size_t i = pool.size() - 1 - std::min(pick(pool.size()), pick(pool.size()));
      if (wanted(pool[i].value.getType()))
        return &pool[i];
    }
    return nullptr;
  }
  static bool isInt(Type type) { return nv_tileaa::getElementTypeOrSelf(type).isInteger() && widthOf(type) > 1; }

  /// Element-wise over operands; `f` returns nullopt where the operation is undefined.
  void elementwise(Value value, ArrayRef<Tracked> in,
                   llvm::function_ref<std::optional<uint64_t>(ArrayRef<uint64_t>)> f) {
    Tracked t{value, {}};
    for (int run = 0; run < kRuns; ++run) {
      bool defined = llvm::all_of(in, [&](const Tracked &o) { return !o.runs[run].empty(); });
      for (size_t i = 0; defined && i < in[0].runs[run].size(); ++i) {
        SmallVector<uint64_t> numbers;
        for (const Tracked &o : in)
          numbers.push_back(o.runs[run][i]);
        std::optional<uint64_t> result = f(numbers);
        defined = result.has_value();
        if (defined)
          t.runs[run].push_back(mask(*result, widthOf(value.getType())));
      }
      if (!defined)
        t.runs[run].clear();
    }
    pool.push_back(t);
  }

  /// Elements of the result from element numbers of the source.
  void rearrange(Value value, const Tracked &source, llvm::function_ref<int64_t(int64_t)> from) {
    Tracked t{value, {}};
    int64_t count = 1;
    for (int64_t e : shapeOf(value.getType()))
      count *= e;
    for (int run = 0; run < kRuns; ++run)
      for (int64_t i = 0; !source.runs[run].empty() && i < count; ++i)
        t.runs[run].push_back(source.runs[run][from(i)]);
    pool.push_back(t);
  }

  void step() {
    switch (pick(5)) {
    case 0:
    case 1:
      return binary();
    case 2:
      return shape();
    case 3:
      return other();
    default:
      return constant();
    }
  }

  void constant() {
    const Tracked *like = pickIf(isInt);
    if (!like)
      return;
    unsigned width = widthOf(like->value.getType());
    uint64_t number = mask(interesting(), width);
    APInt value(width, number);
    Type type = like->value.getType();
    int64_t count = 1;
    for (int64_t e : shapeOf(type))
      count *= e;
    TypedAttr attr;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      attr = DenseElementsAttr::get(tensor, value);
    else
      attr = b.getIntegerAttr(type, value);
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && pick(3) == 0) {
      // A table with some structure.
      uint64_t group = 1 << pick(4), up = pick(2), factor = 1 + pick(16);
      SmallVector<APInt> values;
      auto at = [&](int64_t i) { return mask(number + i / group * factor + (up ? i % group : 0), width); };
      for (int64_t i = 0; i < count; ++i)
        values.push_back(APInt(width, at(i)));
      return add(arith::ConstantOp::create(b, loc, DenseElementsAttr::get(tensor, values)), count,
                 [&](int, int64_t i) { return at(i); });
    }
    add(arith::ConstantOp::create(b, loc, attr), count, [&](int, int64_t) { return number; });
  }

  void binary() {
    const Tracked *lhs = pickIf(isInt);
    const Tracked *rhs = lhs ? pickIf([&](Type t) { return t == lhs->value.getType(); }) : nullptr;
    if (!rhs)
      return;
    SmallVector<Tracked> in{*lhs, *rhs};
    Value x = lhs->value, y = rhs->value;
    unsigned w = widthOf(x.getType());
    auto s = [w](uint64_t n) { return toSigned(n, w); };
    using Result = std::optional<uint64_t>;
    int64_t least = w == 64 ? INT64_MIN : -(int64_t(1) << (w - 1));
    auto run = [&](Value value, llvm::function_ref<Result(uint64_t, uint64_t)> f) {
      elementwise(value, in, [&](ArrayRef<uint64_t> n) { return f(n[0], n[1]); });
    };
    switch (pick(18)) {
    case 0:
    case 16:
      return run(arith::AddIOp::create(b, loc, x, y), [](auto p, auto q) { return Result(p + q); });
    case 1:
      return run(arith::SubIOp::create(b, loc, x, y), [](auto p, auto q) { return Result(p - q); });
    case 2:
    case 17:
      return run(arith::MulIOp::create(b, loc, x, y), [](auto p, auto q) { return Result(p * q); });
    case 3:
      return run(arith::DivSIOp::create(b, loc, x, y), [&](auto p, auto q) -> Result {
        if (q == 0 || (s(p) == least && s(q) == -1))
          return std::nullopt;
        return uint64_t(s(p) / s(q));
      });
    case 4:
      return run(arith::DivUIOp::create(b, loc, x, y),
                 [](auto p, auto q) { return q == 0 ? Result() : Result(p / q); });
    case 5:
      return run(arith::FloorDivSIOp::create(b, loc, x, y), [&](auto p, auto q) -> Result {
        if (q == 0 || (s(p) == least && s(q) == -1))
          return std::nullopt;
        return uint64_t(s(p) / s(q) - (s(p) % s(q) != 0 && (s(p) < 0) != (s(q) < 0)));
      });
    case 6:
      return run(arith::RemSIOp::create(b, loc, x, y), [&](auto p, auto q) -> Result {
        if (q == 0 || s(q) == -1)
          return q == 0 ? Result() : Result(0);
        return uint64_t(s(p) % s(q));
      });
    case 7:
      return run(arith::RemUIOp::create(b, loc, x, y),
                 [](auto p, auto q) { return q == 0 ? Result() : Result(p % q); });
    case 8:
      return run(arith::ShLIOp::create(b, loc, x, y),
                 [&](auto p, auto q) { return q >= w ? Result() : Result(p << q); });
    case 9:
      return run(arith::ShRUIOp::create(b, loc, x, y),
                 [&](auto p, auto q) { return q >= w ? Result() : Result(p >> q); });
    case 10:
      return run(arith::ShRSIOp::create(b, loc, x, y),
                 [&](auto p, auto q) { return q >= w ? Result() : Result(uint64_t(s(p) >> q)); });
    case 11:
      return run(arith::AndIOp::create(b, loc, x, y), [](auto p, auto q) { return Result(p & q); });
    case 12:
      return run(arith::OrIOp::create(b, loc, x, y), [](auto p, auto q) { return Result(p | q); });
    case 13:
      return run(arith::XOrIOp::create(b, loc, x, y), [](auto p, auto q) { return Result(p ^ q); });
    case 14:
      return run(arith::MaxSIOp::create(b, loc, x, y), [&](auto p, auto q) { return Result(s(p) > s(q) ? p : q); });
    default: {
      auto predicate = static_cast<arith::CmpIPredicate>(pick(10));
      return run(arith::CmpIOp::create(b, loc, predicate, x, y),
                 [&](auto p, auto q) { return Result(arith::applyCmpPredicate(predicate, APInt(w, p), APInt(w, q))); });
    }
    }
  }

  void shape() {
    const Tracked *picked = pickIf([](Type) { return true; });
    Tracked in = *picked;
    auto tensor = dyn_cast<RankedTensorType>(in.value.getType());
    if (!tensor) {
      SmallVector<int64_t> to = pick(2) ? SmallVector<int64_t>{16} : SmallVector<int64_t>{4, 8};
      return rearrange(SplatOp::create(b, loc, RankedTensorType::get(to, in.value.getType()), in.value), in,
                       [](int64_t) { return 0; });
    }
    Type element = tensor.getElementType();
    auto typed = [&](ArrayRef<int64_t> s) { return RankedTensorType::get(s, element); };
    int64_t count = tensor.getNumElements(), rank = tensor.getRank();
    switch (pick(6)) {
    case 0: { // view
      SmallVector<int64_t> to;
      for (int64_t left = count; left > 1 || to.empty();) {
        int64_t part = std::min<int64_t>(left, int64_t(1) << pick(4));
        to.push_back(part);
        left /= part;
        if (to.size() == 4) {
          to.back() *= left;
          left = 1;
        }
      }
      return rearrange(ViewOp::create(b, loc, typed(to), in.value), in, [](int64_t i) { return i; });
    }
    case 1: { // expand_dims
      if (rank > 3)
        return;
      SmallVector<int64_t> to(tensor.getShape());
      uint32_t axis = pick(rank + 1);
      to.insert(to.begin() + axis, 1);
      return rearrange(ExpandDimsOp::create(b, loc, typed(to), in.value, axis), in, [](int64_t i) { return i; });
    }
    case 2: { // broadcast
      SmallVector<int64_t> to(tensor.getShape());
      for (int64_t &e : to)
        if (e == 1 && count < 128)
          e = 1 << pick(3);
      return rearrange(BroadcastOp::create(b, loc, typed(to), in.value), in, [&](int64_t i) {
        int64_t index = 0, stride = 1;
        for (int64_t d = rank; d-- > 0;) {
          if (tensor.getDimSize(d) != 1)
            index += i % to[d] * stride;
          stride *= tensor.getDimSize(d);
          i /= to[d];
        }
        return index;
      });
    }
    case 3: { // permute: rotate the dimensions
      SmallVector<int32_t> permutation;
      SmallVector<int64_t> to;
      for (int64_t d = 0; d < rank; ++d) {
        permutation.push_back((d + 1) % rank);
        to.push_back(tensor.getDimSize((d + 1) % rank));
      }
      return rearrange(PermuteOp::create(b, loc, typed(to), in.value, permutation), in, [&](int64_t i) {
        SmallVector<int64_t> position(rank);
        for (int64_t d = rank; d-- > 0;) {
          position[permutation[d]] = i % to[d];
          i /= to[d];
        }
        int64_t index = 0;
        for (int64_t d = 0; d < rank; ++d)
          index = index * tensor.getDimSize(d) + position[d];
        return index;
      });
    }
    case 4: { // cat of equal halves along the last dimension
      if (count > 64)
        return;
      SmallVector<int64_t> to(tensor.getShape());
      int64_t last = to.back();
      to.back() *= 2;
      return rearrange(CatOp::create(b, loc, typed(to), in.value, in.value, rank - 1), in,
                       [&](int64_t i) { return i / (2 * last) * last + i % last; });
    }
    default: { // extract_slice: the last half of the first dimension
      int64_t rows = tensor.getDimSize(0);
      if (rows < 2)
        return;
      SmallVector<int64_t> to(tensor.getShape());
      to[0] /= 2;
      Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
      Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
      SmallVector<Value> indices(rank, zero);
      indices[0] = one;
      return rearrange(ExtractSliceOp::create(b, loc, typed(to), in.value, indices), in,
                       [&](int64_t i) { return i + count / 2; });
    }
    }
  }

  void other() {
    switch (pick(5)) {
    case 0: { // addptr
      const Tracked *offset = pickIf(isInt);
      if (!offset)
        return;
      const Tracked *base = pickIf([&](Type t) {
        return isa<PtrType>(nv_tileaa::getElementTypeOrSelf(t)) &&
               isa<RankedTensorType>(t) == isa<RankedTensorType>(offset->value.getType()) &&
               shapeOf(t) == shapeOf(offset->value.getType());
      });
      if (!base)
        return;
      SmallVector<Tracked> in{*base, *offset};
      unsigned w = widthOf(in[1].value.getType());
      return elementwise(AddPtrOp::create(b, loc, in[0].value, in[1].value), in, [&](ArrayRef<uint64_t> n) {
        return std::optional<uint64_t>(n[0] + 4 * uint64_t(toSigned(n[1], w)));
      });
    }
    case 1: { // widen, narrow
      const Tracked *picked = pickIf([](Type t) { return nv_tileaa::getElementTypeOrSelf(t).isInteger(); });
      Tracked in = *picked;
      unsigned from = widthOf(in.value.getType()), to = std::array{8, 16, 32, 64}[pick(4)];
      if (from == to)
        return;
      Type element = b.getIntegerType(to), type = element;
      if (auto tensor = dyn_cast<RankedTensorType>(in.value.getType()))
        type = RankedTensorType::get(tensor.getShape(), element);
      if (to < from)
        return elementwise(arith::TruncIOp::create(b, loc, type, in.value), in,
                           [](ArrayRef<uint64_t> n) { return std::optional(n[0]); });
      if (pick(2))
        return elementwise(arith::ExtUIOp::create(b, loc, type, in.value), in,
                           [](ArrayRef<uint64_t> n) { return std::optional(n[0]); });
      return elementwise(arith::ExtSIOp::create(b, loc, type, in.value), in,
                         [&](ArrayRef<uint64_t> n) { return std::optional(uint64_t(toSigned(n[0], from))); });
    }
    case 2: { // select by a tile of conditions
      const Tracked *cond = pickIf([](Type t) { return nv_tileaa::getElementTypeOrSelf(t).isInteger(1); });
      if (!cond)
        return;
      auto fits = [&](Type t) {
        return isInt(t) && isa<RankedTensorType>(t) == isa<RankedTensorType>(cond->value.getType()) &&
               shapeOf(t) == shapeOf(cond->value.getType());
      };
      const Tracked *x = pickIf(fits);
      const Tracked *y = x ? pickIf([&](Type t) { return t == x->value.getType(); }) : nullptr;
      if (!y)
        return;
      SmallVector<Tracked> in{*cond, *x, *y};
      return elementwise(arith::SelectOp::create(b, loc, in[0].value, in[1].value, in[2].value), in,
                         [](ArrayRef<uint64_t> n) { return std::optional(n[0] & 1 ? n[1] : n[2]); });
    }
    case 3: { // a join: scf.if over a scalar condition
      const Tracked *cond = pickIf([](Type t) { return t.isInteger(1); });
      const Tracked *x = pickIf([](Type) { return true; });
      const Tracked *y = x ? pickIf([&](Type t) { return t == x->value.getType(); }) : nullptr;
      if (!cond || !y)
        return;
      Tracked c = *cond, p = *x, q = *y;
      auto op = scf::IfOp::create(
          b, loc, c.value, [&](OpBuilder &inner, Location l) { scf::YieldOp::create(inner, l, p.value); },
          [&](OpBuilder &inner, Location l) { scf::YieldOp::create(inner, l, q.value); });
      Tracked t{op.getResult(0), {}};
      for (int run = 0; run < kRuns; ++run)
        if (!c.runs[run].empty())
          t.runs[run] = (c.runs[run][0] & 1 ? p : q).runs[run];
      pool.push_back(t);
      return;
    }
    default: // a promise on a tile, where it is true
      const Tracked *picked = pickIf(isInt);
      if (!picked || llvm::any_of(picked->runs, [](const auto &r) { return r.empty(); }))
        return;
      Tracked copy = *picked;
      return promise(copy);
    }
  }

  std::mt19937 random;
  OpBuilder b;
  Location loc;
  OwningOpRef<ModuleOp> module;
  std::deque<Tracked> pool;
};

TEST(AxisInfo, ClaimsHoldForNumbers) {
  MLIRContext context;
  context.loadDialect<TileAADialect, arith::ArithDialect, scf::SCFDialect>();
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Program program(context, seed);
    program.check();
    if (HasFatalFailure()) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
}

// The same claims, used as the layout assignment uses them.
TEST(AxisInfo, VectorWidth) {
  MLIRContext context;
  context.loadDialect<TileAADialect, arith::ArithDialect>();
  OpBuilder b(&context);
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  Type ptr = PtrType::get(&context, b.getF16Type());
  auto func = FuncOp::create(b, loc, "f", b.getFunctionType({ptr, b.getI32Type()}, {}));
  Block *body = b.createBlock(&func.getBody(), {}, {ptr, b.getI32Type()}, {loc, loc});
  Value base = AssumeOp::create(b, loc, body->getArgument(0), DivByAttr::get(&context, 32, std::nullopt, std::nullopt));
  auto i32 = RankedTensorType::get({64}, b.getI32Type());
  Value range = MakeRangeOp::create(b, loc, i32, 0, 64);
  Value ptrs = AddPtrOp::create(b, loc, SplatOp::create(b, loc, RankedTensorType::get({64}, ptr), base), range);
  Value limit = SplatOp::create(b, loc, i32, body->getArgument(1));
  Value free = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, range, limit);
  Value four = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(12));
  Value aligned = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, range, SplatOp::create(b, loc, i32, four));
  ReturnOp::create(b, loc, ValueRange());
  AxisInfoAnalysisResult result(*module);
  EXPECT_EQ(result.maxVectorElements(ptrs, {}, 2), 16u); // 32 bytes
  EXPECT_EQ(result.maxVectorElements(ptrs, aligned, 2), 4u);
  EXPECT_EQ(result.maxVectorElements(ptrs, free, 2), 1u);
  EXPECT_EQ(result.maxVectorElements(ptrs, {}, 2, 1), 1u); // no such dimension
  EXPECT_EQ(result.getOrder(ptrs), (SmallVector<unsigned>{0}));
}

} // namespace
