//===- ExtractThroughShared.cpp - tileas-extract-through-shared -----------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-extract-through-shared: a small slice of a large tile, read from where the tile lies in shared memory:
//
//     %t = convert_layout %v                          %m = alloc_tensor : shared, slice after slice
//     %s = extract_slice %t[%i]             ->        copy %v, %m
//                                                     %p = extract_slice %m[%i & (count - 1)]
//                                                     %s = convert_layout %p
//
// In registers each thread would have to hold all that its elements of the slice may be, and choose: of a tile of 2048,
// 2047 more than it needs. The tile goes through shared memory to get there, too.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "tileiras/Remark/Remark.h"
#include "tileiras/Support/LayoutBuilders.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_EXTRACTTHROUGHSHAREDPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct ExtractThroughSharedPass : nv_tileas::impl::ExtractThroughSharedPassBase<ExtractThroughSharedPass> {
  /// Registers of a thread for all that it chooses from, above which shared memory is asked: there have to be some
  /// for the rest. With fewer, a table that says where a loop loads from leaves the loop to the rings.
  static constexpr int64_t kMany = 128;

  static int64_t wordsOfThread(RankedTensorType type) {
    // Narrow elements have a register each.
    return llvm::divideCeil(getStorageBytes(type.getElementType()), 4)
           << getLinearLayout(type).inBits(tileiras::kRegister);
  }

  /// Whole bytes, as they lie in shared memory.
  static bool hasPlace(Type element) {
    return element.isIntOrFloat() && (element.getIntOrFloatBitWidth() >= 8 || element.isInteger(1));
  }

  /// The tile that a slice is taken from, as it was before it was laid out for that; null if it
  /// stays in registers.
  Value tileOf(ExtractSliceOp slice, int64_t room) {
    auto source = cast<RankedTensorType>(slice.getSource().getType());
    if (!isIn(source, MemoryKind::Registers) || !hasPlace(source.getElementType()) ||
        !llvm::all_of(slice.getIndices(), [](Value index) { return index.getType().isInteger(32); }))
      return nullptr;
    Value tile = slice.getSource();
    if (auto convert = tile.getDefiningOp<ConvertLayoutOp>())
      tile = convert.getSource();
    auto held = cast<RankedTensorType>(tile.getType());
    int64_t wanted = wordsOfThread(source);
    if (!isIn(held, MemoryKind::Registers) || wanted <= kMany || wanted <= 2 * wordsOfThread(held) ||
        getLinearLayout(held).inBits(tileiras::kBlock) != 0)
      return nullptr; // of blocks of a cluster each has a part
    int64_t bytes = source.getNumElements() * getStorageBytes(source.getElementType());
    if (bytes <= room)
      return tile;
    tileiras::remarks::missed(slice, tileiras::remarks::kMemory, "ExtractThroughShared")
        << tileiras::remarks::figure("Bytes", bytes) << tileiras::remarks::figure("Room", room)
        << tileiras::remarks::because("the tile has no room in shared memory: threads choose among registers");
    return nullptr;
  }

  void rewrite(ExtractSliceOp slice, Value tile) {
    OpBuilder builder(slice);
    Location loc = slice.getLoc();
    auto type = cast<RankedTensorType>(tile.getType()), part = cast<RankedTensorType>(slice.getType());
    std::vector<int32_t> extents, counts, order;
    SmallVector<Value> indices;
    for (int d = 0; d < type.getRank(); ++d) {
      extents.push_back(int32_t(part.getDimSize(d)));
      counts.push_back(int32_t(type.getDimSize(d) / part.getDimSize(d)));
      order.push_back(int32_t(type.getRank()) - 1 - d);
      // Beyond the tile any slice will do, as long as it lies in it.
      Value mask = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(counts.back() - 1));
      indices.push_back(arith::AndIOp::create(builder, loc, slice.getIndices()[d], mask));
    }
    tileiras::LinearLayout one = tileiras::sharedLayout(extents, order);
    auto shared = [&](RankedTensorType of, const tileiras::LinearLayout &layout) {
      return withLayout(of, getSharedLayoutAttr(builder.getContext(), layout));
    };
    auto widest = AtomPlanAttr::get(builder.getContext(), /*tag=*/1, /*vectorBytes=*/16);
    // Slices of one tile and shape in a block are read from one place, that the first of them fills.
    Value &memory = places[{tile, slice->getBlock(), part.getShape()}];
    if (!memory) {
      RankedTensorType place = shared(type, one * tileiras::sharedLayout(counts, order));
      memory = AllocTensorOp::create(builder, loc, place, IntegerAttr());
      CopyOp::create(builder, loc, Type(), tile, memory, widest, UnitAttr());
    }
    Value there = ExtractSliceOp::create(builder, loc, shared(part, one), memory, indices);
    slice.replaceAllUsesWith(ConvertLayoutOp::create(builder, loc, part, there, widest, UnitAttr()).getResult());
    Operation *convert = slice.getSource().getDefiningOp();
    slice->erase();
    if (convert && isOpTriviallyDead(convert))
      convert->erase();
  }

  DenseMap<std::tuple<Value, Block *, ArrayRef<int64_t>>, Value> places;

  void runOnOperation() override {
    places.clear();
    int64_t room = SharedMemory(getOperation()).roomToKeep();
    SmallVector<std::pair<ExtractSliceOp, Value>> slices;
    getOperation().walk([&](ExtractSliceOp slice) {
      if (Value tile = tileOf(slice, room))
        slices.push_back({slice, tile});
    });
    for (auto [slice, tile] : slices) {
      tileiras::remarks::passed(slice, tileiras::remarks::kMemory, "ExtractThroughShared")
          << tileiras::remarks::figure("Elements", wordsOfThread(cast<RankedTensorType>(slice.getSource().getType())))
          << tileiras::remarks::because("each thread would choose among so many elements in registers");
      ++numSlices;
      rewrite(slice, tile);
    }
  }
};

} // namespace
