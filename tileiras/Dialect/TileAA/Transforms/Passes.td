//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Passes on nv_tileaa.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES
#define TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def ExpandOpsPass : Pass<"tileaa-expand-ops", "::mlir::ModuleOp"> {
  let summary = "Express operations of nv_tileaa by others";
  let description = [{
    Calls are inlined; `clampf`, `generate`, `histogram` and `pragma` become simpler operations, annotations go. What
    nothing lowers yet is refused here, by name. Kernels whose products of 8-bit floats have to be exact are marked
    (`nv_tileaa.exact_sums`).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::nv_tileaa::TileAADialect"];
  let options = [
    Option<"fp8Sums", "fp8-sums", "std::string", "\"promoted\"",
           "f32 sums of 8-bit floats without fast_acc on sm_90: promoted (the unit's own, added up in f32 every 128 of "
           "k) or exact (multiplied as f16)">
  ];
  let statistics = [Statistic<"numCalls", "num-calls", "Calls that were inlined">];
}

def IntegerRangesPass : Pass<"tileaa-int-range-optimizations"> {
  let summary = "Fold what the ranges of integers decide";
  let description = [{
    MLIR's `int-range-optimizations` with ranges of `arith.ceildivsi` that hold where the dividend may be the smallest
    integer. Signed divisions and remainders of numbers that are not negative become unsigned ones.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numUnsigned", "num-unsigned", "Divisions that became unsigned ones">];
}

def SimplifyDivisionsPass : Pass<"tileaa-simplify-divisions"> {
  let summary = "Divide by powers of two with shifts";
  let description = [{
    Divisions and remainders of integers by constant powers of two: one shift, or zero, where what is known of the
    number (AxisInfo) says that nothing is left; else a shift where it rounds as the division does, and a shift and the
    carry of the low bits for divisions rounded up. Others stay for LLVM.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numDivisions", "num-divisions", "Divisions that became shifts or masks">];
}

def HoistViewsPass : Pass<"tileaa-hoist-views"> {
  let summary = "Make views in front of the loops that use them";
  let description = [{
    A view that stands in a loop, or a branch in it, and is made of what is computed outside moves in front of the loop,
    with the numbers it needs: a tensor map is made once, outside of loops.
  }];
  let statistics = [Statistic<"numViews", "num-views", "Views that have left a loop">];
}

def TestPrintAxisInfoPass : Pass<"test-print-axis-info"> {
  let summary = "Print contiguity, divisibility and constancy of values";
  let description = [{
    For tests of the axis analysis: one line per integer or pointer, and for loads and stores the vector width that
    their addresses allow.
  }];
}

#endif // TILEIRAS_DIALECT_TILEAA_TRANSFORMS_PASSES
