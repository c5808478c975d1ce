//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tiles of 16-bit elements that warps hold as a product leaves its sums go into shared memory by stmatrix, ldmatrix the
// other way round (Support/MatrixFetch.h): four matrices of 8 rows of 16 bytes with one instruction, where st writes 4
// bytes of each thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_MATRIXSTORE_H
#define TILEIRAS_DIALECT_TILEAS_IR_MATRIXSTORE_H

#include "mlir/IR/BuiltinTypes.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/MatrixFetch.h"

namespace mlir::nv_tileas {

/// Unit, on arith.truncf from f32 to 16 bits: neighbouring registers are converted together, into the word that
/// stmatrix writes, wherever that is. Conversions one by one, of sums that are stored in another block of operations,
/// ptxas 13.0 takes for reads of products under way, which it then does one after the other (C7514).
inline constexpr llvm::StringLiteral kInPairsAttr = "nv_tileas.in_pairs";

/// A copy atom, on convert_layout from shared memory: what reads the tile. Of bytes: ldmatrix, and prmt
/// (Support/ByteTurn.h).
///
///     %x = nv_tileas.convert_layout %tile {nv_tileas.load_atom = #nv_tileas.ldsm<matrices = 4, transposed>} : ...
inline constexpr llvm::StringLiteral kLoadAtomAttr = "nv_tileas.load_atom";

/// The matrices that stmatrix writes of a tile in registers. Nothing if its layout is not made of fragments, if threads
/// hold copies, or if elements do not have 16 bits.
std::optional<tileiras::MatrixFetch> getMatrixStore(RankedTensorType source, bool transposed);

/// stmatrix, if it can write a tile from these registers to shared memory in the layout `memory`; else null.
StsmAttr getMatrixStoreInto(RankedTensorType held, const tileiras::LinearLayout &memory);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_MATRIXSTORE_H
