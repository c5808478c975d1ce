//===- Evaluate.cpp - What operations of cute mean ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/Cute/IR/Evaluate.h"

#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::cute;
namespace alg = tileiras::cute;

using Kind = Meaning::Kind;

namespace {
/// The operands of one operation, with complaints about those that do not fit.
class Evaluator {
public:
  Evaluator(Operation *op, ArrayRef<Meaning> operands, std::string &error) : op(op), in(operands), error(error) {}

  std::optional<Meaning> run();

private:
  std::nullopt_t fail(std::string message) {
    if (error.empty())
      error = std::move(message);
    return std::nullopt;
  }
  bool expectCount(size_t least, size_t most) {
    if (in.size() >= least && in.size() <= most)
      return true;
    fail("expects " + std::to_string(least) + (most > least ? " to " + std::to_string(most) : "") + " operands, got " +
         std::to_string(in.size()));
    return false;
  }
  bool has(size_t i, Kind kind, const char *what) {
    if (i < in.size() && in[i].kind == kind)
      return true;
    fail("expects operand " + std::to_string(i) + " to be " + what);
    return false;
  }
  bool hasTuple(size_t i) { return has(i, Kind::Tuple, "a tuple or an integer"); }
  bool hasLayout(size_t i) {
    if (i < in.size() && (in[i].kind == Kind::Layout || in[i].kind == Kind::Tensor || in[i].kind == Kind::Coords))
      return true;
    fail("expects operand " + std::to_string(i) + " to be a layout or a tensor");
    return false;
  }
  bool hasTensor(size_t i) {
    if (i < in.size() && (in[i].kind == Kind::Tensor || in[i].kind == Kind::Coords))
      return true;
    fail("expects operand " + std::to_string(i) + " to be a tensor");
    return false;
  }
  std::optional<alg::Tiler> tiler(size_t i) {
    const Meaning &m = in[i];
    if (m.kind == Kind::Tiler)
      return m.tiler;
    if (m.kind == Kind::Layout && m.layout.isPlain())
      return alg::Tiler(m.layout.layout);
    if (m.kind == Kind::Tuple)
      return alg::Tiler(m.tuple);
    return fail("expects operand " + std::to_string(i) + " to be a layout, a shape or a tile");
  }
  static Meaning ofTuple(alg::IntTuple tuple) {
    Meaning result;
    result.kind = Kind::Tuple;
    result.tuple = std::move(tuple);
    return result;
  }
  std::optional<Meaning> ofTuple(std::optional<alg::IntTuple> tuple) {
    if (!tuple)
      return fail("tuples " + in[0].tuple.toString() + " and " + in[1].tuple.toString() + " do not fit");
    return ofTuple(*tuple);
  }
  Meaning ofLayout(alg::ComposedLayout layout) {
    Meaning result;
    result.kind = Kind::Layout;
    result.layout = std::move(layout);
    return result;
  }
  /// Operand i with another layout: a tensor stays one, at the same address or `offset` elements behind it.
  std::optional<Meaning> with(size_t i, const std::optional<alg::Layout> &layout, const alg::IntTuple &offset = 0) {
    if (!layout)
      return std::nullopt;
    Meaning result = in[i];
    result.layout.layout = *layout;
    if (result.kind == Kind::Coords) {
      result.layout.offset = sum(result.layout.offset, offset);
      return result;
    }
    if (!offset.isLeaf())
      return fail(result.kind == Kind::Tensor ? "a tensor of coordinates has no address"
                                              : "a part of a layout of coordinates is no layout");
    if (result.kind == Kind::Tensor) {
      result.base = int(i);
      // Below a swizzle an offset cannot be moved into the address.
      if (result.layout.swizzle.isNone())
        result.offset = offset.asInt();
      else
        result.layout.offset = alg::IntTuple(result.layout.offset.asInt() + offset.asInt());
    } else if (!offset.asInt().is(0)) {
      result.layout.offset = alg::IntTuple(result.layout.offset.asInt() + offset.asInt());
    }
    return result;
  }
  /// Of coordinates; a shorter one has zeros behind it.
  static alg::IntTuple sum(const alg::IntTuple &coord, const alg::IntTuple &step) {
    if (step.isLeaf())
      return step.asInt().is(0) ? coord : alg::IntTuple(alg::Int::invalid());
    std::vector<alg::IntTuple> components;
    for (int i = 0; i < coord.rank(); ++i)
      components.push_back(i < step.rank() ? alg::IntTuple(coord.mode(i).asInt() + step.mode(i).asInt())
                                           : coord.mode(i));
    return alg::IntTuple(std::move(components));
  }
  /// fn(layout, tiler) for operations of this form.
  std::optional<Meaning> tiled(std::optional<alg::Layout> (*fn)(const alg::Layout &, const alg::Tiler &,
                                                                std::string *)) {
    if (!expectCount(2, 2) || !hasLayout(0))
      return std::nullopt;
    std::optional<alg::Tiler> by = tiler(1);
    return by ? with(0, fn(in[0].layout.layout, *by, &error)) : std::nullopt;
  }
  std::optional<Meaning> elementwise(alg::IntOp kind) {
    if (!expectCount(2, 2) || !hasTuple(0) || !hasTuple(1))
      return std::nullopt;
    return ofTuple(alg::elementwise(kind, in[0].tuple, in[1].tuple));
  }
  std::optional<Meaning> makeTuple() {
    std::vector<alg::IntTuple> parts;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!hasTuple(i))
        return std::nullopt;
      parts.push_back(in[i].tuple);
    }
    return ofTuple(parts.size() == 1 ? parts.front() : alg::IntTuple(std::move(parts)));
  }
  std::optional<Meaning> product(bool raked) {
    if (!expectCount(2, 2) || !hasLayout(0) || !hasLayout(1))
      return std::nullopt;
    const alg::Layout &a = in[0].layout.layout, &b = in[1].layout.layout;
    return with(0, raked ? alg::rakedProduct(a, b, &error) : alg::blockedProduct(a, b, &error));
  }
  std::optional<Meaning> sliced(size_t tensor, const alg::IntTuple &coord, const alg::Layout &layout) {
    auto part = alg::slice(coord, layout, &error);
    return part ? with(tensor, part->first, part->second) : std::nullopt;
  }
  std::optional<Meaning> part(const std::optional<ThreadPart> &thread, size_t tensor) {
    return thread ? with(tensor, thread->layout, thread->offset) : std::nullopt;
  }
  std::optional<Meaning> select(ArrayRef<int64_t> modes);
  /// As getMmaFragment calls it; 0 if there is no such operand.
  static char operandOf(StringRef name) {
    if (name == "A" || name == "B" || name == "C" || name == "E")
      return name[0];
    return name == "SFA" ? 'S' : name == "SFB" ? 'T' : 0;
  }

  Operation *op;
  ArrayRef<Meaning> in;
  std::string &error;
};
} // namespace

std::optional<Meaning> Evaluator::select(ArrayRef<int64_t> modes) {
  if (!expectCount(1, 1))
    return std::nullopt;
  int rank = in[0].kind == Kind::Tuple ? in[0].tuple.rank() : in[0].layout.layout.rank();
  for (int64_t mode : modes)
    if (mode < 0 || mode >= rank)
      return fail("mode " + std::to_string(mode) + " is not one of " + std::to_string(rank));
  auto pick = [&](const alg::IntTuple &from) {
    std::vector<alg::IntTuple> parts;
    for (int64_t mode : modes)
      parts.push_back(from.mode(int(mode)));
    return alg::IntTuple(std::move(parts));
  };
  if (in[0].kind == Kind::Tuple)
    return ofTuple(pick(in[0].tuple));
  if (!hasLayout(0))
    return std::nullopt;
  const alg::Layout &layout = in[0].layout.layout;
  return with(0, alg::Layout(pick(layout.shape), pick(layout.stride)));
}

std::optional<Meaning> Evaluator::run() {
  using Result = std::optional<Meaning>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<MakeShapeOp, MakeStrideOp, MakeCoordOp, MakeIntTupleOp, MakeTupleOp>([&](auto) { return makeTuple(); })
      .Case([&](ToIntTupleOp) -> Result {
        if (!expectCount(1, 1) || !hasTuple(0))
          return std::nullopt;
        return in[0].tuple.hasAny() ? Result(fail("_ is no integer")) : ofTuple(in[0].tuple);
      })
      .Case([&](MakeTileOp) -> Result {
        std::vector<alg::Tiler> modes;
        for (size_t i = 0; i < in.size(); ++i) {
          std::optional<alg::Tiler> mode = tiler(i);
          if (!mode)
            return std::nullopt;
          modes.push_back(*mode);
        }
        Meaning result;
        result.kind = Kind::Tiler;
        result.tiler = alg::Tiler(std::move(modes));
        return result;
      })
      .Case<MakeLayoutOp, MakeLayoutRawOp>([&](auto) -> Result {
        if (!expectCount(1, 2) || !hasTuple(0) || (in.size() == 2 && !hasTuple(1)))
          return std::nullopt;
        if (in.size() == 1)
          return ofLayout(alg::Layout(in[0].tuple));
        if (!alg::congruent(in[0].tuple, in[1].tuple))
          return fail("shape " + in[0].tuple.toString() + " and stride " + in[1].tuple.toString() +
                      " differ in profile");
        return ofLayout(alg::Layout(in[0].tuple, in[1].tuple));
      })
      .Case([&](MakeIdentityLayoutOp) -> Result {
        if (!expectCount(1, 1) || !hasTuple(0))
          return std::nullopt;
        return ofLayout(alg::makeIdentityLayout(in[0].tuple));
      })
      .Case([&](MakeIdentityTensorOp) -> Result {
        if (!expectCount(1, 1) || !hasTuple(0))
          return std::nullopt;
        if (in[0].tuple.depth() != 1)
          return fail("expects a flat shape of one mode or more, got " + in[0].tuple.toString());
        Meaning result;
        result.kind = Kind::Coords;
        alg::IntTuple origin = in[0].tuple.map([](const alg::Int &) { return alg::Int(0); });
        result.layout = alg::ComposedLayout({}, origin, alg::makeIdentityLayout(in[0].tuple));
        return result;
      })
      .Case([&](MakeOrderedLayoutOp) -> Result {
        if (!expectCount(2, 2) || !hasTuple(0) || !hasTuple(1))
          return std::nullopt;
        std::optional<alg::Layout> layout = alg::makeOrderedLayout(in[0].tuple, in[1].tuple, &error);
        return layout ? Result(ofLayout(*layout)) : std::nullopt;
      })
      .Case([&](MakeComposedLayoutOp) -> Result {
        if (!expectCount(3, 3) || !has(0, Kind::Swizzle, "a swizzle") || !hasTuple(1) || !hasLayout(2))
          return std::nullopt;
        if (!in[2].layout.isPlain() || !in[1].tuple.isLeaf())
          return fail("expects an integer as offset and a layout without swizzle");
        return ofLayout(alg::ComposedLayout(in[0].swizzle, in[1].tuple, in[2].layout.layout));
      })
      .Case<GetShapeOp, GetStrideOp>([&](auto get) -> Result {
        if (!expectCount(1, 1) || !hasLayout(0))
          return std::nullopt;
        bool shape = isa<GetShapeOp>(get.getOperation());
        return ofTuple(shape ? in[0].layout.layout.shape : in[0].layout.layout.stride);
      })
      .Case([&](GetLayoutOp) -> Result {
        if (!expectCount(1, 1) || !has(0, Kind::Tensor, "a tensor"))
          return std::nullopt;
        return ofLayout(in[0].layout);
      })
      .Case([&](GetIterOp) -> Result {
        if (!expectCount(1, 1) || !has(0, Kind::Tensor, "a tensor"))
          return std::nullopt;
        Meaning result = in[0];
        result.kind = Kind::Pointer;
        result.base = 0;
        return result;
      })
      .Case([&](SizeOp size) -> Result {
        if (!expectCount(1, 1) || (in[0].kind != Kind::Tuple && !hasLayout(0)))
          return std::nullopt;
        const alg::IntTuple &shape = in[0].kind == Kind::Tuple ? in[0].tuple : in[0].layout.layout.shape;
        if (!size.getMode())
          return ofTuple(alg::IntTuple(alg::size(shape)));
        int64_t mode = *size.getMode();
        if (mode < 0 || mode >= shape.rank())
          return fail("mode " + std::to_string(mode) + " is not one of " + std::to_string(shape.rank()));
        return ofTuple(alg::IntTuple(alg::size(shape.mode(int(mode)))));
      })
      .Case([&](CosizeOp) -> Result {
        if (!expectCount(1, 1) || !hasLayout(0))
          return std::nullopt;
        return ofTuple(alg::IntTuple(alg::cosize(in[0].layout.layout)));
      })
      .Case([&](Crd2IdxOp) -> Result {
        if (!expectCount(2, 2) || !hasTuple(0) || !hasLayout(1))
          return std::nullopt;
        if (in[0].tuple.hasAny())
          return fail("the coordinate " + in[0].tuple.toString() + " is not one place");
        if (in[1].kind == Kind::Coords)
          return ofTuple(sum(in[1].layout.offset, alg::crd2idx(in[0].tuple, in[1].layout.layout)));
        if (in[1].layout.isPlain())
          return ofTuple(alg::crd2idx(in[0].tuple, in[1].layout.layout));
        std::optional<alg::Int> index = alg::crd2idx(in[0].tuple, in[1].layout);
        if (!index)
          return fail("the layout " + in[1].layout.toString() + " has no offset at " + in[0].tuple.toString());
        return ofTuple(alg::IntTuple(*index));
      })
      .Case([&](SliceOp) -> Result {
        if (!expectCount(2, 2) || !hasLayout(0) || !hasTuple(1))
          return std::nullopt;
        return sliced(0, in[1].tuple, in[0].layout.layout);
      })
      .Case([&](SelectOp select) -> Result { return this->select(select.getModes()); })
      .Case([&](GroupModesOp group) -> Result {
        if (!expectCount(1, 1))
          return std::nullopt;
        int begin = int(group.getBegin()), end = int(group.getEnd());
        if (in[0].kind == Kind::Tuple) {
          std::optional<alg::IntTuple> tuple = alg::groupModes(in[0].tuple, begin, end, &error);
          return tuple ? Result(ofTuple(*tuple)) : std::nullopt;
        }
        return hasLayout(0) ? with(0, alg::groupModes(in[0].layout.layout, begin, end, &error)) : std::nullopt;
      })
      .Case([&](CoalesceOp) -> Result {
        if (!expectCount(1, 2) || !hasLayout(0) || (in.size() == 2 && !hasTuple(1)))
          return std::nullopt;
        const alg::Layout &layout = in[0].layout.layout;
        return with(0,
                    in.size() == 1 ? std::optional(alg::coalesce(layout)) : alg::coalesce(layout, in[1].tuple, &error));
      })
      .Case([&](FilterZerosOp) -> Result {
        return expectCount(1, 1) && hasLayout(0) ? with(0, alg::filterZeros(in[0].layout.layout)) : std::nullopt;
      })
      .Case([&](CompositionOp) { return tiled(alg::composition); })
      .Case([&](ComplementOp) -> Result {
        if (!expectCount(2, 2) || !hasLayout(0) || !hasTuple(1))
          return std::nullopt;
        std::optional<alg::Layout> rest = alg::complement(in[0].layout.layout, alg::size(in[1].tuple), &error);
        return rest ? Result(ofLayout(*rest)) : std::nullopt;
      })
      .Case<RightInverseOp, LeftInverseOp>([&](auto inverse) -> Result {
        if (!expectCount(1, 1) || !hasLayout(0))
          return std::nullopt;
        bool right = isa<RightInverseOp>(inverse.getOperation());
        if (!in[0].layout.isPlain())
          return fail(std::string("unable to compute a ") + (right ? "right" : "left") + " inverse for input " +
                      in[0].layout.toString());
        std::optional<alg::Layout> result =
            right ? alg::rightInverse(in[0].layout.layout, &error) : alg::leftInverse(in[0].layout.layout, &error);
        return result ? Result(ofLayout(*result)) : std::nullopt;
      })
      .Case([&](RecastLayoutOp cast) -> Result {
        if (!expectCount(1, 1) || !has(0, Kind::Layout, "a layout"))
          return std::nullopt;
        if (!in[0].layout.isPlain())
          return fail("expects a layout without swizzle");
        return with(0, alg::recast(in[0].layout.layout, int64_t(cast.getFrom()), int64_t(cast.getTo()), &error));
      })
      .Case([&](LogicalDivideOp) { return tiled(alg::logicalDivide); })
      .Case([&](ZippedDivideOp) { return tiled(alg::zippedDivide); })
      .Case([&](TiledDivideOp) { return tiled(alg::tiledDivide); })
      .Case([&](FlatDivideOp) { return tiled(alg::flatDivide); })
      .Case([&](LogicalProductOp) { return tiled(alg::logicalProduct); })
      .Case([&](ZippedProductOp) { return tiled(alg::zippedProduct); })
      .Case([&](TiledProductOp) { return tiled(alg::tiledProduct); })
      .Case([&](FlatProductOp) { return tiled(alg::flatProduct); })
      .Case([&](BlockedProductOp) { return product(false); })
      .Case([&](RakedProductOp) { return product(true); })
      .Case([&](StencilDivideOp) -> Result {
        if (!expectCount(3, 3) || !hasLayout(0) || !hasTuple(1) || !hasTuple(2))
          return std::nullopt;
        return with(0, alg::stencilDivide(in[0].layout.layout, in[1].tuple, in[2].tuple, &error));
      })
      .Case([&](TileToShapeOp) -> Result {
        if (!expectCount(2, 3) || !has(0, Kind::Layout, "a layout") || !hasTuple(1) || (in.size() == 3 && !hasTuple(2)))
          return std::nullopt;
        std::vector<int> order;
        if (in.size() == 3)
          for (const alg::Int &key : in[2].tuple.leaves()) {
            if (!key.isStatic())
              return fail("expects a static order, got " + in[2].tuple.toString());
            order.push_back(int(key.constant()));
          }
        return with(0, alg::tileToShape(in[0].layout.layout, in[1].tuple, order, &error));
      })
      .Case([&](ShapeDivOp) -> Result {
        if (!expectCount(2, 2) || !hasTuple(0) || !hasTuple(1))
          return std::nullopt;
        std::optional<alg::IntTuple> result = alg::shapeDiv(in[0].tuple, in[1].tuple);
        if (!result)
          return fail("failed to perform a valid division of " + in[0].tuple.toString() + " by " +
                      in[1].tuple.toString());
        return ofTuple(*result);
      })
      .Case([&](CeilDivOp) -> Result {
        if (!expectCount(2, 2) || !hasTuple(0) || !hasTuple(1))
          return std::nullopt;
        return ofTuple(alg::ceilDiv(in[0].tuple, in[1].tuple));
      })
      .Case([&](TupleAddOp) { return elementwise(alg::IntOp::Add); })
      .Case([&](TupleSubOp) { return elementwise(alg::IntOp::Sub); })
      .Case([&](TupleMulOp) { return elementwise(alg::IntOp::Mul); })
      .Case([&](TupleDivOp) { return elementwise(alg::IntOp::FloorDiv); })
      .Case([&](TupleModOp) { return elementwise(alg::IntOp::Mod); })
      .Case([&](MakeViewOp) -> Result {
        if (!expectCount(2, 2) || !has(0, Kind::Pointer, "an address") || !hasLayout(1))
          return std::nullopt;
        Meaning result = in[0];
        result.kind = Kind::Tensor;
        result.base = 0;
        result.layout = in[1].layout;
        return result;
      })
      .Case([&](RecastIterOp cast) -> Result {
        if (!expectCount(1, 1) || !has(0, Kind::Pointer, "an address"))
          return std::nullopt;
        Meaning result = in[0];
        result.base = 0;
        result.element = cast.getElement();
        return result;
      })
      .Case([&](AddOffsetOp) -> Result {
        if (!expectCount(2, 2) || !has(0, Kind::Pointer, "an address") || !hasTuple(1))
          return std::nullopt;
        if (!in[1].tuple.isLeaf())
          return fail("expects an integer as offset, got " + in[1].tuple.toString());
        Meaning result = in[0];
        result.base = 0;
        result.offset = in[1].tuple.asInt();
        return result;
      })
      .Case([&](LocalTileOp) -> Result {
        if (!expectCount(3, 3) || !hasTensor(0) || !hasTuple(2))
          return std::nullopt;
        std::optional<alg::Tiler> by = tiler(1);
        std::optional<alg::Layout> divided = by ? alg::zippedDivide(in[0].layout.layout, *by, &error) : std::nullopt;
        if (!divided)
          return std::nullopt;
        auto rest = alg::slice(in[2].tuple, divided->mode(1), &error);
        if (!rest)
          return std::nullopt;
        std::vector<alg::Layout> modes = divided->mode(0).modes();
        if (in[2].tuple.hasAny())
          for (const alg::Layout &mode : rest->first.modes())
            modes.push_back(mode);
        return with(0, alg::makeLayout(modes), rest->second);
      })
      .Case([&](LocalPartitionOp) -> Result {
        if (!expectCount(3, 3) || !hasTensor(0) || !has(1, Kind::Layout, "a layout of threads") || !hasTuple(2))
          return std::nullopt;
        const alg::Layout &threads = in[1].layout.layout;
        std::vector<alg::IntTuple> extents;
        for (const alg::Layout &mode : threads.modes())
          extents.push_back(alg::IntTuple(alg::size(mode)));
        std::optional<alg::Layout> divided =
            alg::zippedDivide(in[0].layout.layout, alg::Tiler(alg::IntTuple(extents)), &error);
        std::optional<alg::Layout> where = alg::rightInverse(threads, &error);
        if (!divided || !where)
          return std::nullopt;
        if (!(alg::size(*where) == alg::size(threads)))
          return fail("unable to compute a right inverse for input " + threads.toString());
        alg::IntTuple flat = alg::crd2idx(in[2].tuple, *where);
        return with(0, divided->mode(1), alg::crd2idx(flat, divided->mode(0)));
      })
      .Case<TiledCopyPartitionSOp, TiledCopyPartitionDOp>([&](auto partition) -> Result {
        if (!expectCount(3, 3) || !hasTensor(1) || !hasTuple(2))
          return std::nullopt;
        auto copy = dyn_cast<TiledCopyType>(in[0].type);
        if (!copy || !in[2].tuple.isLeaf())
          return fail("expects a tiled copy, a tensor and the number of a thread");
        bool source = isa<TiledCopyPartitionSOp>(partition.getOperation());
        return part(partitionCopy(copy, source, in[1].layout.layout, in[2].tuple.asInt(), error), 1);
      })
      .Case([&](TiledCopyRetileOp) -> Result {
        if (!expectCount(2, 2) || !has(1, Kind::Tensor, "a tensor"))
          return std::nullopt;
        auto copy = dyn_cast<TiledCopyType>(in[0].type);
        if (!copy || !in[1].layout.isPlain())
          return fail("expects a tiled copy, and a tensor without swizzle");
        return with(1, retile(copy, in[1].layout.layout, bytesOf(in[1].element), error));
      })
      .Case([&](TiledMmaPartitionShapeOp partition) -> Result {
        if (!expectCount(2, 2) || !hasTuple(1))
          return std::nullopt;
        auto mma = dyn_cast<TiledMmaType>(in[0].type);
        StringRef operand = partition.getOperand();
        char which = operandOf(operand);
        if (!mma || !which)
          return fail(
              "expects a tiled mma, a shape, and operand A, B or C, SFA or SFB, the scales, or E, the metadata");
        std::optional<ThreadPart> part = partitionMma(mma, which, alg::Layout(in[1].tuple), 0, error);
        return part ? Result(ofTuple(part->layout.shape)) : std::nullopt;
      })
      .Case([&](TiledMmaPartitionOp partition) -> Result {
        if (!expectCount(3, 3) || !hasTensor(1) || !hasTuple(2))
          return std::nullopt;
        auto mma = dyn_cast<TiledMmaType>(in[0].type);
        StringRef operand = partition.getOperand();
        if (!mma || !in[2].tuple.isLeaf())
          return fail("expects a tiled mma, a tensor and the number of a thread");
        char which = operandOf(operand);
        if (!which)
          return fail("expects operand A, B or C, SFA or SFB, the scales, or E, the metadata, got '" + operand.str() +
                      "'");
        return part(partitionMma(mma, which, in[1].layout.layout, in[2].tuple.asInt(), error), 1);
      })
      .Default([&](Operation *) -> Result { return fail("has no meaning here"); });
}

std::optional<Meaning> cute::evaluate(Operation *op, ArrayRef<Meaning> operands, std::string &error) {
  std::optional<Meaning> result = Evaluator(op, operands, error).run();
  if (!result)
    return std::nullopt;
  bool valid = result->offset.isValid();
  if (result->kind == Kind::Tuple)
    valid &= result->tuple.isValid();
  if (result->kind == Kind::Layout || result->kind == Kind::Tensor || result->kind == Kind::Coords)
    valid &= result->layout.layout.isValid() && result->layout.offset.isValid();
  if (!valid) {
    error = "a number of the result does not fit into 64 bits or is not defined";
    return std::nullopt;
  }
  if ((result->kind == Kind::Pointer || result->kind == Kind::Tensor) && !result->offset.is(0))
    result->alignment = std::gcd(result->alignment, result->offset.divisor() * bytesOf(result->element));
  return result;
}

std::optional<Meaning> cute::evaluate(Operation *op, std::string &error) {
  SmallVector<Meaning, 4> operands;
  unsigned next = 0;
  for (Value operand : op->getOperands())
    operands.push_back(describe(operand.getType(), next));
  return evaluate(op, operands, error);
}
