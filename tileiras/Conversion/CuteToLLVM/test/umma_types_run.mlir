// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tcgen05.mma of the types that umma_run.mlir does not have, in a swizzle of 32 bytes, by execution.
// RUN: sed 's/MUL/bf16/g;s/MEM/bf16/g;s/FILL/i16/g;s/SUM/f32/g;s/KK/16/g;s/MK/2048/g;s/NK/256/g;s/BASE/3/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma_reference.mlir.in > %t.bf16.reference.mlir
// RUN: sed 's/MUL/bf16/g;s/MEM/bf16/g;s/FILL/i16/g;s/SUM/f32/g;s/KK/16/g;s/MK/2048/g;s/NK/256/g;s/BASE/3/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma.mlir.in > %t.bf16.mlir
// RUN: tileiras-run %t.bf16.reference.mlir --engine=reference 'a:bf16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:bf16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]' --dump=c=%t.bf16.npy
// RUN: tileiras-run %t.bf16.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:bf16[128x16]=random(lo=-2,hi=2,seed=1)' 'b:bf16[16x16]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x16]{expect=%t.bf16.npy}' --tolerance=abs:1e-4
// RUN: sed 's/MUL/tf32/g;s/MEM/f32/g;s/FILL/i32/g;s/SUM/f32/g;s/KK/8/g;s/MK/1024/g;s/NK/128/g;s/BASE/2/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma_reference.mlir.in > %t.tf32.reference.mlir
// RUN: sed 's/MUL/tf32/g;s/MEM/f32/g;s/FILL/i32/g;s/SUM/f32/g;s/KK/8/g;s/MK/1024/g;s/NK/128/g;s/BASE/2/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma.mlir.in > %t.tf32.mlir
// RUN: tileiras-run %t.tf32.reference.mlir --engine=reference 'a:tf32[128x8]=integers(seed=1)' 'b:tf32[16x8]=integers(seed=2)' 'out:c:f32[128x16]' --dump=c=%t.tf32.npy
// RUN: tileiras-run %t.tf32.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:tf32[128x8]=integers(seed=1)' 'b:tf32[16x8]=integers(seed=2)' 'out:c:f32[128x16]{expect=%t.tf32.npy}'
// RUN: sed 's/MUL/f8E4M3FN/g;s/MEM/f8E4M3FN/g;s/FILL/i8/g;s/SUM/f32/g;s/KK/32/g;s/MK/4096/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma_reference.mlir.in > %t.f8E4M3FN.reference.mlir
// RUN: sed 's/MUL/f8E4M3FN/g;s/MEM/f8E4M3FN/g;s/FILL/i8/g;s/SUM/f32/g;s/KK/32/g;s/MK/4096/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma.mlir.in > %t.f8E4M3FN.mlir
// RUN: tileiras-run %t.f8E4M3FN.reference.mlir --engine=reference 'a:f8E4M3FN[128x32]=integers(seed=1)' 'b:f8E4M3FN[16x32]=integers(seed=2)' 'out:c:f32[128x16]' --dump=c=%t.f8E4M3FN.npy
// RUN: tileiras-run %t.f8E4M3FN.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:f8E4M3FN[128x32]=integers(seed=1)' 'b:f8E4M3FN[16x32]=integers(seed=2)' 'out:c:f32[128x16]{expect=%t.f8E4M3FN.npy}'
// RUN: sed 's/MUL/f8E5M2/g;s/MEM/f8E5M2/g;s/FILL/i8/g;s/SUM/f32/g;s/KK/32/g;s/MK/4096/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma_reference.mlir.in > %t.f8E5M2.reference.mlir
// RUN: sed 's/MUL/f8E5M2/g;s/MEM/f8E5M2/g;s/FILL/i8/g;s/SUM/f32/g;s/KK/32/g;s/MK/4096/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0.0/g;s/MMA/mmaf/g;s/SIGNS//g' %S/Inputs/umma.mlir.in > %t.f8E5M2.mlir
// RUN: tileiras-run %t.f8E5M2.reference.mlir --engine=reference 'a:f8E5M2[128x32]=integers(seed=1)' 'b:f8E5M2[16x32]=integers(seed=2)' 'out:c:f32[128x16]' --dump=c=%t.f8E5M2.npy
// RUN: tileiras-run %t.f8E5M2.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:f8E5M2[128x32]=integers(seed=1)' 'b:f8E5M2[16x32]=integers(seed=2)' 'out:c:f32[128x16]{expect=%t.f8E5M2.npy}'
// RUN: sed 's/MUL/i8/g;s/MEM/i8/g;s/FILL/i8/g;s/SUM/i32/g;s/KK/32/g;s/MK/4096/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0/g;s/MMA/mmai/g;s/SIGNS/signed signed/g' %S/Inputs/umma_reference.mlir.in > %t.i8.reference.mlir
// RUN: sed 's/MUL/i8/g;s/MEM/i8/g;s/FILL/i8/g;s/SUM/i32/g;s/KK/32/g;s/MK/4096/g;s/NK/512/g;s/BASE/4/g;s/ZERO/0/g;s/MMA/mmai/g;s/SIGNS/signed signed/g' %S/Inputs/umma.mlir.in > %t.i8.mlir
// RUN: tileiras-run %t.i8.reference.mlir --engine=reference 'a:i8[128x32]=bits(seed=1)' 'b:i8[16x32]=bits(seed=2)' 'out:c:i32[128x16]' --dump=c=%t.i8.npy
// RUN: tileiras-run %t.i8.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:i8[128x32]=bits(seed=1)' 'b:i8[16x32]=bits(seed=2)' 'out:c:i32[128x16]{expect=%t.i8.npy}'
// RUN: not tileiras --gpu-name=sm_103 --emit=ptx %t.i8.mlir 2>&1 | FileCheck %s
// CHECK: error: 'cute.gemm' op needs tcgen05.mma of bytes, which sm_103 does not have
