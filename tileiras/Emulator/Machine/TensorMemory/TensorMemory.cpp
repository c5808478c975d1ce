//===- TensorMemory.cpp - Tensor memory of a thread block -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/TensorMemory/TensorMemory.h"

#include "tileiras/Emulator/Machine/Cta.h"

#include <algorithm>

using namespace tileiras::emu;

void TensorMemory::reset() {
  if (!cells.empty()) {
    std::fill(cells.begin(), cells.end(), 0xcdcdcdcdu);
    std::fill(shadow.begin(), shadow.end(), uint8_t(0));
  }
  allocations.clear();
  relinquished = false;
  smallest = 0;
  group = 0;
  for (TensorRequest &r : requests)
    r = TensorRequest();
  issued.clear();
  std::fill(std::begin(collectorFilled), std::end(collectorFilled), false);
}

bool TensorMemory::owned(uint32_t column, uint32_t count) const {
  for (uint32_t end = column + count; column < end;) {
    auto it = std::find_if(allocations.begin(), allocations.end(), [&](const TensorAllocation &a) {
      return column >= a.column && column < a.column + a.columns;
    });
    if (it == allocations.end())
      return false;
    column = it->column + it->columns;
  }
  return true;
}

uint32_t TensorMemory::findFree(uint32_t columns, const TensorMemory *peer) const {
  for (uint32_t at = 0; at + columns <= TensorColumns; at += 32) {
    bool free = true;
    for (const TensorMemory *memory : {this, peer})
      if (memory)
        for (const TensorAllocation &a : memory->allocations)
          free &= at + columns <= a.column || a.column + a.columns <= at;
    if (free)
      return at;
  }
  return ~0u;
}

void TensorMemory::allocate(const TensorAllocation &a) {
  if (cells.empty()) {
    cells.assign(size_t(TensorLanes) * TensorColumns, 0xcdcdcdcdu);
    shadow.assign(size_t(TensorLanes) * TensorColumns, 0);
  }
  allocations.push_back(a);
}

void TensorMemory::free(size_t index) {
  TensorAllocation a = allocations[index];
  allocations.erase(allocations.begin() + long(index));
  // The contents are undefined from now on.
  for (uint32_t lane = 0; lane != TensorLanes; ++lane) {
    std::fill_n(cell(lane, a.column), a.columns, 0xcdcdcdcdu);
    std::fill_n(written(lane, a.column), a.columns, uint8_t(0));
  }
}

void TensorMemory::exit(Cta &cta) {
  for (const TensorAllocation &a : allocations)
    a.warp->reportAt(*a.function, ReportKind::TensorMemory, *a.inst, 0,
                     "the block exits without freeing the " + std::to_string(a.columns) +
                         " columns of tensor memory allocated here (columns " + std::to_string(a.column) + " to " +
                         std::to_string(a.column + a.columns - 1) + "); a tcgen05.dealloc is missing");
  for (AsyncOp *op : cta.cluster->async.list()) {
    if (op->unit != AsyncUnit::Tcgen05 || op->cta != &cta)
      continue;
    Op kind = op->function->body[op->inst->source].row->op;
    // A commit may outlive the block: nobody need look at the barriers of the last stages.
    if (kind == Op::Tcgen05Mma || kind == Op::Tcgen05Cp || kind == Op::Tcgen05Shift) {
      op->report(ReportKind::Async,
                 "the block exits while this operation may still be running; nobody has waited for it");
      break;
    }
  }
}

std::string TensorMemory::waitText() const {
  for (const TensorRequest &r : requests)
    if (r.state == TensorRequest::Waiting)
      return "the other block of its pair to execute the same tcgen05 instruction, or for free columns of tensor "
             "memory";
  std::string text = "free columns of tensor memory; allocated are";
  for (const TensorAllocation &a : allocations)
    text += " " + std::to_string(a.column) + ".." + std::to_string(a.column + a.columns - 1);
  return text;
}
