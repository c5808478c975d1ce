//===- CopyAtoms.cpp - ld and st, cp.async, ldmatrix and stmatrix ---------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/IR/TileAS.h"

using namespace mlir;
using namespace mlir::nv_tileas;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

static LogicalResult verifyBytes(function_ref<InFlightDiagnostic()> emitError, int32_t bytes,
                                 std::initializer_list<int32_t> allowed) {
  if (llvm::is_contained(allowed, bytes))
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expects an access of ";
  llvm::interleave(allowed, diagnostic, [&](int32_t v) { diagnostic << v; }, ", ");
  return diagnostic << " bytes, got " << bytes;
}

//===----------------------------------------------------------------------===//
// universal_copy: ld and st
//===----------------------------------------------------------------------===//

LogicalResult UniversalCopyAttr::verify(function_ref<InFlightDiagnostic()> emitError, int32_t bytes) {
  return verifyBytes(emitError, bytes, {1, 2, 4, 8, 16, 32});
}
MemorySet UniversalCopyAttr::getSources() const {
  return {MemoryKind::Registers, MemoryKind::Shared, MemoryKind::Global};
}
MemorySet UniversalCopyAttr::getDestinations() const { return getSources(); }
int32_t UniversalCopyAttr::getAccessBytes() const { return getBytes(); }
int64_t UniversalCopyAttr::getCost(int64_t bytesPerThread) const { return ceilDiv(bytesPerThread, getBytes()); }

//===----------------------------------------------------------------------===//
// simt_async_copy: cp.async
//===----------------------------------------------------------------------===//

LogicalResult SimtAsyncCopyAttr::verify(function_ref<InFlightDiagnostic()> emitError, int32_t bytes) {
  return verifyBytes(emitError, bytes, {4, 8, 16});
}
MemorySet SimtAsyncCopyAttr::getSources() const { return MemoryKind::Global; }
MemorySet SimtAsyncCopyAttr::getDestinations() const { return MemoryKind::Shared; }
int32_t SimtAsyncCopyAttr::getAccessBytes() const { return getBytes(); }
Completion SimtAsyncCopyAttr::getCompletion() const { return Completion::WaitGroup; }
int64_t SimtAsyncCopyAttr::getCost(int64_t bytesPerThread) const { return ceilDiv(bytesPerThread, getBytes()); }

//===----------------------------------------------------------------------===//
// ldsm and stsm: ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

static LogicalResult verifyMatrices(function_ref<InFlightDiagnostic()> emitError, int32_t matrices) {
  if (matrices == 1 || matrices == 2 || matrices == 4)
    return success();
  return emitError() << "expects 1, 2 or 4 matrices, got " << matrices;
}

/// A matrix has 8 rows of 16 bytes, which makes 4 bytes for each thread of a warp.
static int64_t matrixCost(int64_t bytesPerThread, int32_t matrices) { return ceilDiv(bytesPerThread, 4 * matrices); }

LogicalResult LdsmAttr::verify(function_ref<InFlightDiagnostic()> emitError, int32_t matrices, bool) {
  return verifyMatrices(emitError, matrices);
}
MemorySet LdsmAttr::getSources() const { return MemoryKind::Shared; }
MemorySet LdsmAttr::getDestinations() const { return MemoryKind::Registers; }
int32_t LdsmAttr::getAccessBytes() const { return 16; }
int32_t LdsmAttr::getThreadsTogether() const { return 32; }
int64_t LdsmAttr::getCost(int64_t bytesPerThread) const { return matrixCost(bytesPerThread, getMatrices()); }

LogicalResult StsmAttr::verify(function_ref<InFlightDiagnostic()> emitError, int32_t matrices, bool) {
  return verifyMatrices(emitError, matrices);
}
MemorySet StsmAttr::getSources() const { return MemoryKind::Registers; }
MemorySet StsmAttr::getDestinations() const { return MemoryKind::Shared; }
int32_t StsmAttr::getAccessBytes() const { return 16; }
int32_t StsmAttr::getThreadsTogether() const { return 32; }
int64_t StsmAttr::getCost(int64_t bytesPerThread) const { return matrixCost(bytesPerThread, getMatrices()); }
