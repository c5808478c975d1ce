//===- TileASAllOps.td - All operations of nv_tileas -*- tablegen -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the reference of the dialect is made from (docs/CMakeLists.txt, test/Dialect/descriptions.py). C++ is made from
// each file by itself.
//
//===----------------------------------------------------------------------===//

include "tileiras/Dialect/TileAS/IR/TileASOps.td"
include "tileiras/Dialect/TileAS/IR/TileASPipelineOps.td"
include "tileiras/Dialect/TileAS/IR/TileASRegionOps.td"
include "tileiras/Dialect/TileAS/IR/TileASTmaOps.td"
