//===- WholeOperands.cpp - Which operands shared memory holds whole -------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/WholeOperands.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadPastRegisters.h"
#include "tileiras/Dialect/TileAS/Transforms/LoadsAhead.h"

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// A tile, in positions of a block, inclusive.
struct Tile {
  int64_t bytes, begin, end, offset = 0;
};

class Placement {
public:
  Placement(int64_t pieceBytes, function_ref<bool(ConvertLayoutOp)> staysWhole)
      : pieceBytes(pieceBytes), staysWhole(staysWhole) {}

  /// Bytes that the tiles of a block take, with all in the blocks inside of it.
  int64_t bytesOf(Block &block) const {
    SmallVector<Tile> tiles;
    DenseMap<Operation *, int64_t> positions;
    for (auto [i, op] : llvm::enumerate(block))
      positions[&op] = i;
    int64_t last = positions.size();
    for (Operation &op : block) {
      int64_t here = positions[&op];
      if (isa<AllocTensorOp>(op) && isIn(op.getResult(0).getType(), MemoryKind::Shared)) {
        bool scratch = op.hasOneUse() && isa<WithScratchOp>(*op.user_begin());
        tiles.push_back({alignedBytes(op.getResult(0)), scratch ? here : 0, scratch ? here : last});
      } else if (auto convert = dyn_cast<ConvertLayoutOp>(op); convert && staysWhole(convert)) {
        Tile tile{alignedBytes(convert.getResult()), here, here};
        // By copies past the registers, perhaps, which begin where it is loaded.
        // Those that take turns begin when it is theirs.
        if (auto load = LoadForOne::ofAny(convert.getSource()); load && !LoadForOne::takesTurns(convert.getSource()))
          if (auto found = positions.find(load->access()); found != positions.end())
            tile.begin = found->second;
        for (Operation *user : op.getUsers())
          if (Operation *there = block.findAncestorOpInBlock(*user))
            tile.end = std::max(tile.end, positions[there]);
        tiles.push_back(tile);
      } else if (convert) {
        tiles.push_back({std::min(alignedBytes(convert.getResult()), pieceBytes), here, here});
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          tiles.push_back({bytesOf(inner), here, here});
    }
    return place(tiles);
  }

private:
  static int64_t alignedBytes(Value tile) {
    return llvm::alignTo(getSharedBytes(cast<RankedTensorType>(tile.getType())), 128);
  }

  /// First fit by start of life, as SharedPlan does it.
  static int64_t place(SmallVectorImpl<Tile> &tiles) {
    llvm::stable_sort(tiles, [](const Tile &a, const Tile &b) { return a.begin < b.begin; });
    int64_t total = 0;
    for (size_t i = 0; i < tiles.size(); ++i) {
      Tile &tile = tiles[i];
      for (bool moved = true; moved;) {
        moved = false;
        for (const Tile &other : ArrayRef(tiles).take_front(i))
          if (other.begin <= tile.end && tile.begin <= other.end && tile.offset < other.offset + other.bytes &&
              other.offset < tile.offset + tile.bytes) {
            tile.offset = other.offset + other.bytes;
            moved = true;
          }
      }
      total = std::max(total, tile.offset + tile.bytes);
    }
    return total;
  }

  int64_t pieceBytes;
  function_ref<bool(ConvertLayoutOp)> staysWhole;
};

/// Whether all products that a conversion feeds fetch fragments with instructions of their own (mma.sync).
bool feedsFragments(ConvertLayoutOp op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    auto dot = dyn_cast<DotOp>(user);
    return dot && dot.getAtom() && isa<MmaAtomAttr>(Attribute(*dot.getAtom()));
  });
}

} // namespace

llvm::SmallPtrSet<Operation *, 8> nv_tileas::chooseWholeOperands(nv_tileaa::FuncOp func, const SharedMemory &shared,
                                                                 function_ref<bool(ConvertLayoutOp)> feedsProducts) {
  llvm::SmallPtrSet<Operation *, 8> whole;
  SmallVector<std::pair<int64_t, ConvertLayoutOp>> large;
  func.walk([&](ConvertLayoutOp op) {
    if (!isIn(op.getSource().getType(), MemoryKind::Registers) || !feedsProducts(op))
      return;
    if (getSharedBytes(op.getType()) <= shared.piece())
      whole.insert(op);
    else if (feedsFragments(op))
      large.push_back({wordsOf(op.getType()), op});
  });
  llvm::stable_sort(large, [](auto &a, auto &b) { return a.first > b.first; });
  auto staysWhole = [&](ConvertLayoutOp op) { return whole.contains(op); };
  Placement placement(shared.piece(), staysWhole);
  bool any = false;
  for (auto [words, op] : large) {
    whole.insert(op);
    int64_t bytes = 0;
    for (Block &block : func.getBody())
      bytes = std::max(bytes, placement.bytesOf(block));
    if (bytes <= shared.room())
      any = true;
    else
      whole.erase(op);
  }
  // Others only count for the room.
  llvm::SmallPtrSet<Operation *, 8> chosen;
  for (Operation *op : whole)
    if (any && feedsFragments(cast<ConvertLayoutOp>(op)))
      chosen.insert(op);
  return chosen;
}
