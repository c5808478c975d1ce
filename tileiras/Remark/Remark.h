//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Remarks: what the compiler has chosen, and why. docs/remarks.md lists them.
//
// Every choice of a pass says one of
//
//   passed    the good case: a load moves 16 bytes at once
//   missed    something better exists and was not taken: a load moves 4 bytes, and the reason
//   analysis  figures without a verdict: registers, bytes of shared memory
//
// in one of a few categories, through MLIR's remark engine. Without an engine (nobody asked) nothing is computed:
//
//   if (auto remark = remarks::missed(op, remarks::kVectorise, "AccessWidth"))
//     remark << remarks::figure("Bytes", 4) << remarks::because("the row stride is odd");
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_REMARK_REMARK_H
#define TILEIRAS_REMARK_REMARK_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

namespace tileiras::remarks {

inline constexpr llvm::StringLiteral kLayout = "layout";       ///< layouts and the conversions between them
inline constexpr llvm::StringLiteral kVectorise = "vectorise"; ///< width of accesses to global memory
inline constexpr llvm::StringLiteral kMemory = "memory";       ///< shared memory, and how data get there
inline constexpr llvm::StringLiteral kProduct = "product";     ///< instructions of matrix products
inline constexpr llvm::StringLiteral kPipeline = "pipeline";   ///< overlap of loads and computation
inline constexpr llvm::StringLiteral kSchedule = "schedule";   ///< order of instructions
inline constexpr llvm::StringLiteral kSlice = "slice";         ///< tiles computed in slices, also over a cluster
inline constexpr llvm::StringLiteral kResources = "resources"; ///< warps, registers, occupancy, spills

inline constexpr llvm::StringLiteral kCategories[] = {kLayout,   kVectorise, kMemory, kProduct,
                                                      kPipeline, kSchedule,  kSlice,  kResources};

using InFlight = mlir::remark::detail::InFlightRemark;
using Argument = mlir::remark::detail::Remark::Arg;

/// Remarks at an operation, in the function that contains it. `name` must be a literal.
InFlight passed(mlir::Operation *op, llvm::StringRef category, llvm::StringRef name);
InFlight missed(mlir::Operation *op, llvm::StringRef category, llvm::StringRef name);
InFlight analysis(mlir::Operation *op, llvm::StringRef category, llvm::StringRef name);

/// Whether somebody listens, for choices whose reasons cost time to find.
inline bool enabled(mlir::MLIRContext *context) { return context->getRemarkEngine(); }

/// A figure or a name: `Bytes=16`.
template <typename T> Argument figure(llvm::StringRef key, T &&value) { return Argument(key, std::forward<T>(value)); }
/// Why.
inline Argument because(const llvm::Twine &reason) { return Argument("Reason", reason.str()); }

} // namespace tileiras::remarks

#endif // TILEIRAS_REMARK_REMARK_H
