//===- CudaTileControlFlowOps.td - Structured control flow ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_CONTROLFLOWOPS_TD
#define TILEIRAS_CUDATILE_CONTROLFLOWOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

let opDocGroup = CudaTile_ControlFlowGroup in {

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

class RegionOp<string mnemonic, list<Trait> traits, list<string> asmNames = ["getAsmBlockArgumentNames"]>
    : CudaTile_Op<mnemonic, traits # [SingleBlock, RecursiveMemoryEffects,
                                      DeclareOpInterfaceMethods<OpAsmOpInterface, asmNames>]> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def CudaTile_ForOp : RegionOp<"for", [AllTypesMatch<["lowerBound", "upperBound", "step"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface>], ["getAsmBlockArgumentNames", "getAsmResultNames"]> {
  let summary = "Counted loop with carried values";
  let description = [{
    Runs the body for lower, lower + step, ... while that is below the upper bound. Bounds are compared as signed,
    with the keyword `unsigned` before the induction variable as unsigned. A step that is not positive is undefined.
    `continue` ends an iteration and hands the carried values to the next one; after the last they are the results.
    Neither `break` nor `return` may leave the loop. Operations of different iterations are not ordered unless a
    token is carried.

    Bounds and step: rank-0 integer tiles of one type. Carried values: anything but tensor views and tile views
    ("loop-carried value 0 is a tensor_view, which is not supported"). Errors: numbers and types of initial values,
    arguments and `continue` operands that differ. Since 13.1, `unsigned` since 13.2.

    ```mlir
    // $ tileiras-run for.mlir
    // sum 20
    cuda_tile.module @kernels {
      entry @example() {
        %lower = constant <i32: 2> : tile<i32>
        %upper = constant <i32: 9> : tile<i32>
        %step = constant <i32: 2> : tile<i32>
        %zero = constant <i32: 0> : tile<i32>
        %sum = for %i in (%lower to %upper, step %step) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
          %next = addi %s, %i : tile<i32>
          continue %next : tile<i32>
        }
        %t = print_tko "sum %d\n", %sum : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_IntScalar:$lowerBound, CudaTile_IntScalar:$upperBound, CudaTile_IntScalar:$step,
                       Variadic<AnyType>:$initValues, UnitAttr:$unsignedCmp);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$lowerBound, "::mlir::Value":$upperBound, "::mlir::Value":$step,
      CArg<"::mlir::ValueRange", "{}">:$initValues,
      CArg<"::llvm::function_ref<void(::mlir::OpBuilder &, ::mlir::Location, ::mlir::Value, ::mlir::ValueRange)>",
           "nullptr">:$body, CArg<"bool", "false">:$unsignedCmp)>];
  let extraClassDeclaration = scopeDeclaration # [{
    ::mlir::BlockArgument getInductionVar() { return getBody()->getArgument(0); }
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getBody()->getArguments().drop_front(); }
  }];
}

def CudaTile_LoopOp : RegionOp<"loop", [DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "Loop without an end of its own";
  let description = [{
    Runs the body again and again until `break`, whose operands are the results, or `return`. `continue` hands the
    carried values to the next iteration; their types and those of the results are independent.

    Carried values and results: anything but tensor views and tile views. Errors: "found different number of
    iter_values and types"; types that do not agree with `break` and `continue` are reported there. Since 13.1.

    ```mlir
    // $ tileiras-run loop.mlir
    // 100 takes 7 halvings
    cuda_tile.module @kernels {
      entry @example() {
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %start = constant <i32: 100> : tile<i32>
        %count = loop iter_values(%x = %start, %n = %zero) : tile<i32>, tile<i32> -> tile<i32> {
          %done = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
          if %done {
            break %n : tile<i32>
          }
          %half = shri %x, %one unsigned : tile<i32>
          %n1 = addi %n, %one : tile<i32>
          continue %half, %n1 : tile<i32>, tile<i32>
        }
        %t = print_tko "100 takes %d halvings\n", %count : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$initValues);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let hasVerifier = 0;
  let extraClassDeclaration = scopeDeclaration # [{
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getBody()->getArguments(); }
  }];
}

def CudaTile_IfOp : RegionOp<"if", [NoRegionArguments]> {
  let summary = "Runs one of two branches";
  let description = [{
    Runs the first region if the condition is true, else the second, if there is one. Results come from the `yield`
    of the branch that ran; a branch may also leave by `break`, `continue` or `return`.

    The condition is `tile<i1>`: one decision for the whole tile block (`select` decides per element). Results:
    anything but tensor views and tile views. Errors: "has non-empty return type, must define else branch", and
    branches that yield other types than the results have. Since 13.1.

    ```mlir
    // $ tileiras-run if.mlir --grid=2
    // 10
    // 20
    cuda_tile.module @kernels {
      entry @example() {
        %zero = constant <i32: 0> : tile<i32>
        %ten = constant <i32: 10> : tile<i32>
        %x, %y, %z = get_tile_block_id : tile<i32>
        %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
        %r = if %first -> (tile<i32>) {
          yield %ten : tile<i32>
        } else {
          %twice = addi %ten, %ten : tile<i32>
          yield %twice : tile<i32>
        }
        %t = print_tko "%d\n", %r : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_BoolScalar:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::mlir::Value":$condition,
                                 CArg<"bool", "false">:$withElse)>];
  let extraClassDeclaration = scopeDeclaration # [{
    ::mlir::Block *getThenBlock() { return &getThenRegion().front(); }
    /// Null without an else branch.
    ::mlir::Block *getElseBlock() { return getElseRegion().empty() ? nullptr : &getElseRegion().front(); }
  }];
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

class TerminatorOp<string mnemonic, list<Trait> traits> : CudaTile_Op<mnemonic, traits # [Terminator]> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` custom<CudaTileTypes>(type($operands)))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

// break, continue and return leave regions other than their parent's, so they are not ReturnLike in MLIR's
// sense (a branch point of their immediate parent), and they are not free of effects.
def CudaTile_BreakOp : TerminatorOp<"break",
    [ParentOneOf<["::mlir::cuda_tile::IfOp", "::mlir::cuda_tile::LoopOp"]>]> {
  let summary = "Leaves a loop with its results";
  let description = [{
    Ends the nearest `loop`, through any number of `if` between; the operands become its results. A `for` cannot be
    left.

    Errors: "can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations"; "operand
    types must correspond to the parent loop result types: .. vs ..". Since 13.1.

    ```mlir
    // $ tileiras-run break.mlir
    // 64
    cuda_tile.module @kernels {
      entry @example() {
        %one = constant <i32: 1> : tile<i32>
        %limit = constant <i32: 50> : tile<i32>
        %power = loop iter_values(%x = %one) : tile<i32> -> tile<i32> {
          %enough = cmpi greater_than %x, %limit, signed : tile<i32> -> tile<i1>
          if %enough {
            break %x : tile<i32>
          }
          %twice = addi %x, %x : tile<i32>
          continue %twice : tile<i32>
        }
        %t = print_tko "%d\n", %power : tile<i32> -> token
      }
    }
    ```
  }];
  let hasVerifier = 1;
}

def CudaTile_ContinueOp : TerminatorOp<"continue",
    [ParentOneOf<["::mlir::cuda_tile::ForOp", "::mlir::cuda_tile::IfOp", "::mlir::cuda_tile::LoopOp"]>]> {
  let summary = "Goes on with the next iteration";
  let description = [{
    Ends the iteration of the nearest `for` or `loop`, through any number of `if` between; the operands are the next
    values of the carried arguments. Where nothing is carried it may be left out at the end of a body.

    Errors: "can only be nested within a ancestor chain of 'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if'
    operations"; "`for` is missing a valid terminator. `continue` op should have operand types that match the parent
    loop return types: .., but found: ..". Since 13.1.

    ```mlir
    // $ tileiras-run continue.mlir
    // odd numbers below 8: 16 together
    cuda_tile.module @kernels {
      entry @example() {
        %zero = constant <i32: 0> : tile<i32>
        %one = constant <i32: 1> : tile<i32>
        %eight = constant <i32: 8> : tile<i32>
        %sum = for %i in (%zero to %eight, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
          %bit = trunci %i : tile<i32> -> tile<i1>
          %next = if %bit -> (tile<i32>) {
            %more = addi %s, %i : tile<i32>
            yield %more : tile<i32>
          } else {
            continue %s : tile<i32>
          }
          continue %next : tile<i32>
        }
        %t = print_tko "odd numbers below 8: %d together\n", %sum : tile<i32> -> token
      }
    }
    ```
  }];
  let hasVerifier = 1;
}

def CudaTile_ReturnOp : TerminatorOp<"return", []> {
  let summary = "Ends the kernel for this tile block";
  let description = [{
    Ends an `entry`, at its end or from within any number of `if` and, since 13.4, `loop`; not from a `for`. Has no
    operands, because entries return nothing. At the end of an entry it may be left out.

    Errors: "must be used within a cuda_tile.entry, or cuda_tile.if operation"; "has 1 operands, but enclosing
    function (@f) returns 0". Since 13.1.

    ```mlir
    // $ tileiras-run return.mlir --grid=3
    // block 0 goes on
    cuda_tile.module @kernels {
      entry @example() {
        %zero = constant <i32: 0> : tile<i32>
        %x, %y, %z = get_tile_block_id : tile<i32>
        %others = cmpi greater_than %x, %zero, signed : tile<i32> -> tile<i1>
        if %others {
          return
        }
        %t = print_tko "block %d goes on\n", %x : tile<i32> -> token
        return
      }
    }
    ```
  }];
  let hasVerifier = 1;
}

def CudaTile_YieldOp : TerminatorOp<"yield", [Pure,
    ParentOneOf<["::mlir::cuda_tile::IfOp", "::mlir::cuda_tile::ReduceOp", "::mlir::cuda_tile::ScanOp"]>]> {
  let summary = "Results of a region";
  let description = [{
    Ends a branch of `if`, whose results its operands become, or the body of `reduce` or `scan`, whose new
    accumulators they are. In a branch without results it may be left out.

    Errors: a parent other than these three; numbers and types of operands are checked by the parent. Since 13.1.

    ```mlir
    // $ tileiras-run yield.mlir
    // product 24
    cuda_tile.module @kernels {
      entry @example() {
        %x = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
        %product = reduce %x dim=0 identities=[1 : i32] : tile<4xi32> -> tile<i32>
        (%e: tile<i32>, %acc: tile<i32>) {
          %p = muli %e, %acc : tile<i32>
          yield %p : tile<i32>
        }
        %t = print_tko "product %d\n", %product : tile<i32> -> token
      }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def CudaTile_AssertOp : CudaTile_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let summary = "Reports false elements";
  let description = [{
    For every false element the message and the element's index are reported, and the launch counts as failed.
    Execution may go on: an assertion is no guard of what follows it.

    Condition: i1 of any shape. Since 13.1.

    ```mlir
    // $ tileiras-run assert.mlir i32=5
    // checked 5
    cuda_tile.module @kernels {
      entry @example(%n: tile<i32>) {
        %limit = constant <i32: 8> : tile<i32>
        %small = cmpi less_than %n, %limit, signed : tile<i32> -> tile<i1>
        assert %small, "n is too large" : tile<i1>
        %t = print_tko "checked %d\n", %n : tile<i32> -> token
      }
    }
    ```
  }];
  let arguments = (ins CudaTile_Bool:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` custom<CudaTileType>(type($condition))";
}

} // opDocGroup

#endif
