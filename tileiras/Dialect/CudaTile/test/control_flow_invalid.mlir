// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow that must be refused.
// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

cuda_tile.module @m {
  // expected-note @below {{prior use here}}
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{use of value '%j' expects different type than prior uses}}
    for %k in (%i to %i, step %j) : tile<i32> {
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be 0D tile of i1 or i8 or i16 or i32 or i64 values}}
    for %k in (%f to %f, step %f) : tile<f32> {
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{mismatch in number of loop-carried values and defined values}}
    %r = for %k in (%i to %i, step %i) : tile<i32> iter_values(%a = %f) -> (tile<f32>, tile<f32>) {
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: ('!cuda_tile.tile<f32>'), but found: ()}}
    %r = for %k in (%i to %i, step %i) : tile<i32> iter_values(%a = %f) -> (tile<f32>) {
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %r = for %k in (%i to %i, step %i) : tile<i32> iter_values(%a = %f) -> (tile<f32>) {
      if %b {
    // expected-error @below {{match the parent loop return types: ('!cuda_tile.tile<f32>'), but found: ('!cuda_tile.tile<i32>')}}
        continue %i : tile<i32>
      }
      continue %a : tile<f32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    for %k in (%i to %i, step %i) : tile<i32> {
    // expected-error @below {{expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'}}
      break
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    for %k in (%i to %i, step %i) : tile<i32> {
    // expected-error @below {{expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'}}
      yield
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    // expected-error @below {{loop-carried value 0 is a tensor_view, which is not supported}}
    %r = for %k in (%i to %i, step %i) : tile<i32> iter_values(%a = %tv) -> (tensor_view<4xf32, strides=[1]>) {
      continue %a : tensor_view<4xf32, strides=[1]>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    // expected-error @below {{loop-carried value 0 is a tile view, which is not supported}}
    loop iter_values(%a = %pv) : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>> {
      break
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected induction variable to be same type as bounds and step: '!cuda_tile.tile<i64>' vs '!cuda_tile.tile<i32>'}}
    "cuda_tile.for"(%i, %i, %i) ({
    ^bb0(%k: !cuda_tile.tile<i64>):
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{mismatch in number of region iterator values and loop iterator inits: 1 vs 0}}
    "cuda_tile.for"(%i, %i, %i) ({
    ^bb0(%k: !cuda_tile.tile<i32>, %l: !cuda_tile.tile<i32>):
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %r = "cuda_tile.for"(%i, %i, %i, %f) ({
    ^bb0(%k: !cuda_tile.tile<i32>, %l: !cuda_tile.tile<i32>):
    // expected-error @below {{`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: ('!cuda_tile.tile<f32>'), but found: ('!cuda_tile.tile<i32>')}}
      "cuda_tile.continue"(%l) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{expected at least one block argument for induction variable}}
    "cuda_tile.for"(%i, %i, %i) ({
    ^bb0:
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{found different number of iter_values and types}}
    loop iter_values(%a = %f) : tile<f32>, tile<f32> {
      break
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %r = loop : tile<f32> {
    // expected-error @below {{operand types must correspond to the parent loop result types: ('!cuda_tile.tile<i32>') vs ('!cuda_tile.tile<f32>')}}
      break %i : tile<i32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    loop iter_values(%a = %f) : tile<f32> {
    // expected-error @below {{`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop iter_values: ('!cuda_tile.tile<f32>'), but found: ()}}
      continue
    }
  }
}

// -----

cuda_tile.module @m {
// expected-note @below {{see unexpected ancestor operation}}
  entry @e(%i: tile<i32>, %j: tile<i64>, %f: tile<f32>, %b: tile<i1>, %p: tile<ptr<f32>>) {
    if %b {
// expected-error @below {{can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
      break
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%i: tile<i32>, %j: tile<i64>, %f: tile<f32>, %b: tile<i1>, %p: tile<ptr<f32>>) {
// expected-error @below {{expects parent op to be one of 'cuda_tile.for, cuda_tile.if, cuda_tile.loop'}}
    continue
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-note @below {{see unexpected ancestor operation}}
    for %k in (%i to %i, step %i) : tile<i32> {
      if %b {
    // expected-error @below {{must be used within a cuda_tile.entry, or cuda_tile.if operation}}
        return
      }
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{has 1 operands, but enclosing function (@e) returns 0}}
    return %i : tile<i32>
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{has non-empty return type, must define else branch}}
    %r = if %b -> (tile<i32>) {
      yield %i : tile<i32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{has return type of '!cuda_tile.tile<i32>' but else branch does not yield anything}}
    %r = if %b -> (tile<i32>) {
      yield %i : tile<i32>
    } else {
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{does not return a value, but then branch yields '!cuda_tile.tile<i32>'}}
    if %b {
      yield %i : tile<i32>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{type does not match yield type, then branch yields '!cuda_tile.tile<f32>' but op result type is '!cuda_tile.tile<i32>'}}
    %r = if %b -> (tile<i32>) {
      yield %f : tile<f32>
    } else {
      yield %i : tile<i32>
    }
  }
}

// -----

cuda_tile.module @m {
  // expected-note @below {{prior use here}}
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{use of value '%i' expects different type than prior uses}}
    if %i {
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %tv = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    // expected-error @below {{result type 0 is a tensor_view, which is not supported}}
    %r = if %b -> (tensor_view<4xf32, strides=[1]>) {
      yield %tv : tensor_view<4xf32, strides=[1]>
    } else {
      yield %tv : tensor_view<4xf32, strides=[1]>
    }
  }
}

// -----

cuda_tile.module @m {
  entry @e(%f: tile<f32>, %i: tile<i32>, %j: tile<i64>, %b: tile<i1>, %p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    // expected-error @below {{operand #0 must be tile of i1 values}}
    assert %i, "x" : tile<i32>
  }
}
