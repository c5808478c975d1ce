//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/TileASToLLVM/InlinePtx.h"
#include "tileiras/Support/LoweringFacts.h"

using namespace mlir;
using namespace mlir::tilellvm;

static const char *factOf(Access access) {
  switch (access) {
  case Access::ReadsGlobal:
    return ::tileiras::kReadsGlobal;
  case Access::WritesGlobal:
    return ::tileiras::kWritesGlobal;
  case Access::None:
  case Access::Any:
    break;
  }
  return ::tileiras::kAccessesAny;
}

Value tilellvm::inlinePtx(Emitter &e, Type result, ValueRange operands, const Twine &text, StringRef constraints,
                          Access access, int ptxVersion) {
  auto op = LLVM::InlineAsmOp::create(e.b, e.loc, result ? TypeRange(result) : TypeRange(), operands, text.str(),
                                      constraints, /*has_side_effects=*/access != Access::None,
                                      /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(),
                                      ArrayAttr());
  op->setAttr(::tileiras::kAccessFact, e.b.getStringAttr(factOf(access)));
  if (ptxVersion > 80)
    op->setAttr(::tileiras::kPtxVersionAttr, e.b.getI32IntegerAttr(ptxVersion));
  return result ? op.getResult(0) : Value();
}
