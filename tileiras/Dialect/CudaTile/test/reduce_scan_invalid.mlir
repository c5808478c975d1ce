// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aggregates that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{dimension (2) is out of bound [0, 2)}}
    %r = reduce %v dim=2 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @+2 {{inferred type(s) '!cuda_tile.tile<4xf32>' are incompatible with return type(s) of operation '!cuda_tile.tile<8xf32>'}}
    // expected-error @below {{failed to infer returned types}}
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<8xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{attribute 'dim' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
    %r = reduce %v dim=-1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect identities to match the number of operands but got: 1 operands and 2 identities}}
    %r = reduce %v dim=1 identities=[0.0 : f32, 0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'i32'}}
    %r = reduce %v dim=1 identities=[0 : i32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect same type for operand at index: 0 and identity at index: 0}}
    %r = reduce %v dim=1 identities=["x"] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect 2 block arguments but got: 1}}
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect 0-rank tile type at index: 0 but got: '!cuda_tile.tile<4xf32>'}}
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<4xf32>, %c: tile<f32>) {
      yield %a : tile<4xf32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect same element type for block argument at index: 0 and 1 but got: 'f32' and 'f16'}}
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f16>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect same type for operand at index: 0 and block argument at index: 0 but got: 'f32' and 'f16'}}
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f16>, %c: tile<f16>) {
      yield %a : tile<f16>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect number of terminators operands (0) to match number of operands (1)}}
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect same type for operand at index: 0 and terminator argument at index: 0 but got: 'f32' and 'i32'}}
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      %z = constant <i32: 1> : tile<i32>
      yield %z : tile<i32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    %r = reduce %v dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
    // expected-error @below {{only pure operations are allowed inside 'cuda_tile.reduce'}}
      %t = print_tko "x" -> token
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    %r = scan %v dim=1 reverse=false identities=[0.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
    (%a: tile<f32>, %c: tile<f32>) {
    // expected-error @below {{only pure operations are allowed inside 'cuda_tile.scan'}}
      %z, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{dimension (3) is out of bound [0, 2)}}
    %r = scan %v dim=3 reverse=true identities=[0.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect same type for operand at index: 0 and result at index: 0}}
    %r = scan %v dim=1 reverse=false identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%a: tile<f32>, %c: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    %w = constant <f32: 1.0> : tile<4x4xf32>
    // expected-error @below {{requires the same shape for all operands}}
    %r:2 = scan %v, %w dim=0 reverse=false identities=[0.0 : f32, 0.0 : f32] : tile<4x8xf32>, tile<4x4xf32> -> tile<4x8xf32>, tile<4x4xf32>
    (%a: tile<f32>, %c: tile<f32>, %g: tile<f32>, %h: tile<f32>) {
      yield %a, %g : tile<f32>, tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expect at least 1 operand}}
    "cuda_tile.reduce"() <{dim = 0 : i32, identities = []}> ({
      "cuda_tile.yield"() : () -> ()
    }) : () -> ()
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %v = constant <f32: 1.0> : tile<4x8xf32>
    // expected-error @below {{expected 'true' or 'false'}}
    %r = scan %v dim=0 reverse=maybe identities=[0.0 : f32] : tile<4x8xf32> -> tile<4x8xf32>
  }
}
