//===- SelectMma.cpp - Which instruction multiplies -----------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The atom is the largest mma.sync shape of the target for the operands' type
// whose k is not larger than the product's. What has no instruction is
// multiplied and added by each thread for itself:
//
//   operands            instruction          multiplied as
//   f16, bf16           m16n8k16, m16n8k8    they are
//   tf32                m16n8k8, m16n8k4     they are
//   f64                 m8n8k4               they are
//   i8                  m16n8k32, m16n8k16   they are
//   e4m3, e5m2          m16n8k32             they are; f16 where the target has no fp8 product (exact)
//   with scales         m8n8k4               f64: every scaled element and every product is exact
//   f32                 none                 f32: tf32 would round the operands
//   K too small         none                 f32, i32 or f64
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/SelectMma.h"
#include "tileiras/Dialect/TileAS/IR/Dot.h"
#include <tuple>

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotShape;
using tileiras::DotTiling;
using tileiras::TargetInfo;

std::optional<MmaProblem> MmaProblem::of(Operation *product) {
  auto dot = dyn_cast<DotOp>(product);
  if (!dot && !isa<nv_tileaa::DotOp, nv_tileaa::MmaBlockScaleOp>(product))
    return std::nullopt;
  auto a = cast<RankedTensorType>(product->getOperand(0).getType()),
       b = cast<RankedTensorType>(product->getOperand(1).getType());
  return MmaProblem{getDotShape(a, b), a.getElementType(),
                    dot ? bool(dot.getSfa()) : isa<nv_tileaa::MmaBlockScaleOp>(product)};
}

namespace {

/// m, n, k of an instruction and what its operands are; k = 0: none.
struct Instruction {
  int m, n, k;
  Type element;
};

Instruction chooseInstruction(const MmaProblem &problem, const TargetInfo &target) {
  Type in = problem.element;
  MLIRContext *context = in.getContext();
  int64_t k = problem.shape.k;
  auto largest = [&](Type element, std::initializer_list<int> sizes, int m = 16) -> Instruction {
    for (int size : sizes)
      if (size <= k)
        return {m, 8, size, element};
    return {0, 0, 0, element};
  };
  if (problem.scaled)
    return largest(Float64Type::get(context), {4}, 8);
  if (in.isF16() || in.isBF16())
    return largest(in, {16, 8});
  if (isa<FloatTF32Type>(in))
    return largest(in, {8, 4});
  if (in.isF64())
    return largest(in, {4}, 8);
  if (in.isInteger(8))
    return largest(in, {32, 16});
  if (isa<Float8E4M3FNType, Float8E5M2Type>(in)) {
    if (target.fp8MmaSync && k >= 32)
      return largest(in, {32});
    return largest(Float16Type::get(context), {16, 8});
  }
  return {0, 0, 0, in};
}

/// What multiply-adds compute in.
Type multiplyAddType(const MmaProblem &problem) {
  Type in = problem.element;
  Builder b(in.getContext());
  if (problem.scaled || in.isF64())
    return b.getF64Type();
  return isa<IntegerType>(in) ? Type(b.getI32Type()) : Type(b.getF32Type());
}

} // namespace

MmaAtomAttrInterface nv_tileas::selectMmaAtom(const MmaProblem &problem, const TargetInfo &target, int numWarps,
                                              bool rowsOnly) {
  const DotShape &shape = problem.shape;
  MLIRContext *context = problem.element.getContext();
  Instruction instruction = chooseInstruction(problem, target);
  if (!instruction.k) {
    Type element = multiplyAddType(problem);
    DotTiling t = tileiras::multiplyAddTiling(shape, element.getIntOrFloatBitWidth(), numWarps);
    return FmaAtomAttr::get(context, element, {t.m, t.n}, {t.lanesM, t.lanesN}, {t.warpsBatch, t.warpsM, t.warpsN});
  }
  DotTiling t;
  t.m = instruction.m, t.n = instruction.n, t.k = instruction.k;
  t.warpsBatch = std::min(numWarps, shape.batch);
  std::tie(t.warpsM, t.warpsN) = tileiras::distributeWarps(t, shape, numWarps / t.warpsBatch, rowsOnly);
  return MmaAtomAttr::get(context, instruction.element, {t.m, t.n, t.k}, {t.warpsBatch, t.warpsM, t.warpsN});
}
