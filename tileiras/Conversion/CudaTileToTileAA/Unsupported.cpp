//===- Unsupported.cpp - What has no lowering, and why --------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Asked about every operation before anything is changed, so that a kernel that cannot be compiled gets one
// diagnostic at the operation that is to blame, in the user's own terms.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::cudatile_to_tileaa;
namespace ct = mlir::cuda_tile;

static Type elementOf(Value tile) { return cast<ct::TileType>(tile.getType()).getElementType(); }

std::optional<std::string> cudatile_to_tileaa::whyUnsupported(Operation *op, const Context &context) {
  using Answer = std::optional<std::string>;
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes())))
    if (isa<ct::GatherScatterViewType>(type))
      return "gather/scatter views are not implemented yet";

  return llvm::TypeSwitch<Operation *, Answer>(op)
      .Case<ct::AtomicRMWTkoOp, ct::AtomicCASTkoOp, ct::AtomicRedViewTkoOp>(
          [](auto) { return "atomic operations are not implemented yet"; })
      .Case<ct::GlobalOp, ct::GetGlobalOp>([](auto) { return "global variables are not implemented yet"; })
      .Case<ct::AllocaOp>([](auto) { return "scratch memory is not implemented yet"; })
      .Case<ct::PackOp, ct::UnpackOp>([](auto) { return "packing of sub-byte elements is not implemented yet"; })
      .Case<ct::MemoryFenceAliasTkoOp>([](auto) { return "the alias fence is not implemented yet"; })
      .Case<ct::GdcWaitTkoOp, ct::GdcLaunchDependentsTkoOp>([&](auto) -> Answer {
        // Below sm_90 these do nothing (spec cuda-tile-13.4, 3).
        if (context.target->computeCapability < 90)
          return std::nullopt;
        return "dependent launches are not implemented yet";
      })
      .Case<ct::BitcastOp>([](ct::BitcastOp cast) -> Answer {
        if (elementOf(cast.getSource()).getIntOrFloatBitWidth() != elementOf(cast.getResult()).getIntOrFloatBitWidth())
          return "the bits of tf32 as another type are not implemented yet";
        return std::nullopt;
      })
      .Case<ct::IToFOp>([](ct::IToFOp cast) -> Answer {
        if (isa<FloatTF32Type>(elementOf(cast.getTo())) && elementOf(cast.getFrom()).getIntOrFloatBitWidth() > 16)
          return "a conversion of wide integers to tf32 would round twice";
        return std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}
