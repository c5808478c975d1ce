//===- CuteToLLVM.cpp - Layouts become arithmetic -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every operation of the algebra is evaluated once more (Dialect/Cute/IR/Evaluate.h), now with the numbers that its
// operands carry, and the expressions in the result become arithmetic. What nobody uses is never computed: only the
// numbers that a type leaves open exist at run time.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/CuteToLLVM.h"
#include "tileiras/Conversion/CuteToLLVM/Lowering.h"
#include "tileiras/Support/TargetTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTCUTETOLLVMPASS
#include "tileiras/Conversion/CuteToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;
using mlir::cute::AddressSpace;
using mlir::cute::Meaning;
namespace alg = tileiras::cute;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value Emitter::emit(const alg::Int &value, int width) {
  if (width == 0)
    width = value.width();
  if (value.isStatic())
    return arith::ConstantOp::create(builder, builder.getIntegerAttr(builder.getIntegerType(width), value.constant()));
  Value result = compute(value);
  if (int(result.getType().getIntOrFloatBitWidth()) < width)
    return arith::ExtSIOp::create(builder, builder.getIntegerType(width), result);
  return result;
}

Value Emitter::compute(const alg::Int &value) {
  const alg::Int::Expr &expr = value.expr();
  if (expr.op == alg::IntOp::Leaf)
    return numbers[expr.leaf];
  if (Value known = done.lookup(&expr))
    return known;
  Value a = emit(expr.a, expr.width), b = emit(expr.b, expr.width);
  // Extents, counts and divisors are positive, indices not negative.
  Value result;
  switch (expr.op) {
  case alg::IntOp::Add:
    result = arith::AddIOp::create(builder, a, b);
    break;
  case alg::IntOp::Sub:
    result = arith::SubIOp::create(builder, a, b);
    break;
  case alg::IntOp::Mul:
    result = arith::MulIOp::create(builder, a, b);
    break;
  case alg::IntOp::FloorDiv:
    result = arith::DivUIOp::create(builder, a, b);
    break;
  case alg::IntOp::CeilDiv:
    // Not arith.ceildivui, which somebody would have to expand.
    result = arith::SubIOp::create(builder, b, emit(alg::Int(1), expr.width));
    result = arith::DivUIOp::create(builder, Value(arith::AddIOp::create(builder, a, result)), b);
    break;
  case alg::IntOp::Mod:
    result = arith::RemUIOp::create(builder, a, b);
    break;
  case alg::IntOp::ShapeDiv: {
    Value one = emit(alg::Int(1), expr.width);
    result = arith::MaxUIOp::create(builder, Value(arith::DivUIOp::create(builder, a, b)), one);
    break;
  }
  case alg::IntOp::Min:
    result = arith::MinSIOp::create(builder, a, b);
    break;
  case alg::IntOp::Max:
    result = arith::MaxSIOp::create(builder, a, b);
    break;
  case alg::IntOp::Xor:
    result = arith::XOrIOp::create(builder, a, b);
    break;
  case alg::IntOp::Leaf:
    break;
  }
  kept.push_back(value);
  return done[&expr] = result;
}

Value Emitter::advance(Value address, Type element, const alg::Int &offset) {
  if (offset.is(0))
    return address;
  element = storedType(element);
  // Addresses of tensor memory count elements.
  if (cast<LLVM::LLVMPointerType>(address.getType()).getAddressSpace() == kTensorSpace)
    element = builder.getI8Type();
  if (offset.isStatic())
    return LLVM::GEPOp::create(builder, address.getType(), element, address,
                               ArrayRef<LLVM::GEPArg>{int32_t(offset.constant())});
  return LLVM::GEPOp::create(builder, address.getType(), element, address, ArrayRef<LLVM::GEPArg>{emit(offset, 64)});
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Its operations, and the casts of expandBlockArguments.
static bool isCute(Operation *op) {
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
    return llvm::any_of(cast.getOperandTypes(), isCuteType) || llvm::any_of(cast.getResultTypes(), isCuteType);
  return isa_and_present<mlir::cute::CuteDialect, mlir::cute_nvgpu::CuteNvgpuDialect>(op->getDialect());
}

LLVM::LLVMPointerType tileiras::pointerType(MLIRContext *context, AddressSpace space) {
  return LLVM::LLVMPointerType::get(context, space == AddressSpace::Global   ? 1
                                             : space == AddressSpace::Shared ? 3
                                             : space == AddressSpace::Tensor ? kTensorSpace
                                                                             : 0);
}

FailureOr<Lowered> CuteLowering::get(Value value, Operation *user) {
  if (auto it = values.find(value); it != values.end())
    return it->second;
  if (value.getType().isInteger(32) || value.getType().isInteger(64)) {
    unsigned next = 0;
    return Lowered{mlir::cute::describe(value.getType(), next), {value}, {}, {}};
  }
  user->emitOpError("cannot be lowered: its operand of type ")
      << value.getType() << " comes from an operation that knows nothing of cute";
  return failure();
}

LogicalResult CuteLowering::lowerAlgebra(Operation *op) {
  SmallVector<Meaning, 4> operands;
  SmallVector<Lowered, 2> lowered;
  SmallVector<Value> numbers;
  unsigned next = 0;
  for (Value operand : op->getOperands()) {
    FailureOr<Lowered> value = get(operand, op);
    if (failed(value))
      return failure();
    operands.push_back(mlir::cute::describe(operand.getType(), next));
    llvm::append_range(numbers, value->numbers);
    lowered.push_back(*value);
  }
  std::string error;
  std::optional<Meaning> meaning = mlir::cute::evaluate(op, operands, error);
  if (!meaning)
    return op->emitOpError() << error;
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Emitter emitter(builder, numbers);
  Lowered result;
  next = 0;
  result.meaning = mlir::cute::describe(op->getResult(0).getType(), next);
  // The declared type has a `?` wherever the result has one, possibly a wider one.
  for (auto [computed, declared] : llvm::zip_equal(meaning->leaves(), result.meaning.leaves()))
    result.numbers.push_back(emitter.emit(computed.withoutBasis(), declared.width()));
  if (meaning->base >= 0)
    result.address = emitter.advance(lowered[size_t(meaning->base)].address, meaning->element, meaning->offset);
  values[op->getResult(0)] = result;
  return success();
}

FailureOr<Value> CuteLowering::allocateRegisters(Operation *op, Type element, int64_t elements) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return op->emitOpError("has to stand in a function");
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value count = LLVM::ConstantOp::create(builder, builder.getI32Type(), builder.getI32IntegerAttr(int32_t(elements)));
  return Value(LLVM::AllocaOp::create(builder, pointerType(op->getContext(), AddressSpace::Register),
                                      storedType(element), count,
                                      /*alignment=*/16));
}

FailureOr<Value> CuteLowering::allocateShared(Operation *op, Type element, int64_t elements, int64_t alignment) {
  Operation *table = SymbolTable::getNearestSymbolTable(op);
  while (table && table->hasTrait<OpTrait::IsIsolatedFromAbove>() && isa<FunctionOpInterface>(table))
    table = SymbolTable::getNearestSymbolTable(table->getParentOp());
  if (!table)
    return op->emitOpError("has to stand in a module");
  OpBuilder top = OpBuilder::atBlockBegin(&table->getRegion(0).front());
  std::string name;
  do
    name = "cute_smem_" + std::to_string(globals++);
  while (SymbolTable::lookupSymbolIn(table, name));
  // Without elements: what the launch gives, an external array.
  auto array = LLVM::LLVMArrayType::get(storedType(element), unsigned(elements));
  auto global = LLVM::GlobalOp::create(top, op->getLoc(), array, /*isConstant=*/false,
                                       elements ? LLVM::Linkage::Internal : LLVM::Linkage::External, name,
                                       /*value=*/Attribute(), unsigned(alignment), /*addrSpace=*/3);
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  return Value(
      LLVM::AddressOfOp::create(builder, pointerType(op->getContext(), AddressSpace::Shared), global.getSymName()));
}

LogicalResult CuteLowering::allocate(Operation *op) {
  auto type = cast<mlir::cute::CuteMemRefType>(op->getResult(0).getType());
  unsigned next = 0;
  Lowered result{mlir::cute::describe(type, next), {}, {}, {}};
  int64_t elements = alg::cosize(result.meaning.layout.layout).constant();
  if (!result.meaning.layout.isPlain()) {
    // A swizzle moves elements inside blocks of this size.
    const Swizzle &swizzle = result.meaning.layout.swizzle;
    int64_t block = int64_t(1) << (swizzle.base + swizzle.bits + swizzle.shift);
    elements = llvm::alignTo(elements + result.meaning.layout.offset.asInt().constant(), block);
  }
  FailureOr<Value> address =
      type.getSpace() == AddressSpace::Register
          ? allocateRegisters(op, type.getElement(), elements)
          : allocateShared(op, type.getElement(), elements, std::max<int64_t>(16, type.getAlignment()));
  if (failed(address))
    return failure();
  result.address = *address;
  values[op->getResult(0)] = result;
  return success();
}

FailureOr<alg::Int> tileiras::offsetOf(Operation *op, const alg::IntTuple &coord, const Meaning &tensor) {
  std::optional<alg::Int> offset = alg::crd2idx(coord, tensor.layout);
  if (!offset || !offset->basis().empty())
    return op->emitOpError("a tensor of coordinates has no elements in memory");
  return *offset;
}

LogicalResult CuteLowering::lowerMemory(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  FailureOr<Lowered> tensor = get(op->getOperand(0), op);
  if (failed(tensor))
    return failure();
  Type element = tensor->meaning.element;
  unsigned alignment = unsigned(mlir::cute::bytesOf(element));
  if (tensor->meaning.space == AddressSpace::Tensor)
    return op->emitOpError("tensor memory is only copied and added to");
  if (storedType(element) != element)
    return op->emitOpError("elements of type ") << element << " are only copied and multiplied";
  if (isa<mlir::cute::PtrStoreOp>(op)) {
    LLVM::StoreOp::create(builder, op->getOperand(1), tensor->address, alignment);
    return success();
  }
  if (isa<mlir::cute::FillOp, mlir::cute::MemRefStoreVecOp>(op)) {
    int64_t count = alg::size(tensor->meaning.layout.layout).constant();
    if (count > kMostAccesses)
      return op->emitOpError() << count << " elements are more than the " << kMostAccesses << " that are unrolled";
    Emitter emitter(builder, tensor->numbers);
    for (int64_t i = 0; i < count; ++i) {
      FailureOr<alg::Int> offset = offsetOf(op, alg::IntTuple(i), tensor->meaning);
      if (failed(offset))
        return failure();
      Value value = op->getOperand(1);
      if (isa<VectorType>(value.getType())) {
        Value at = LLVM::ConstantOp::create(builder, builder.getI32Type(), builder.getI32IntegerAttr(int32_t(i)));
        value = LLVM::ExtractElementOp::create(builder, value, at);
      }
      LLVM::StoreOp::create(builder, value, emitter.advance(tensor->address, element, *offset), alignment);
    }
    return success();
  }
  FailureOr<Lowered> coord = get(op->getOperand(1), op);
  if (failed(coord))
    return failure();
  SmallVector<Value> numbers = tensor->numbers;
  llvm::append_range(numbers, coord->numbers);
  unsigned next = 0;
  Meaning what = mlir::cute::describe(op->getOperand(0).getType(), next);
  Meaning where = mlir::cute::describe(op->getOperand(1).getType(), next);
  FailureOr<alg::Int> offset = offsetOf(op, where.tuple, what);
  if (failed(offset))
    return failure();
  Emitter emitter(builder, numbers);
  Value address = emitter.advance(tensor->address, element, *offset);
  if (isa<mlir::cute::MemRefLoadOp>(op))
    op->getResult(0).replaceAllUsesWith(LLVM::LoadOp::create(builder, element, address, alignment));
  else
    LLVM::StoreOp::create(builder, op->getOperand(2), address, alignment);
  return success();
}

LogicalResult CuteLowering::lower(Operation *op) {
  if (op->hasTrait<OpTrait::cute::Evaluated>())
    return lowerAlgebra(op);
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
    return lowerCast(cast);
  if (isa<mlir::cute_nvgpu::CuteNvgpuDialect>(op->getDialect()))
    return lowerNvgpu(op);
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<mlir::cute::StaticOp, mlir::cute::MakeAtomOp, mlir::cute::MakeTiledCopyOp, mlir::cute::MakeTiledMmaOp,
            mlir::cute::MakeSwizzleOp>([&](auto known) {
        unsigned next = 0;
        values[known.getResult()] = Lowered{mlir::cute::describe(known.getType(), next), {}, {}, {}};
        return success();
      })
      .Case([&](mlir::cute::GetLayoutsFromTileOp parts) -> LogicalResult {
        FailureOr<Lowered> tile = get(parts.getTile(), op);
        if (failed(tile))
          return failure();
        // Both carry their numbers mode by mode.
        ArrayRef<Value> numbers = tile->numbers;
        for (Value layout : parts.getLayouts()) {
          unsigned count = 0;
          Meaning meaning = mlir::cute::describe(layout.getType(), count);
          values[layout] = Lowered{meaning, SmallVector<Value>(numbers.take_front(count)), {}, {}};
          numbers = numbers.drop_front(count);
        }
        return success();
      })
      .Case([&](mlir::cute::DerefineOp derefine) -> LogicalResult {
        FailureOr<Lowered> from = get(derefine.getValue(), op);
        if (failed(from))
          return failure();
        unsigned next = 0;
        Lowered result{mlir::cute::describe(derefine.getType(), next), {}, from->address, {}};
        Emitter emitter(builder, from->numbers);
        for (auto [known, open] : llvm::zip_equal(from->meaning.everyNumber(), result.meaning.everyNumber()))
          if (open.isDynamic())
            result.numbers.push_back(emitter.emit(known.withoutBasis(), open.width()));
        values[derefine.getResult()] = result;
        return success();
      })
      .Case<mlir::cute::EqualOp, mlir::cute::TupleEqOp>([&](auto) { return lowerComparison(op); })
      .Case<mlir::cute::CreateDivisorOp, mlir::cute::MakeDivisorOp, mlir::cute::GetDivisorOp, mlir::cute::DivideOp>(
          [&](auto) { return lowerDivmod(op); })
      .Case<mlir::cute::PrintOp, mlir::cute::PrintTmaDescTiledOp, mlir::cute::PrintTmaDescIm2colOp>(
          [&](auto) { return lowerPrint(op); })
      .Case<mlir::cute::PrefetchOp, mlir::cute::PrefetchAtomCallOp>([&](auto) { return lowerPrefetch(op); })
      .Case([&](mlir::cute::MakeDescIterOp iter) -> LogicalResult {
        FailureOr<Lowered> tensor = get(iter.getSource(), op);
        if (failed(tensor))
          return failure();
        // Rows begin where the swizzle's pattern does, so the XOR is none there.
        Emitter emitter(builder, tensor->numbers);
        Value address =
            emitter.advance(tensor->address, tensor->meaning.element, tensor->meaning.layout.offset.asInt());
        unsigned next = 0;
        values[iter.getResult()] = Lowered{mlir::cute::describe(iter.getType(), next), {}, address, {}};
        return success();
      })
      .Case([&](mlir::cute::DerefDescIterOp deref) -> LogicalResult {
        FailureOr<Lowered> iter = get(deref.getIterator(), op);
        if (failed(iter))
          return failure();
        deref.replaceAllUsesWith(descriptorAt(builder, iter->address, deref.getIterator().getType()));
        return success();
      })
      .Case<mlir::cute::MemRefAllocaOp, mlir::cute::MemRefAllocSmemOp, mlir::cute::MakeFragmentLikeOp>(
          [&](auto) { return allocate(op); })
      .Case<mlir::cute::MemRefLoadOp, mlir::cute::MemRefStoreOp, mlir::cute::FillOp, mlir::cute::MemRefStoreVecOp,
            mlir::cute::PtrStoreOp>([&](auto) { return lowerMemory(op); })
      .Case<mlir::cute::CopyOp, mlir::cute::CopyAtomCallOp>([&](auto) { return lowerCopy(op); })
      .Case<mlir::cute::GemmOp, mlir::cute::MmaAtomCallOp>([&](auto) { return lowerGemm(op); })
      .Case([&](mlir::cute::UnpackTupleOp unpack) -> LogicalResult {
        FailureOr<Lowered> tuple = get(unpack.getTuple(), op);
        if (failed(tuple))
          return failure();
        Emitter emitter(builder, tuple->numbers);
        for (auto [leaf, result] : llvm::zip_equal(tuple->meaning.tuple.leaves(), unpack.getValues()))
          result.replaceAllUsesWith(emitter.emit(leaf, int(result.getType().getIntOrFloatBitWidth())));
        return success();
      })
      .Case([&](mlir::cute::IntToPtrOp cast) -> LogicalResult {
        auto type = pointerType(op->getContext(), cast.getType().getSpace());
        Value address = cast.getAddress();
        if (address.getType().isInteger())
          address = LLVM::IntToPtrOp::create(builder, type, address);
        else if (address.getType() != type)
          address = LLVM::AddrSpaceCastOp::create(builder, type, address);
        unsigned next = 0;
        values[cast.getResult()] = Lowered{mlir::cute::describe(cast.getType(), next), {}, address, {}};
        return success();
      })
      .Case([&](mlir::cute::PtrToIntOp cast) -> LogicalResult {
        FailureOr<Lowered> pointer = get(cast.getPointer(), op);
        if (failed(pointer))
          return failure();
        cast.replaceAllUsesWith(Value(LLVM::PtrToIntOp::create(builder, builder.getI64Type(), pointer->address)));
        return success();
      })
      .Default([&](Operation *) { return op->emitOpError("cannot be lowered"); });
}

LogicalResult CuteLowering::lowerCast(UnrealizedConversionCastOp cast) {
  if (cast.getNumResults() == 1 && isCuteType(cast.getType(0))) {
    unsigned next = 0;
    Lowered result{mlir::cute::describe(cast.getType(0), next), {}, {}, {}};
    ValueRange parts = cast.getInputs();
    if (parts.getTypes() != TypeRange(loweredTypes(cast.getType(0))))
      return cast.emitOpError("has no meaning for ") << cast.getType(0);
    for (Value *address : {&result.address, &result.barrier})
      if (!parts.empty() && isa<LLVM::LLVMPointerType>(parts.front().getType()))
        *address = parts.front(), parts = parts.drop_front();
    result.numbers = SmallVector<Value>(parts);
    values[cast.getResult(0)] = result;
    return success();
  }
  if (cast.getNumOperands() != 1)
    return cast.emitOpError("has no meaning for values of cute");
  FailureOr<Lowered> value = get(cast.getOperand(0), cast);
  if (failed(value))
    return failure();
  SmallVector<Value> parts = value->parts();
  if (TypeRange(parts) != TypeRange(cast.getResultTypes()))
    return cast.emitOpError("has no meaning for ") << cast.getOperand(0).getType();
  cast.replaceAllUsesWith(parts);
  return success();
}

/// Operations of cute, operands before their users: in the order of control flow.
static void collect(Operation *op, SmallVectorImpl<Operation *> &operations) {
  if (isCute(op))
    operations.push_back(op);
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    for (Block *block : llvm::ReversePostOrderTraversal<Region *>(&region))
      for (Operation &inner : *block)
        collect(&inner, operations);
  }
}

LogicalResult CuteLowering::run() {
  if (failed(expandBlockArguments(root)))
    return failure();
  SmallVector<Operation *> operations;
  collect(root, operations);
  for (Operation *op : operations)
    if (failed(lower(op)))
      return failure();
  for (Operation *op : llvm::reverse(operations)) {
    for (Operation *user : op->getUsers())
      return user->emitOpError("cannot take a value of cute: ") << op->getResultTypes().front();
    op->erase();
  }
  return success();
}

SmallVector<Value> Lowered::parts() const {
  SmallVector<Value> result;
  for (Value part : {address, barrier})
    if (part)
      result.push_back(part);
  llvm::append_range(result, numbers);
  return result;
}

/// Operations of cute, or functions that take its values.
static bool hasCute(Operation *root) {
  return root
      ->walk([](Operation *op) {
        auto function = dyn_cast<FunctionOpInterface>(op);
        bool found = isCute(op) || (function && (llvm::any_of(function.getArgumentTypes(), isCuteType) ||
                                                 llvm::any_of(function.getResultTypes(), isCuteType)));
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct ConvertCuteToLLVM : tileiras::impl::ConvertCuteToLLVMPassBase<ConvertCuteToLLVM> {
  using ConvertCuteToLLVMPassBase::ConvertCuteToLLVMPassBase;

  void runOnOperation() override {
    if (!hasCute(getOperation()))
      return markAllAnalysesPreserved();
    if (!chip.empty() && failed(checkTarget()))
      return signalPassFailure();
    if (failed(CuteLowering(getOperation()).run()))
      signalPassFailure();
  }

  /// What the table of targets says of the instructions of atoms.
  LogicalResult checkTarget() {
    std::string error;
    const TargetInfo *target = lookupTarget(chip.getValue(), &error);
    if (!target)
      return getOperation()->emitError() << error;
    bool fits = true;
    getOperation()->walk([&](Operation *op) {
      if (!isCute(op))
        return;
      auto need = [&](bool has, const char *what) {
        if (has)
          return;
        op->emitOpError("needs ") << what << ", which " << target->name << " does not have";
        fits = false;
      };
      auto needTcgen05 = [&](Type atom) {
        std::optional<mlir::cute::Product> product = mlir::cute::getProduct(atom);
        if (!product || !product->tensor)
          return;
        bool bytes = product->a.isInteger(8) && target->hasTcgen05();
        need(target->hasTcgen05() && (!bytes || target->tcgen05Int8), bytes ? "tcgen05.mma of bytes" : "tcgen05.mma");
      };
      if (isa<mlir::cute_nvgpu::ArchStsmOp>(op))
        need(target->stmatrix, "stmatrix");
      namespace nv = mlir::cute_nvgpu;
      if (isa<nv::ArchPrefetchTmaDescOp, nv::PrefetchTmaDescOp, nv::ArchTmaLoadOp, nv::ArchTmaStoreOp,
              nv::ArchTmaReduceOp, nv::MakeTmaDescTiledAtOp, nv::UpdateTmaDescOp>(op))
        need(target->clusters, "tensor maps");
      if (isa<nv::AllocTmemOp, nv::DeallocTmemOp, nv::RelinquishTmemAllocPermitOp, nv::ArchTmemLoadOp,
              nv::ArchTmemStoreOp, nv::ArchCopyS2tOp>(op))
        need(target->hasTcgen05(), "tensor memory");
      if (isa<nv::ArchMmaSM89Op>(op))
        need(target->fp8MmaSync, "mma.sync of 8-bit floats");
      if (isa<nv::ArchMmaSM90Op>(op))
        need(target->hasWgmma(), "wgmma");
      if (isa<nv::ArchMmaSM120BlockScaledOp>(op))
        need(target->blockScaledMma && !target->hasTcgen05(), "mma.sync with block scales");
      if (isa<nv::ArchMmaSM100UmmaOp, nv::ArchMmaSM100UmmaBlockScaledOp, nv::ArchMmaSM100UmmaSparseOp,
              nv::ArchMmaSM100UmmaBlockScaledSparseOp>(op))
        needTcgen05(op->getAttrOfType<TypeAttr>("atom").getValue());
      if (!isa<mlir::cute::GemmOp, mlir::cute::MmaAtomCallOp, mlir::cute::CopyOp, mlir::cute::CopyAtomCallOp,
               mlir::cute::PrefetchOp, mlir::cute::PrefetchAtomCallOp>(op))
        return;
      Type atom = mlir::cute::getAtom(op->getOperand(0).getType());
      if (isa<mlir::cute_nvgpu::StsmType>(atom))
        need(target->stmatrix, "stmatrix");
      if (mlir::cute::getBox(atom))
        need(target->clusters, "tensor maps");
      if (isa<mlir::cute_nvgpu::Sm89MmaType>(atom))
        need(target->fp8MmaSync, "mma.sync of 8-bit floats");
      if (isa<mlir::cute_nvgpu::Sm90MmaType>(atom))
        need(target->hasWgmma(), "wgmma");
      needTcgen05(atom);
      if (isa<mlir::cute::TmemAtomTypeInterface>(atom) || isa<mlir::cute_nvgpu::S2tCopyType>(atom))
        need(target->hasTcgen05(), "tensor memory");
      if (isa<mlir::cute_nvgpu::Sm120MmaBsType>(atom))
        need(target->blockScaledMma && !target->hasTcgen05(), "mma.sync with block scales");
    });
    return success(fits);
  }
};
} // namespace
