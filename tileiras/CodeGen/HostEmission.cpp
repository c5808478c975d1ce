//===- HostEmission.cpp - Code of the host --------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/HostEmission.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

std::string tileiras::hostTriple(StringRef arch, StringRef os) {
  return (arch + (os == "windows" ? "-pc-windows-msvc" : "-unknown-linux-gnu")).str();
}

LogicalResult tileiras::emitHostCode(ModuleOp module, StringRef triple, std::string &text) {
  // The name is that of the attribute's owner, a dialect that this room does not know.
  constexpr llvm::StringLiteral hostCode = "nv_tileas.host-code";
  ModuleOp host;
  for (auto inner : module.getOps<ModuleOp>())
    if (inner->hasAttr(hostCode))
      host = inner;
  if (!host)
    return emitError(module.getLoc()) << "there is no kernel to make host code for";
  host->removeAttr(hostCode);
  for (auto function : host.getOps<LLVM::LLVMFuncOp>())
    function->removeAttr(hostCode);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(host, context, "host");
  if (!code)
    return failure();
  code->setTargetTriple(llvm::Triple(triple));
  llvm::raw_string_ostream os(text);
  os << *code;
  return success();
}
