//===- FunctionPatterns.cpp - Entries, returns, assert, print, casts ------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "tileiras/Dialect/TileAA/IR/WarpHints.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;
namespace aa = mlir::nv_tileaa;

/// Whether a loop multiplies, reduces rows of the sums and multiplies again, 128 rows at a time, in tensor memory: as
/// attention does. With four warps each thread has a row, so no warp needs what another one has, and two blocks may
/// share a multiprocessor: one computes while the tensor core multiplies for the other one. `share`: words of a tile
/// that a thread can have then.
static bool hasRowsOfThreads(ct::EntryOp entry, const tileiras::TargetInfo &target, int64_t share) {
  constexpr int64_t rows = 128;
  auto isSuchLoop = [&](Block &body) {
    int64_t products = 0, reductions = 0;
    for (Operation &op : body) {
      if (auto reduce = dyn_cast<ct::ReduceOp>(op)) {
        auto tile = dyn_cast<ct::TileType>(reduce->getOperand(0).getType());
        reductions += tile && tile.getRank() == 2 && tile.getShape()[0] == rows && reduce.getDim() == 1;
      }
      auto product = dyn_cast<ct::MmaFOp>(op);
      if (!product)
        continue;
      auto sums = cast<ct::TileType>(product.getType());
      auto factor = cast<ct::TileType>(product.getLhs().getType());
      ++products;
      if (sums.getRank() != 2 || sums.getShape()[0] != rows || sums.getShape()[1] > share ||
          factor.getElementType().getIntOrFloatBitWidth() != 16)
        return false;
    }
    return products == 2 && reductions;
  };
  bool found = false;
  // Loops are those of cuda_tile, or of the next dialect already.
  entry.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= op != entry && isSuchLoop(block);
  });
  return found && target.hasTcgen05();
}

/// Warps for a kernel that does not say: four, more where a thread of four would hold over 64 registers of one tile,
/// and eight where all that is alive together does not fit into four. Eight warps already reach the whole register
/// file; further ones make each thread's share, and its code, smaller. Accumulators of matrix products like large
/// shares, since operands are read once per warp.
static int64_t warpsForTiles(ct::EntryOp entry, const tileiras::TargetInfo &target) {
  constexpr int64_t least = 4, reachAll = 8, most = 32, mostForProducts = 8, share = 64;
  int64_t words = 0;
  bool products = false;
  entry.walk([&](Operation *op) {
    products |= isa<ct::MmaFOp, ct::MmaIOp, ct::MmaFScaledOp>(op);
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<ct::TileType>(type)) {
        Type element = tile.getElementType();
        bool wide = isa<ct::PointerType>(element) || element.getIntOrFloatBitWidth() > 32;
        words = std::max(words, tile.getNumElements() * (wide ? 2 : 1));
      }
  });
  int64_t warps = least;
  if (hasRowsOfThreads(entry, target, 2 * share))
    return warps;
  while (warps < (products ? mostForProducts : most) && words > warps * 32 * share)
    warps *= 2;
  int64_t alive = aa::peakLiveWords(entry.getBody(), [&](Value v) -> int64_t {
    auto tile = dyn_cast<ct::TileType>(v.getType());
    // Computed again where they are used, or the registers of their source.
    if (!tile || isa<ct::PointerType>(tile.getElementType()) ||
        isa_and_nonnull<ct::ConstantOp, ct::IotaOp, ct::BroadcastOp, ct::ReshapeOp>(v.getDefiningOp()))
      return 0;
    return aa::wordsOf(tile.getNumElements(), tile.getElementType(), products);
  });
  while (warps < reachAll && alive > aa::roomForTiles(warps, 1, products ? aa::Products::Direct : aa::Products::None,
                                                      target.registersPerSm, target.maxRegistersPerThread))
    warps *= 2;
  return warps;
}

/// Whether two agents of four warps can have every other tile block: there is one product, and no tile is larger than
/// the sums that four warps can hold beside what they compute of them.
static bool canAlternate(ct::EntryOp entry) {
  constexpr int64_t most = 128 * 128;
  int64_t products = 0, elements = 0;
  entry.walk([&](Operation *op) {
    products += isa<ct::MmaFOp, ct::MmaIOp, ct::MmaFScaledOp>(op);
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<ct::TileType>(type))
        elements = std::max(elements, tile.getNumElements());
  });
  return products == 1 && elements <= most;
}

/// Elements of the largest tile.
static int64_t largestTile(ct::EntryOp entry) {
  int64_t most = 0;
  entry.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<ct::TileType>(type))
        most = std::max(most, tile.getNumElements());
  });
  return most;
}

namespace {

struct EntryPattern : OpConversionPattern<ct::EntryOp> {
  EntryPattern(const TileTypeConverter &types, MLIRContext *mlirContext, const Context &context)
      : OpConversionPattern(types, mlirContext), context(context) {}

  LogicalResult matchAndRewrite(ct::EntryOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getArgumentTypes().size());
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      Type converted = typeConverter->convertType(type);
      if (!converted)
        return rewriter.notifyMatchFailure(op, "argument type");
      signature.addInputs(i, converted);
    }
    auto type = rewriter.getFunctionType(signature.getConvertedTypes(), {});
    SmallVector<NamedAttribute> attributes;
    attributes.emplace_back(rewriter.getStringAttr(aa::kKernelSpecAttr), kernelSpec(op));
    if (std::optional<int64_t> occupancy = hint(op, &ct::OptimizationHintsAttr::getOccupancy))
      attributes.emplace_back(rewriter.getStringAttr(aa::kOccupancyAttr), rewriter.getI32IntegerAttr(*occupancy));
    if (hint(op, &ct::OptimizationHintsAttr::getNumWorkerWarpsPerCTA))
      attributes.emplace_back(rewriter.getStringAttr(aa::kHintedWarpsAttr), rewriter.getUnitAttr());

    auto func = aa::FuncOp::create(rewriter, op.getLoc(), op.getSymName(), type, attributes);
    if (ArrayAttr argAttrs = op.getArgAttrsAttr())
      if (llvm::any_of(argAttrs.getAsRange<DictionaryAttr>(), [](DictionaryAttr d) { return !d.empty(); }))
        func.setArgAttrsAttr(argAttrs);
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.getBody().end());
    rewriter.applySignatureConversion(&func.getBody().front(), signature, typeConverter);
    rewriter.eraseOp(op);
    return success();
  }

private:
  std::optional<int64_t> hint(ct::EntryOp op,
                              std::optional<int64_t> (ct::OptimizationHintsAttr::*get)(StringRef) const) const {
    ct::OptimizationHintsAttr hints = op.getOptimizationHintsAttr();
    return hints ? (hints.*get)(context.hintKey()) : std::nullopt;
  }

  /// Hints of the entry, else the pass options. Targets without clusters have one CTA.
  aa::KernelSpecAttr kernelSpec(ct::EntryOp op) const {
    std::optional<int64_t> hinted = hint(op, &ct::OptimizationHintsAttr::getNumWorkerWarpsPerCTA);
    constexpr int64_t warpsOfTwo = 4; // of each of two agents
    bool alternates = !hinted && !context.numWarps && context.alternate && canAlternate(op);
    int64_t warps = hinted             ? *hinted
                    : context.numWarps ? context.numWarps
                    : alternates       ? warpsOfTwo
                                       : warpsForTiles(op, *context.target);
    // So few threads could not hold the largest tile, whatever was asked for.
    constexpr int64_t mostPerThread = 1024, mostWarps = 32;
    int64_t asked = warps, elements = largestTile(op);
    while (warps < mostWarps && elements > warps * 32 * mostPerThread)
      warps *= 2;
    namespace remarks = ::tileiras::remarks;
    if (warps != asked)
      remarks::missed(op, remarks::kResources, "Warps")
          << remarks::figure("Warps", warps) << remarks::figure("Asked", asked)
          << remarks::figure("LargestTile", elements)
          << remarks::because("a thread holds at most " + Twine(mostPerThread) + " elements of a tile");
    else
      remarks::analysis(op, remarks::kResources, "Warps")
          << remarks::figure("Warps", warps) << remarks::figure("LargestTile", elements)
          << remarks::because(hinted             ? "the kernel's hint"
                              : context.numWarps ? "asked for on the command line"
                              : alternates       ? "two agents are to have every other tile block"
                                                 : "four, or as many as the largest tile takes");
    int64_t ctas = hint(op, &ct::OptimizationHintsAttr::getNumCTAInCGA).value_or(context.numCTAs);
    if (!context.target->clusters)
      ctas = 1;
    return aa::KernelSpecAttr::get(op.getContext(), warps, ctas, 1, 1, ctas);
  }

  const Context &context;
};

struct ReturnPattern : OpConversionPattern<ct::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

struct AssertPattern : OpConversionPattern<ct::AssertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::AssertOp>(op, adaptor.getCondition(), op.getMessageAttr());
    return success();
  }
};

/// The token operand is dropped: print touches memory as far as MLIR knows, so program order is kept.
struct PrintPattern : OpConversionPattern<ct::PrintTkoOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ct::PrintTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> arguments;
    for (Value argument : adaptor.getArgs())
      arguments.push_back(widenToPlain(rewriter, op.getLoc(), argument));
    rewriter.replaceOpWithNewOp<aa::PrintOp>(op, aa::MemTokenType::get(op.getContext()), op.getStrAttr(), arguments);
    return success();
  }
};

/// The casts between tile<i1> and i1 that structurizeControlFlow left: one type by now.
struct CastPattern : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getInputs().size() != 1 || op.getNumResults() != 1 ||
        typeConverter->convertType(op.getResult(0).getType()) != adaptor.getInputs().front().getType())
      return failure();
    rewriter.replaceOp(op, adaptor.getInputs());
    return success();
  }
};

} // namespace

void cudatile_to_tileaa::passNibblesAsBytes(ct::EntryOp entry) {
  Block &body = entry.getBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&body);
  Type byte = ct::TileType::get({}, b.getI8Type());
  for (BlockArgument argument : body.getArguments()) {
    auto tile = dyn_cast<ct::TileType>(argument.getType());
    if (!tile || !tile.getElementType().isInteger(4))
      continue;
    argument.setType(byte);
    auto nibble = ct::TruncIOp::create(b, entry.getLoc(), tile, argument, ct::Overflow::None);
    argument.replaceAllUsesExcept(nibble, nibble);
  }
  entry.setFunctionType(b.getFunctionType(body.getArgumentTypes(), {}));
}

void cudatile_to_tileaa::populateFunctionPatterns(const TileTypeConverter &types, RewritePatternSet &patterns,
                                                  const Context &context) {
  MLIRContext *mlir = patterns.getContext();
  patterns.add<EntryPattern>(types, mlir, context);
  patterns.add<ReturnPattern, AssertPattern, PrintPattern, CastPattern>(types, mlir);
}
