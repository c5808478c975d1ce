//===- Copy.cpp - Atoms of copies become instructions --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Lowering.h"
#include "tileiras/Support/LoweringFacts.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include <numeric>

using namespace mlir;
using namespace tileiras;
using mlir::cute::AddressSpace;
using mlir::cute::Meaning;
namespace alg = tileiras::cute;

std::string tileiras::whyNoVectors(const Meaning &tensor, int64_t count) {
  int64_t bytes = count * mlir::cute::bytesOf(tensor.element);
  if (count == 1 && tensor.alignment % bytes == 0)
    return "";
  alg::Layout flat = alg::coalesce(tensor.layout.layout);
  std::vector<alg::Int> shapes = flat.shape.leaves(), strides = flat.stride.leaves();
  if (!strides[0].is(1) || shapes[0].constant() % count != 0)
    return "its elements are not side by side in this number";
  if (!tensor.layout.swizzle.isNone() && count > int64_t(1) << tensor.layout.swizzle.base)
    return "its swizzle moves smaller pieces";
  int64_t together = tensor.layout.offset.asInt().divisor();
  for (size_t i = 1; i < strides.size(); ++i)
    together = std::gcd(together, strides[i].divisor());
  bool rmem = tensor.space == AddressSpace::Register;
  if (together % count != 0 || (!rmem && tensor.alignment % bytes != 0))
    return "its addresses are not known to be multiples of " + std::to_string(bytes);
  return "";
}

/// Refused where more copies would be unrolled than make sense.
static LogicalResult checkCount(Operation *op, int64_t copies) {
  if (copies > kMostAccesses)
    return op->emitOpError() << copies << " copies are more than the " << kMostAccesses << " that are unrolled";
  return success();
}

//===----------------------------------------------------------------------===//
// Of threads
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerCopy(Operation *op) {
  FailureOr<Lowered> source = get(op->getOperand(1), op), target = get(op->getOperand(2), op);
  if (failed(source) || failed(target))
    return failure();
  Type atom = mlir::cute::getAtom(op->getOperand(0).getType());
  if (mlir::cute::getMatrices(atom))
    return lowerMatrixCopy(op, *source, *target);
  if (isa<mlir::cute::TmemAtomTypeInterface>(atom))
    return lowerTensorMemoryCopy(op, *source, *target);
  if (isa<mlir::cute_nvgpu::S2tCopyType>(atom))
    return lowerS2tCopy(op, *source, *target);
  if (mlir::cute::getBox(atom))
    return lowerTmaCopy(op, *source, *target);
  bool async = isa<mlir::cute_nvgpu::SimtAsyncCopyType>(atom);
  int64_t bits = mlir::cute::getCopyBits(atom);
  Type element = source->meaning.element;
  int64_t bytes = mlir::cute::bytesOf(element), count = bits / 8 / bytes;
  if (count < 1 || bits % (8 * bytes) != 0)
    return op->emitOpError("an atom of ") << bits << " bits cannot copy elements of type " << element;
  for (auto [name, tensor] : {std::pair("source", &*source), std::pair("target", &*target)})
    if (std::string why = whyNoVectors(tensor->meaning, count); !why.empty())
      return op->emitOpError("cannot copy ") << bits << " bits at once: of the " << name << ", " << why;

  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Emitter from(builder, source->numbers), to(builder, target->numbers);
  Type stored = storedType(element), vector = count == 1 ? stored : Type(VectorType::get({count}, stored));
  int64_t elements = alg::size(source->meaning.layout.layout).constant();
  if (failed(checkCount(op, elements / count)))
    return failure();
  for (int64_t i = 0; i < elements; i += count) {
    FailureOr<alg::Int> a = offsetOf(op, alg::IntTuple(i), source->meaning);
    FailureOr<alg::Int> b = offsetOf(op, alg::IntTuple(i), target->meaning);
    if (failed(a) || failed(b))
      return failure();
    Value read = from.advance(source->address, element, *a), written = to.advance(target->address, element, *b);
    if (async) {
      NVVM::CpAsyncOp::create(
          builder, written, read, builder.getI32IntegerAttr(int32_t(bits / 8)),
          NVVM::LoadCacheModifierKindAttr::get(op->getContext(), bits == 128 ? NVVM::LoadCacheModifierKind::CG
                                                                             : NVVM::LoadCacheModifierKind::CA),
          /*cpSize=*/Value());
      continue;
    }
    Value value = LLVM::LoadOp::create(builder, vector, read, unsigned(bits / 8));
    LLVM::StoreOp::create(builder, value, written, unsigned(bits / 8));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Of warps
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerMatrixCopy(Operation *op, const Lowered &source, const Lowered &target) {
  mlir::cute::Matrices matrices = *mlir::cute::getMatrices(mlir::cute::getAtom(op->getOperand(0).getType()));
  const Lowered &rows = matrices.load ? source : target;
  Lowered fragment = matrices.load ? target : source;
  if (std::string why = whyNoVectors(rows.meaning, 8); !why.empty())
    return op->emitOpError("cannot copy rows of 16 bytes at once: of the ")
           << (matrices.load ? "source" : "target") << ", " << why;
  // Elements by their number.
  fragment.meaning.layout.layout = alg::makeLayout({fragment.meaning.layout.layout, alg::Layout(), alg::Layout()});
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Fragment registers(builder, fragment);
  Emitter emitter(builder, rows.numbers);
  int64_t copies = alg::size(rows.meaning.layout.layout).constant() / 8;
  if (failed(checkCount(op, copies)))
    return failure();
  auto shape = NVVM::LdStMatrixShapeAttr::get(op->getContext(), 8, 8);
  auto layout = matrices.transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  for (int64_t i = 0; i < copies; ++i) {
    FailureOr<alg::Int> offset = offsetOf(op, alg::IntTuple(8 * i), rows.meaning);
    if (failed(offset))
      return failure();
    Value row = emitter.advance(rows.address, rows.meaning.element, *offset);
    int64_t first = matrices.fragment() * i;
    if (!matrices.load) {
      SmallVector<Value> words;
      for (int64_t word = 0; word < matrices.count; ++word)
        words.push_back(registers.loadWord(first + 2 * word, 0, 0));
      NVVM::StMatrixOp::create(builder, row, words, layout, shape, NVVM::LdStMatrixEltType::B16);
      continue;
    }
    Type type = builder.getI32Type();
    if (matrices.count > 1)
      type = LLVM::LLVMStructType::getLiteral(op->getContext(), SmallVector<Type>(size_t(matrices.count), type));
    Value words = NVVM::LdMatrixOp::create(builder, type, row, uint32_t(matrices.count), layout, shape,
                                           NVVM::LdStMatrixEltType::B16);
    for (int64_t word = 0; word < matrices.count; ++word)
      registers.storeWord(matrices.count == 1 ? words : Value(LLVM::ExtractValueOp::create(builder, words, word)),
                          first + 2 * word, 0, 0);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Of tensor memory
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerTensorMemoryCopy(Operation *op, const Lowered &source, const Lowered &target) {
  auto atom = cast<mlir::cute::TmemAtomTypeInterface>(mlir::cute::getAtom(op->getOperand(0).getType()));
  const Lowered &memory = atom.isLoad() ? source : target;
  Lowered fragment = atom.isLoad() ? target : source;
  int64_t columns = atom.getColumns();
  alg::Layout flat = alg::coalesce(memory.meaning.layout.layout);
  if (columns > 1 && (!flat.stride.leaves()[0].is(1) || flat.shape.leaves()[0].constant() % columns))
    return op->emitOpError("cannot copy ")
           << columns << " columns at once: in tensor memory, they are not side by side";
  // Elements by their number.
  fragment.meaning.layout.layout = alg::makeLayout({fragment.meaning.layout.layout, alg::Layout(), alg::Layout()});
  int64_t copies = alg::size(memory.meaning.layout.layout).constant() / columns;
  if (failed(checkCount(op, copies)))
    return failure();
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Fragment registers(builder, fragment);
  Emitter emitter(builder, memory.numbers);
  for (int64_t i = 0; i < copies; ++i) {
    FailureOr<alg::Int> offset = offsetOf(op, alg::IntTuple(i * columns), memory.meaning);
    if (failed(offset))
      return failure();
    Value address = emitter.advance(memory.address, memory.meaning.element, *offset);
    if (atom.isLoad()) {
      for (auto [j, word] : llvm::enumerate(loadTensorMemory(builder, address, columns)))
        registers.storeWord(word, i * columns + int64_t(j), 0, 0);
      continue;
    }
    SmallVector<Value> words;
    for (int64_t j = 0; j < columns; ++j)
      words.push_back(registers.loadWord(i * columns + j, 0, 0));
    storeTensorMemory(builder, address, words);
  }
  return success();
}

/// The first lane's row: the 32 rows of a warp begin at a multiple of 32.
static Value warpAddress(ImplicitLocOpBuilder &builder, Value address) {
  Type i32 = builder.getI32Type();
  Value rows = LLVM::ConstantOp::create(builder, i32, builder.getI32IntegerAttr(~(31 << 16)));
  return LLVM::AndOp::create(builder, LLVM::PtrToIntOp::create(builder, i32, address), rows);
}

static Operation *tensorMemoryText(ImplicitLocOpBuilder &builder, TypeRange results, ValueRange operands,
                                   StringRef text, StringRef constraints) {
  auto op = LLVM::InlineAsmOp::create(builder, results, operands, text, constraints, /*has_side_effects=*/true,
                                      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                      LLVM::AsmDialectAttr(), ArrayAttr());
  op->setAttr(kPtxVersionAttr, builder.getI32IntegerAttr(86));
  return op;
}

/// "{$1, $2}" of so many operands.
static std::string listOf(int64_t first, int64_t count) {
  std::string text = "{";
  for (int64_t i = first; i < first + count; ++i)
    text += (i == first ? "$" : ", $") + std::to_string(i);
  return text + "}";
}

SmallVector<Value> tileiras::loadTensorMemory(ImplicitLocOpBuilder &builder, Value address, int64_t columns) {
  std::string constraints;
  for (int64_t i = 0; i < columns; ++i)
    constraints += "=r,";
  Type word = builder.getI32Type(), type = word;
  if (columns > 1)
    type = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(size_t(columns), word));
  Value all =
      tensorMemoryText(builder, type, warpAddress(builder, address),
                       "tcgen05.ld.sync.aligned.32x32b.x" + std::to_string(columns) + ".b32 " + listOf(0, columns) +
                           ", [$" + std::to_string(columns) + "];\ntcgen05.wait::ld.sync.aligned;",
                       constraints + "r,~{memory}")
          ->getResult(0);
  SmallVector<Value> words;
  for (int64_t i = 0; i < columns; ++i)
    words.push_back(columns == 1 ? all : Value(LLVM::ExtractValueOp::create(builder, all, i)));
  return words;
}

void tileiras::storeTensorMemory(ImplicitLocOpBuilder &builder, Value address, ValueRange words) {
  SmallVector<Value> operands = {warpAddress(builder, address)};
  llvm::append_range(operands, words);
  std::string constraints = "r";
  for (size_t i = 0; i < words.size(); ++i)
    constraints += ",r";
  tensorMemoryText(builder, {}, operands,
                   "tcgen05.st.sync.aligned.32x32b.x" + std::to_string(words.size()) + ".b32 [$0], " +
                       listOf(1, int64_t(words.size())) + ";\ntcgen05.wait::st.sync.aligned;",
                   constraints + ",~{memory}");
}

//===----------------------------------------------------------------------===//
// By TMA
//===----------------------------------------------------------------------===//

/// The coordinate of an element of a tensor of coordinates, contiguous component first, as i32.
static SmallVector<Value> coordinateOf(Emitter &emitter, const Meaning &tensor, int64_t element) {
  alg::IntTuple step = alg::crd2idx(alg::IntTuple(element), tensor.layout.layout);
  SmallVector<Value> components;
  for (int i = 0; i < tensor.layout.offset.rank(); ++i) {
    alg::Int value = tensor.layout.offset.mode(i).asInt();
    if (!step.isLeaf() && i < step.rank())
      value = value + step.mode(i).asInt();
    components.push_back(emitter.emit(value, 32));
  }
  return components;
}

static int64_t elementsOf(ArrayRef<int64_t> box) {
  return std::accumulate(box.begin(), box.end(), int64_t(1), std::multiplies<>());
}

LogicalResult CuteLowering::lowerTmaCopy(Operation *op, const Lowered &source, const Lowered &target) {
  FailureOr<Lowered> atom = get(op->getOperand(0), op);
  if (failed(atom))
    return failure();
  Type type = mlir::cute::getAtom(op->getOperand(0).getType());
  bool load = cast<mlir::cute::TmaAtomTypeInterface>(type).isLoad();
  const Lowered &coords = load ? source : target, &memory = load ? target : source;
  int64_t box = elementsOf(*mlir::cute::getBox(type)),
          copies = alg::size(memory.meaning.layout.layout).constant() / box;
  if (failed(checkCount(op, copies)))
    return failure();
  if (memory.meaning.alignment % 128)
    return op->emitOpError("TMA copies to and from shared memory aligned to 128 bytes, not ")
           << memory.meaning.alignment;
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Emitter places(builder, coords.numbers), addresses(builder, memory.numbers);
  for (int64_t i = 0; i < copies; ++i) {
    FailureOr<alg::Int> offset = offsetOf(op, alg::IntTuple(i * box), memory.meaning);
    if (failed(offset))
      return failure();
    if (offset->divisor() * mlir::cute::bytesOf(memory.meaning.element) % 128)
      return op->emitOpError("box ") << i << " is not known to begin at a multiple of 128 bytes";
    Value address = addresses.advance(memory.address, memory.meaning.element, *offset);
    SmallVector<Value> coordinate = coordinateOf(places, coords.meaning, i * box);
    if (load) {
      // The instruction may write to any block of the cluster.
      Type cluster = LLVM::LLVMPointerType::get(op->getContext(), unsigned(NVVM::NVVMMemorySpace::SharedCluster));
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          builder, LLVM::AddrSpaceCastOp::create(builder, cluster, address), atom->address, coordinate, atom->barrier,
          /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(), /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE,
          /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
    } else if (auto reduce = dyn_cast<mlir::cute_nvgpu::TmaReduceType>(type)) {
      NVVM::CpAsyncBulkTensorReduceOp::create(
          builder, atom->address, address,
          NVVM::TMAReduxKindAttr::get(op->getContext(), *NVVM::symbolizeTMAReduxKind(reduce.getKind())),
          NVVM::TMAStoreModeAttr::get(op->getContext(), NVVM::TMAStoreMode::TILE), coordinate, /*l2CacheHint=*/Value());
    } else {
      NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(builder, atom->address, address, coordinate,
                                                         /*l2CacheHint=*/Value(), NVVM::TMAStoreMode::TILE,
                                                         /*predicate=*/Value());
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// prefetch
//===----------------------------------------------------------------------===//

LogicalResult CuteLowering::lowerPrefetch(Operation *op) {
  FailureOr<Lowered> atom = get(op->getOperand(0), op), source = get(op->getOperand(1), op);
  if (failed(atom) || failed(source))
    return failure();
  Type type = mlir::cute::getAtom(op->getOperand(0).getType());
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Emitter emitter(builder, source->numbers);
  std::optional<SmallVector<int64_t>> box = mlir::cute::getBox(type);
  int64_t count =
      box ? elementsOf(*box)
          : std::max<int64_t>(mlir::cute::getCopyBits(type) / 8 / mlir::cute::bytesOf(source->meaning.element), 1);
  int64_t copies = alg::size(source->meaning.layout.layout).constant() / count;
  if (failed(checkCount(op, copies)))
    return failure();
  for (int64_t i = 0; i < copies; ++i) {
    if (box) {
      NVVM::CpAsyncBulkTensorPrefetchOp::create(builder, atom->address,
                                                coordinateOf(emitter, source->meaning, i * count),
                                                /*im2colOffsets=*/ValueRange(), NVVM::TMALoadMode::TILE,
                                                /*l2CacheHint=*/Value());
      continue;
    }
    FailureOr<alg::Int> offset = offsetOf(op, alg::IntTuple(i * count), source->meaning);
    if (failed(offset))
      return failure();
    auto text = LLVM::InlineAsmOp::create(
        builder, TypeRange(), emitter.advance(source->address, source->meaning.element, *offset),
        "prefetch.global.L2 [$0];", "l", /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
    text->setAttr(kAccessFact, builder.getStringAttr(kReadsGlobal));
  }
  return success();
}
