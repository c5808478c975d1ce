//===- PtxMerge.h - Linking of PTX ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_DEVICE_PTXMERGE_H
#define TILEIRAS_DEVICE_PTXMERGE_H

#include <string>
#include <vector>

namespace tileiras::device {

/// One module of several: what one declares `.extern` another one defines. Names that are not `.visible` are each
/// module's own, and get a suffix where they would meet; numbers of files are counted on. The version and the target
/// are the highest. What cannot be one module (two definitions of a visible name) is told when it is loaded.
std::string mergePtx(const std::vector<std::string> &modules);

} // namespace tileiras::device

#endif // TILEIRAS_DEVICE_PTXMERGE_H
