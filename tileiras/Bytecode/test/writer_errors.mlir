// What cannot be written, whatever the version.
// RUN: tileiras-translate -mlir-to-cudatilebc -split-input-file -verify-diagnostics %s -o %t
// RUN: tileiras-translate -mlir-to-cudatilebc -split-input-file -verify-diagnostics -bytecode-version=13.1 %s -o %t

cuda_tile.module @kernels {
  // expected-error @+1 {{unsupported type in bytecode writer}}
  entry @k(%t: tensor<4xf32>) {
  }
}

// -----

// expected-error @+1 {{expected a single CUDA Tile IR module in the MLIR module}}
module {
  cuda_tile.module @a {}
  cuda_tile.module @b {}
}

// -----

// expected-error @+1 {{only function and global ops are allowed in the body}}
cuda_tile.module @kernels {
  // expected-note @+1 {{invalid op: cuda_tile.module}}
  cuda_tile.module @inner {}
}

// -----

cuda_tile.module @kernels {
  entry @k() {
    // expected-error @unknown {{unsupported location, got NameLoc, expected DILocAttr or CallSiteLoc}}
    return loc("name")
  }
}

// -----

cuda_tile.module @kernels {
  // expected-error @+1 {{is not self-contained: it cannot be written to bytecode}}
  entry @k() optimization_hints=<default = {occupancy = #cuda_tile.rounding<zero>}> {
  }
}
