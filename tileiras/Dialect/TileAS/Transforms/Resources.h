//===- Resources.h - What a kernel needs, and what a block has --*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Registers, shared memory, tensor memory and warps of a block of threads, estimated in one place. The decisions to
// slice tiles, to add warps and to lower the occupancy are made from these numbers, before tiles have layouts; so the
// model begins with the atoms that products are going to have (SelectMma.h) and asks them where operands and sums will
// be. Once tiles have layouts, SharedMemory says what they take of it and what there is.
//
//   registers       words that are alive at once, in all threads together (Dialect/TileAA/Analysis/LiveWords.h): tiles
//                   in another memory take none
//   shared memory   what products take from there and cannot take in pieces, of the product that takes most
//   tensor memory   columns of 128 x 32 bits: all sums, as they live across a whole kernel
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RESOURCES_H
#define TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RESOURCES_H

#include "tileiras/Dialect/TileAA/Analysis/LiveWords.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "tileiras/Support/TargetTable.h"

namespace mlir::nv_tileas {

/// What a kernel (or the code of an agent) needs.
struct Demand {
  int64_t registerWords = 0; ///< in all threads together
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
};

class ResourceModel {
public:
  /// The atom of a product; null if it is not known.
  using Selection = std::function<MmaAtomAttrInterface(Operation *product)>;

  /// `target` may be null (sm_80 then). Without `selection` products get the atoms of SelectMma.h.
  ResourceModel(nv_tileaa::FuncOp func, const tileiras::TargetInfo *target, Selection selection = {});

  /// The product of a kernel that has one, if a loop adds it up; null otherwise.
  nv_tileaa::DotOp getOnlyProduct() const;
  /// From now on counts of factors that warps fetch from shared memory only what two instructions take at a time: of
  /// those that cp.async brings there in runs of 16 bytes, past the registers, for nothing but products. (It takes an
  /// analysis of addresses.)
  void fetchInParts();
  /// Whether a factor is such a one.
  bool isFetchedInParts(nv_tileaa::DotOp dot, tileiras::DotOperand factor) const;
  /// Whether the elements that a product adds up lie side by side in memory, of a factor that it takes as loaded.
  bool isDenseAlongK(nv_tileaa::DotOp dot, tileiras::DotOperand factor) const;

  /// Where a tile will be. Of the sums of a product, also where a loop carries them.
  MemoryKind memoryOf(Value v) const;
  /// Words that a tile takes in the registers of all threads; none where it is cheaper to compute it again.
  int64_t words(Value v) const;

  /// What the kernel needs if each tile is divided by `part`.
  Demand demand(llvm::function_ref<int64_t(Value)> part = [](Value) { return 1; }) const;
  /// Words that more are alive at once if every element of an access has an address of its own.
  int64_t wordsOfSharedAddresses() const;

  /// Words of tiles for which `warps` warps have registers if `blocks` blocks share a multiprocessor.
  int64_t room(int64_t warps, int64_t blocks) const;
  /// Shared memory of a block, in bytes.
  int64_t sharedRoom() const { return target ? target->maxStaticShared : getSharedBytes(func); }
  /// Words that the demand comes to in registers: operands of multiply-adds that have no room in `shared` bytes of
  /// shared memory go through it in pieces and are held in registers, each element by several threads.
  static int64_t wordsWith(const Demand &demand, int64_t shared);
  /// Whether the tiles have no room in the registers of so many warps.
  bool exceeds(int64_t warps, int64_t blocks) const { return wordsWith(demand(), sharedRoom()) > room(warps, blocks); }

  bool hasProducts() const { return kind != nv_tileaa::Products::None; }

private:
  int64_t runOf(Value address) const;
  int64_t peak(llvm::function_ref<int64_t(Value)> words, llvm::function_ref<int64_t(Value)> part) const;
  void place(Value v, MemoryKind memory);
  void placeChanged(Operation *product, MmaAtomAttrInterface atom);
  void placeReadInParts(Operation *product, MmaAtomAttrInterface atom);

  nv_tileaa::FuncOp func;
  const tileiras::TargetInfo *target;
  nv_tileaa::Products kind = nv_tileaa::Products::None;
  DenseMap<Operation *, MmaAtomAttrInterface> atoms;
  DenseMap<Value, MemoryKind> elsewhere; ///< tiles that are not in registers
  DenseSet<Value> dense;                 ///< factors that are widened on their way to shared memory
  DenseMap<Value, int64_t> fetched;      ///< factors of which a thread has a part at a time: how many there are
  SmallVector<Value> sums;               ///< in tensor memory, one value each
  DenseMap<Value, int64_t> runs;         ///< of addresses: how many elements have one between them
};

/// Whether a tile is only computed to be reduced, element by element from tiles that are alive behind the reduction
/// anyway: each element is added up as it is made, and the tile is never there as a whole (PressureSchedule.h).
bool isReducedAsMade(Value tile);

/// Whether each loop with products has two of them, for 128 rows, and reductions of rows between: those of attention.
bool isAttention(ArrayRef<nv_tileaa::DotOp> products);

/// Whether the factors of a product that reads them from shared memory have room there, both at once and other tiles
/// beside them: what an atom is refused for.
bool haveSharedRoom(const tileiras::TargetInfo &target, int64_t factorElements, Type element);

/// Columns of tensor memory that a block may take if as many are to share a multiprocessor as shared memory is planned
/// for (SharedMemory::roomToKeep): a block that finds none waits for another one's end.
int64_t getTensorRoom(nv_tileaa::FuncOp func);

/// Bytes that a tile takes in shared memory.
int64_t getSharedBytes(RankedTensorType tile);

/// Shared memory of a kernel whose tiles have layouts, in bytes.
class SharedMemory {
public:
  explicit SharedMemory(nv_tileaa::FuncOp func);

  /// What a block may declare.
  int64_t room() const { return bytes; }
  /// What one conversion or reduction may take at a time; what needs more goes through it in rounds.
  int64_t piece() const { return pieceBytes; }
  /// What a block may keep without a multiprocessor having to do with fewer blocks: all there is for eight warps, which
  /// fill the register file, less for smaller blocks and where a kernel asks for several blocks at a time.
  int64_t roomToKeep() const;
  /// How many blocks that take so many bytes, and columns of tensor memory, a multiprocessor has room for at most.
  int64_t blocksWith(int64_t taken, int64_t columns) const;

  /// What is in use at once if all operands of products that come through shared memory stay there whole: those of one
  /// block of operations, and the largest of what comes and goes beside them. \p staysWhole: whether a conversion, not
  /// made yet, brings such an operand.
  int64_t demandWithOperands(Region &region, llvm::function_ref<bool(ConvertLayoutOp)> staysWhole) const;

private:
  nv_tileaa::FuncOp func;
  int64_t bytes, pieceBytes;
};

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_TRANSFORMS_RESOURCES_H
