//===- TextFuzzer.cpp - Any text as a cuda_tile module --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Parser and verifier of the dialect. What they accept must print, and the text must mean the same again.
//===----------------------------------------------------------------------===//
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "tileiras/Support/TextFault.h"

using namespace mlir;

static std::string print(Operation *op, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

/// Brings what can be said in two ways to one: clauses that say no more than the default are not printed.
static void normalize(Operation *module) {
  module->walk([](Operation *op) {
    if (!isa_and_nonnull<cuda_tile::CudaTileDialect>(op->getDialect()))
      return;
    if (auto inbounds = op->getAttrOfType<DenseBoolArrayAttr>("inbounds"))
      if (!llvm::is_contained(inbounds.asArrayRef(), true))
        op->removeAttr("inbounds");
    if (auto hints = op->getAttrOfType<cuda_tile::OptimizationHintsAttr>("optimization_hints"))
      if (hints.getValue().empty())
        op->removeAttr("optimization_hints");
    // Attributes of arguments and results: only the generic form can say that there are none of them.
    for (StringRef name : {"arg_attrs", "res_attrs"})
      if (auto attrs = op->getAttrOfType<ArrayAttr>(name))
        if (llvm::all_of(attrs, [](Attribute each) {
              auto dictionary = dyn_cast<DictionaryAttr>(each);
              return dictionary && dictionary.empty();
            }))
          op->removeAttr(name);
  });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  // Nested brackets recurse in MLIR's own parser, which is not what is tested here.
  if (size > 65536 || text.count('{') + text.count('<') + text.count('[') + text.count('(') > 512)
    return 0;
  // Nor is what the tools refuse before they parse.
  if (tileiras::findTextFault(text))
    return 0;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
  // The parser wants a terminating NUL.
  std::string copy = text.str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(copy, ParserConfig(&context));
  if (!module)
    return 0;
  normalize(*module);
  std::string generic = print(*module, true);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(print(*module, false), ParserConfig(&context));
  if (!again || print(*again, true) != generic)
    __builtin_trap();
  return 0;
}
