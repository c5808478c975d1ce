//===- Contract.h - What each nvgpu operation needs -------------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// contract.json, compiled in: on which targets and from which PTX version on an operation exists. A row is an operation
// or a form of one; an operation needs every row whose condition holds for it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_NVGPU_CONTRACT_H
#define TILEIRAS_DIALECT_NVGPU_CONTRACT_H

#include "mlir/IR/Operation.h"
#include "tileiras/Support/LoweringFacts.h"
#include <optional>
#include <string>

namespace tileiras {

/// A chip's name taken apart: sm_90a is 90 and 'a'.
struct Chip {
  int number = 0;
  char suffix = 0; ///< 'a', 'f' or 0

  static std::optional<Chip> parse(llvm::StringRef name);
  std::string str() const;
};

/// One way to have an operation. Without a suffix: on this chip and all later ones. 'a': on exactly this one. 'f': on
/// the later chips of its family, in their `a` and `f` forms (PTX ISA, "Target directive").
struct Floor {
  Chip chip;
  int ptxVersion; ///< times ten

  bool covers(Chip target) const;
};

struct ContractRow {
  llvm::StringLiteral op, form;
  bool (*applies)(mlir::Operation *); ///< null: always
  llvm::ArrayRef<Floor> floors;       ///< empty: needs nothing (host code)
};

llvm::ArrayRef<ContractRow> contractRows();

/// "8.3" to 83; nothing if it is no version.
std::optional<int> parsePtxVersion(llvm::StringRef text);

/// Attribute with which nvgpu-verify-target notes on a gpu.module what it is compiled for; kPtxVersionAttr
/// (Support/LoweringFacts.h) says which PTX version, times ten, its operations need.
inline constexpr const char *kChipAttr = "nvgpu.chip";
/// On a gpu.module, once its needs are on record (tileir-record-ptx-needs): whether there are products of warpgroups.
/// kPtxVersionAttr then has the version that all operations need.
inline constexpr const char *kAsyncProductsAttr = "nvgpu.async_products";

/// On an argument of a kernel that is a tensor map's descriptor: the 128 bytes are the parameter, not their address.
inline constexpr const char *kGridConstantAttr = "nvgpu.grid_constant";

/// On nvgpu.tma.async.load and .store: the L2 cache policy, an i64.
inline constexpr const char *kCacheHintAttr = "nvgpu.l2_cache_hint";

/// What is missing for `op` on `target`, reported at `op`; a ptxVersion of 0 is not checked. On success `needs` is
/// raised to the PTX version that the operation needs there.
mlir::LogicalResult checkAvailability(mlir::Operation *op, Chip target, int ptxVersion, int &needs);

} // namespace tileiras

#endif // TILEIRAS_DIALECT_NVGPU_CONTRACT_H
