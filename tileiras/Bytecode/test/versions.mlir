// Which versions there are, and what each of them reads and writes.
// RUN: tileiras-translate --list-versions | FileCheck %s --check-prefix=LIST
// LIST: {{^13.1$}}
// LIST-NEXT: {{^13.2$}}
// LIST-NEXT: {{^13.3$}}
// LIST-NEXT: {{^13.4$}}
// LIST-NOT: {{.}}

// RUN: not tileiras-translate -mlir-to-cudatilebc --bytecode-version=12.0 %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not tileiras-translate -mlir-to-cudatilebc --bytecode-version=13.5 %s 2>&1 | FileCheck %s --check-prefix=BAD
// The request is checked before the module.
// RUN: echo "module {}" | not tileiras-translate --mlir-to-cudatilebc --bytecode-version=12.0 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: Invalid argument '{{12.0|13.5}}': the supported versions are [13.1 - 13.4]

// A module that every version can hold comes back the same from all of them.
// RUN: tileiras-opt -no-implicit-module %s > %t.expected
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --bytecode-version=13.1 %s | diff %t.expected -
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --bytecode-version=13.2 %s | diff %t.expected -
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --bytecode-version=13.3 %s | diff %t.expected -
// RUN: tileiras-translate -test-cudatile-roundtrip -no-implicit-module --bytecode-version=13.4 %s | diff %t.expected -

// The version stands in bytes 8 and 9. Without the option it is the latest.
// RUN: tileiras-translate -mlir-to-cudatilebc --bytecode-version=13.2 %s -o %t.bc
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); assert d[:12] == b'\x7fTileIR\0\x0d\x02\0\0', d" %t.bc
// RUN: tileiras-translate -mlir-to-cudatilebc %s -o %t.bc
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); assert d[:12] == b'\x7fTileIR\0\x0d\x04\0\0', d" %t.bc

cuda_tile.module @kernels {
  global @g <f32: [1.0, 2.0]> : tile<2xf32>
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {occupancy = 2 : i32}> {
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>
    %0, %t = load_view_tko weak %pv[%n] : partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %1 = negi %n : tile<i32>
    %2 = exp %0 : tile<8xf32>
    %3 = tanh %2 : tile<8xf32>
    %4 = ftoi %3 signed : tile<8xf32> -> tile<8xi32>
    %5 = fpowf %3, %3 : tile<8xf32>
    for %i in (%n to %1, step %n) : tile<i32> {
      %t0 = print_tko "%d %f", %i, %5 : tile<i32>, tile<8xf32> -> token
    }
    %t1 = store_view_tko weak %5, %pv[%n] token = %t : tile<8xf32>, partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
  }
}
