//===- AtomInterfaces.td - What atoms answer ----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An atom is a type, and answers for itself: verifiers, partitions and the lowering know none by name (Atoms.h). An atom
// may have several of these interfaces: tma_load is copied, prefetched, done asynchronously, and has a box.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUTE_IR_ATOMINTERFACES_TD
#define TILEIRAS_DIALECT_CUTE_IR_ATOMINTERFACES_TD

include "mlir/IR/OpBase.td"

class Cute_AtomInterface<string name> : TypeInterface<name> {
  let cppNamespace = "::mlir::cute";
}

def Cute_MmaAtomTypeInterface : Cute_AtomInterface<"MmaAtomTypeInterface"> {
  let description = "Multiplies.";
  let methods = [InterfaceMethod<"shape, elements, and who executes it", "::mlir::cute::Product", "getProduct">];
}
def Cute_CopyAtomTypeInterface : Cute_AtomInterface<"CopyAtomTypeInterface"> {
  let description = "Copies from one tensor to another.";
  let methods = [
    InterfaceMethod<"bits that one copy of a thread moves; 0 where threads copy together, or none does", "int64_t",
                    "getCopyBits", (ins), [{}], [{ return 0; }]>,
    InterfaceMethod<"ldmatrix and stmatrix: what they move", "::std::optional<::mlir::cute::Matrices>",
                    "getMoved", (ins), [{}], [{ return ::std::nullopt; }]>
  ];
}
def Cute_PrefetchAtomTypeInterface : Cute_AtomInterface<"PrefetchAtomTypeInterface"> {
  let description = "Reads global memory, so that what it is going to read can be fetched into the cache.";
}
def Cute_AsyncCopyAtomTypeInterface : Cute_AtomInterface<"AsyncCopyAtomTypeInterface"> {
  let description = "Is done some time after it was issued, and something has to be waited for.";
  let methods = [InterfaceMethod<"what is waited for", "::llvm::StringRef", "getCompletion">];
}
def Cute_TmaAtomTypeInterface : Cute_AtomInterface<"TmaAtomTypeInterface"> {
  let description = "A tensor copy: it has a tensor map, and copies a box of it.";
  let methods = [
    InterfaceMethod<"extents of the box, contiguous first, as a tuple", "::llvm::StringRef", "getBox">,
    InterfaceMethod<"whether it is from global to shared memory", "bool", "isLoad">
  ];
}
def Cute_TmemAtomTypeInterface : Cute_AtomInterface<"TmemAtomTypeInterface"> {
  let description = "Copies between registers and tensor memory: 32 rows of a warp, a row to a lane.";
  let methods = [
    InterfaceMethod<"columns of 32 bits", "int64_t", "getColumns">,
    InterfaceMethod<"whether it is from tensor memory", "bool", "isLoad">
  ];
}
def Cute_BlockScaleAtomTypeInterface : Cute_AtomInterface<"BlockScaleAtomTypeInterface"> {
  let description = "Multiplies elements by scales.";
  let methods = [InterfaceMethod<"elements along k that have one scale", "int64_t", "getScaleBlock">];
}
def Cute_SparseMetadataAtomTypeInterface : Cute_AtomInterface<"SparseMetadataAtomTypeInterface"> {
  let description = [{
    Multiplies a matrix of which two of four neighbours along k are stored (of tf32 one of two), and 16-bit words that say which: two bits
    for a stored element of four, four bits for one of two tf32 (PTX ISA, "Sparse matrix storage").
  }];
  let methods = [InterfaceMethod<"elements along k, stored or not, that one word speaks of", "int64_t", "getMetadataBlock">];
}
def Cute_SmemDescriptorAtomTypeInterface : Cute_AtomInterface<"SmemDescriptorAtomTypeInterface"> {
  let description = "Reads matrices in shared memory by descriptors.";
}

#endif // TILEIRAS_DIALECT_CUTE_IR_ATOMINTERFACES_TD
