// RUN: tileiras-opt %s -tileir-launch-abi | FileCheck %s --check-prefix=REQNTID
// RUN: tileiras-opt %s -tileir-launch-abi="abi=blocksareclusters compute-capability=sm_90" | FileCheck %s --check-prefix=CLUSTERS
// RUN: tileiras-opt %s -tileir-launch-abi="abi=simt" | FileCheck %s --check-prefix=SIMT
// RUN: not tileiras-opt %s -tileir-launch-abi="abi=blocksareclusters compute-capability=sm_89" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tileiras-opt %s -tileir-launch-abi="abi=other" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tileiras %examples/softmax.mlir --gpu-name=sm_90 --launch-abi=blocksareclusters --emit=ptx | FileCheck %s --check-prefix=PTX
// RUN: tileiras %examples/softmax.mlir --gpu-name=sm_90 --launch-abi=simt --emit=ptx | FileCheck %s --check-prefix=PTXSIMT

gpu.module @m {
  // REQNTID: @one() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>}
  // CLUSTERS: @one() attributes {nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 1, 1, 1>, nvvm.kernel, nvvm.reqntid = array<i32: 128>}
  // SIMT: @one() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>}
  // OLD: error: launch ABI 'blocksareclusters' needs sm_90 or later
  // OTHER: error: unknown launch ABI 'other'
  llvm.func @one() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} { llvm.return }
  // REQNTID: @two() attributes {nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>
  // CLUSTERS: @two() attributes {nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>
  // SIMT: @two() attributes {nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.kernel, nvvm.reqntid
  llvm.func @two() attributes {nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.kernel, nvvm.reqntid = array<i32: 128>} { llvm.return }
}

// PTX: .version 9.0
// PTX: .reqntid 128
// PTX-DAG: .blocksareclusters
// PTX-DAG: .reqnctapercluster 1
// PTXSIMT-NOT: .reqntid
// PTXSIMT: .maxntid 128
