//===- Semantics.cpp - Legality that the operations' verifiers leave open -===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MLIR's verifiers look at types. Here is the rest of what the hardware asks for: memory spaces of barriers,
// alignments that are known, layouts of shared tiles (docs/seeds.md: nvgpu, "Verification Invariants").
// Nothing is refused that is merely unknown.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "tileiras/Dialect/NVGPU/Contract.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"
#include "tileiras/Dialect/NVGPU/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::nvgpu;

namespace tileiras {
namespace {

/// Bytes by which an element lies behind the start of its memref; nothing if an index or a stride is not constant.
std::optional<int64_t> constantOffset(MemRefType type, ValueRange indices) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset) ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    APInt value;
    if (ShapedType::isDynamic(stride) || !matchPattern(index, m_ConstantInt(&value)))
      return std::nullopt;
    offset += value.getSExtValue() * stride;
  }
  int64_t bits = offset * int64_t(type.getElementType().getIntOrFloatBitWidth());
  return bits % 8 ? std::nullopt : std::optional(bits / 8);
}

/// The alignment in bytes of the memory behind `memref`, where it is written down: a global, an alloca, an attribution
/// of a kernel. Without an alignment there, memory has that of its elements.
std::optional<int64_t> knownAlignment(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t natural = llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
  if (auto get = memref.getDefiningOp<memref::GetGlobalOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(get, get.getNameAttr());
    if (!global)
      return std::nullopt;
    return int64_t(global.getAlignment().value_or(natural));
  }
  if (auto alloca = memref.getDefiningOp<memref::AllocaOp>())
    return int64_t(alloca.getAlignment().value_or(natural));
  auto argument = dyn_cast<BlockArgument>(memref);
  auto kernel = argument ? dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()) : gpu::GPUFuncOp();
  if (!kernel || !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  // Attributions follow the arguments.
  unsigned first = kernel.getFunctionType().getNumInputs(), number = argument.getArgNumber();
  if (number < first || number >= first + kernel.getNumWorkgroupAttributions())
    return std::nullopt;
  auto align = dyn_cast_or_null<IntegerAttr>(
      kernel.getWorkgroupAttributionAttr(number - first, LLVM::LLVMDialect::getAlignAttrName()));
  return align ? align.getInt() : natural;
}

/// Whether the element at `indices` can be at a multiple of `bytes`: false only if it is known not to be.
bool mayBeAligned(Value memref, ValueRange indices, int64_t bytes) {
  std::optional<int64_t> alignment = knownAlignment(memref);
  std::optional<int64_t> offset = constantOffset(cast<MemRefType>(memref.getType()), indices);
  return !((alignment && *alignment < bytes) || (offset && *offset % bytes));
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

LogicalResult verifyBarrier(Operation *op) {
  for (Type type :
       llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes()))) {
    auto group = dyn_cast<MBarrierGroupType>(type);
    if (!group)
      continue;
    if (!NVGPUDialect::isSharedMemoryAddressSpace(group.getMemorySpace()))
      return op->emitOpError("mbarrier requires shared-memory operand");
    if (group.getNumBarriers() == 0)
      return op->emitOpError("the mbarrier group has no barriers");
  }
  return success();
}

/// A barrier's index, where it is constant.
LogicalResult verifyBarrierIndex(Operation *op, MBarrierGroupType group, Value index) {
  APInt value;
  if (matchPattern(index, m_ConstantInt(&value)) && value.uge(group.getNumBarriers()))
    return op->emitOpError() << "uses barrier " << value.getSExtValue() << " of a group of " << group.getNumBarriers();
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

LogicalResult verifyAsyncCopy(DeviceAsyncCopyOp op) {
  MemRefType dst = cast<MemRefType>(op.getDst().getType()), src = cast<MemRefType>(op.getSrc().getType());
  if (NVGPUDialect::hasSharedMemoryAddressSpace(src))
    return op.emitOpError("the source must be in global memory");
  int64_t bytes = op.getDstElements().getSExtValue() * dst.getElementTypeBitWidth() / 8;
  // cp.async needs addresses aligned to the size of the copy (PTX ISA, "cp.async").
  if (!mayBeAligned(op.getDst(), op.getDstIndices(), bytes))
    return op.emitOpError() << "copies " << bytes << " bytes to an address that is not a multiple of that"
                            << (op.getBypassL1().value_or(false) ? ", which L1 bypass needs" : "");
  if (!mayBeAligned(op.getSrc(), op.getSrcIndices(), bytes))
    return op.emitOpError() << "copies " << bytes << " bytes from an address that is not a multiple of that";
  APInt elements;
  if (op.getSrcElements() && matchPattern(op.getSrcElements(), m_ConstantInt(&elements)) &&
      elements.ugt(op.getDstElements().getZExtValue()))
    return op.emitOpError() << "reads " << elements.getZExtValue() << " elements and writes only "
                            << op.getDstElements().getZExtValue();
  return success();
}

LogicalResult verifyTensorMapType(Operation *op, TensorMapDescriptorType map) {
  MemRefType tensor = map.getTensor();
  Type element = tensor.getElementType();
  if (tensor.getRank() < 1 || tensor.getRank() > int64_t(kMaxTMATensorDimension))
    return op->emitOpError() << "a tensor map has 1 to " << kMaxTMATensorDimension << " dimensions, not "
                             << tensor.getRank();
  if (!element.isIntOrFloat() || !llvm::is_contained({8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth()))
    return op->emitOpError() << "a tensor map has no elements of " << element;
  if (map.getOob() == TensorMapOOBKind::OOB_NAN && !isa<FloatType>(element))
    return op->emitOpError() << "out-of-bounds elements of " << element << " cannot be NaN";
  for (int64_t extent : tensor.getShape())
    if (ShapedType::isDynamic(extent) || extent < 1 || extent > int64_t(kMaxTMADimension))
      return op->emitOpError() << "a box extends over 1 to " << kMaxTMADimension << " elements in each dimension";
  int64_t rowBytes = tensor.getShape().back() * element.getIntOrFloatBitWidth() / 8;
  if (map.getInterleave() == TensorMapInterleaveKind::INTERLEAVE_NONE) {
    if (rowBytes % kTMALastdimByte)
      return op->emitOpError() << "a row of the box has " << rowBytes << " bytes, which is no multiple of "
                               << kTMALastdimByte;
    int64_t span =
        map.getSwizzle() == TensorMapSwizzleKind::SWIZZLE_NONE ? 0 : int64_t(16) << static_cast<int>(map.getSwizzle());
    if (span && rowBytes > span)
      return op->emitOpError() << "a row of the box has " << rowBytes << " bytes, more than the " << span
                               << " of its swizzle";
  } else if (tensor.getRank() < 3) {
    return op->emitOpError("an interleaved tensor has at least 3 dimensions");
  } else if (map.getInterleave() == TensorMapInterleaveKind::INTERLEAVE_32B &&
             map.getSwizzle() != TensorMapSwizzleKind::SWIZZLE_32B) {
    return op->emitOpError("an interleave of 32 bytes needs a swizzle of 32 bytes");
  }
  return success();
}

/// The shared tile of a TMA operation: in one piece, and where TMA can address it (PTX ISA, "cp.async.bulk.tensor":
/// 128 bytes).
LogicalResult verifyTmaTile(Operation *op, Value tile, TensorMapDescriptorType map) {
  if (Attribute hint = op->getAttr(kCacheHintAttr);
      hint && !(isa<IntegerAttr>(hint) && cast<IntegerAttr>(hint).getType().isInteger(64)))
    return op->emitOpError() << "'" << kCacheHintAttr << "' must be an i64, not " << hint;
  MemRefType type = cast<MemRefType>(tile.getType());
  if (failed(verifyTensorMapType(op, map)))
    return failure();
  if (!NVGPUDialect::hasSharedMemoryAddressSpace(type))
    return op->emitOpError("the tile must be in shared memory");
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) || !type.areTrailingDimsContiguous(type.getRank()))
    return op->emitOpError("the tile in shared memory must be contiguous: TMA writes it in one piece");
  constexpr int64_t kTmaAlignment = 128;
  std::optional<int64_t> alignment = knownAlignment(tile);
  if (alignment && *alignment < kTmaAlignment)
    return op->emitOpError() << "the tile in shared memory is aligned to " << *alignment << " bytes; TMA needs "
                             << kTmaAlignment;
  return success();
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// One kind of product: the elements' type, the accumulators' and the shapes there are (PTX ISA, "mma", "mma.sp").
struct ProductKind {
  const char *element;
  bool (*isElement)(Type);
  bool (*isAccumulator)(Type);
  ArrayRef<std::array<int64_t, 3>> dense, sparse;
};

using Shape = std::array<int64_t, 3>;
constexpr Shape kHalf[] = {{16, 8, 8}, {16, 8, 16}}, kHalfSparse[] = {{16, 8, 16}, {16, 8, 32}};
constexpr Shape kTf32[] = {{16, 8, 4}, {16, 8, 8}}, kTf32Sparse[] = {{16, 8, 8}, {16, 8, 16}};
constexpr Shape kF64[] = {{8, 8, 4}};
constexpr Shape kInt8[] = {{8, 8, 16}, {16, 8, 16}, {16, 8, 32}}, kInt8Sparse[] = {{16, 8, 32}, {16, 8, 64}};
constexpr Shape kInt4[] = {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}, kInt4Sparse[] = {{16, 8, 64}, {16, 8, 128}};

bool isF32(Type type) { return type.isF32(); }
bool isI32(Type type) { return type.isInteger(32); }

const ProductKind productKinds[] = {
    {"f16", [](Type t) { return t.isF16(); }, [](Type t) { return t.isF16() || t.isF32(); }, kHalf, kHalfSparse},
    {"bf16", [](Type t) { return t.isBF16(); }, isF32, kHalf, kHalfSparse},
    {"tf32", isF32, isF32, kTf32, kTf32Sparse},
    {"f64", [](Type t) { return t.isF64(); }, [](Type t) { return t.isF64(); }, kF64, {}},
    {"i8", [](Type t) { return t.isInteger(8); }, isI32, kInt8, kInt8Sparse},
    {"i4", [](Type t) { return t.isInteger(4); }, isI32, kInt4, kInt4Sparse},
};

template <typename Op> LogicalResult verifyProduct(Op op, bool sparse) {
  Type element = cast<VectorType>(op.getMatrixA().getType()).getElementType();
  Type accumulator = cast<VectorType>(op.getMatrixC().getType()).getElementType();
  for (const ProductKind &kind : productKinds) {
    if (!kind.isElement(element))
      continue;
    Shape shape = op.getMmaShapeAsArray();
    if (!llvm::is_contained(sparse ? kind.sparse : kind.dense, shape))
      return op.emitOpError() << "there is no m" << shape[0] << "n" << shape[1] << "k" << shape[2] << " of "
                              << kind.element;
    if (!kind.isAccumulator(accumulator))
      return op.emitOpError() << "products of " << kind.element << " cannot be added to " << accumulator;
    return success();
  }
  return op.emitOpError() << "there is no product of " << element;
}

LogicalResult verifyLdMatrix(LdMatrixOp op) {
  MemRefType source = op.getSrcMemref().getType();
  if (int64_t(op.getIndices().size()) != source.getRank())
    return op.emitOpError() << "has " << op.getIndices().size() << " indices for a memref of rank " << source.getRank();
  if (source.getRank() == 0 || !source.isLastDimUnitStride())
    return op.emitOpError("the source's minor-most dimension must have unit stride");
  if (!llvm::is_contained({1u, 2u, 4u}, op.getNumTiles()))
    return op.emitOpError() << "loads " << op.getNumTiles() << " matrices; there must be 1, 2 or 4";
  return success();
}

/// Whether tf32 is asked for where it can be had.
template <typename Op> LogicalResult verifyTf32(Op op) {
  if (!op.getTf32Enabled()) {
    // There is no product of f32 proper, and precision is not given up unasked.
    if (cast<VectorType>(op.getMatrixA().getType()).getElementType().isF32())
      return op.emitOpError("f32 operands are multiplied as tf32, which needs tf32Enabled");
    return success();
  }
  for (Type type : {op.getMatrixA().getType(), op.getMatrixB().getType()})
    if (!cast<VectorType>(type).getElementType().isF32())
      return op.emitOpError("tf32 pairs with f32 operands only");
  return success();
}

LogicalResult verifySparse(MmaSparseSyncOp op) {
  // Where all four threads of a group hold metadata there is nothing to select (PTX ISA, "Sparse matrix storage": 8-bit
  // types with k = 64, 4-bit types with k = 128). Too large selectors are refused by MLIR.
  unsigned bits = cast<VectorType>(op.getMatrixA().getType()).getElementTypeBitWidth();
  if (failed(verifyProduct(op, /*sparse=*/true)))
    return failure();
  int64_t k = op.getMmaShapeAsArray()[2];
  if (bits <= 8 && k * bits == 512 && op.getSparsitySelector() != 0)
    return op.emitOpError() << "the sparsity selector must be 0 for k = " << k << " of " << bits << "-bit elements";
  return verifyTf32(op);
}

LogicalResult verifyDescriptorGeneration(WarpgroupGenerateDescriptorOp op) {
  if (failed(verifyTensorMapType(op, op.getTensorMap().getType())))
    return failure();
  if (!NVGPUDialect::hasSharedMemoryAddressSpace(op.getTensor().getType()))
    return op.emitOpError("the matrix must be in shared memory");
  // Swizzled patterns repeat every 1024 bytes, and the base offset field is left zero (PTX ISA, "Matrix Descriptor").
  std::optional<int64_t> alignment = knownAlignment(op.getTensor());
  int64_t needed = int64_t(128) << static_cast<int>(op.getTensorMap().getType().getSwizzle());
  if (alignment && *alignment < needed)
    return op.emitOpError() << "the matrix in shared memory is aligned to " << *alignment
                            << " bytes; its swizzle needs " << needed;
  return success();
}

LogicalResult verifyWarpgroupMma(WarpgroupMmaOp op) {
  MemRefType a = op.getDescriptorA().getType().getTensor();
  // Only 16-bit elements may have the other dimension run fastest (PTX ISA, "wgmma.mma_async": imm-trans).
  bool wide = a.getElementTypeBitWidth() == 16;
  constexpr int64_t kInstructionBytes = 32; // of k
  int64_t step = kInstructionBytes * 8 / llvm::PowerOf2Ceil(a.getElementTypeBitWidth());
  if (a.getDimSize(1) < step || a.getDimSize(1) % step)
    return op.emitOpError() << "k is " << a.getDimSize(1) << ", no multiple of the instruction's " << step;
  if (int64_t(op.getWaitGroup()) < 0)
    return op.emitOpError() << "cannot leave " << int64_t(op.getWaitGroup()) << " groups pending";
  if (!wide && (op.getTransposeA() || op.getTransposeB()))
    return op.emitOpError() << "Not a canonical GMMA_MN Layout: only 16-bit elements can be transposed, not "
                            << a.getElementType();
  return success();
}

} // namespace

LogicalResult verifySemantics(Operation *op) {
  for (Type type : op->getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
      return op->emitOpError() << "there are no scalable vectors on this target: " << type;
  if (auto reduce = dyn_cast<gpu::AllReduceOp>(op); reduce && !reduce.getUniform())
    return reduce.emitOpError("a reduction over the block must be uniform: all its threads take part");
  if (auto function = dyn_cast<gpu::GPUFuncOp>(op))
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (i < function.getFunctionType().getNumInputs() && function.getArgAttr(i, kGridConstantAttr) &&
          !(function.isKernel() && isa<TensorMapDescriptorType>(function.getArgument(i).getType())))
        return function.emitOpError() << "argument " << i << ": '" << kGridConstantAttr
                                      << "' may stand on tensor map descriptors of kernels only";
  if (op->getName().getDialectNamespace() != NVGPUDialect::getDialectNamespace())
    return success();
  if (failed(verifyBarrier(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<MBarrierInitOp, MBarrierArriveOp, MBarrierArriveNoCompleteOp, MBarrierArriveExpectTxOp, MBarrierTestWaitOp,
            MBarrierTryWaitParityOp, MBarrierInvalOp, MBarrierGetOp>([](auto barrier) {
        return verifyBarrierIndex(barrier, barrier.getBarriers().getType(), barrier.getMbarId());
      })
      .Case([](DeviceAsyncCopyOp copy) { return verifyAsyncCopy(copy); })
      .Case([](TmaAsyncLoadOp load) {
        if (failed(verifyBarrierIndex(load, load.getBarriers().getType(), load.getMbarId())))
          return failure();
        return verifyTmaTile(load, load.getDst(), load.getTensorMapDescriptor().getType());
      })
      .Case<TmaAsyncStoreOp, TmaAsyncReduceOp>(
          [](auto store) { return verifyTmaTile(store, store.getSrc(), store.getTensorMapDescriptor().getType()); })
      .Case<TmaPrefetchOp, TmaFenceOp>(
          [](auto user) { return verifyTensorMapType(user, user.getTensorMapDescriptor().getType()); })
      .Case([](WarpgroupGenerateDescriptorOp generate) { return verifyDescriptorGeneration(generate); })
      .Case([](WarpgroupMmaOp mma) { return verifyWarpgroupMma(mma); })
      .Case([](MmaSparseSyncOp mma) { return verifySparse(mma); })
      .Case([](MmaSyncOp mma) { return failed(verifyProduct(mma, /*sparse=*/false)) ? failure() : verifyTf32(mma); })
      .Case([](LdMatrixOp load) { return verifyLdMatrix(load); })
      .Case([](DeviceAsyncWaitOp wait) -> LogicalResult {
        if (wait.getNumGroups() && int32_t(*wait.getNumGroups()) < 0)
          return wait.emitOpError() << "cannot leave " << int32_t(*wait.getNumGroups()) << " groups pending";
        return success();
      })
      .Case([](WarpgroupMmaInitAccumulatorOp init) -> LogicalResult {
        Type element = init.getMatrixC().getType().getFragmented().getElementType();
        if (!element.isF32() && !element.isF16() && !element.isInteger(32))
          return init.emitOpError() << "wgmma accumulates in f32, f16 or i32, not in " << element;
        return success();
      })
      .Case([](TmaCreateDescriptorOp create) -> LogicalResult {
        if (create->getParentOfType<gpu::GPUModuleOp>())
          return create.emitOpError("is host code: it calls the CUDA driver");
        return success();
      })
      .Default([](Operation *) { return success(); });
}

} // namespace tileiras
