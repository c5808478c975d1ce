//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_LISTTARGETS_H
#define TILEIRAS_COMPILER_LISTTARGETS_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace tileiras {

/// The target table as JSON, for scripts: one object per row, ascending. `compiled_as` is what ptxas is told, `family`
/// the portable variant (null without one).
void printTargets(llvm::raw_ostream &os);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_LISTTARGETS_H
