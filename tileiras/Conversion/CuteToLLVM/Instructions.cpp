//===- Instructions.cpp - Operations that are one instruction -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Products.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace mlir::cute_nvgpu;
using mlir::cute::AddressSpace;
namespace alg = tileiras::cute;

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerTensorMap(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  MLIRContext *context = op->getContext();
  if (isa<GetGridConstantPointerOp>(op)) {
    // A parameter {cute_nvgpu.grid_constant} is its address.
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    return success();
  }
  FailureOr<Value> map = genericAddress(op->getOperand(0), op);
  if (failed(map))
    return failure();
  if (isa<GetTmaDescAddrOp>(op)) {
    unsigned next = 0;
    values[op->getResult(0)] = Lowered{mlir::cute::describe(op->getResult(0).getType(), next), {}, *map, {}};
    return success();
  }
  if (isa<CastTmaDescToIntegerOp>(op)) {
    op->getResult(0).replaceAllUsesWith(Value(LLVM::PtrToIntOp::create(builder, builder.getI64Type(), *map)));
    return success();
  }
  FailureOr<Lowered> memory = get(op->getOperand(1), op);
  if (failed(memory))
    return failure();
  if (isa<CopyTmaDescOp>(op)) {
    auto piece = VectorType::get({4}, builder.getI32Type());
    for (int32_t i = 0; i < 128 / 16; ++i) {
      auto at = [&](Value base) {
        return LLVM::GEPOp::create(builder, base.getType(), piece, base, ArrayRef<LLVM::GEPArg>{i});
      };
      Value words = LLVM::LoadOp::create(builder, piece, at(*map), 16);
      LLVM::StoreOp::create(builder, words, at(memory->address), 16);
    }
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ArchTmaLoadOp load) -> LogicalResult {
        FailureOr<Lowered> barrier = get(load.getBarrier(), op);
        if (failed(barrier))
          return failure();
        Type cluster = LLVM::LLVMPointerType::get(context, unsigned(NVVM::NVVMMemorySpace::SharedCluster));
        NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
            builder, LLVM::AddrSpaceCastOp::create(builder, cluster, memory->address), *map, load.getCoordinates(),
            barrier->address, /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(), /*l2CacheHint=*/Value(),
            NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
        return success();
      })
      .Case([&](ArchTmaStoreOp store) {
        NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(builder, *map, memory->address, store.getCoordinates(),
                                                           /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
                                                           /*predicate=*/Value());
        return success();
      })
      .Case([&](ArchTmaReduceOp reduce) {
        NVVM::CpAsyncBulkTensorReduceOp::create(
            builder, *map, memory->address,
            NVVM::TMAReduxKindAttr::get(context, *NVVM::symbolizeTMAReduxKind(reduce.getKind())),
            NVVM::TMAStoreModeAttr::get(context, NVVM::TMAStoreMode::TILE), reduce.getCoordinates(),
            /*l2CacheHint=*/Value());
        return success();
      })
      .Default([](Operation *) { return failure(); });
}

/// PTX ISA, "tensormap.replace": field by field, what is made anew from zeros.
LogicalResult CuteLowering::changeTensorMap(Operation *op) {
  auto make = dyn_cast<MakeTmaDescTiledAtOp>(op);
  FailureOr<Lowered> map = get(op->getOperand(0), op), tensor = get(op->getOperand(1), op);
  if (failed(map) || failed(tensor))
    return failure();
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  bool shared = map->meaning.space == AddressSpace::Shared;
  if (make) {
    auto piece = VectorType::get({4}, builder.getI32Type());
    Value zero = LLVM::ZeroOp::create(builder, piece);
    for (int32_t i = 0; i < 128 / 16; ++i)
      LLVM::StoreOp::create(
          builder, zero,
          LLVM::GEPOp::create(builder, map->address.getType(), piece, map->address, ArrayRef<LLVM::GEPArg>{i}), 16);
  }
  Assembly text(builder);
  std::string lines, space = shared ? ".shared::cta" : ".global";
  std::string at = text.operand(
      LLVM::PtrToIntOp::create(builder, shared ? builder.getI32Type() : Type(builder.getI64Type()), map->address));
  auto replace = [&](StringRef field, const std::string &value, int ordinal = -1, int bits = 32) {
    lines += ("tensormap.replace.tile." + field + space + ".b1024.b" + Twine(bits) + " [" + at + "], " +
              (ordinal < 0 ? "" : std::to_string(ordinal) + ", ") + value + ";\n")
                 .str();
  };
  Emitter emitter(builder, tensor->numbers);
  std::vector<alg::Int> shape = tensor->meaning.layout.layout.shape.leaves(),
                        stride = tensor->meaning.layout.layout.stride.leaves();
  int64_t bytes = mlir::cute::bytesOf(tensor->meaning.element);
  Value begin = emitter.advance(tensor->address, tensor->meaning.element, tensor->meaning.layout.offset.asInt());
  replace("global_address", text.operand(LLVM::PtrToIntOp::create(builder, builder.getI64Type(), begin)), -1, 64);
  int rank = int(shape.size());
  for (int i = 0; i < rank; ++i) {
    replace("global_dim", text.operand(emitter.emit(shape[i], 32)), i);
    if (i > 0)
      replace("global_stride", text.operand(emitter.emit(stride[i] * alg::Int(bytes), 64)), i - 1, 64);
  }
  if (make) {
    SmallVector<int64_t> box = *mlir::cute::getBox(mlir::cute_nvgpu::TmaLoadType::get(op->getContext(), make.getBox()));
    replace("rank", std::to_string(rank - 1));
    for (int i = 0; i < rank; ++i) {
      replace("box_dim", std::to_string(box[i]), i);
      replace("element_stride", "1", i);
    }
    int64_t swizzle = int64_t(make.getSwizzle());
    replace("elemtype", std::to_string(*mlir::cute::tensorMapElement(tensor->meaning.element)));
    replace("interleave_layout", "0");
    replace("swizzle_mode", std::to_string(swizzle ? llvm::Log2_64(uint64_t(swizzle)) - 4 : 0));
    replace("fill_mode", "0");
  }
  // Assemblers before that of PTX 8.6 took strides in units of 16 bytes.
  text.finish(lines, /*ordered=*/true, 86);
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerTensorMemory(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  auto group = NVVM::CTAGroupKindAttr::get(op->getContext(), op->hasAttr("two_cta") ? NVVM::CTAGroupKind::CTA_2
                                                                                    : NVVM::CTAGroupKind::CTA_1);
  if (isa<RelinquishTmemAllocPermitOp>(op)) {
    NVVM::Tcgen05RelinquishAllocPermitOp::create(builder, group);
    return success();
  }
  unsigned place = isa<AllocTmemOp>(op) ? 1 : 0;
  FailureOr<Lowered> lowered = get(op->getOperand(place), op);
  if (failed(lowered))
    return failure();
  Value address = lowered->address;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AllocTmemOp alloc) {
        NVVM::Tcgen05AllocOp::create(builder, address, alloc.getColumns(), group);
        return success();
      })
      .Case([&](RetrieveTmemPtrOp retrieve) {
        Value number = LLVM::LoadOp::create(builder, builder.getI32Type(), address, 4);
        Value pointer = LLVM::IntToPtrOp::create(builder, pointerType(op->getContext(), AddressSpace::Tensor), number);
        unsigned next = 0;
        values[retrieve.getResult()] = Lowered{mlir::cute::describe(retrieve.getType(), next), {}, pointer, {}};
        return success();
      })
      .Case([&](DeallocTmemOp dealloc) {
        NVVM::Tcgen05DeallocOp::create(builder, address, dealloc.getColumns(), group);
        return success();
      })
      .Case([&](ArchTmemLoadOp load) {
        for (auto [result, word] :
             llvm::zip_equal(load.getWords(), loadTensorMemory(builder, address, int64_t(load.getNumResults()))))
          result.replaceAllUsesWith(word);
        return success();
      })
      .Case([&](ArchTmemStoreOp store) {
        storeTensorMemory(builder, address, store.getWords());
        return success();
      })
      .Default([](Operation *) { return failure(); });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerArchMma(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  auto multiply = [&](auto mma, ValueRange scales, Value metadata) {
    mlir::cute::Product product = *mlir::cute::getProduct(mma.getAtom());
    op->replaceAllUsesWith(multiplyWords(builder, product, SmallVector<Value>(mma.getA()),
                                         SmallVector<Value>(mma.getB()), SmallVector<Value>(mma.getC()),
                                         SmallVector<Value>(scales), metadata));
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ArchMmaSM80Op, ArchMmaSM89Op>([&](auto mma) { return multiply(mma, {}, {}); })
      .Case([&](ArchMmaSM80SparseOp mma) { return multiply(mma, {}, mma.getMetadata()); })
      .Case([&](ArchMmaSM120BlockScaledOp mma) {
        // A scale is the lowest byte of its register.
        return multiply(mma, {mma.getSfa(), mma.getSfb()}, {});
      })
      .Case([&](ArchMmaSM90Op mma) {
        mlir::cute::Product product = *mlir::cute::getProduct(mma.getAtom());
        op->replaceAllUsesWith(multiplyByWarpgroup(builder, product, SmallVector<Value>(mma.getC()),
                                                   DescriptorStep{mma.getA(), mma.getB()}, mma.getAMn(), mma.getBMn(),
                                                   /*wait=*/true));
        return success();
      })
      .Case<ArchMmaSM100UmmaOp, ArchMmaSM100UmmaBlockScaledOp, ArchMmaSM100UmmaSparseOp,
            ArchMmaSM100UmmaBlockScaledSparseOp>([&](auto mma) {
        FailureOr<Lowered> sums = get(mma.getD(), op);
        bool known = succeeded(sums);
        auto number = [&](Value pointer) -> Value {
          FailureOr<Lowered> lowered = get(pointer, op);
          known &= succeeded(lowered);
          return known ? Value(LLVM::PtrToIntOp::create(builder, builder.getI32Type(), lowered->address)) : Value();
        };
        DescriptorStep step{mma.getA(), mma.getB()};
        if constexpr (llvm::is_one_of<decltype(mma), ArchMmaSM100UmmaBlockScaledOp,
                                      ArchMmaSM100UmmaBlockScaledSparseOp>::value) {
          step.scalesA = number(mma.getSfa()), step.scalesB = number(mma.getSfb());
          step.byteA = int64_t(mma.getByteA()), step.byteB = int64_t(mma.getByteB());
        }
        if constexpr (llvm::is_one_of<decltype(mma), ArchMmaSM100UmmaSparseOp,
                                      ArchMmaSM100UmmaBlockScaledSparseOp>::value) {
          step.metadata = number(mma.getMetadata());
          step.selector = int64_t(mma.getSelector());
        }
        if (!known)
          return failure();
        mlir::cute::Product product = *mlir::cute::getProduct(mma.getAtom());
        multiplyInTensorMemory(builder, product, sums->address, step, mma.getAMn(), mma.getBMn(), mma.getAccumulate());
        return success();
      })
      .Default([](Operation *) { return failure(); });
}
