// Names that one may look for in nv_tileas and that stand for nothing: shape operations and arithmetic keep the operations they
// had, on tensors with layouts (docs/dialects/nv_tileas.md, "Which operations are whose").
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// arith.addf, on tensors with layouts.
nv_tileaa.func @addf(%x: tensor<8xf32>) {
  // expected-error @below {{nv_tileas.addf}}
  %y = "nv_tileas.addf"(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

// nv_tileaa.cat puts tiles together.
nv_tileaa.func @insert_slice(%x: tensor<8xf32>) {
  // expected-error @below {{nv_tileas.insert_slice}}
  %y = "nv_tileas.insert_slice"(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  nv_tileaa.return
}

// -----

// nv_tileaa.expand_dims.
nv_tileaa.func @expand_dims(%x: tensor<8xf32>) {
  // expected-error @below {{nv_tileas.expand_dims}}
  %y = "nv_tileas.expand_dims"(%x) : (tensor<8xf32>) -> tensor<1x8xf32>
  nv_tileaa.return
}

// -----

// nv_tileaa.generate becomes operations on whole tensors.
nv_tileaa.func @generate() {
  // expected-error @below {{nv_tileas.generate}}
  %y = "nv_tileas.generate"() : () -> tensor<8xf32>
  nv_tileaa.return
}

// -----

// nv_tileaa.pragma leaves marks at the operations of its region.
nv_tileaa.func @pragma() {
  // expected-error @below {{nv_tileas.pragma}}
  "nv_tileas.pragma"() : () -> ()
  nv_tileaa.return
}
