// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hints that are not a dictionary of dictionaries are always refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  // expected-error @below {{expected dictionary attribute for optimization_hints entry `sm_90` got value=1 : i64}}
  entry @e() optimization_hints=<sm_90 = 1> {
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{duplicate optimization_hints key `sm_90`}}
  entry @e() optimization_hints=<sm_90 = {}, sm_90 = {}> {
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected optimization hints}}
  entry @e() optimization_hints=1 : i32 {
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected an architecture or 'default'}}
  entry @e() optimization_hints=<1> {
  }
}
