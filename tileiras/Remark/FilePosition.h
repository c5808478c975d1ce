//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_REMARK_FILEPOSITION_H
#define TILEIRAS_REMARK_FILEPOSITION_H

#include "mlir/IR/Location.h"
#include <optional>

namespace tileiras {

/// The file position that describes `loc` best, however it is nested, if there is one: of a call site the callee's, of
/// a fused location the first part's.
std::optional<mlir::FileLineColLoc> findFilePosition(mlir::Location loc);

} // namespace tileiras

#endif // TILEIRAS_REMARK_FILEPOSITION_H
