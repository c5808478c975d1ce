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

std::optional<ThreadPart> cute::partitionMma(TiledMmaType type, char operand, const alg::Layout &tensor,
                                             const alg::Int &thread, std::string &error) {
  std::optional<MmaFragment> fragment = getMmaFragment(type.getAtom(), operand);
  if (!fragment) {
    error = "the atom has no such operand";
    return std::nullopt;
  }
  if (tensor.shape.isLeaf() || tensor.rank() < 2) {
    error = "expects a tensor of at least two modes, got " + tensor.toString();
    return std::nullopt;
  }
  alg::IntTuple atoms = *alg::parseIntTuple(std::string_view(type.getAtoms()));
  alg::Int m = atoms.mode(0).asInt(), n = atoms.mode(1).asInt(), k = atoms.mode(2).asInt();
  bool ofB = operand == 'B' || operand == 'T';
  alg::Int rows = ofB ? n : m, columns = operand == 'C' ? n : k;
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
  alg::IntTuple row = at.mode(ofB ? 2 : 1), column = at.mode(operand == 'C' ? 2 : 3);
  // The last coordinate of idx2crd takes what is left over; there is nothing if there are as many threads as there
  // should be.
  column = operand == 'C' ? column : alg::IntTuple(column.asInt() % k);
  alg::IntTuple offset = alg::crd2idx(alg::IntTuple{at.mode(0), row, column},
                                      alg::makeLayout({inAtom->mode(0), byRow->mode(0), byColumn->mode(0)}));
  std::vector<alg::Layout> modes = {inAtom->mode(1), byRow->mode(1), byColumn->mode(1)};
  for (int i = 3; i < divided->rank(); ++i)
    modes.push_back(divided->mode(i));
  return ThreadPart{alg::makeLayout(modes), offset};
}

/// (threads, values) -> number in the tile, for one side of a copy. Copies of matrices declare that of the fragment, as
/// products have it: of matrix i, lane l holds elements (row, column) = (l / 4, 2 (l % 4) + j) as values 2 i + j, or
/// with `trans` those at (column, row). On the other side lane 8 i + r has row r. (PTX ISA, "ldmatrix".)
static std::optional<alg::Layout> sideOf(TiledCopyType type, bool source, std::string &error) {
  alg::Layout tv = alg::parseLayout(std::string_view(type.getLayout()))->layout;
  std::optional<Matrices> matrices = getMatrices(type.getAtom());
  if (!matrices || matrices->load != source)
    return tv;
  alg::Int threads = alg::size(tv.mode(0)), warps = threads / 32, rest = alg::size(tv.mode(1)) / 8;
  auto tuple = [](std::vector<alg::IntTuple> leaves) { return alg::IntTuple(std::move(leaves)); };
  // Lanes and elements of rows -> number of (lane, value) in the fragment.
  alg::IntTuple shape, stride;
  if (matrices->transposed) {
    shape = {tuple({2, 4, 4, warps}), tuple({8, rest})};
    stride = {tuple({threads, 1, threads * 2, 32}), tuple({4, threads * 8})};
  } else {
    shape = {tuple({8, 4, warps}), tuple({2, 4, rest})};
    stride = {tuple({4, threads * 2, 32}), tuple({threads, 1, threads * 8})};
  }
  return alg::composition(alg::makeLayout({tv}), alg::Layout(shape, stride), &error);
}

std::optional<ThreadPart> cute::partitionCopy(TiledCopyType type, bool source, const alg::Layout &tensor,
                                              const alg::Int &thread, std::string &error) {
  alg::IntTuple tile = *alg::parseIntTuple(std::string_view(type.getTile()));
  std::optional<alg::Layout> tv = sideOf(type, source, error);
  std::optional<alg::Layout> divided = tv ? alg::tiledDivide(tensor, alg::Tiler(tile), &error) : std::nullopt;
  if (!divided)
    return std::nullopt;
  std::optional<alg::Layout> inTile = alg::composition(divided->mode(0), *tv, &error);
  if (!inTile)
    return std::nullopt;
  alg::IntTuple offset = alg::crd2idx(alg::IntTuple(thread), inTile->mode(0));
  std::vector<alg::Layout> modes = {inTile->mode(1)};
  for (int i = 1; i < divided->rank(); ++i)
    modes.push_back(divided->mode(i));
  return ThreadPart{alg::makeLayout(modes), offset};
}

/// As TiledCopy::retile of CuTe: where the copy's tile has the product's values decides their order.
std::optional<alg::Layout> cute::retile(TiledCopyType type, const alg::Layout &fragment, int64_t elementBytes,
                                        std::string &error) {
  alg::Layout tv = alg::parseLayout(std::string_view(type.getLayout()))->layout;
  alg::IntTuple tile = *alg::parseIntTuple(std::string_view(type.getTile()));
  if (fragment.shape.isLeaf() || fragment.rank() < 1 + tile.rank() || !fragment.isStatic()) {
    error = "expects a static fragment (values, " + std::to_string(tile.rank()) + " or more modes), got " +
            fragment.toString();
    return std::nullopt;
  }
  alg::Int threads = alg::size(tv.mode(0)), values = alg::size(fragment.mode(0));
  int64_t bits = getCopyBits(type.getAtom()), perAtom = bits ? bits / 8 / elementBytes : 8;
  if (perAtom < 1) {
    error = "an atom of " + std::to_string(bits) + " bits moves no element";
    return std::nullopt;
  }
  // (m, n) -> number of the product's fragment in the copy's tile.
  std::optional<alg::Layout> inverse = alg::rightInverse(tv, &error);
  std::optional<alg::Layout> numbers = inverse ? alg::composition(*inverse, alg::Layout(tile), &error) : std::nullopt;
  std::optional<alg::Layout> pieces =
      numbers ? alg::recast(*numbers, 1, (threads * values).constant(), &error) : std::nullopt;
  std::optional<alg::Layout> order = pieces ? alg::rightInverse(*pieces, &error) : std::nullopt;
  std::optional<alg::Layout> all =
      order ? alg::logicalProduct(alg::Layout(alg::IntTuple(values)), alg::Tiler(*order), &error) : std::nullopt;
  std::optional<alg::Layout> byAtom =
      all ? alg::zippedDivide(*all, alg::Tiler(alg::Layout(alg::IntTuple(perAtom))), &error) : std::nullopt;
  if (!byAtom)
    return std::nullopt;
  std::vector<alg::IntTuple> covered = {alg::IntTuple(values)};
  for (int i = 0; i < tile.rank(); ++i)
    covered.push_back(alg::IntTuple(alg::size(pieces->mode(i))));
  std::optional<alg::Layout> divided = alg::zippedDivide(fragment, alg::Tiler(alg::IntTuple(covered)), &error);
  std::optional<alg::Layout> inTile = divided ? alg::composition(divided->mode(0), *byAtom, &error) : std::nullopt;
  if (!inTile)
    return std::nullopt;
  // ((values), (one, rest of M, rest of N, ...))
  std::vector<alg::Layout> modes = {*inTile};
  for (int i = 1; i < divided->mode(1).rank(); ++i)
    modes.push_back(divided->mode(1).mode(i));
  return alg::makeLayout(modes);
}
