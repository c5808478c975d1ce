// RUN: tileiras-opt %s -convert-nv-tile-func-to-llvm | FileCheck %s

// What functions may take and no operation makes: a tuple is a struct of its parts, none an empty one.
// CHECK-LABEL: func.func private @helper(%{{.*}}: !llvm.struct<(i32, f32)>, %{{.*}}: !llvm.struct<()>, %{{.*}}: !llvm.struct<(struct<(i64)>, ptr<1>)>)
module attributes {nv_tileaa.compute_capability = 90 : i64, nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func private @helper(%a: tuple<i32, f32>, %b: none, %c: tuple<tuple<i64>, !nv_tileaa.ptr<f32>>) {
    nv_tileaa.return
  }
}
