// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tcgen05.mma of a matrix of which half is stored: f16, whose metadata are a column for an instruction, and e4m3, two columns.
// RUN: sed 's/MUL/f16/g;s/FILL/i16/g;s/KK/64/g;s/HH/32/g;s/KA/32/g;s/KB/16/g;s/CC/2/g;s/BASE/3/g;s/NA/4096/g;s/NB/4096/g;s/FE/(128,1,2):(65536,0,1)/g;s/NEXT/0/g;s/SEL/1/g' %S/Inputs/umma_sparse_reference.mlir.in > %t.f16.reference.mlir
// RUN: sed 's/MUL/f16/g;s/FILL/i16/g;s/KK/64/g;s/HH/32/g;s/KA/32/g;s/KB/16/g;s/CC/2/g;s/BASE/3/g;s/NA/4096/g;s/NB/4096/g;s/FE/(128,1,2):(65536,0,1)/g;s/NEXT/0/g;s/SEL/1/g' %S/Inputs/umma_sparse.mlir.in > %t.f16.mlir
// RUN: tileiras-run %t.f16.reference.mlir --engine=reference 'a:f16[128x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x64]' --dump=c=%t.f16.npy
// RUN: tileiras-run %t.f16.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:f16[128x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x64]{expect=%t.f16.npy}' 'out:d:f32[128x64]{expect=%t.f16.npy}' --tolerance=abs:1e-4
// RUN: sed 's/MUL/f8E4M3FN/g;s/FILL/i8/g;s/KK/128/g;s/HH/64/g;s/KA/64/g;s/KB/32/g;s/CC/4/g;s/BASE/4/g;s/NA/8192/g;s/NB/8192/g;s/FE/((128,2),1,2):((65536,1),0,2)/g;s/NEXT/2/g;s/SEL/0/g' %S/Inputs/umma_sparse_reference.mlir.in > %t.e4m3.reference.mlir
// RUN: sed 's/MUL/f8E4M3FN/g;s/FILL/i8/g;s/KK/128/g;s/HH/64/g;s/KA/64/g;s/KB/32/g;s/CC/4/g;s/BASE/4/g;s/NA/8192/g;s/NB/8192/g;s/FE/((128,2),1,2):((65536,1),0,2)/g;s/NEXT/2/g;s/SEL/0/g' %S/Inputs/umma_sparse.mlir.in > %t.e4m3.mlir
// RUN: tileiras-run %t.e4m3.reference.mlir --engine=reference 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 'out:c:f32[128x64]' --dump=c=%t.e4m3.npy
// RUN: tileiras-run %t.e4m3.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:f8E4M3FN[128x128]=integers(seed=1)' 'b:f8E4M3FN[64x128]=integers(seed=2)' 'out:c:f32[128x64]{expect=%t.e4m3.npy}' 'out:d:f32[128x64]{expect=%t.e4m3.npy}'
// RUN: tileiras --gpu-name=sm_100 --emit=ptx %t.f16.mlir | FileCheck %s
// CHECK: tcgen05.mma.sp.cta_group::1.kind::f16
// Metadata written, but no fence in front of the barrier.
// RUN: sed '/of the metadata$/d' %t.f16.mlir > %t.unordered.mlir
// RUN: not tileiras-run %t.unordered.mlir --gpu-name=sm_100 --engine=emulator --check-races --schedules=2 --block=128 'a:f16[128x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x64]{expect=%t.f16.npy}' 'out:d:f32[128x64]{expect=%t.f16.npy}' 2>&1 | FileCheck %s --check-prefix=FENCE
// FENCE: tcgen05.fence
// The second instruction has the metadata of the first.
// RUN: sed 's/arith.xori %%mixed0, %%i /arith.xori %%mixed0, %%c0 /' %t.f16.mlir > %t.other.mlir
// RUN: not tileiras-run %t.other.mlir --gpu-name=sm_100 --engine=emulator --check-races --block=128 'a:f16[128x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x64]{expect=%t.f16.npy}' 'out:d:f32[128x64]{expect=%t.f16.npy}' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: differ
// Words that name one element twice.
// RUN: sed 's/arith.constant -1717973812 /arith.constant 0 /' %t.f16.mlir > %t.twice.mlir
// RUN: not tileiras-run %t.twice.mlir --gpu-name=sm_100 --engine=emulator --check-races --block=128 'a:f16[128x64]=random(lo=-2,hi=2,seed=1)' 'b:f16[64x64]=random(lo=-2,hi=2,seed=2)' 'out:c:f32[128x64]' 'out:d:f32[128x64]' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: sparsity metadata 0 of row
