// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A * B^T of 4-bit integers, two in a byte: what the kernels of nibbles_run.mlir have to equal.
cuda_tile.module @m {
  entry @long_ss(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %xa, %ta = load_view_tko weak %pa[%c0] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %vb = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %pb = make_partition_view %vb : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %xb, %tb = load_view_tko weak %pb[%c0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %na = unpack %xa : tile<1024xi8> -> tile<2048xi4>
    %nb = unpack %xb : tile<512xi8> -> tile<1024xi4>
    %ea = exti %na signed : tile<2048xi4> -> tile<2048xi8>
    %eb = exti %nb signed : tile<1024xi4> -> tile<1024xi8>
    %ma = reshape %ea : tile<2048xi8> -> tile<16x128xi8>
    %mb = reshape %eb : tile<1024xi8> -> tile<8x128xi8>
    %yb = permute %mb [1, 0] : tile<8x128xi8> -> tile<128x8xi8>
    %zero = constant <i32: 0> : tile<16x8xi32>
    %d = mmai %ma, %yb, %zero signed signed : tile<16x128xi8>, tile<128x8xi8>, tile<16x8xi32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xi32>, partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @long_su(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %xa, %ta = load_view_tko weak %pa[%c0] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %vb = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %pb = make_partition_view %vb : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %xb, %tb = load_view_tko weak %pb[%c0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %na = unpack %xa : tile<1024xi8> -> tile<2048xi4>
    %nb = unpack %xb : tile<512xi8> -> tile<1024xi4>
    %ea = exti %na signed : tile<2048xi4> -> tile<2048xi8>
    %eb = exti %nb unsigned : tile<1024xi4> -> tile<1024xi8>
    %ma = reshape %ea : tile<2048xi8> -> tile<16x128xi8>
    %mb = reshape %eb : tile<1024xi8> -> tile<8x128xi8>
    %yb = permute %mb [1, 0] : tile<8x128xi8> -> tile<128x8xi8>
    %zero = constant <i32: 0> : tile<16x8xi32>
    %d = mmai %ma, %yb, %zero signed signed : tile<16x128xi8>, tile<128x8xi8>, tile<16x8xi32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xi32>, partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @long_us(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %xa, %ta = load_view_tko weak %pa[%c0] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %vb = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %pb = make_partition_view %vb : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %xb, %tb = load_view_tko weak %pb[%c0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %na = unpack %xa : tile<1024xi8> -> tile<2048xi4>
    %nb = unpack %xb : tile<512xi8> -> tile<1024xi4>
    %ea = exti %na unsigned : tile<2048xi4> -> tile<2048xi8>
    %eb = exti %nb signed : tile<1024xi4> -> tile<1024xi8>
    %ma = reshape %ea : tile<2048xi8> -> tile<16x128xi8>
    %mb = reshape %eb : tile<1024xi8> -> tile<8x128xi8>
    %yb = permute %mb [1, 0] : tile<8x128xi8> -> tile<128x8xi8>
    %zero = constant <i32: 0> : tile<16x8xi32>
    %d = mmai %ma, %yb, %zero signed signed : tile<16x128xi8>, tile<128x8xi8>, tile<16x8xi32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xi32>, partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @long_uu(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xi8, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>
    %xa, %ta = load_view_tko weak %pa[%c0] : partition_view<tile=(1024), tensor_view<1024xi8, strides=[1]>>, tile<i32> -> tile<1024xi8>, token
    %vb = make_tensor_view %b, shape = [512], strides = [1] : tensor_view<512xi8, strides=[1]>
    %pb = make_partition_view %vb : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>
    %xb, %tb = load_view_tko weak %pb[%c0] : partition_view<tile=(512), tensor_view<512xi8, strides=[1]>>, tile<i32> -> tile<512xi8>, token
    %na = unpack %xa : tile<1024xi8> -> tile<2048xi4>
    %nb = unpack %xb : tile<512xi8> -> tile<1024xi4>
    %ea = exti %na unsigned : tile<2048xi4> -> tile<2048xi8>
    %eb = exti %nb unsigned : tile<1024xi4> -> tile<1024xi8>
    %ma = reshape %ea : tile<2048xi8> -> tile<16x128xi8>
    %mb = reshape %eb : tile<1024xi8> -> tile<8x128xi8>
    %yb = permute %mb [1, 0] : tile<8x128xi8> -> tile<128x8xi8>
    %zero = constant <i32: 0> : tile<16x8xi32>
    %d = mmai %ma, %yb, %zero signed signed : tile<16x128xi8>, tile<128x8xi8>, tile<16x8xi32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xi32>, partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>, tile<i32> -> token
  }
  entry @short_us(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %c: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %xa, %ta = load_view_tko weak %pa[%c0] : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<256xi8>, token
    %vb = make_tensor_view %b, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %pb = make_partition_view %vb : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %xb, %tb = load_view_tko weak %pb[%c0] : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> tile<128xi8>, token
    %na = unpack %xa : tile<256xi8> -> tile<512xi4>
    %nb = unpack %xb : tile<128xi8> -> tile<256xi4>
    %ea = exti %na unsigned : tile<512xi4> -> tile<512xi8>
    %eb = exti %nb signed : tile<256xi4> -> tile<256xi8>
    %ma = reshape %ea : tile<512xi8> -> tile<16x32xi8>
    %mb = reshape %eb : tile<256xi8> -> tile<8x32xi8>
    %yb = permute %mb [1, 0] : tile<8x32xi8> -> tile<32x8xi8>
    %zero = constant <i32: 0> : tile<16x8xi32>
    %d = mmai %ma, %yb, %zero signed signed : tile<16x32xi8>, tile<32x8xi8>, tile<16x8xi32>
    %vc = make_tensor_view %c, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xi32, strides=[8,1]>
    %pc = make_partition_view %vc : partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>
    %t = store_view_tko weak %d, %pc[%c0, %c0] : tile<16x8xi32>, partition_view<tile=(16x8), tensor_view<16x8xi32, strides=[8,1]>>, tile<i32> -> token
  }
}
