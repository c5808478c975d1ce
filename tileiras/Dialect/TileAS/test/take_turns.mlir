// RUN: tileiras --gpu-name=sm_80 --emit=tileas %S/../../../Conversion/TileASToLLVM/test/refine_atom_run.mlir | FileCheck %s
// RUN: tileiras --gpu-name=sm_80 --emit=tileas --pipeline-options=pipeline-strategy=none %S/../../../Conversion/TileASToLLVM/test/refine_atom_run.mlir | FileCheck %s --check-prefix=NONE

// Two tiles of 64 x 512 in 16 bits have no room in 48 KiB: four slices of one and four of the other take turns in two places of 16 KiB. Views of slices
// have tiles that lie half over each other.
// CHECK-LABEL: nv_tileaa.func @latent
// CHECK-DAG: block_tile {{.*}}<[64, 128], steps = [64, 64]
// CHECK-COUNT-8: create_pipeline {{.*}}nv_tileas.shared_place = {{[01]}}
// The first slice is copied before the loop.
// CHECK: producer_write
// CHECK-NOT: producer_write
// CHECK: scf.for
// Slice j is copied behind the wait for slice j - 1.
// CHECK: consumer_wait
// CHECK: producer_write
// CHECK: consumer_read
// CHECK: consumer_release
// CHECK: consumer_wait
// CHECK: producer_write
// CHECK: consumer_read
// CHECK: consumer_release
// NONE-NOT: shared_place
