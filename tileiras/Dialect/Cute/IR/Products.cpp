//===- Products.cpp - Verification of copies and products -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/Cute/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::cute;
namespace alg = tileiras::cute;

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

LogicalResult MakeAtomOp::verify() {
  Type atom = getAtom(getType());
  if (isa<TmaAtomTypeInterface>(atom))
    return emitOpError("a TMA copy has a tensor map: cute_nvgpu.atom.tma_load, cute_nvgpu.atom.tma_store");
  if (!isa<CopyAtomTypeInterface, MmaAtomTypeInterface>(atom))
    return emitOpError("expects an atom, a tiled copy or a tiled mma, got ") << getType();
  return success();
}

static LogicalResult verifyTiled(Operation *op, Type atom, Type expected) {
  if (atom != expected)
    return op->emitOpError("expects an atom of type ") << expected << ", got " << atom;
  return success();
}
LogicalResult MakeTiledCopyOp::verify() { return verifyTiled(*this, getAtom().getType(), getType().getAtom()); }
LogicalResult MakeTiledMmaOp::verify() { return verifyTiled(*this, getAtom().getType(), getType().getAtom()); }

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// One side of a copy.
struct Side {
  CuteMemRefType tensor; ///< null for tensors of coordinates
  Meaning meaning;
  int64_t elements = 0;
};
} // namespace

static FailureOr<Side> sideOf(Operation *op, Type type) {
  unsigned next = 0;
  Side side{dyn_cast<CuteMemRefType>(type), describe(type, next), 0};
  if (!side.tensor && side.meaning.kind != Meaning::Kind::Coords) {
    op->emitOpError("copies tensors, not ") << type;
    return failure();
  }
  alg::Int size = alg::size(side.meaning.layout.layout);
  if (!side.meaning.layout.layout.shape.isStatic() || !size.isStatic()) {
    op->emitOpError("expects static shapes");
    return failure();
  }
  side.elements = size.constant();
  return side;
}

static LogicalResult verifyTmaSide(Operation *op, Type atom, ArrayRef<int64_t> box, const Side &coords,
                                   const Side &memory) {
  int64_t elements = 1;
  for (int64_t extent : box)
    elements *= extent;
  if (coords.tensor || !memory.tensor || memory.tensor.getSpace() != AddressSpace::Shared)
    return op->emitOpError("TMA copies between the coordinates of a tensor map and smem");
  if (coords.meaning.layout.offset.rank() != int(box.size()))
    return op->emitOpError("a box of ") << box.size() << " extents at coordinates of "
                                        << coords.meaning.layout.offset.rank() << " components";
  if (coords.elements != memory.elements || memory.elements % elements)
    return op->emitOpError("copies ") << coords.elements << " elements to " << memory.elements << ", in boxes of "
                                      << elements;
  if (box[0] * bytesOf(memory.tensor.getElement()) % 16)
    return op->emitOpError("a box has rows of whole 16 bytes, not ")
           << box[0] * bytesOf(memory.tensor.getElement()) << " bytes";
  return success();
}

static LogicalResult verifyMatrices(Operation *op, const Matrices &matrices, const Side &source, const Side &target) {
  const Side &rows = matrices.load ? source : target, &fragment = matrices.load ? target : source;
  if (rows.tensor.getSpace() != AddressSpace::Shared || fragment.tensor.getSpace() != AddressSpace::Register)
    return op->emitOpError("matrices are copied ") << (matrices.load ? "from smem to rmem" : "from rmem to smem");
  if (rows.tensor.getElement().getIntOrFloatBitWidth() != 16)
    return op->emitOpError("matrices have elements of 16 bits, not ") << rows.tensor.getElement();
  if (rows.elements % 8 || rows.elements / 8 * matrices.fragment() != fragment.elements)
    return op->emitOpError("rows of eight elements on one side and ")
           << matrices.fragment() << " elements on the other do not make " << rows.elements << " and "
           << fragment.elements;
  return success();
}

static LogicalResult verifyTensorMemory(Operation *op, TmemAtomTypeInterface atom, const Side &source,
                                        const Side &target) {
  const Side &memory = atom.isLoad() ? source : target, &fragment = atom.isLoad() ? target : source;
  if (memory.tensor.getSpace() != AddressSpace::Tensor || fragment.tensor.getSpace() != AddressSpace::Register)
    return op->emitOpError(atom.isLoad() ? "copies from tmem to rmem" : "copies from rmem to tmem");
  if (memory.elements != fragment.elements || memory.elements % atom.getColumns())
    return op->emitOpError("copies ") << memory.elements << " elements of a thread in tensor memory, by "
                                      << atom.getColumns() << ", and " << fragment.elements << " in registers";
  return success();
}

/// Pieces of 128 lanes by the atom's words, on both sides.
static LogicalResult verifyS2tCopy(Operation *op, cute_nvgpu::S2tCopyType atom, const Side &source,
                                   const Side &target) {
  if (source.tensor.getSpace() != AddressSpace::Shared || target.tensor.getSpace() != AddressSpace::Tensor)
    return op->emitOpError("copies from smem to tmem");
  for (const Side *side : {&source, &target}) {
    const alg::Layout &layout = side->meaning.layout.layout;
    if (layout.shape.isLeaf() || layout.rank() < 2 || !(alg::size(layout.mode(0)) == alg::Int(128)) ||
        !(alg::size(layout.mode(1)) == alg::Int(atom.getWords())) || !layout.isStatic())
      return op->emitOpError("expects static tensors (128,") << atom.getWords() << ",...), got " << layout.toString();
  }
  if (source.elements != target.elements)
    return op->emitOpError("copies ") << source.elements << " elements to " << target.elements;
  return success();
}

static LogicalResult verifyCopy(Operation *op, Type atom, Type from, Type to) {
  atom = getAtom(atom);
  if (!isa<CopyAtomTypeInterface>(atom))
    return op->emitOpError("expects a copy atom, got ") << atom;
  FailureOr<Side> source = sideOf(op, from), target = sideOf(op, to);
  if (failed(source) || failed(target))
    return failure();
  if (std::optional<SmallVector<int64_t>> box = getBox(atom)) {
    bool load = cast<TmaAtomTypeInterface>(atom).isLoad();
    return verifyTmaSide(op, atom, *box, load ? *source : *target, load ? *target : *source);
  }
  if (!source->tensor || !target->tensor)
    return op->emitOpError("a tensor of coordinates has no elements in memory");
  if (source->tensor.getElement() != target->tensor.getElement())
    return op->emitOpError("copies ") << source->tensor.getElement() << " to " << target->tensor.getElement();
  if (isa<cute_nvgpu::SimtAsyncCopyType>(atom) &&
      (source->tensor.getSpace() != AddressSpace::Global || target->tensor.getSpace() != AddressSpace::Shared))
    return op->emitOpError("cp.async copies from gmem to smem");
  if (std::optional<Matrices> matrices = getMatrices(atom))
    return verifyMatrices(op, *matrices, *source, *target);
  if (auto tensor = dyn_cast<TmemAtomTypeInterface>(atom))
    return verifyTensorMemory(op, tensor, *source, *target);
  if (auto words = dyn_cast<cute_nvgpu::S2tCopyType>(atom))
    return verifyS2tCopy(op, words, *source, *target);
  if (source->tensor.getSpace() == AddressSpace::Tensor || target->tensor.getSpace() == AddressSpace::Tensor)
    return op->emitOpError("tensor memory is copied by tmem_load, tmem_store and s2t_copy");
  if (source->elements != target->elements)
    return op->emitOpError("copies ") << source->elements << " elements to " << target->elements;
  return success();
}

LogicalResult CopyOp::verify() {
  return verifyCopy(*this, getAtom().getType(), getSource().getType(), getTarget().getType());
}

/// That one copy of `atom` has these elements.
static LogicalResult verifyOneCopy(Operation *op, Type atom, Type tensor) {
  if (isa<TiledCopyType>(atom))
    return op->emitOpError("expects an atom, not a tiled copy");
  FailureOr<Side> side = sideOf(op, tensor);
  if (failed(side))
    return failure();
  int64_t elements = 8; // of a matrix, the row
  if (std::optional<Matrices> matrices = getMatrices(atom)) {
    elements = matrices->load ? 8 : matrices->fragment();
  } else if (auto tensor = dyn_cast<TmemAtomTypeInterface>(atom)) {
    elements = tensor.getColumns();
  } else if (auto words = dyn_cast<cute_nvgpu::S2tCopyType>(atom)) {
    elements = 128 * words.getWords();
  } else if (std::optional<SmallVector<int64_t>> box = getBox(atom)) {
    elements = 1;
    for (int64_t extent : *box)
      elements *= extent;
  } else if (side->elements * 8 * bytesOf(side->tensor.getElement()) != getCopyBits(atom)) {
    return op->emitOpError("an atom of ") << getCopyBits(atom) << " bits does not copy " << side->elements
                                          << " elements of type " << side->tensor.getElement();
  } else {
    return success();
  }
  if (side->elements != elements)
    return op->emitOpError("one copy has ") << elements << " elements, not " << side->elements;
  return success();
}

LogicalResult CopyAtomCallOp::verify() {
  Type atom = getAtom().getType();
  if (failed(verifyCopy(*this, atom, getSource().getType(), getTarget().getType())))
    return failure();
  return verifyOneCopy(*this, atom, getSource().getType());
}

static LogicalResult verifyPrefetch(Operation *op, Type atom, Type from) {
  atom = getAtom(atom);
  FailureOr<Side> source = sideOf(op, from);
  if (failed(source))
    return failure();
  bool tma = isa<TmaAtomTypeInterface>(atom);
  if (!isa<PrefetchAtomTypeInterface>(atom))
    return op->emitOpError("expects a copy atom that reads global memory, got ") << atom;
  if (tma ? bool(source->tensor) : !source->tensor || source->tensor.getSpace() != AddressSpace::Global)
    return op->emitOpError("prefetches ")
           << (tma ? "what the coordinates of a tensor map say" : "a tensor in gmem") << ", not " << from;
  return success();
}
LogicalResult PrefetchOp::verify() { return verifyPrefetch(*this, getAtom().getType(), getSource().getType()); }
LogicalResult PrefetchAtomCallOp::verify() {
  if (failed(verifyPrefetch(*this, getAtom().getType(), getSource().getType())))
    return failure();
  return verifyOneCopy(*this, getAtom().getType(), getSource().getType());
}

LogicalResult MakeDescIterOp::verify() {
  std::string error;
  std::optional<DescIterType> expected = describeMatrix(getSource().getType(), error);
  if (!expected)
    return emitOpError() << error;
  if (*expected != getType())
    return emitOpError("expects the result to be ") << *expected << ", got " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// `rank` 3: (values, rows, columns); 1: values alone.
template <typename Op> static LogicalResult verifyProduct(Op op, int rank) {
  Type atom = getAtom(op.getAtom().getType());
  std::optional<Product> product = getProduct(atom);
  if (!product)
    return op.emitOpError("expects an mma atom, got ") << atom;
  ValueRange scales = op.getScales();
  if (scales.size() != (product->scaled ? 2 : 0))
    return op.emitOpError("expects ") << (product->scaled ? "the scales of A and B" : "no scales") << ", got "
                                      << scales.size();
  if (bool(op.getMetadata()) != product->sparse)
    return op.emitOpError("expects ") << (product->sparse ? "words that say which elements of A are stored"
                                                          : "all elements of A to be stored");
  if (op.getAccumulate() && !product->tensor)
    return op.emitOpError("adds to C always: sums are in registers");
  if (product->tensor && op.getD() != op.getC())
    return op.emitOpError("adds up in tensor memory where the sums are: expects D to be C");
  struct Operand {
    const char *name;
    Value value;
    char which;
    int64_t rows = 1, columns = 1;
  };
  SmallVector<Operand> operands = {
      {"D", op.getD(), 'C'}, {"A", op.getA(), 'A'}, {"B", op.getB(), 'B'}, {"C", op.getC(), 'C'}};
  if (product->scaled)
    operands.append({{"the scales of A", scales[0], 'S'}, {"the scales of B", scales[1], 'T'}});
  if (product->sparse)
    operands.push_back({"the metadata", op.getMetadata(), 'E'});
  for (Operand &operand : operands) {
    auto type = cast<CuteMemRefType>(operand.value.getType());
    AddressSpace space = product->spaceOf(operand.which);
    bool shared = space == AddressSpace::Shared;
    unsigned next = 0;
    Meaning meaning = describe(type, next);
    const alg::Layout &layout = meaning.layout.layout;
    bool fits = space == AddressSpace::Register ? next == 0 && meaning.layout.isPlain() : layout.isStatic();
    if (!fits || (rank == 3 && (layout.shape.isLeaf() || layout.rank() != 3)) || type.getSpace() != space)
      return op.emitOpError("expects ") << operand.name << " to be a static tensor in "
                                        << (shared                          ? "smem"
                                            : space == AddressSpace::Tensor ? "tmem"
                                                                            : "rmem")
                                        << (rank == 3 ? " of three modes" : "") << ", got " << type;
    // Of what is in tensor memory, words of 32 bits.
    auto bits = [&](unsigned width) { return Type(IntegerType::get(op.getContext(), product->tensor ? 32 : width)); };
    Type element = operand.which == 'S' || operand.which == 'T' ? bits(8)
                   : operand.which == 'E'                       ? bits(16)
                                                                : product->element(operand.which);
    if (type.getElement() != element)
      return op.emitOpError("expects ") << operand.name << " to have elements " << element << ", got "
                                        << type.getElement();
    alg::Int values = alg::size(getMmaFragment(atom, operand.which)->layout.mode(1));
    if (!(alg::size(rank == 3 ? layout.mode(0) : layout) == values))
      return op.emitOpError("expects ") << values.toString() << " values of " << operand.name << " in a thread, got "
                                        << alg::size(rank == 3 ? layout.mode(0) : layout).toString();
    std::string error;
    if (shared && rank == 3 && !describeMatrix(type, error))
      return op.emitOpError() << operand.name << ": " << error;
    if (rank == 1)
      continue;
    operand.rows = alg::size(layout.mode(1)).constant();
    operand.columns = alg::size(layout.mode(2)).constant();
  }
  int64_t m = operands[0].rows, n = operands[0].columns, k = operands[1].columns;
  bool fits = operands[1].rows == m && operands[2].rows == n && operands[2].columns == k && operands[3].rows == m &&
              operands[3].columns == n;
  if (product->scaled) {
    int64_t words = product->tensor ? llvm::divideCeil(k, 4) : k; // each of four instructions
    fits &=
        operands[4].rows == m && operands[4].columns == words && operands[5].rows == n && operands[5].columns == words;
  }
  if (product->sparse)
    fits &= operands.back().rows == m && operands.back().columns == k;
  if (!fits)
    return op.emitOpError("D and C are (values, M, N), A (values, M, K), B (values, N, K): the extents differ")
           << (product->scaled && product->tensor ? "; a word of scales is of four instructions along K" : "");
  return success();
}

LogicalResult GemmOp::verify() { return verifyProduct(*this, 3); }

LogicalResult MmaAtomCallOp::verify() {
  if (isa<TiledMmaType>(getAtom().getType()))
    return emitOpError("expects an atom, not a tiled mma");
  std::optional<Product> product = getProduct(getAtom().getType());
  if (product && product->shared)
    return emitOpError(product->tensor ? "tcgen05.mma" : "wgmma") << " multiplies tensors of three modes: cute.gemm";
  return verifyProduct(*this, 1);
}
