//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Facts about inline PTX (Support/LoweringFacts.h) on their way from the llvm dialect to
// LLVM IR: an attribute becomes metadata of the same name.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Register.h"

#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"
#include "tileiras/Support/LoweringFacts.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Metadata.h"

using namespace mlir;

namespace {

struct TranslateFacts : LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult amendOperation(Operation *op, ArrayRef<llvm::Instruction *> instructions, NamedAttribute attribute,
                               LLVM::ModuleTranslation &) const override {
    auto access = dyn_cast<StringAttr>(attribute.getValue());
    if (attribute.getName() != tileiras::kAccessFact || !access)
      return success();
    for (llvm::Instruction *instruction : instructions)
      if (auto *call = dyn_cast<llvm::CallBase>(instruction); call && call->isInlineAsm()) {
        llvm::LLVMContext &context = call->getContext();
        call->setMetadata(tileiras::kAccessFact,
                          llvm::MDNode::get(context, llvm::MDString::get(context, access.getValue())));
      }
    return success();
  }
};

} // namespace

void tileiras::registerFactTranslation(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *, nv_tileas::TileASDialect *dialect) { dialect->addInterfaces<TranslateFacts>(); });
}
