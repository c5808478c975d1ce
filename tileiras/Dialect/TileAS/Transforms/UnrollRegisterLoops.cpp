//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// tileas-unroll-register-loops: registers have no index that is only known at run time. A slice of a tile in registers
// whose place depends on a loop's counter is a choice between all slices, in every round; a loop of constant length
// that takes such slices is unrolled completely, and every choice is made here.
//
// Loops that would grow beyond kMostOperations stay, with a remark.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"
#include "tileiras/Remark/Remark.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_UNROLLREGISTERLOOPSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;
using nv_tileaa::CountedLoop;

namespace {

constexpr int64_t kMostOperations = 1024;

struct UnrollRegisterLoopsPass : nv_tileas::impl::UnrollRegisterLoopsPassBase<UnrollRegisterLoopsPass> {
  void runOnOperation() override {
    // Inner loops first: what is left of them counts for the outer ones.
    SmallVector<CountedLoop> loops;
    getOperation().walk([&](CountedLoop loop) {
      if (slicesRegisters(loop))
        loops.push_back(loop);
    });
    for (CountedLoop loop : loops)
      unroll(loop);
  }

  /// Whether a slice of a tile in registers is taken at a place that is computed from the counter.
  static bool slicesRegisters(CountedLoop loop) {
    llvm::SetVector<Value> counted;
    counted.insert(loop.getInductionVar());
    for (size_t i = 0; i < counted.size(); ++i)
      for (Operation *user : counted[i].getUsers()) {
        if (isa<nv_tileaa::ExtractSliceOp, nv_tileaa::ExtractOp, ExtractSliceOp>(user) &&
            user->getOperand(0) != counted[i] && isInRegisters(user->getOperand(0)))
          return true;
        if (isPure(user) && user->getNumRegions() == 0)
          for (Value result : user->getResults())
            if (result.getType().isIntOrIndex())
              counted.insert(result);
      }
    return false;
  }

  static bool isInRegisters(Value tile) {
    return getMemory(tile.getType()).value_or(MemoryKind::Registers) == MemoryKind::Registers;
  }

  void unroll(CountedLoop loop) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    // MLIR's unroller takes scf.for.
    if (!trips || trips->getActiveBits() > 31 || !isa<scf::ForOp>(loop.getOperation()))
      return;
    int64_t operations = 0;
    loop.getBody()->walk([&](Operation *) { ++operations; });
    namespace remarks = tileiras::remarks;
    if (operations * trips->getSExtValue() > kMostOperations) {
      remarks::missed(loop, remarks::kSlice, "Unrolled")
          << remarks::figure("Rounds", trips->getSExtValue()) << remarks::figure("Operations", operations)
          << remarks::because("slices of registers are chosen at run time: the unrolled loop would be too long");
      return;
    }
    remarks::passed(loop, remarks::kSlice, "Unrolled") << remarks::figure("Rounds", trips->getSExtValue())
                                                       << remarks::because("it takes slices of tiles in registers");
    (void)loopUnrollFull(cast<scf::ForOp>(loop.getOperation()));
  }
};

} // namespace
