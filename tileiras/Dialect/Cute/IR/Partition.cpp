//===- Partition.cpp - What a thread has of a tensor ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tiled copy or mma covers a tile with threads; a tensor is divided into such tiles. The division, composed with the
// layout of (threads, values) in the tile, has threads as a mode of its own, and the part of one thread is a slice.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/Cute/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::cute;
namespace alg = tileiras::cute;

static alg::Layout parse(const char *text) { return alg::parseLayout(text)->layout; }

/// PTX ISA, "Matrix fragments for mma.m16n8k16" and k8: the numbers are column-major, M or N first.
std::optional<MmaFragment> cute::getMmaFragment(Type atom, char operand) {
  if (auto fma = dyn_cast<cute_nvgpu::UniversalFmaType>(atom))
    return MmaFragment{parse("(1,1):(0,0)"), alg::IntTuple{alg::IntTuple(1), alg::IntTuple(1)}};
  auto mma = dyn_cast<cute_nvgpu::Sm80MmaType>(atom);
  if (!mma)
    return std::nullopt;
  bool wide = mma.getK() == 16;
  int64_t k = mma.getK();
  switch (operand) {
  case 'A':
    return MmaFragment{parse(wide ? "((4,8),(2,2,2)):((32,1),(16,8,128))" : "((4,8),(2,2)):((32,1),(16,8))"),
                       alg::IntTuple{alg::IntTuple(16), alg::IntTuple(k)}};
  case 'B':
    return MmaFragment{parse(wide ? "((4,8),(2,2)):((16,1),(8,64))" : "((4,8),2):((16,1),8)"),
                       alg::IntTuple{alg::IntTuple(8), alg::IntTuple(k)}};
  default:
    return MmaFragment{parse("((4,8),(2,2)):((32,1),(16,8))"), alg::IntTuple{alg::IntTuple(16), alg::IntTuple(8)}};
  }
}

std::optional<ThreadPart> cute::partitionMma(TiledMmaType type, char operand, const alg::Layout &tensor,
                                             const alg::Int &thread, std::string &error) {
  std::optional<MmaFragment> fragment = getMmaFragment(type.getAtom(), operand);
  if (!fragment || tensor.shape.isLeaf() || tensor.rank() < 2) {
    error = "expects a tensor of at least two modes, got " + tensor.toString();
    return std::nullopt;
  }
  alg::IntTuple atoms = *alg::parseIntTuple(std::string_view(type.getAtoms()));
  alg::Int m = atoms.mode(0).asInt(), n = atoms.mode(1).asInt(), k = atoms.mode(2).asInt();
  alg::Int rows = operand == 'B' ? n : m, columns = operand == 'C' ? n : k;
  // ((atom rows, atom columns), rest of rows, rest of columns, further modes)
  std::optional<alg::Layout> divided = alg::tiledDivide(tensor, alg::Tiler(fragment->tile), &error);
  if (!divided)
    return std::nullopt;
  std::optional<alg::Layout> inAtom = alg::composition(divided->mode(0), fragment->layout, &error);
  std::optional<alg::Layout> byRow = alg::logicalDivide(divided->mode(1), alg::Tiler(alg::IntTuple(rows)), &error);
  std::optional<alg::Layout> byColumn =
      alg::logicalDivide(divided->mode(2), alg::Tiler(alg::IntTuple(columns)), &error);
  if (!inAtom || !byRow || !byColumn)
    return std::nullopt;
  // Thread = lane, then atoms along M, N, K.
  alg::Int lanes = alg::size(inAtom->mode(0));
  alg::IntTuple at =
      alg::idx2crd(thread, alg::IntTuple{alg::IntTuple(lanes), alg::IntTuple(m), alg::IntTuple(n), alg::IntTuple(k)});
  alg::IntTuple row = at.mode(operand == 'B' ? 2 : 1), column = at.mode(operand == 'C' ? 2 : 3);
  // The last coordinate of idx2crd takes what is left over; there is nothing if there are as many threads as there
  // should be.
  column = operand == 'C' ? column : alg::IntTuple(column.asInt() % k);
  alg::IntTuple offset = alg::crd2idx(alg::IntTuple{at.mode(0), row, column},
                                      alg::makeLayout({inAtom->mode(0), byRow->mode(0), byColumn->mode(0)}));
  if (!offset.isLeaf()) {
    error = "a tensor of coordinates has no address";
    return std::nullopt;
  }
  std::vector<alg::Layout> modes = {inAtom->mode(1), byRow->mode(1), byColumn->mode(1)};
  for (int i = 3; i < divided->rank(); ++i)
    modes.push_back(divided->mode(i));
  return ThreadPart{alg::makeLayout(modes), offset.asInt()};
}

std::optional<ThreadPart> cute::partitionCopy(TiledCopyType type, const alg::Layout &tensor, const alg::Int &thread,
                                              std::string &error) {
  alg::Layout tv = alg::parseLayout(std::string_view(type.getLayout()))->layout;
  alg::IntTuple tile = *alg::parseIntTuple(std::string_view(type.getTile()));
  std::optional<alg::Layout> divided = alg::tiledDivide(tensor, alg::Tiler(tile), &error);
  if (!divided)
    return std::nullopt;
  std::optional<alg::Layout> inTile = alg::composition(divided->mode(0), tv, &error);
  if (!inTile)
    return std::nullopt;
  alg::IntTuple offset = alg::crd2idx(alg::IntTuple(thread), inTile->mode(0));
  if (!offset.isLeaf()) {
    error = "a tensor of coordinates has no address";
    return std::nullopt;
  }
  std::vector<alg::Layout> modes = {inTile->mode(1)};
  for (int i = 1; i < divided->rank(); ++i)
    modes.push_back(divided->mode(i));
  return ThreadPart{alg::makeLayout(modes), offset.asInt()};
}
