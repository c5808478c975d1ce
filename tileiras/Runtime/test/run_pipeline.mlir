// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The example of docs/emulator-pipeline.md: TMA, mbarriers and wgmma from the command line, with a timeline.
// RUN: tileiras-run %S/../../../examples/pipeline_sm90a.ptx --grid=2,1 --dynamic-shared=49152 --check-races --trace=%t.json --schedules=4 \
// RUN:   'A:bf16[128x512]{pass=none}=2' 'B:bf16[64x512]{pass=none}=0.25' 'map=A{box=64x64,swizzle=128B}' 'map=B{box=64x64,swizzle=128B}' \
// RUN:   'out:C:f32[128x64]' i32=64 i32=8 --show=C | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRACE < %t.json
// RUN: %python %S/../../../scripts/trace_svg.py %t.json %t.svg && FileCheck %s --check-prefix=SVG < %t.svg
//
// CHECK: C:
// CHECK-NEXT: 256 256
// CHECK-NOT: {{[^2560 ]}}
//
// TRACE-DAG: "name": "warp 4"
// TRACE-DAG: "name": "wgmma"
// TRACE-DAG: "name": "cp.async.bulk.tensor.2d
// TRACE-DAG: wait for mbarrier 0x
// SVG: <svg
// SVG: warp 4
// SVG: </svg>
//
// A consumer that does not wait for its stage is reported, and so is a descriptor with another swizzle.
// RUN: sed '/bra WAIT_FULL/d' %S/../../../examples/pipeline_sm90a.ptx > %t.nowait.ptx
// RUN: not tileiras-run %t.nowait.ptx --grid=2,1 --dynamic-shared=49152 --check-races \
// RUN:   'A:bf16[128x512]{pass=none}=2' 'B:bf16[64x512]{pass=none}=0.25' 'map=A{box=64x64,swizzle=128B}' 'map=B{box=64x64,swizzle=128B}' \
// RUN:   'out:C:f32[128x64]' i32=64 i32=8 2>&1 | FileCheck %s --check-prefix=NOWAIT
// NOWAIT: [async] asynchronous read of shared address {{.*}}its completion has not been waited for
