//===- ReduceAtoms.h - How lanes reduce what they have ----------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The witness of a reduction says which instruction takes the step from lane to lane. Inside of threads and from warp
// to warp the body is applied to two values at a time, whatever it says. `tileas-legalize-reduce` writes it, the
// verifier of nv_tileas.reduce compares it with body and layout, the lowering obeys.
//
//   "butterfly"  shfl.sync and the body for every bit of the lane's number: any body, any layout; so it is without a
//                witness
//   "redux"      redux.sync, one instruction for all lanes of a warp (PTX ISA, "redux.sync"): of 32-bit integers
//                (sm_80), and least and largest f32 (sm_100a), where the body is one operation that it has for each
//                tile, and each lane holds another element of the axis
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_REDUCEATOMS_H
#define TILEIRAS_DIALECT_TILEAS_IR_REDUCEATOMS_H

#include "tileiras/Dialect/TileAS/IR/TileAS.h"

namespace mlir::nv_tileas {

/// String, on nv_tileas.reduce.
inline constexpr llvm::StringLiteral kReduceAtomAttr = "nv_tileas.reduce_atom";
inline constexpr llvm::StringLiteral kButterfly = "butterfly", kRedux = "redux";

/// Unit, on nv_tileas.reduce of a tile of i1 with one dimension, whose body is `or`: the result is that of what the
/// running warp has, and may be another one in other warps. A branch on it holds nothing that warps meet for.
inline constexpr llvm::StringLiteral kOfWarpAttr = "nv_tileas.of_warp";

/// What redux.sync calls the one operation of a reduction's body for each of its tiles: "add", "smin", "smax", "umin",
/// "umax", "and", "or", "xor", "fmin", "fmax", "fmin.NaN", "fmax.NaN"; nothing if it has none such for one of them.
SmallVector<StringRef> getReduxKinds(ReduceOp reduce);

/// Nothing if redux.sync computes what the body does over the lanes of the operand's layout, else why not.
std::string whyNotRedux(ReduceOp reduce);

/// Whether the reduction's witness names redux.sync.
bool isByRedux(ReduceOp reduce);

/// The witness, if there is one, is one of the two and fits the reduction.
LogicalResult verifyReduceAtom(ReduceOp reduce);

} // namespace mlir::nv_tileas

#endif // TILEIRAS_DIALECT_TILEAS_IR_REDUCEATOMS_H
