//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/ListTargets.h"

#include "tileiras/Support/TargetTable.h"
#include "llvm/Support/JSON.h"

namespace tileiras {

void printTargets(llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.array([&] {
    for (const TargetInfo &target : allTargets())
      json.object([&] {
        const TargetInfo *family = lookupTarget(std::string(target.name) + "f");
        json.attribute("name", target.name);
        json.attribute("compiled_as", target.compiledAs);
        json.attribute("family", family ? llvm::json::Value(family->name) : llvm::json::Value(nullptr));
        json.attribute("compute_capability", target.computeCapability);
        json.attribute("ptx", target.minPtx);
        json.attribute("copies", toString(target.copyFamily));
        json.attribute("products", toString(target.mmaFamily));
        json.attribute("static_shared_bytes", target.maxStaticShared);
        json.attribute("dynamic_shared_bytes", target.maxDynamicShared);
        json.attribute("registers", target.registersPerSm);
        json.attribute("warps", target.maxWarpsPerSm);
        json.attribute("blocks", target.maxBlocksPerSm);
        json.attribute("tensor_memory_columns", target.tensorMemoryColumns);
        json.attribute("clusters", target.clusters);
      });
  });
  os << "\n";
}

} // namespace tileiras
