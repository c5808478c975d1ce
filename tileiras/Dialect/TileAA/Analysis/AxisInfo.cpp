//===- AxisInfo.cpp - The lattice and the analysis ------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Analysis/AxisInfo.h"
#include "AxisInfoTransfer.h"
#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "tileiras/Dialect/TileAA/IR/Loops.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// AxisInfo
//===----------------------------------------------------------------------===//

AxisInfo AxisInfo::getPessimistic(Type type) {
  AxisInfo info;
  auto tensor = dyn_cast<RankedTensorType>(type);
  unsigned rank = tensor ? std::max<int64_t>(tensor.getRank(), 1) : 1;
  info.contiguity.assign(rank, 1);
  info.divisibility.assign(rank, 1);
  info.constancy.assign(rank, 1);
  info.unit = getAddressUnit(nv_tileaa::getElementTypeOrSelf(type));
  return info;
}

int64_t AxisInfo::getDivisibility(unsigned dim, int64_t block) const {
  if (block >= contiguity[dim])
    return divisibility[dim];
  // Later blocks inside a contiguous one start `block` units further on.
  return std::min(divisibility[dim], block * std::max<int64_t>(unit, 1));
}

int64_t AxisInfo::getExactContiguity(unsigned dim) const {
  return std::min(contiguity[dim], std::max<int64_t>(divisibility[dim] / std::max<int64_t>(unit, 1), 1));
}

int64_t AxisInfo::getElementDivisibility() const {
  int64_t result = 1;
  for (auto [c, d] : llvm::zip_equal(contiguity, divisibility))
    if (c == 1)
      result = std::max(result, d);
  return result;
}

AxisInfo AxisInfo::join(const AxisInfo &lhs, const AxisInfo &rhs) {
  if (lhs.isUninitialized())
    return rhs;
  if (rhs.isUninitialized())
    return lhs;
  AxisInfo info;
  info.unit = lhs.unit;
  for (unsigned d = 0; d < lhs.getRank(); ++d) {
    int64_t block = std::min(lhs.contiguity[d], rhs.contiguity[d]);
    info.contiguity.push_back(block);
    info.divisibility.push_back(std::min(lhs.getDivisibility(d, block), rhs.getDivisibility(d, block)));
    info.constancy.push_back(std::min(lhs.constancy[d], rhs.constancy[d]));
  }
  if (lhs.constantValue == rhs.constantValue)
    info.constantValue = lhs.constantValue;
  info.nonNegative = lhs.nonNegative && rhs.nonNegative;
  return info;
}

bool AxisInfo::operator==(const AxisInfo &rhs) const {
  return contiguity == rhs.contiguity && divisibility == rhs.divisibility && constancy == rhs.constancy &&
         constantValue == rhs.constantValue && nonNegative == rhs.nonNegative && unit == rhs.unit;
}

void AxisInfo::print(raw_ostream &os) const {
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    os << name << " = [";
    llvm::interleaveComma(values, os);
    os << ']';
  };
  list("contiguity", contiguity);
  list(", divisibility", divisibility);
  list(", constancy", constancy);
  if (constantValue)
    os << ", constant = " << *constantValue;
  if (nonNegative)
    os << ", non-negative";
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {
using AxisLattice = dataflow::Lattice<AxisInfo>;

class AxisInfoAnalysis : public dataflow::SparseForwardDataFlowAnalysis<AxisLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  void setToEntryState(AxisLattice *lattice) override {
    propagateIfChanged(lattice, lattice->join(AxisInfo::getPessimistic(lattice->getAnchor().getType())));
  }

  LogicalResult visitOperation(Operation *op, ArrayRef<const AxisLattice *> operands,
                               ArrayRef<AxisLattice *> results) override {
    SmallVector<const AxisInfo *> infos;
    for (const AxisLattice *lattice : operands) {
      // Wait: an operand that stays unknown sits in dead code.
      if (lattice->getValue().isUninitialized())
        return success();
      infos.push_back(&lattice->getValue());
    }
    if (results.size() == 1) {
      propagateIfChanged(results[0], results[0]->join(transferAxisInfo(op, infos)));
      return success();
    }
    bool grid = isa<GetProgramIdOp, GetNumProgramsOp>(op);
    for (AxisLattice *result : results) {
      AxisInfo info = AxisInfo::getPessimistic(result->getAnchor().getType());
      info.nonNegative = grid; // at most 2^24 - 1 blocks per axis
      if (auto access = dyn_cast<MemoryAccessOpInterface>(op);
          access && !access.isThroughView() && !access.writesMemory() && result == results.front())
        info = loadInfo(access, infos);
      propagateIfChanged(result, result->join(info));
    }
    return success();
  }

  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor, ArrayRef<AxisLattice *> args,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<CountedLoop>(op);
    if (!loop || args.empty() || args[0]->getAnchor() != loop.getInductionVar())
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, args, firstIndex);
    ProgramPoint *point = getProgramPointBefore(loop.getBody());
    const AxisInfo &lower = getLatticeElementFor(point, loop.getLowerBound())->getValue();
    const AxisInfo &step = getLatticeElementFor(point, loop.getStep())->getValue();
    if (!lower.isUninitialized() && !step.isUninitialized())
      propagateIfChanged(args[0], args[0]->join(inductionAxisInfo(lower, step, !loop.getUnsignedCmp())));
  }

private:
  /// Equal addresses give equal values, where mask and other are equal, too. Only a weak load promises that nobody
  /// writes meanwhile.
  static AxisInfo loadInfo(MemoryAccessOpInterface load, ArrayRef<const AxisInfo *> operands) {
    AxisInfo info = AxisInfo::getPessimistic(load->getResult(0).getType());
    if (!load.isWeak())
      return info;
    for (unsigned d = 0; d < info.getRank(); ++d) {
      int64_t block = operands[0]->constancy[d];
      for (auto [i, operand] : llvm::enumerate(load->getOperands()))
        if (i && !isa<MemTokenType>(operand.getType()))
          block = std::min(block, operands[i]->constancy[d]);
      info.constancy[d] = block;
    }
    return info;
  }
};
} // namespace

AxisInfoAnalysisResult::AxisInfoAnalysisResult(Operation *top)
    : solver(std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false))) {
  solver->load<dataflow::DeadCodeAnalysis>();
  solver->load<dataflow::SparseConstantPropagation>();
  solver->load<AxisInfoAnalysis>();
  if (failed(solver->initializeAndRun(top)))
    solver.reset();
}
AxisInfoAnalysisResult::~AxisInfoAnalysisResult() = default;
AxisInfoAnalysisResult::AxisInfoAnalysisResult(AxisInfoAnalysisResult &&) = default;

const AxisInfo *AxisInfoAnalysisResult::get(Value value) const {
  if (!solver)
    return nullptr;
  const auto *lattice = solver->lookupState<AxisLattice>(value);
  return lattice && !lattice->getValue().isUninitialized() ? &lattice->getValue() : nullptr;
}

bool AxisInfoAnalysisResult::beginsWithByte(Value pointer) const {
  while (Operation *def = pointer.getDefiningOp()) {
    if (isa<GetGlobalOp, AllocaOp>(def))
      return true;
    if (auto cast = dyn_cast<BitcastOp>(def)) {
      Type from = cast.getSource().getType();
      if (isa<PtrType>(from) && getAddressUnit(from) > 0)
        return true;
    } else if (auto moved = dyn_cast<AddPtrOp>(def)) {
      const AxisInfo *offset = get(moved.getOffset());
      if (!offset || offset->getElementDivisibility() % 2)
        return false;
    } else if (!isa<AssumeOp>(def)) {
      return false;
    }
    pointer = def->getOperand(0);
  }
  return isa<FuncOp>(pointer.getParentBlock()->getParentOp());
}

SmallVector<unsigned> AxisInfoAnalysisResult::getOrder(Value ptrs) const {
  auto tensor = dyn_cast<RankedTensorType>(ptrs.getType());
  SmallVector<unsigned> order(tensor ? std::max<int64_t>(tensor.getRank(), 1) : 1);
  std::iota(order.rbegin(), order.rend(), 0u);
  if (const AxisInfo *info = get(ptrs))
    llvm::stable_sort(order, [&](unsigned a, unsigned b) { return info->contiguity[a] > info->contiguity[b]; });
  return order;
}

unsigned AxisInfoAnalysisResult::maxVectorElements(Value ptrs, Value mask, unsigned elemBytes,
                                                   std::optional<unsigned> dim) const {
  const AxisInfo *info = get(ptrs);
  if (!info || elemBytes == 0)
    return 1;
  unsigned d = dim ? *dim : getOrder(ptrs).front();
  if (d >= info->getRank())
    return 1;
  int64_t count = std::min(info->contiguity[d], info->divisibility[d] / int64_t(elemBytes));
  if (mask) {
    const AxisInfo *maskInfo = get(mask);
    count = std::min(count, maskInfo ? maskInfo->constancy[d] : 1);
  }
  return count < 1 ? 1 : llvm::bit_floor(uint64_t(count));
}
