//===- Products.cpp - Instructions that multiply --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CuteToLLVM/Products.h"
#include "tileiras/Support/LoweringFacts.h"
#include "tileiras/Support/Tcgen05Scales.h"

using namespace mlir;
using namespace tileiras;
using mlir::cute::Product;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string tileiras::nameOf(Type type) {
  if (type.isInteger())
    return (type.isUnsignedInteger() ? "u" : "s") + std::to_string(type.getIntOrFloatBitWidth());
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  if (isa<Float8E5M2Type>(type))
    return "e5m2";
  if (isa<FloatTF32Type>(type))
    return "tf32";
  return type.isBF16() ? "bf16" : type.isF16() ? "f16" : "f32";
}

std::string tileiras::shapeOf(const Product &product) {
  return ("m" + Twine(product.m) + "n" + Twine(product.n) + "k" + Twine(product.k)).str();
}

static const char *kindOf(Value value) {
  return value.getType().isF32() ? "f" : value.getType().isInteger(64) ? "l" : "r";
}

Assembly::Assembly(ImplicitLocOpBuilder &builder, ArrayRef<Value> sums)
    : builder(builder), inputs(sums.begin(), sums.end()), count(sums.size()) {
  // Written while operands are still read: a factor in registers must not share one with a sum of the same value.
  for (size_t i = 0; i < count; ++i)
    constraints += std::string(i ? ",=&" : "=&") + kindOf(sums[i]);
  for (size_t i = 0; i < count; ++i)
    constraints += "," + std::to_string(i);
}

std::string Assembly::operand(Value value) {
  constraints += std::string(constraints.empty() ? "" : ",") + kindOf(value);
  inputs.push_back(value);
  return "$" + std::to_string(count + inputs.size() - 1);
}

std::string Assembly::operands(ArrayRef<Value> values) {
  std::string list;
  for (Value value : values)
    list += (list.empty() ? "{" : ", ") + operand(value);
  return list + "}";
}

std::string Assembly::sums() const {
  std::string list;
  for (size_t i = 0; i < count; ++i)
    list += (i ? ", $" : "{$") + std::to_string(i);
  return list + "}";
}

SmallVector<Value> Assembly::finish(StringRef text, bool ordered, int ptxVersion) {
  SmallVector<Type, 1> types;
  if (count == 1)
    types.push_back(inputs.front().getType());
  else if (count > 1)
    types.push_back(
        LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(count, inputs.front().getType())));
  auto op = LLVM::InlineAsmOp::create(builder, TypeRange(types), inputs, text,
                                      constraints + (ordered ? ",~{memory}" : ""), /*has_side_effects=*/ordered,
                                      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                      LLVM::AsmDialectAttr(), ArrayAttr());
  op->setAttr(kPtxVersionAttr, builder.getI32IntegerAttr(ptxVersion));
  SmallVector<Value> results;
  for (size_t i = 0; i < count; ++i)
    results.push_back(count == 1 ? op.getResult(0)
                                 : Value(LLVM::ExtractValueOp::create(builder, op.getResult(0), int64_t(i))));
  return results;
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

SmallVector<Value> tileiras::multiplyWords(ImplicitLocOpBuilder &builder, const Product &product, ArrayRef<Value> a,
                                           ArrayRef<Value> b, ArrayRef<Value> c, ArrayRef<Value> scales,
                                           Value metadata) {
  Assembly text(builder, c);
  std::string sums = text.sums(), left = text.operands(a), right = text.operands(b);
  std::string types = "." + nameOf(product.a) + "." + nameOf(product.b) + ".", type = nameOf(product.c);
  std::string line = std::string(metadata ? "mma.sp::ordered_metadata.sync.aligned." : "mma.sync.aligned.") +
                     (scales.empty() ? "" : "kind::mxf8f6f4.block_scale.scale_vec::1X.") + shapeOf(product) +
                     ".row.col." + type + types + type + (scales.empty() ? " " : ".ue8m0 ") + sums + ", " + left +
                     ", " + right + ", " + sums;
  for (Value scale : scales)
    line += ", {" + text.operand(scale) + "}, {0, 0}";
  if (metadata)
    line += ", " + text.operand(metadata) + ", 0";
  // PTX ISA, "mma", PTX ISA Notes: block scales came with 8.7, ordered metadata with 8.5, 8-bit floats with 8.4.
  bool floats8 = isa<FloatType>(product.a) && product.a.getIntOrFloatBitWidth() == 8;
  return text.finish(line + ";", /*ordered=*/false, !scales.empty() ? 87 : metadata ? 85 : floats8 ? 84 : 70);
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

static constexpr const char *kWait = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

/// Signed by unsigned bytes came with PTX 8.4, 8-bit floats with 8.1.
static int versionOf(const Product &product) { return product.a != product.b && product.c.isInteger() ? 84 : 81; }

SmallVector<Value> tileiras::multiplyByWarpgroup(ImplicitLocOpBuilder &builder, const Product &product,
                                                 ArrayRef<Value> sums, ArrayRef<DescriptorStep> steps, bool turnA,
                                                 bool turnB, bool wait) {
  std::string name = "wgmma.mma_async.sync.aligned." + shapeOf(product) + "." + nameOf(product.c) + "." +
                     nameOf(product.a) + "." + nameOf(product.b) + " ";
  Assembly text(builder, sums);
  std::string lines = "{\n.reg .pred always;\nsetp.ne.b32 always, 1, 0;\nwgmma.fence.sync.aligned;\n";
  for (const DescriptorStep &step : steps) {
    std::string left = step.a ? text.operand(step.a) : text.operands(step.wordsA), right = text.operand(step.b);
    lines += name + text.sums() + ", " + left + ", " + right + ", always";
    if (!product.c.isInteger())
      lines += ", 1, 1"; // neither is negated
    if (product.a.getIntOrFloatBitWidth() == 16)
      lines += std::string(!step.a ? "" : turnA ? ", 1" : ", 0") + (turnB ? ", 1" : ", 0");
    lines += ";\n";
  }
  return text.finish(lines + (wait ? kWait : "") + "}", /*ordered=*/true, versionOf(product));
}

SmallVector<Value> tileiras::waitForWarpgroup(ImplicitLocOpBuilder &builder, ArrayRef<Value> sums) {
  return Assembly(builder, sums).finish(kWait, /*ordered=*/true, 81);
}

//===----------------------------------------------------------------------===//
// tcgen05.mma
//===----------------------------------------------------------------------===//

static Tcgen05Instruction instructionOf(const Product &product, bool turnA, bool turnB) {
  Tcgen05Instruction i;
  i.m = int32_t(product.m), i.n = int32_t(product.n);
  i.mnMajorA = turnA, i.mnMajorB = turnB;
  using Kind = Tcgen05Instruction::Kind;
  if (product.a.isInteger()) {
    i.kind = Kind::I8, i.typeD = 2;
    i.typeA = !product.a.isUnsignedInteger(), i.typeB = !product.b.isUnsignedInteger();
  } else if (isa<FloatTF32Type>(product.a)) {
    i.kind = Kind::Tf32, i.typeA = i.typeB = 2;
  } else if (product.a.getIntOrFloatBitWidth() == 8) {
    i.kind = Kind::F8F6F4;
    i.typeA = isa<Float8E5M2Type>(product.a), i.typeB = isa<Float8E5M2Type>(product.b);
  } else {
    i.typeA = i.typeB = product.a.isBF16();
  }
  return i;
}

/// With what wgmma's descriptors lack (PTX ISA, tcgen05, "Shared memory descriptor": a constant).
static Value toTcgen05(ImplicitLocOpBuilder &builder, Value descriptor) {
  Value constant = LLVM::ConstantOp::create(builder, builder.getI64Type(), builder.getI64IntegerAttr(int64_t(1) << 46));
  return LLVM::OrOp::create(builder, descriptor, constant);
}

void tileiras::multiplyInTensorMemory(ImplicitLocOpBuilder &builder, const Product &product, Value sums,
                                      ArrayRef<DescriptorStep> steps, bool turnA, bool turnB, Value accumulate) {
  Tcgen05Instruction what = instructionOf(product, turnA, turnB);
  std::string name = std::string(product.sparse ? "tcgen05.mma.sp.cta_group::" : "tcgen05.mma.cta_group::") +
                     std::to_string(product.blocks) +
                     ".kind::" + (product.scaled ? Tcgen05Scaling().suffix() : what.kindName());
  Assembly text(builder);
  std::string lines = "{\n.reg .pred adds, always;\nsetp.ne.b32 always, 1, 0;\n";
  if (accumulate) {
    Value flag = LLVM::ZExtOp::create(builder, builder.getI32Type(), accumulate);
    lines += "setp.ne.b32 adds, " + text.operand(flag) + ", 0;\n";
  }
  std::string d = text.operand(LLVM::PtrToIntOp::create(builder, builder.getI32Type(), sums));
  for (auto [i, step] : llvm::enumerate(steps)) {
    std::string left = text.operand(toTcgen05(builder, step.a)), right = text.operand(toTcgen05(builder, step.b));
    Tcgen05Scaling scaling;
    scaling.byteA = int32_t(step.byteA), scaling.byteB = int32_t(step.byteB);
    uint32_t descriptor = product.scaled ? scaledDescriptor(what, scaling) : what.descriptor();
    if (product.sparse) // PTX ISA, "Instruction descriptor": bit 2, and the selector below it
      descriptor |= 4 | uint32_t(step.selector);
    lines += name + " [" + d + "], " + left + ", " + right +
             (product.sparse ? ", [" + text.operand(step.metadata) + "]" : "") + ", " + std::to_string(descriptor);
    if (product.scaled) {
      std::string scaleA = text.operand(step.scalesA), scaleB = text.operand(step.scalesB);
      lines += ", [" + scaleA + "], [" + scaleB + "]";
    }
    lines += i == 0 && accumulate ? ", adds;\n" : ", always;\n";
  }
  text.finish(lines + "}", /*ordered=*/true, 86);
}

void tileiras::copyToTensorMemory(ImplicitLocOpBuilder &builder, StringRef shape, Value descriptor, Value target) {
  Assembly text(builder);
  std::string to = text.operand(LLVM::PtrToIntOp::create(builder, builder.getI32Type(), target)),
              from = text.operand(toTcgen05(builder, descriptor));
  text.finish(("tcgen05.cp.cta_group::1." + shape + " [" + to + "], " + from + ";").str(), /*ordered=*/true, 86);
}
