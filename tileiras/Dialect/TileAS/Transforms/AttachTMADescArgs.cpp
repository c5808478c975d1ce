//===- AttachTMADescArgs.cpp - tileas-attach-tma-desc-args ----------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// make_tiled_tma_desc, numbered by tileas-separate-host-tma, becomes a parameter:
//
//     func @k(%a: ptr, ..., %map0: tma_descriptor_iter {cute_nvgpu.grid_constant}, ..., %made: i64)
//
// `usable` is a bit of the last one. Whether anybody wanted the map does not matter where it costs nothing.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASTma.h"
#include "tileiras/Dialect/TileAS/Transforms/Passes.h"

namespace mlir::nv_tileas {
#define GEN_PASS_DEF_ATTACHTMADESCARGSPASS
#include "tileiras/Dialect/TileAS/Transforms/Passes.h.inc"
} // namespace mlir::nv_tileas

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

struct AttachTMADescArgsPass : nv_tileas::impl::AttachTMADescArgsPassBase<AttachTMADescArgsPass> {
  void runOnOperation() override {
    nv_tileaa::FuncOp func = getOperation();
    SmallVector<MakeTiledTmaDescOp> makes;
    func.walk([&](MakeTiledTmaDescOp make) { makes.push_back(make); });
    auto ofHost = func->getAttrOfType<IntegerAttr>(kNumHostTmasAttr);
    auto ofDevice = func->getAttrOfType<IntegerAttr>(kNumDeviceTmasAttr);
    if (makes.empty() && !ofHost && !ofDevice)
      return;
    if (!ofHost || !ofDevice) {
      func.emitError("funcOp lack tmaDeviceNum and tmaHostNum attr");
      return signalPassFailure();
    }
    if (failed(attach(func, makes, ofHost.getInt(), ofDevice.getInt())))
      signalPassFailure();
  }

private:
  static LogicalResult attach(nv_tileaa::FuncOp func, ArrayRef<MakeTiledTmaDescOp> makes, int64_t ofHost,
                              int64_t ofDevice) {
    SmallVector<MakeTiledTmaDescOp> maps(ofHost);
    int64_t others = 0;
    for (MakeTiledTmaDescOp make : makes) {
      auto number = make->getAttrOfType<IntegerAttr>(kHostTmaAttr);
      if (!number) {
        if (++others > ofDevice)
          return make.emitOpError("tmaIdx exceed tmaDeviceNum.");
        continue;
      }
      if (number.getInt() < 0 || number.getInt() >= ofHost)
        return make.emitOpError("tmaIdx exceed tmaHostNum.");
      MakeTiledTmaDescOp &known = maps[number.getInt()];
      if (known)
        return make.emitOpError("is a second tensor map with the number ") << number.getInt();
      known = make;
    }
    if (llvm::is_contained(maps, MakeTiledTmaDescOp()))
      return func.emitError("not find tmaIdx.");
    if (maps.empty())
      return success();

    OpBuilder b = OpBuilder::atBlockBegin(&func.getBody().front());
    DictionaryAttr isMap = b.getDictionaryAttr(b.getNamedAttr("cute_nvgpu.grid_constant", b.getUnitAttr()));
    SmallVector<Type> types(maps.size(), TmaDescriptorIterType::get(b.getContext()));
    SmallVector<DictionaryAttr> attributes(maps.size(), isMap);
    types.push_back(b.getI64Type());
    attributes.push_back(b.getDictionaryAttr({}));
    unsigned declared = func.getNumArguments();
    SmallVector<unsigned> places(types.size(), declared);
    SmallVector<Location> locations(types.size(), func.getLoc());
    if (failed(func.insertArguments(places, types, attributes, locations)))
      return failure();
    Value made = func.getArgument(declared + maps.size());
    // All of them first: what stands at the beginning of the function may be erased then.
    SmallVector<Value> usable;
    for (auto [number, make] : llvm::enumerate(maps)) {
      Value place = arith::ConstantOp::create(b, make.getLoc(), b.getI64IntegerAttr(number));
      Value bit = arith::ShRUIOp::create(b, make.getLoc(), made, place);
      usable.push_back(arith::TruncIOp::create(b, make.getLoc(), b.getI1Type(), bit));
    }
    for (auto [number, make] : llvm::enumerate(maps))
      replace(make, func.getArgument(declared + number), usable[number]);
    return success();
  }

  /// Scratch memory, in which the kernel would have looked for the map, is no longer needed.
  static void replace(MakeTiledTmaDescOp make, Value map, Value usable) {
    auto scratch = dyn_cast<WithScratchOp>(make->getParentOp());
    make.getDesc().replaceAllUsesWith(map);
    make.getUsable().replaceAllUsesWith(usable);
    make.erase();
    if (!scratch || !llvm::hasSingleElement(scratch.getBody().front()))
      return;
    scratch->replaceAllUsesWith(scratch.getBody().front().getTerminator()->getOperands());
    Operation *tile = scratch->getOperand(0).getDefiningOp();
    scratch.erase();
    if (isa_and_nonnull<AllocTensorOp>(tile) && tile->use_empty())
      tile->erase();
  }
};

} // namespace
