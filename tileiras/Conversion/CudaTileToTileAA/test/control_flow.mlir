// RUN: tileiras-opt %s -convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck %s

cuda_tile.module @kernels {
  // CHECK-LABEL: @for_loop
  // CHECK-SAME: (%[[N:.*]]: i32)
  entry @for_loop(%n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %z = constant <f32: 0.0> : tile<4xf32>
    %t = make_token : token
    // CHECK: %{{.*}}:2 = scf.for %[[I:.*]] = %c0_i32 to %[[N]] step %c1_i32 iter_args(%[[A:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (tensor<4xf32>, !nv_tileaa.mem_token) : i32 {
    %r:2 = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%a = %z, %tk = %t) -> (tile<4xf32>, token) {
      // CHECK-NEXT: arith.addi %[[I]], %[[I]] : i32
      %i2 = addi %i, %i : tile<i32>
      // CHECK-NEXT: %[[B:.*]] = arith.addf %[[A]], %[[A]]
      %b = addf %a, %a : tile<4xf32>
      // CHECK-NEXT: scf.yield %[[B]], %[[T]]
      continue %b, %tk : tile<4xf32>, token
    }
    // CHECK: scf.for unsigned %{{.*}} = %c0_i32 to %[[N]]
    for unsigned %i in (%c0 to %n, step %c1) : tile<i32> {
      // CHECK-NEXT: nv_tileaa.print "x"
      %p = print_tko "x" -> token
      // CHECK-NEXT: }
      continue
    }
    return
  }

  // A plain if needs no flag.
  // CHECK-LABEL: @if_else
  entry @if_else(%c: tile<i1>, %x: tile<i32>) {
    // CHECK-NEXT: %[[R:.*]] = scf.if %arg0 -> (i32) {
    %r = if %c -> (tile<i32>) {
      // CHECK-NEXT: %[[A:.*]] = arith.addi
      %a = addi %x, %x : tile<i32>
      // CHECK-NEXT: scf.yield %[[A]]
      yield %a : tile<i32>
    } else {
      // CHECK-NEXT: else
      // CHECK-NEXT: scf.yield %arg1
      yield %x : tile<i32>
    }
    // CHECK: scf.if %arg0 {
    // CHECK-NEXT: nv_tileaa.print "%d", %[[R]]
    // CHECK-NEXT: }
    // CHECK-NEXT: nv_tileaa.return
    if %c {
      %t = print_tko "%d", %r : tile<i32> -> token
    }
    return
  }

  // The usual while: the rest of the body moves into the other branch.
  // CHECK-LABEL: @loop_break
  entry @loop_break(%n: tile<i32>) {
    %c1 = constant <i32: 1> : tile<i32>
    // CHECK: %[[W:.*]]:2 = scf.while (%[[I:.*]] = %c1_i32) : (i32) -> (i32, i32) {
    %r = loop iter_values(%i = %c1) : tile<i32> -> tile<i32> {
      // CHECK-NEXT: %[[D:.*]] = arith.cmpi sge, %[[I]], %arg0
      %done = cmpi greater_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      // CHECK-NEXT: %[[S:.*]]:3 = scf.if %[[D]] -> (i1, i32, i32) {
      // CHECK-NEXT: %[[F:.*]] = arith.constant false
      // CHECK-NEXT: scf.yield %[[F]], %[[I]], %[[I]] : i1, i32, i32
      // CHECK-NEXT: } else {
      if %done {
        break %i : tile<i32>
      }
      // CHECK-NEXT: %[[X:.*]] = arith.addi %[[I]], %[[I]]
      %x = addi %i, %i : tile<i32>
      // CHECK-NEXT: %[[T:.*]] = arith.constant true
      // CHECK-NEXT: scf.yield %[[T]], %[[X]], %[[I]] : i1, i32, i32
      // CHECK-NEXT: }
      // CHECK-NEXT: scf.condition(%[[S]]#0) %[[S]]#1, %[[S]]#2 : i32, i32
      continue %x : tile<i32>
    }
    // CHECK: ^bb0(%[[Y:.*]]: i32, %{{.*}}: i32):
    // CHECK-NEXT: scf.yield %[[Y]] : i32
    // CHECK: nv_tileaa.print "%d", %[[W]]#1
    %t = print_tko "%d", %r : tile<i32> -> token
    return
  }

  // A break under two ifs: both branches of the outer one may go on, so a flag says whether they did.
  // CHECK-LABEL: @deep_break
  entry @deep_break(%p: tile<i1>, %q: tile<i1>) {
    // CHECK: scf.while : () -> () {
    loop {
      // CHECK-NEXT: %[[O:.*]]:2 = scf.if %arg0 -> (i1, i1) {
      if %p {
        // CHECK-NEXT: %[[S:.*]]:2 = scf.if %arg1 -> (i1, i1) {
        // CHECK: else
        // CHECK-NEXT: nv_tileaa.print "inner"
        if %q {
          break
        }
        %t0 = print_tko "inner" -> token
      }
      // CHECK: %[[G:.*]] = scf.if %[[O]]#0 -> (i1) {
      // CHECK-NEXT: nv_tileaa.print "after"
      // CHECK-NEXT: %[[T:.*]] = arith.constant true
      // CHECK-NEXT: scf.yield %[[T]]
      // CHECK-NEXT: } else {
      // CHECK-NEXT: scf.yield %[[O]]#1
      %t1 = print_tko "after" -> token
      continue
    }
    return
  }

  // A continue in a for ends the iteration with its values; the results of the if reach the rest.
  // CHECK-LABEL: @for_continue
  entry @for_continue(%p: tile<i1>, %n: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %c0_i32)
    %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%a = %c0) -> (tile<i32>) {
      // CHECK-NEXT: %[[S:.*]] = scf.if %arg0 -> (i32) {
      // CHECK-NEXT: scf.yield %[[A]]
      // CHECK-NEXT: } else {
      // CHECK-NEXT: %[[M:.*]] = arith.muli
      // CHECK-NEXT: %[[X:.*]] = arith.addi %[[M]], %[[A]]
      // CHECK-NEXT: scf.yield %[[X]]
      %v = if %p -> (tile<i32>) {
        continue %a : tile<i32>
      } else {
        %m = muli %i, %i : tile<i32>
        yield %m : tile<i32>
      }
      %x = addi %v, %a : tile<i32>
      continue %x : tile<i32>
    }
    return
  }

  // CHECK-LABEL: @early_return
  entry @early_return(%p: tile<i1>, %q: tile<i1>) {
    // CHECK-NEXT: scf.if %arg0 {
    // CHECK-NEXT: } else {
    // CHECK-NEXT: nv_tileaa.print "on"
    // CHECK-NEXT: scf.if %arg1 {
    // CHECK-NEXT: nv_tileaa.print "leaves"
    // CHECK-NEXT: } else {
    // CHECK-NEXT: nv_tileaa.print "end"
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: nv_tileaa.return
    if %p {
      return
    }
    %t0 = print_tko "on" -> token
    if %q {
      %t1 = print_tko "leaves" -> token
      return
    }
    %t2 = print_tko "end" -> token
    return
  }

  // A return in a loop in a loop leaves both and skips what follows.
  // CHECK-LABEL: @return_in_loops
  entry @return_in_loops(%p: tile<i1>, %q: tile<i1>) {
    // CHECK: %[[OUTER:.*]] = scf.while : () -> i1 {
    loop {
      // CHECK: %[[INNER:.*]] = scf.while : () -> i1 {
      loop {
        // CHECK: scf.if %arg0 -> (i1, i1) {
        // CHECK: scf.if %arg1 -> (i1, i1) {
        if %p {
          return
        }
        if %q {
          break
        }
        continue
      }
      // CHECK: %[[STAY:.*]] = arith.xori %[[INNER]], %true
      // CHECK: scf.if %[[STAY]] -> (i1, i1) {
      // CHECK: nv_tileaa.print "outer"
      %t = print_tko "outer" -> token
      break
    }
    // CHECK: %[[STAY:.*]] = arith.xori %[[OUTER]], %
    // CHECK-NEXT: scf.if %[[STAY]] {
    // CHECK-NEXT: nv_tileaa.print "end"
    // CHECK-NEXT: }
    // CHECK-NEXT: nv_tileaa.return
    %t = print_tko "end" -> token
    return
  }

  // Values of other types than the carried ones need fillers on the paths that do not set them.
  // CHECK-LABEL: @fillers
  entry @fillers(%p: tile<i1>, %x: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    // CHECK: scf.while {{.*}} : (i32) -> (i32, tensor<8xf32>, !nv_tileaa.ptr<f32>, !nv_tileaa.mem_token) {
    %r:3 = loop iter_values(%i = %c0) : tile<i32> -> tile<8xf32>, tile<ptr<f32>>, token {
      if %p {
        %f = constant <f32: 1.0> : tile<8xf32>
        %t = make_token : token
        break %f, %x, %t : tile<8xf32>, tile<ptr<f32>>, token
      }
      // CHECK: else
      // CHECK-DAG: %[[F:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
      // CHECK-DAG: %[[P:.*]] = nv_tileaa.int_to_ptr
      // CHECK-DAG: %[[T:.*]] = nv_tileaa.create_mem_token
      // CHECK: scf.yield %{{.*}}, %{{.*}}, %[[F]], %[[P]], %[[T]]
      continue %i : tile<i32>
    }
    return
  }

  // Code after branches that both leave is dropped.
  // CHECK-LABEL: @dead
  entry @dead(%p: tile<i1>) {
    // CHECK-NOT: dead code
    loop {
      if %p {
        continue
      } else {
        break
      }
      %t = print_tko "dead code" -> token
      continue
    }
    return
  }

  // A range that is no positive signed number is counted: folding of scf.for would drop the loop.
  // CHECK-LABEL: @counted
  entry @counted() {
    %lower = constant <i32: -2147483648> : tile<i32>
    %upper = constant <i32: 2147483647> : tile<i32>
    %step = constant <i32: 2000000000> : tile<i32>
    // CHECK: scf.for unsigned %[[K:.*]] = %c0_i32 to %c3_i32 step %c1_i32
    // CHECK-NEXT: %[[M:.*]] = arith.muli %[[K]], %c2000000000_i32
    // CHECK-NEXT: %[[I:.*]] = arith.addi %{{.*}}, %[[M]]
    // CHECK-NEXT: nv_tileaa.print "%d", %[[I]]
    for %i in (%lower to %upper, step %step) : tile<i32> {
      %t = print_tko "%d", %i : tile<i32> -> token
    }
    return
  }

  // Narrow counters are counted in 32 bits, where every range is a positive number.
  // CHECK-LABEL: @narrow
  entry @narrow(%lower: tile<i8>, %upper: tile<i8>, %step: tile<i8>) {
    // CHECK-COUNT-3: arith.extui {{.*}} : i8 to i32
    // CHECK: scf.for unsigned %[[K:.*]] = {{.*}} : i32
    // CHECK-NEXT: arith.trunci %[[K]] : i32 to i8
    for unsigned %i in (%lower to %upper, step %step) : tile<i8> {
      %t = print_tko "%d", %i : tile<i8> -> token
    }
    return
  }
}
