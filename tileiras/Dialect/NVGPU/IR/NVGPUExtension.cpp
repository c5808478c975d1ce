//===- NVGPUExtension.cpp - Operations that MLIR's nvgpu lacks ------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::nvgpu;

#include "tileiras/Dialect/NVGPU/IR/NVGPUExtensionEnums.cpp.inc"

#define GET_OP_CLASSES
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.cpp.inc"

void nvgpu::registerNVGPUExtension(DialectRegistry &registry) {
  registry.insert<NVGPUDialect>();
  registry.addExtension(+[](MLIRContext *, NVGPUDialect *dialect) {
    auto add = [&]<typename... Ops>() { (RegisteredOperationName::insert<Ops>(*dialect), ...); };
    add.operator()<
#define GET_OP_LIST
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.cpp.inc"
        >();
  });
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

static bool isFloatSum(TmaReduxKind kind) {
  return kind == TmaReduxKind::Add || kind == TmaReduxKind::Min || kind == TmaReduxKind::Max;
}

LogicalResult TmaAsyncReduceOp::verify() {
  MemRefType src = getSrc().getType(), tensor = getTensorMapDescriptor().getType().getTensor();
  if (!NVGPUDialect::hasSharedMemoryAddressSpace(src))
    return emitOpError("the source must be in shared memory");
  if (getCoordinates().empty() || getCoordinates().size() > kMaxTMATensorDimension)
    return emitOpError("has ") << getCoordinates().size() << " coordinates; there must be 1 to "
                               << kMaxTMATensorDimension;
  if (int64_t(getCoordinates().size()) != tensor.getRank())
    return emitOpError("has ") << getCoordinates().size() << " coordinates for a tensor map of rank "
                               << tensor.getRank();
  if (src.getElementType() != tensor.getElementType())
    return emitOpError("source and tensor map have different element types: ")
           << src.getElementType() << " and " << tensor.getElementType();
  if (src.getShape() != tensor.getShape())
    return emitOpError("source and tensor map have different shapes");

  // PTX ISA, "cp.reduce.async.bulk.tensor": the tensor map's element type decides what an operation means.
  Type type = tensor.getElementType();
  TmaReduxKind kind = getRedop();
  bool known = type.isInteger(32) || type.isInteger(64) || type.isF16() || type.isBF16() || type.isF32();
  bool legal = known;
  if (isa<FloatType>(type))
    legal = known && (kind == TmaReduxKind::Add || (isFloatSum(kind) && !type.isF32()));
  if ((kind == TmaReduxKind::Inc || kind == TmaReduxKind::Dec) && !type.isInteger(32))
    legal = false;
  if (!legal)
    return emitOpError("no '") << stringifyTmaReduxKind(kind) << "' of " << type << " in TMA";
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// A memref that holds a tensor map is 128 bytes in one piece (PTX ISA, "Tensor-map").
static LogicalResult verifyPlace(Operation *op, Value value, StringRef what) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type)
    return success();
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !element.isIntOrFloat())
    return op->emitOpError() << what << " must be a contiguous memref of a known size, not " << type;
  if (type.getNumElements() * element.getIntOrFloatBitWidth() < 128 * 8)
    return op->emitOpError() << what << " has fewer than the 128 bytes of a tensor map: " << type;
  return success();
}

LogicalResult TensorMapCreateDescriptorOp::verify() {
  return failure(failed(verifyPlace(*this, getDst(), "the destination")) ||
                 failed(verifyPlace(*this, getSrc(), "the source")));
}

std::optional<int32_t> nvgpu::tensorMapElementCode(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    bool isSigned = integer.isSigned();
    switch (integer.getWidth()) {
    case 8:
      return 0;
    case 16:
      return 1;
    case 32:
      return isSigned ? 3 : 2;
    case 64:
      return isSigned ? 5 : 4;
    default:
      return std::nullopt;
    }
  }
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 9;
  if (type.isBF16())
    return 10;
  if (type.isTF32())
    return 11;
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return 0;
  return std::nullopt;
}

LogicalResult TensorMapInitOp::verify() {
  auto map = dyn_cast<TensorMapDescriptorType>(getMap());
  if (!map)
    return emitOpError("makes a tensor map of a tensormap descriptor type, not of ") << getMap();
  MemRefType tensor = map.getTensor();
  if (tensor.getRank() < 1 || tensor.getRank() > int64_t(kMaxTMATensorDimension) || !tensor.hasStaticShape())
    return emitOpError("a tensor map has 1 to ") << kMaxTMATensorDimension << " dimensions of a known size";
  if (!tensorMapElementCode(tensor.getElementType()))
    return emitOpError("a tensor map has no elements of ") << tensor.getElementType();
  return verifyPlace(*this, getDst(), "the destination");
}

LogicalResult TensorMapPublishOp::verify() {
  if (failed(verifyPlace(*this, getDst(), "the destination")) || failed(verifyPlace(*this, getSrc(), "the source")))
    return failure();
  if (!NVGPUDialect::hasSharedMemoryAddressSpace(cast<MemRefType>(getSrc().getType())))
    return emitOpError("the source must be in shared memory");
  auto dst = dyn_cast<MemRefType>(getDst().getType());
  if (dst && NVGPUDialect::hasSharedMemoryAddressSpace(dst))
    return emitOpError("the destination must be in global memory");
  return success();
}

static LogicalResult verifyDimension(Operation *op, Value descriptor, int32_t ord, int32_t dimensions) {
  if (failed(verifyPlace(op, descriptor, "the descriptor")))
    return failure();
  if (auto type = dyn_cast<TensorMapDescriptorType>(descriptor.getType()))
    dimensions = std::min<int32_t>(dimensions, type.getTensor().getRank());
  if (ord < 0 || ord >= dimensions)
    return op->emitOpError() << "ord is " << ord << "; the tensor map has " << dimensions << " such fields";
  return success();
}

LogicalResult TensorMapUpdateGlobalAddressOp::verify() { return verifyPlace(*this, getDescriptor(), "the descriptor"); }
LogicalResult TensorMapUpdateBoxDimOp::verify() {
  return verifyDimension(*this, getDescriptor(), getOrd(), kMaxTMATensorDimension);
}
LogicalResult TensorMapUpdateGlobalDimOp::verify() {
  return verifyDimension(*this, getDescriptor(), getOrd(), kMaxTMATensorDimension);
}
LogicalResult TensorMapUpdateElementStrideOp::verify() {
  return verifyDimension(*this, getDescriptor(), getOrd(), kMaxTMATensorDimension);
}
LogicalResult TensorMapUpdateGlobalStrideOp::verify() {
  return verifyDimension(*this, getDescriptor(), getOrd(), kMaxTMATensorDimension - 1);
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

LogicalResult StMatrixOp::verify() {
  VectorType src = cast<VectorType>(getSrc().getType());
  MemRefType dst = getDst().getType();
  if (!NVGPUDialect::hasSharedMemoryAddressSpace(dst))
    return emitOpError("the destination must be in shared memory");
  if (src.getElementType() != dst.getElementType())
    return emitOpError("source and destination have different element types: ")
           << src.getElementType() << " and " << dst.getElementType();
  if (int64_t(getIndices().size()) != dst.getRank())
    return emitOpError("has ") << getIndices().size() << " indices for a memref of rank " << dst.getRank();
  if (dst.getRank() == 0 || !dst.isLastDimUnitStride())
    return emitOpError("the destination's minor-most dimension must have unit stride");
  Type element = src.getElementType();
  if (!element.isIntOrFloat() || src.getRank() != 2 || src.getDimSize(1) * element.getIntOrFloatBitWidth() != 32)
    return emitOpError("the source must hold 32 bits per matrix: a vector of rank 2 whose rows are a register each");
  if (getTranspose() && element.getIntOrFloatBitWidth() != 16)
    return emitOpError("only 16-bit elements can be transposed");
  int64_t matrices = src.getDimSize(0);
  if (matrices != 1 && matrices != 2 && matrices != 4)
    return emitOpError("stores ") << matrices << " matrices; there must be 1, 2 or 4";
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult CvtFpExtOp::verify() {
  Type element = cast<VectorType>(getRes().getType()).getElementType();
  PackedKind kind = getPackedKind();
  auto noSuch = [&] {
    return emitOpError("cannot extend ") << stringifyPackedKind(kind) << " to " << getRes().getType();
  };
  // An exponent alone has more range than f16; f16 and bf16 extend to nothing but f32.
  if (kind == PackedKind::UE8M0x2 ? element.isF16()
                                  : (kind == PackedKind::F16x2 || kind == PackedKind::BF16x2) && !element.isF32())
    return noSuch();
  if (element.isBF16() && kind != PackedKind::UE8M0x2)
    return noSuch();
  if (getRelu() && !isFp8(kind) && !isFp6(kind) && !isFp4(kind))
    return emitOpError("has no relu form for ") << stringifyPackedKind(kind);
  return success();
}

LogicalResult CvtFpTruncOp::verify() {
  Type element = cast<VectorType>(getSrc().getType()).getElementType();
  PackedKind kind = getPackedKind();
  PackedRounding rnd = getRnd();
  bool narrowerSource = kind == PackedKind::F16x2 || kind == PackedKind::BF16x2 ? element.isF32()
                        : kind == PackedKind::UE8M0x2                           ? !element.isF16()
                                                                                : !element.isBF16();
  if (!narrowerSource)
    return emitOpError("cannot round ") << getSrc().getType() << " to " << stringifyPackedKind(kind);
  bool hasRounding = kind == PackedKind::UE8M0x2 ? rnd == PackedRounding::RZ || rnd == PackedRounding::RP
                     : kind == PackedKind::F16x2 || kind == PackedKind::BF16x2
                         ? rnd == PackedRounding::RN || rnd == PackedRounding::RZ
                         : rnd == PackedRounding::RN;
  if (!hasRounding)
    return emitOpError("has no rounding mode '")
           << stringifyPackedRounding(rnd) << "' for " << stringifyPackedKind(kind);
  if (getRelu() && kind == PackedKind::UE8M0x2)
    return emitOpError("has no relu form for ") << stringifyPackedKind(kind);
  return success();
}
