//===- Cutlass.cpp - The cutlass dialect ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/Cutlass/IR/Cutlass.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::cutlass;

#include "tileiras/Dialect/Cutlass/IR/CutlassDialect.cpp.inc"
#include "tileiras/Dialect/Cutlass/IR/CutlassEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/Cutlass/IR/CutlassAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/Cutlass/IR/CutlassTypes.cpp.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/Cutlass/IR/CutlassOps.cpp.inc"

void CutlassDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileiras/Dialect/Cutlass/IR/CutlassAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tileiras/Dialect/Cutlass/IR/CutlassTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/Cutlass/IR/CutlassOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// A block has at most 1024 threads; a cluster at most 16 blocks, which is what a launch may ask for without being
/// portable.
static constexpr int32_t kMaxWarps = 32, kMaxBlocks = 16;

int32_t GroupAttr::getParticipants() const {
  int32_t count = 0;
  for (int32_t warp = 0; warp < getWarps(); ++warp)
    count += getMode() == ParticipantMode::StridedMod   ? warp % getStride() == getWhich()
             : getMode() == ParticipantMode::StridedDiv ? warp / getStride() == getWhich()
                                                        : 1;
  return count;
}

int32_t GroupAttr::getArrivals() const {
  if (getMode() == ParticipantMode::Cooperative)
    return 32 * getWarps();
  return getParticipants() * getBlocks();
}

LogicalResult GroupAttr::verify(function_ref<InFlightDiagnostic()> emitError, ParticipantMode mode, int32_t warps,
                                int32_t from, int32_t stride, int32_t which, int32_t blocks) {
  if (warps < 1 || from < 0 || from > kMaxWarps || warps > kMaxWarps - from)
    return emitError() << "expects warps of a block, which has at most " << kMaxWarps << ", got " << warps << " from "
                       << from;
  bool strided = mode == ParticipantMode::StridedMod || mode == ParticipantMode::StridedDiv;
  if (!strided && (stride != 0 || which != 0))
    return emitError() << "expects 'stride' and 'which' of a strided group only";
  if (strided && stride < 1)
    return emitError() << "expects the stride of a strided group";
  int32_t groups = mode == ParticipantMode::StridedMod ? std::min(stride, warps)
                   : strided                           ? (warps + stride - 1) / stride
                                                       : 1;
  if (strided && (which < 0 || which >= groups))
    return emitError() << "expects 'which' to be one of " << groups << " groups of warps, got " << which;
  if (mode == ParticipantMode::Cluster ? blocks < 2 || blocks > kMaxBlocks : blocks != 1)
    return emitError() << "expects 2 to " << kMaxBlocks << " 'blocks' of a cluster, and none otherwise";
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// A block's static shared memory has 48 KiB; two mbarriers of 8 bytes to a stage.
static constexpr int32_t kMaxStages = 1024;

static LogicalResult verifyStages(function_ref<InFlightDiagnostic()> emitError, int32_t stages) {
  if (stages < 1 || stages > kMaxStages)
    return emitError() << "expects 1 to " << kMaxStages << " stages, got " << stages;
  return success();
}

LogicalResult PipelineType::verify(function_ref<InFlightDiagnostic()> emitError, PipelineKind kind, int32_t stages,
                                   int32_t bytes, GroupAttr producer, GroupAttr consumer) {
  if (failed(verifyStages(emitError, stages)))
    return failure();
  // The tx-count of an mbarrier: PTX ISA, "Tracking asynchronous operations by the mbarrier object".
  constexpr int32_t maxBytes = (1 << 20) - 1;
  if (kind == PipelineKind::Tma ? bytes < 16 || bytes > maxBytes || bytes % 16 : bytes != 0)
    return emitError() << "expects 'bytes' of a pipeline that tensor copies fill, a multiple of 16 up to " << maxBytes
                       << ", and of no other, got " << bytes;
  if (kind == PipelineKind::Tma && producer.getParticipants() != 1)
    return emitError() << "expects one warp that has tensor copies fill a stage, got " << producer.getParticipants();
  if (producer.getMode() == ParticipantMode::Cluster)
    return emitError() << "expects producers that arrive in their own block";
  if (consumer.getMode() == ParticipantMode::Cluster && kind != PipelineKind::Tma)
    return emitError() << "expects tensor copies to fill what the blocks of a cluster empty";
  return success();
}

LogicalResult PipelineStateType::verify(function_ref<InFlightDiagnostic()> emitError, int32_t stages) {
  return verifyStages(emitError, stages);
}

LogicalResult SeqBarType::verify(function_ref<InFlightDiagnostic()> emitError, int32_t depth, int32_t length,
                                 int32_t warps) {
  if (depth < 1 || length < 1 || int64_t(depth) * length > kMaxStages)
    return emitError() << "expects a depth and a length, together up to " << kMaxStages << " barriers, got " << depth
                       << " and " << length;
  if (warps < 1 || warps > kMaxWarps)
    return emitError() << "expects groups of 1 to " << kMaxWarps << " warps, got " << warps;
  return success();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<Params> cutlass::getParam(StringRef name) {
  return llvm::StringSwitch<std::optional<Params>>(name)
      .Case("tiles_m", TilesM)
      .Case("tiles_n", TilesN)
      .Case("tiles_l", TilesL)
      .Case("k_tiles", KTiles)
      .Case("units", Units)
      .Case("streamk_tiles", StreamKTiles)
      .Default(std::nullopt);
}

std::optional<Info> cutlass::getInfo(StringRef name) {
  return llvm::StringSwitch<std::optional<Info>>(name)
      .Case("m", M)
      .Case("n", N)
      .Case("l", L)
      .Case("k_start", KStart)
      .Case("k_count", KCount)
      .Case("valid", Valid)
      .Case("tile", Tile)
      .Default(std::nullopt);
}

int64_t cutlass::getStripedPiece(VectorType fragment) {
  constexpr int64_t maxBits = 128;
  int64_t piece = 1, bits = fragment.getElementTypeBitWidth();
  while (fragment.getNumElements() % (2 * piece) == 0 && 2 * piece * bits <= maxBits)
    piece *= 2;
  return piece;
}
