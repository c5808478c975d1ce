//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/PtxasResources.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Remark/Remark.h"

using namespace mlir;

namespace tileiras {

/// The number before `words` in a list separated by commas: 108 of "Used 108 registers, used 1 barriers".
static unsigned numberBefore(StringRef list, StringRef words) {
  size_t at = list.find(words);
  if (at == StringRef::npos)
    return 0;
  StringRef before = list.take_front(at).rtrim();
  unsigned number = 0;
  before.take_back(before.size() - (before.find_last_not_of("0123456789") + 1)).getAsInteger(10, number);
  return number;
}

std::vector<PtxasResources> parsePtxasResources(StringRef said) {
  std::vector<PtxasResources> found;
  while (!said.empty()) {
    StringRef line;
    std::tie(line, said) = said.split('\n');
    size_t name = line.find("Compiling entry function '");
    if (name != StringRef::npos) {
      found.emplace_back();
      found.back().function = line.substr(name).split('\'').second.split('\'').first.str();
    } else if (found.empty()) {
      continue;
    } else if (line.contains("bytes stack frame")) {
      found.back().stack = numberBefore(line, "bytes stack frame");
      found.back().spillStores = numberBefore(line, "bytes spill stores");
      found.back().spillLoads = numberBefore(line, "bytes spill loads");
    } else if (line.contains(": Used ")) {
      found.back().registers = numberBefore(line, "registers");
      found.back().barriers = numberBefore(line, "barriers");
      found.back().shared = numberBefore(line, "bytes smem");
    }
  }
  return found;
}

void remarkResources(ModuleOp module, StringRef said) {
  llvm::StringMap<Operation *> functions;
  module->walk([&](LLVM::LLVMFuncOp function) { functions[function.getName()] = function; });
  for (const PtxasResources &found : parsePtxasResources(said)) {
    Operation *op = functions.lookup(found.function);
    if (!op)
      continue;
    bool spills = found.spillStores || found.spillLoads;
    (spills ? remarks::missed(op, remarks::kResources, "Spills") : remarks::passed(op, remarks::kResources, "Spills"))
        << remarks::figure("Registers", found.registers) << remarks::figure("SpillStoreBytes", found.spillStores)
        << remarks::figure("SpillLoadBytes", found.spillLoads) << remarks::figure("StackBytes", found.stack)
        << remarks::figure("SharedBytes", found.shared) << remarks::figure("Barriers", found.barriers)
        << remarks::because(spills ? "ptxas found no registers for all values" : "all values have registers");
  }
}

} // namespace tileiras
