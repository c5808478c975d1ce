# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX of the kernels that published measurements describe, written for this project, for validation of the timing model."""

HEADER = ".version {version}\n.target {target}\n.address_size 64\n"


def wgmma_gemm(bm, bn, stages, consumers, persistent=False, overlap=True, wait=0, bulk_store=False, everyone=False, pair=False):
    """C[M][N] (bf16) = A[M][K] B[N][K]^T (bf16) on sm_90a: TMA boxes of 64 columns, 128-byte swizzle, wgmma m64nBN. `consumers`
    warpgroups share the rows of a tile. With `overlap` a warpgroup of its own copies; without, the only warpgroup copies, waits
    and multiplies. `wait`: products in flight. `bulk_store`: the result leaves by stmatrix and bulk copies, with a map of C (boxes of
    64 x 64) as last parameter; not if persistent. `everyone`: all threads arrive at the barriers, as with cuda::barrier's tokens, instead of
    one of each warpgroup after a barrier. `pair`: two blocks, one below the other, are a cluster; each copies half of B's rows for both
    (only with `overlap` and without `everyone`; the map of B has boxes of half the rows). Parameters: maps of A and B, C, N, steps of 64, tiles along N, tiles in all."""
    tiles = bm // 64 // consumers
    regs = bn // 2
    threads = 128 * (consumers + (1 if overlap else 0))
    a_bytes, b_bytes = bm * 128, bn * 128
    stage = a_bytes + b_bytes
    acc = [[f"%f{t * regs + i}" for i in range(regs)] for t in range(tiles)]
    s = HEADER.format(version="8.3", target="sm_90a")
    s += f""".extern .shared .align 1024 .b8 ring[];
.visible .entry gemm(.param .align 64 .b8 mapA[128], .param .align 64 .b8 mapB[128], .param .u64 c, .param .u32 n,
                     .param .u32 steps, .param .u32 tilesN, .param .u32 tiles{", .param .align 64 .b8 mapC[128]" if bulk_store else ""})
.reqntid {threads}{" .explicitcluster .reqnctapercluster 2" if pair else ""}
{{
.reg .pred %p<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<{tiles * regs}>; .reg .b32 %h<{regs}>;
.shared .align 8 .b64 full[{stages}]; .shared .align 8 .b64 empty[{stages}];
mov.u32 %r0, %tid.x; mov.u32 %r1, ring; mov.u32 %r2, full; mov.u32 %r3, empty;
ld.param.u32 %r4, [steps]; ld.param.u32 %r5, [tilesN]; ld.param.u32 %r6, [tiles]; ld.param.u32 %r7, [n];
mov.u32 %r8, %ctaid.x; mov.u32 %r9, %nctaid.x;
mov.u64 %rd0, mapA; cvta.param.u64 %rd0, %rd0; mov.u64 %rd1, mapB; cvta.param.u64 %rd1, %rd1;
setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;
"""
    for k in range(stages):
        filling, freeing = (128 * consumers + overlap, 128 * consumers + 1) if everyone else (1, consumers * (1 + pair))
        s += f"mbarrier.init.shared::cta.b64 [full+{8 * k}], {filling}; mbarrier.init.shared::cta.b64 [empty+{8 * k}], {freeing};\n"
    meet = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;"
    s += f"fence.mbarrier_init.release.cluster;\nREADY: {meet if pair else 'bar.sync 0;'}\n"
    if pair: # from here on %r8 and %r9 count clusters
        s += "mov.u32 %r50, %cluster_ctarank; xor.b32 %r51, %r50, 1; shr.u32 %r8, %r8, 1; shr.u32 %r9, %r9, 1; shr.u32 %r6, %r6, 1;\n"
    s += "mov.u32 %r10, 0; mov.u32 %r11, 0;\n"

    def advance(where):
        return (f"add.u32 %r10, %r10, 1; setp.eq.u32 %p5, %r10, {stages}; @%p5 mov.u32 %r10, 0; @%p5 xor.b32 %r11, %r11, 1;\n"
                f"add.u32 %r12, %r12, 1; setp.lt.u32 %p6, %r12, %r4; @%p6 bra {where};\n")

    def copies(first_row, first_column):
        return f"""mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r15], {stage};
shl.b32 %r17, %r12, 6; mul.lo.u32 %r18, %r10, {stage}; add.u32 %r18, %r1, %r18; add.u32 %r19, %r18, {a_bytes};
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r18], [%rd0, {{%r17, {first_row}}}], [%r15];
""" + (f"""mad.lo.u32 %r19, %r50, {b_bytes // 2}, %r19; mad.lo.u32 %r52, %r50, {bn // 2}, {first_column};
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r19], [%rd1, {{%r17, %r52}}], [%r15], %mask;
""" if pair else f"""cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r19], [%rd1, {{%r17, {first_column}}}], [%r15];
""")
    tile_of = f"div.u32 %r20, %r8, %r5; mul.lo.u32 %r21, %r20, %r5; sub.u32 %r21, %r8, %r21; {'mad.lo.u32 %r20, %r20, 2, %r50; ' if pair else ''}mul.lo.u32 %r20, %r20, {bm}; mul.lo.u32 %r21, %r21, {bn};\n"
    barriers = "shl.b32 %r14, %r10, 3; add.u32 %r15, %r2, %r14; add.u32 %r16, %r3, %r14;\n"
    s += ".reg .b16 %mask; mov.b16 %mask, 3;\n" if pair else ""
    if overlap:
        s += f"setp.ge.u32 %p1, %r0, 128; @%p1 bra CONSUMER;\n@%p0 bra DONE;\nmov.u32 %r11, {int(not everyone)};\nPTILE:\n{tile_of}mov.u32 %r12, 0;\nPRODUCE:\n{barriers}"
        s += "mbarrier.arrive.shared::cta.b64 _, [%r16];\n" if everyone else ""
        s += "WE: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r16], %r11; @!%p2 bra WE;\n" + copies("%r20", "%r21")
        s += advance("PRODUCE")
        s += "add.u32 %r8, %r8, %r9; setp.lt.u32 %p7, %r8, %r6; @%p7 bra PTILE;\n" if persistent else ""
        s += "bra DONE;\nCONSUMER:\nsub.u32 %r22, %r0, 128; shr.u32 %r23, %r22, 7; and.b32 %r22, %r22, 127;\n"
    else:
        s += "mov.u32 %r22, %r0; mov.u32 %r23, 0;\n"
    if everyone and overlap: # every stage is free
        s += "".join(f"mbarrier.arrive.shared::cta.b64 _, [empty+{8 * k}];\n" for k in range(stages))
    s += f"CTILE:\n{tile_of}mov.u32 %r12, 0;\n"
    for t in range(tiles):
        s += "".join(f"mov.f32 {r}, 0f00000000; " for r in acc[t]) + "\n"
    s += "CONSUME:\n" + barriers
    if not overlap:
        s += "@%p0 bra OTHERS;\n" + copies("%r20", "%r21") + "bra WF;\nOTHERS:\n"
        s += "mbarrier.arrive.shared::cta.b64 _, [%r15];\n" if everyone else ""
    elif everyone:
        s += "mbarrier.arrive.shared::cta.b64 _, [%r15];\n"
    s += "WF: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r15], %r11; @!%p3 bra WF;\n"
    s += f"""mul.lo.u32 %r24, %r10, {stage}; add.u32 %r24, %r1, %r24; mul.lo.u32 %r25, %r23, {tiles * 8192}; add.u32 %r26, %r24, %r25;
and.b32 %r26, %r26, 0x3ffff; shr.u32 %r26, %r26, 4; cvt.u64.u32 %rd2, %r26; or.b64 %rd2, %rd2, 0x4000004000010000;
add.u32 %r27, %r24, {a_bytes}; and.b32 %r27, %r27, 0x3ffff; shr.u32 %r27, %r27, 4; cvt.u64.u32 %rd3, %r27; or.b64 %rd3, %rd3, 0x4000004000010000;
wgmma.fence.sync.aligned;
"""
    for k in range(4):
        for t in range(tiles):
            s += f"add.u64 %rd4, %rd2, {2 * k + 512 * t}; add.u64 %rd5, %rd3, {2 * k};\n"
            s += (f"wgmma.mma_async.sync.aligned.m64n{bn}k16.f32.bf16.bf16 {{{', '.join(acc[t])}}}, %rd4, %rd5, 1, 1, 1, 0, 0;\n")
    s += f"wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned {wait};\n"
    if overlap and everyone:
        s += "mbarrier.arrive.shared::cta.b64 _, [%r16];\n"
        s = s.replace("CTILE:\n", "add.u32 %r28, %r23, 1;\nCTILE:\n", 1)
    elif overlap:
        s += "setp.ne.u32 %p4, %r22, 0; @!%p4 mbarrier.arrive.shared::cta.b64 _, [%r16];\n"
        if pair:
            s += ("mapa.shared::cluster.u32 %r53, %r16, %r51; setp.ne.u32 %p4, %r22, 0; "
                  "@!%p4 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r53];\n")
        s = s.replace("setp.ne.u32 %p4, %r22, 0; @!%p4 mbarrier.arrive.shared::cta", "bar.sync %r28, 128; setp.ne.u32 %p4, %r22, 0; @!%p4 mbarrier.arrive.shared::cta")
        s = s.replace("CTILE:\n", "add.u32 %r28, %r23, 1;\nCTILE:\n", 1)
    else:
        s += "bar.sync 0;\n"
    s += advance("CONSUME")
    if wait:
        s += "wgmma.wait_group.sync.aligned 0;\n"
    if bulk_store:
        s += f"""bar.sync 8, {128 * consumers}; // nobody reads the ring any more
mul.lo.u32 %r40, %r23, {tiles * bn * 128}; add.u32 %r40, %r1, %r40; shr.u32 %r41, %r22, 5; shl.b32 %r41, %r41, 4; and.b32 %r42, %r22, 7;
add.u32 %r43, %r41, %r42; shr.u32 %r44, %r22, 3; and.b32 %r44, %r44, 1; shl.b32 %r44, %r44, 3; add.u32 %r43, %r43, %r44; shl.b32 %r45, %r43, 7; add.u32 %r45, %r40, %r45;
shr.u32 %r46, %r22, 4; and.b32 %r46, %r46, 1; mov.u64 %rd11, mapC; cvta.param.u64 %rd11, %rd11;
"""
        for t in range(tiles):
            for j in range(0, bn // 8, 2):
                panel, chunk = j // 8, j % 8
                lo, hi = acc[t][4 * j:4 * j + 4], acc[t][4 * j + 4:4 * j + 8]
                s += "".join(f"cvt.rn.bf16x2.f32 %h{k}, {pair[1]}, {pair[0]}; " for k, pair in
                             enumerate((lo[:2], lo[2:], hi[:2], hi[2:])))
                s += (f"add.u32 %r47, %r46, {chunk}; xor.b32 %r47, %r47, %r42; shl.b32 %r47, %r47, 4; add.u32 %r47, %r47, %r45;\n"
                      f"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r47+{(t * (bn // 64) + panel) * 8192}], {{%h0, %h1, %h2, %h3}};\n")
        s += "fence.proxy.async.shared::cta; bar.sync %r28, 128; setp.ne.u32 %p8, %r22, 0; @%p8 bra DONE;\n"
        for t in range(tiles):
            for panel in range(bn // 64):
                s += (f"add.u32 %r48, %r21, {64 * panel}; mad.lo.u32 %r49, %r23, {64 * tiles}, %r20; add.u32 %r49, %r49, {64 * t}; "
                      f"add.u32 %r50, %r40, {(t * (bn // 64) + panel) * 8192};\n"
                      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd11, {%r48, %r49}], [%r50];\n")
        return s + "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\nDONE: ret;\n}\n", stages * stage
    s += f"""ld.param.u64 %rd6, [c]; shr.u32 %r30, %r22, 5; shl.b32 %r30, %r30, 4; and.b32 %r31, %r22, 31; shr.u32 %r32, %r31, 2;
add.u32 %r30, %r30, %r32; mul.lo.u32 %r33, %r23, {64 * tiles}; add.u32 %r30, %r30, %r33; add.u32 %r30, %r30, %r20;
and.b32 %r34, %r31, 3; shl.b32 %r34, %r34, 1; add.u32 %r34, %r34, %r21; mad.lo.u32 %r35, %r30, %r7, %r34; mul.wide.u32 %rd7, %r35, 2;
add.u64 %rd6, %rd6, %rd7; shl.b32 %r36, %r7, 4; cvt.u64.u32 %rd8, %r36;
"""
    for t in range(tiles):
        s += "add.u64 %rd9, %rd6, %rd8;\n"
        for j in range(bn // 8):
            r = acc[t][4 * j:4 * j + 4]
            s += f"cvt.rn.bf16x2.f32 %h0, {r[1]}, {r[0]}; st.global.b32 [%rd6+{16 * j}], %h0; cvt.rn.bf16x2.f32 %h1, {r[3]}, {r[2]}; st.global.b32 [%rd9+{16 * j}], %h1;\n"
        if t + 1 != tiles:
            s += "shl.b64 %rd10, %rd8, 3; add.u64 %rd6, %rd6, %rd10;\n"
    if persistent:
        s += "add.u32 %r8, %r8, %r9; setp.lt.u32 %p7, %r8, %r6; @%p7 bra CTILE;\n"
    meet = "barrier.cluster.arrive.release; barrier.cluster.wait.acquire; " if pair else ""
    return s + f"DONE: {meet}ret;\n}}\n", stages * stage


def tcgen05_loop(m, n, k_bytes, stages, kind="f16"):
    """The main loop of a matrix product on sm_100a: one block, warp 0 copies A (m rows of k_bytes) and B (n rows) into a ring,
    warp 1 multiplies. Nothing is stored but one word. Parameters: maps of A and B, out, steps."""
    a_bytes, b_bytes = m * k_bytes, n * k_bytes
    stage = (a_bytes + b_bytes + 1023) // 1024 * 1024
    swizzle, layout = (128, 2) if k_bytes >= 128 else (64, 4)
    panels = max(1, k_bytes // 128)
    span = min(k_bytes, 128)
    idesc = 1 << 4 | (n // 8) << 17 | (m // 16) << 24 | ((1 << 7 | 1 << 10) if kind == "f16" else 0)
    sbo = 8 * span // 16
    high = (layout << 29) | (1 << 14) | sbo
    s = HEADER.format(version="8.6", target="sm_100a")
    s += f""".extern .shared .align 1024 .b8 ring[];
.visible .entry gemm(.param .align 64 .b8 mapA[128], .param .align 64 .b8 mapB[128], .param .u64 out, .param .u32 steps)
.reqntid 64
{{
.reg .pred %p<16>; .reg .b32 %r<64>; .reg .b64 %rd<32>;
.shared .align 8 .b64 full[{stages}]; .shared .align 8 .b64 empty[{stages}]; .shared .align 8 .b64 over; .shared .align 4 .b32 where;
mov.u32 %r0, %tid.x; mov.u32 %r1, ring; mov.u32 %r2, full; mov.u32 %r3, empty; ld.param.u32 %r4, [steps];
mov.u64 %rd0, mapA; cvta.param.u64 %rd0, %rd0; mov.u64 %rd1, mapB; cvta.param.u64 %rd1, %rd1;
setp.ne.u32 %p0, %r0, 0; setp.ge.u32 %p1, %r0, 32;
@%p1 bra NOALLOC;
mov.u32 %r5, where; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 512;
@%p0 bra NOALLOC;
mov.u32 %r6, over; mbarrier.init.shared::cta.b64 [%r6], 1;
"""
    for k in range(stages):
        s += f"mbarrier.init.shared::cta.b64 [full+{8 * k}], 1; mbarrier.init.shared::cta.b64 [empty+{8 * k}], 1;\n"
    s += f"""fence.mbarrier_init.release.cluster;
NOALLOC: tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
ld.shared.b32 %r7, [where]; mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0;
@%p1 bra MULTIPLY;
@%p0 bra LAST;
mov.u32 %r11, 1;
PRODUCE: shl.b32 %r14, %r10, 3; add.u32 %r15, %r2, %r14; add.u32 %r16, %r3, %r14;
WE: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r16], %r11; @!%p2 bra WE;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r15], {a_bytes + b_bytes};
mul.lo.u32 %r17, %r12, {k_bytes // (2 if kind == 'f16' else 1)}; mul.lo.u32 %r18, %r10, {stage}; add.u32 %r18, %r1, %r18; add.u32 %r19, %r18, {a_bytes}; mov.u32 %r20, 0;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r18], [%rd0, {{%r17, %r20}}], [%r15];
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r19], [%rd1, {{%r17, %r20}}], [%r15];
add.u32 %r10, %r10, 1; setp.eq.u32 %p5, %r10, {stages}; @%p5 mov.u32 %r10, 0; @%p5 xor.b32 %r11, %r11, 1;
add.u32 %r12, %r12, 1; setp.lt.u32 %p6, %r12, %r4; @%p6 bra PRODUCE;
bra LAST;
MULTIPLY: setp.ne.u32 %p3, %r0, 32; @%p3 bra LAST;
mov.u32 %r21, {idesc}; mov.u32 %r22, {high};
LOOP: shl.b32 %r14, %r10, 3; add.u32 %r15, %r2, %r14; add.u32 %r16, %r3, %r14;
WF: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r15], %r11; @!%p2 bra WF;
tcgen05.fence::after_thread_sync;
mul.lo.u32 %r18, %r10, {stage}; add.u32 %r18, %r1, %r18; add.u32 %r19, %r18, {a_bytes};
and.b32 %r18, %r18, 0x3ffff; shr.u32 %r18, %r18, 4; or.b32 %r18, %r18, 0x10000; and.b32 %r19, %r19, 0x3ffff; shr.u32 %r19, %r19, 4; or.b32 %r19, %r19, 0x10000;
mov.b64 %rd2, {{%r18, %r22}}; mov.b64 %rd3, {{%r19, %r22}};
setp.ne.u32 %p7, %r12, 0;
"""
    for k in range(k_bytes // 32):
        if k:
            s += f"add.u64 %rd2, %rd2, 2; add.u64 %rd3, %rd3, 2;\n"
        if k == 1:
            s += "setp.eq.u32 %p7, %r0, %r0;\n"
        s += f"tcgen05.mma.cta_group::1.kind::{kind} [%r7], %rd2, %rd3, %r21, %p7;\n"
    return s + f"""tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r16];
add.u32 %r10, %r10, 1; setp.eq.u32 %p5, %r10, {stages}; @%p5 mov.u32 %r10, 0; @%p5 xor.b32 %r11, %r11, 1;
add.u32 %r12, %r12, 1; setp.lt.u32 %p6, %r12, %r4; @%p6 bra LOOP;
mov.u32 %r6, over; tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r6];
LAST: mov.u32 %r6, over; mov.u32 %r23, 0;
WO: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], %r23; @!%p2 bra WO;
tcgen05.fence::after_thread_sync; bar.sync 0;
@%p1 bra DONE;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r7, 512;
DONE: ret;
}}
""", stages * stage, swizzle
