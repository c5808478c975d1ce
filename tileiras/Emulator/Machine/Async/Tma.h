//===- Tma.h - Bulk and tensor copies ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// PTX ISA, Data Movement and Conversion Instructions: Bulk Copy, Tensor Copy. Every copy is an AsyncOp of the TMA unit
// with two or more steps: the first reads its tensor map and its source (then readsDone is set), the others write the
// destination (with multicast one block each) and signal completion. Copies are unordered.
//
// A tensor copy is broken down into rows (TmaBox): runs of dense elements in global memory, in the order in which they
// lie in the box's image in shared memory. Only then comes the swizzle, as a function of shared addresses.
//
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_EMULATOR_MACHINE_ASYNC_TMA_H
#define TILEIRAS_EMULATOR_MACHINE_ASYNC_TMA_H

#include "tileiras/Emulator/Machine/Async/Async.h"
#include "tileiras/Emulator/Machine/Async/Tensormap.h"
#include "tileiras/Emulator/Machine/Exec/Handlers.h"
#include "tileiras/Emulator/Machine/Program.h"

namespace tileiras::emu {

enum class TmaKind : uint8_t {
  BulkLoad,         ///< global to shared
  BulkRemote,       ///< shared to the shared memory of another block
  BulkStore,        ///< shared to global
  BulkReduceGlobal, ///< shared onto global
  BulkReduceShared, ///< shared onto the shared memory of another block
  BulkPrefetch,
  TensorLoad,
  TensorStore,
  TensorReduce,
  TensorPrefetch,
};
enum class TmaMode : uint8_t { Tile, Gather4, Im2col, Im2colW, Im2colW128, Im2colNoOffs };

/// An address operand.
struct TmaAddress {
  MemAux aux;
  Row row = 0;
  uint64_t offset = 0;
};

/// Inst::aux of the copies.
struct TmaAux {
  TmaKind kind = TmaKind::BulkLoad;
  TmaMode mode = TmaMode::Tile;
  TmaAddress dst, src, map, bar;
  uint8_t dim = 0, coordCount = 0, infoCount = 0;
  Row coords[5] = {}, info[3] = {};
  Row size = 0, mask = 0;
  bool multicast = false, byteMask = false;
  bool pair = false;   ///< .cta_group::2
  bool ownCta = false; ///< destination .shared::cta
  ReduceOp reduce = ReduceOp::Add;
  Type type = Type::None; ///< of reductions without a tensor map

  bool isTensor() const { return kind >= TmaKind::TensorLoad; }
  bool hasBarrier() const {
    return kind == TmaKind::BulkLoad || kind == TmaKind::BulkRemote || kind == TmaKind::BulkReduceShared ||
           kind == TmaKind::TensorLoad;
  }
};

/// One copy: its operands, as they were when it was issued.
struct TmaRequest {
  const TmaAux *x = nullptr;
  uint64_t dst = 0, src = 0, bar = 0, map = 0; ///< shared addresses in the cluster's window
  Space mapSpace = Space::Generic;
  int32_t coords[5] = {};
  uint32_t info[3] = {};
  uint32_t size = 0;
  uint32_t mask = 0; ///< blocks, or bytes
};

/// What a tensor copy moves. A unit is an element, or two or sixteen elements of the packed types.
struct TmaBox {
  struct Row {
    uint64_t address; ///< of the row's unit 0, which may lie outside the tensor
    uint32_t lo, hi;  ///< units inside the tensor: lo <= u < hi
  };
  std::vector<Row> rows;
  uint32_t rowUnits = 0;
  uint32_t globalUnit = 0, sharedUnit = 0; ///< bytes
  uint64_t imageBytes() const { return uint64_t(rows.size()) * rowUnits * sharedUnit; }
  /// What complete_tx counts: the whole box, without padding.
  uint64_t transferBytes() const { return uint64_t(rows.size()) * rowUnits * globalUnit; }
};
/// Empty, or why the hardware would not accept these operands with this map.
std::string planTmaBox(const Tensormap &map, const TmaRequest &request, TmaBox &box);

class TmaOp : public AsyncOp {
public:
  TmaOp(Warp &warp, const Inst &inst, uint32_t lane, const TmaRequest &request);
  bool step() override;

  const TmaRequest request;
  /// A member of its thread's bulk groups only until it has read its tensor map (PTX ISA, cp.async.bulk.tensor, table
  /// of completion mechanisms).
  bool groupOfReads() const { return request.x->kind == TmaKind::TensorLoad; }

private:
  bool readSource();
  bool writeDestination();
  bool fail(ReportKind kind, std::string message, uint64_t address = 0);
  bool readTensormap();
  bool loadBox();
  bool storeBox(uint64_t source);
  bool loadShared(uint64_t address, uint8_t *to, uint64_t bytes, uint32_t byteMask = 0xffff);
  void storeImage(uint64_t destination);
  void writeRows();
  void reduce(Space space, uint64_t address, const uint8_t *values, uint64_t bytes, Type type);
  bool blockIsThere(uint64_t address);

  unsigned phase = 0;
  uint32_t targets = 0; ///< blocks still to be written
  Tensormap map;
  TmaBox box;
  std::vector<uint8_t> data; ///< the image, or a bulk copy's bytes
};

} // namespace tileiras::emu

#endif // TILEIRAS_EMULATOR_MACHINE_ASYNC_TMA_H
