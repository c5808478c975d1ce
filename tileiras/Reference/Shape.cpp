//===- Shape.cpp - Operations that only move elements -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::cuda_tile;
using namespace tileiras;
using namespace tileiras::reference;

/// Fills a tile of `type` with result[index] = source[row-major position given by `fn(index)`].
template <typename Fn> static Tile gather(Type type, const Tile &source, Fn fn) {
  Tile result = makeTile(type);
  result.type = source.type;
  SmallVector<int64_t> index(result.shape.size(), 0);
  for (uint64_t &element : result.data) {
    element = source.data[size_t(fn(ArrayRef<int64_t>(index)))];
    for (size_t d = index.size(); d-- > 0;) { // odometer
      if (++index[d] < result.shape[d])
        break;
      index[d] = 0;
    }
  }
  return result;
}

/// First element of the block that extract and insert address: indices count blocks.
static FailureOr<SmallVector<int64_t>> blockOrigin(Evaluator &e, Operation *op, ValueRange indices,
                                                   ArrayRef<int64_t> whole, ArrayRef<int64_t> block) {
  SmallVector<int64_t> origin;
  for (auto [d, index] : llvm::enumerate(indices)) {
    uint64_t position = e.scalar(index); // unsigned
    int64_t count = whole[d] / block[d];
    if (position >= uint64_t(count))
      return op->emitError("index ") << position << " along dimension " << d << " is outside the " << count
                                     << " blocks of the tile";
    origin.push_back(int64_t(position) * block[d]);
  }
  return origin;
}

void reference::addShapeHandlers(HandlerTable &table) {
  table.add<IotaOp>([](Evaluator &e, IotaOp op) {
    Tile result = makeTile(op.getResult().getType());
    for (auto [i, element] : llvm::enumerate(result.data))
      element = maskBits(i, bitWidth(result.type));
    e.set(op.getResult(), std::move(result));
    return success();
  });
  table.add<ReshapeOp>([](Evaluator &e, ReshapeOp op) {
    Tile result = e.tile(op.getSource()); // row-major order stays
    ArrayRef<int64_t> shape = op.getResult().getType().getShape();
    result.shape.assign(shape.begin(), shape.end());
    e.set(op.getResult(), std::move(result));
    return success();
  });
  table.add<BroadcastOp>([](Evaluator &e, BroadcastOp op) {
    const Tile &source = e.tile(op.getSource());
    SmallVector<int64_t> strides = rowMajorStrides(source.shape);
    e.set(op.getResult(), gather(op.getResult().getType(), source, [&](ArrayRef<int64_t> index) {
            int64_t position = 0;
            for (size_t d = 0; d < index.size(); ++d)
              position += source.shape[d] == 1 ? 0 : index[d] * strides[d];
            return position;
          }));
    return success();
  });
  table.add<PermuteOp>([](Evaluator &e, PermuteOp op) {
    const Tile &source = e.tile(op.getSource());
    SmallVector<int64_t> strides = rowMajorStrides(source.shape);
    ArrayRef<int32_t> permutation = op.getPermutation();
    e.set(op.getResult(), gather(op.getResult().getType(), source, [&](ArrayRef<int64_t> index) {
            int64_t position = 0; // result dimension d is source dimension permutation[d]
            for (size_t d = 0; d < index.size(); ++d)
              position += index[d] * strides[size_t(permutation[d])];
            return position;
          }));
    return success();
  });
  table.add<CatOp>([](Evaluator &e, CatOp op) {
    const Tile &lhs = e.tile(op.getLhs()), &rhs = e.tile(op.getRhs());
    size_t dim = size_t(op.getDim());
    // Both halves after each other, then one gather over the pair.
    Tile both = lhs;
    both.data.insert(both.data.end(), rhs.data.begin(), rhs.data.end());
    SmallVector<int64_t> left = rowMajorStrides(lhs.shape), right = rowMajorStrides(rhs.shape);
    e.set(op.getResult(), gather(op.getResult().getType(), both, [&](ArrayRef<int64_t> index) {
            bool first = index[dim] < lhs.shape[dim];
            ArrayRef<int64_t> strides = first ? left : right;
            int64_t position = first ? 0 : lhs.size() - lhs.shape[dim] * strides[dim];
            for (size_t d = 0; d < index.size(); ++d)
              position += index[d] * strides[d];
            return position;
          }));
    return success();
  });
  table.add<ExtractOp>([](Evaluator &e, ExtractOp op) -> LogicalResult {
    const Tile &source = e.tile(op.getSource());
    auto origin = blockOrigin(e, op, op.getIndices(), source.shape, op.getResult().getType().getShape());
    if (failed(origin))
      return failure();
    SmallVector<int64_t> strides = rowMajorStrides(source.shape);
    e.set(op.getResult(), gather(op.getResult().getType(), source, [&](ArrayRef<int64_t> index) {
            int64_t position = 0;
            for (size_t d = 0; d < index.size(); ++d)
              position += ((*origin)[d] + index[d]) * strides[d];
            return position;
          }));
    return success();
  });
  table.add<InsertOp>([](Evaluator &e, InsertOp op) -> LogicalResult {
    const Tile &source = e.tile(op.getSource());
    Tile result = e.tile(op.getDestination());
    auto origin = blockOrigin(e, op, op.getIndices(), result.shape, source.shape);
    if (failed(origin))
      return failure();
    SmallVector<int64_t> from = rowMajorStrides(source.shape), to = rowMajorStrides(result.shape);
    for (int64_t i = 0; i < source.size(); ++i) {
      int64_t position = 0, rest = i;
      for (size_t d = 0; d < from.size(); ++d) {
        position += ((*origin)[d] + rest / from[d]) * to[d];
        rest %= from[d];
      }
      result.data[size_t(position)] = source.data[size_t(i)];
    }
    e.set(op.getResult(), std::move(result));
    return success();
  });

  // pack and unpack reinterpret the bytes that the elements would have in memory, but i1 is a bit here.
  auto repack = [](const Tile &source, Type type) {
    Tile result = makeTile(type);
    bool fromBits = source.type == DType::I1, toBits = result.type == DType::I1;
    std::vector<uint8_t> bytes(size_t(fromBits ? result.size() : storageBytes(source.type, source.size())));
    for (int64_t i = 0; i < source.size(); ++i) {
      if (fromBits)
        bytes[size_t(i / 8)] |= uint8_t((source.data[size_t(i)] & 1) << i % 8);
      else
        storeElement(source.type, bytes.data(), i, source.data[size_t(i)]);
    }
    for (int64_t i = 0; i < result.size(); ++i)
      result.data[size_t(i)] = toBits ? bytes[size_t(i / 8)] >> i % 8 & 1 : loadElement(result.type, bytes.data(), i);
    return result;
  };
  using Repack = decltype(repack);
  table.add<PackOp>([](Evaluator &e, PackOp op) {
    e.set(op.getResult(), Repack{}(e.tile(op.getSource()), op.getResult().getType()));
    return success();
  });
  table.add<UnpackOp>([](Evaluator &e, UnpackOp op) {
    e.set(op.getResult(), Repack{}(e.tile(op.getSource()), op.getResult().getType()));
    return success();
  });
}
