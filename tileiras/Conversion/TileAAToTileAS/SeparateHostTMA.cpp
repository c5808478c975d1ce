//===- SeparateHostTMA.cpp - The tileas-separate-host-tma pass ------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tensor map whose view is computed from the kernel's parameters alone can be made by the host before the launch.
// Beside the kernels a module with a function for each of them is made:
//
//     uint64_t KERNEL_tensor_maps(void **params, void *hidden);
//
// `params` is what cuLaunchKernel takes as kernelParams: the addresses of the parameters that the kernel declares, with
// room for as many more as there are tensor maps, and one. `hidden`, aligned to 64 bytes, takes 128 bytes for each map
// and 8 more, for the numbers (bits) of those that could be made, which is what the function returns. Their addresses
// go behind the others in `params`. A kernel without such maps needs no more than it declares, and the function does
// nothing. KERNEL_parameters, a string, says in JSON what the parameters are.
//
// What the kernel computes itself (from its block's number, from what it loads, in a loop) stays a tensor map that the
// kernel makes, unless it is one that only the host can make; then the module is refused. tileas-attach-tma-desc-args
// gives the kernel its parameters.
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Conversion/Passes.h"
#include "tileiras/Conversion/TileAAToTileAS/HostPatterns.h"
#include "tileiras/Dialect/TileAA/IR/Target.h"
#include "tileiras/Dialect/TileAS/IR/Attributes.h"
#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"

namespace tileiras {
#define GEN_PASS_DEF_SEPARATEHOSTTMAPASS
#include "tileiras/Conversion/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace mlir::nv_tileas;

namespace {

/// With the parameters of the kernel they have to fit into 4 KiB, which is what launches take on all drivers.
constexpr int64_t kMostHostMaps = 16;

/// What a tensor map is computed from.
class HostSlice {
public:
  explicit HostSlice(MakeTiledTmaDescOp make) {
    collect(make.getView());
    // Nothing from outside, such as the kernel's parameters, is used in there.
    if (AgentSwitchOp agents = getAgentSwitch(make); agents && agents.getIsolated())
      onDevice = inIsolated = true;
  }

  /// In order, before the tensor map.
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<BlockArgument> parameters;
  /// Arguments of agents, with what they stand for.
  SmallVector<std::pair<BlockArgument, Value>> captures;
  bool onControl = false, onMath = false, onDevice = false, inIsolated = false;

  bool isForHost() const { return !onControl && !onMath && !onDevice; }

private:
  void collect(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *around = argument.getOwner()->getParentOp();
      if (isa<nv_tileaa::FuncOp>(around)) {
        parameters.insert(argument);
      } else if (auto agents = dyn_cast<AgentSwitchOp>(around)) {
        Value captured = agents.getCaptures()[argument.getArgNumber()];
        collect(captured);
        captures.push_back({argument, captured});
      } else {
        onControl = true;
      }
      return;
    }
    Operation *op = value.getDefiningOp();
    if (ops.contains(op))
      return;
    onControl |= isa<scf::SCFDialect>(op->getDialect());
    onMath |= isa<math::MathDialect>(op->getDialect());
    onDevice |= !hasHostPattern(op);
    for (Value operand : op->getOperands())
      collect(operand);
    ops.insert(op);
  }
};

struct SeparateHostTMAPass : tileiras::impl::SeparateHostTMAPassBase<SeparateHostTMAPass> {
  void runOnOperation() override {
    ModuleOp host;
    for (auto kernels : llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      for (auto func : kernels.getOps<nv_tileaa::FuncOp>()) {
        if (!func->hasAttr(nv_tileaa::kKernelSpecAttr) || func.isExternal())
          continue;
        if (!host) {
          OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
          std::string name = "host";
          while (getOperation().lookupSymbol(name)) // a module of kernels that is called so
            name += '_';
          host = ModuleOp::create(builder, getOperation().getLoc(), StringRef(name));
          host->setAttr(kHostCodeAttr, builder.getUnitAttr());
        }
        if (failed(separate(func, host)))
          return signalPassFailure();
      }
  }

private:
  LogicalResult separate(nv_tileaa::FuncOp func, ModuleOp host) {
    SmallVector<MakeTiledTmaDescOp> maps;
    int32_t onDevice = 0;
    int64_t onlyHostMaps = 0, tiledMaps = 0;
    func.walk([&](MakeTiledTmaDescOp make) { onlyHostMaps += getTmaAtom(make.getAtom())->isIm2col; });
    WalkResult walk = func.walk([&](MakeTiledTmaDescOp make) {
      HostSlice slice(make);
      bool onlyHost = getTmaAtom(make.getAtom())->isIm2col;
      if (!slice.isForHost() && !onlyHost) {
        ++onDevice;
        return WalkResult::advance();
      }
      if (slice.onControl)
        return make.emitOpError("expected MakeTiledTMADescOp not depends on scf"), WalkResult::interrupt();
      if (slice.onMath)
        return make.emitOpError("math dialect not suppourt in separateHostTMA pass in the moment."),
               WalkResult::interrupt();
      if (slice.inIsolated)
        return make.emitOpError("is for the host to make, and stands in isolated agents"), WalkResult::interrupt();
      // Those that only the host can make come first.
      if (onlyHost ? onlyHostMaps > kMostHostMaps : tiledMaps + onlyHostMaps >= kMostHostMaps) {
        if (onlyHost)
          return make.emitOpError("is one of more than ")
                     << kMostHostMaps << " tensor maps that the host would have to make",
                 WalkResult::interrupt();
        ++onDevice;
        return WalkResult::advance();
      }
      tiledMaps += !onlyHost;
      maps.push_back(make);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    Builder b(&getContext());
    for (auto [number, make] : llvm::enumerate(maps))
      make->setAttr(kHostTmaAttr, b.getI32IntegerAttr(number));
    func->setAttr(kNumHostTmasAttr, b.getI32IntegerAttr(maps.size()));
    func->setAttr(kNumDeviceTmasAttr, b.getI32IntegerAttr(onDevice));
    FailureOr<LLVM::LLVMFuncOp> code = makeFunction(func, maps, host);
    if (failed(code))
      return failure();
    describe(func, maps, host);

    HostTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    populateHostPatterns(converter, patterns, target);
    if (failed(applyPartialConversion(code->getOperation(), target, std::move(patterns))))
      return func.emitError("expect lower MakeTiledTMADescOp");
    SmallVector<UnrealizedConversionCastOp> casts;
    code->walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    reconcileUnrealizedCasts(casts);
    return success();
  }

  /// Loads the parameters, computes the views, makes the maps; still in the operations of the kernel.
  FailureOr<LLVM::LLVMFuncOp> makeFunction(nv_tileaa::FuncOp func, MutableArrayRef<MakeTiledTmaDescOp> maps,
                                           ModuleOp host) {
    MLIRContext *context = &getContext();
    OpBuilder b = OpBuilder::atBlockEnd(host.getBody());
    Location loc = func.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(context), word = b.getI64Type(), byte = b.getI8Type();
    std::string name = (func.getName() + "_tensor_maps").str();
    if (host.lookupSymbol(name))
      return func.emitError("two kernels have the name '") << func.getName() << "'";
    auto code = LLVM::LLVMFuncOp::create(b, loc, name, LLVM::LLVMFunctionType::get(word, {pointer, pointer}));
    code->setAttr(kHostCodeAttr, b.getUnitAttr());
    b.setInsertionPointToStart(code.addEntryBlock(b));
    auto i64 = [&](int64_t value) -> Value { return LLVM::ConstantOp::create(b, loc, word, value); };
    Value params = code.getArgument(0), hidden = code.getArgument(1), usable = i64(0);
    auto placeOf = [&](int64_t parameter) {
      return LLVM::GEPOp::create(b, loc, pointer, pointer, params, ArrayRef<LLVM::GEPArg>{int32_t(parameter)});
    };

    HostTypeConverter converter(context);
    IRMapping map;
    for (auto [number, make] : llvm::enumerate(maps)) {
      HostSlice slice(make);
      for (BlockArgument parameter : slice.parameters) {
        if (map.contains(parameter))
          continue;
        Type type = converter.convertType(parameter.getType());
        if (!type)
          return func.emitError("failed to convert function signature type for: ") << parameter.getType();
        Value address = LLVM::LoadOp::create(b, loc, pointer, placeOf(parameter.getArgNumber()));
        // A truth value is a byte.
        Value value = LLVM::LoadOp::create(b, loc, type.isInteger(1) ? byte : type, address);
        if (type.isInteger(1))
          value = LLVM::TruncOp::create(b, loc, type, value);
        if (type != parameter.getType())
          value = UnrealizedConversionCastOp::create(b, loc, parameter.getType(), value).getResult(0);
        map.map(parameter, value);
      }
      for (Operation *op : slice.ops) {
        if (op->getNumResults() && map.contains(op->getResult(0)))
          continue;
        for (auto [argument, value] : slice.captures)
          if (map.contains(value))
            map.map(argument, map.lookup(value));
        b.clone(*op, map);
      }
      for (auto [argument, value] : slice.captures)
        map.map(argument, map.lookup(value));
      auto copy =
          MakeTiledTmaDescOp::create(b, make.getLoc(), make->getResultTypes(), map.lookup(make.getView()),
                                     /*wanted=*/Value(), make.getAtom(), make.getTmaIdxAttr(), make.getIsSignedAttr());
      copy->setAttr(kHostTmaAttr, make->getAttr(kHostTmaAttr));
      Value bit = LLVM::ZExtOp::create(b, loc, word, copy.getUsable());
      usable = LLVM::OrOp::create(b, loc, usable, LLVM::ShlOp::create(b, loc, bit, i64(number)));
    }
    if (!maps.empty()) {
      for (size_t i = 0; i <= maps.size(); ++i) {
        Value address =
            LLVM::GEPOp::create(b, loc, pointer, byte, hidden, ArrayRef<LLVM::GEPArg>{int32_t(kTensorMapBytes * i)});
        LLVM::StoreOp::create(b, loc, address, placeOf(func.getNumArguments() + i));
        if (i == maps.size())
          LLVM::StoreOp::create(b, loc, usable, address);
      }
    }
    LLVM::ReturnOp::create(b, loc, usable);
    return code;
  }

  /// The note for launchers.
  void describe(nv_tileaa::FuncOp func, MutableArrayRef<MakeTiledTmaDescOp> maps, ModuleOp host) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::json::OStream json(os);
    auto print = [](Type type) {
      std::string s;
      llvm::raw_string_ostream stream(s);
      stream << type;
      return s;
    };
    int64_t declared = func.getNumArguments(), hidden = maps.empty() ? 0 : maps.size() + 1;
    json.object([&] {
      json.attribute("kernel", func.getName());
      json.attribute("hidden_bytes", maps.empty() ? 0 : kTensorMapBytes * int64_t(maps.size()) + 8);
      json.attributeArray("parameters", [&] {
        for (Type type : func.getArgumentTypes())
          json.object([&] { json.attribute("type", print(type)); });
        for (auto [number, make] : llvm::enumerate(maps)) {
          TmaAtom atom = *getTmaAtom(make.getAtom());
          json.object([&] {
            json.attribute("type", "tensor_map");
            json.attribute("bytes", kTensorMapBytes);
            json.attribute("element", print(make.getView().getType().getElementType()));
            if (make.getIsSigned())
              json.attribute("signed", true);
            json.attribute("mode", atom.isIm2col ? "im2col" : "tile");
            json.attributeArray("box", [&] {
              for (int32_t t : llvm::reverse(atom.order))
                json.value(atom.box[t]);
            });
            json.attribute("swizzle", atom.swizzle);
            if (atom.atomBytes != 16)
              json.attribute("swizzle_atom", atom.atomBytes);
            json.attribute("l2_promotion", getL2Promotion(make));
          });
        }
        if (hidden)
          json.object([&] {
            json.attribute("type", "i64");
            json.attribute("what", "bit n: tensor map n has been made");
          });
      });
      json.attribute("declared", declared);
      json.attribute("hidden", hidden);
    });
    text.push_back('\0');
    OpBuilder b = OpBuilder::atBlockEnd(host.getBody());
    LLVM::GlobalOp::create(b, func.getLoc(), LLVM::LLVMArrayType::get(b.getI8Type(), text.size()), /*isConstant=*/true,
                           LLVM::Linkage::External, (func.getName() + "_parameters").str(), b.getStringAttr(text));
  }
};

} // namespace
