# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written with the operations of `cutlass`, as text."""

HEAD = """
!st3 = !cutlass.pipeline_state<3>
!st2 = !cutlass.pipeline_state<2>
!work = !cutlass.work_tile_info
!p = !llvm.ptr<1>
"""

# Tiles of 32x32x8: warp 4 loads, warps 0 to 3 multiply, three stages between them.
GEMM = HEAD + """
!who = !cutlass.participants<producer = <warp_specialized, warps = 1 from 4>, consumer = <warp_specialized, warps = 4>>
!pipe = !cutlass.pipeline<async, 3, producer = <warp_specialized, warps = 1 from 4>, consumer = <warp_specialized, warps = 4>>
!params = !cutlass.tile_scheduler_params<{kind}>
gpu.module @kernels {{
  gpu.func @gemm(%a: !p, %b: !p, %c: !p, %m: i32, %n: i32, %k: i32, %units: i32, %ws: !p, %flags: !p)
      workgroup(%sa: memref<3x32x8xf32, #gpu.address_space<workgroup>>, %sb: memref<3x8x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {{known_block_size = array<i32: 160, 1, 1>}} {{
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %c128 = arith.constant 128 : i32
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<8xf32>
    %who = cutlass.pipeline.make_participants : !who
    %pipe = cutlass.pipeline.create %who : !who -> !pipe
    cutlass.pipeline.init %pipe : !pipe
    %params = cutlass.tile_scheduler.make_{kind}_params (%m, %n, %k, %c1) tile [32, 32, 8] {units}: !params
    cutlass.pipeline.switch_by_executor %pipe : !pipe producer {{
      %lane = arith.subi %t, %c128 : i32
      %lanei = arith.index_cast %lane : i32 to index
      %w0 = cutlass.tile_scheduler.initial_work_tile_info %params : !params -> !work
      %s0 = cutlass.pipeline.state.create %c0, %c1, %c0 : !st3
      %end:2 = scf.while (%w = %w0, %s = %s0) : (!work, !st3) -> (!work, !st3) {{
        %v = cutlass.tile_scheduler.work_tile_info_get_value %w "valid" : !work
        %go = arith.cmpi ne, %v, %c0 : i32
        scf.condition(%go) %w, %s : !work, !st3
      }} do {{
      ^bb0(%w: !work, %s: !st3):
        %tm, %tn, %tk, %tl = cutlass.tile_scheduler.work_tile_info_to_coord_mnkl %w : !work
        %steps = cutlass.tile_scheduler.get_work_k_tile_count %w : !work
        %m0 = arith.muli %tm, %c32 : i32
        %n0 = arith.muli %tn, %c32 : i32
        %row = arith.addi %m0, %lane : i32
        %col = arith.addi %n0, %lane : i32
        %rowin = arith.cmpi slt, %row, %m : i32
        %colin = arith.cmpi slt, %col, %n : i32
        %s1 = scf.for %i = %c0 to %steps step %c1 iter_args(%q = %s) -> (!st3) : i32 {{
          %step = arith.addi %tk, %i : i32
          %k0 = arith.muli %step, %c8 : i32
          %next = cutlass.pipeline.produce %pipe, %q : !pipe, !st3 -> !st3 {{
          ^bb1(%stage: i32):
            %st = arith.index_cast %stage : i32 to index
            scf.for %kk = %i0 to %i8 step %i1 {{
              %kki = arith.index_cast %kk : index to i32
              %ka = arith.addi %k0, %kki : i32
              %kin = arith.cmpi slt, %ka, %k : i32
              %ain = arith.andi %kin, %rowin : i1
              %bin = arith.andi %kin, %colin : i1
              %x = scf.if %ain -> f32 {{
                %r = arith.muli %row, %k : i32
                %o = arith.addi %r, %ka : i32
                %at = llvm.getelementptr %a[%o] : (!p, i32) -> !p, f32
                %l = llvm.load %at : !p -> f32
                scf.yield %l : f32
              }} else {{
                scf.yield %zero : f32
              }}
              %y = scf.if %bin -> f32 {{
                %r = arith.muli %ka, %n : i32
                %o = arith.addi %r, %col : i32
                %at = llvm.getelementptr %b[%o] : (!p, i32) -> !p, f32
                %l = llvm.load %at : !p -> f32
                scf.yield %l : f32
              }} else {{
                scf.yield %zero : f32
              }}
              memref.store %x, %sa[%st, %lanei, %kk] : memref<3x32x8xf32, #gpu.address_space<workgroup>>
              memref.store %y, %sb[%st, %kk, %lanei] : memref<3x8x32xf32, #gpu.address_space<workgroup>>
            }}
          }}
          scf.yield %next : !st3
        }}
        %wn = cutlass.tile_scheduler.fetch_next_work %params, %w : !params, !work -> !work
        scf.yield %wn, %s1 : !work, !st3
      }}
      cutlass.pipeline.producer_tail %pipe, %end#1 : !pipe, !st3
    }} consumer {{
      %r32 = arith.divui %t, %c4 : i32
      %q32 = arith.remui %t, %c4 : i32
      %col8 = arith.muli %q32, %c8 : i32
      %ri = arith.index_cast %r32 : i32 to index
      %ci = arith.index_cast %col8 : i32 to index
      %id = cutlass.barrier_id "fixup"
      %w0 = cutlass.tile_scheduler.initial_work_tile_info %params : !params -> !work
      %s0 = cutlass.pipeline.state.create %c0, %c0, %c0 : !st3
      %end:2 = scf.while (%w = %w0, %s = %s0) : (!work, !st3) -> (!work, !st3) {{
        %v = cutlass.tile_scheduler.work_tile_info_get_value %w "valid" : !work
        %go = arith.cmpi ne, %v, %c0 : i32
        scf.condition(%go) %w, %s : !work, !st3
      }} do {{
      ^bb0(%w: !work, %s: !st3):
        %tm, %tn, %tk, %tl = cutlass.tile_scheduler.work_tile_info_to_coord_mnkl %w : !work
        %steps = cutlass.tile_scheduler.get_work_k_tile_count %w : !work
        %s1, %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%q = %s, %acc = %zeros) -> (!st3, vector<8xf32>) : i32 {{
          %ready = cutlass.pipeline.consumer_try_wait %pipe, %q : !pipe, !st3
          cutlass.pipeline.consumer_wait %pipe, %q unless %ready : !pipe, !st3
          %stage = cutlass.pipeline.state.get_index %q : !st3
          %st = arith.index_cast %stage : i32 to index
          %acc1 = scf.for %kk = %i0 to %i8 step %i1 iter_args(%z = %acc) -> (vector<8xf32>) {{
            %x = memref.load %sa[%st, %ri, %kk] : memref<3x32x8xf32, #gpu.address_space<workgroup>>
            %xs = vector.broadcast %x : f32 to vector<8xf32>
            %y = vector.load %sb[%st, %kk, %ci] : memref<3x8x32xf32, #gpu.address_space<workgroup>>, vector<8xf32>
            %xy = arith.mulf %xs, %y : vector<8xf32>
            %z1 = arith.addf %z, %xy : vector<8xf32>
            scf.yield %z1 : vector<8xf32>
          }}
          cutlass.pipeline.consumer_release %pipe, %q : !pipe, !st3
          %q1 = cutlass.pipeline.state.increment %q : !st3
          scf.yield %q1, %acc1 : !st3, vector<8xf32>
        }}
        {fixup}
        %epilogue = cutlass.tile_scheduler.compute_epilogue %params, %w : !params, !work
        scf.if %epilogue {{
          %m0 = arith.muli %tm, %c32 : i32
          %row = arith.addi %m0, %r32 : i32
          %n0 = arith.muli %tn, %c32 : i32
          %first = arith.addi %n0, %col8 : i32
          %rowin = arith.cmpi slt, %row, %m : i32
          scf.for %j = %i0 to %i8 step %i1 {{
            %j32 = arith.index_cast %j : index to i32
            %col = arith.addi %first, %j32 : i32
            %colin = arith.cmpi slt, %col, %n : i32
            %in = arith.andi %rowin, %colin : i1
            scf.if %in {{
              %v = llvm.extractelement %all[%j32 : i32] : vector<8xf32>
              %r = arith.muli %row, %n : i32
              %o = arith.addi %r, %col : i32
              %at = llvm.getelementptr %c[%o] : (!p, i32) -> !p, f32
              llvm.store %v, %at : f32, !p
            }}
          }}
        }}
        %wn = cutlass.tile_scheduler.fetch_next_work %params, %w : !params, !work -> !work
        scf.yield %wn, %s1 : !work, !st3
      }}
    }}
    gpu.return
  }}

  gpu.func @start(%m: i32, %n: i32, %k: i32, %units: i32, %flags: !p, %sizes: !p) kernel {{
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c1 = arith.constant 1 : i32
    %params = cutlass.tile_scheduler.make_{kind}_params (%m, %n, %k, %c1) tile [32, 32, 8] {units}: !params
    {start}
    %x, %y, %z = cutlass.tile_scheduler.get_grid_shape %params : !params
    %sums, %words = cutlass.tile_scheduler.get_workspace_sizes %params tile_bytes 4096 : !params
    %xy = arith.muli %x, %y : i32
    %grid = arith.muli %xy, %z : i32
    %g = arith.extui %grid : i32 to i64
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %t, %zero : i32
    scf.if %first {{
      llvm.store %sums, %sizes : i64, !p
      %at1 = llvm.getelementptr %sizes[1] : (!p) -> !p, i64
      llvm.store %words, %at1 : i64, !p
      %at2 = llvm.getelementptr %sizes[2] : (!p) -> !p, i64
      llvm.store %g, %at2 : i64, !p
    }}
    gpu.return
  }}
}}
"""


def gemm(kind):
    streamk = kind == "streamk"
    fixup = ("%all = cutlass.tile_scheduler.fixup %params, %w, %sum, %ws, %flags by %t of 128 sync %id, %c128 : "
             "!params, !work, vector<8xf32>, !p, !p")
    return GEMM.format(kind=kind, units="" if kind == "dp" else "units %units ",
                       fixup=fixup if streamk else "%all = arith.addf %sum, %zeros : vector<8xf32>",
                       start="cutlass.tile_scheduler.initialize_workspace %params, %flags by %t of 64 : !params, !p" if streamk else "")


def remade(kind):
    """The product whose work is made again from its coordinates, as a kernel with a scheduler of its own would: the tile's number follows
    from them, and where sums of divided tiles are, and what comes next. (Of a piece of a tile stream-K alone knows what is left.)"""
    again = f"""%gm, %gn, %gk, %gl = cutlass.tile_scheduler.work_tile_info_to_coord_mnkl %given : !work
        %gs = cutlass.tile_scheduler.get_work_k_tile_start %given : !work
        %gc = cutlass.tile_scheduler.get_work_k_tile_count %given : !work
        %gv = arith.constant true
        %w = cutlass.tile_scheduler.create_{kind}_work_tile_info %params, %gm, %gn, %gl steps %gs, %gc valid %gv : !params -> !work
"""
    text = gemm(kind)
    head = "^bb0(%w: !work, %s: !st3):\n"
    text = text.replace(head, head.replace("%w", "%given") + again)
    return text.replace("fetch_next_work %params, %w", "fetch_next_work %params, %given") if kind == "streamk" else text


# A block takes over tiles of blocks that have not started. 32 threads, a row each; no shared memory but the scheduler's.
LAUNCH_CONTROL = HEAD + """
!params = !cutlass.tile_scheduler_params<dp>
!sched = !cutlass.tile_scheduler
gpu.module @kernels {
  gpu.func @fill(%c: !p, %m: i32, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %params = cutlass.tile_scheduler.make_dp_params (%m, %n, %c1, %c1) tile [32, 8, 1] : !params
    %sched = cutlass.tile_scheduler.create_SM100_scheduler %params : !params -> !sched
    %w0 = cutlass.tile_scheduler.initial_work_tile_info %sched : !sched -> !work
    scf.while (%w = %w0) : (!work) -> !work {
      %v = cutlass.tile_scheduler.work_tile_info_get_value %w "valid" : !work
      %go = arith.cmpi ne, %v, %c0 : i32
      scf.condition(%go) %w : !work
    } do {
    ^bb0(%w: !work):
      %ask = cutlass.tile_scheduler.advance_to_next_work %sched, %w : !sched, !work -> !work
      %tm, %tn, %tk, %tl = cutlass.tile_scheduler.work_tile_info_to_coord_mnkl %w : !work
      %m0 = arith.muli %tm, %c32 : i32
      %row = arith.addi %m0, %t : i32
      %rowin = arith.cmpi slt, %row, %m : i32
      scf.for %j = %c0 to %c8 step %c1 : i32 {
        %n0 = arith.muli %tn, %c8 : i32
        %col = arith.addi %n0, %j : i32
        %colin = arith.cmpi slt, %col, %n : i32
        %in = arith.andi %rowin, %colin : i1
        scf.if %in {
          %r = arith.muli %row, %n : i32
          %o = arith.addi %r, %col : i32
          %at = llvm.getelementptr %c[%o] : (!p, i32) -> !p, i32
          %old = llvm.load %at : !p -> i32
          %new = arith.addi %old, %o : i32
          llvm.store %new, %at : i32, !p
        }
      }
      %next = cutlass.tile_scheduler.query_next_work %sched, %ask : !sched, !work -> !work
      scf.yield %next : !work
    }
    gpu.return
  }
}
"""

# Groups of a warp append their number to a list in turn; of `depth` turns each has a list of its own.
SEQUENCE = """
!bar = !cutlass.seq_bar<{depth}, 3, warps = 1>
!place = !cutlass.seq_bar_state<{depth}, 3>
!p = !llvm.ptr<1>
gpu.module @kernels {{
  gpu.func @sequence(%out: !p, %rounds: i32) workgroup(%count: memref<{depth}xi32, #gpu.address_space<workgroup>>) kernel {{
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %depth = arith.constant {depth} : i32
    %start = arith.cmpi slt, %t, %depth : i32
    scf.if %start {{
      memref.store %c0, %count[%tx] : memref<{depth}xi32, #gpu.address_space<workgroup>>
    }}
    %bar = cutlass.seq_bar.create : !bar
    cutlass.seq_bar.init %bar : !bar
    %group = arith.divui %t, %c32 : i32
    %lane = arith.remui %t, %c32 : i32
    %first = arith.cmpi eq, %lane, %c0 : i32
    %s0 = cutlass.seq_bar.state.create %group : !place
    %end = scf.for %r = %c0 to %rounds step %c1 iter_args(%s = %s0) -> (!place) : i32 {{
      cutlass.seq_bar.wait %bar, %s : !bar, !place
      %which = arith.remui %r, %depth : i32
      %wi = arith.index_cast %which : i32 to index
      scf.if %first {{
        %n = memref.load %count[%wi] : memref<{depth}xi32, #gpu.address_space<workgroup>>
        %n1 = arith.addi %n, %c1 : i32
        memref.store %n1, %count[%wi] : memref<{depth}xi32, #gpu.address_space<workgroup>>
        %base = arith.muli %which, %c64 : i32
        %o = arith.addi %base, %n : i32
        %at = llvm.getelementptr %out[%o] : (!p, i32) -> !p, i32
        llvm.store %group, %at : i32, !p
      }}
      %s1 = cutlass.seq_bar.arrive %bar, %s : !bar, !place
      scf.yield %s1 : !place
    }}
    gpu.return
  }}
}}
"""

# Every block adds its fragments to those in memory; the blocks write `order` one after the other; and the first of a fragment is read again.
STRIPED = """
!p = !llvm.ptr<1>
gpu.module @kernels {{
  gpu.func @striped(%sum: !p, %order: !p, %flags: !p, %copy: !p) kernel {{
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %bx = gpu.block_id x
    %b = arith.index_cast %bx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ones = arith.constant dense<1> : vector<{n}xi32>
    %x = arith.addi %t, %b : i32
    %xs = vector.broadcast %x : i32 to vector<{n}xi32>
    %f = arith.sitofp %xs : vector<{n}xi32> to vector<{n}x{type}>
    cutlass.block_striped.reduce %f, %sum by %t of 96 : vector<{n}x{type}>, !p
    cutlass.generic_barrier.wait_eq %flags[%c0] by %t, %b : !p
    %before = cutlass.block_striped.load %copy by %t of 96 : !p -> vector<{n}x{type}>
    %after = cutlass.block_striped.load_add %f, %copy by %t of 96 : vector<{n}x{type}>, !p -> vector<{n}x{type}>
    cutlass.block_striped.store %after, %copy by %t of 96 : vector<{n}x{type}>, !p
    %first = arith.cmpi eq, %t, %c0 : i32
    scf.if %first {{
      %at = llvm.getelementptr %order[%b] : (!p, i32) -> !p, i32
      %prev = llvm.getelementptr %order[%b] : (!p, i32) -> !p, i32
      %is = arith.cmpi eq, %b, %c0 : i32
      %bm = arith.subi %b, %c1 : i32
      %pi = arith.select %is, %b, %bm : i32
      %pat = llvm.getelementptr %order[%pi] : (!p, i32) -> !p, i32
      %last = llvm.load %pat : !p -> i32
      %now = arith.addi %last, %c1 : i32
      llvm.store %now, %at : i32, !p
    }}
    cutlass.generic_barrier.arrive_increment %flags[%c0] by %t, %c1 : !p
    cutlass.generic_barrier.wait_less_than %flags[%c0] by %t, %c1 : !p
    cutlass.generic_barrier_sync
    gpu.return
  }}
}}
"""

# Bulk copies of 512 numbers fill two stages, by a third warp; two warps sum them up.
BULK = """
!who = !cutlass.participants<producer = <warp_specialized, warps = 1 from 2>, consumer = <warp_specialized, warps = 2>>
!pipe = !cutlass.pipeline<tma, 2 bytes 2048, producer = <warp_specialized, warps = 1 from 2>, consumer = <warp_specialized, warps = 2>>
!st2 = !cutlass.pipeline_state<2>
!p = !llvm.ptr<1>
!s = !llvm.ptr<3>
gpu.module @kernels {
  llvm.mlir.global internal @ring() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<1024 x i32>
  gpu.func @bulk(%in: !p, %sum: !p, %steps: i32) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c512 = arith.constant 512 : i32
    %bytes = arith.constant 2048 : i32
    %ring = llvm.mlir.addressof @ring : !s
    %who = cutlass.pipeline.make_participants : !who
    %pipe = cutlass.pipeline.create %who : !who -> !pipe
    cutlass.pipeline.init %pipe : !pipe
    cutlass.pipeline.switch_by_executor %pipe : !pipe producer {
      %lane = arith.remui %t, %c32 : i32
      %first = arith.cmpi eq, %lane, %c0 : i32
      %s0 = cutlass.pipeline.state.create %c0, %c1, %c0 : !st2
      %s1 = scf.for %i = %c0 to %steps step %c1 iter_args(%q = %s0) -> (!st2) : i32 {
        %next = cutlass.pipeline.produce %pipe, %q : !pipe, !st2 -> !st2 {
        ^bb0(%stage: i32, %full: !s):
          scf.if %first {
            %o = arith.muli %i, %c512 : i32
            %from = llvm.getelementptr %in[%o] : (!p, i32) -> !p, i32
            %so = arith.muli %stage, %c512 : i32
            %to = llvm.getelementptr %ring[%so] : (!s, i32) -> !s, i32
            %there = llvm.addrspacecast %to : !s to !llvm.ptr<7>
            nvvm.cp.async.bulk.shared.cluster.global %there, %from, %full, %bytes : !llvm.ptr<7>, !p
          }
        }
        scf.yield %next : !st2
      }
      cutlass.pipeline.producer_tail %pipe, %s1 : !pipe, !st2
    } consumer {
      %s0 = cutlass.pipeline.state.create %c0, %c0, %c0 : !st2
      %end, %total = scf.for %i = %c0 to %steps step %c1 iter_args(%q = %s0, %acc = %c0) -> (!st2, i32) : i32 {
        cutlass.pipeline.consumer_wait %pipe, %q : !pipe, !st2
        %stage = cutlass.pipeline.state.get_index %q : !st2
        %so = arith.muli %stage, %c512 : i32
        %sum8 = scf.for %j = %c0 to %c8 step %c1 iter_args(%z = %acc) -> (i32) : i32 {
          %e = arith.muli %j, %c64 : i32
          %e1 = arith.addi %e, %t : i32
          %e2 = arith.addi %e1, %so : i32
          %at = llvm.getelementptr %ring[%e2] : (!s, i32) -> !s, i32
          %v = llvm.load %at : !s -> i32
          %z1 = arith.addi %z, %v : i32
          scf.yield %z1 : i32
        }
        cutlass.pipeline.consumer_release %pipe, %q : !pipe, !st2
        %next = cutlass.pipeline.state.increment %q : !st2
        scf.yield %next, %sum8 : !st2, i32
      }
      %o = llvm.getelementptr %sum[%t] : (!p, i32) -> !p, i32
      llvm.store %total, %o : i32, !p
    }
    gpu.return
  }
}
"""

# Two blocks of a cluster, each of which copies half of every stage to both; who has emptied a stage tells both.
CLUSTER = BULK.replace("consumer = <warp_specialized, warps = 2>", "consumer = <cluster, warps = 2 blocks 2>").replace(
    "gpu.func @bulk(%in: !p, %sum: !p, %steps: i32) kernel {", """gpu.func @bulk(%in: !p, %sum: !p, %steps: i32) kernel attributes {nvvm.cluster_dim = array<i32: 2>} {
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %c256 = arith.constant 256 : i32
    %half = arith.constant 1024 : i32
    %shift = arith.muli %rank, %c256 : i32
    %bx = gpu.block_id x
    %b = arith.index_cast %bx : index to i32
    %outs = arith.muli %b, %c64s : i32""").replace("    %bytes = arith.constant 2048 : i32\n", "").replace(
    "    %tx = gpu.thread_id x\n", "", 1).replace("gpu.module @kernels {\n", "gpu.module @kernels {\n", 1)
CLUSTER = CLUSTER.replace("    %rank = nvvm", "    %tx = gpu.thread_id x\n    %c64s = arith.constant 64 : i32\n    %rank = nvvm")
CLUSTER = CLUSTER.replace("""%o = arith.muli %i, %c512 : i32
""", """%o0 = arith.muli %i, %c512 : i32
            %o = arith.addi %o0, %shift : i32
""").replace("""%so = arith.muli %stage, %c512 : i32
            %to""", """%so0 = arith.muli %stage, %c512 : i32
            %so = arith.addi %so0, %shift : i32
            %mask = cutlass.pipeline.get_producer_mask %pipe : !pipe
            %to""").replace("""nvvm.cp.async.bulk.shared.cluster.global %there, %from, %full, %bytes : !llvm.ptr<7>, !p""",
                            """nvvm.cp.async.bulk.shared.cluster.global %there, %from, %full, %half multicast_mask = %mask : !llvm.ptr<7>, !p""").replace(
    "      %o = llvm.getelementptr %sum[%t]", "      %tt = arith.addi %t, %outs : i32\n      %o = llvm.getelementptr %sum[%tt]").replace(
    """      cutlass.pipeline.producer_tail %pipe, %s1 : !pipe, !st2
""", """      cutlass.pipeline.producer_tail %pipe, %s1 : !pipe, !st2
""").replace("    gpu.return\n", "    nvvm.cluster.arrive\n    nvvm.cluster.wait\n    gpu.return\n")

# A warp fills two rings; half of four warps, every other one or the upper two, empties the first one, the others the second.
STRIDED = """
!whoa = !cutlass.participants<producer = <cooperative, warps = 1 from 4>, consumer = <{mode}, warps = 4 stride 2>>
!whob = !cutlass.participants<producer = <cooperative, warps = 1 from 4>, consumer = <{mode}, warps = 4 stride 2 which 1>>
!pipea = !cutlass.pipeline<async, 2, producer = <cooperative, warps = 1 from 4>, consumer = <{mode}, warps = 4 stride 2>>
!pipeb = !cutlass.pipeline<async, 2, producer = <cooperative, warps = 1 from 4>, consumer = <{mode}, warps = 4 stride 2 which 1>>
!st2 = !cutlass.pipeline_state<2>
!p = !llvm.ptr<1>
gpu.module @kernels {{
  gpu.func @strided(%out: !p, %steps: i32) workgroup(%ring: memref<2x2x32xi32, #gpu.address_space<workgroup>>) kernel {{
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c32 = arith.constant 32 : i32
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %whoa = cutlass.pipeline.make_participants : !whoa
    %whob = cutlass.pipeline.make_participants : !whob
    %a = cutlass.pipeline.create %whoa : !whoa -> !pipea
    %b = cutlass.pipeline.create %whob : !whob -> !pipeb
    cutlass.pipeline.init %a : !pipea
    cutlass.pipeline.init %b : !pipeb
    %warp = arith.divui %t, %c32 : i32
    %lane = arith.remui %t, %c32 : i32
    %li = arith.index_cast %lane : i32 to index
    cutlass.async.exec <cooperative, warps = 1 from 4> {{
      %s0 = cutlass.pipeline.state.create %c0, %c1, %c0 : !st2
      %s1 = scf.for %i = %c0 to %steps step %c1 iter_args(%q = %s0) -> (!st2) : i32 {{
        %index = cutlass.pipeline.state.get_index %q : !st2
        %count = cutlass.pipeline.state.get_count %q : !st2
        %st = arith.index_cast %index : i32 to index
        %done = cutlass.pipeline.producer_try_acquire %a, %q : !pipea, !st2
        cutlass.pipeline.producer_acquire %a, %q unless %done : !pipea, !st2
        %va = arith.addi %count, %lane : i32
        memref.store %va, %ring[%i0, %st, %li] : memref<2x2x32xi32, #gpu.address_space<workgroup>>
        cutlass.pipeline.producer_commit %a, %q : !pipea, !st2
        %phase = cutlass.pipeline.state.get_phase %q : !st2
        cutlass.pipeline.producer_acquire %b, %q : !pipeb, !st2
        %two = arith.muli %va, %c2 : i32
        %vb = arith.addi %two, %phase : i32
        memref.store %vb, %ring[%i1, %st, %li] : memref<2x2x32xi32, #gpu.address_space<workgroup>>
        cutlass.pipeline.producer_commit %b, %q : !pipeb, !st2
        %next = cutlass.pipeline.state.increment %q : !st2
        scf.yield %next : !st2
      }}
      cutlass.pipeline.producer_tail %a, %s1 : !pipea, !st2
      cutlass.pipeline.producer_tail %b, %s1 : !pipeb, !st2
    }}
    cutlass.async.exec <cooperative, warps = 4> {{
      %side = arith.{side} %warp, %c2 : i32
      %si = arith.index_cast %side : i32 to index
      %s0 = cutlass.pipeline.state.create %c0, %c0, %c0 : !st2
      %end, %total = scf.for %i = %c0 to %steps step %c1 iter_args(%q = %s0, %acc = %c0) -> (!st2, i32) : i32 {{
        cutlass.pipeline.consumer_wait %a, %q : !pipea, !st2
        cutlass.pipeline.consumer_wait %b, %q : !pipeb, !st2
        %index = cutlass.pipeline.state.get_index %q : !st2
        %st = arith.index_cast %index : i32 to index
        %v = memref.load %ring[%si, %st, %li] : memref<2x2x32xi32, #gpu.address_space<workgroup>>
        %sum = arith.addi %acc, %v : i32
        cutlass.pipeline.consumer_release %a, %q : !pipea, !st2
        cutlass.pipeline.consumer_release %b, %q : !pipeb, !st2
        %next = cutlass.pipeline.state.increment %q : !st2
        scf.yield %next, %sum : !st2, i32
      }}
      %at = llvm.getelementptr %out[%t] : (!p, i32) -> !p, i32
      llvm.store %total, %at : i32, !p
    }}
    gpu.return
  }}
}}
"""

# A warp writes two stages of 256 numbers in turn, and bulk copies bring them to global memory.
STORE = """
!who = !cutlass.participants<producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
!pipe = !cutlass.pipeline<tma_store, 2, producer = <cooperative, warps = 1>, consumer = <cooperative, warps = 1>>
!st2 = !cutlass.pipeline_state<2>
!p = !llvm.ptr<1>
!s = !llvm.ptr<3>
gpu.module @kernels {
  llvm.mlir.global internal @ring() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x i32>
  gpu.func @store(%out: !p, %steps: i32) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %c256 = arith.constant 256 : i32
    %bytes = arith.constant 1024 : i32
    %ring = llvm.mlir.addressof @ring : !s
    %who = cutlass.pipeline.make_participants : !who
    %pipe = cutlass.pipeline.create %who : !who -> !pipe
    cutlass.pipeline.init %pipe : !pipe
    %first = arith.cmpi eq, %t, %c0 : i32
    %s0 = cutlass.pipeline.state.create %c0, %c1, %c0 : !st2
    %end = scf.for %i = %c0 to %steps step %c1 iter_args(%q = %s0) -> (!st2) : i32 {
      cutlass.pipeline.producer_acquire %pipe, %q : !pipe, !st2
      nvvm.bar.warp.sync %mask : i32
      %stage = cutlass.pipeline.state.get_index %q : !st2
      %so = arith.muli %stage, %c256 : i32
      %o = arith.muli %i, %c256 : i32
      scf.for %j = %c0 to %c8 step %c1 : i32 {
        %e = arith.muli %j, %c32 : i32
        %e1 = arith.addi %e, %t : i32
        %e2 = arith.addi %e1, %so : i32
        %at = llvm.getelementptr %ring[%e2] : (!s, i32) -> !s, i32
        %v = arith.addi %e1, %o : i32
        llvm.store %v, %at : i32, !s
      }
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.bar.warp.sync %mask : i32
      scf.if %first {
        %from = llvm.getelementptr %ring[%so] : (!s, i32) -> !s, i32
        %to = llvm.getelementptr %out[%o] : (!p, i32) -> !p, i32
        nvvm.cp.async.bulk.global.shared.cta %to, %from, %bytes : !p, !s
        cutlass.pipeline.producer_commit %pipe, %q : !pipe, !st2
      }
      %next = cutlass.pipeline.state.increment %q : !st2
      scf.yield %next : !st2
    }
    cutlass.pipeline.producer_tail %pipe, %end : !pipe, !st2
    gpu.return
  }
}
""".replace("    %ring = llvm", "    %mask = arith.constant -1 : i32\n    %ring = llvm", 1)
