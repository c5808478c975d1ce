//===- CudaTileAggregateOps.td - Reductions and scans ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_AGGREGATEOPS_TD
#define TILEIRAS_CUDATILE_AGGREGATEOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_CoreGroup in {

class AggregateOp<string mnemonic> : CudaTile_Op<mnemonic, [NoMemoryEffect, RecursivelySpeculatable, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames", "getAsmResultNames"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let results = (outs Variadic<CudaTile_Tile>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = scopeDeclaration;
}

def CudaTile_ReduceOp : AggregateOp<"reduce"> {
  let summary = "Combines the elements along one dimension";
  let description = [{
    The body says how two values are combined; `dim` disappears from the shape. The order and the grouping are
    unspecified, though the same in every run, and the identity may be used any number of times: the body must be
    associative and commutative, and combining with the identity must change nothing. Several operands of one shape
    are reduced together.

    Block arguments come in pairs (element, accumulator), one pair of rank-0 tiles per operand; the body yields the
    new accumulators. Identities are attributes of the element types (f16 and bf16 may stand for each other).
    Errors: "dimension (..) is out of bound [0, ..)", "only pure operations are allowed inside 'cuda_tile.reduce'"
    (no memory, no output), and counts and types that do not agree. Since 13.1.

    ```mlir
    // $ tileiras-run reduce.mlir
    // largest [7, 9] at [1, 0]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [[3, 7, 5, 1], [9, 2, 8, 4]]> : tile<2x4xi32>
        %i = iota : tile<4xi32>
        %i1 = reshape %i : tile<4xi32> -> tile<1x4xi32>
        %at = broadcast %i1 : tile<1x4xi32> -> tile<2x4xi32>
        %max, %argmax = reduce %x, %at dim=1 identities=[-2147483648 : i32, 0 : i32]
            : tile<2x4xi32>, tile<2x4xi32> -> tile<2xi32>, tile<2xi32>
        (%e: tile<i32>, %acc: tile<i32>, %ei: tile<i32>, %acci: tile<i32>) {
          %better = cmpi greater_than %e, %acc, signed : tile<i32> -> tile<i1>
          %v = select %better, %e, %acc : tile<i1>, tile<i32>
          %vi = select %better, %ei, %acci : tile<i1>, tile<i32>
          yield %v, %vi : tile<i32>, tile<i32>
        }
        %t = print_tko "largest %d at %d\n", %max, %argmax : tile<2xi32>, tile<2xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins Variadic<CudaTile_Tile>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       ArrayAttr:$identities);
}

def CudaTile_ScanOp : AggregateOp<"scan"> {
  let summary = "Prefix combinations along one dimension";
  let description = [{
    Inclusive: element k of the result combines elements 0..k of the operand along `dim`, or k..n-1 with
    `reverse=true`. The result has the type of the operand. The grouping is unspecified, so the body must be
    associative, and combining with the identity must change nothing.

    Block arguments come in pairs of rank-0 tiles, one pair per operand, in the order (accumulator, element): the
    other way round than in `reduce`. A commutative body does not see the difference, and only such a body is safe
    with every compiler of the format. Errors: as of `reduce`. Since 13.1.

    ```mlir
    // $ tileiras-run scan.mlir
    // sums [1, 3, 6, 10] from the end [10, 9, 7, 4]
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
        %s = scan %x dim=0 reverse=false identities=[0 : i32] : tile<4xi32> -> tile<4xi32>
        (%acc: tile<i32>, %e: tile<i32>) {
          %sum = addi %acc, %e : tile<i32>
          yield %sum : tile<i32>
        }
        %r = scan %x dim=0 reverse=true identities=[0 : i32] : tile<4xi32> -> tile<4xi32>
        (%acc: tile<i32>, %e: tile<i32>) {
          %sum = addi %acc, %e : tile<i32>
          yield %sum : tile<i32>
        }
        %t = print_tko "sums %d from the end %d\n", %s, %r : tile<4xi32>, tile<4xi32> -> token
      }
    }
    ```
  }];
  let arguments = (ins Variadic<CudaTile_Tile>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       BoolAttr:$reverse, ArrayAttr:$identities);
}

} // opDocGroup

#endif
