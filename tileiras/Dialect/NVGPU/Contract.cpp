//===- Contract.cpp - What each nvgpu operation needs ---------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/NVGPU/Contract.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/NVGPU/IR/NVGPUExtension.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tileiras {

//===----------------------------------------------------------------------===//
// Chips
//===----------------------------------------------------------------------===//

std::optional<Chip> Chip::parse(StringRef name) {
  Chip chip;
  if (!name.consume_front("sm_") || name.consumeInteger(10, chip.number) || chip.number < 10)
    return std::nullopt;
  if (name == "a" || name == "f")
    chip.suffix = name.front();
  else if (!name.empty())
    return std::nullopt;
  return chip;
}

std::string Chip::str() const {
  std::string text = "sm_" + std::to_string(number);
  if (suffix)
    text += suffix;
  return text;
}

bool Floor::covers(Chip target) const {
  switch (chip.suffix) {
  case 'a':
    return target.number == chip.number && target.suffix == 'a';
  case 'f': // a family has one number but for the last digit
    return target.number / 10 == chip.number / 10 && target.number >= chip.number && target.suffix;
  default:
    return target.number >= chip.number;
  }
}

std::optional<int> parsePtxVersion(StringRef text) {
  unsigned major = 0, minor = 0;
  auto [before, after] = text.split('.');
  if (before.getAsInteger(10, major) || after.size() != 1 || after.getAsInteger(10, minor) || major == 0 || major > 99)
    return std::nullopt;
  return int(major * 10 + minor);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace rows {
// The conditions are written in the table, in terms of the operation's class.
using namespace mlir::nvgpu;
namespace nvgpu = mlir::nvgpu;
namespace gpu = mlir::gpu;
namespace cf = mlir::cf;

/// The element type of a vector, an nvgpu fragment type or the type itself.
static Type elementOf(Type type) {
  if (auto descriptor = dyn_cast<WarpgroupMatrixDescriptorType>(type))
    return descriptor.getTensor().getElementType();
  return getElementTypeOrSelf(type);
}
#include "tileiras/Dialect/NVGPU/Contract.inc"
} // namespace rows

ArrayRef<ContractRow> contractRows() { return rows::table; }

static ArrayRef<const ContractRow *> rowsOf(StringRef op) {
  static const llvm::StringMap<SmallVector<const ContractRow *>> byName = [] {
    llvm::StringMap<SmallVector<const ContractRow *>> map;
    for (const ContractRow &row : rows::table)
      map[row.op].push_back(&row);
    return map;
  }();
  auto found = byName.find(op);
  return found == byName.end() ? ArrayRef<const ContractRow *>() : ArrayRef(found->second);
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

static std::string versionText(int version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

LogicalResult checkAvailability(Operation *op, Chip target, int ptxVersion, int &needs) {
  for (const ContractRow *row : rowsOf(op->getName().getStringRef())) {
    if (row->floors.empty() || (row->applies && !row->applies(op)))
      continue;
    // Where several ways lead to an operation, the one that asks for least.
    const Floor *best = nullptr;
    for (const Floor &floor : row->floors)
      if (floor.covers(target) && (!best || floor.ptxVersion < best->ptxVersion))
        best = &floor;
    std::string form = row->form.empty() ? "" : (" (" + row->form + ")").str();
    if (!best) {
      InFlightDiagnostic error = op->emitError() << "'" << op->getName() << "'" << form << " needs ";
      llvm::interleave(
          row->floors,
          [&](const Floor &floor) {
            error << floor.chip.str();
            if (!floor.chip.suffix)
              error << " or later";
          },
          [&] { error << ", "; });
      return error << "; the target is " << target.str();
    }
    if (ptxVersion && ptxVersion < best->ptxVersion)
      return op->emitError() << "'" << op->getName() << "'" << form << " needs PTX " << versionText(best->ptxVersion)
                             << " on " << target.str() << "; the PTX version is " << versionText(ptxVersion);
    needs = std::max(needs, best->ptxVersion);
  }
  // NVVM operations that stand in the module themselves: what MLIR knows of them. Its lists of `a` targets are older
  // than the youngest of those, so only that of wgmma is believed.
  if (auto requirement = dyn_cast<NVVM::RequiresSMInterface>(op)) {
    NVVM::NVVMCheckSMVersion required = requirement.getRequiredMinSMVersion();
    Floor floor{{required.smVersionList.front(), required.archAccelerated ? 'a' : char(0)}, 0};
    if ((!required.archAccelerated || floor.chip.number == 90) && !floor.covers(target))
      return op->emitError() << "'" << op->getName() << "' needs " << floor.chip.str()
                             << (floor.chip.suffix ? "" : " or later") << "; the target is " << target.str();
  }
  return success();
}

} // namespace tileiras
