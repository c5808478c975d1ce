// A pointer into one memory does not become one into another unless an operation says so.
// RUN: tileiras-opt %s -split-input-file -tileas-allocate-scratch -convert-nv-tileas-to-llvm -verify-diagnostics | FileCheck %s

module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @explicit
// CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr
func.func @explicit(%map: !llvm.ptr<1>) -> !llvm.ptr {
  %p = llvm.addrspacecast %map : !llvm.ptr<1> to !llvm.ptr
  return %p : !llvm.ptr
}
}

// -----

// A tensor map in the parameters is in no global memory.
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @map(%map: !llvm.ptr) -> !llvm.ptr<1> {
  // expected-error @below {{changes the address space of a pointer from 0 to 1 implicitly; llvm.addrspacecast would say so}}
  %p = builtin.unrealized_conversion_cast %map : !llvm.ptr to !llvm.ptr<1>
  return %p : !llvm.ptr<1>
}
}

// -----

// An mbarrier is in shared memory.
module attributes {nv_tileaa.compute_capability = 90 : i64} {
func.func @barrier(%barrier: !llvm.ptr<3>) -> !llvm.ptr {
  // expected-error @below {{changes the address space of a pointer from 3 to 0 implicitly; llvm.addrspacecast would say so}}
  %p = builtin.unrealized_conversion_cast %barrier : !llvm.ptr<3> to !llvm.ptr
  return %p : !llvm.ptr
}
}

// -----

// Tensor memory has addresses of its own, to which no cast leads.
module attributes {nv_tileaa.compute_capability = 100 : i64} {
func.func @sums(%sums: !llvm.ptr<6>) -> !llvm.ptr<3> {
  // expected-error @below {{changes the address space of a pointer from 6 to 3 implicitly; llvm.addrspacecast would say so}}
  %p = builtin.unrealized_conversion_cast %sums : !llvm.ptr<6> to !llvm.ptr<3>
  return %p : !llvm.ptr<3>
}
}
