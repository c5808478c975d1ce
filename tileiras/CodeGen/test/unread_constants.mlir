// Tiles of constants at -O0, where no canonicalization has removed what they were packed into. LLVM would make a constant as large as the tile for each of its elements, and
// forget none: gigabytes.
// RUN: %python %S/Inputs/many_constants.py > %t.mlir
// RUN: bash -c "ulimit -v 1000000; tileiras %t.mlir --gpu-name=sm_90 -O0 --num-warps=1 --pipeline-options=tile-room=100000000 --emit=ptx -o -" | FileCheck %s
// CHECK: .entry k
// CHECK-COUNT-512: st.global
