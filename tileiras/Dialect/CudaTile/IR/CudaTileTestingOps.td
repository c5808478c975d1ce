//===- CudaTileTestingOps.td - Ops for tests only ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_CUDATILE_TESTINGOPS_TD
#define TILEIRAS_CUDATILE_TESTINGOPS_TD

include "tileiras/Dialect/CudaTile/IR/CudaTileOpBase.td"

def CudaTile_TestingFuncOp : CudaTile_Op<"testing$func", [IsolatedFromAbove, FunctionOpInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    SingleBlockImplicitTerminator<"::mlir::cuda_tile::ReturnOp">]> {
  let summary = "A function of any type around ops under test";
  let description = [{
    Kernels take scalars and return nothing, so a test of an op on, say, a view would have to make the view first.
    This function takes and returns what it likes. It is no part of a program: bytecode has no form for it and
    the compiler does not know it.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = scopeDeclaration # [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

#endif
