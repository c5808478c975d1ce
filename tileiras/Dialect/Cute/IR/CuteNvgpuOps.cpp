//===- CuteNvgpuOps.cpp - Operations of cute_nvgpu ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/Cute/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::cute_nvgpu;
using mlir::cute::AddressSpace;
using mlir::cute::bytesOf;
using mlir::cute::PtrType;

#define GET_OP_CLASSES
#include "tileiras/Dialect/Cute/IR/CuteNvgpuOps.cpp.inc"

static LogicalResult expectSpace(Operation *op, PtrType type, AddressSpace space, const char *name) {
  if (type.getSpace() != space)
    return op->emitOpError("expects an address in ") << name << ", got " << type;
  return success();
}

LogicalResult AllocRmemOp::verify() {
  if (int64_t(getElements()) > 4096 / bytesOf(getType().getElement()))
    return emitOpError() << getElements() << " elements are larger than 4096 bytes";
  return expectSpace(*this, getType(), AddressSpace::Register, "rmem");
}
LogicalResult AllocSmemOp::verify() {
  if (int64_t(getElements()) > 233472 / bytesOf(getType().getElement()))
    return emitOpError() << getElements() << " elements are larger than 233472 bytes";
  return expectSpace(*this, getType(), AddressSpace::Shared, "smem");
}
LogicalResult GetDynSmemOp::verify() { return expectSpace(*this, getType(), AddressSpace::Shared, "smem"); }

static LogicalResult verifyMatrices(Operation *op, PtrType rows, size_t words) {
  if (words != 1 && words != 2 && words != 4)
    return op->emitOpError("expects 1, 2 or 4 words, got ") << words;
  if (rows.getAlignment() % 16)
    return op->emitOpError("a row is aligned to 16 bytes, not ") << rows.getAlignment();
  return expectSpace(op, rows, AddressSpace::Shared, "smem");
}
LogicalResult ArchLdsmOp::verify() { return verifyMatrices(*this, getSource().getType(), getNumResults()); }
LogicalResult ArchStsmOp::verify() { return verifyMatrices(*this, getTarget().getType(), getWords().size()); }

LogicalResult ArchCpAsyncOp::verify() {
  int64_t bytes = int64_t(getBytes());
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return emitOpError("cp.async copies 4, 8 or 16 bytes, not ") << bytes;
  if (failed(expectSpace(*this, getTarget().getType(), AddressSpace::Shared, "smem")) ||
      failed(expectSpace(*this, getSource().getType(), AddressSpace::Global, "gmem")))
    return failure();
  for (PtrType side : {getTarget().getType(), getSource().getType()})
    if (side.getAlignment() % bytes)
      return emitOpError("copies of ") << bytes << " bytes are aligned to as many, not to " << side.getAlignment();
  return success();
}

LogicalResult AtomTmaLoadOp::verify() {
  auto barrier = getBarrier().getType();
  if (!barrier.getElement().isInteger(64))
    return emitOpError("an mbarrier is an i64, got ") << barrier.getElement();
  return expectSpace(*this, barrier, AddressSpace::Shared, "smem");
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

static LogicalResult verifySlot(Operation *op, PtrType slot) {
  if (!slot.getElement().isInteger(32))
    return op->emitOpError("an address in tensor memory is an i32, got ") << slot.getElement();
  return expectSpace(op, slot, AddressSpace::Shared, "smem");
}
LogicalResult AllocTmemOp::verify() { return verifySlot(*this, getSlot().getType()); }
LogicalResult RetrieveTmemPtrOp::verify() {
  if (failed(verifySlot(*this, getSlot().getType())))
    return failure();
  return expectSpace(*this, getType(), AddressSpace::Tensor, "tmem");
}
LogicalResult DeallocTmemOp::verify() {
  return expectSpace(*this, getAddress().getType(), AddressSpace::Tensor, "tmem");
}

static LogicalResult verifyColumns(Operation *op, PtrType address, size_t words) {
  if (words < 1 || words > 128 || !llvm::isPowerOf2_64(words))
    return op->emitOpError("expects a power of two up to 128 of words, got ") << words;
  return expectSpace(op, address, AddressSpace::Tensor, "tmem");
}
LogicalResult ArchTmemLoadOp::verify() { return verifyColumns(*this, getSource().getType(), getNumResults()); }
LogicalResult ArchTmemStoreOp::verify() { return verifyColumns(*this, getTarget().getType(), getWords().size()); }

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

static LogicalResult verifyTensorCopy(Operation *op, PtrType memory, size_t coordinates) {
  if (coordinates < 1 || coordinates > 5)
    return op->emitOpError("expects one to five coordinates, got ") << coordinates;
  if (memory.getAlignment() % 128)
    return op->emitOpError("TMA copies to and from shared memory aligned to 128 bytes, not ") << memory.getAlignment();
  return expectSpace(op, memory, AddressSpace::Shared, "smem");
}
LogicalResult ArchTmaLoadOp::verify() {
  if (!getBarrier().getType().getElement().isInteger(64))
    return emitOpError("an mbarrier is an i64, got ") << getBarrier().getType().getElement();
  if (failed(expectSpace(*this, getBarrier().getType(), AddressSpace::Shared, "smem")))
    return failure();
  return verifyTensorCopy(*this, getTarget().getType(), getCoordinates().size());
}
LogicalResult ArchTmaStoreOp::verify() {
  return verifyTensorCopy(*this, getSource().getType(), getCoordinates().size());
}
LogicalResult ArchTmaReduceOp::verify() {
  auto emit = [&] { return emitOpError(); };
  if (failed(TmaReduceType::verify(emit, "(16)", getKind())))
    return failure();
  return verifyTensorCopy(*this, getSource().getType(), getCoordinates().size());
}

LogicalResult GetGridConstantPointerOp::verify() {
  if (getDescriptor().getType() != getType())
    return emitOpError("is what it was: expects ") << getDescriptor().getType() << ", got " << getType();
  return success();
}
LogicalResult GetTmaDescAddrOp::verify() {
  if (!isa<mlir::cute::TmaAtomTypeInterface>(getDescriptor().getType()))
    return emitOpError("expects a TMA atom, got ") << getDescriptor().getType();
  auto pointer = dyn_cast<PtrType>(getType());
  if (!pointer)
    return emitOpError("expects an address as result, got ") << getType();
  return expectSpace(*this, pointer, AddressSpace::Generic, "generic");
}
LogicalResult CopyTmaDescOp::verify() {
  PtrType target = getTarget().getType();
  if (target.getAlignment() % 128)
    return emitOpError("a tensor map is aligned to 128 bytes, not ") << target.getAlignment();
  if (target.getSpace() != AddressSpace::Shared && target.getSpace() != AddressSpace::Global)
    return emitOpError("copies to smem or gmem, got ") << target;
  return success();
}

/// Where a map is, and the tensor that it is of.
static LogicalResult verifyMap(Operation *op, PtrType target, mlir::cute::CuteMemRefType tensor) {
  unsigned next = 0;
  mlir::cute::Meaning meaning = mlir::cute::describe(tensor, next);
  const ::tileiras::cute::Layout &layout = meaning.layout.layout;
  if (target.getAlignment() % 128)
    return op->emitOpError("a tensor map is aligned to 128 bytes, not ") << target.getAlignment();
  if (target.getSpace() != AddressSpace::Shared && target.getSpace() != AddressSpace::Global)
    return op->emitOpError("a tensor map is changed in smem or gmem, got ") << target;
  if (tensor.getSpace() != AddressSpace::Global || tensor.getAlignment() % 16)
    return op->emitOpError("expects a tensor in gmem, aligned to 16 bytes, got ") << tensor;
  if (layout.shape.depth() > 1 || layout.rank() < 1 || layout.rank() > 5 || !meaning.layout.isPlain() ||
      !(layout.stride.leaves()[0] == ::tileiras::cute::Int(1)))
    return op->emitOpError("expects one to five modes, the first one contiguous, got ") << layout.toString();
  if (!mlir::cute::tensorMapElement(tensor.getElement()))
    return op->emitOpError("a tensor map has no elements ") << tensor.getElement();
  for (const ::tileiras::cute::Int &stride : llvm::drop_begin(layout.stride.leaves()))
    if (stride.divisor() * bytesOf(tensor.getElement()) % 16)
      return op->emitOpError("strides are multiples of 16 bytes, and not known to be in ") << layout.toString();
  return success();
}
LogicalResult MakeTmaDescTiledAtOp::verify() {
  auto emit = [&] { return emitOpError(); };
  if (failed(TmaLoadType::verify(emit, getBox())) ||
      failed(verifyMap(*this, getTarget().getType(), getTensor().getType())))
    return failure();
  unsigned next = 0;
  int rank = mlir::cute::describe(getTensor().getType(), next).layout.layout.rank();
  SmallVector<int64_t> box = *mlir::cute::getBox(TmaLoadType::get(getContext(), getBox()));
  int64_t row = box[0] * bytesOf(getTensor().getType().getElement()), swizzle = int64_t(getSwizzle());
  if (int(box.size()) != rank)
    return emitOpError("a box of ") << box.size() << " extents of a tensor of " << rank;
  if (row % 16)
    return emitOpError("a box has rows of whole 16 bytes, not ") << row << " bytes";
  if (!llvm::is_contained({0, 32, 64, 128}, swizzle) || (swizzle && row > swizzle))
    return emitOpError("a swizzle of ") << swizzle << " bytes does not fit rows of " << row
                                        << " bytes; there are 32, 64 and 128";
  return success();
}
LogicalResult UpdateTmaDescOp::verify() { return verifyMap(*this, getTarget().getType(), getTensor().getType()); }

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Whether registers are as many, and sums of the type, as the atom's fragments say.
static LogicalResult verifyWords(Operation *op, Type atom, StringRef expected, bool right, size_t a, size_t b,
                                 ValueRange c, TypeRange d) {
  if (!right)
    return op->emitOpError("expects an atom ") << expected << ", got " << atom;
  mlir::cute::Product product = *mlir::cute::getProduct(atom);
  auto values = [&](char operand) {
    return ::tileiras::cute::size(mlir::cute::getMmaFragment(atom, operand)->layout.mode(1)).constant();
  };
  auto words = [&](char operand) {
    return size_t(values(operand) * product.element(operand).getIntOrFloatBitWidth() / 32);
  };
  Type sum = product.c.isF32() ? product.c : Type(IntegerType::get(op->getContext(), 32));
  if (!product.shared && (a != words('A') || b != words('B')))
    return op->emitOpError("expects ") << words('A') << " words of A and " << words('B') << " of B, got " << a
                                       << " and " << b;
  if (c.size() != words('C') || llvm::any_of(c.getTypes(), [&](Type type) { return type != sum; }) || d != c.getTypes())
    return op->emitOpError("expects ") << words('C') << " sums of type " << sum;
  return success();
}
LogicalResult ArchMmaSM80Op::verify() {
  return verifyWords(*this, getAtom(), "sm80.mma", isa<Sm80MmaType>(getAtom()), getA().size(), getB().size(), getC(),
                     getResultTypes());
}
LogicalResult ArchMmaSM80SparseOp::verify() {
  return verifyWords(*this, getAtom(), "sm80.sparse_mma", isa<Sm80SparseMmaType>(getAtom()), getA().size(),
                     getB().size(), getC(), getResultTypes());
}
LogicalResult ArchMmaSM89Op::verify() {
  return verifyWords(*this, getAtom(), "sm89.mma", isa<Sm89MmaType>(getAtom()), getA().size(), getB().size(), getC(),
                     getResultTypes());
}
LogicalResult ArchMmaSM120BlockScaledOp::verify() {
  return verifyWords(*this, getAtom(), "SM120.mma_bs", isa<Sm120MmaBsType>(getAtom()), getA().size(), getB().size(),
                     getC(), getResultTypes());
}
LogicalResult ArchMmaSM90Op::verify() {
  auto atom = dyn_cast<Sm90MmaType>(getAtom());
  return verifyWords(*this, getAtom(), "sm90.mma with A in smem", atom && !atom.getRegistersA(), 0, 0, getC(),
                     getResultTypes());
}
template <typename Atom> static LogicalResult verifyUmma(Operation *op, Type atom, StringRef name, PtrType sums) {
  if (!isa<Atom>(atom))
    return op->emitOpError("expects an atom ") << name << ", got " << atom;
  return expectSpace(op, sums, AddressSpace::Tensor, "tmem");
}
LogicalResult ArchMmaSM100UmmaOp::verify() {
  return verifyUmma<Sm100MmaType>(*this, getAtom(), "sm100.mma", getD().getType());
}
template <typename Op> static LogicalResult verifyScales(Op op) {
  for (int64_t byte : {int64_t(op.getByteA()), int64_t(op.getByteB())})
    if (byte < 0 || byte > 3)
      return op.emitOpError("a word has bytes 0 to 3, not ") << byte;
  return success(succeeded(expectSpace(op, op.getSfa().getType(), AddressSpace::Tensor, "tmem")) &&
                 succeeded(expectSpace(op, op.getSfb().getType(), AddressSpace::Tensor, "tmem")));
}
template <typename Atom, typename Op> static LogicalResult verifyMetadata(Op op) {
  auto atom = dyn_cast<Atom>(op.getAtom());
  int64_t columns = atom ? atom.getProduct().columnsOf('E') : 1;
  if (op.getSelector() >= uint64_t(columns == 1 ? 2 : 1))
    return op.emitOpError("metadata of ")
           << columns << " columns for an instruction have no selector " << int64_t(op.getSelector());
  return expectSpace(op, op.getMetadata().getType(), AddressSpace::Tensor, "tmem");
}
LogicalResult ArchMmaSM100UmmaBlockScaledOp::verify() {
  if (failed(verifyScales(*this)))
    return failure();
  return verifyUmma<Sm100MmaBsType>(*this, getAtom(), "sm100.mma_bs", getD().getType());
}
LogicalResult ArchMmaSM100UmmaSparseOp::verify() {
  if (failed(verifyMetadata<Sm100MmaSpType>(*this)))
    return failure();
  return verifyUmma<Sm100MmaSpType>(*this, getAtom(), "sm100.mma_sp", getD().getType());
}
LogicalResult ArchMmaSM100UmmaBlockScaledSparseOp::verify() {
  if (failed(verifyScales(*this)) || failed(verifyMetadata<Sm100MmaBsSpType>(*this)))
    return failure();
  return verifyUmma<Sm100MmaBsSpType>(*this, getAtom(), "sm100.mma_bs_sp", getD().getType());
}
LogicalResult ArchCopyS2tOp::verify() {
  auto emit = [&] { return emitOpError(); };
  if (failed(S2tCopyType::verify(emit, getShape())))
    return failure();
  return expectSpace(*this, getTarget().getType(), AddressSpace::Tensor, "tmem");
}
