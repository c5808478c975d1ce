// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-materialize-convert-layout))' | FileCheck %s
// RUN: tileiras-opt %s -pass-pipeline='builtin.module(nv_tileaa.func(tileas-materialize-convert-layout,tileas-optimize-pipeline-region,tileas-expand-pipeline-regions,tileas-materialize-convert-layout))' | FileCheck %s --check-prefix=AGAIN

// What a consume_one yields lies in shared memory already: its conversion to registers is the terminal reader, which carries its
// plan and needs no second tile. Running the pass again, also when the region has gone, changes nothing.
// CHECK-LABEL: nv_tileaa.func @reader
// CHECK-NOT: alloc_tensor
// CHECK: %[[R:.*]]:2 = nv_tileas.async.pipeline.consume_one
// CHECK-NOT: nv_tileas.copy
// CHECK: nv_tileas.convert_layout %[[R]]#0 {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<64xf32, #shared> -> tensor<64xf32, #linear>
// CHECK-NOT: nv_tileas.convert_layout
// AGAIN-NOT: alloc_tensor
// AGAIN-COUNT-1: nv_tileas.convert_layout {{.*}} {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : tensor<64xf32, #shared> -> tensor<64xf32, #linear>
// AGAIN-NOT: nv_tileas.convert_layout
#r = #nv_tileas.linear<rank = 1, register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
#s = #nv_tileas.shared<rank = 1, offset = [[1], [2], [4], [8], [16], [32]]>
!t = tensor<64xf32, #s>
!pipe = !nv_tileas.pipeline<2 x (!t)>
!iter = !nv_tileas.pipeline_iterator<2 x (!t)>
nv_tileaa.func @reader(%p: !pipe, %i: !iter) -> tensor<64xf32, #r> {
  %x, %c = nv_tileas.async.pipeline.consume_one %p, %i : !pipe, !iter -> !t, !nv_tileas.consumer_token {
    %t = nv_tileas.async.pipeline.consumer_wait %p, %i : !pipe, !iter
    %u, %y = nv_tileas.async.pipeline.consumer_read %p, %t : !pipe -> !t {
    ^bb0(%stage: !t):
      nv_tileas.async.pipeline.yield %stage : !t
    }
    nv_tileas.async.pipeline.yield %y, %u : !t, !nv_tileas.consumer_token
  }
  %f = nv_tileas.convert_layout %x {atom_plan = #nv_tileas.atom_plan<tag = 1, vec = 4>} : !t -> tensor<64xf32, #r>
  nv_tileas.async.pipeline.consumer_release %p, %c : !pipe
  nv_tileaa.return %f : tensor<64xf32, #r>
}
