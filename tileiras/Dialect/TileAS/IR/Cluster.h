//===- Cluster.h - What the blocks of a cluster share -----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The blocks of a cluster each have a slice of a tile block's tiles (tileas-slice-tiles). What all of them need, as the
// right operand of a product whose rows they divide, each of them fetches a part of and sends to all: by multicast
// tensor copies, which write at the same place of every block's shared memory and complete on the mbarrier there (PTX
// ISA, "cp.async.bulk.tensor", .multicast::cluster). So a stage is full when all blocks have sent their parts, and may
// be filled again when the consumers of all blocks have released it. The attributes that say so: kMulticastAttr,
// kClusterRingAttr, kCtaPairAttr (Attributes.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_CLUSTER_H
#define TILEIRAS_DIALECT_TILEAS_IR_CLUSTER_H

#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Support/TmaTile.h"

namespace tileiras {
struct TargetInfo;
}

namespace mlir::nv_tileas {

/// The blocks that fill a ring or a tile together; 1 if there is one.
int32_t getBlocksTogether(Operation *ringOrLoad);

/// Multicast reaches eight blocks everywhere (CUDA: the largest cluster that is portable).
inline constexpr int32_t kMostBlocksTogether = 8;

/// Whether the target copies to several blocks as fast as to one. Elsewhere ptxas puts a call of the system beside each
/// such copy.
bool hasFastMulticast(const tileiras::TargetInfo &target);

/// The tile in as many copies, or a multiple, as `blocks`: its boxes halved until there are enough, along the dimension
/// that comes last in memory. Copies of one block follow each other. Nothing if boxes would be too small.
std::optional<tileiras::TmaTile> divideAmongBlocks(tileiras::TmaTile tile, int32_t blocks, int32_t elementBytes);

/// The part of a shared tile that each block has, as a tile of its own: the layout without its bases of blocks, which
/// stand for the last bits of coordinates. The tile itself if blocks do not divide it; nothing if they do otherwise.
std::optional<tileiras::LinearLayout> partOfBlock(const tileiras::LinearLayout &memory);
/// The tile divided between two blocks along dimension `d`: the place of the last bit of that coordinate becomes the
/// number of the block. Nothing if that bit has no place of its own.
std::optional<tileiras::LinearLayout> divideBetweenBlocks(const tileiras::LinearLayout &memory, int d);
/// Elements that each block has of a tile in shared memory.
int64_t elementsOfBlock(RankedTensorType tile);

/// Whether a value is the same in all blocks of the cluster: computed from the kernel's arguments and constants, and
/// from nothing that is read from memory or tells one block from another.
bool isSameInAllBlocks(Value value);
/// Whether all blocks come to `op` as often, in their loops and branches.
bool isRunByAllBlocks(Operation *op);

/// What made a tensor map, by way of scratch memory perhaps; null if it comes from elsewhere.
MakeTiledTmaDescOp getTensorMap(Value desc);
SmallVector<Operation *> usersOfTensorMap(MakeTiledTmaDescOp make);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_CLUSTER_H
