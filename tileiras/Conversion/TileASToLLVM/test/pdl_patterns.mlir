// RUN: split-file %s %t
// RUN: tileiras-opt %t/kernel.mlir -convert-nv-tileas-to-llvm=pdl-files=%examples/annotations.pdl | FileCheck %s
// Two files, the first of which has nothing to do.
// RUN: tileiras-opt %t/kernel.mlir -convert-nv-tileas-to-llvm=pdl-files=%t/other.pdl,%examples/annotations.pdl | FileCheck %s
// RUN: not tileiras-opt %t/kernel.mlir -convert-nv-tileas-to-llvm 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: error: failed to legalize operation 'nv_tileaa.mark_for_reuse' that was explicitly marked illegal

// What is wrong with a file is the pass's failure, not the compiler's end.
// RUN: not tileiras-opt %t/kernel.mlir -convert-nv-tileas-to-llvm=pdl-files=%t/gone.pdl 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: there is no file of patterns '{{.*}}gone.pdl'
// RUN: not tileiras-opt %t/kernel.mlir -convert-nv-tileas-to-llvm=pdl-files=%t/text.pdl 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: text.pdl:1:1: error
// TEXT: error: cannot use the patterns of '{{.*}}text.pdl'
// RUN: not tileiras-opt %t/kernel.mlir -convert-nv-tileas-to-llvm=pdl-files=%t/function.pdl 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: function.pdl:{{.*}}: error: 'pdl.apply_native_rewrite' op there is no function 'invent'
// FUNCTION: error: cannot use the patterns of '{{.*}}function.pdl'
// RUN: not tileiras-opt %t/kernel.mlir -convert-nv-tileas-to-llvm=pdl-files=%t/empty.pdl 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: there is no pdl.pattern in '{{.*}}empty.pdl'

//--- kernel.mlir
#l = #nv_tileas.linear<rank = 1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0]]>
!v = !llvm.struct<(f32, f32)>
module attributes {nv_tileaa.compute_capability = 90 : i64} {
// CHECK-LABEL: func.func @annotated
// CHECK-SAME: (%[[X:.*]]: !llvm.struct<(f32, f32)>)
// CHECK-NOT: nv_tileaa
// Both operands of the sum are the argument.
// CHECK-COUNT-4: llvm.extractvalue %[[X]]
// CHECK: llvm.fadd
func.func @annotated(%x: !v) -> !v {
  %a = builtin.unrealized_conversion_cast %x : !v to tensor<64xf32, #l>
  %b = nv_tileaa.mark_for_reuse %a {annotation} : tensor<64xf32, #l>
  %c = nv_tileaa.optimization_barrier %b {annotation} : tensor<64xf32, #l>
  %d = arith.addf %c, %a : tensor<64xf32, #l>
  %y = builtin.unrealized_conversion_cast %d : tensor<64xf32, #l> to !v
  return %y : !v
}
}

//--- other.pdl
pdl.pattern @other : benefit(1) {
  %root = pdl.operation "nv_tileaa.gdc_wait"
  pdl.rewrite %root {
    pdl.erase %root
  }
}

//--- text.pdl
this is no pattern

//--- function.pdl
pdl.pattern @invented : benefit(1) {
  %type = pdl.type
  %value = pdl.operand
  %root = pdl.operation "nv_tileaa.mark_for_reuse"(%value : !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %root {
    %made = pdl.apply_native_rewrite "invent"(%value : !pdl.value) : !pdl.value
    pdl.replace %root with (%made : !pdl.value)
  }
}

//--- empty.pdl
module {}
