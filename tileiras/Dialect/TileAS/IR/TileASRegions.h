//===- TileASRegions.h - One stage of a pipeline at a time ------*- C++ -*-===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// produce_one, consume_one, their asynchronous forms, and the tokens that pass between them and the code around. A
// header of their own: few files know them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_IR_TILEASREGIONS_H
#define TILEIRAS_DIALECT_TILEAS_IR_TILEASREGIONS_H

#include "tileiras/Dialect/TileAS/IR/TileASPipeline.h"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/IR/TileASRegionOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAS_IR_TILEASREGIONS_H
