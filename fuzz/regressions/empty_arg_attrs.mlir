// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: cuda-tile-opt %s | cuda-tile-opt | FileCheck %s
// CHECK: entry @e() {
// The generic form can say that no argument has attributes; the custom form, printed and read again, says nothing.
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{arg_attrs = [], function_type = () -> (), res_attrs = [], sym_name = "e"}> ({
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
