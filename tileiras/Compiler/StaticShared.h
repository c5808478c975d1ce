//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// More than 48 KiB of static shared memory on sm_80 to sm_89. ptxas refuses such an array, drivers accept a cubin that
// has it, and front ends launch with no dynamic shared memory. So with --static-shared=device a kernel may fill the
// device's shared memory: in PTX it is dynamic, with a comment that says how much; for a cubin the array is assembled
// with 48 KiB, of which addresses go beyond, and the size of the kernel's section .nv.shared.<kernel>, which has no
// bytes in the file, is raised afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_STATICSHARED_H
#define TILEIRAS_COMPILER_STATICSHARED_H

#include "mlir/Support/LLVM.h"
#include <map>
#include <string>

namespace tileiras {

/// Bytes of dynamic shared memory that kernels of our own PTX ask for in its comments, by kernel.
///
///     // gemm needs 98304 bytes of dynamic shared memory
std::map<std::string, uint64_t> dynamicSharedNeeds(llvm::StringRef ptx);

/// The same text with arrays of `bytes` in the place of `.extern .shared` ones without a size.
std::string withStaticArrays(llvm::StringRef ptx, uint64_t bytes);

/// Raises the sizes of the sections of static shared memory of `cubin` to what `needs` says; false, and a reason, if it
/// is not an ELF file for a GPU or lacks such a section. Nothing is changed then.
bool enlargeSharedSections(std::string &cubin, const std::map<std::string, uint64_t> &needs, std::string &error);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_STATICSHARED_H
