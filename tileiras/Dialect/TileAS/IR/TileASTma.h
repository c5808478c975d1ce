//===- TileASTma.h - Tensor copies (TMA) ------------------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// make_tiled_tma_desc, async.tiled_tma_load, async.tiled_tma_store, async.gather_tma_load, async.scatter_tma_store, and
// what a view has to be like for them. A header of its own: few files know them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASTMA_H
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASTMA_H

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/TmaTile.h"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASTmaOps.h.inc"

namespace tileiras {
struct TargetInfo;
}

namespace mlir::nv_tileas {

/// What #nv_tileas.tma_load, #nv_tileas.tma_im2col_load and #nv_tileas.tma_store say.
struct TmaAtom {
  ArrayRef<int32_t> box, order;
  int32_t swizzle;
  bool isLoad, isIm2col = false;
  ArrayRef<int32_t> lower = {}, upper = {}, steps = {}; ///< of im2col
  int32_t atomBytes = 16;                               ///< of the swizzle
};
/// Nothing for other atoms.
std::optional<TmaAtom> getTmaAtom(Attribute atom);

/// The atom of loads of these boxes.
TmaLoadAttr getTmaLoad(MLIRContext *context, const tileiras::TmaTile &boxes);

/// At which multiple of bytes a shared tile must start that such an atom copies.
int64_t getTmaAlignment(Attribute atom);

/// The code of the type of the tensor map that moves elements of this type (PTX ISA, "tensormap.replace"); types of 8
/// bits are bytes. Nothing where there is none. With sign or without: of words, for stores that compare them.
std::optional<int32_t> getTmaElementCode(Type element, bool isSigned = false);
/// The same for tiles of the view, which it may round.
std::optional<int32_t> getTmaElementCode(nv_tileaa::TiledViewType view, bool isSigned = false);

/// Whether a tensor store can combine elements of this type with those of memory so; whether that compares them, and
/// as numbers with sign.
bool isTensorReduction(nv_tileaa::RMWMode mode, Type element);
bool comparesNumbers(nv_tileaa::RMWMode mode);
bool needsSign(nv_tileaa::RMWMode mode);

/// The largest extent and coordinate, in elements: coordinates have 32 bits with sign, and a box that begins at the
/// largest must not leave them.
constexpr int64_t kMaxTmaExtent = 0x7FF00000;

/// Which loops TMA is to fill: TILEIR_PREFER_TMA_FOR_LOAD_STORE in the environment, `false`, nothing (or empty),
/// `true`.
enum class TmaPreference { Never, WherePays, Always };
TmaPreference getTmaPreference();

/// The dimension of the tiles whose neighbours lie side by side in global memory: its stride is the constant 1. -1 if
/// there is none.
int getDenseDimension(nv_tileaa::TiledViewType view);

/// Nothing if tensor maps can describe the view, as far as its type tells; else why not. What is known at run time only
/// (base, dynamic extents and strides) make_tiled_tma_desc looks at. What lies outside of the view matters to loads
/// only.
std::string whyNoTma(nv_tileaa::TiledViewType view, bool isLoad = true);

/// How TMA copies tiles of the view that lie in shared memory in the layout of `tile`. Nothing if it cannot, with the
/// reason.
std::optional<tileiras::TmaTile> describeTma(nv_tileaa::TiledViewType view, RankedTensorType tile,
                                             std::string *error = nullptr, bool isLoad = true);
/// The same for what threads load as yet, on the target that they are compiled for.
std::optional<tileiras::TmaTile> describeTma(AsyncTiledLoadOp load, std::string *error = nullptr);

/// Whether tensor maps of the target have the swizzle with atoms of 32 bytes (PTX ISA, "tensormap.replace",
/// .swizzle_atomicity): those of sm_120 do not.
bool hasWideAtoms(const tileiras::TargetInfo &target);

/// Copies of TMA into shared memory, which complete on an mbarrier, and out of it, which complete as a group.
bool isTensorLoad(Operation *op);
bool isTensorStore(Operation *op);
bool isTokenOfStore(Value token);
/// Whether tensor stores are among what is waited for: of its tokens, or of an earlier round.
bool waitsForStores(AsyncWaitOp wait);

/// Says on which mbarrier such a load completes; how many bytes it is.
int64_t completeOn(Operation *load, Value barrier);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASTMA_H
