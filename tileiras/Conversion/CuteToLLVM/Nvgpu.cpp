//===- Nvgpu.cpp - Operations of cute_nvgpu -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace mlir::cute_nvgpu;
using mlir::cute::AddressSpace;

StringRef tileiras::whyRefused(Operation *op) {
  static constexpr std::pair<StringLiteral, StringLiteral> reasons[] = {
      {"make_sm120_mma_bs", "scales are operands of cute.gemm: scaled by"},
      {"atom.get_copy_s2t", "matrix descriptors are made by cute.make_desc_iter"},
      {"atom.make_s2t_copy", "a copy from shared to tensor memory is cute.copy with !cute_nvgpu.s2t_copy"},
      {"atom.s2t_copy", "a copy from shared to tensor memory is cute.copy with !cute_nvgpu.s2t_copy"},
      {"atom.make_tmem_copy", "a copy from or to tensor memory is cute.make_tiled_copy of tmem_load or tmem_store"},
      {"atom.tmem_", "a copy from or to tensor memory is cute.copy with !cute_nvgpu.tmem_load or tmem_store"},
      {"atom.get_value", "an atom's values are operands: cute_nvgpu.atom.tma_load"},
      {"atom.", "tensor maps are made by the host; a copy is made of one by cute_nvgpu.atom.tma_load, tma_store or "
                "tma_reduce"},
      {"smem_desc_view", "matrix descriptors are made by cute.make_desc_iter"},
      {"make_tma_desc_im2col", "tensor maps in im2col mode are made by the host"},
      {"",
       "tensor maps are made by the host, and come as parameters {cute_nvgpu.grid_constant}, or are made in memory by "
       "cute_nvgpu.make_tma_desc_tiled_at"},
  };
  if (!isa_and_present<CuteNvgpuDialect>(op->getDialect()))
    return "";
  StringRef name = op->getName().stripDialect();
  for (const auto &[prefix, reason] : reasons)
    if (name.starts_with(prefix))
      return reason;
  return "";
}

FailureOr<Value> CuteLowering::genericAddress(Value value, Operation *user) {
  if (isCuteType(value.getType())) {
    FailureOr<Lowered> lowered = get(value, user);
    if (failed(lowered))
      return failure();
    value = lowered->address;
  }
  auto type = value ? dyn_cast<LLVM::LLVMPointerType>(value.getType()) : LLVM::LLVMPointerType();
  if (!type)
    return user->emitOpError("expects the address of a tensor map");
  auto wanted = pointerType(user->getContext(), AddressSpace::Generic);
  if (type == wanted)
    return value;
  ImplicitLocOpBuilder builder(user->getLoc(), user);
  return Value(LLVM::AddrSpaceCastOp::create(builder, wanted, value));
}

LogicalResult CuteLowering::lowerNvgpu(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  MLIRContext *context = op->getContext();
  Type i32 = builder.getI32Type();
  auto pointer = [&](Value result, Value address, Value barrier = {}) {
    unsigned next = 0;
    values[result] = Lowered{mlir::cute::describe(result.getType(), next), {}, address, barrier};
    return success();
  };
  auto generic = [&](Value value) { return genericAddress(value, op); };
  auto addressOf = [&](Value value) -> FailureOr<Value> {
    FailureOr<Lowered> lowered = get(value, op);
    return failed(lowered) ? FailureOr<Value>() : FailureOr<Value>(lowered->address);
  };
  auto shape = NVVM::LdStMatrixShapeAttr::get(context, 8, 8);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AllocRmemOp alloc) -> LogicalResult {
        FailureOr<Value> address = allocateRegisters(op, alloc.getType().getElement(), int64_t(alloc.getElements()));
        return failed(address) ? failure() : pointer(alloc.getResult(), *address);
      })
      .Case([&](AllocSmemOp alloc) -> LogicalResult {
        FailureOr<Value> address = allocateShared(op, alloc.getType().getElement(), int64_t(alloc.getElements()),
                                                  std::max<int64_t>(16, alloc.getType().getAlignment()));
        return failed(address) ? failure() : pointer(alloc.getResult(), *address);
      })
      .Case([&](GetDynSmemOp dynamic) -> LogicalResult {
        FailureOr<Value> address = allocateShared(op, dynamic.getType().getElement(), 0,
                                                  std::max<int64_t>(16, dynamic.getType().getAlignment()));
        return failed(address) ? failure() : pointer(dynamic.getResult(), *address);
      })
      .Case([&](GetDynSmemSizeOp size) {
        auto text = LLVM::InlineAsmOp::create(
            builder, TypeRange{i32}, ValueRange(), "mov.u32 $0, %dynamic_smem_size;", "=r", /*has_side_effects=*/false,
            /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
        size.replaceAllUsesWith(text.getResult(0));
        return success();
      })
      .Case([&](MakeWarpUniformOp uniform) {
        auto constant = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(builder, builder.getI32IntegerAttr(int32_t(value)));
        };
        Value value = NVVM::ShflOp::create(builder, i32, constant(-1), uniform.getValue(), constant(0), constant(31),
                                           NVVM::ShflKind::idx, UnitAttr());
        uniform.replaceAllUsesWith(value);
        return success();
      })
      .Case<ArchPrefetchTmaDescOp, PrefetchTmaDescOp>([&](auto prefetch) -> LogicalResult {
        FailureOr<Value> address = generic(prefetch.getDescriptor());
        if (failed(address))
          return failure();
        LLVM::InlineAsmOp::create(builder, TypeRange(), *address, "prefetch.tensormap [$0];", "l",
                                  /*has_side_effects=*/true, /*is_align_stack=*/false,
                                  LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
        return success();
      })
      .Case([&](ArchLdsmOp load) -> LogicalResult {
        FailureOr<Value> address = addressOf(load.getSource());
        if (failed(address))
          return failure();
        unsigned count = load.getNumResults();
        Type type = count == 1 ? i32 : Type(LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(count, i32)));
        Value words = NVVM::LdMatrixOp::create(builder, type, *address, count,
                                               load.getTransposed() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                                               shape, NVVM::LdStMatrixEltType::B16);
        for (unsigned i = 0; i < count; ++i)
          load.getResult(i).replaceAllUsesWith(
              count == 1 ? words : Value(LLVM::ExtractValueOp::create(builder, words, int64_t(i))));
        return success();
      })
      .Case([&](ArchStsmOp store) -> LogicalResult {
        FailureOr<Value> address = addressOf(store.getTarget());
        if (failed(address))
          return failure();
        NVVM::StMatrixOp::create(builder, *address, store.getWords(),
                                 store.getTransposed() ? NVVM::MMALayout::col : NVVM::MMALayout::row, shape,
                                 NVVM::LdStMatrixEltType::B16);
        return success();
      })
      .Case([&](ArchCpAsyncOp copy) -> LogicalResult {
        FailureOr<Value> target = addressOf(copy.getTarget()), source = addressOf(copy.getSource());
        if (failed(target) || failed(source))
          return failure();
        auto kind = copy.getBytes() == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
        NVVM::CpAsyncOp::create(builder, *target, *source, builder.getI32IntegerAttr(int32_t(copy.getBytes())),
                                NVVM::LoadCacheModifierKindAttr::get(context, kind), /*cpSize=*/Value());
        return success();
      })
      .Case([&](AtomTmaLoadOp atom) -> LogicalResult {
        FailureOr<Value> map = generic(atom.getDescriptor()), barrier = addressOf(atom.getBarrier());
        return failed(map) || failed(barrier) ? failure() : pointer(atom.getResult(), *map, *barrier);
      })
      .Case<AtomTmaStoreOp, AtomTmaReduceOp>([&](auto atom) -> LogicalResult {
        FailureOr<Value> map = generic(atom.getDescriptor());
        return failed(map) ? failure() : pointer(atom.getResult(), *map);
      })
      .Case<GetGridConstantPointerOp, GetTmaDescAddrOp, CastTmaDescToIntegerOp, CopyTmaDescOp>(
          [&](auto) { return lowerTensorMap(op); })
      .Case<ArchTmaLoadOp, ArchTmaStoreOp, ArchTmaReduceOp>([&](auto) { return lowerTensorMap(op); })
      .Case<MakeTmaDescTiledAtOp, UpdateTmaDescOp>([&](auto) { return changeTensorMap(op); })
      .Case<AllocTmemOp, RetrieveTmemPtrOp, DeallocTmemOp, RelinquishTmemAllocPermitOp, ArchTmemLoadOp,
            ArchTmemStoreOp>([&](auto) { return lowerTensorMemory(op); })
      .Case([&](ArchCopyS2tOp copy) -> LogicalResult {
        FailureOr<Value> target = addressOf(copy.getTarget());
        if (failed(target))
          return failure();
        copyToTensorMemory(builder, copy.getShape(), copy.getSource(), *target);
        return success();
      })
      .Case<ArchMmaSM80Op, ArchMmaSM80SparseOp, ArchMmaSM89Op, ArchMmaSM120BlockScaledOp, ArchMmaSM90Op,
            ArchMmaSM100UmmaOp, ArchMmaSM100UmmaBlockScaledOp, ArchMmaSM100UmmaSparseOp,
            ArchMmaSM100UmmaBlockScaledSparseOp>([&](auto) { return lowerArchMma(op); })
      .Default([&](Operation *) { return op->emitOpError("cannot be lowered: ") << whyRefused(op); });
}
