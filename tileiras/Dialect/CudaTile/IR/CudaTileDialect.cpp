//===- CudaTileDialect.cpp - Registration and aliases ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CudaTileInternal.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTileTestingOps.h"

using namespace mlir;
using namespace mlir::cuda_tile;

#include "tileiras/Dialect/CudaTile/IR/CudaTileDialect.cpp.inc"

#include "tileiras/Dialect/CudaTile/IR/CudaTileEnums.cpp.inc"

namespace {
/// Debug-info attributes repeat on every location, so they print once, as an alias named by their mnemonic.
struct AsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    StringRef name = llvm::TypeSwitch<Attribute, StringRef>(attr)
                         .Case<DIFileAttr>([](auto) { return DIFileAttr::getMnemonic(); })
                         .Case<DICompileUnitAttr>([](auto) { return DICompileUnitAttr::getMnemonic(); })
                         .Case<DISubprogramAttr>([](auto) { return DISubprogramAttr::getMnemonic(); })
                         .Case<DILexicalBlockAttr>([](auto) { return DILexicalBlockAttr::getMnemonic(); })
                         .Default([](Attribute) { return StringRef(); });
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void CudaTileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/IR/CudaTileOps.cpp.inc"
      >();
  addInterfaces<AsmInterface>();
  setHintPolicy(getHintPolicyFromOptions());
}

std::optional<Dialect::ParseOpHook> CudaTileDialect::getParseOperationHook(StringRef opName) const {
  // Only asked where addTestingOps was not called.
  if (opName == TestingFuncOp::getOperationName() || opName == "testing$func")
    return [](OpAsmParser &parser, OperationState &) -> ParseResult {
      return parser.emitError(parser.getNameLoc())
             << "'" << TestingFuncOp::getOperationName() << "' is only available with --" << testingOpsFlag;
    };
  if (opName != "cuda_tile.pow" && opName != "pow")
    return std::nullopt;
  return [](OpAsmParser &parser, OperationState &result) -> ParseResult {
    result.name = OperationName(FPowFOp::getOperationName(), parser.getContext());
    return FPowFOp::parse(parser, result);
  };
}
