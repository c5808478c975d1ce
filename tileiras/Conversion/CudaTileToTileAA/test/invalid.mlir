// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 -split-input-file -verify-diagnostics

// expected-error @below {{failed to convert cuda_tile to nv_tileaa}}
module {
  cuda_tile.module @kernels {
    entry @first(%x: tile<i32>) {
      // expected-error @below {{'cuda_tile.itof' op cannot be compiled for sm_90: a conversion of wide integers to tf32 would round twice}}
      %a = itof %x signed : tile<i32> -> tile<tf32>
      // Only the first operation is reported.
      %b = itof %x signed : tile<i32> -> tile<tf32>
      return
    }
  }
}

// -----

// expected-error @below {{failed to convert cuda_tile to nv_tileaa}}
module {
  cuda_tile.module @kernels {
    entry @atomic(%p: tile<ptr<i32>>, %v: tile<i32>) {
      // expected-error @below {{'cuda_tile.atomic_rmw_tko' op cannot be compiled for sm_90: atomic operations}}
      %old, %t = atomic_rmw_tko relaxed device %p, add, %v : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      return
    }
  }
}

// -----

// expected-error @below {{failed to convert cuda_tile to nv_tileaa}}
module {
  cuda_tile.module @kernels {
    entry @gather(%p: tile<ptr<f32>>) {
      %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
      // expected-error @below {{'cuda_tile.make_gather_scatter_view' op cannot be compiled for sm_90: gather/scatter views}}
      %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x64), tensor_view<64x64xf32, strides=[64,1]>, sparse_dim=0>
      return
    }
  }
}

// -----

// expected-error @below {{failed to convert cuda_tile to nv_tileaa}}
module {
  cuda_tile.module @kernels {
    // expected-error @below {{'cuda_tile.global' op cannot be compiled for sm_90: global variables}}
    global @g <f32: [1.0, 2.0]> : tile<2xf32>
    entry @k() {
      return
    }
  }
}

// -----

// expected-error @below {{failed to convert cuda_tile to nv_tileaa}}
module {
  cuda_tile.module @kernels {
    entry @tf32(%i: tile<i32>) {
      // expected-error @below {{'cuda_tile.itof' op cannot be compiled for sm_90: a conversion of wide integers to tf32 would round twice}}
      %f = itof %i signed : tile<i32> -> tile<tf32>
      return
    }
  }
}

// -----

// expected-error @below {{failed to convert cuda_tile to nv_tileaa}}
module {
  cuda_tile.module @kernels {
    entry @wait() {
      // expected-error @below {{'cuda_tile.gdc_wait_tko' op cannot be compiled for sm_90: dependent launches}}
      %t = gdc_wait_tko -> token
      return
    }
  }
}
